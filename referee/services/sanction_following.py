"""Lets the ledger of cards follow what becomes of tables and of their records."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Q

from referee.models import Sanction
from referee.sanction_sources import absences
from referee.services.sanctions import synchronise
from tournaments.models import LONG_IN_ROUND, Match, Tournament
from tournaments.permissions import Keeper
from tournaments.services import followers


def follow_tables(
    tournament: Tournament, matches: Collection[int] | None, by: Keeper | None
) -> None:
    """Bring the ledger in step with tables that changed, as `followers` calls it."""
    if matches is None or _concern(tournament, matches):
        synchronise(tournament, matches=matches, by=by)


def follow_record(match: int, *, by: Keeper) -> None:
    """Have the ledger follow a ruling in a record that was closed before and is opened again.

    A table that has never been closed is not on the ledger yet.
    """
    known = Sanction.objects.filter(match=match, source=Sanction.Source.RECORD)
    known = known.select_related("match__pairing_round__stage__tournament")
    if (row := known.defer(*(f"match__{one}" for one in LONG_IN_ROUND)).first()) and row.match:
        followers.table_changed_after(row.match, by=by)


def _concern(tournament: Tournament, matches: Collection[int]) -> bool:
    """Say whether tables may have anything to do with the ledger; most have not."""
    infractions = Q(records__events__notation__contains="!") | Q(sanctions__isnull=False)
    if Match.objects.filter(infractions, pk__in=matches).exists():
        return True
    return absences(tournament).filter(details__match__in=list(matches)).exists()
