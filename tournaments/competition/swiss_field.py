"""The field of a Swiss round, and what each meeting costs on each line of the law."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby

from tournaments.competition.lots import ticket
from tournaments.competition.matching import Edge, PricedEdge, bits_for
from tournaments.competition.types import Contender, SeparateBy

# Bits of the lot that decides between draws which are equal on every line, and what is kept for
# lot and order together.
LOT_BITS = 32
LEAST_LOT_BITS = 12
LEAST_BITS = 20


class Order(StrEnum):
    """Who meets whom among the draws that are best on everything else."""

    NEAREST = "nearest"
    FOLD = "fold"
    DRAW = "draw"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """What the organizer chose for the round. The lot is drawn from `seed` and `round`."""

    order: Order = Order.NEAREST
    separate_by: SeparateBy | None = None
    seed: int = 0
    round: int = 1


@dataclass(frozen=True, slots=True)
class Costs:
    """What a draw costs, in the order the law counts it."""

    rematches: int
    win_gap: int
    same_separated: int
    order: int

    @property
    def before_order(self) -> tuple[int, int, int]:
        return self.rematches, self.win_gap, self.same_separated

    @property
    def by_line(self) -> tuple[int, ...]:
        return *self.before_order, self.order


@dataclass(frozen=True, slots=True)
class Group:
    """Entries of equal wins, by place, and where it is split for a `fold`.

    With an odd number of entries above it, its first is expected to meet one of those; where
    that leaves an odd number, its last is expected to meet the first of the group below. The
    others are split in halves.
    """

    start: int
    size: int

    @property
    def end(self) -> int:
        return self.start + self.size

    @property
    def first(self) -> int:
        return self.start + self.start % 2

    @property
    def half(self) -> int:
        return (self.end - self.first) // 2


class Field:
    """The entries by place: most wins first, then the better rank (`draw`: then the lot).

    Everything in here is by place, so the order in which a request lists its entries is lost.
    `met` and `barred` are the places each entry has met, and those it must not meet.
    """

    def __init__(
        self,
        contenders: Sequence[Contender],
        met: Iterable[tuple[str, str]],
        barred: Iterable[tuple[str, str]],
        rules: Rules,
    ) -> None:
        self.rules = rules
        drawn = {one.id: ticket(one.id, rules.seed, rules.round) for one in contenders}
        by_lot = rules.order is Order.DRAW
        self.entries: Sequence[Contender] = sorted(
            contenders,
            key=lambda one: (-one.wins, drawn[one.id] if by_lot else (b"", ""), one.rank),
        )
        self.wins = [one.wins for one in self.entries]
        self.ranks = [one.rank for one in self.entries]
        # Odd, so that a product of two keeps every bit of either.
        self.lots = [int.from_bytes(drawn[one.id][0][:8], "big") | 1 for one in self.entries]
        self.separated = self._separated()
        place = {one.id: n for n, one in enumerate(self.entries)}
        self.met = _linked(place, met)
        self.barred = _linked(place, barred)
        self.groups = self._groups()
        self._group_of = [n for n, group in enumerate(self.groups) for _ in range(group.size)]

    def _separated(self) -> list[int]:
        """Return a number for each club or country, its own for who has none."""
        rules = self.rules
        numbers: dict[str, int] = {}
        found = []
        for n, one in enumerate(self.entries):
            name = "" if rules.separate_by is None else rules.separate_by.of(one)
            found.append(numbers.setdefault(name, len(numbers)) if name else -1 - n)
        return found

    def _groups(self) -> list[Group]:
        found = []
        start = 0
        for _, members in groupby(self.wins):
            found.append(Group(start, sum(1 for _ in members)))
            start = found[-1].end
        return found

    def alone(self) -> list[int]:
        """Return who must not meet anybody."""
        return [n for n, barred in enumerate(self.barred) if len(barred) == len(self.entries) - 1]

    def without(self, place: int) -> Field:
        """Return the field with one entry less, the one that has the bye."""
        rest = [one for n, one in enumerate(self.entries) if n != place]
        return Field(rest, self._named(self.met), self._named(self.barred), self.rules)

    def _named(self, linked: Sequence[Collection[int]]) -> list[tuple[str, str]]:
        return [
            (self.entries[one].id, self.entries[other].id)
            for one, others in enumerate(linked)
            for other in others
            if one < other
        ]

    def order_cost(self, one: int, other: int) -> int:
        """Return how far two entries are from what the wanted order gives them.

        `nearest`: (difference of rank) squared. `fold`: within a group of equal wins
        (difference of place − half the group) squared, and the size of the group squared as well
        where both are of the same half; across groups, where neighbours at the border should
        meet, (entries between them) squared. `draw`: nothing, the lot alone decides.
        """
        match self.rules.order:
            case Order.NEAREST:
                apart = self.ranks[one] - self.ranks[other]
                return apart * apart
            case Order.FOLD:
                apart = abs(one - other)
                group = self.groups[self._group_of[one]]
                if self._group_of[one] != self._group_of[other]:
                    return (apart - 1) ** 2
                split = group.first + group.half
                one_half = (one < split) == (other < split)
                return (apart - group.half) ** 2 + (group.size**2 if one_half else 0)
            case Order.DRAW:
                return 0

    def same_separated(self, one: int, other: int) -> bool:
        return self.separated[one] == self.separated[other]

    def lot(self, one: int, other: int) -> int:
        """Return the lot of a meeting, 64 bits."""
        return (self.lots[one] * self.lots[other] >> 32) & ((1 << 64) - 1)

    def costs(self, pairs: Iterable[Edge]) -> Costs:
        """Return what a draw costs."""
        listed = list(pairs)
        return Costs(
            rematches=sum(other in self.met[one] for one, other in listed),
            win_gap=sum((self.wins[one] - self.wins[other]) ** 2 for one, other in listed),
            same_separated=sum(self.same_separated(one, other) for one, other in listed),
            order=sum(self.order_cost(one, other) for one, other in listed),
        )


def _linked(place: dict[str, int], pairs: Iterable[tuple[str, str]]) -> list[set[int]]:
    """Return the places each place is linked to; who is not in the field is left out."""
    found: list[set[int]] = [set() for _ in place]
    for one, other in pairs:
        if one in place and other in place:
            found[place[one]].add(place[other])
            found[place[other]].add(place[one])
    return found


@dataclass(frozen=True, slots=True)
class Prices:
    """Meetings, each with one number that holds its cost on every line.

    One more on a line costs more than all that a draw can cost on the lines after it, so the
    least sum is the draw that is best line by line. `whole` tells whether everything was counted
    to the unit. Where ranks are out of all proportion the last bits of the order are left off;
    those of the wins only with more entries than are drawn exactly.
    """

    edges: list[PricedEdge]
    whole: bool


def priced(field: Field, edges: Sequence[Edge], *, size: int) -> Prices:
    """Return the cost of each meeting in a graph of `size` entries, the lot the last to count."""
    tables = max(1, size // 2)
    met, wins, separated = field.met, field.wins, field.separated
    rematches = [other in met[one] for one, other in edges]
    gaps = [(wins[one] - wins[other]) ** 2 for one, other in edges]
    same = [separated[one] == separated[other] for one, other in edges]
    order = [field.order_cost(one, other) for one, other in edges]
    same_base = tables + 1
    room = bits_for(size) - (2 * same_base).bit_length() - tables.bit_length()
    gap_base, gap_shift = _fitted(tables * max(gaps, default=0), room - LEAST_BITS)
    room -= gap_base.bit_length()
    order_base, order_shift = _fitted(tables * max(order, default=0), room - LEAST_LOT_BITS)
    lot_bits = min(LOT_BITS, room - order_base.bit_length())
    lot_base = tables << lot_bits
    cut = 64 - lot_bits
    return Prices(
        edges=[
            (
                *edge,
                (
                    ((rematch * gap_base + (gap >> gap_shift)) * same_base + same_one) * order_base
                    + (far >> order_shift)
                )
                * lot_base
                + (field.lot(*edge) >> cut),
            )
            for edge, rematch, gap, same_one, far in zip(
                edges, rematches, gaps, same, order, strict=True
            )
        ],
        whole=gap_shift == order_shift == 0,
    )


def _fitted(most: int, bits: int) -> tuple[int, int]:
    """Return a number above `most` of at most so many bits, and the last bits left off for it."""
    shift = max(0, most.bit_length() + 1 - bits)
    return (most >> shift) + 1, shift
