"""Looks at PDF files: how many pages, where each sign stands, what is inked."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import pypdfium2

SCALE = 8


@dataclass(frozen=True)
class Sign:
    """A sign of a page and its box in points, counted from the lower left corner."""

    text: str
    left: float
    low: float
    right: float
    high: float


@contextmanager
def opened(content: bytes) -> Iterator[Any]:
    document = pypdfium2.PdfDocument(content)
    try:
        yield document
    finally:
        document.close()


def pages(content: bytes) -> int:
    with opened(content) as document:
        return len(document)


def size(content: bytes) -> tuple[int, int]:
    """Return width and height of the first page in millimetres."""
    with opened(content) as document:
        width, height = document[0].get_size()
    return round(width / 72 * 25.4), round(height / 72 * 25.4)


def signs(content: bytes, page: int = 0) -> list[Sign]:
    """Return the signs of a page, blanks left out, in the order they are read."""
    with opened(content) as document:
        text = document[page].get_textpage()
        found = []
        for index in range(text.count_chars()):
            sign = text.get_text_range(index, 1)
            if sign.strip():
                found.append(Sign(sign, *text.get_charbox(index)))
        text.close()
    return found


def text_of(content: bytes) -> str:
    """Return the text of all pages without blanks."""
    return "".join(one.text for page in range(pages(content)) for one in signs(content, page))


def on_one_line(all_signs: list[Sign], first: Sign) -> list[Sign]:
    """Return the signs whose middle is as high as `first` stands."""
    return [one for one in all_signs if first.low - 4 < (one.low + one.high) / 2 < first.high + 4]


def inked(content: bytes, page: int = 0) -> Any:
    """Return the page as a picture, dark where it is inked; `SCALE` dots to a point."""
    with opened(content) as document:
        return document[page].render(scale=SCALE, grayscale=True).to_pil().convert("L")


def has_ink(picture: Any, left: float, low: float, right: float, high: float) -> bool:
    """Tell whether every column of dots between `left` and `right` is inked somewhere."""
    height = picture.height
    for x in range(round(left * SCALE), round(right * SCALE) + 1):
        column = picture.crop((x, height - round(high * SCALE), x + 1, height - round(low * SCALE)))
        if column.getextrema()[0] > 128:
            return False
    return True
