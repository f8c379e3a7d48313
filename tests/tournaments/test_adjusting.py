"""A drawn round changed by hand: what a change makes of it, costs, and how it is taken back."""

from __future__ import annotations

import random

import pytest

from tests.factories import TournamentFactory
from tests.tournaments.test_services_draws import entries_at, event, play
from tournaments.competition.changes import Act, Change, Gravity, Kind, NotInRound
from tournaments.competition.types import BadRequest
from tournaments.errors import adjusting as adjust_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Bye, Entry, ForbiddenMeeting, Match, PairingRound, Tournament
from tournaments.services import adjusting, draws, pairings, results, stages
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db


def swiss(entries: int = 8, rounds: int = 5) -> PairingRound:
    """Return the draft of the first round of a Swiss stage."""
    tournament = event(entries)
    stage = stages.make_stage(
        tournament, StagePlan("swiss", rounds=rounds), by=tournament.created_by
    )
    return draws.draw_round(stage, number=1, by=tournament.created_by)


def second_round(entries: int = 8) -> PairingRound:
    first = swiss(entries)
    by = first.stage.tournament.created_by
    play(first, by, random.Random(3))
    return draws.draw_round(first.stage, number=2, by=by)


def swap(one: str, other: str) -> Change:
    return Change(Act.SWAP, (one, other))


def test_a_swap_changes_two_places_and_nothing_else() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    before = adjusting.seating_of(draft)
    one, other = before.tables[0].entries[0], before.tables[1].entries[1]
    ahead = adjusting.preview(draft, swap(one, other), by=by)
    adjusting.change_seats(draft, swap(one, other), seen=ahead.seen, by=by)
    now = adjusting.seating_of(draft)
    assert now == ahead.after
    assert one in now.tables[1].entries
    assert now.tables[2:] == before.tables[2:]
    assert all(match.seats.count() == 4 for match in draft.matches.all())


def test_a_change_sent_twice_is_made_once_and_an_old_one_is_refused() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    before = adjusting.seating_of(draft)
    change = swap(before.tables[0].entries[0], before.tables[1].entries[0])
    for _ in range(2):
        adjusting.change_seats(draft, change, seen=before.fingerprint(), by=by)
    assert len(adjusting.changes_of(draft)) == 1
    another = swap(before.tables[0].entries[1], before.tables[1].entries[1])
    with pytest.raises(adjust_errors.SeatsHaveChanged):
        adjusting.change_seats(draft, another, seen=before.fingerprint(), by=by)


@pytest.mark.parametrize("entries", [(), ("1",), ("1", "2", "3")])
def test_a_swap_of_other_than_two_is_refused(entries: tuple[str, ...]) -> None:
    draft = swiss()
    with pytest.raises(BadRequest, match="two entries"):
        adjusting.preview(draft, Change(Act.SWAP, entries), by=draft.stage.tournament.created_by)


@pytest.mark.parametrize("act", [Act.RENUMBER, Act.SEAT])
def test_a_table_number_that_no_table_can_have_is_refused(act: Act) -> None:
    draft = swiss()
    change = Change(act, table=1, number=10**12)
    with pytest.raises(table_errors.BadTableNumber):
        adjusting.preview(draft, change, by=draft.stage.tournament.created_by)


def test_the_two_sides_of_a_table_exchange_their_seats() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    before = adjusting.seating_of(draft)
    ac, bd = before.tables[0].entries
    adjusting.change_seats(draft, swap(ac, bd), seen=before.fingerprint(), by=by)
    seats = dict(draft.matches.get(table=1).seats.values_list("seat", "entry__number"))
    assert seats == {"A": int(bd), "C": int(bd), "B": int(ac), "D": int(ac)}


def test_a_rematch_is_said_to_be_grave_before_it_is_made() -> None:
    draft = second_round()
    by = draft.stage.tournament.created_by
    first = adjusting.seating_of(draft.stage.rounds.get(number=1))
    one, other = first.tables[0].entries
    now = adjusting.seating_of(draft)
    at = next(table for table in now.tables if one in table.entries)
    beside = next(entry for entry in at.entries if entry != one)
    ahead = adjusting.preview(draft, swap(other, beside), by=by)
    assert Kind.REMATCH in {blemish.kind for blemish in ahead.cost.worse}
    assert ahead.cost.gravity is Gravity.GRAVE
    assert adjusting.seating_of(draft) == now


