"""Results of seats, walkovers, corrections, and the standings they lead to."""

from __future__ import annotations

import pytest
from celery import current_app
from django.core.exceptions import PermissionDenied
from kombu.exceptions import OperationalError

from engine.profiles import Rules
from tests.factories import (
    ByeFactory,
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments import tasks
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import (
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.services import pairings, results
from tournaments.services.results import SeatResult
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

Outcome = MatchSeat.Outcome
CLOSED, PLAYING, WAITING = Match.State.CLOSED, Match.State.PLAYING, Match.State.WAITING


def director_of(match):
    return match.pairing_round.stage.tournament.created_by


def score(points_for, points_against, **more):
    """Return the results of a table of two pairs, seat by seat."""
    won = points_for > points_against
    first = Outcome.WIN if won else Outcome.LOSS
    second = Outcome.LOSS if won else Outcome.WIN
    ac = SeatResult(points_for, points_against, first, **more)
    bd = SeatResult(points_against, points_for, second)
    return {"A": ac, "B": bd, "C": ac, "D": bd}


def record(match, *points, **more):
    return results.record_result(match, seats=score(*points, **more), by=director_of(match))


def rows(stage):
    found = StandingRow.objects.filter(stage=stage).order_by("order")
    return [(one.place, one.entry.number, one.values, one.decided_by) for one in found]


def two_tables():
    pairing_round = PairingRoundFactory.create()
    return [MatchFactory.create(pairing_round=pairing_round) for _ in range(2)]


def test_a_result_is_written_for_each_seat_and_closes_the_match():
    match = MatchFactory.create()
    record(match, 105, 60, deducted=20, rounds_won=4)
    match.refresh_from_db()
    assert match.state == CLOSED
    assert match.closed_at is not None
    seats = match.seats.order_by("seat").values_list(
        "seat", "outcome", "points_for", "points_against", "deducted", "rounds_won"
    )
    assert list(seats) == [
        ("A", "win", 105, 60, 20, 4), ("B", "loss", 60, 105, 0, 0),
        ("C", "win", 105, 60, 20, 4), ("D", "loss", 60, 105, 0, 0),
    ]  # fmt: skip


def test_the_same_result_sent_again_changes_nothing():
    match = MatchFactory.create()
    first = record(match, 105, 60)
    assert record(match, 105, 60).closed_at == first.closed_at
    assert LogEntry.objects.filter(act="result").count() == 1


def test_another_result_of_a_closed_match_is_refused_until_the_director_reopens_it():
    match = MatchFactory.create(table=5)
    record(match, 105, 60)
    with pytest.raises(table_errors.MatchAlreadyClosed) as caught:
        record(match, 60, 105)
    assert explain(caught.value) == (
        "Table 5 is closed. The director can open it again to correct the result."
    )
    results.reopen_match(match, by=director_of(match))
    record(match, 60, 105)
    assert match.seats.get(seat="B").outcome == Outcome.WIN


def test_reopening_takes_the_result_back():
    match = MatchFactory.create()
    results.start_match(match, by=director_of(match))
    record(match, 105, 60)
    results.reopen_match(match, by=director_of(match))
    match.refresh_from_db()
    assert match.state == PLAYING
    assert match.pairing_round.state == PairingRound.State.PLAYING
    assert set(match.seats.values_list("outcome", "points_for")) == {("", None)}
    with pytest.raises(table_errors.MatchNotClosed) as caught:
        results.reopen_match(match, by=director_of(match))
    assert explain(caught.value) == (
        "Table 1 is not closed, so there is nothing to open again. Choose a table that is closed."
    )


def test_a_result_needs_exactly_the_seats_of_the_table():
    match = MatchFactory.create(table=2)
    seats = score(105, 60)
    del seats["D"]
    with pytest.raises(table_errors.WrongSeats) as caught:
        results.record_result(match, seats=seats, by=director_of(match))
    assert explain(caught.value) == (
        "A result is needed for each seat of table 2: A, B, C, D. Found: A, B, C."
    )


def test_an_outcome_nobody_knows_is_our_mistake():
    with pytest.raises(ValueError, match="draw"):
        SeatResult(1, 1, "draw")


def test_a_draft_is_not_played():
    match = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(state=PairingRound.State.DRAFT), table=3
    )
    for change in (lambda: record(match, 105, 60), lambda: start(match), lambda: absent(match)):
        with pytest.raises(table_errors.RoundNotPublished) as caught:
            change()
        assert explain(caught.value) == (
            "Pairing round 1 of Main stage has not been published, so nothing can be recorded at "
            "table 3. Publish the round first."
        )


def test_nothing_is_recorded_after_the_end():
    match = MatchFactory.create()
    Tournament.objects.update(state=Tournament.State.FINISHED)
    with pytest.raises(errors.TournamentIsFinished):
        record(match, 105, 60)


def start(match):
    return results.start_match(match, by=director_of(match))


def absent(match, *seats):
    entries = [match.seats.get(seat=seat).entry for seat in seats]
    return results.record_walkover(match, absent=entries, by=director_of(match))


def test_a_match_starts_once_and_so_does_its_round():
    one, other = two_tables()
    first = start(one)
    assert start(one).opened_at == first.opened_at
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.state, other.state) == (PLAYING, WAITING)
    assert one.pairing_round.state == PairingRound.State.PLAYING
    record(one, 105, 60)
    with pytest.raises(table_errors.MatchAlreadyClosed):
        start(one)


