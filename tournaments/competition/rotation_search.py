"""Looks for the seating of a rotating round that costs least, by swaps or exactly."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from copy import copy
from dataclasses import dataclass, replace
from functools import cache
from itertools import combinations
from typing import TypeAlias

from tournaments.competition.rotation_costs import FORBIDDEN, OPPONENT, PARTNER, Field, Four
from tournaments.competition.rotation_pairs import in_pairs

# Four places at each table; their order says nothing.
Tables: TypeAlias = list[list[int]]

# Swaps are looked for so many tables up and down, farther while a table repeats something.
NEAR = 1
FAR = 64
# Up to so many players the least is looked for exactly.
EXACT = 24
# How many tables may be tried by swaps, for every player and in all; a tenth of that where the
# exact search follows.
BUDGET, LEAST_BUDGET = 100, 100_000
KICKS = 800
# Up to so many players, repeated partners are looked at by a matching of all of them, and
# tables that nobody forbids from so many other seatings.
MATCHED, RESTARTS = 200, 10
# How many tables the exact search may look at before it gives up; one that fits counts for more.
STEPS, SEATED = 6_000_000, 10


class Swaps:
    """A seating that gets better by swapping two players of different tables."""

    def __init__(self, field: Field, tables: Iterable[Iterable[int]], budget: int) -> None:
        self.field = field
        self.tables: Tables = [list(four) for four in tables]
        self.costs = [field.cost(table, four) for table, four in enumerate(self.tables)]
        self.budget = budget
        """How many more tables may be tried."""

    def copy(self) -> Swaps:
        """Return the same seating, to try something with."""
        other = copy(self)
        other.tables = [list(four) for four in self.tables]
        other.costs = list(self.costs)
        return other

    @property
    def cost(self) -> int:
        return sum(self.costs)

    @property
    def repeating(self) -> list[int]:
        """The tables at which something is repeated or forbidden."""
        return [table for table, cost in enumerate(self.costs) if cost >= OPPONENT]

    def improve(self, start: Iterable[int]) -> None:
        """Swap while it helps, from these tables on."""
        pending = deque(start)
        waiting = set(pending)
        while pending and self.budget > 0:
            table = pending.popleft()
            waiting.discard(table)
            for other in self._improve_one(table):
                if other not in waiting:
                    waiting.add(other)
                    pending.append(other)

    def exchange(self, table: int, seat: int, other: int, other_seat: int) -> None:
        """Swap two players, whatever it costs."""
        one, two = self.tables[table], self.tables[other]
        one[seat], two[other_seat] = two[other_seat], one[seat]
        for changed in (table, other):
            self.costs[changed] = self.field.cost(changed, self.tables[changed])

    def _improve_one(self, table: int) -> tuple[int, ...]:
        """Make the best swap with a table near by, or a far one if it must be."""
        reach, before = NEAR, 0
        while True:
            best = self._best_swap(table, before, reach)
            if best is not None:
                self.exchange(*best)
                return table, best[2]
            before, reach = reach, 4 * reach
            cost = self.costs[table]
            far = len(self.tables) if cost >= FORBIDDEN else FAR if cost >= OPPONENT else NEAR
            if before >= min(far, len(self.tables)):
                return ()

    def _best_swap(self, table: int, nearer: int, reach: int) -> tuple[int, int, int, int] | None:
        cost, tables, costs = self.field.cost, self.tables, self.costs
        four, here = tables[table], costs[table]
        staying = [self.field.least_with(*four[:seat], *four[seat + 1 :]) for seat in range(4)]
        found, gain = None, 0
        for other in around(table, nearer, reach, len(tables)):
            others, there = tables[other], costs[other]
            together = here + there
            if together <= gain:
                continue
            for seat, mine in enumerate(four):
                if together - staying[seat] <= gain:
                    continue
                for other_seat in range(4):
                    self.budget -= 1
                    theirs = others[other_seat]
                    four[seat] = theirs
                    left = together - cost(table, four)
                    four[seat] = mine
                    if left <= gain:
                        continue
                    others[other_seat] = mine
                    left -= cost(other, others)
                    others[other_seat] = theirs
                    if left > gain:
                        found, gain = (table, seat, other, other_seat), left
        return found


def around(table: int, nearer: int, reach: int, tables: int) -> Iterator[int]:
    """Yield the tables up to `reach` away but farther than `nearer`, the nearest first."""
    for step in range(nearer + 1, min(reach, tables) + 1):
        if table >= step:
            yield table - step
        if table + step < tables:
            yield table + step


def shuffled(tables: Tables, chance: Callable[[int], int]) -> Tables:
    """Return tables of the same players in any order."""
    players = [place for four in tables for place in four]
    for last in range(len(players) - 1, 0, -1):
        other = chance(last + 1)
        players[last], players[other] = players[other], players[last]
    return [players[at : at + 4] for at in range(0, len(players), 4)]


def by_swaps(
    field: Field,
    start: Tables,
    *,
    budget: int,
    kicks: int,
    chance: Callable[[int], int],
    in_shape: bool = False,
) -> Swaps:
    """Return the best seating that swaps lead to from `start`.

    `in_shape` says that only tables that repeat something can be bettered there. While
    something is repeated, up to `kicks` times three players near it are swapped at random,
    and what comes of that is kept if it is better.
    """
    best = Swaps(field, start, budget)
    best.improve(best.repeating if in_shape else range(len(start)))
    for _ in range(kicks):
        repeating = best.repeating
        if not repeating or best.budget <= 0 or len(best.tables) < 2:
            break
        trial = best.copy()
        touched = set()
        for _ in range(3):
            table = repeating[chance(len(repeating))]
            other = (table + 1 + chance(len(best.tables) - 1)) % len(best.tables)
            trial.exchange(table, chance(4), other, chance(4))
            touched |= {table, other}
        trial.improve(sorted(touched))
        best.budget = trial.budget
        if trial.cost < best.cost:
            best = trial
    return best


def exactly(
    size: int,
    cost: Callable[[int, Sequence[int]], int],
    rest: Callable[[Sequence[int]], int],
    upper: int,
) -> tuple[Tables | None, bool]:
    """Return the seating that costs least if it costs less than `upper`, and whether it is proved.

    Tables are filled in order, each from the best-placed player left; of two ways to seat the
    same players only the better one is followed. `rest` is a lower bound for those still
    standing.
    """
    # What is seated so far as (cost, tables), by those still standing as bits.
    layer: dict[int, tuple[int, tuple[tuple[int, ...], ...]]] = {(1 << size) - 1: (0, ())}
    steps = 0

    @cache
    def tables(table: int, first: int) -> list[tuple[int, int, tuple[int, ...]]]:
        """Return every table the player may be the best-placed of: as bits, its cost, the four."""
        fours = ((first, *three) for three in combinations(range(first + 1, size), 3))
        priced = ((cost(table, four), four) for four in fours)
        return [
            (sum(1 << one for one in four), price, four) for price, four in priced if price < upper
        ]

    for table in range(size // 4):
        following: dict[int, tuple[int, tuple[tuple[int, ...], ...]]] = {}
        for standing, (so_far, seated) in layer.items():
            first = (standing & -standing).bit_length() - 1
            choice = tables(table, first)
            steps += len(choice)
            for bits, price, four in choice:
                total = so_far + price
                if bits & ~standing or total >= upper:
                    continue
                steps += SEATED
                left = standing ^ bits
                if left in following and following[left][0] <= total:
                    continue
                if total + rest([place for place in range(size) if left >> place & 1]) < upper:
                    following[left] = (total, (*seated, four))
            if steps > STEPS:
                return None, False
        layer = following
    if not layer:
        return None, True
    return [list(four) for four in layer[0][1]], True


def search(field: Field, start: Tables, chance: Callable[[int], int], *, in_shape: bool) -> Found:
    """Return the best seating found from `start`, with what is known of its repeats.

    `in_shape` says that no seating costs less than `start` in shape.
    """
    few = field.size <= EXACT
    budget = LEAST_BUDGET // 10 if few else LEAST_BUDGET + BUDGET * field.size

    def swapped(tables: Tables, *, in_shape: bool = False) -> Tables:
        return by_swaps(
            field, tables, budget=budget, kicks=KICKS, chance=chance, in_shape=in_shape
        ).tables

    found = Found.of(field, swapped(start, in_shape=in_shape), fewest(field))
    if few:
        upper = min(found.cost, FORBIDDEN)
        better, proved = exactly(field.size, field.cost, field.rest, upper)
        found = found.replaced(field, better)
        if proved:
            return found.proved()
    if field.size > MATCHED:
        return found
    for _ in range(RESTARTS):
        if found.cost < FORBIDDEN or is_hopeless(field):
            break
        found = found.replaced(field, swapped(shuffled(start, chance)))
    if found.partners > found.bounds[0]:
        paired = in_pairs(field)
        if paired is not None:
            found = found.replaced(field, swapped(paired[0]))
            found = replace(found, bounds=(paired[1], found.bounds[1]))
    if few and not found.is_least:
        # All was too much to look through: look at the repeats alone, which matter most.
        upper = found.cost // OPPONENT
        better, proved = exactly(field.size, field.repeats, lambda _: 0, upper)
        found = found.replaced(field, swapped(better) if better else None)
        if proved:
            return found.proved()
    return found


@dataclass(frozen=True, slots=True)
class Found:
    """A seating and what it costs; `bounds` are the fewest partners and opponents repeated.

    Its tables stand in the order of the best-placed player at them, as they will be numbered.
    """

    seated: tuple[Four, ...]
    cost: int
    bounds: tuple[int, int]

    @classmethod
    def of(cls, field: Field, tables: Tables, bounds: tuple[int, int]) -> Found:
        numbered = list(enumerate(sorted(tables, key=min)))
        cost = sum(field.cost(table, four) for table, four in numbered)
        return cls(tuple(field.seats(table, four) for table, four in numbered), cost, bounds)

    def replaced(self, field: Field, tables: Tables | None) -> Found:
        """Return these tables instead if there are any and they cost less."""
        other = self if tables is None else Found.of(field, tables, self.bounds)
        return min(self, other, key=lambda one: one.cost)

    def proved(self) -> Found:
        """Return the same as what nothing can be below."""
        return replace(self, bounds=(self.partners, self.opponents))

    @property
    def partners(self) -> int:
        return self.cost % FORBIDDEN // PARTNER

    @property
    def opponents(self) -> int:
        return self.cost % PARTNER // OPPONENT

    @property
    def is_least(self) -> bool:
        return (self.partners, self.opponents) == self.bounds


def is_hopeless(field: Field) -> bool:
    """Tell whether somebody may sit with fewer than three others."""
    return any(
        sum(cost >= FORBIDDEN for cost in row.values()) > field.size - 4
        for row in field.as_partners
    )


def fewest(field: Field) -> tuple[int, int]:
    """Return how few partners and opponents must be repeated, as far as each player alone shows.

    Everybody takes the partner and the two opponents met least; each meeting counts for two.
    """
    partners = opponents = 0
    for place in range(field.size):
        others = field.size - 1
        if len(field.as_partners[place]) == others:
            partners += min(field.as_partners[place].values()) >= PARTNER
        if len(field.as_opponents[place]) >= others - 1:
            times = sorted(field.as_opponents[place].values())
            times = [0] * (others - len(times)) + times
            opponents += sum(one % FORBIDDEN // OPPONENT for one in times[:2])
    return (partners + 1) // 2, (opponents + 1) // 2
