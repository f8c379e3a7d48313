"""How far a Swiss draw of many entries can be from the best one: bounds that no draw goes below."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import accumulate, combinations, pairwise
from math import isqrt

from tournaments.competition.matching import Edge, dearest
from tournaments.competition.swiss_blocks import BLOCK, line
from tournaments.competition.swiss_field import Costs, Field, Order

# Who stand further apart than this on the line are not looked at one by one; no block is shorter.
NEAR = 128
# What it costs not to be looked at, for an entry whose table costs little.
FLAT = 192
# How far around a table that costs much entries are looked at more closely.
AROUND = 8
# A cut may be so far from where the block would end: the best place in each of so many windows
# is tried, for all cuts together not more than so often. The draw should be cheap around it.
SHIFT = 64
WINDOWS = 4
CLEAR = 10
TRIES = 24
# On the line of a `fold` the halves are dealt in turn: what is so far apart is half as far from
# where it should be, but for those at the borders.
FOLD_SLACK = 4


def gap_of(field: Field, pairs: Sequence[Edge], costs: Costs) -> float:
    """Return by how much at most the first line that is not proved could be better.

    It is a share of what the draw costs on that line, 0.0 where every line is proved.
    """
    gap = least_win_gap(field)
    # Where the wins differ as little as they can, every group has its own clubs to seat.
    same = least_same_by_group(field) if costs.win_gap == gap else least_same(field)
    bounds = (0, gap, same)
    for cost, bound in zip(costs.before_order, bounds, strict=True):
        if cost > bound:
            return share(cost, bound)
    if field.rules.order is Order.DRAW:
        return 0.0
    return share(costs.order, least_order(field, pairs, costs))


def share(cost: int, bound: int) -> float:
    """Return by what share of its cost a draw may be too dear."""
    return (cost - bound) / cost if cost > bound else 0.0


def least_win_gap(field: Field) -> int:
    """Return the least sum of (difference of wins) squared: that of neighbours by wins."""
    wins = field.wins
    return sum((wins[n] - wins[n + 1]) ** 2 for n in range(0, len(wins) - 1, 2))


def least_same(field: Field) -> int:
    """Return how many tables must have two of one club: those who are more than all others."""
    largest = max(Counter(field.separated).values(), default=0)
    return max(0, 2 * largest - len(field.separated)) // 2


def least_same_by_group(field: Field) -> int:
    """Return the least tables of one club of a draw whose wins differ as little as they can.

    It has one table across the end of every group down to which the entries are odd in number,
    and no other across: `floating` says for each way from above, whether somebody of the largest
    club of this group comes from below, what it costs at least.
    """
    # By the club that floats down from the group before, if it is the largest there: the cost.
    floating: dict[int | None, int] = {None: 0}
    for group in field.groups:
        clubs = Counter(field.separated[group.start : group.end])
        club, largest = max(clubs.items(), key=lambda one: (one[1], one[0]))
        ways = (True, False)
        following: dict[int | None, int] = {}
        for from_above, before in floating.items():
            for up in ways if group.start % 2 else (False,):
                for down in ways if group.end % 2 and group.end < len(field.wins) else (False,):
                    leave = group.start % 2 + (group.end % 2)
                    own = largest - up - down
                    others = group.size - largest - (leave - up - down)
                    if own < 0 or others < 0:
                        continue
                    cost = before + max(0, (own - others + 1) // 2) + (up and from_above == club)
                    key = club if down else None
                    following[key] = min(following.get(key, cost), cost)
        floating = following
    return min(floating.values())


def least_order(field: Field, pairs: Sequence[Edge], costs: Costs) -> int:
    """Return what the order costs at least in a draw that is as good on the lines before.

    The line is cut into blocks. A meeting across a cut is paid half by either block, each at
    the price of the cheapest meeting its entry can have over there; an even number of meetings
    goes across every cut, so those who leave a block over a cut can be paid two by two, as if
    they met. A meeting of entries further than NEAR apart costs so much that it pays all that
    this supposes too much: a flat price for its two entries, and one for each cut it crosses,
    where one who leaves may find no second.
    """
    places = line(field)
    fold = field.rules.order is Order.FOLD
    if not fold and any(field.ranks[one] > field.ranks[other] for one, other in pairwise(places)):
        # Ranks that do not follow the wins: neighbours on the line are anywhere in the ranking.
        return len(places) // 2
    bound = _Bound(field, places, pairs, fold=fold, apart=costs.same_separated == 0)
    least = bound.of_line(_places_to_cut(field, places, pairs))
    return max(0, -(-least // 2) - bound.dear * (costs.win_gap + costs.same_separated))


def _places_to_cut(
    field: Field, places: Sequence[int], pairs: Sequence[Edge]
) -> list[Sequence[int]]:
    """Return for each end of a block where it may be, first where the draw is cheapest around.

    There the least is lost by not knowing what is on the other side.
    """
    position = {place: n for n, place in enumerate(places)}
    steps = [0] * (len(places) + 1)
    for one, other in pairs:
        begin, end = sorted((position[one], position[other]))
        cost = field.order_cost(one, other) + FLAT * (field.wins[one] != field.wins[other])
        steps[max(0, begin - CLEAR)] += cost
        steps[min(end + CLEAR, len(places))] -= cost
    dear = list(accumulate(steps))
    found: list[Sequence[int]] = [[0]]
    width = 2 * SHIFT // WINDOWS
    for end in range(BLOCK, len(places) - SHIFT - NEAR + 1, BLOCK):
        windows = (range(n, n + width, 2) for n in range(end - SHIFT, end + SHIFT, width))
        best = [min(window, key=lambda cut: (dear[cut], cut)) for window in windows]
        found.append(sorted(best, key=lambda cut: (dear[cut], cut)))
    return [*found, [len(places)]]


class _Bound:
    """Twice what the blocks cost at least, so that half a price is a whole number."""

    def __init__(
        self,
        field: Field,
        places: Sequence[int],
        pairs: Sequence[Edge],
        *,
        fold: bool,
        apart: bool,
    ) -> None:
        self.field = field
        self.places = places
        self.apart = apart
        self.most = (NEAR - FOLD_SLACK) ** 2 // 12 if fold else NEAR**2 // 3
        self.flat = min(FLAT, self.most)
        self.stretch, self.slack = (2, FOLD_SLACK) if fold else (1, 0)
        # What a difference of wins costs more; what is needed of it is taken off again. Several
        # of them in a row must cost less than two entries that are not looked at.
        widest = max((field.wins[one] - field.wins[other]) ** 2 for one, other in pairs)
        self.dear = self.flat // (8 * max(1, widest))
        self.flats = [self.flat] * len(places)
        self.paid = self._paid(pairs)

    def _paid(self, pairs: Sequence[Edge]) -> list[int]:
        """Return twice what the draw costs up to each position, half of it for either entry."""
        position = {place: n for n, place in enumerate(self.places)}
        shares = [0] * len(position)
        for one, other in pairs:
            here, there = sorted((position[one], position[other]))
            cost = shares[here] = shares[there] = self.cost(here, there)
            if 2 * cost > self.flat:
                flat = min(self.most, self.flat + 2 * cost)
                for n in range(max(0, here - AROUND), min(there + AROUND, len(shares))):
                    self.flats[n] = max(self.flats[n], flat)
        return [0, *accumulate(shares)]

    def _reach(self, flat: int) -> int:
        """Return how far apart two can stand whose meeting costs less than `flat`."""
        return isqrt(flat) * self.stretch + self.slack

    def of_line(self, choices: Sequence[Sequence[int]]) -> int:
        """Return the best bound found, cutting elsewhere where it is below what is paid."""
        cuts, paid = [ways[0] for ways in choices], self.paid
        least = [self.of_block(start, end) for start, end in pairwise(cuts)]
        tries = 0
        for n in range(1, len(cuts) - 1):
            start, end = cuts[n - 1], cuts[n + 1]
            for cut in choices[n][1:]:
                if least[n - 1] + least[n] >= paid[end] - paid[start] or tries == TRIES:
                    break
                tries += 1
                two = [self.of_block(start, cut), self.of_block(cut, end)]
                if sum(two) > least[n - 1] + least[n]:
                    cuts[n], least[n - 1 : n + 1] = cut, two
        return sum(least)

    def of_block(self, start: int, end: int) -> int:
        """Return the least the entries of a block can cost."""
        twice = {(one, other): 2 * cost for one, other, cost in self._meetings(start, end)}
        for leaving in (self._leaving(start, start, end), self._leaving(end, start, end)):
            for (one, price), (other, other_price) in combinations(leaving, 2):
                edge = (one, other)
                twice[edge] = min(twice.get(edge, 2 * self.most), price + other_price)
        flats = self.flats
        saved = {
            (one, other): flats[one] + flats[other] - twice[one, other] for one, other in twice
        }
        kept = [
            (one - start, other - start, weight)
            for (one, other), weight in sorted(saved.items())
            if weight > 0
        ]
        matched = dearest(end - start, kept)
        spared = sum(saved[one + start, other + start] for one, other in matched)
        return sum(flats[start:end]) - spared

    def _meetings(self, start: int, end: int) -> Iterator[tuple[int, int, int]]:
        """Yield the meetings within the block that cost less than not to be looked at."""
        flats = self.flats
        largest = max(flats[start:end])
        for one in range(start, end):
            reach = self._reach((flats[one] + largest) // 2)
            for other in range(one + 1, min(one + 1 + reach, end)):
                cost = self._price(one, other, (flats[one] + flats[other] + 1) // 2)
                if 2 * cost < flats[one] + flats[other]:
                    yield one, other, cost

    def _leaving(self, cut: int, start: int, end: int) -> list[tuple[int, int]]:
        """Return who of the block can meet somebody across the cut, at what price.

        A meeting that costs twice the dearest flat price around pays for all that is supposed
        too much, like one of entries far apart.
        """
        if cut in (0, len(self.places)):
            return []
        enough = 2 * max(self.flats[max(0, cut - NEAR) : cut + NEAR])
        reach = self._reach(enough)
        before = range(max(0, cut - reach), cut)
        after = range(cut, min(cut + reach, len(self.places)))
        inside, across = (after, before) if cut == start else (before, after)
        prices = [(one, min(self._price(one, other, enough) for other in across)) for one in inside]
        return [(one, price) for one, price in prices if price < enough and start <= one < end]

    def cost(self, one: int, other: int) -> int:
        """Return what a meeting costs, by position on the line."""
        field, here, there = self.field, self.places[one], self.places[other]
        before = (field.wins[here] - field.wins[there]) ** 2 + field.same_separated(here, there)
        return field.order_cost(here, there) + self.dear * before

    def _price(self, one: int, other: int, flat: int) -> int:
        """Return what a meeting costs, the flat price if that is less or if it cannot be."""
        field, here, there = self.field, self.places[one], self.places[other]
        if there in field.barred[here] or there in field.met[here]:
            return flat
        if self.apart and field.same_separated(here, there):
            return flat
        return min(flat, self.cost(one, other))
