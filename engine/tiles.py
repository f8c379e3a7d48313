"""Tile and the double-six set."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from engine.errors import DominoError, marked

HIGHEST = 6
_WRITTEN = re.compile(r"([0-6])-?([0-6])")


class BadTile(DominoError):
    """Text that names no tile of the set."""

    code = "bad_tile"
    text = marked(
        "“%(given)s” is not a tile. Write two numbers from 0 to 6, the larger first, such as 6-3."
    )


@dataclass(frozen=True, slots=True, order=True)
class Tile:
    """One domino. The halves are kept in order, so 4-6 and 6-4 are the same tile."""

    low: int
    high: int
    index: int = field(init=False, compare=False, repr=False)
    """Place in `TILES`, 0 to 27: 0-0, 1-0, 1-1, 2-0, …"""

    def __post_init__(self) -> None:
        if not 0 <= self.low <= self.high <= HIGHEST:
            raise ValueError(f"expected 0 <= low <= high <= 6, got {self.low} and {self.high}")
        object.__setattr__(self, "index", index_of(self.low, self.high))

    @classmethod
    def parse(cls, text: str) -> Tile:
        """Read `6-4`, `4-6`, `64` or `46`; raises BadTile."""
        found = _WRITTEN.fullmatch(text)
        if found is None:
            raise BadTile(given=text[:20])
        one, other = int(found[1]), int(found[2])
        return TILES[index_of(one, other)]

    def __str__(self) -> str:
        return f"{self.high}-{self.low}"

    @property
    def pips(self) -> int:
        """Dots on both halves."""
        return self.low + self.high

    @property
    def is_double(self) -> bool:
        return self.low == self.high

    def has(self, number: int) -> bool:
        return number in (self.low, self.high)

    def other_half(self, number: int) -> int:
        """Return the half beside `number`; ValueError when the tile has no such half."""
        if not self.has(number):
            raise ValueError(f"{self} has no {number}")
        return self.low + self.high - number


def index_of(one: int, other: int) -> int:
    """Return the place in `TILES` of the tile with these two halves, in either order."""
    low, high = (one, other) if one <= other else (other, one)
    return high * (high + 1) // 2 + low


TILES: tuple[Tile, ...] = tuple(
    Tile(low, high) for high in range(HIGHEST + 1) for low in range(high + 1)
)
SET_SIZE = len(TILES)
SET_PIPS = sum(tile.pips for tile in TILES)  # 168
HAND_SIZE = 7