def test_a_round_is_finished_with_its_last_table():
    one, other = two_tables()
    states = []
    for match in (one, other):
        record(match, 105, 60)
        states.append(PairingRound.objects.get().state)
    assert states == [PairingRound.State.PLAYING, PairingRound.State.FINISHED]


def test_an_absent_side_loses_to_the_target_and_those_present_win_half_of_it():
    match = MatchFactory.create()
    absent(match, "B")
    found = match.seats.order_by("seat").values_list("outcome", "points_for", "points_against")
    assert list(found)[:2] == [("walkover_win", 50, 0), ("walkover_loss", 0, 100)]
    assert absent(match, "B").state == CLOSED
    assert LogEntry.objects.filter(act="walkover").count() == 1


def test_two_absent_sides_lose_both():
    match = MatchFactory.create()
    absent(match, "A", "B")
    assert set(match.seats.values_list("outcome", flat=True)) == {"walkover_loss"}


def test_in_elimination_the_limit_stands_against_an_absent_player():
    tournament = TournamentFactory.create(
        profile="elimination", entry_kind="single", state=Tournament.State.RUNNING
    )
    match = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage=StageFactory.create(tournament=tournament))
    )
    absent(match, "A", "B", "C")
    found = match.seats.order_by("seat").values_list("outcome", "points_for", "points_against")
    assert list(found) == [("walkover_loss", 0, 150)] * 3 + [("walkover_win", 0, 0)]


def test_a_walkover_that_cannot_be_is_refused():
    match = MatchFactory.create(table=6)
    with pytest.raises(table_errors.NobodyAbsent) as caught:
        absent(match)
    assert explain(caught.value) == (
        "Nobody was named as absent from table 6. Name who did not appear, or record the result "
        "of the match."
    )
    stranger = EntryFactory.create(name="Owls")
    names = ", ".join(match.seats.get(seat=seat).entry.name for seat in "AB")
    with pytest.raises(table_errors.NotAtTable) as other:
        results.record_walkover(match, absent=[stranger], by=director_of(match))
    assert explain(other.value) == (
        f"“Owls” does not sit at table 6. Choose one of these: {names}."
    )
    start(match)
    with pytest.raises(table_errors.PlayHasBegun) as last:
        absent(match, "A")
    assert explain(last.value) == (
        "Play has begun at table 6, so nobody there was absent from the start. Record the result "
        "of the match."
    )


def test_the_scorer_of_the_table_records_and_the_scorer_of_another_does_not():
    match = MatchFactory.create(table=3)
    tournament = match.pairing_round.stage.tournament
    here, there = (
        OfficialFactory.create(tournament=tournament, duty="scorer", table=table).user
        for table in (3, 4)
    )
    results.start_match(match, by=here)
    for somebody in (there, UserFactory.create(), OfficialFactory.create().user):
        with pytest.raises(PermissionDenied, match="Only the officials of this table"):
            results.record_result(match, seats=score(105, 60), by=somebody)
    results.record_result(match, seats=score(105, 60), by=here)


def test_only_referees_record_walkovers_and_only_directors_reopen():
    match = MatchFactory.create()
    tournament = match.pairing_round.stage.tournament
    scorer = OfficialFactory.create(tournament=tournament, duty="scorer").user
    referee = OfficialFactory.create(tournament=tournament, duty="referee").user
    with pytest.raises(PermissionDenied, match="Only a referee or director"):
        results.record_walkover(match, absent=[], by=scorer)
    record(match, 105, 60)
    with pytest.raises(PermissionDenied, match="Only a director"):
        results.reopen_match(match, by=referee)


def test_standings_follow_a_result_and_its_correction(django_capture_on_commit_callbacks):
    match = MatchFactory.create()
    stage = match.pairing_round.stage
    first, second = (match.seats.get(seat=seat).entry.number for seat in "AB")
    with django_capture_on_commit_callbacks(execute=True):
        record(match, 105, 60)
    assert rows(stage) == [
        (1, first, {"wins": 1, "difference": 45, "points_for": 105}, ""),
        (2, second, {"wins": 0, "difference": -45, "points_for": 60}, "wins"),
    ]
    with django_capture_on_commit_callbacks(execute=True):
        results.reopen_match(match, by=director_of(match))
    assert [row[:2] for row in rows(stage)] == [(1, first), (1, second)]
    with django_capture_on_commit_callbacks(execute=True):
        record(match, 60, 105)
    assert [row[1] for row in rows(stage)] == [second, first]


def test_standings_are_rebuilt_here_when_there_is_no_broker(
    monkeypatch, django_capture_on_commit_callbacks
):
    def unreachable(*args, **kwargs):
        raise OperationalError("connection refused")

    monkeypatch.setattr(current_app.tasks[results.REBUILD_STANDINGS], "apply_async", unreachable)
    match = MatchFactory.create()
    with django_capture_on_commit_callbacks(execute=True):
        record(match, 105, 60)
    assert len(rows(match.pairing_round.stage)) == 2


