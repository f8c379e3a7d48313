"""What became of each tile at an event, as a picture and as the table that says the same."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.safestring import SafeString

from engine.tiles import TILES
from referee.statistics import Figures
from referee.tile_pictures import bars_svg, grid_svg


@dataclass(frozen=True, slots=True)
class TileRow:
    """How often a tile opened a round, ended one, and was left in a hand."""

    tile: str
    opened: int
    ended: int
    left: int


@dataclass(frozen=True, slots=True)
class NumberRow:
    """How often somebody passed while a number lay open."""

    number: int
    passes: int


@dataclass(frozen=True, slots=True)
class TilesShown:
    rows: tuple[TileRow, ...]
    numbers: tuple[NumberRow, ...]
    opened: SafeString
    left: SafeString
    told: SafeString
    left_known: int


def tiles_shown(figures: Figures) -> TilesShown | None:
    """Return what became of each tile; None where no round was recorded move by move."""
    if not figures.followed:
        return None
    names = [str(tile) for tile in TILES]
    return TilesShown(
        rows=tuple(
            TileRow(one, figures.openings[one], figures.last_tiles[one], figures.left[one])
            for one in names
        ),
        numbers=tuple(NumberRow(number, figures.told[number]) for number in range(7)),
        opened=grid_svg(figures.openings),
        left=grid_svg(figures.left),
        told=bars_svg(figures.told),
        left_known=figures.left_known,
    )
