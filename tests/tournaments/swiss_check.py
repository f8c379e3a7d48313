"""An independent check of a Swiss draw: reads request and answer, shares no code with the draw.

Small fields are compared with every draw there is. Larger ones are solved again stage by stage,
the bye as a vertex of the same graph, and the library is asked to prove each stage by its prices.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from typing import Any, TypeAlias

import rustworkx

Request: TypeAlias = dict[str, Any]
# What a draw costs on lines 2 to 7.
Lines: TypeAlias = tuple[int, ...]
Tables: TypeAlias = list[tuple[str, str]]

WON_BY_BETTER = 0.6
IN_THREE_CLUBS = 0.8


def event(size: int, *, rounds: int = 4, seed: int = 1, three_clubs: bool = False) -> Request:
    """Return the request for the round after `rounds` simulated ones.

    Neighbours in the standings who have not met meet; an odd one out has the bye, a win. Three
    clubs hold 80 % of the field where asked, else there are 20 of a size.
    """
    chance = random.Random(f"{size} {rounds} {seed}")
    names = [f"p{n}" for n in range(1, size + 1)]
    wins, byes = dict.fromkeys(names, 0), dict.fromkeys(names, 0)
    difference = dict.fromkeys(names, 0)
    opponents: dict[str, set[str]] = {name: set() for name in names}
    large = [three_clubs and chance.random() < IN_THREE_CLUBS for _ in names]
    club = {
        name: f"c{chance.randrange(3 if one else 20)}"
        for name, one in zip(names, large, strict=True)
    }

    def standing(name: str) -> tuple[int, int, int]:
        return -wins[name], -difference[name], int(name[1:])

    for _ in range(rounds):
        waiting = sorted(names, key=standing)
        if size % 2:
            rests = min(reversed(waiting), key=lambda name: byes[name])
            waiting.remove(rests)
            byes[rests] += 1
            wins[rests] += 1
        while waiting:
            one = waiting.pop(0)
            at = next((n for n, who in enumerate(waiting) if who not in opponents[one]), 0)
            other = waiting.pop(at)
            opponents[one].add(other)
            opponents[other].add(one)
            won, lost = (one, other) if chance.random() < WON_BY_BETTER else (other, one)
            points = chance.randint(1, 200)
            wins[won] += 1
            difference[won] += points
            difference[lost] -= points
    ranked = sorted(names, key=standing)
    return {
        "system": "swiss",
        "round": rounds + 1,
        "seed": seed,
        "separate_by": "club",
        "order": "nearest",
        "entries": [
            {
                "id": name,
                "rank": rank,
                "wins": wins[name],
                "byes": byes[name],
                "club": club[name],
            }
            for rank, name in enumerate(ranked, start=1)
        ],
        "met": [[one, other] for one in ranked for other in sorted(opponents[one]) if one < other],
        "forbidden": [],
    }


@dataclass(frozen=True)
class _Law:
    """The request as the law needs it."""

    entries: dict[str, dict[str, Any]]
    met: set[frozenset[str]]
    forbidden: set[frozenset[str]]
    separate_by: str | None
    order: str

    @classmethod
    def of(cls, request: Request) -> _Law:
        return cls(
            # Without ranks the entries rank as they are listed.
            entries={
                one["id"]: {"rank": n, **one} for n, one in enumerate(request["entries"], start=1)
            },
            met={frozenset(two) for two in request.get("met") or []},
            forbidden={frozenset(two) for two in request.get("forbidden") or []},
            separate_by=request.get("separate_by"),
            order=request.get("order", "nearest"),
        )

    def lines(self, tables: Tables, byes: list[str]) -> Lines:
        """Return what a draw costs on lines 2 to 7."""
        rank = {name: one["rank"] for name, one in self.entries.items()}
        rests = byes[0] if byes else None
        folded = self.fold([name for name in rank if name != rests])
        return (
            self.entries[rests].get("byes", 0) if rests else 0,
            sum(frozenset(two) in self.met for two in tables),
            sum(below > rank[rests] for below in rank.values()) if rests else 0,
            sum(self.gap(*two) for two in tables),
            sum(self.same(*two) for two in tables),
            sum(self.apart(*two, folded) for two in tables),
        )

    def gap(self, one: str, other: str) -> int:
        return int((self.entries[one].get("wins", 0) - self.entries[other].get("wins", 0)) ** 2)

    def same(self, one: str, other: str) -> bool:
        if self.separate_by is None:
            return False
        name = self.entries[one].get(self.separate_by)
        return bool(name) and name == self.entries[other].get(self.separate_by)

    def apart(self, one: str, other: str, folded: dict[str, tuple[int, int, int, bool]]) -> int:
        """Return what line 7 counts at a table."""
        if self.order == "nearest":
            return int((self.entries[one]["rank"] - self.entries[other]["rank"]) ** 2)
        if self.order == "draw":
            return 0
        place, size, half, upper = folded[one]
        place_2, _, _, upper_2 = folded[other]
        if self.gap(one, other):
            return (abs(place - place_2) - 1) ** 2
        return (abs(place - place_2) - half) ** 2 + (size * size if upper == upper_2 else 0)

    def fold(self, names: list[str]) -> dict[str, tuple[int, int, int, bool]]:
        """Return place, size of the group, half of it, and who is in the upper half."""
        wins = {name: self.entries[name].get("wins", 0) for name in names}
        ordered = sorted(names, key=lambda name: (-wins[name], self.entries[name]["rank"]))
        found = {}
        for value in sorted(set(wins.values()), reverse=True):
            group = [name for name in ordered if wins[name] == value]
            above = ordered.index(group[0])
            half = (len(group) - above % 2) // 2
            for n, name in enumerate(group):
                found[name] = (above + n, len(group), half, n < above % 2 + half)
        return found

    def may_meet(self, one: str, other: str) -> bool:
        return frozenset((one, other)) not in self.forbidden


def check(request: Request, answer: dict[str, Any]) -> Lines:
    """Assert that an answer is a draw and reports the truth; return what it costs."""
    law = _Law.of(request)
    tables = [(table["AC"][0], table["BD"][0]) for table in answer["tables"]]
    seated = [name for two in tables for name in two] + answer["byes"]
    assert sorted(seated) == sorted(law.entries)
    assert len(answer["byes"]) == len(law.entries) % 2
    assert all(law.may_meet(*two) for two in tables)
    assert [table["table"] for table in answer["tables"]] == list(range(1, len(tables) + 1))
    best = [min(law.entries[name]["rank"] for name in two) for two in tables]
    assert best == sorted(best)
    found = law.lines(tables, answer["byes"])
    report = answer["report"]
    assert (report["rematches"], report["win_gap"], report["same_separated"]) == (
        found[1],
        found[3],
        found[4],
    )
    assert report["order_cost"] == found[5]
    assert report["optimal"] == (report["gap"] == 0.0)
    return found


def best_of_all(request: Request) -> Lines | None:
    """Return what the best draw costs, of all there are; None where there is none."""
    law = _Law.of(request)
    return min((law.lines(*one) for one in _draws(law, sorted(law.entries))), default=None)


def _draws(law: _Law, names: list[str]) -> Iterator[tuple[Tables, list[str]]]:
    if len(names) % 2:
        for name in names:
            rest = [one for one in names if one != name]
            yield from ((tables, [name]) for tables in _tables(law, rest))
    else:
        yield from ((tables, []) for tables in _tables(law, names))


def _tables(law: _Law, names: list[str]) -> Iterator[Tables]:
    if not names:
        yield []
        return
    one, *others = names
    for other in others:
        if law.may_meet(one, other):
            rest = [name for name in others if name != other]
            yield from ([(one, other), *tables] for tables in _tables(law, rest))


def best_by_stages(request: Request) -> Lines:
    """Return what the best draw costs: lines 2 to 4 first, then 5 and 6, then 7.

    Line by line, the lines before are made to cost more than the next one does in the draw found
    so far, so what they cost cannot grow; that it did not is asserted.
    """
    law = _Law.of(request)
    names = sorted(law.entries)
    meetings = [two for two in combinations(names, 2) if law.may_meet(*two)]
    rematch = {two: int(frozenset(two) in law.met) for two in meetings}
    worst = len(names) ** 2
    before = {two: cost * worst for two, cost in rematch.items()}
    bye: list[str] = []
    if len(names) % 2:
        byes = {name: law.lines([], [name]) for name in names}
        rests = {(name, ""): cost[0] * worst**2 + cost[2] for name, cost in byes.items()}
        bye = [one for one, other in _solved(names, before | rests) if other == ""]
        names.remove(*bye)
        before = {two: cost for two, cost in before.items() if bye[0] not in two}
    folded = law.fold(names)
    tables = _solved(names, before)
    for line in (law.gap, law.same, lambda one, other: law.apart(one, other, folded)):
        costs = {two: int(line(*two)) for two in before}
        least = sum(before[two] for two in tables)
        more = sum(costs[two] for two in tables) + 1
        both = {two: before[two] * more + costs[two] for two in before}
        tables = _solved(names, both)
        assert sum(before[two] for two in tables) == least
        before = both
    return law.lines(tables, bye)


def _solved(names: list[str], costs: dict[tuple[str, str], int]) -> Tables:
    """Return the pairs of a cheapest perfect matching, proved by the prices of the library."""
    number = {name: n for n, name in enumerate([*names, ""])}
    top = max(costs.values())
    graph: rustworkx.PyGraph[str, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([*names, ""] if len(names) % 2 else names)
    graph.add_edges_from(
        [(number[one], number[other], top - cost) for (one, other), cost in costs.items()]
    )
    found = rustworkx.max_weight_matching(
        graph, max_cardinality=True, weight_fn=int, verify_optimum=True
    )
    pairs = [(graph[one], graph[other]) for one, other in found]
    assert 2 * len(pairs) == graph.num_nodes()
    return [two if two in costs else (two[1], two[0]) for two in pairs]
