"""The picture a link is shown with: its tiles, and letters as large as there is room for."""

from __future__ import annotations

from collections.abc import Sequence

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

from tournaments import drawing
from tournaments.layout_of_line import NARROWEST, Drawing, lay_out

register = template.Library()

# The room for the line of play on the picture, in pixels.
_LINE_WIDTH = 1040
_FACE, _EDGE, _INK = "#fdf9ee", "#b9ae92", "#17201c"


@register.filter
def sized(text: object, limits: str) -> str:
    """Say how long a text is, for letters as large as it allows: up to two numbers of signs."""
    middle, most = map(int, limits.split())
    return "" if len(str(text)) <= middle else "long" if len(str(text)) <= most else "longest"


@register.simple_tag
def share_mark() -> SafeString:
    """Draw the sign of the site."""
    return mark_safe(  # noqa: S308  numbers only
        '<svg class="mark" viewBox="0 0 28 54" width="24" height="46">'
        f'<rect x="1" y="1" width="26" height="52" rx="6" fill="{_FACE}"/>'
        f'<path d="M6 27h16" stroke="{_EDGE}" stroke-width="2"/>'
        + _spots(((8, 8), (20, 8), (14, 14), (8, 20), (20, 20), (8, 34), (20, 46)), 3)
        + "</svg>"
    )


@register.simple_tag
def share_pile() -> SafeString:
    """Draw some tiles where there is nothing to tell yet."""
    pairs = ((6, 6), (6, 3), (3, 5), (5, 1), (1, 1))
    drawn = format_html_join(
        "",
        '<svg viewBox="-41 -21 82 42" width="164" height="84">{}</svg>',
        ((_tile(left, right),) for left, right in pairs),
    )
    return format_html('<div class="pile" dir="ltr">{}</div>', drawn)


@register.simple_tag
def share_line(line: Sequence[drawing.LaidTile], room: int) -> SafeString:
    """Draw the line of play no higher than `room`."""
    placed = _placed(line, room)
    unit = drawing.UNIT
    width, height = round(placed.width * unit) + 8, round(placed.height * unit) + 8
    scale = min(_LINE_WIDTH / width, room / height)
    tiles = format_html_join(
        "",
        '<g transform="translate({} {}) rotate({})">{}</g>',
        (
            (
                round(place.x * unit) + 4,
                round(place.y * unit) + 4,
                place.turn,
                _tile(laid.left, laid.right),
            )
            for laid, place in zip(line, placed.places, strict=True)
        ),
    )
    return format_html(
        '<svg viewBox="0 0 {} {}" width="{}" height="{}">{}</svg>',
        width,
        height,
        round(width * scale),
        round(height * scale),
        tiles,
    )


def _placed(line: Sequence[drawing.LaidTile], room: int) -> Drawing:
    """Lay the line out as wide as lets its tiles be drawn largest."""
    events = [laid.event for laid in line]
    halves = [(laid.left, laid.right) for laid in line]
    first = events.index(min(events))
    ways = (lay_out(halves, first=first, width=NARROWEST + 2 * more) for more in range(26))
    return max(ways, key=lambda one: min(_LINE_WIDTH / one.width, room / one.height))


def _tile(left: int, right: int) -> SafeString:
    """Draw a lying tile around 0, 0. Its colours stand beside it: no style sheet reaches it."""
    apart = drawing.APART
    spots = [
        (middle + apart * x, apart * y)
        for number, middle in ((left, -20), (right, 20))
        for x, y in drawing.PIPS[number]
    ]
    return mark_safe(  # noqa: S308  numbers only
        f'<rect x="-39" y="-19" width="78" height="38" rx="7" fill="{_FACE}" stroke="{_EDGE}"/>'
        f'<path d="M0-13V13" stroke="{_EDGE}" stroke-width="2"/>' + _spots(spots, 4.2)
    )


def _spots(places: Sequence[tuple[int, int]], radius: float) -> str:
    return "".join(f'<circle cx="{x}" cy="{y}" r="{radius}" fill="{_INK}"/>' for x, y in places)
