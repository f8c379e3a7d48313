"""The ten hard situations of shared/domino-practice.md, section 6, and those named below them.

Each with the outcome of the source it names: FMD is the FEMUNDO regulation of 2025 and its
articles, FVD-sw and ES-sw are two federations' programs.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from engine.ladder import numbers_of
from engine.seats import Seat
from referee import cards
from referee.proposals import Proposal, offence_number, proposals
from referee.rows import read
from referee.services import records as referee
from tests.factories import MatchFactory, PairingRoundFactory
from tests.tournaments.hard_cases import (
    director,
    entry_at,
    event,
    opened,
    published,
    seats,
    seventeen,
    sheet,
    store,
    table,
    write,
)
from tournaments.errors import scores as score_errors
from tournaments.models import (
    Bye,
    Entry,
    LogEntry,
    Match,
    PairingRound,
    StandingRow,
    Tournament,
)
from tournaments.policies_cards import card_numbers
from tournaments.services import (
    clock,
    leaving,
    pairings,
    remaking,
    results,
)
from tournaments.services.result_rules import ResultRules, set_result_rules

pytestmark = pytest.mark.django_db


# --- 1: a sanction hits one partner only ------------------------------------------------------


@pytest.mark.parametrize("way", ["sheet", "score"])
def test_hard_case_01_a_sanction_hits_one_partner_only_in_an_individual_event(way):
    """FMD 5 and FVD-sw: A loses with 120, C wins with 200, B and D remain losers to 200."""
    match = table(event())
    if way == "score":
        store(match, 200, 150, deducted={"A": 80})
    else:
        opened(match)
        sheet(match, 0, "BD", 150)
        write(match, "A! false_pass")
        sheet(match, 1, "AC", 200)
        referee.close_match(match, by=director(match))
    assert seats(match) == {
        "A": ("L", 120, 150), "B": ("L", 150, 200), "C": ("W", 200, 150), "D": ("L", 150, 200)
    }  # fmt: skip


@pytest.mark.parametrize("way", ["sheet", "score"])
@pytest.mark.parametrize(
    ("after_fine", "rivals"), [(None, ("L", 150, 200)), ("rivals", ("W", 150, 120))]
)
def test_hard_case_01_in_a_pairs_event_both_partners_lose_and_the_setting_says_who_wins(
    way, after_fine, rivals
):
    """FMD 5: 120 against 150. Whether the rivals then win FMD leaves open: the event says."""
    tournament = event(Entry.Kind.PAIR)
    set_result_rules(tournament, ResultRules(after_fine=after_fine), by=tournament.created_by)
    match = table(Tournament.objects.get(pk=tournament.pk))
    if way == "score":
        store(match, 200, 150, deducted={"A": 80, "C": 80})
    else:
        opened(match)
        sheet(match, 0, "BD", 150)
        write(match, "A! false_pass")
        sheet(match, 1, "AC", 200)
        referee.close_match(match, by=director(match))
    assert seats(match)["A"] == seats(match)["C"] == ("L", 120, 150)
    assert seats(match)["B"] == seats(match)["D"] == rivals


# --- 2, 3, 4, 9: of the record at the table ----------------------------------------------------


def measures_offered(match: Match, seat: str, kind: str) -> list[list[str]]:
    found = referee_proposals(match, seat, kind)
    return [[str(one) for one in each.measures] for each in found]


def referee_proposals(match: Match, seat: str, kind: str) -> list[Proposal]:
    recorded = read(match)
    offence = offence_number(recorded, Seat(seat), kind)
    return proposals(recorded.rules, kind, offence, deliberate=False)


def test_hard_case_02_a_false_pass_found_at_the_end_of_the_hand_leaves_the_score():
    """FMD 16: claimable to the end; without exposed tiles the score stands, 80 and yellow."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 29)
    write(match, "A! false_pass")
    state = read(match).state
    assert (state.rounds[0].ended, state.totals["AC"]) == ("out", 29)
    assert state.deductions[Seat.A] == 80
    player = match.seats.get(seat="A").player_id
    tournament = match.pairing_round.stage.tournament
    assert [one.severity for one in cards.cards_of(player, tournament)] == ["yellow"]


def test_hard_case_02_a_false_pass_that_exposed_tiles_breaks_the_hand():
    """FMD 16, 5: the hand is void, the same seat leads again, 80 and yellow."""
    match = opened(table(event()))
    referee.open_round(match, number=0, opener="A", by=director(match))
    write(match, "A 6-6", "B pass", "C 6-5 right")
    assert ["percent 40", "card yellow", "void_round"] in measures_offered(match, "B", "false_pass")
    write(match, "B! false_pass -> percent 40, card yellow, void_round")
    state = read(match).state
    assert (state.rounds[0].ended, state.totals["AC"]) == ("void", 0)
    assert state.next_opener().seat is Seat.A
    assert state.deductions[Seat.B] == 80


