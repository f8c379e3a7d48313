"""Many players at one moment: the last place, one withdrawal, one merger."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.factories import EntryFactory, PlayerFactory, TournamentFactory
from tests.tournaments.test_concurrency import at_once
from tests.tournaments.test_services_draws import event
from tournaments.errors import entries as entry_errors
from tournaments.models import Bye, Entry, LogEntry, Player
from tournaments.services import (
    attendance,
    check_in,
    draws,
    leaving,
    merging,
    registration,
    stages,
    substitutes,
)
from tournaments.services.byes import give_bye
from tournaments.services.people import PlayerData
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db(transaction=True)


def test_of_four_who_want_the_last_place_one_gets_it():
    tournament = TournamentFactory.create(most_entries=2)
    EntryFactory.create(tournament=tournament)

    def enter(n: int) -> str:
        players = (PlayerData(f"Player {n} A"), PlayerData(f"Player {n} B"))
        made = registration.enter_oneself(tournament, players=players, by=AnonymousUser())
        return made.state

    states = at_once(*[lambda n=n: enter(n) for n in range(4)])
    assert sorted(map(str, states)) == ["registered", "waiting", "waiting", "waiting"]
    assert tournament.entries.values("number").distinct().count() == 5


def test_two_withdrawals_at_one_moment_move_two_up():
    tournament = TournamentFactory.create(most_entries=2)
    first, second = EntryFactory.create_batch(2, tournament=tournament)
    EntryFactory.create_batch(3, tournament=tournament, state="waiting")
    by = tournament.created_by
    at_once(lambda: leaving.withdraw(first, by=by), lambda: leaving.withdraw(second, by=by))
    registered = tournament.entries.filter(state="registered").order_by("number")
    assert [one.number for one in registered] == [3, 4]


def test_two_desks_that_withdraw_the_absent_do_it_once():
    tournament = TournamentFactory.create()
    EntryFactory.create_batch(3, tournament=tournament)
    by = tournament.created_by
    at_once(*[lambda: check_in.withdraw_absent(tournament, typed=3, by=by)] * 2)
    assert LogEntry.objects.filter(act="entries_withdrawn").count() == 1
    assert tournament.entries.filter(state="withdrawn").count() == 3


def test_one_person_is_made_of_two_once():
    entry = EntryFactory.create()
    keep = entry.members.get(position=1).player
    gone = PlayerFactory.create(name="Rosa Hadad")
    by = entry.tournament.created_by
    merged = at_once(
        *[lambda: merging.merge_players(entry.tournament, keep=keep, gone=gone, by=by)] * 2
    )
    assert merged == [keep, keep]
    assert not Player.objects.filter(pk=gone.pk).exists()


def test_of_two_who_want_the_place_of_the_bye_one_gets_it():
    tournament = event(5)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("round_robin"), by=by)
    draws.draw_round(stage, number=1, by=by)
    newcomers = EntryFactory.create_batch(2, tournament=tournament)

    def join(entry: Entry) -> str:
        try:
            attendance.join_stage(stage, entry=entry, by=by)
        except entry_errors.NobodyRests as refused:
            return refused.code
        return "joined"

    said = at_once(*[lambda one=one: join(one) for one in newcomers])
    assert set(said) == {"joined", "nobody_rests"}
    assert stage.stage_entries.count() == 6
    assert not Bye.objects.exists()
    assert {one.matches.count() for one in stage.rounds.all()} == {3}


def test_two_desks_that_give_the_same_bye_give_one():
    tournament = event(8)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=5), by=by)
    entry = tournament.entries.get(number=3)
    at_once(*[lambda: give_bye(stage, number=1, entry=entry, worth="half", by=by)] * 2)
    assert [(one.entry, one.worth) for one in Bye.objects.all()] == [(entry, "half")]
    assert LogEntry.objects.filter(act="bye_asked").count() == 1


def test_a_bench_with_one_place_left_takes_one_of_two_at_one_moment():
    tournament = TournamentFactory.create(policies={"most_substitutes": 1})
    entry = EntryFactory.create(tournament=tournament)
    by = tournament.created_by

    def add(name: str) -> str:
        try:
            substitutes.add_substitute(entry, written=PlayerData(name), by=by)
        except entry_errors.BenchIsFull as refused:
            return refused.code
        return "added"

    said = at_once(lambda: add("Lina Aziz"), lambda: add("Omar Said"))
    assert set(said) == {"added", "bench_is_full"}
    assert entry.members.filter(on_bench=True).count() == 1
