"""How a tile, the line of play and a score look in HTML."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from django import template
from django.utils.html import format_html, json_script
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from engine.tiles import Tile
from tournaments import digits, drawing
from tournaments.errors.base import listed
from tournaments.words import tiles as tile_names

register = template.Library()

PHONE, DESK = 12, 26  # widths of the line of play, in halves of a tile


@register.simple_tag
def tile(
    tile: Tile | str, *, vertical: bool = False, size: str = "", hidden: bool = False
) -> SafeString:
    """Draw a tile, named for screen readers unless `hidden`."""
    left, right = drawing.tile_of(tile)
    label = "" if hidden else tile_names.tile_name(tile)
    return drawing.tile_svg(left, right, label=label, vertical=vertical, size=size)


@register.simple_tag
def pips(number: int, *, hidden: bool = False) -> SafeString:
    """Draw half a tile."""
    return drawing.pips_svg(number, label="" if hidden else digits.local_digits(number))


@register.simple_tag
def tile_name(tile: Tile | str) -> str:
    """Name a tile in words."""
    return tile_names.tile_name(tile)


@register.simple_tag
def tile_names_script() -> SafeString:
    """Give `tiles.js` the names of all tiles."""
    return json_script(tile_names.tile_names(), "tile-names")


@register.inclusion_tag("tournaments/_line_of_play.html")
def line_of_play(layout: Sequence[drawing.LaidTile], width: float = 0) -> dict[str, object]:
    """Draw the line of play, for phone and desk or in one `width`, and list it in words."""
    if not layout:
        return {"laid": ()}
    last = max(laid.event for laid in layout)
    return {
        "laid": [
            {"name": tile_name(f"{laid.left}-{laid.right}"), "last": laid.event == last}
            for laid in layout
        ],
        "left": digits.local_digits(layout[0].left),
        "right": digits.local_digits(layout[-1].right),
        "drawing": drawing.line_svg(layout, width=width or PHONE),
        "wide_drawing": "" if width else drawing.line_svg(layout, width=DESK),
    }


@register.filter
def local_digits(text: object) -> str:
    """Write the digits as the page's language does."""
    return digits.local_digits(text)


@register.simple_tag
def own_digits() -> str:
    """Return the digits of each language that writes its own: for scripts, "ar:٠١… fa:۰۱…"."""
    return " ".join(f"{code}:{written}" for code, written in digits.DIGITS.items())


@register.filter
def percent(share: int | None) -> str:
    """Write hundredths as the page's language does; what is not known is a dash."""
    if share is None:
        return "–"
    return gettext("%(share)s %%") % {"share": digits.local_digits(share)}


@register.filter
def in_one_list(names: Sequence[object]) -> str:
    """Write names or numbers as one list in the reader's language."""
    return listed(names)


@register.filter
def points(number: int | None) -> SafeString | str:
    """Write a score with its sign; what is not known yet is a dash."""
    return _isolated(number, plus=True)


@register.filter
def plain_points(number: int | None) -> SafeString | str:
    """Write a score, with a sign only below zero."""
    return _isolated(number, plus=False)


def _isolated(number: int | None, *, plus: bool) -> SafeString | str:
    if number is None:
        return _unknown(get_language())
    return SafeString(f'<bdi dir="ltr">{digits.signed(number, plus=plus)}</bdi>')


@cache
def _unknown(language: str | None) -> SafeString:
    return format_html(
        '<span class="unknown">–<span class="visually-hidden">{}</span></span>',
        gettext("not known yet"),
    )