def test_rebuilding_again_gives_the_same_rows():
    match = MatchFactory.create()
    record(match, 105, 60)
    stage = match.pairing_round.stage
    rebuild_standings(stage)
    before = rows(stage)
    rebuild_standings(stage)
    assert rows(stage) == before


def test_the_task_of_a_stage_that_is_gone_does_nothing():
    tasks.rebuild_standings(0)
    assert not StandingRow.objects.exists()


def test_a_bye_counts_from_the_first_tile_of_its_round():
    match = MatchFactory.create()
    stage = match.pairing_round.stage
    bye = ByeFactory.create(pairing_round=match.pairing_round)
    rebuild_standings(stage)
    assert {row[2]["wins"] for row in rows(stage)} == {0}
    start(match)
    rebuild_standings(stage)
    assert rows(stage)[0] == (
        1, bye.entry.number, {"wins": 1, "difference": 50, "points_for": 100}, "",
    )  # fmt: skip
    assert StandingRow.objects.get(order=1).played == 0


def test_drafts_do_not_show_in_the_standings():
    draft = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(state=PairingRound.State.DRAFT)
    )
    stage = draft.pairing_round.stage
    rebuild_standings(stage)
    assert rows(stage) == []


def test_a_pair_that_a_ruling_sets_apart_takes_the_worse_result():
    match = MatchFactory.create()
    seats = score(105, 60)
    seats["C"] = SeatResult(65, 60, Outcome.LOSS, deducted=40)
    results.record_result(match, seats=seats, by=director_of(match))
    stage = match.pairing_round.stage
    Stage.objects.update(tie_breaks=["wins", "points_for", "fewest_penalty_points"])
    rebuild_standings(stage)
    number = match.seats.get(seat="A").entry.number
    values = {row[1]: row[2] for row in rows(stage)}
    assert values[number] == {"wins": 0, "points_for": 65, "fewest_penalty_points": 40}


def test_fewer_points_are_better_in_elimination():
    tournament = TournamentFactory.create(
        profile="elimination", entry_kind="single", state=Tournament.State.RUNNING
    )
    for _ in range(4):
        EntryFactory.create(tournament=tournament)
    by = tournament.created_by
    stage = pairings.make_manual_stage(tournament, by=by)
    assert stage.tie_breaks == ["wins", "difference", "lot"]
    table = pairings.TableData(1, (1, 2, 3, 4))
    pairing_round = pairings.publish(
        pairings.save_manual_round(stage, number=1, tables=[table], by=by), by=by
    )
    totals = {"A": 151, "B": 90, "C": 160, "D": 150}
    seats = {
        seat: SeatResult(0, total, Outcome.WIN if seat == "B" else Outcome.LOSS)
        for seat, total in totals.items()
    }
    results.record_result(pairing_round.matches.get(), seats=seats, by=by)
    rebuild_standings(stage)
    assert [(place, number, values["difference"]) for place, number, values, _ in rows(stage)] == [
        (1, 2, -90), (2, 4, -150), (3, 1, -151), (4, 3, -160),
    ]  # fmt: skip


def test_a_whole_round_robin_ends_in_full_standings(django_capture_on_commit_callbacks):
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, profile="domna")
    for _ in range(5):
        EntryFactory.create(tournament=tournament)
    by = tournament.created_by
    stage = pairings.make_round_robin(tournament, by=by)
    with django_capture_on_commit_callbacks(execute=True):
        for pairing_round in stage.rounds.order_by("number"):
            pairings.publish(pairing_round, by=by)
            for match in pairing_round.matches.all():
                first = match.seats.get(seat="A").entry.number
                second = match.seats.get(seat="B").entry.number
                # The lower number always wins.
                record(match, *((101, 40) if first < second else (40, 101)))
    assert [(row[0], row[1], row[2]["wins"]) for row in rows(stage)] == [
        (1, 1, 5), (2, 2, 4), (3, 3, 3), (4, 4, 2), (5, 5, 1),
    ]  # fmt: skip
    assert set(StandingRow.objects.values_list("played", flat=True)) == {4}


def test_a_table_with_rules_of_its_own_is_counted_by_them():
    tournament = TournamentFactory.create(
        profile="elimination", entry_kind="single", state=Tournament.State.RUNNING
    )
    match = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage=StageFactory.create(tournament=tournament)),
        rules=Rules.of("wdf").frozen_json(),
    )
    results.record_result(match, seats=score(105, 60), by=tournament.created_by)
    stage = match.pairing_round.stage
    Stage.objects.update(tie_breaks=["wins", "buchholz"])
    rebuild_standings(stage)
    # Partners at this table are no opponents: the winners met two who won nothing.
    assert [row[2] for row in rows(stage)] == [
        {"wins": 1, "buchholz": 0}, {"wins": 1, "buchholz": 0},
        {"wins": 0, "buchholz": 2}, {"wins": 0, "buchholz": 2},
    ]  # fmt: skip
