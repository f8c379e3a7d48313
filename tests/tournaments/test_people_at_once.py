"""Many players at one moment: the last place, one withdrawal, one merger."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser

from tests.factories import EntryFactory, PlayerFactory, TournamentFactory
from tests.tournaments.test_concurrency import at_once
from tournaments.models import LogEntry, Player
from tournaments.services import check_in, leaving, merging, registration
from tournaments.services.people import PlayerData

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
