"""Checks draws of tables of four by what they answer alone; shares no code with the drawing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations
from typing import Any


def pairs_of(table: dict[str, Any]) -> tuple[list[frozenset[str]], list[frozenset[str]]]:
    """Return the partners and the opponents of a table."""
    partners = [frozenset(table["AC"]), frozenset(table["BD"])]
    opponents = [frozenset((one, other)) for one in table["AC"] for other in table["BD"]]
    return partners, opponents


def history(request: dict[str, Any], name: str, window: str) -> Counter[frozenset[str]]:
    """Return how often each two met within the window."""
    width = request.get(window)
    return Counter(
        frozenset(meeting[:2])
        for meeting in request.get(name, [])
        if width is None or len(meeting) == 2 or request.get("round", 1) - meeting[2] <= width
    )


def repeats(request: dict[str, Any], tables: Sequence[dict[str, Any]]) -> tuple[int, int]:
    """Return the partners repeated, and the opponents as often as they have met."""
    partnered = history(request, "partnered", "partner_window")
    met = history(request, "met", "opponent_window")
    first = second = 0
    for table in tables:
        partners, opponents = pairs_of(table)
        first += sum(1 for two in partners if partnered[two])
        second += sum(met[two] for two in opponents)
    return first, second


def faults_of_seats(entries: list[dict[str, Any]], round_: dict[str, Any]) -> Iterator[str]:
    """Yield what is wrong with who sits where, whatever happened before."""
    rank = {one["id"]: one["rank"] for one in entries}
    there = [one for table in round_["tables"] for one in table["AC"] + table["BD"]]
    if sorted(there + round_["byes"]) != sorted(rank):
        yield "not everybody sits or rests once"
    if len(round_["byes"]) != len(entries) % 4:
        yield f"{len(round_['byes'])} rest"
    if any(len(table[side]) != 2 for table in round_["tables"] for side in ("AC", "BD")):
        yield "a side is not two players"
    best = [min(rank[one] for one in table["AC"] + table["BD"]) for table in round_["tables"]]
    if best != sorted(best):
        yield "tables are not numbered from the best-placed player down"
    if [table["table"] for table in round_["tables"]] != list(range(1, len(best) + 1)):
        yield "tables are not numbered from 1"


def faults(request: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """Return what is wrong with one drawn round, except that a better one may exist."""
    entries, tables, report = request["entries"], answer["tables"], answer["report"]
    found = list(faults_of_seats(entries, answer))
    by_need = sorted(entries, key=lambda one: (one.get("byes", 0), -one["rank"]))
    if {one["id"] for one in by_need[: len(entries) % 4]} != set(answer["byes"]):
        found.append(f"{answer['byes']} should not rest")
    together = {
        frozenset(two) for table in tables for two in combinations(table["AC"] + table["BD"], 2)
    }
    if together & {frozenset(two) for two in request.get("forbidden", [])}:
        found.append("somebody sits with someone forbidden")
    if request["system"] == "teams_of_four":
        team = {one["id"]: one["team"] for one in entries}
        if any(len({team[one] for one in two}) == 1 for two in together):
            found.append("team-mates share a table")
    counted = (report["repeat_partners"], report["repeat_opponents"])
    bound = (report["bound"]["repeat_partners"], report["bound"]["repeat_opponents"])
    if counted != repeats(request, tables):
        found.append(f"{repeats(request, tables)} repeats, not {counted}")
    if bound > counted or bound[0] > counted[0]:
        found.append(f"{counted} repeats are below the bound {bound}")
    if report["optimal"] != (counted == bound):
        found.append("optimal contradicts the bound")
    if report["win_spread"] != win_spread(entries, tables):
        found.append(f"the spread of wins is {win_spread(entries, tables)}")
    if report["same_separated"] != same_separated(request, tables):
        found.append(f"{same_separated(request, tables)} tables part nobody")
    return found


def win_spread(entries: list[dict[str, Any]], tables: Sequence[dict[str, Any]]) -> Fraction:
    wins = {one["id"]: one.get("wins", 0) for one in entries}
    total = Fraction(0)
    for table in tables:
        four = [wins[one] for one in table["AC"] + table["BD"]]
        mean = Fraction(sum(four), 4)
        total += sum((one - mean) ** 2 for one in four)
    return 4 * total


def same_separated(request: dict[str, Any], tables: Sequence[dict[str, Any]]) -> int:
    name = request.get("separate_by")
    if name is None:
        return 0
    of = {one["id"]: one.get(name) for one in request["entries"]}
    return sum(
        any(of[one] and of[one] == of[other] for one in table["AC"] for other in table["BD"])
        for table in tables
    )


SHAPES = {
    "top_last": [[(1, 4), (2, 3)]],
    "odd_even": [[(1, 3), (2, 4)]],
    "leaders_apart": [[(1, 5), (3, 7)], [(2, 6), (4, 8)]],
}


def distance(pattern: str, tables: int, table: int, sides: Sequence[tuple[int, int]]) -> int:
    """Return how far four places, 1 being the best, are from what is wanted at a table.

    `nearest` counts the squared differences of every two, the others the squares of how far
    each is from its place; `spread` is by lot.
    """
    if pattern == "spread":
        return 0
    if pattern == "nearest":
        return sum((a - b) ** 2 for a, b in combinations([*sides[0], *sides[1]], 2))
    block = SHAPES[pattern]
    at = table % len(block)
    if table - at + len(block) > tables:
        block, at = SHAPES["odd_even"], 0
    first = 4 * (table - at)
    one, other = block[at]
    return min(
        sum(
            (place - want - first) ** 2
            for side, wish in zip(sides, wishes, strict=True)
            for place, want in zip(sorted(side), wish, strict=True)
        )
        for wishes in ((one, other), (other, one))
    )


def worth(
    request: dict[str, Any], seated: Sequence[str], tables: Sequence[dict[str, Any]]
) -> tuple[int, int, int]:
    """Return the repeats of a draw and how far it is from its pattern."""
    far = sum(
        distance(
            request["pattern"],
            len(tables),
            number,
            [(seated.index(one) + 1, seated.index(other) + 1) for one, other in sides],
        )
        for number, table in enumerate(tables)
        for sides in [(table["AC"], table["BD"])]
    )
    return (*repeats(request, tables), far)


def cheapest(request: dict[str, Any], seated: Sequence[str]) -> tuple[int, int, int] | None:
    """Return the worth of the best draw, None if all are forbidden.

    `seated` are those who play, by rank. Every way to seat them is looked at.
    """
    partnered = history(request, "partnered", "partner_window")
    met = history(request, "met", "opponent_window")
    forbidden = {frozenset(two) for two in request.get("forbidden", [])}
    count = len(seated) // 4

    @cache
    def price(table: int, four: tuple[int, ...]) -> tuple[int, int, int] | None:
        one, two, three, last = four
        if forbidden & {frozenset((seated[a], seated[b])) for a, b in combinations(four, 2)}:
            return None
        ways = []
        for partner, others in ((two, (three, last)), (three, (two, last)), (last, (two, three))):
            sides = [(one, partner), others]
            names = {
                name: [seated[place] for place in side]
                for name, side in zip(("AC", "BD"), sides, strict=True)
            }
            first, second = pairs_of(names)
            far = distance(request["pattern"], count, table, [(a + 1, b + 1) for a, b in sides])
            repeated = sum(1 for pair in first if partnered[pair])
            ways.append((repeated, sum(met[pair] for pair in second), far))
        return min(ways)

    @cache
    def least(left: tuple[int, ...]) -> tuple[int, int, int] | None:
        if not left:
            return (0, 0, 0)
        found = []
        for three in combinations(left[1:], 3):
            here = price(count - len(left) // 4, (left[0], *three))
            rest = least(tuple(one for one in left[1:] if one not in three)) if here else None
            if here and rest:
                found.append((here[0] + rest[0], here[1] + rest[1], here[2] + rest[2]))
        return min(found, default=None)

    return least(tuple(range(len(seated))))


def faults_of_schedule(request: dict[str, Any], answer: dict[str, Any]) -> list[str]:
    """Return what is wrong with a whole schedule, except that a better one may exist."""
    entries, rounds = request["entries"], answer["rounds"]
    found = [fault for one in rounds for fault in faults_of_seats(entries, one)]
    if [one["round"] for one in rounds] != list(range(1, request["rounds"] + 1)):
        found.append("rounds are missing")
    byes: Counter[str] = Counter({one["id"]: 0 for one in entries})
    partners: Counter[frozenset[str]] = Counter()
    opponents: Counter[frozenset[str]] = Counter()
    for one in rounds:
        byes.update(one["byes"])
        if max(byes.values()) - min(byes.values()) > 1:
            found.append(f"round {one['round']}: somebody rests again before everybody did")
        for table in one["tables"]:
            here = pairs_of(table)
            partners.update(here[0])
            opponents.update(here[1])
    counted = [
        sum(times * (times - 1) // 2 for times in met.values()) for met in (partners, opponents)
    ]
    report = answer["report"]
    if counted != [report["repeat_partners"], report["repeat_opponents"]]:
        found.append(f"{counted} repeats")
    return found
