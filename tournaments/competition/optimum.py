"""Proves that no draw is better than a stored one, by other means than those that made it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from tournaments.competition.changes import Facts, Kind, Seating
from tournaments.competition.matching import Edge, PricedEdge, cheapest
from tournaments.competition.requests_swiss import pairs_at, rules_at
from tournaments.competition.swiss_bound import least_same_by_group, least_win_gap, share
from tournaments.competition.swiss_field import Field, priced
from tournaments.competition.swiss_prices import proved
from tournaments.competition.types import Contender

# Up to so many entries every draw there is can be looked at: 945 of 9, 10,395 of 12.
ALL_DRAWS_UP_TO = 9
# Up to so many entries every meeting is looked at where a bound is not enough.
WHOLE_UP_TO = 400
# Up to so many players every partnership is.
PARTNERS_UP_TO = 500
SWISS_LINES = ("byes", "rematches", "bye_place", "win_gap", "same_separated", "order_cost")


@dataclass(frozen=True, slots=True)
class Optimum:
    """The lines of the law that are `proved`, from the first on, and `by` which means.

    `open` is the first line that is not, `gap` by which share of its cost a draw could be better
    there at most, None where nothing is known. `better` is what a better draw costs on the lines,
    if one was found, beside what this one does.
    """

    proved: tuple[str, ...]
    by: str
    open: str | None = None
    gap: float | None = 0.0
    costs: tuple[int, ...] = ()
    better: tuple[int, ...] | None = None

    def json(self) -> dict[str, object]:
        return {
            "optimal": self.open is None,
            "proved": list(self.proved),
            "open": self.open,
            "gap": self.gap,
            "by": self.by,
        }


def of_swiss(
    request: Mapping[str, object], contenders: Sequence[Contender], drawn: Seating
) -> Optimum:
    """Return what is proved of a Swiss round in which everybody is seated or rests once.

    Few entries: all draws there are. Otherwise bye and rematches by a matching of the whole graph
    (above WHOLE_UP_TO entries only where there is neither rematch nor doubt about the bye), the
    lines after them by prices, as in `swiss_prices`.
    """
    swiss = _Swiss(request, contenders)
    resting = drawn.byes[0] if drawn.byes else None
    field = swiss.field(resting)
    place = {one.id: n for n, one in enumerate(field.entries)}
    pairs = [
        (min(two), max(two)) for one in drawn.tables for two in [[place[e] for e in one.entries]]
    ]
    costs = swiss.lines(field, pairs, resting)
    if len(contenders) <= ALL_DRAWS_UP_TO:
        return _compared(costs, min(swiss.all_lines()), "every draw")
    best = swiss.first_lines(costs)
    if best is None:
        return Optimum((), "bounds", "byes", gap=None, costs=costs)
    if best != costs[:3]:
        return _compared(costs, best, "whole graph")
    if costs[1]:
        if len(contenders) > WHOLE_UP_TO:
            return Optimum(SWISS_LINES[:3], "whole graph", "win_gap", gap=None, costs=costs)
        edges = [
            two
            for two in combinations(range(len(field.entries)), 2)
            if two[1] not in field.barred[two[0]]
        ]
        prices = priced(field, edges, size=len(field.entries))
        whole = swiss.lines(field, cheapest(len(field.entries), prices.edges), resting)
        return _compared(costs, whole, "whole graph")
    found = proved(field, pairs)
    better = swiss.lines(field, found.pairs, resting)
    if better != costs:
        return _compared(costs, better, "prices")
    if found.gap == 0.0:
        return Optimum(SWISS_LINES, "prices", costs=costs)
    # What differs from the bounds is the first line that is not proved.
    least = (*costs[:3], least_win_gap(field), least_same_by_group(field))
    known = next((n for n in (3, 4) if costs[n] != least[n]), 5)
    return Optimum(SWISS_LINES[:known], "prices", SWISS_LINES[known], found.gap, costs)


def _compared(costs: tuple[int, ...], best: tuple[int, ...], by: str) -> Optimum:
    """Return a proof by a draw that is best on some lines, all of them or the first."""
    for n, (cost, least) in enumerate(zip(costs, best, strict=False)):
        if cost != least:
            gap = share(cost, least)
            return Optimum(SWISS_LINES[:n], by, SWISS_LINES[n], gap, costs, best)
    return Optimum(SWISS_LINES, by, costs=costs)


class _Swiss:
    """The law of a Swiss round: what a draw costs on lines 2 to 7."""

    def __init__(self, request: Mapping[str, object], contenders: Sequence[Contender]) -> None:
        self.rules = rules_at(request)
        self.met = pairs_at(request, "met")
        self.forbidden = pairs_at(request, "forbidden")
        self.by_id = {one.id: one for one in contenders}

    def field(self, resting: str | None) -> Field:
        rest = [one for one in self.by_id.values() if one.id != resting]
        return Field(rest, self.met, self.forbidden, self.rules)

    def lines(self, field: Field, pairs: Sequence[Edge], resting: str | None) -> tuple[int, ...]:
        rematches, *others = field.costs(pairs).by_line
        if resting is None:
            return 0, rematches, 0, *others
        bye = self.by_id[resting]
        below = sum(one.rank > bye.rank for one in self.by_id.values())
        return bye.byes, rematches, below, *others

    def all_lines(self) -> Iterator[tuple[int, ...]]:
        """Yield what each draw there is costs."""
        for resting in self.by_id if len(self.by_id) % 2 else (None,):
            field = self.field(resting)
            for pairs in _all_pairs(field, range(len(field.entries))):
                yield self.lines(field, pairs, resting)

    def first_lines(self, costs: tuple[int, ...]) -> tuple[int, ...] | None:
        """Return the least of bye, rematches and place of the bye, None if that is not known."""
        entries = sorted(self.by_id.values(), key=lambda one: one.rank)
        fewest = min(one.byes for one in entries) if len(entries) % 2 else 0
        in_line = [one for one in entries if one.byes == fewest]
        lowest = len(entries) - 1 - entries.index(in_line[-1]) if len(entries) % 2 else 0
        if costs[:3] == (fewest, 0, lowest):
            return costs[:3]
        if len(entries) > WHOLE_UP_TO:
            return None
        field = Field(entries, self.met, self.forbidden, self.rules)
        size = len(entries)
        edges: list[PricedEdge] = [
            (one, other, size * (other in field.met[one]))
            for one, other in combinations(range(size), 2)
            if other not in field.barred[one]
        ]
        byes = sorted({one.byes for one in entries})
        below = {one.id: size - 1 - n for n, one in enumerate(entries)}
        if size % 2:
            edges += [
                (n, size, size * size * byes.index(one.byes) + below[one.id])
                for n, one in enumerate(field.entries)
            ]
        matched = cheapest(size + size % 2, edges)
        rests = [field.entries[one] for one, other in matched if other == size]
        rematches = sum(other < size and other in field.met[one] for one, other in matched)
        return (rests[0].byes, rematches, below[rests[0].id]) if rests else (0, rematches, 0)


def _all_pairs(field: Field, places: Sequence[int]) -> Iterator[list[Edge]]:
    if not places:
        yield []
        return
    one, *others = places
    for other in others:
        if other not in field.barred[one]:
            for pairs in _all_pairs(field, [rest for rest in others if rest != other]):
                yield [(one, other), *pairs]


def of_rotating(request: Mapping[str, object], drawn: Seating, facts: Facts) -> Optimum | None:
    """Return what is proved of partners and opponents repeated, None where they have windows.

    No seating repeats fewer partners than the cheapest one of all into twos, nor fewer opponents
    than everybody would with the two he has met least.
    """
    if request.get("partner_window") is not None or request.get("opponent_window") is not None:
        return None
    repeats = [
        sum(one.amount for one in facts.blemishes(drawn) if one.kind is kind)
        for kind in (Kind.REPEATED_PARTNER, Kind.REPEATED_OPPONENT)
    ]
    seated = [one for table in drawn.tables for one in table.entries]
    bounds = (_fewest_partners, _fewest_opponents)
    names = ("repeat_partners", "repeat_opponents")
    for n, (cost, bound) in enumerate(zip(repeats, bounds, strict=True)):
        least = bound(seated, facts) if cost else 0
        if cost > least:
            return Optimum(names[:n], "bounds", names[n], share(cost, least))
    return Optimum(names, "bounds", "pattern", gap=None)


def _fewest_partners(seated: Sequence[str], facts: Facts) -> int:
    if len(seated) > PARTNERS_UP_TO:
        return 0
    edges = [
        (one, other, facts.partnered[two])
        for one, other in combinations(range(len(seated)), 2)
        for two in [(min(seated[one], seated[other]), max(seated[one], seated[other]))]
        if two not in facts.forbidden
    ]
    cost = {(one, other): price for one, other, price in edges}
    return sum(cost[two] for two in cheapest(len(seated), edges))


def _fewest_opponents(seated: Sequence[str], facts: Facts) -> int:
    """Return the sum of what two opponents cost everybody at least, each meeting counted once."""
    total = 0
    for one in seated:
        met = sorted(
            facts.met[min(one, other), max(one, other)]
            for other in seated
            if other != one and (min(one, other), max(one, other)) not in facts.forbidden
        )
        total += sum(met[:2])
    return -(-total // 2)
