"""Proves a Swiss draw the best of all there are, by a price for every entry; finds what is better.

Everybody gets a price. A meeting is looked at only if it costs less than the prices of both
together; who is not seated pays his price. What the cheapest seating of this kind costs, no draw
costs less: it would do without the tables that are not looked at, at no more. Whatever the prices
are, that is true; good prices make it what the draw costs, and leave few meetings to look at.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from dataclasses import field as part
from itertools import pairwise

from tournaments.competition.matching import Edge, cheapest, dearest
from tournaments.competition.swiss_bound import gap_of, share
from tournaments.competition.swiss_far import Kin, edge, is_crowded
from tournaments.competition.swiss_field import Costs, Field, Order, priced

# Up to so many entries a price is looked for; every meeting is looked at for it.
PRICED_UP_TO = 1500
# How often prices may lead to a better draw, how often they are brought in line with meetings that
# cost less, and with how many of them for a table.
DRAWS = 3
TURNS = 6
MORE = 20
# How often prices are brought in line with one another.
SWEEPS = 12
# By how much prices are raised at first and from proof to proof; up to so many meetings for an
# entry are looked at in a proof.
FIRST_RAISE = 4
RAISED = 4
RAISES = 10
MOST_MEETINGS = 160


@dataclass(frozen=True, slots=True)
class Proved:
    """A draw, and by how much at most its first line that is not proved could be better."""

    pairs: Sequence[Edge]
    costs: Costs
    gap: float


def proved(field: Field, pairs: Sequence[Edge]) -> Proved:
    """Return this draw, or one better than it where that was found, and how good it is at least.

    Where club-mates stand in one place the bounds of blocks prove nothing and are not asked first.
    """
    costs = field.costs(pairs)
    priceable = not costs.rematches and len(field.entries) <= PRICED_UP_TO
    if not (priceable and is_crowded(field)):
        gap = gap_of(field, pairs, costs)
        if gap == 0.0 or not priceable:
            return Proved(pairs, costs, gap)
    lines = _Lines(field)
    for _ in range(DRAWS):
        better, least = _prices(lines, pairs).best()
        if not better or lines.sum(better) >= lines.sum(pairs):
            break
        pairs = better
        if least >= lines.sum(pairs):
            break
    costs = field.costs(pairs)
    before = lines.sum(pairs) - 2 * costs.order
    if least >= before:
        return Proved(pairs, costs, share(2 * costs.order, least - before))
    return Proved(pairs, costs, gap_of(field, pairs, costs))


def _prices(lines: _Lines, pairs: Sequence[Edge]) -> _Prices:
    """Return prices for which this draw is as good as any, as far as such are found."""
    kin = Kin(lines.field, range(len(lines.field.entries)))
    edges = kin.neighbours() | kin.around(_mates(pairs))
    for _ in range(TURNS):
        prices = _Prices.of(lines, pairs, edges)
        missing = prices.missing(edges)
        if not missing:
            break
        edges.update(missing[: MORE * len(pairs)])
    return prices


def _mates(pairs: Sequence[Edge]) -> dict[int, int]:
    return dict(pairs) | {other: one for one, other in pairs}


class _Lines:
    """Twice what each meeting costs, all lines in one number; rematches are left out.

    `groups` are those of equal wins. Where the entries down to the end of a group are odd in
    number, one at least of every draw crosses that border.
    """

    def __init__(self, field: Field) -> None:
        self.field = field
        size = len(field.entries)
        self.starts = [group.start for group in field.groups]
        self.group = [bisect_right(self.starts, place) - 1 for place in range(size)]
        order = [self._order(one) for one in range(size)]
        self._same = size // 2 * max(map(max, order[:-1]), default=0) + 1
        self._gap = self._same * (size // 2 + 1)
        # What each entry's meetings with those after it cost, None where they may not meet.
        self.rows = [self._row(one, order[one]) for one in range(size)]

    def _order(self, one: int) -> list[int]:
        field, after = self.field, range(one + 1, len(self.field.entries))
        if field.rules.order is Order.NEAREST:
            rank = field.ranks[one]
            return [(rank - other) ** 2 for other in field.ranks[one + 1 :]]
        return [field.order_cost(one, other) for other in after]

    def _row(self, one: int, order: Sequence[int]) -> list[int | None]:
        field, same, gap = self.field, 2 * self._same, 2 * self._gap
        wins, club = field.wins[one], field.separated[one]
        row: list[int | None] = [
            2 * far + gap * (wins - won) ** 2 + (same if club == its else 0)
            for far, won, its in zip(
                order, field.wins[one + 1 :], field.separated[one + 1 :], strict=True
            )
        ]
        for other in field.met[one] | field.barred[one]:
            if other > one:
                row[other - one - 1] = None
        return row

    def cost(self, one: int, other: int) -> int | None:
        one, other = edge(one, other)
        return self.rows[one][other - one - 1]

    def apart(self, mates: Mapping[int, int]) -> set[int]:
        """Return whose tables are dear, so that they say nothing about the others of a group.

        They cross a border, or are of one club that is not more than half of their group.
        """
        field, group = self.field, self.group
        clubs = Counter(zip(group, field.separated, strict=True))
        return {
            one
            for one, other in mates.items()
            if group[one] != group[other]
            or (
                field.same_separated(one, other)
                and 2 * clubs[group[one], field.separated[one]] <= field.groups[group[one]].size
            )
        }

    def sum(self, pairs: Sequence[Edge]) -> int:
        return sum(self.cost(one, other) or 0 for one, other in pairs)


@dataclass(slots=True)
class _Prices:
    """`of` an entry, and `across` each border that at least one table crosses.

    Everything is doubled, like the costs. A table that crosses a border is cheaper by what is
    paid once for the border.
    """

    lines: _Lines
    price: list[int]
    # What is off for tables from the first group to each group.
    off: list[int] = part(default_factory=list)

    @classmethod
    def of(cls, lines: _Lines, pairs: Sequence[Edge], edges: set[Edge]) -> _Prices:
        mates = _mates(pairs)
        apart = lines.apart(mates)
        found = cls(lines, _balanced(lines, mates, edges, apart))
        found._price_apart(sorted(apart))
        found._price_borders()
        return found

    def _price_apart(self, apart: Sequence[int]) -> None:
        """Let those whose tables say nothing pay as much as meetings in their group allow."""
        waiting = set(apart)
        for one in apart:
            group = self.lines.field.groups[self.lines.group[one]]
            allowed = [
                cost - self.price[other]
                for other in range(group.start, group.end)
                if other != one and other not in waiting
                for cost in [self.lines.cost(one, other)]
                if cost is not None
            ]
            self.price[one] = min(allowed, default=0)
            waiting.remove(one)

    def _price_borders(self) -> None:
        groups = self.lines.field.groups
        self.off = [0]
        for above, below in pairwise(groups):
            off = 0
            if below.start % 2:
                left = [
                    cost - self.price[one] - self.price[other]
                    for one in range(above.start, above.end)
                    for other in range(below.start, below.end)
                    for cost in [self.lines.rows[one][other - one - 1]]
                    if cost is not None
                ]
                off = max(0, min(left, default=0))
            self.off.append(self.off[-1] + off)

    def _left(self, most: int) -> Iterator[tuple[int, int, int]]:
        """Yield the meetings that cost less than `most` more than the prices of both."""
        off = [self.off[group] for group in self.lines.group]
        # What is off between two is what is off down to the lower, less that to the upper.
        upper = [price - before for price, before in zip(self.price, off, strict=True)]
        lower = [price + before for price, before in zip(self.price, off, strict=True)]
        for one, row in enumerate(self.lines.rows):
            enough = most + upper[one]
            for other, cost in enumerate(row, start=one + 1):
                if cost is not None and cost - lower[other] < enough:
                    yield one, other, cost - lower[other] - upper[one]

    def missing(self, edges: set[Edge]) -> list[Edge]:
        """Return the other meetings that cost less than the prices of both, the cheapest first."""
        found = sorted(
            (left, one, other) for one, other, left in self._left(0) if (one, other) not in edges
        )
        return [(one, other) for _, one, other in found]

    def best(self) -> tuple[list[Edge], int]:
        """Return a draw, none where none was found, and twice what every draw costs at least."""
        size = len(self.price)
        worst = max((-left for _, _, left in self._left(0)), default=0)
        least, raised = 0, max(FIRST_RAISE, worst // 2)
        for _ in range(RAISES):
            saved = {(one, other): 2 * raised - left for one, other, left in self._left(2 * raised)}
            if len(saved) > MOST_MEETINGS * size:
                break
            matched = dearest(size, [(*two, saved[two]) for two in saved])
            bound = sum(self.price) + raised * size + self.off[-1]
            least = max(least, bound - sum(saved[two] for two in matched))
            if 2 * len(matched) == size:
                if self.lines.sum(matched) > least:
                    # It crosses a border more often than was paid for: such tables cost more.
                    prices = priced(self.lines.field, list(saved), size=size)
                    matched = cheapest(size, prices.edges)
                return matched, least
            raised *= RAISED
        return [], least


def _balanced(
    lines: _Lines, mates: Mapping[int, int], edges: set[Edge], apart: set[int]
) -> list[int]:
    """Return prices of which two are at most what a meeting costs, and at a table are that.

    It holds for the meetings `edges` inside the groups, as far as prices without more can do so:
    how much one would have to pay is the shortest way along tables and other meetings by turns.
    Who is `apart` has no price yet.
    """
    group = lines.group
    others: list[list[tuple[int, int]]] = [[] for _ in mates]
    for one, other in edges:
        cost = lines.cost(one, other)
        if cost is not None and group[one] == group[other] and not apart & {one, other}:
            others[one].append((other, cost))
            others[other].append((one, cost))
    own = [lines.cost(one, mates[one]) or 0 for one in range(len(mates))]
    most = [0] * len(mates)
    order = range(len(mates))
    for turn in range(SWEEPS):
        changed = False
        for one in reversed(order) if turn % 2 else order:
            base = most[mates[one]] - own[one]
            for other, cost in others[one]:
                if base + cost < most[other]:
                    most[other] = base + cost
                    changed = True
        if not changed:
            break
    return [
        (most[one] + own[one] - most[mates[one]]) // 2 if one not in apart else 0 for one in order
    ]
