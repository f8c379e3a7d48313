"""How often each tile was something, and how often a number was passed on: pictures by the server.

Both are hidden from screen readers: a table beside them says the same.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi

from engine.tiles import TILES
from tournaments.digits import local_digits

_CELL: Final = 48
_HIGHEST: Final = 6
_SIZE: Final = _CELL * (_HIGHEST + 2)
# Shades of a cell, from never to most often.
SHADES: Final = 5
_BAR, _BARS_HEIGHT, _FOOT, _HEAD = 48, 150, 30, 26


def shade(count: int, most: int) -> int:
    """Return how dark a cell is: 0 for never, the darkest for the most frequent."""
    return -(-count * SHADES // most) if count else 0


def grid_svg(counts: Mapping[str, int]) -> SafeString:
    """Draw the tiles as a triangle, the lower half across and the higher one down."""
    most = max(counts.values(), default=1) or 1
    cells = format_html_join(
        "",
        '<g transform="translate({} {})">'
        '<rect class="cell shade-{}" width="{}" height="{}" rx="6"/>'
        '<text x="{}" y="{}">{}</text></g>',
        (
            (
                _across(tile.low + 1),
                tile.high * _CELL,
                shade(counts.get(str(tile), 0), most),
                _CELL - 4,
                _CELL - 4,
                _CELL // 2 - 2,
                _CELL // 2 + 4,
                local_digits(counts.get(str(tile), 0)),
            )
            for tile in TILES
        ),
    )
    numbers = range(_HIGHEST + 1)
    heads = [(_across(0) + _CELL // 2, one * _CELL + _CELL // 2 + 4, one) for one in numbers]
    heads += [
        (_across(one + 1) + _CELL // 2 - 2, (_HIGHEST + 1) * _CELL + 24, one) for one in numbers
    ]
    named = format_html_join(
        "",
        '<text class="head" x="{}" y="{}">{}</text>',
        ((x, y, local_digits(n)) for x, y, n in heads),
    )
    return format_html(
        '<svg class="tile-grid" viewBox="0 0 {} {}" aria-hidden="true">{}{}</svg>',
        _SIZE,
        _SIZE - 12,
        cells,
        named,
    )


def _across(column: int) -> int:
    """Return where a column begins, in the direction of reading."""
    return (_HIGHEST + 1 - column if get_language_bidi() else column) * _CELL


def bars_svg(counts: Mapping[int, int]) -> SafeString:
    """Draw a bar for each number of pips."""
    most = max(counts.values(), default=1) or 1
    bars = []
    for number in range(_HIGHEST + 1):
        count = counts.get(number, 0)
        height = round(count * _BARS_HEIGHT / most)
        place = _HIGHEST - number if get_language_bidi() else number
        bars.append(
            (
                place * _BAR + 6,
                _HEAD + _BARS_HEIGHT - height,
                _BAR - 12,
                height,
                place * _BAR + _BAR // 2,
                _HEAD + _BARS_HEIGHT - height - 8,
                local_digits(count),
                place * _BAR + _BAR // 2,
                _HEAD + _BARS_HEIGHT + 24,
                local_digits(number),
            )
        )
    return format_html(
        '<svg class="tile-bars" viewBox="0 0 {} {}" aria-hidden="true">{}</svg>',
        _BAR * (_HIGHEST + 1),
        _HEAD + _BARS_HEIGHT + _FOOT,
        format_html_join(
            "",
            '<rect class="told-bar" x="{}" y="{}" width="{}" height="{}" rx="3"/>'
            '<text x="{}" y="{}">{}</text><text class="head" x="{}" y="{}">{}</text>',
            bars,
        ),
    )
