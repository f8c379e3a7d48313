"""Sets a print as PDF. What it takes may be missing: Pango is no Python package."""

from __future__ import annotations

import gc
import logging
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

from django.utils.html import strip_tags

from tournaments.errors.prints import PdfNotPossible

logger = logging.getLogger(__name__)

_STYLES = Path(__file__).parent / "static" / "tournaments" / "print.css"
_NAME = re.compile(r"<bdi>(.*?)</bdi>", re.DOTALL)


def as_pdf(html: str, *, styles: Path = _STYLES) -> bytes:
    """Return a print page as PDF; raises PdfNotPossible where Pango is missing.

    Nothing is fetched from anywhere: styles come from our own file, codes are drawn inline.
    """
    setter = _setter()
    sheet = setter.CSS(string=_read(styles))
    fetcher = setter.urls.URLFetcher(allowed_protocols=("data",))
    page = setter.HTML(string=with_directions(html), url_fetcher=fetcher)
    with _uncollected():
        written: bytes = page.write_pdf(stylesheets=[sheet], cache=_Pictures())
    return written


class _Repeated:
    """A drawing that stands on many pages: drawn once, and named wherever it stands."""

    def __init__(self, image: Any) -> None:
        self._image = image
        self._drawn: dict[tuple[float, float], str] = {}

    def get_intrinsic_size(self, *of: Any) -> Any:
        return self._image.get_intrinsic_size(*of)

    def draw(self, stream: Any, width: float, height: float, style: Any) -> None:
        if (width, height) not in self._drawn:
            group = stream.add_group(0, 0, width, height)
            self._image.draw(group, width, height, style)
            self._drawn[width, height] = group.id
        stream.draw_x_object(self._drawn[width, height])


class _Pictures(dict[Any, Any]):
    """The pictures of a print by address, as WeasyPrint keeps them while it sets one.

    It would draw a drawing anew on each of 240 sheets, letter by letter.
    """

    def __setitem__(self, key: Any, picture: Any) -> None:
        is_drawing = type(picture).__name__ == "SVGImage"
        super().__setitem__(key, _Repeated(picture) if is_drawing else picture)


@contextmanager
def _uncollected() -> Iterator[None]:
    """Set pages without looking for garbage: among so many boxes that takes a third of the time."""
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


def with_directions(html: str) -> str:
    """Give every name the direction of its first letter, as browsers do by themselves.

    WeasyPrint knows no `bdi`: without this "Ahmed (أحمد)" would turn around on an Arabic page.
    """
    return _NAME.sub(lambda name: f'<bdi dir="{direction(name[1])}">{name[1]}</bdi>', html)


def direction(text: str) -> str:
    """Return the direction of the first letter that has one; without any, left to right."""
    for sign in strip_tags(text):
        kind = unicodedata.bidirectional(sign)
        if kind in ("R", "AL"):
            return "rtl"
        if kind == "L":
            return "ltr"
    return "ltr"


def _setter() -> Any:
    """Load WeasyPrint when the first PDF is wanted: loading it needs Pango."""
    try:
        return import_module("weasyprint")
    except OSError as error:
        logger.warning("No PDF: %s", error)
        raise PdfNotPossible from error


@cache
def _read(styles: Path) -> str:
    return styles.read_text(encoding="utf-8")
