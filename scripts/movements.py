"""Computes the movements that `schedule` plays where no closed form is known.

    python -m scripts.movements [--from 4] [--to 47] [--seconds 4] [--seed 1]

Whole cycles, in which everybody has everybody once as partner and twice as opponent, come from
one round whose players move on by one; all others from simulated annealing (`movements.c`,
compiled with gcc for this run only). What is found replaces what is kept only where it repeats
less, so a longer run with another seed can only improve
`tournaments/competition/movements.txt`. Needs half an hour on one core.
"""

from __future__ import annotations

import argparse
import math
import random
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path
from typing import TypeAlias

from tournaments.competition.movements import (
    COMPUTED,
    DIGITS,
    Movement,
    bounds,
    computed,
    fours,
    repeats,
)

# Up to here every number of rounds has its own movement; above, 10 and 15 rounds.
SMALL = 23
LONG_EVENTS = (10, 15)
# How often the players of a cycle are swapped before it starts anew, and in all.
TRIES, ALL_TRIES = 200_000, 2_000_000

Kept: TypeAlias = dict[tuple[int, int], Movement]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--from", dest="smallest", type=int, default=4)
    parser.add_argument("--to", dest="largest", type=int, default=47)
    parser.add_argument("--seconds", type=float, default=4)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    kept = dict(computed()) if COMPUTED.exists() else {}
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder) / "movements"
        source = Path(__file__).with_suffix(".c")
        subprocess.run(["gcc", "-O3", "-o", program, source, "-lm"], check=True)
        for players in range(asked.smallest, asked.largest + 1):
            cycle = whole_cycle(kept, players, asked.seed)
            for rounds in lengths(players):
                keep(kept, (players, rounds), cycle[:rounds])
                anneal(program, kept, (players, rounds), asked.seconds, asked.seed)
            write(kept)


def lengths(players: int) -> Sequence[int]:
    """Return the numbers of rounds a field has a movement for.

    The longest is a whole cycle, or as long as nobody need have a partner again.
    """
    cycle = players if players % 4 else players - 1
    if players > SMALL:
        return (*LONG_EVENTS, cycle) if players % 4 < 2 else LONG_EVENTS
    longest = players * (players - 1) // (players // 4 * 4)
    return range(2, max(cycle, longest) + 1)


def keep(kept: Kept, key: tuple[int, int], found: Movement) -> None:
    """Keep a movement if it is the first of its size or the best, and say so."""
    if len(found) == key[1] and (key not in kept or worth(found) < worth(kept[key])):
        kept[key] = found
        sys.stdout.write(f"{key}: {worth(found)}, bound {bounds(*key)}\n")
        sys.stdout.flush()


def worth(movement: Movement) -> tuple[int, int, int]:
    """Return the repeated partners, opponents and table-mates."""
    mates = Counter(
        frozenset(two)
        for seats in movement
        for four in fours(seats)
        for two in combinations(four, 2)
    )
    return *repeats(movement), sum(times * (times - 1) // 2 for times in mates.values())


def anneal(program: Path, kept: Kept, key: tuple[int, int], seconds: float, seed: int) -> None:
    """Look for a better movement, first with an eye on table-mates, then without."""
    players, rounds = key
    if players > SMALL and rounds > max(LONG_EVENTS):
        return
    for mates in (1, 0):
        if key in kept and repeats(kept[key]) == bounds(*key) and (not mates or players <= SMALL):
            return
        arguments = [str(one) for one in (*key, seconds, seed, mates, *bounds(*key))]
        printed = subprocess.run([program, *arguments], check=True, capture_output=True, text=True)
        keep(
            kept,
            key,
            [[int(one) for one in line.split()] for line in printed.stdout.split("\n")[1:-1]],
        )


def whole_cycle(kept: Kept, players: int, seed: int) -> Movement:
    """Return a round that moves on by one until all have met, or nothing where none is found.

    With a number divisible by four the last player stays where it is; with one more, the first
    of the round rests.
    """
    ring = players if players % 4 else players - 1
    if players % 4 > 1 or players < 5:
        return []
    if (players, ring) in kept and repeats(kept[players, ring]) == bounds(players, ring):
        return kept[players, ring]
    chance = random.Random(seed)  # noqa: S311 - a search, no secret
    round_ = _Cycle(players, ring, chance).seats(ALL_TRIES)
    return (
        [[one if one == ring else (one + turn) % ring for one in round_] for turn in range(ring)]
        if round_
        else []
    )


class _Cycle:
    """One round, in search of all differences: each once as partners, twice as opponents."""

    def __init__(self, players: int, ring: int, chance: random.Random) -> None:
        self.ring = ring
        self.chance = chance
        self.free = list(range(players % 4, players))
        self.rests = list(range(players % 4))
        half = ring // 2 + 1
        self.counts = ([0] * half, [0] * half)
        chance.shuffle(self.free)
        for four in fours(self.free):
            self._count(four, 1)

    def seats(self, tries: int) -> list[int]:
        """Return the round, or nothing after so many tries."""
        cost = self._cost()
        for number in range(tries):
            if not cost:
                return self.free + self.rests
            heat = 3 * 0.1 ** (number % TRIES / TRIES)
            one, other = (self.chance.randrange(len(self.free)) for _ in range(2))
            self._swap(one, other)
            new = self._cost()
            if new > cost and self.chance.random() > math.exp((cost - new) / heat):
                self._swap(one, other)
            else:
                cost = new
        return []

    def _swap(self, one: int, other: int) -> None:
        tables = sorted({one // 4 * 4, other // 4 * 4})
        for by in (-1, 1):
            for at in tables:
                self._count(self.free[at : at + 4], by)
            if by < 0:
                self.free[one], self.free[other] = self.free[other], self.free[one]

    def _count(self, four: Sequence[int], by: int) -> None:
        one, two, three, last = four
        partners, opponents = self.counts
        for a, b in ((one, two), (three, last)):
            partners[self._apart(a, b)] += by
        for a, b in ((one, three), (one, last), (two, three), (two, last)):
            opponents[self._apart(a, b)] += by

    def _apart(self, one: int, other: int) -> int:
        """Return the difference on the ring; 0 with the one that stays."""
        if self.ring in (one, other):
            return 0
        ahead = (one - other) % self.ring
        return min(ahead, self.ring - ahead)

    def _cost(self) -> int:
        partners, opponents = self.counts
        return sum(2 * (times - 1) ** 2 for times in partners[1:]) + sum(
            (times - 2) ** 2 for times in opponents[1:]
        )


def write(kept: Kept) -> None:
    """Write the movements, without those that begin a longer one just as good."""
    COMPUTED.write_text("\n\n".join(blocks(kept)) + "\n", encoding="ascii")


def blocks(kept: Kept) -> Iterator[str]:
    for (players, rounds), movement in sorted(kept.items()):
        longer = [kept[key] for key in kept if key[0] == players and key[1] > rounds]
        if any(repeats(one[:rounds]) <= repeats(movement) for one in longer):
            continue
        lines = [f"{players} {rounds}"]
        for seats in movement:
            digits = "".join(DIGITS[one] for one in seats)
            lines.append(" ".join(digits[at : at + 4] for at in range(0, players, 4)))
        yield "\n".join(lines)


if __name__ == "__main__":
    main()
