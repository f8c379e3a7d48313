"""How four rings of players turn against each other so that nobody meets anybody twice.

At a table sit place i of the first ring and places i + a, i + b and i + c of the others. Two
players meet in a second round only if two rounds share a, b, c or the difference of two of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from tournaments.competition.lots import dice

# By how much the second, third and fourth ring are turned against the first.
Steps: TypeAlias = tuple[int, int, int]

# How many steps the search may try.
TRIES = 300_000


def ring_steps(size: int, rounds: int) -> list[Steps]:
    """Return the steps of each round for rings of `size` places, or of as many as are found.

    Steps r, 2r and 3r never share anything while no difference of two r, taken once, twice or
    three times, is a whole turn. Where that ends too early, steps are searched.
    """
    share = 3 if size % 3 == 0 else 2 - size % 2
    multiples = size // share
    closed = [(step, 2 * step, 3 * step) for step in range(min(rounds, multiples))]
    if len(closed) == rounds:
        return closed
    return max(closed, _Search(size, rounds).best, key=len)


class _Search:
    """Fills round after round with steps, and takes back where no more fit."""

    def __init__(self, size: int, rounds: int) -> None:
        self.size = size
        self.rounds = rounds
        self.best: list[Steps] = []
        self._found: list[Steps] = []
        self._used: tuple[set[int], ...] = tuple(set() for _ in range(6))
        self._throw = dice(size)
        self._tries = TRIES
        self._follow(0)

    @property
    def _is_over(self) -> bool:
        return len(self.best) >= self.rounds or self._tries < 0

    def _follow(self, least: int) -> None:
        """Add steps whose first is `least` or more; rounds are looked for in order of it."""
        if len(self._found) > len(self.best):
            self.best = list(self._found)
        for first in range(least, self.size):
            if len(self._found) + self.size - first <= len(self.best):
                return
            for steps in self._free(first):
                if self._is_over:
                    return
                self._found.append(steps)
                taken = self._differences(steps)
                for used, one in zip(self._used, taken, strict=True):
                    used.add(one)
                self._follow(first + 1)
                for used, one in zip(self._used, taken, strict=True):
                    used.remove(one)
                self._found.pop()

    def _free(self, a: int) -> Iterator[Steps]:
        size, used = self.size, self._used
        start, other_start = self._throw(size), self._throw(size)
        for b in ((start + one) % size for one in range(size)):
            if b in used[1] or (b - a) % size in used[3]:
                continue
            for c in ((other_start + one) % size for one in range(size)):
                self._tries -= 1
                if not (c in used[2] or (c - a) % size in used[4] or (c - b) % size in used[5]):
                    yield a, b, c

    def _differences(self, steps: Steps) -> tuple[int, ...]:
        a, b, c = steps
        return a, b, c, (b - a) % self.size, (c - a) % self.size, (c - b) % self.size
