"""Lets other apps follow what becomes of tables: they register, and nothing here knows them.

What the referees keep of an event stands on who sat where, which tables are closed, who did not
come. Services of the desk say which tables they changed, as the last thing of their change.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Final, TypeAlias

from django.db import transaction

from tournaments.models import Match, Tournament
from tournaments.permissions import Keeper

Follower: TypeAlias = Callable[[Tournament, "Collection[int] | None", "Keeper | None"], None]

_followers: Final[list[Follower]] = []


def follow(follower: Follower) -> None:
    """Call `follower` with an event and the keys of its tables that changed; None are all."""
    if follower not in _followers:
        _followers.append(follower)


def tables_changed(
    tournament: Tournament, matches: Collection[int] | None, *, by: Keeper | None
) -> None:
    """Have a change of these tables followed inside the change; the caller holds the event."""
    for one in _followers:
        one(tournament, matches, by)


def table_changed_after(match: Match, *, by: Keeper | None) -> None:
    """Have a change of a table followed once it is stored.

    For a caller who holds no more than the table: a follower may hold the event.
    """
    tournament = match.pairing_round.stage.tournament

    def stored() -> None:
        with transaction.atomic():
            tables_changed(tournament, [match.pk], by=by)

    # What is stored stays stored: a ledger behind is told on its page, and followed from there.
    transaction.on_commit(stored, robust=True)
