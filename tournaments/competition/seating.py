"""Tables for a list of meetings."""

from __future__ import annotations

from collections.abc import Iterable

from tournaments.competition.types import Contender, Pairing


def by_table(meetings: Iterable[tuple[Contender, Contender]]) -> tuple[Pairing, ...]:
    """Number the tables from the best-placed entry down; each meeting is (AC, BD)."""
    ordered = sorted(meetings, key=lambda sides: sorted(one.rank for one in sides))
    return tuple(
        Pairing(table, {"AC": (one.id,), "BD": (other.id,)})
        for table, (one, other) in enumerate(ordered, start=1)
    )