def test_places_are_exchanged_with_a_bye_and_a_second_bye_is_grave() -> None:
    draft = second_round(9)
    by = draft.stage.tournament.created_by
    rested = str(Bye.objects.get(pairing_round__number=1).entry.number)
    now = adjusting.seating_of(draft)
    ahead = adjusting.preview(draft, swap(rested, now.byes[0]), by=by)
    assert Kind.BYE_AGAIN in {blemish.kind for blemish in ahead.cost.worse}
    adjusting.change_seats(draft, swap(rested, now.byes[0]), seen=ahead.seen, by=by)
    assert str(draft.byes.get().entry.number) == rested


def test_a_table_gets_another_number_and_its_match_moves_with_it() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    first = draft.matches.get(table=1)
    before = adjusting.seating_of(draft)
    adjusting.change_seats(
        draft, Change(Act.RENUMBER, table=1, number=30), seen=before.fingerprint(), by=by
    )
    first.refresh_from_db()
    assert first.table == 30
    before = adjusting.seating_of(draft)
    adjusting.change_seats(
        draft, Change(Act.RENUMBER, table=2, number=3), seen=before.fingerprint(), by=by
    )
    assert sorted(draft.matches.values_list("table", flat=True)) == [2, 3, 4, 30]
    with pytest.raises(table_errors.BadTableNumber):
        adjusting.preview(draft, Change(Act.RENUMBER, table=2, number=0), by=by)


def test_a_table_is_dissolved_and_a_new_one_made_of_those_who_rest() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    before = adjusting.seating_of(draft)
    adjusting.change_seats(draft, Change(Act.REST, table=2), seen=before.fingerprint(), by=by)
    rest = adjusting.seating_of(draft)
    assert sorted(rest.byes) == sorted(before.tables[1].entries)
    adjusting.change_seats(
        draft, Change(Act.SEAT, before.tables[1].entries), seen=rest.fingerprint(), by=by
    )
    assert adjusting.seating_of(draft) == before


def test_the_answer_of_the_draw_is_one_act_away_and_so_is_the_way_back() -> None:
    draft = swiss(9)
    by = draft.stage.tournament.created_by
    drawn = adjusting.seating_of(draft)
    for one, other in (("1", "2"), ("3", "4"), ("5", "6")):
        seen = adjusting.seating_of(draft).fingerprint()
        adjusting.change_seats(draft, swap(one, other), seen=seen, by=by)
    by_hand = adjusting.seating_of(draft)
    adjusting.restore_answer(draft, by=by)
    adjusting.restore_answer(draft, by=by)
    assert adjusting.seating_of(draft) == drawn
    last = adjusting.last_change(draft)
    assert last is not None
    for _ in range(2):
        adjusting.undo_change(draft, last=last.pk, by=by)
    assert adjusting.seating_of(draft) == by_hand
    for _ in range(3):
        last = adjusting.last_change(draft)
        assert last is not None
        adjusting.undo_change(draft, last=last.pk, by=by)
    assert adjusting.seating_of(draft) == drawn
    assert adjusting.last_change(draft) is None


def test_a_table_that_has_begun_keeps_its_seats_and_a_waiting_one_can_change() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    pairings.publish(draft, by=by)
    seated = adjusting.seating_of(draft)
    results.start_match(draft.matches.get(table=1), by=by)
    begun = swap(seated.tables[0].entries[0], seated.tables[1].entries[0])
    with pytest.raises(adjust_errors.TableHasBegun):
        adjusting.preview(draft, begun, by=by)
    with pytest.raises(adjust_errors.TableHasBegun):
        adjusting.change_seats(draft, begun, seen=seated.fingerprint(), by=by)
    waiting = swap(seated.tables[1].entries[0], seated.tables[2].entries[0])
    adjusting.change_seats(draft, waiting, seen=seated.fingerprint(), by=by)
    assert int(seated.tables[1].entries[0]) in entries_at(draft.matches.get(table=3))


