"""What a tile is called aloud, each by its whole name: players have names of their own."""

from __future__ import annotations

from django.utils.translation import gettext
from django.utils.translation import gettext_noop as marked

from engine.tiles import Tile

TILE_NAMES = {
    "0-0": marked("double blank"),
    "1-0": marked("one-blank"),
    "1-1": marked("double one"),
    "2-0": marked("two-blank"),
    "2-1": marked("two-one"),
    "2-2": marked("double two"),
    "3-0": marked("three-blank"),
    "3-1": marked("three-one"),
    "3-2": marked("three-two"),
    "3-3": marked("double three"),
    "4-0": marked("four-blank"),
    "4-1": marked("four-one"),
    "4-2": marked("four-two"),
    "4-3": marked("four-three"),
    "4-4": marked("double four"),
    "5-0": marked("five-blank"),
    "5-1": marked("five-one"),
    "5-2": marked("five-two"),
    "5-3": marked("five-three"),
    "5-4": marked("five-four"),
    "5-5": marked("double five"),
    "6-0": marked("six-blank"),
    "6-1": marked("six-one"),
    "6-2": marked("six-two"),
    "6-3": marked("six-three"),
    "6-4": marked("six-four"),
    "6-5": marked("six-five"),
    "6-6": marked("double six"),
}


def tile_name(tile: Tile | str) -> str:
    """Return the name of `tile` in the reader's language."""
    return gettext(TILE_NAMES[str(tile if isinstance(tile, Tile) else Tile.parse(tile))])


def tile_names() -> dict[str, str]:
    """Return every tile's name in the reader's language, by notation."""
    return {notation: gettext(name) for notation, name in TILE_NAMES.items()}
