"""Draws the part of a score sheet that is filled in by hand: points of each round and the total.

One picture for all tables with the same sides: as cells of a table it would be a third of what is
set. It has no words, only digits and seats: drawings are set letter by letter, which tears Arabic
words apart.
"""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Final

from django.utils import translation
from django.utils.html import escape

from tournaments.digits import local_digits

ROUNDS: Final = 14
# Millimetres: between the margins of each paper, and what the sheet of a table leaves for it.
_SIZES: Final = {"a4": (190.0, 41.0), "letter": (195.9, 31.0)}
_WHO, _SUM, _HEAD = 16.0, 22.0, 5.0
_FONT: Final = "Noto Sans, Noto Sans Arabic, Segoe UI, sans-serif"


def written_part(sides: Sequence[str], *, paper: str) -> str:
    """Return the address of the picture for these sides, each told by its seats."""
    return _drawn(tuple(sides), paper, translation.get_language() or "en")


@lru_cache(maxsize=64)
def _drawn(sides: tuple[str, ...], paper: str, language: str) -> str:
    width, height = _SIZES[paper]
    with translation.override(language):
        parts = "".join(_parts(sides, width, height))
    drawn = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="{_FONT}" font-weight="bold" font-size="2.9" text-anchor="middle">'
        f"{parts}</svg>"
    )
    return f"data:image/svg+xml;base64,{b64encode(drawn.encode()).decode()}"


def _parts(sides: tuple[str, ...], width: float, height: float) -> Iterator[str]:
    """Draw from the reader's side on: what begins a line is at the right of an Arabic sheet."""
    mirrored = translation.get_language_bidi()

    def at(x: float) -> float:
        return round(width - x if mirrored else x, 2)

    def said(text: str, x: float, y: float) -> str:
        return f'<text x="{at(x)}" y="{round(y, 2)}">{escape(text)}</text>'

    def line(x: float, y: float, to_x: float, to_y: float) -> str:
        return f"M{at(x)} {round(y, 2)}L{at(to_x)} {round(to_y, 2)}"

    low, end = height - 0.2, width - 0.2
    last = width - _SUM
    row, column = (low - _HEAD) / len(sides), (last - _WHO) / ROUNDS
    edges = [_WHO + number * column for number in range(ROUNDS + 1)]
    thin = [line(x, 0.2, x, low) for x in edges[:-1]]
    thick = [line(0.2, y, end, y) for y in (0.2, _HEAD)]
    thick += [line(x, 0.2, x, low) for x in (0.2, edges[-1], end)]
    for number in range(ROUNDS):
        yield said(local_digits(str(number + 1)), edges[number] + column / 2, _HEAD - 1.5)
    for place, side in enumerate(sides):
        top, low_of_side = _HEAD + place * row, _HEAD + (place + 1) * row
        middle = (top + low_of_side) / 2
        # The lower half is for the running score.
        shade = f"M{at(_WHO)} {round(middle, 2)}H{at(last)}V{round(low_of_side, 2)}H{at(_WHO)}Z"
        yield f'<path d="{shade}" fill="#f1f1f1"/>'
        yield said(side, _WHO / 2, middle + 1)
        thin.append(line(_WHO, middle, last, middle))
        thick.append(line(0.2, low_of_side, end, low_of_side))
    yield f'<path d="{"".join(thin)}" fill="none" stroke="#555" stroke-width="0.18"/>'
    yield f'<path d="{"".join(thick)}" fill="none" stroke="#000" stroke-width="0.35"/>'
