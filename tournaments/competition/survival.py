"""Tables that send the best on: everybody plays alone, and of each table some go on.

Tables of four, the last ones of three where the number asks for it. Nobody sits at a table where
all would go on: who is left over then goes on without play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

from tournaments.competition.lots import ticket
from tournaments.competition.types import (
    Contender,
    ContenderTwice,
    SeparateBy,
    TooFewContenders,
)

LARGEST_TABLE = 4
MOST_SURVIVORS = LARGEST_TABLE - 1


@dataclass(frozen=True, slots=True)
class SurvivalRound:
    """The tables, each with its entries in seat order, and who goes on without play.

    `same_separated` counts the two at one table that have in common what is kept apart; no draw
    with these tables has fewer.
    """

    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    same_separated: int

    def json(self) -> dict[str, object]:
        return {
            "tables": [
                {"table": number, "seats": list(seats)}
                for number, seats in enumerate(self.tables, start=1)
            ],
            "byes": list(self.byes),
            "report": {"same_separated": self.same_separated},
        }


def draw(
    contenders: Iterable[Contender],
    *,
    survivors: int,
    seed: int,
    separate_by: SeparateBy | None = None,
) -> SurvivalRound:
    """Return the tables by lot, with entries of one club or country as far apart as can be.

    Raises TooFewContenders when all would go on, and ContenderTwice.
    """
    by_lot = sorted(contenders, key=lambda one: ticket(one.id, seed))
    for one, other in pairwise(by_lot):
        if one.id == other.id:
            raise ContenderTwice(entry=one.id)
    sizes = table_sizes(len(by_lot), survivors)
    # The first to rest are those who have rested least; among them the lot decides.
    resting = sorted(by_lot, key=lambda one: one.byes)[: len(by_lot) - sum(sizes)]
    seated = _neighbours([one for one in by_lot if one not in resting], separate_by)
    # Dealt round and round, those who stand together come to as many tables as there are.
    tables = tuple(seated[table :: len(sizes)] for table in range(len(sizes)))
    return SurvivalRound(
        tables=tuple(tuple(one.id for one in table) for table in tables),
        byes=tuple(one.id for one in resting),
        same_separated=sum(_same(table, separate_by) for table in tables),
    )


def table_sizes(entries: int, survivors: int) -> tuple[int, ...]:
    """Return the sizes of the fewest tables that seat most entries, the larger ones first.

    Raises TooFewContenders when no table would have more players than go on from it.
    """
    for tables in range(-(-entries // LARGEST_TABLE), 0, -1):
        seated = min(entries, tables * LARGEST_TABLE)
        smallest, larger = divmod(seated, tables)
        if smallest > survivors:
            return (smallest + 1,) * larger + (smallest,) * (tables - larger)
    raise TooFewContenders(needed=survivors + 1, found=entries)


def _neighbours(
    by_lot: Sequence[Contender], separate_by: SeparateBy | None
) -> tuple[Contender, ...]:
    """Return the entries with those of one club or country beside each other, else by lot."""
    if separate_by is None:
        return tuple(by_lot)
    first_of: dict[str, int] = {}
    for place, one in enumerate(by_lot):
        first_of.setdefault(separate_by.of(one) or one.id, place)
    return tuple(sorted(by_lot, key=lambda one: first_of[separate_by.of(one) or one.id]))


def _same(table: Iterable[Contender], separate_by: SeparateBy | None) -> int:
    """Return how many twos at a table have in common what is kept apart."""
    if separate_by is None:
        return 0
    found = Counter(separate_by.of(one) for one in table if separate_by.of(one))
    return sum(count * (count - 1) // 2 for count in found.values())
