"""Who is called to a table: from the tables a page shows already, or from the whole event."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby

from django.db.models import QuerySet
from django.utils.translation import gettext

from tournaments.digits import local_digits
from tournaments.direction import isolated
from tournaments.errors.base import listed
from tournaments.models import Entry, Match, MatchSeat, PairingRound, Tournament
from tournaments.queries.events import TableLine


@dataclass(frozen=True, slots=True)
class CalledTable:
    """A table that waits for players who were called to it, and since when the first one was."""

    match: Match
    seats: tuple[MatchSeat, ...]

    @property
    def called_at(self) -> datetime:
        return min(seat.called_at for seat in self.seats if seat.called_at is not None)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.player.name for seat in self.seats)

    @property
    def sentence(self) -> str:
        """Who is to come to which table, in one sentence."""
        names = listed([isolated(one) for one in self.names])
        said = gettext("Please come to table %(table)s: %(players)s.")
        return said % {"table": local_digits(self.match.table), "players": names}


def called_at_tables(tables: Iterable[TableLine]) -> tuple[CalledTable, ...]:
    """Return the calls among tables that were read already."""
    found = []
    for table in tables:
        if table.match.state != Match.State.WAITING:
            continue
        seats = tuple(
            seat for side in table.sides for seat in side.seats if seat.called_at is not None
        )
        if seats:
            found.append(CalledTable(table.match, seats))
    return tuple(found)


def called_in(tournament: Tournament) -> tuple[CalledTable, ...]:
    """Return the calls of an event, the longest waiting first. Drafts are not among them."""
    return _among(MatchSeat.objects.filter(pairing_round__stage__tournament=tournament))


def called_for(entry: Entry) -> tuple[CalledTable, ...]:
    """Return to which tables players of an entry are called."""
    return _among(MatchSeat.objects.filter(entry=entry))


def _among(seats: QuerySet[MatchSeat]) -> tuple[CalledTable, ...]:
    found = (
        seats.filter(called_at__isnull=False, match__state=Match.State.WAITING)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("match", "player")
        .order_by("match_id", "seat")
    )
    tables = [
        CalledTable(some[0].match, some)
        for _, of_table in groupby(found, key=lambda seat: seat.match_id)
        if (some := tuple(of_table))
    ]
    return tuple(sorted(tables, key=lambda one: (one.called_at, one.match.table)))
