"""Says whose place a change of results moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.models import Entry, Stage, StandingRow
from tournaments.services import standings


@dataclass(frozen=True, slots=True)
class Move:
    """An entry whose place changed; 0 is no place."""

    entry: Entry
    before: int
    after: int


def places(stage: Stage) -> dict[int, int]:
    """Return the place of each entry now; a rebuild that still waits is made first."""
    standings.rebuild_standings(stage)
    return dict(StandingRow.objects.filter(stage=stage).values_list("entry", "place"))


def moves(stage: Stage, before: Mapping[int, int]) -> tuple[Move, ...]:
    """Return who stands elsewhere than `before` (place by entry), the furthest moved first."""
    after = places(stage)
    changed = [pk for pk in after.keys() | before.keys() if after.get(pk, 0) != before.get(pk, 0)]
    entries = Entry.objects.in_bulk(changed)
    found = [Move(entries[pk], before.get(pk, 0), after.get(pk, 0)) for pk in changed]
    return tuple(sorted(found, key=_furthest))


def _furthest(move: Move) -> tuple[int, int, int]:
    return -abs(move.after - move.before), move.after, move.entry.number