def test_hard_case_02_a_broken_hand_does_not_end_the_match_when_the_bell_has_rung():
    """FMD 6: no game ends through a hand broken by a penalty: it is played again."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 60)
    referee.open_round(match, number=1, opener="B", by=director(match))
    write(match, "B 6-6", "time over", "A! false_pass -> percent 40, card yellow, void_round")
    assert not read(match).state.over
    sheet(match, 2, "BD", 10)
    assert read(match).state.winner == "AC"


def test_hard_case_03_a_misplay_seen_after_three_or_after_four_plays():
    """FMD 5, 14: three: it goes on, 80 and yellow, the tile exposed; four: the hand is void."""
    match = opened(table(event()))
    referee.open_round(match, number=0, opener="A", by=director(match))
    offered = measures_offered(match, "B", "misplay")
    assert offered[0] == ["percent 40", "card yellow", "expose"]
    assert ["percent 40", "card yellow", "void_round"] in offered
    assert ["retract", "warning"] in offered
    when = [each.when for each in referee_proposals(match, "B", "misplay")]
    assert "Found after four or more further plays" in when
    write(match, "A 6-6", "B! misplay 5-4 -> percent 40, card yellow, void_round")
    state = read(match).state
    assert (state.rounds[0].ended, state.next_opener().seat) == ("void", Seat.A)
    assert state.deductions[Seat.B] == 80


def test_hard_case_04_a_block_is_called_that_is_none():
    """FMD 6, 5: only the caller showed tiles: 40; all four turned theirs: void, same lead."""
    match = opened(table(event()))
    referee.open_round(match, number=0, opener="A", by=director(match))
    assert measures_offered(match, "C", "false_block")[:2] == [
        ["percent 20"],
        ["percent 20", "void_round"],
    ]
    write(match, "A 6-6", "C! false_block", "C! exposed_tile 5-1 -> expose")
    assert read(match).state.rounds[0].ended == "unfinished"
    write(match, "D! false_block -> percent 20, void_round")
    state = read(match).state
    assert (state.rounds[0].ended, state.next_opener().seat) == ("void", Seat.A)
    assert (state.deductions[Seat.C], state.deductions[Seat.D]) == (40, 40)


def test_hard_case_09_an_exposed_tile_closes_the_hand_without_points():
    """FMD 17: its owner wins the hand, and 0 are written."""
    match = opened(table(event()))
    referee.open_round(match, number=0, opener="A", by=director(match))
    assert ["warning", "expose"] in measures_offered(match, "A", "exposed_tile")
    passes = ("B pass", "C pass", "D pass")
    for tile in ("6-6", "6-5", "5-4", "4-3", "3-2", "2-1"):
        write(match, f"A {tile}" if tile == "6-6" else f"A {tile} right", *passes)
        if tile == "6-6":
            write(match, "A! exposed_tile 1-0")
    write(match, "A 1-0 right")
    state = read(match).state
    assert (state.rounds[0].ended, state.rounds[0].winner) == ("out", "AC")
    assert state.totals == {"AC": 0, "BD": 0}
    assert state.rounds[0].needs_hands == ()
    # The sheet allows for it, too: won, and nothing to write.
    sheet(match, 1, "AC", 0)
    assert read(match).state.rounds[1].winner == "AC"


# --- 5: one player is missing ------------------------------------------------------------------


def test_hard_case_05_one_is_missing_two_minutes_and_a_second_after_the_start():
    """FMD 7: 0-200 and yellow for the absent; the three present, the partner too, win 100-0."""
    match = table(event())
    now = timezone.now()
    clock.set_clock(
        match.pairing_round, minutes=40, starts_at=now - timedelta(seconds=121), by=director(match)
    )
    time = clock.clock_of(PairingRound.objects.get(pk=match.pairing_round_id))
    assert time is not None
    assert time.grace_ends_at < now
    results.record_walkover(match, absent=[entry_at(match, "A")], by=director(match))
    assert seats(match) == {
        "A": ("l", 0, 200), "B": ("w", 100, 0), "C": ("w", 100, 0), "D": ("w", 100, 0)
    }  # fmt: skip
    assert LogEntry.objects.get(act="walkover").details["card"] == "yellow"


def test_hard_case_05_two_yellow_cards_make_a_red_one_looked_up_at_once(client, text):
    """FMD 29: the earlier card stands on the page on which the second one is given."""
    tournament = event()
    first = opened(table(tournament))
    player = first.seats.get(seat="B").player
    sheet(first, 0, "AC", 10)
    write(first, "B! false_pass")
    second = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage=first.pairing_round.stage),
        entries=[entry_at(first, seat) for seat in "ABCD"],
    )
    client.force_login(tournament.created_by)
    page = text(client.get(f"/desk/nile/tables/{second.pk}/absent/"))
    assert f"{player.name}</bdi>: Yellow card in round 1, table 1 (False pass)." in page
    assert "With one more it comes to: Red card." in page
    results.record_walkover(second, absent=[entry_at(second, "B")], by=tournament.created_by)
    given = cards.cards_of(player.pk, tournament)
    assert [one.severity for one in given] == ["yellow", "yellow"]
    assert cards.made_of(given, card_numbers(tournament)) == "red"
    results.reopen_match(Match.objects.get(pk=second.pk), by=tournament.created_by)
    assert len(cards.cards_of(player.pk, tournament)) == 1


@pytest.mark.parametrize(
    ("colours", "comes_to"),
    [
        ([], ""), (["yellow"], "yellow"), (["yellow"] * 2, "red"), (["yellow"] * 3, "black"),
        (["red", "yellow"], "black"), (["red"], "red"), (["black"], "black"),
    ],
)  # fmt: skip
def test_cards_come_to_the_next_colour(colours, comes_to):
    given = [cards.Card(one, "play", 1, 1, "") for one in colours]
    assert cards.made_of(given, numbers_of("femundo")) == comes_to


# --- 6: seventeen players ----------------------------------------------------------------------


def test_hard_case_06_the_lowest_of_seventeen_without_a_bye_rests_in_round_five():
    """FVD-sw: 4 tables and one bye for the lowest ranked without one, nobody a second time."""
    stage = seventeen(4)
    rested = set(Bye.objects.values_list("entry", flat=True))
    rows = StandingRow.objects.filter(stage=stage).order_by("-order")
    lowest = next(row.entry_id for row in rows if row.entry_id not in rested)
    fifth = published(stage, 5)
    assert fifth.matches.count() == 4
    assert fifth.byes.get().entry_id == lowest
    assert len(rested) == 4


@pytest.mark.parametrize(
    ("policies", "for_", "difference"),
    [({}, 200, 100), ({"bye": (100, 0)}, 100, 100)],
    ids=["FVD-sw", "ES-sw"],
)
def test_hard_case_06_a_bye_is_won_and_worth_what_the_event_says(policies, for_, difference):
    """FVD-sw: a win, 200 points, +100. ES-sw: a win, half the target in points and difference."""
    stage = seventeen(1, **policies)
    row = StandingRow.objects.get(stage=stage, entry=Bye.objects.get().entry)
    assert row.values["wins"] == 1
    assert (row.values["points_for"], row.values["difference"]) == (for_, difference)


def test_hard_case_06_one_withdraws_before_the_start_and_the_bye_vanishes():
    """Sixteen are left: the pairings nobody has begun are made anew, without a bye."""
    stage = seventeen(4)
    by = stage.tournament.created_by
    fifth = published(stage, 5)
    gone = fifth.matches.order_by("table")[0].seats.get(seat="A").entry
    leaving.withdraw(gone, by=by)
    remade = remaking.remake_round(fifth, reason="One has left, sixteen play.", by=by)
    assert remade.state == PairingRound.State.DRAFT
    assert (remade.matches.count(), remade.byes.count()) == (4, 0)
    again = pairings.publish(remade, by=by)
    seated = set(again.matches.values_list("seats__entry", flat=True))
    assert len(seated) == 16
    assert gone.pk not in seated
    assert set(again.matches.values_list("state", flat=True)) == {Match.State.WAITING}


def test_hard_case_06_a_round_that_has_begun_is_not_made_anew():
    stage = seventeen(1)
    by = stage.tournament.created_by
    second = published(stage, 2)
    first_table = second.matches.order_by("table")[0]
    with pytest.raises(score_errors.ReasonMissing):
        remaking.remake_round(second, reason=" ", by=by)
    results.start_match(first_table, by=by)
    with pytest.raises(score_errors.RoundHasBegun, match="at table 1"):
        remaking.remake_round(second, reason="One has left.", by=by)
    assert not remaking.may_be_remade(second)


# --- 7: the bell -------------------------------------------------------------------------------


def test_hard_case_07_the_bell_at_188_all_one_more_hand():
    """FMD 6: level when the time is over, one more hand is played."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 188)
    sheet(match, 1, "BD", 188)
    write(match, "time over")
    assert not read(match).state.over
    sheet(match, 2, "BD", 3)
    referee.close_match(match, by=director(match))
    assert seats(match)["B"] == ("W", 191, 188)


def test_hard_case_07_a_sheet_with_188_all_is_not_taken():
    match = table(event())
    with pytest.raises(score_errors.MustNotBeLevel, match="one more round played"):
        store(match, 188, 188, sure=True)


def test_hard_case_07_the_bell_in_a_hand_that_hand_is_finished():
    match = opened(table(event()))
    sheet(match, 0, "AC", 60)
    referee.open_round(match, number=1, opener="B", by=director(match))
    write(match, "B 6-6", "time over", "C pass")
    assert not read(match).state.over
    write(match, "undo 3", "result BD 20 out")
    write(match, "time over")
    assert read(match).state.winner == "AC"


def test_hard_case_07_the_bell_just_after_the_last_tile_is_noted_in_the_next_hand():
    """FMD 6: nobody is at 200, so another hand is played, and the time is over in that one."""
    match = opened(table(event()))
    sheet(match, 0, "AC", 60)
    referee.open_round(match, number=1, opener="B", by=director(match))
    write(match, "time over")
    assert not read(match).state.over
    write(match, "result BD 70 out")
    referee.close_match(match, by=director(match))
    assert seats(match)["B"] == ("W", 70, 60)
