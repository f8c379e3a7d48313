"""Wanted shapes of the tables of a rotating round, and how far four players are from them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import StrEnum
from typing import TypeAlias

# The three ways four players, the best-placed first, make two sides: the first two are one.
SPLITS = ((0, 3, 1, 2), (0, 2, 1, 3), (0, 1, 2, 3))

Three: TypeAlias = tuple[int, int, int]
# What a table costs for each of the splits; its number counts from 0, places in order.
Shape: TypeAlias = Callable[[int, int, int, int, int], Three]


class Pattern(StrEnum):
    """How the places in the standings are wanted at the tables."""

    SPREAD = "spread"
    LEADERS_APART = "leaders_apart"
    NEAREST = "nearest"
    TOP_LAST = "top_last"
    ODD_EVEN = "odd_even"


# Places of a block of players, four a table: the first two against the other two.
_BLOCKS = {
    Pattern.LEADERS_APART: ((0, 4, 2, 6), (1, 5, 3, 7)),
    Pattern.NEAREST: ((0, 3, 1, 2),),
    Pattern.TOP_LAST: ((0, 3, 1, 2),),
    Pattern.ODD_EVEN: ((0, 2, 1, 3),),
}


def wanted(pattern: Pattern, tables: int) -> list[tuple[int, int, int, int]]:
    """Return the places wanted at each table: the first two against the other two.

    `leaders_apart` takes eight places at a time; four that are left play 1+3 v 2+4.
    """
    blocks = _BLOCKS[pattern]
    found = []
    for table in range(tables):
        at = table % len(blocks)
        first = table - at
        if first + len(blocks) > tables:
            blocks, at, first = _BLOCKS[Pattern.ODD_EVEN], 0, table
        one, two, three, four = (4 * first + place for place in blocks[at])
        found.append((one, two, three, four))
    return found


def neighbours(values: Sequence[int]) -> int:
    """Return the sum of the squared differences of every two of four values."""
    one, two, three, four = values
    total = one + two + three + four
    return 4 * (one * one + two * two + three * three + four * four) - total * total


def nearest(weight: int) -> Shape:
    """Return the shape `nearest`: the nearer the places the better, whatever the sides."""

    def shape(_: int, a: int, b: int, c: int, d: int) -> Three:
        total = a + b + c + d
        cost = weight * (4 * (a * a + b * b + c * c + d * d) - total * total)
        return cost, cost, cost

    return shape


def nearest_left(weight: int) -> Callable[[Sequence[int]], int]:
    """Return what `nearest` costs at least for players given in order of their places."""

    def left(places: Sequence[int]) -> int:
        fours = (places[at : at + 4] for at in range(0, len(places), 4))
        return weight * sum(neighbours(four) for four in fours)

    return left


def fixed(pattern: Pattern, tables: int, weight: int) -> Shape:
    """Return a shape that wants certain places: squares of how far each player is from its."""
    places = wanted(pattern, tables)

    def apart(table: int, a: int, b: int, c: int, d: int) -> int:
        one, two, three, four = places[table]
        first, last = (one, two), (three, four)
        return min(
            (a - i) ** 2 + (b - j) ** 2 + (c - k) ** 2 + (d - m) ** 2
            for (i, j), (k, m) in ((first, last), (last, first))
        )

    def shape(table: int, a: int, b: int, c: int, d: int) -> Three:
        return (
            weight * apart(table, a, d, b, c),
            weight * apart(table, a, c, b, d),
            weight * apart(table, a, b, c, d),
        )

    return shape


def spread(clubs: Sequence[int], weight: int) -> Shape:
    """Return the shape `spread`: few club-mates at a table, and then as partners.

    `clubs` numbers the club of every place, 0 for none. All else is left to the lot.
    """
    pair_weight = weight << 15

    def shape(_: int, a: int, b: int, c: int, d: int) -> Three:
        one, two, three, four = clubs[a], clubs[b], clubs[c], clubs[d]
        ab, ac, ad = one == two > 0, one == three > 0, one == four > 0
        bc, bd, cd = two == three > 0, two == four > 0, three == four > 0
        pairs = ab + ac + ad + bc + bd + cd
        if not pairs:
            return 0, 0, 0
        cost = pairs * pair_weight
        return (
            cost + weight * (pairs - ad - bc),
            cost + weight * (pairs - ac - bd),
            cost + weight * (pairs - ab - cd),
        )

    return shape
