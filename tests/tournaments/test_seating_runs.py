"""Nobody has a side, or opens, three times running where the table can be turned otherwise."""

from __future__ import annotations

import random
from itertools import permutations
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from tournaments.competition.seating import seated

LETTERS = st.text(alphabet="ABCD", min_size=0, max_size=9)


def drawn(sides: dict[str, list[str]], past: dict[str, str]) -> dict[str, str]:
    """Return the seat of everybody at one table, by what each of them sat on before."""
    entries = [{"id": one, "rank": n} for n, one in enumerate(past, start=1)]
    before = {one: [[seat, 7] for seat in seats] for one, seats in past.items()}
    (table,) = seated({"entries": entries, "seated": before}, {"tables": [{"table": 1, **sides}]})
    return {
        one: letter
        for side, ids in table.sides.items()
        for letter, one in zip(side, ids, strict=False)
    }


def runs(seats: dict[str, str], past: dict[str, str]) -> bool:
    """Tell whether somebody has a side or opens a third time running."""
    for one, seat in seats.items():
        last = past[one][-2:] + seat
        if len(last) == 3 and (set(last) <= set("AC") or set(last) <= set("BD") or last == "AAA"):
            return True
    return False


def ways(sides: dict[str, list[str]]) -> list[dict[str, str]]:
    """Return every way to seat a table so that partners stay opposite."""
    found = []
    for one, other in permutations(sides.values()):
        for first in permutations(one):
            for second in permutations(other):
                found.append(dict(zip(first, "AC", strict=False)))
                found[-1] |= dict(zip(second, "BD", strict=False))
    return found


def too_uneven(seats: dict[str, str], past: dict[str, str]) -> int:
    """Return by how much sides come out more uneven than three more on one than on the other."""
    more = [
        2 * sum((one in "AC") for one in past[who] + seats[who]) - len(past[who]) - 1
        for who in seats
    ]
    return sum(max(0, abs(one) - 3) for one in more)


def is_turned_well(sides: dict[str, list[str]], past: dict[str, str]) -> bool:
    """Tell whether there is a third time running only where every other way is too uneven."""
    found = drawn(sides, past)
    costs = [(too_uneven(way, past), runs(way, past)) for way in ways(sides)]
    return (too_uneven(found, past), runs(found, past)) == min(costs)


@given(LETTERS, LETTERS, LETTERS, LETTERS)
def test_four_are_turned_without_a_third_time_where_that_can_be(a, b, c, d):
    past = {"a": a, "b": b, "c": c, "d": d}
    assert is_turned_well({"AC": ["a", "c"], "BD": ["b", "d"]}, past)


@given(st.text(alphabet="AB", max_size=9), st.text(alphabet="AB", max_size=9))
def test_two_sides_are_turned_without_a_third_time_where_that_can_be(a, b):
    assert is_turned_well({"AC": ["a"], "BD": ["b"]}, {"a": a, "b": b})


def test_a_third_time_running_is_worse_than_sides_a_little_less_even():
    # By balance alone `a` would have AC again: three times of six, then.
    assert drawn({"AC": ["a"], "BD": ["b"]}, {"a": "BBBAA", "b": "BBBAB"})["a"] == "B"


def test_where_both_must_have_a_side_again_the_one_who_had_it_less_often_has_it():
    past = {"a": "AABAA", "b": "BBBAA"}
    assert drawn({"AC": ["a"], "BD": ["b"]}, past) == {"b": "A", "a": "B"}


def test_over_eleven_rounds_hardly_anybody_has_a_side_a_third_time() -> None:
    """Random opponents: a table turned by lot would have a quarter of them."""
    chance = random.Random(3)
    names = [f"p{n}" for n in range(64)]
    past: dict[str, list[list[Any]]] = {name: [] for name in names}
    for _ in range(11):
        chance.shuffle(names)
        tables = [
            {"table": n, "AC": [one], "BD": [other]}
            for n, (one, other) in enumerate(zip(names[::2], names[1::2], strict=True), start=1)
        ]
        entries = [{"id": name, "rank": n} for n, name in enumerate(names, start=1)]
        for table in seated({"entries": entries, "seated": past}, {"tables": tables}):
            for side, (entry,) in table.sides.items():
                past[entry] = [*past[entry], [side[0], table.table]]
    sides = ["".join(seat for seat, _ in rows) for rows in past.values()]
    third = sum(one[n : n + 3] in ("AAA", "BBB") for one in sides for n in range(9))
    assert third <= 64 * 9 * 4 // 100
    assert all(abs(one.count("A") - one.count("B")) <= 3 for one in sides)
