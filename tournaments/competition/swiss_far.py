"""A Swiss draw where those who should meet stand far apart, as in a field listed club by club."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, groupby, pairwise

from tournaments.competition.matching import Edge, cheapest
from tournaments.competition.swiss_blocks import Draft, line
from tournaments.competition.swiss_field import Field, priced

# So many entries, every second of twice as many and so on, are drawn with all their meetings.
COARSEST = 256
# How many neighbours on either side of somebody's opponent, and how many on the line, are tried.
AROUND = 4
NEIGHBOURS = 6
# How often a draw is drawn again with the neighbours of its opponents.
TURNS = 3
# Between groups the clubs that are large in one of them meet all, each by so many at the border.
LARGEST, AT_BORDER = 3, 2
# Up to so many entries are drawn in one piece, more in blocks.
WHOLE_UP_TO = 1200
# Somebody is surrounded who may meet fewer than so many of the neighbours, without ...
FEW, LOOKED_AT = 8, 16
# ... and so many of these make a field that is drawn from afar.
SURROUNDED = 24


def is_crowded(field: Field) -> bool:
    """Tell whether many entries stand among those of their own club only."""
    places = line(field)
    found = 0
    for n, one in enumerate(places):
        around = places[max(0, n - LOOKED_AT) : n + LOOKED_AT + 1]
        others = sum(not field.same_separated(one, other) for other in around)
        found += others < FEW
        if found == SURROUNDED:
            return True
    return False


def draw_from_afar(field: Field) -> list[Edge] | None:
    """Return the tables as places, None where not all were seated without a rematch.

    Half of the entries are drawn first, in the same way; the others then meet around those whom
    their neighbours of the same club and wins meet.
    """
    mates = _Afar(field).drawn(range(len(field.entries)))
    draft = Draft(field, line(field), [], mates)
    return draft.pairs() if draft.seat_the_rest(rematches=False) else None


def edge(one: int, other: int) -> Edge:
    return (one, other) if one < other else (other, one)


class Kin:
    """Some entries, side by side those of equal wins and one club; and who stands around whom."""

    def __init__(self, field: Field, places: Iterable[int]) -> None:
        self.field = field
        self._many = Counter(zip(field.wins, field.separated, strict=True))
        self.ordered = sorted(places, key=lambda n: (-field.wins[n], self._club(n), n))
        self._position = {place: n for n, place in enumerate(self.ordered)}

    def _club(self, place: int) -> int:
        """Return a number for the club; those without club-mates of equal wins share one."""
        club = self.field.separated[place]
        return club if self._many[self.field.wins[place], club] > 1 else -1

    def may_meet(self, one: int, other: int) -> bool:
        return (
            one != other
            and other not in self.field.met[one]
            and other not in self.field.barred[one]
        )

    def neighbours(self) -> set[Edge]:
        """Return the meetings of those who are close on the line, and of those who may float."""
        inside = set(self.ordered)
        places = [place for place in line(self.field) if place in inside]
        return {
            edge(one, other)
            for n, one in enumerate(places)
            for other in places[n + 1 : n + 1 + NEIGHBOURS]
            if self.may_meet(one, other)
        } | self._across()

    def _across(self) -> set[Edge]:
        """Return meetings across a border: of large clubs with all clubs of the other group.

        Who best leaves a group of odd number may be any of a club that is too many in it.
        """
        found: set[Edge] = set()
        for above, below in pairwise(self._clubs()):
            for lower in above:
                for upper in below:
                    if lower in above[:LARGEST] or upper in below[:LARGEST]:
                        found |= {
                            edge(one, other)
                            for one in lower[-AT_BORDER:]
                            for other in upper[:AT_BORDER]
                            if self.may_meet(one, other)
                        }
        return found

    def _clubs(self) -> list[list[list[int]]]:
        """Return the places of each club in each group of equal wins, the largest clubs first."""
        found = []
        for _, group in groupby(self.ordered, key=lambda n: self.field.wins[n]):
            clubs = [list(club) for _, club in groupby(group, key=self._club)]
            found.append(sorted(clubs, key=lambda club: (-len(club), club[0])))
        return found

    def around(self, mates: Mapping[int, int]) -> set[Edge]:
        """Return the meetings of everybody, and both neighbours, around his opponent."""
        found: set[Edge] = set()
        for one, mate in mates.items():
            here, there = self._position[one], self._position[mate]
            for near in self.ordered[max(0, here - 1) : here + 2]:
                for other in self.ordered[max(0, there - AROUND) : there + AROUND + 1]:
                    if self.may_meet(near, other):
                        found.add(edge(near, other))
        return found


class _Afar:
    def __init__(self, field: Field) -> None:
        self.field = field

    def drawn(self, places: Sequence[int]) -> dict[int, int]:
        """Return who meets whom."""
        kin = Kin(self.field, places)
        if len(places) <= COARSEST:
            return self._matched(
                places, {two for two in combinations(sorted(places), 2) if kin.may_meet(*two)}
            )
        mates = self.drawn(kin.ordered[::2])
        edges = kin.neighbours()
        for _ in range(TURNS):
            before = mates
            edges |= kin.around(mates)
            if len(places) <= WHOLE_UP_TO:
                mates = self._matched(places, edges)
            else:
                mates = self._in_blocks(places, edges, mates)
            if mates == before:
                break
        return mates

    def _matched(self, places: Sequence[int], edges: Iterable[Edge]) -> dict[int, int]:
        number = {place: n for n, place in enumerate(sorted(places))}
        known = list(number)
        prices = priced(self.field, sorted(edges), size=len(known))
        found: dict[int, int] = {}
        for one, other in cheapest(
            len(known), [(number[one], number[other], cost) for one, other, cost in prices.edges]
        ):
            found |= {known[one]: known[other], known[other]: known[one]}
        return found

    def _in_blocks(
        self, places: Sequence[int], edges: Iterable[Edge], mates: Mapping[int, int]
    ) -> dict[int, int]:
        """Draw in blocks of a line on which opponents stand side by side.

        Tables are near one another first by their upper entries, then by their lower ones. Who
        has nobody yet stands where the neighbours of the same club do.
        """
        kin = Kin(self.field, places).ordered
        found = dict(mates)
        for pick in (min, max):
            keys: dict[int, int] = {}
            last = 0
            for one in kin:
                if one in found:
                    last = pick(one, found[one])
                keys[one] = last
            ordered = sorted(places, key=lambda one: (keys[one], one))
            draft = Draft(self.field, ordered, sorted(edges), found)
            draft.improve()
            found = {one: other for one, other in enumerate(draft.mate) if other >= 0}
        return found
