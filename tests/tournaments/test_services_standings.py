"""Standings of a stage: kept with each round, ordered by choice, with deductions, in a bracket."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.errors import draws as draw_errors
from tournaments.errors import tables as table_errors
from tournaments.models import (
    Entry,
    Match,
    PairingRound,
    RatingChange,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.rules import rules_of
from tournaments.services import draws, pairings, results, stages
from tournaments.services.frozen import Frozen, FrozenMove, frozen_of
from tournaments.services.results import SeatResult
from tournaments.services.stages import StagePlan
from tournaments.services.standings import ordered_entries, rebuild_standings, results_of
from tournaments.services.tie_breaks import change_tie_breaks

pytestmark = pytest.mark.django_db

WON = {"AC": SeatResult(200, 120, "win"), "BD": SeatResult(120, 200, "loss")}


def close(match: Match, by: User, won: int = 200, lost: int = 120, winner: str = "AC") -> None:
    given = {}
    for letter in match.seats.values_list("seat", flat=True):
        if letter in winner:
            given[letter] = SeatResult(won, lost, "win")
        else:
            given[letter] = SeatResult(lost, won, "loss")
    results.record_result(match, seats=given, by=by)


@pytest.fixture
def stage() -> Stage:
    """Four pairs, two rounds of two tables, all of them open."""
    stage = StageFactory.create(system=Stage.System.MANUAL)
    pairs = EntryFactory.create_batch(4, tournament=stage.tournament)
    for number, meetings in enumerate(((0, 1, 2, 3), (0, 2, 1, 3)), start=1):
        pairing_round = PairingRoundFactory.create(stage=stage, number=number)
        for at in (0, 2):
            sides = [pairs[meetings[at]], pairs[meetings[at + 1]]]
            MatchFactory.create(pairing_round=pairing_round, entries=sides)
    return stage


def tables(stage: Stage, number: int) -> list[Match]:
    found = Match.objects.filter(pairing_round__stage=stage, pairing_round__number=number)
    return list(found.order_by("table"))


def kept(pairing_round: PairingRound) -> Frozen:
    pairing_round.refresh_from_db()
    frozen = frozen_of(pairing_round)
    assert frozen is not None
    return frozen


def places(pairing_round: PairingRound) -> list[tuple[int, int]]:
    return [(row.entry, row.place) for row in kept(pairing_round).rows]


def test_a_finished_round_keeps_its_standings(stage, django_capture_on_commit_callbacks):
    by = stage.tournament.created_by
    first, second = stage.rounds.order_by("number")
    with django_capture_on_commit_callbacks(execute=True):
        close(tables(stage, 1)[0], by)
    first.refresh_from_db()
    assert frozen_of(first) is None
    with django_capture_on_commit_callbacks(execute=True):
        close(tables(stage, 1)[1], by, lost=150)
    assert places(first) == [(1, 1), (3, 2), (4, 3), (2, 4)]
    with django_capture_on_commit_callbacks(execute=True):
        close(tables(stage, 2)[0], by, winner="BD")
        close(tables(stage, 2)[1], by, winner="BD")
    assert places(first) == [(1, 1), (3, 2), (4, 3), (2, 4)]
    rows = list(StandingRow.objects.filter(stage=stage).order_by("order"))
    assert places(second) == [(row.entry.number, row.place) for row in rows]
    assert kept(first).corrections == ()


def test_a_correction_counts_every_later_round_anew_and_says_who_moved(
    stage, django_capture_on_commit_callbacks
):
    by = stage.tournament.created_by
    with django_capture_on_commit_callbacks(execute=True):
        for number in (1, 2):
            for match in tables(stage, number):
                close(match, by, lost=100 + 10 * match.table)
    second_before = stage.rounds.get(number=2).standings
    wrong = tables(stage, 1)[0]
    with django_capture_on_commit_callbacks(execute=True):
        results.reopen_match(wrong, by=by)
    # While the table is open nothing is counted twice.
    assert stage.rounds.get(number=1).standings["corrections"] == []
    assert stage.rounds.get(number=2).standings == second_before
    with django_capture_on_commit_callbacks(execute=True):
        close(wrong, by, lost=110, winner="BD")
    for pairing_round in stage.rounds.all():
        [(_, moves)] = kept(pairing_round).corrections
        assert FrozenMove(entry=1, before=1, after=4) in moves or pairing_round.number == 2
        assert moves


def test_the_same_results_again_change_nothing_that_is_kept(stage):
    by = stage.tournament.created_by
    for match in tables(stage, 1):
        close(match, by)
    rebuild_standings(stage)
    before = stage.rounds.get(number=1).standings
    rebuild_standings(stage)
    assert stage.rounds.get(number=1).standings == before


def test_another_chain_orders_the_stage_and_leaves_finished_rounds_as_they_were(stage):
    by = stage.tournament.created_by
    one, other = tables(stage, 1)
    close(one, by, won=201, lost=190)
    close(other, by, won=200, lost=10)
    rebuild_standings(stage)
    assert places(stage.rounds.get(number=1))[0] == (3, 1)
    change_tie_breaks(stage, ["wins", "points_for"], by=by)
    rows = StandingRow.objects.filter(stage=stage).order_by("order")
    assert [row.entry.number for row in rows] == [1, 3, 2, 4]
    assert kept(stage.rounds.get(number=1)).tie_breaks == tuple(stage.tie_breaks)
    entry = stage.tournament.log.get(act="tie_breaks_changed")
    assert entry.details["tie_breaks"] == ["wins", "points_for"]
    change_tie_breaks(stage, ["wins", "points_for"], by=by)
    assert stage.tournament.log.filter(act="tie_breaks_changed").count() == 1


@pytest.mark.parametrize("chain", [[], ["wins", "wins"], ["wins", "luck"]])
def test_a_chain_that_makes_no_sense_is_refused(stage, chain):
    with pytest.raises(draw_errors.BadStageSetting):
        change_tie_breaks(stage, chain, by=stage.tournament.created_by)


def test_only_a_director_chooses_and_only_while_the_stage_is_open(stage):
    with pytest.raises(PermissionDenied):
        change_tie_breaks(stage, ["wins"], by=UserFactory.create())
    stage.state = Stage.State.CLOSED
    stage.save()
    with pytest.raises(table_errors.StageIsClosed):
        change_tie_breaks(stage, ["wins"], by=stage.tournament.created_by)


def alone_at_table() -> Match:
    tournament = TournamentFactory.create(
        state=Tournament.State.RUNNING,
        entry_kind=Entry.Kind.SINGLE,
        profile="femundo",
        target=200,
    )
    stage = StageFactory.create(tournament=tournament, system=Stage.System.ROTATING)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


def test_situations_17_and_41_a_deduction_falls_on_the_offender_alone_in_an_individual_event():
    match = alone_at_table()
    stage = match.pairing_round.stage
    by = stage.tournament.created_by
    # A and C won 200-120; A has 80 taken off, and ties 120 with the losers: that is lost.
    results.record_result(
        match,
        seats={
            "A": SeatResult(120, 120, "loss", deducted=80),
            "C": SeatResult(200, 120, "win"),
            "B": SeatResult(120, 200, "loss"),
            "D": SeatResult(120, 200, "loss"),
        },
        by=by,
    )
    rebuild_standings(stage)
    number = {seat.seat: seat.entry.number for seat in match.seats.select_related("entry")}
    rows = {row.entry.number: row for row in StandingRow.objects.filter(stage=stage)}
    assert rows[number["C"]].place == 1
    assert rows[number["A"]].place == 2
    assert rows[number["A"]].values == {"wins": 0, "difference": 0, "points_for": 120}
    order = ordered_entries(stage, results_of(stage, rules_of(stage.tournament)))
    assert order[:2] == [number["C"], number["A"]]
    change_tie_breaks(stage, ["fewest_penalty_points", "wins", "difference"], by=by)
    last = StandingRow.objects.filter(stage=stage).order_by("-order").first()
    assert last is not None
    assert (last.entry.number, last.values["fewest_penalty_points"]) == (number["A"], 80)


def test_situation_41_a_deduction_in_a_pairs_event_is_written_at_both_seats_and_counts_once(stage):
    by = stage.tournament.created_by
    match = tables(stage, 1)[0]
    fined, whole = SeatResult(120, 120, "loss", deducted=80), SeatResult(120, 200, "loss")
    seats = {"A": fined, "C": fined, "B": whole, "D": whole}
    results.record_result(match, seats=seats, by=by)
    rebuild_standings(stage)
    change_tie_breaks(stage, ["wins", "fewest_penalty_points"], by=by)
    row = StandingRow.objects.get(stage=stage, entry__number=1)
    assert row.values == {"wins": 0, "fewest_penalty_points": 80}


def test_in_a_bracket_who_is_out_stands_below_those_still_in():
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING)
    EntryFactory.create_batch(4, tournament=tournament)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("knockout"), by=by)
    semifinals = draws.draw_round(stage, number=1, by=by)
    pairings.publish(semifinals, by=by)
    for match in semifinals.matches.all():
        close(match, by, winner="BD")
    rebuild_standings(stage)
    rows = list(StandingRow.objects.filter(stage=stage).order_by("order"))
    assert [row.place for row in rows] == [1, 1, 3, 3]
    assert [row.decided_by for row in rows] == ["", "bracket_level", "bracket", "bracket_level"]
    final = draws.draw_round(stage, number=2, by=by)
    pairings.publish(final, by=by)
    played = final.matches.get()
    close(played, by, winner="BD")
    rebuild_standings(stage)
    rows = list(StandingRow.objects.filter(stage=stage).order_by("order"))
    assert [row.place for row in rows] == [1, 2, 3, 3]
    assert rows[0].entry == played.seats.get(seat="B").entry
    final.refresh_from_db()
    assert frozen_of(final) is None


def test_a_result_taken_back_is_said_beside_the_standings_kept_and_leaves_the_ratings(
    client, stage, django_capture_on_commit_callbacks
):
    by = stage.tournament.created_by
    first = stage.rounds.get(number=1)
    with django_capture_on_commit_callbacks(execute=True):
        for match in first.matches.all():
            close(match, by)
    one = first.matches.order_by("table")[0]
    address = f"/t/{stage.tournament.slug}/standings/after/1/"
    assert RatingChange.objects.filter(match=one).exists()
    assert "was taken back" not in client.get(address).content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        results.reopen_match(one, by=by)
    assert not RatingChange.objects.filter(match=one).exists()
    assert "A result was taken back in round 1." in client.get(address).content.decode()

    with django_capture_on_commit_callbacks(execute=True):
        close(one, by)
    assert RatingChange.objects.filter(match=one).exists()
    assert "was taken back" not in client.get(address).content.decode()
