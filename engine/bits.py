"""Tiles as bits: the tables the inner module counts with.

A tile is a number 0 to 27 (`Tile.index`), a set of tiles a mask with that bit for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

from engine.tiles import SET_SIZE, TILES

ALL: Final = (1 << SET_SIZE) - 1
LOW: Final = tuple(tile.low for tile in TILES)
HIGH: Final = tuple(tile.high for tile in TILES)
BIT: Final = tuple(1 << number for number in range(SET_SIZE))
# OTHER[tile][number]: the half beside `number`, or -1 when the tile has no such half.
OTHER: Final = tuple(
    tuple(tile.other_half(number) if tile.has(number) else -1 for number in range(7))
    for tile in TILES
)
HAVING: Final = tuple(
    sum(BIT[tile.index] for tile in TILES if tile.has(number)) for number in range(7)
)
# FITTING[left][right]: the tiles that fit one of the two ends.
FITTING: Final = tuple(tuple(HAVING[one] | HAVING[two] for two in range(7)) for one in range(7))


def mask_of(tiles: Iterable[int]) -> int:
    """Return the mask with these tiles."""
    mask = 0
    for tile in tiles:
        mask |= BIT[tile]
    return mask


def tiles_of(mask: int) -> Iterator[int]:
    """Yield the tiles of a mask, lowest first."""
    while mask:
        lowest = mask & -mask
        yield lowest.bit_length() - 1
        mask ^= lowest


def pips_of(mask: int) -> int:
    return sum(LOW[tile] + HIGH[tile] for tile in tiles_of(mask))


def named(mask: int) -> str:
    """Return the tiles of a mask as text, heaviest first."""
    return " ".join(str(TILES[tile]) for tile in reversed(list(tiles_of(mask)))) or "–"
