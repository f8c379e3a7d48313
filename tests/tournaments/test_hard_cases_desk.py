"""Hard situations 8 and 10 of shared/domino-practice.md, and those named below the ten."""

from __future__ import annotations

import random

import pytest

from referee.rows import read
from referee.services import records as referee
from tests.factories import EntryFactory
from tests.tournaments.hard_cases import (
    director,
    entry_at,
    event,
    opened,
    play_open,
    published,
    seats,
    seventeen,
    sheet,
    store,
    table,
    write,
)
from tournaments.errors import base as base_errors
from tournaments.errors import tables as table_errors
from tournaments.models import (
    Absence,
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    StandingRow,
    Tournament,
)
from tournaments.services import (
    attendance,
    clock,
    corrections,
    draws,
    lifecycle,
)
from tournaments.services.disqualification import abandon, disqualify
from tournaments.services.undoing import undo

pytestmark = pytest.mark.django_db


# --- 8: wrong seats ----------------------------------------------------------------------------


def test_hard_case_08_wrong_seats_found_when_the_sheet_is_at_the_desk():
    """FMD 21: all four lose 0-200, whatever the sheet says; the earlier result can come back."""
    match = store(table(event()), 200, 150)
    corrections.lose_all(match, reason="B sat on D.", by=director(match))
    assert set(seats(match).values()) == {("L", 0, 200)}
    undo(LogEntry.objects.get(act="all_lose"), by=director(match))
    assert seats(match)["A"] == ("W", 200, 150)


def test_hard_case_08_wrong_seats_found_at_the_table_are_put_right_and_play_goes_on():
    """FMD 21: noticed in time, they are corrected; play goes on, with no extra time."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 40)
    one, other = entry_at(match, "B"), entry_at(match, "C")
    corrections.swap_seats(match, one=one, other=other, reason="sat wrongly", by=director(match))
    assert (entry_at(match, "B"), entry_at(match, "C")) == (other, one)
    match.refresh_from_db()
    assert (match.state, match.extra_seconds) == (Match.State.PLAYING, 0)
    assert read(match).state.totals == {"AC": 40, "BD": 0}


# --- 10: players walk off ----------------------------------------------------------------------


def test_hard_case_10_play_is_resumed_where_it_stopped():
    """St Kitts 2021: players left at 11-9; the table stays open and goes on from 11-9."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 11)
    sheet(match, 1, "BD", 9)
    clock.set_clock(match.pairing_round, minutes=40, by=director(match))
    clock.set_extra_time(match, seconds=600, reason="They had left.", by=director(match))
    assert read(match).state.totals == {"AC": 11, "BD": 9}
    sheet(match, 2, "BD", 200)
    referee.close_match(match, by=director(match))
    assert seats(match)["B"] == ("W", 209, 11)


def test_hard_case_10_who_rises_in_anger_loses_0_200_and_the_others_get_200():
    """FMD 26 (English text): the offender 0-200, the three others 200-0."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 11)
    sheet(match, 1, "BD", 9)
    abandon(match, left=[entry_at(match, "A")], reason="Rose in anger.", by=director(match))
    assert seats(match) == {
        "A": ("l", 0, 200), "B": ("w", 200, 0), "C": ("w", 200, 0), "D": ("w", 200, 0)
    }  # fmt: skip


# --- also --------------------------------------------------------------------------------------


def test_also_a_red_card_in_the_middle_of_play_and_the_partner_still_wins():
    """FVD-sw: the offender 0-200, all others 200-0, the partner among them."""
    match = opened(table(event()))
    sheet(match, 0, "BD", 90)
    write(match, "A! procedure -> lose_match, card red")
    referee.close_match(match, by=director(match))
    assert seats(match) == {
        "A": ("L", 0, 200), "B": ("W", 200, 0), "C": ("W", 200, 0), "D": ("W", 200, 0)
    }  # fmt: skip


def test_also_two_infractions_by_one_player_in_a_game():
    """FMD 28: 0-200 for the player, the others are credited with 200."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 50)
    write(match, "B! false_pass", "B! out_of_turn 5-4 -> lose_match")
    referee.close_match(match, by=director(match))
    assert [seats(match)[one][0] for one in "ABCD"] == ["W", "L", "W", "W"]
    assert seats(match)["D"][1:] == (200, 0)


