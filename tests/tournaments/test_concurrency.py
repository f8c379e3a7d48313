"""Several desks at one moment: real connections, on SQLite and on PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from django.db import connections

from engine.errors import DominoError
from tests.factories import (
    ClubFactory,
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import (
    Club,
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Player,
    Rating,
    RatingChange,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.services import entries, lifecycle, pairings, results
from tournaments.services.entries import EntryRow, PlayerData
from tournaments.services.ratings import rebuild_ratings
from tournaments.services.results import SeatResult
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db(transaction=True)

RUNNING = Tournament.State.RUNNING
WON = SeatResult(105, 60, MatchSeat.Outcome.WIN)
LOST = SeatResult(60, 105, MatchSeat.Outcome.LOSS)
SCORE = {"A": WON, "B": LOST, "C": WON, "D": LOST}


def at_once(*changes: Callable[[], object]) -> list[object]:
    """Make all changes at one moment, each on a connection of its own; return what they gave.

    A refusal is an answer like any other.
    """
    ready = Barrier(len(changes))

    def make(change: Callable[[], object]) -> object:
        ready.wait()
        try:
            return change()
        except DominoError as error:
            return error.code
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(changes)) as threads:
        return list(threads.map(make, changes))


def running(entries: int = 4) -> Tournament:
    tournament = TournamentFactory.create(state=RUNNING)
    for _ in range(entries):
        EntryFactory.create(tournament=tournament)
    return tournament


def test_four_desks_asking_for_a_round_robin_get_the_same_one():
    tournament = running()
    by = tournament.created_by
    stages = at_once(*[lambda: pairings.make_round_robin(tournament, by=by)] * 4)
    assert len(set(stages)) == 1
    assert Stage.objects.count() == 1
    assert Match.objects.count() == 6
    assert LogEntry.objects.filter(act="round_robin_made").count() == 1


def test_four_desks_publishing_a_round_publish_it_once():
    tournament = running()
    by = tournament.created_by
    pairing_round = pairings.make_round_robin(tournament, by=by).rounds.get(number=1)
    at_once(*[lambda: pairings.publish(pairing_round, by=by)] * 4)
    assert PairingRound.objects.get(pk=pairing_round.pk).state == PairingRound.State.PUBLISHED
    assert LogEntry.objects.filter(act="round_published").count() == 1


def test_two_desks_seating_a_round_by_hand_leave_one_of_the_two_drafts():
    tournament = running()
    by = tournament.created_by
    stage = StageFactory.create(tournament=tournament)

    def seat(*tables: tuple[int, int]) -> Callable[[], object]:
        seated = [pairings.TableData(n, two) for n, two in enumerate(tables, start=1)]
        return lambda: pairings.save_manual_round(stage, number=1, tables=seated, by=by)

    at_once(seat((1, 2), (3, 4)), seat((1, 3), (2, 4)))
    assert PairingRound.objects.count() == 1
    assert MatchSeat.objects.count() == 8


def test_one_player_entered_from_four_desks_is_entered_once():
    tournament = TournamentFactory.create()
    by = tournament.created_by
    partners = ("Sami", "Omar", "Lina", "Mona")

    def register(partner: str) -> Callable[[], object]:
        players = [PlayerData("Rosa", club="Olive"), PlayerData(partner, club="Olive")]
        return lambda: entries.register(tournament, players=players, by=by)

    answers = at_once(*map(register, partners))
    assert answers.count("already_entered") == 3
    assert Entry.objects.count() == 1
    assert (Player.objects.count(), Club.objects.count()) == (2, 1)


def test_one_person_entering_two_tournaments_at_once_is_one_person():
    tournaments = [TournamentFactory.create() for _ in range(3)]

    def register(tournament: Tournament) -> Callable[[], object]:
        players = [PlayerData("Rosa", number="17"), PlayerData("Sami", number="18")]
        return lambda: entries.register(tournament, players=players, by=tournament.created_by)

    answers = at_once(*map(register, tournaments))
    assert all(isinstance(one, Entry) for one in answers)
    assert Player.objects.count() == 2


def test_one_list_imported_twice_at_once_enters_everybody_once():
    tournament = TournamentFactory.create()
    by = tournament.created_by
    rows: Sequence[EntryRow] = [
        EntryRow(n, (PlayerData(f"A{n}", club="Olive"), PlayerData(f"B{n}", club="Olive")))
        for n in range(1, 9)
    ]
    at_once(*[lambda: entries.import_entries(tournament, rows=rows, by=by)] * 3)
    assert Entry.objects.count() == 8
    assert Player.objects.count() == 16
    assert LogEntry.objects.filter(act="entries_imported").count() == 1


def test_one_person_without_a_number_in_two_lists_at_once_is_one_person():
    # Were the club new, its own constraint would already make all but one list start again.
    ClubFactory.create(name="Olive", country="")
    tournaments = [TournamentFactory.create() for _ in range(4)]
    rows = [
        EntryRow(n, (PlayerData(f"A{n}", club="Olive"), PlayerData(f"B{n}", club="Olive")))
        for n in range(1, 9)
    ]

    def bring_in(tournament: Tournament) -> Callable[[], object]:
        return lambda: entries.import_entries(tournament, rows=rows, by=tournament.created_by)

    at_once(*map(bring_in, tournaments))
    assert Entry.objects.count() == 32
    assert (Player.objects.count(), Club.objects.count()) == (16, 1)


def test_two_tables_closing_at_once_finish_their_round_and_both_stand():
    pairing_round = PairingRoundFactory.create()
    matches = [MatchFactory.create(pairing_round=pairing_round) for _ in range(4)]
    by = pairing_round.stage.tournament.created_by

    def close(match: Match) -> Callable[[], object]:
        return lambda: results.record_result(match, seats=SCORE, by=by)

    at_once(*map(close, matches))
    pairing_round.refresh_from_db()
    assert pairing_round.state == PairingRound.State.FINISHED
    played = StandingRow.objects.filter(stage=pairing_round.stage).values_list("played", flat=True)
    assert list(played) == [1] * 8


def test_one_result_sent_from_four_devices_is_written_once():
    match = MatchFactory.create()
    by = match.pairing_round.stage.tournament.created_by
    at_once(*[lambda: results.record_result(match, seats=SCORE, by=by)] * 4)
    assert LogEntry.objects.filter(act="result").count() == 1


def test_two_different_results_at_once_keep_the_first():
    match = MatchFactory.create()
    by = match.pairing_round.stage.tournament.created_by
    other = {"A": LOST, "B": WON, "C": LOST, "D": WON}
    answers = at_once(
        lambda: results.record_result(match, seats=SCORE, by=by),
        lambda: results.record_result(match, seats=other, by=by),
    )
    assert answers.count("match_already_closed") == 1
    outcomes = dict(match.seats.values_list("seat", "outcome"))
    assert outcomes["A"] == outcomes["C"] != outcomes["B"] == outcomes["D"]


def test_rebuilding_at_once_leaves_each_entry_one_row():
    match = MatchFactory.create()
    stage = match.pairing_round.stage
    by = stage.tournament.created_by
    results.record_result(match, seats=SCORE, by=by)
    at_once(*[lambda: rebuild_standings(stage)] * 4)
    assert sorted(StandingRow.objects.values_list("order", flat=True)) == [1, 2]


def test_ratings_rebuilt_at_once_count_each_table_once():
    match = MatchFactory.create()
    tournament = match.pairing_round.stage.tournament
    results.record_result(match, seats=SCORE, by=tournament.created_by)
    at_once(*[lambda: rebuild_ratings(tournament)] * 4)
    assert RatingChange.objects.count() == 4
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}


def test_two_desks_starting_a_tournament_start_it_once():
    tournament = running()
    Tournament.objects.update(state=Tournament.State.OPEN)
    by = tournament.created_by
    at_once(*[lambda: lifecycle.start(tournament, by=by)] * 3)
    assert LogEntry.objects.filter(act="started").count() == 1
