"""What a table of four costs in a rotating round, in the order of what matters more."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from tournaments.competition.rotation_patterns import SPLITS, Shape, Three, neighbours

# One number says it all: each line weighs more than all that may stand below it together.
SEPARATE = 1
CROWDED = 1 << 14
PATTERN = 1 << 30
TIER = 1 << 76
OPPONENT = 1 << 110
PARTNER = 1 << 144
FORBIDDEN = 1 << 160

Four: TypeAlias = tuple[int, int, int, int]
# Two different players by their place.
Meetings: TypeAlias = Iterable[tuple[int, int]]
# A lower bound for what the shape costs those players, in order of their place.
Rest: TypeAlias = Callable[[Sequence[int]], int]


@dataclass(frozen=True, slots=True)
class Field:
    """The players of a round by place, 0 being the best, and what is known of them.

    `tiers` are to be alike at a table (empty if all are); `clubs` numbers what is to be kept
    apart, 0 for none (empty if nothing is).
    """

    size: int
    as_partners: Sequence[dict[int, int]]
    as_opponents: Sequence[dict[int, int]]
    near: Sequence[set[int]]
    shape: Shape
    rest: Rest = lambda _: 0
    tiers: Sequence[int] = ()
    clubs: Sequence[int] = ()

    @classmethod
    def of(
        cls,
        size: int,
        shape: Shape,
        *,
        rest: Rest = lambda _: 0,
        partnered: Meetings = (),
        met: Meetings = (),
        forbidden: Meetings = (),
        tiers: Sequence[int] = (),
        clubs: Sequence[int] = (),
    ) -> Field:
        """Take up the meetings, each two players as often as they met."""
        partners: list[dict[int, int]] = [{} for _ in range(size)]
        opponents: list[dict[int, int]] = [{} for _ in range(size)]
        for one, other in partnered:
            partners[one][other] = partners[other][one] = PARTNER
        for one, other in met:
            row = opponents[one]
            row[other] = opponents[other][one] = row.get(other, 0) + OPPONENT
        for one, other in forbidden:
            for rows in (partners, opponents):
                row = rows[one]
                row[other] = rows[other][one] = row.get(other, 0) + FORBIDDEN
        near = [set().union(*rows) for rows in zip(partners, opponents, strict=True)]
        return cls(size, partners, opponents, near, shape, rest, tiers, clubs)

    def cost(self, table: int, four: Sequence[int]) -> int:
        """Return what these four cost at a table, sitting as they best may."""
        return min(self._costs(table, four))

    def repeats(self, table: int, four: Sequence[int]) -> int:
        """Return only the repeats and what is forbidden, as multiples of one opponent."""
        return self.cost(table, four) // OPPONENT

    def least_with(self, a: int, b: int, c: int) -> int:
        """Return what these three repeat at least, whoever is the fourth."""
        of_a, of_b = self.as_opponents[a], self.as_opponents[b]
        ab, ac, bc = of_a.get(b, 0), of_a.get(c, 0), of_b.get(c, 0)
        with_a, with_b = self.as_partners[a], self.as_partners[b]
        return min(
            with_a.get(b, 0) + ac + bc,
            with_a.get(c, 0) + ab + bc,
            with_b.get(c, 0) + ab + ac,
        )

    def seats(self, table: int, four: Sequence[int]) -> Four:
        """Return the four as they best sit: the first two partners against the other two."""
        costs = self._costs(table, four)
        placed = sorted(four)
        one, two, three, last = SPLITS[costs.index(min(costs))]
        return placed[one], placed[two], placed[three], placed[last]

    def _costs(self, table: int, four: Sequence[int]) -> Three:
        a, b, c, d = sorted(four)
        one, two, three = self.shape(table, a, b, c, d)
        near = self.near
        if not (near[a].isdisjoint(four) and near[b].isdisjoint(four) and near[c].isdisjoint(four)):
            for_one, for_two, for_three = self._repeats(a, b, c, d)
            one, two, three = one + for_one, two + for_two, three + for_three
        if self.tiers:
            tiers = self.tiers
            apart = TIER * neighbours((tiers[a], tiers[b], tiers[c], tiers[d]))
            one, two, three = one + apart, two + apart, three + apart
        clubs = self.clubs
        if clubs and len({clubs[a], clubs[b], clubs[c], clubs[d]}) < 4:
            for_one, for_two, for_three = self._together(a, b, c, d)
            one, two, three = one + for_one, two + for_two, three + for_three
        return one, two, three

    def _repeats(self, a: int, b: int, c: int, d: int) -> Three:
        of_a, of_b, of_c = self.as_opponents[a], self.as_opponents[b], self.as_opponents[c]
        ab, ac, ad = of_a.get(b, 0), of_a.get(c, 0), of_a.get(d, 0)
        bc, bd, cd = of_b.get(c, 0), of_b.get(d, 0), of_c.get(d, 0)
        with_a, with_b, with_c = self.as_partners[a], self.as_partners[b], self.as_partners[c]
        return (
            ab + ac + bd + cd + with_a.get(d, 0) + with_b.get(c, 0),
            ab + ad + bc + cd + with_a.get(c, 0) + with_b.get(d, 0),
            ac + ad + bc + bd + with_a.get(b, 0) + with_c.get(d, 0),
        )

    def _together(self, a: int, b: int, c: int, d: int) -> Three:
        """Return the cost of club-mates: more than two at the table, then as opponents."""
        clubs = self.clubs
        one, two, three, four = clubs[a], clubs[b], clubs[c], clubs[d]
        ab, ac, ad = one == two > 0, one == three > 0, one == four > 0
        bc, bd, cd = two == three > 0, two == four > 0, three == four > 0
        pairs = ab + ac + ad + bc + bd + cd
        if not pairs:
            return 0, 0, 0
        # Two of one club and two of another are two pairs, three of one are three, four six.
        crowded = CROWDED * (2 if pairs == 6 else pairs // 3)
        return (
            crowded + SEPARATE * (pairs > ad + bc),
            crowded + SEPARATE * (pairs > ac + bd),
            crowded + SEPARATE * (pairs > ab + cd),
        )
