"""Tiles and the line of play as SVG. `tiles.js` draws the same in the referee's page."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from engine.tiles import Tile
from tournaments.layout_of_line import Place, lay_out

UNIT = 40  # half the length of a tile
APART = 11  # from the middle of a half to its outer pips

_CENTRE = ((0, 0),)
_DIAGONAL = ((-1, -1), (1, 1))
_CORNERS = ((-1, -1), (1, -1), (-1, 1), (1, 1))
PIPS: tuple[tuple[tuple[int, int], ...], ...] = (
    (),
    _CENTRE,
    _DIAGONAL,
    _DIAGONAL + _CENTRE,
    _CORNERS,
    _CORNERS + _CENTRE,
    ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
)


class LaidTile(Protocol):
    """A tile of the line of play; `left` and `right` are its halves as they lie."""

    @property
    def left(self) -> int: ...
    @property
    def right(self) -> int: ...
    @property
    def event(self) -> int: ...
    @property
    def standing(self) -> bool: ...


def _dots(number: int, middle: int) -> str:
    return "".join(f"M{middle + APART * x} {APART * y}h.1" for x, y in PIPS[number])


def _tile(left: int, right: int) -> SafeString:
    """Draw a lying tile around 0, 0. Every pip is one round end of a stroke."""
    return mark_safe(  # noqa: S308  numbers only
        '<rect class="face" x="-39" y="-19" width="78" height="38" rx="7"/>'
        '<path class="bar" d="M0-13V13"/><path class="pin" d="M0 0h.1"/>'
        f'<path class="pips" d="{_dots(left, -20)}{_dots(right, 20)}"/>'
    )


def tile_svg(
    left: int, right: int, *, label: str, vertical: bool = False, size: str = ""
) -> SafeString:
    """Draw one tile. `vertical` stands it up with `left` on top; no label hides it."""
    drawn = _tile(left, right)
    return format_html(
        '<svg class="tile{}{}" viewBox="{}"{}>{}</svg>',
        " vertical" if vertical else "",
        f" {size}" if size else "",
        "-21 -41 42 82" if vertical else "-41 -21 82 42",
        _spoken(label),
        format_html('<g transform="rotate(90)">{}</g>', drawn) if vertical else drawn,
    )


def pips_svg(number: int, *, label: str) -> SafeString:
    """Draw one half of a tile."""
    return format_html(
        '<svg class="half" viewBox="-21 -21 42 42"{}>'
        '<rect class="face" x="-19" y="-19" width="38" height="38" rx="7"/>'
        '<path class="pips" d="{}"/></svg>',
        _spoken(label),
        _dots(number, 0),
    )


def _spoken(label: str) -> SafeString:
    if not label:
        return mark_safe(' aria-hidden="true"')
    return format_html(' role="img" aria-label="{}"', label)


def line_svg(line: Sequence[LaidTile], *, width: float) -> SafeString:
    """Draw the line of play. Hidden from screen readers: the page lists the tiles beside it."""
    events = [laid.event for laid in line]
    first, last = events.index(min(events)), events.index(max(events))
    drawing = lay_out([(laid.left, laid.right) for laid in line], first=first, width=width)
    tiles = format_html_join(
        "",
        '<g class="laid{}{}" transform="translate({} {}) rotate({})">{}{}{}</g>',
        (
            (
                " last" if index == last else "",
                " standing" if laid.standing else "",
                *_at(place),
                _tile(laid.left, laid.right),
                _open_half(laid, left=True) if index == 0 else "",
                _open_half(laid, left=False) if index == len(line) - 1 else "",
            )
            for index, (laid, place) in enumerate(zip(line, drawing.places, strict=True))
        ),
    )
    return format_html(
        '<svg class="line-drawing" viewBox="-4 -4 {} {}" aria-hidden="true">{}</svg>',
        round(drawing.width * UNIT) + 8,
        round(drawing.height * UNIT) + 8,
        tiles,
    )


def growing_line_svg(
    line: Sequence[LaidTile], since: Sequence[int], *, at: int, width: float
) -> SafeString:
    """Draw the line of play as it grows: each tile from its step `since`, as step `at` has it.

    No tile moves, so the picture keeps its size. What comes and goes carries its steps.
    """
    first = since.index(min(since))
    drawing = lay_out([(laid.left, laid.right) for laid in line], first=first, width=width)
    tiles = []
    for index, (laid, place) in enumerate(zip(line, drawing.places, strict=True)):
        outer = []
        # A half is open until the next tile of its arm lies beside it.
        if index <= first:
            outer.append((since[index - 1] if index else None, _open_half(laid, left=True)))
        if index >= first:
            is_end = index == len(line) - 1
            outer.append((None if is_end else since[index + 1], _open_half(laid, left=False)))
        rings = format_html_join(
            "",
            "<g{}>{}</g>",
            ((steps(since[index], until, at), ring) for until, ring in outer),
        )
        tiles.append(
            format_html(
                '<g class="laid{}" transform="translate({} {}) rotate({})"{}>{}{}{}</g>',
                " standing" if laid.standing else "",
                *_at(place),
                steps(since[index], None, at),
                _tile(laid.left, laid.right),
                rings,
                format_html(
                    '<rect class="newest" x="-39" y="-19" width="78" height="38" rx="7"{}/>',
                    steps(since[index], since[index] + 1, at),
                ),
            )
        )
    return format_html(
        '<svg class="line-drawing growing" viewBox="-4 -4 {} {}" aria-hidden="true">{}</svg>',
        round(drawing.width * UNIT) + 8,
        round(drawing.height * UNIT) + 8,
        format_html_join("", "{}", ((one,) for one in tiles)),
    )


def steps(since: int, until: int | None, at: int) -> SafeString:
    """Return the attributes of something that is there from step `since` to before `until`."""
    is_there = since <= at and (until is None or at < until)
    return format_html(
        ' data-since="{}"{}{}',
        since,
        "" if until is None else format_html(' data-until="{}"', until),
        "" if is_there else mark_safe(" data-away"),
    )


def _at(place: Place) -> tuple[int, int, int]:
    return round(place.x * UNIT), round(place.y * UNIT), place.turn


def _open_half(laid: LaidTile, *, left: bool) -> SafeString:
    """Ring the open half; a double is open with both."""
    if laid.left == laid.right:
        return mark_safe('<rect class="open" x="-39" y="-19" width="78" height="38" rx="7"/>')
    return format_html(
        '<rect class="open" x="{}" y="-19" width="39" height="38" rx="7"/>', -39 if left else 0
    )


def tile_of(text: Tile | str) -> tuple[int, int]:
    """Return the halves as they are to be drawn: as written, or the larger first."""
    if isinstance(text, Tile):
        return text.high, text.low
    tile = Tile.parse(text)
    return (tile.low, tile.high) if text[0] == str(tile.low) else (tile.high, tile.low)
