"""The list of one's tables in an event of more tables than one statement can ask seats for."""

from __future__ import annotations

import pytest

from referee.queries.records import my_tables
from tests.factories import PairingRoundFactory
from tournaments.models import Entry, Match, MatchSeat, Player

pytestmark = pytest.mark.django_db

TABLES = 1_200


def test_a_director_lists_more_than_a_thousand_tables_with_their_players():
    pairing_round = PairingRoundFactory.create()
    tournament = pairing_round.stage.tournament
    entries = Entry.objects.bulk_create(
        Entry(tournament=tournament, number=n + 1, kind="pair", name=f"Pair {n}", seed=n + 1)
        for n in range(2 * TABLES)
    )
    players = Player.objects.bulk_create(
        Player(name=f"Player {n}", folded_name=f"player {n}") for n in range(4 * TABLES)
    )
    matches = Match.objects.bulk_create(
        Match(pairing_round=pairing_round, table=n + 1) for n in range(TABLES)
    )
    MatchSeat.objects.bulk_create(
        MatchSeat(
            match=match, pairing_round=pairing_round, seat="ABCD"[k],
            entry=entries[2 * n + k % 2], player=players[4 * n + k],
        )
        for n, match in enumerate(matches)
        for k in range(4)
    )  # fmt: skip
    found = my_tables(tournament.created_by, tournament)
    assert len(found) == TABLES
    assert found[-1]["names"]["D"] == f"Player {4 * TABLES - 1}"
    assert found[-1]["entries"] == [f"Pair {2 * TABLES - 2}", f"Pair {2 * TABLES - 1}"]
