"""A Swiss draw of many entries: blocks of neighbours, again across the cuts until nothing gains."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from tournaments.competition.matching import Edge, PricedEdge, cheapest
from tournaments.competition.swiss_field import Field, Order, priced

# Measured: 12 neighbours and blocks of 256 are as good as the whole graph, also where three
# clubs hold 80 % of the field; blocks of 128 are not.
NEIGHBOURS = 16
BLOCK = 256
PASSES = 8
# Who found nobody looks at this many entries, then at four times as many, and so on.
FIRST_REACH = 32
# Up to so many entries every meeting is looked at, above only those of neighbours.
ALL_MEETINGS_UP_TO = 1000


def draw_in_blocks(field: Field) -> list[Edge] | None:
    """Return the tables as places, or None when no draw without a forbidden meeting was found."""
    draft = Draft.of_neighbours(field)
    draft.improve()
    if draft.all_sit:
        return draft.pairs()
    for rematches in (False, True):
        if draft.seat_the_rest(rematches=rematches):
            draft.improve()
            return draft.pairs()
    return None


def line(field: Field) -> list[int]:
    """Return the places in an order in which those who should meet stand side by side.

    For `fold` the halves of each group are dealt in turn, between those who are expected to
    meet one of another group.
    """
    if field.rules.order is not Order.FOLD:
        return list(range(len(field.entries)))
    found: list[int] = []
    for group in field.groups:
        found += range(group.start, group.first)
        for place in range(group.first, group.first + group.half):
            found += (place, place + group.half)
        found += range(group.first + 2 * group.half, group.end)
    return found


class Draft:
    """A draw that is getting better; `mate` is -1 for those who have nobody yet.

    The entries of `places` are drawn, by the meetings `edges`, in blocks of their order; so far
    they have the opponents `mates`.
    """

    def __init__(
        self,
        field: Field,
        places: Sequence[int],
        edges: Sequence[Edge],
        mates: Mapping[int, int],
    ) -> None:
        self.field = field
        self.line = places
        self.mate = [mates.get(place, -1) for place in range(len(field.entries))]
        self.ahead: list[list[tuple[int, int]]] = [[] for _ in self.mate]
        for one, other, cost in priced(field, edges, size=BLOCK).edges:
            self.ahead[one].append((other, cost))
        self.candidates = set(edges)

    @classmethod
    def of_neighbours(cls, field: Field) -> Draft:
        """Return a draft in which those can meet who are close on the line."""
        places = line(field)
        edges = [
            (min(one, other), max(one, other))
            for n, one in enumerate(places)
            for other in places[n + 1 : n + 1 + NEIGHBOURS]
            if other not in field.barred[one] and other not in field.met[one]
        ]
        return cls(field, places, edges, {})

    @property
    def all_sit(self) -> bool:
        return -1 not in self.mate

    def pairs(self) -> list[Edge]:
        return [(one, other) for one, other in enumerate(self.mate) if one < other]

    def improve(self) -> None:
        """Solve block after block, the cuts in other places every time, until nothing gains."""
        solved: dict[int, dict[int, int]] = {}
        for turn in range(PASSES):
            gained = False
            for start in range(-(BLOCK // 2) * (turn % 2), len(self.line), BLOCK):
                places = self._movable(self.line[max(0, start) : start + BLOCK])
                # Tables that were the best with others around them are the best without.
                before = solved.get(start, {})
                if any(self.mate[one] < 0 or before.get(one) != self.mate[one] for one in places):
                    gained |= self._solve(places)
                    solved[start] = {one: self.mate[one] for one in places}
            if not gained and turn:
                break

    def _movable(self, block: Sequence[int]) -> list[int]:
        """Return who sits with somebody of the block, or with nobody, as their draft stands."""
        inside = set(block)
        return [
            one
            for one in block
            if self.mate[one] < 0
            or (self.mate[one] in inside and self._edge(one, self.mate[one]) in self.candidates)
        ]

    def _solve(self, places: Sequence[int]) -> bool:
        """Seat these entries as well as can be; tell whether that changed anything."""
        number = {place: n for n, place in enumerate(places)}
        edges = [
            (number[one], number[other], cost)
            for one in places
            for other, cost in self.ahead[one]
            if other in number
        ]
        return self._adopt(places, edges)

    def _adopt(self, places: Sequence[int], edges: Sequence[PricedEdge]) -> bool:
        before = [self.mate[one] for one in places]
        for one in places:
            self.mate[one] = -1
        for one, other in cheapest(len(places), edges):
            self.mate[places[one]], self.mate[places[other]] = places[other], places[one]
        return before != [self.mate[one] for one in places]

    def seat_the_rest(self, *, rematches: bool) -> bool:
        """Seat those who found nobody, looking further and further; tell whether all sit now."""
        reach = FIRST_REACH
        while True:
            left = [one for one in self.line if self.mate[one] < 0]
            if not left:
                return True
            self._reseat(left, reach, rematches=rematches)
            if reach >= len(self.line):
                return self.all_sit
            reach *= 4

    def _reseat(self, left: Sequence[int], reach: int, *, rematches: bool) -> None:
        position = {place: n for n, place in enumerate(self.line)}
        wanted: set[Edge] = set()
        moving = set(left)
        for one in left:
            for other in self._nearest_to(position[one], reach, rematches=rematches):
                wanted.add(self._edge(one, other))
                moving.add(other)
        moving |= {self.mate[one] for one in moving if self.mate[one] >= 0}
        places = sorted(moving, key=position.__getitem__)
        for n, one in enumerate(places):
            if self.mate[one] >= 0:
                wanted.add(self._edge(one, self.mate[one]))
            last = len(places) if len(places) <= ALL_MEETINGS_UP_TO else n + 1 + NEIGHBOURS
            for other in places[n + 1 : last]:
                if self._may_meet(one, other, rematches=rematches):
                    wanted.add(self._edge(one, other))
        number = {place: n for n, place in enumerate(places)}
        self._adopt(
            places,
            [
                (number[one], number[other], cost)
                for one, other, cost in priced(self.field, sorted(wanted), size=len(places)).edges
            ],
        )

    def _nearest_to(self, position: int, reach: int, *, rematches: bool) -> Iterator[int]:
        """Yield the entries nearest on the line that this one may meet, up to `reach`."""
        one = self.line[position]
        found = 0
        for step in range(1, len(self.line)):
            for there in (position - step, position + step):
                if 0 <= there < len(self.line) and self._may_meet(
                    one, self.line[there], rematches=rematches
                ):
                    yield self.line[there]
                    found += 1
            if found >= reach:
                return

    def _may_meet(self, one: int, other: int, *, rematches: bool) -> bool:
        return other not in self.field.barred[one] and (
            rematches or other not in self.field.met[one]
        )

    @staticmethod
    def _edge(one: int, other: int) -> Edge:
        return (one, other) if one < other else (other, one)