def test_also_in_a_pairs_event_the_partner_loses_as_well():
    match = opened(table(event(Entry.Kind.PAIR)))
    sheet(match, 0, "BD", 90)
    write(match, "A! procedure -> lose_match, card red")
    referee.close_match(match, by=director(match))
    assert [seats(match)[one][0] for one in "ABCD"] == ["L", "W", "L", "W"]


def test_also_signals_fall_on_both_and_leave_two_empty_seats_in_the_next_round():
    """FMD 24: the black card expels the partner too; the next draw lacks both."""
    stage = seventeen(1)
    by = stage.tournament.created_by
    second = published(stage, 2)
    match = opened(second.matches.order_by("table")[0])
    sheet(match, 0, "AC", 20)
    write(match, "A! signaling")
    referee.close_match(match, by=by)
    assert [seats(match)[one][0] for one in "ABCD"] == ["L", "W", "L", "W"]
    offender, partner = entry_at(match, "A"), entry_at(match, "C")
    disqualify(offender, reason="Signals.", with_partner=True, by=by)
    for one in (offender, partner):
        one.refresh_from_db()
        assert one.state == Entry.State.DISQUALIFIED
    chance = random.Random(5)
    for other in second.matches.exclude(pk=match.pk):
        play_open(other, chance, by)
    third = published(stage, 3)
    seated = set(third.matches.values_list("seats__entry", flat=True))
    assert not seated & {offender.pk, partner.pk}
    assert len(seated) + third.byes.count() == 15


def test_also_signals_at_an_open_table_let_both_lose_it_and_both_come_back_by_undo():
    match = opened(table(event()))
    by = director(match)
    offender = entry_at(match, "B")
    disqualify(offender, reason="Signals.", with_partner=True, by=by)
    disqualify(offender, reason="Signals.", with_partner=True, by=by)
    assert [seats(match)[one] for one in "ABCD"] == [
        ("w", 200, 0), ("l", 0, 200), ("w", 200, 0), ("l", 0, 200)
    ]  # fmt: skip
    lines = LogEntry.objects.filter(act="entry_disqualified").order_by("-pk")
    assert lines.count() == 2
    for line in lines:
        undo(line, by=by)
    match.refresh_from_db()
    assert match.state == Match.State.PLAYING
    assert not Entry.objects.filter(state=Entry.State.DISQUALIFIED).exists()


def test_also_who_has_no_partner_at_a_table_is_put_out_alone():
    tournament = event()
    entry = EntryFactory.create(tournament=tournament)
    with pytest.raises(table_errors.NoPartnerAtTable):
        disqualify(entry, reason="Signals.", with_partner=True, by=tournament.created_by)
    disqualify(entry, reason="Signals.", by=tournament.created_by)


def test_also_rain_after_round_five_the_event_ends_with_final_standings():
    """Requena: an event of nine rounds ended after the fifth; its standings are final."""
    stage = seventeen(5)
    by = stage.tournament.created_by
    lifecycle.finish(stage.tournament, by=by)
    assert Tournament.objects.get().state == Tournament.State.FINISHED
    rows = StandingRow.objects.filter(stage=stage)
    assert rows.count() == 17
    assert {row.played for row in rows} == {4, 5}
    assert stage.rounds.get(number=5).state == PairingRound.State.FINISHED
    with pytest.raises(base_errors.TournamentIsFinished):
        draws.draw_round(stage, number=6, by=by)


def test_also_a_substitute_enters_with_the_next_round_and_an_absence_is_none_of_a_bye():
    stage = seventeen(1)
    absent = Absence.Kind.ABSENT
    by = stage.tournament.created_by
    entry = stage.tournament.entries.get(number=3)
    attendance.set_absence(stage, number=2, entry=entry, kind=absent, by=by)
    second = published(stage, 2)
    assert second.byes.count() == 0
    assert MatchSeat.objects.filter(pairing_round=second).count() == 16
