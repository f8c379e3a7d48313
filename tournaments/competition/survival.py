"""Tables that send the best on: everybody plays alone, and of each table some go on.

Tables of four, the last ones of three where the number asks for it. Nobody sits at a table where
all would go on: who is left over then goes on without play.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise, product

from tournaments.competition.lots import ticket
from tournaments.competition.rotation import ForbiddenTable
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

    `same_separated` counts the two at one table that have in common what is kept apart; where
    nothing is forbidden, no draw with these tables has fewer.
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


def staying(
    totals: Mapping[str, int], *, limit: int, survivors: int, one_more: bool
) -> frozenset[str] | None:
    """Return the seats that go on from a table, by the points against each at its end.

    Whoever reached the `limit` is out, also where two reach it at once and fewer than `survivors`
    are left; where all did, the lowest total stays. With `one_more` those who reached it at once
    have played one more round, and the places left go to the lowest totals. A table the bell ended
    before sends its `survivors` lowest on. None where those who would share the last place are
    level, so that another round has to be played.
    """
    below = frozenset(seat for seat, total in totals.items() if total < limit)
    if 0 < len(below) <= survivors and not (one_more and len(below) < survivors):
        return below
    places = survivors if below or one_more else 1
    last = sorted(totals.values())[places - 1]
    found = frozenset(seat for seat, total in totals.items() if total <= last)
    # Where all reached the limit, equal lowest totals stay as long as the table has the places.
    return found if len(found) <= (places if below or one_more else survivors) else None


def draw(
    contenders: Iterable[Contender],
    *,
    survivors: int,
    seed: int,
    separate_by: SeparateBy | None = None,
    forbidden: Iterable[tuple[str, str]] = (),
) -> SurvivalRound:
    """Return the tables by lot, with entries of one club or country as far apart as can be.

    Two that must not meet change places until none of them share a table. Raises ForbiddenTable
    when no exchange helps, TooFewContenders when all would go on, and ContenderTwice.
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
    tables = [list(seated[table :: len(sizes)]) for table in range(len(sizes))]
    _keep_apart(tables, frozenset(frozenset(pair) for pair in forbidden), separate_by)
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


def _keep_apart(
    tables: Sequence[list[Contender]],
    forbidden: frozenset[frozenset[str]],
    separate_by: SeparateBy | None,
) -> None:
    """Exchange places, each time the two that help most, until nobody meets who must not.

    What `separate_by` keeps apart gives way to what is forbidden, as little as it can.
    """
    while wrong := next((one for one in tables if _forbidden_at(one, forbidden)), None):
        best: tuple[int, int] = (0, 0)
        exchange: tuple[list[Contender], int, int] | None = None
        for other in tables:
            if other is wrong:
                continue
            before = _cost((wrong, other), forbidden, separate_by)
            for here, there in product(range(len(wrong)), range(len(other))):
                _exchange(wrong, here, other, there)
                met, same = _cost((wrong, other), forbidden, separate_by)
                _exchange(wrong, here, other, there)
                gain = (met - before[0], same - before[1])
                if gain[0] < 0 and gain < best:
                    best, exchange = gain, (other, here, there)
        if exchange is None:
            raise ForbiddenTable(entries=_named(wrong, forbidden))
        _exchange(wrong, exchange[1], exchange[0], exchange[2])


def _exchange(one: list[Contender], here: int, other: list[Contender], there: int) -> None:
    one[here], other[there] = other[there], one[here]


def _cost(
    tables: Iterable[Sequence[Contender]],
    forbidden: frozenset[frozenset[str]],
    separate_by: SeparateBy | None,
) -> tuple[int, int]:
    """Return how many twos must not meet, and how many would rather not."""
    listed = list(tables)
    met = sum(_forbidden_at(table, forbidden) for table in listed)
    return met, sum(_same(table, separate_by) for table in listed)


def _forbidden_at(table: Sequence[Contender], forbidden: frozenset[frozenset[str]]) -> int:
    if not forbidden:
        return 0
    return sum(frozenset((one.id, two.id)) in forbidden for one, two in combinations(table, 2))


def _named(table: Sequence[Contender], forbidden: frozenset[frozenset[str]]) -> str:
    """Return those at a table who sit with somebody forbidden."""
    at = {one.id for one in table}
    wrong = {entry for pair in forbidden if pair <= at for entry in pair}
    return ", ".join(one.id for one in table if one.id in wrong)


def _same(table: Iterable[Contender], separate_by: SeparateBy | None) -> int:
    """Return how many twos at a table have in common what is kept apart."""
    if separate_by is None:
        return 0
    found = Counter(separate_by.of(one) for one in table if separate_by.of(one))
    return sum(count * (count - 1) // 2 for count in found.values())