def test_a_locked_table_is_kept_when_the_round_is_drawn_anew() -> None:
    draft = swiss()
    by = draft.stage.tournament.created_by
    match = draft.matches.get(table=2)
    kept = entries_at(match)
    adjusting.lock_table(match, is_locked=True, by=by)
    adjusting.lock_table(match, is_locked=True, by=by)
    here = next(iter(map(str, kept)))
    elsewhere = adjusting.seating_of(draft).tables[0].entries[0]
    with pytest.raises(adjust_errors.TableIsLocked):
        adjusting.preview(draft, swap(here, elsewhere), by=by)
    draws.discard_draft(draft, by=by)
    assert draft.matches.count() == 1
    with pytest.raises(table_errors.RoundIsEmpty):
        pairings.publish(draft, by=by)
    again = draws.draw_round(draft.stage, number=1, by=by)
    assert again.matches.count() == 4
    assert entries_at(again.matches.get(table=2)) == kept
    asked = {one["id"] for one in again.draw["request"]["entries"]}
    assert asked.isdisjoint(map(str, kept))
    seated = [number for one in again.matches.all() for number in entries_at(one)]
    assert sorted(seated) == list(range(1, 9))
    adjusting.restore_answer(again, by=by)
    assert entries_at(again.matches.get(table=2)) == kept


def test_a_forbidden_pair_is_not_drawn_and_may_meet_again_once_allowed() -> None:
    draft = swiss(4)
    by = draft.stage.tournament.created_by
    one, other = (
        draft.stage.tournament.entries.get(number=number)
        for number in entries_at(draft.matches.get(table=1))
    )
    for _ in range(2):
        adjusting.forbid(one, other, by=by)
    assert ForbiddenMeeting.objects.count() == 1
    worst = adjusting.facts_of(draft).blemishes(adjusting.seating_of(draft))[0]
    assert (worst.kind, worst.gravity) == (Kind.FORBIDDEN, Gravity.FORBIDDEN)
    draws.discard_draft(draft, by=by)
    again = draws.draw_round(draft.stage, number=1, by=by)
    assert {one.number, other.number} not in [entries_at(match) for match in again.matches.all()]
    for _ in range(2):
        adjusting.allow(other, one, by=by)
    assert ForbiddenMeeting.objects.count() == 0
    with pytest.raises(adjust_errors.SameEntryForbidden):
        adjusting.forbid(one, one, by=by)


def test_single_players_change_seats_and_partners() -> None:
    tournament = event(8, Entry.Kind.SINGLE)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("rotating", rounds=3), by=by)
    draft = draws.draw_round(stage, number=1, by=by)
    before = adjusting.seating_of(draft)
    partner = before.tables[0].sides["AC"]
    assert len(partner) == 2
    seats = dict(draft.matches.get(table=1).seats.values_list("seat", "entry__number"))
    assert {str(seats["A"]), str(seats["C"])} == set(partner)
    change = swap(partner[0], before.tables[1].sides["BD"][1])
    adjusting.change_seats(draft, change, seen=before.fingerprint(), by=by)
    after = dict(draft.matches.get(table=2).seats.values_list("seat", "entry__number"))
    assert str(after["D"]) == partner[0]
    adjusting.restore_answer(draft, by=by)
    assert adjusting.seating_of(draft) == before


def test_a_bracket_keeps_its_meetings_but_sides_and_numbers_may_change() -> None:
    tournament = event(4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("knockout"), by=by)
    draft = draws.draw_round(stage, number=1, by=by)
    seated = adjusting.seating_of(draft)
    across = swap(seated.tables[0].entries[0], seated.tables[1].entries[0])
    with pytest.raises(adjust_errors.SeatsFollowTheDraw):
        adjusting.preview(draft, across, by=by)
    meeting = draft.matches.get(table=1).meeting
    sides = swap(*seated.tables[0].entries)
    adjusting.change_seats(draft, sides, seen=seated.fingerprint(), by=by)
    seen = adjusting.seating_of(draft).fingerprint()
    adjusting.change_seats(draft, Change(Act.RENUMBER, table=1, number=2), seen=seen, by=by)
    assert Match.objects.get(pairing_round=draft, table=2).meeting == meeting
    with pytest.raises(adjust_errors.CannotBeLocked):
        adjusting.lock_table(draft.matches.get(table=1), is_locked=True, by=by)


def test_somebody_who_does_not_play_cannot_be_moved() -> None:
    draft = swiss()
    stranger = TournamentFactory.create(state=Tournament.State.RUNNING).created_by
    by = draft.stage.tournament.created_by
    with pytest.raises(NotInRound):
        adjusting.preview(draft, swap("1", "99"), by=by)
    with pytest.raises(Exception, match="director"):
        adjusting.preview(draft, swap("1", "2"), by=stranger)
