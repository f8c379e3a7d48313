"""Draws the picture that a link to a page is shown with elsewhere: a small print, as PNG.

Pango sets every script; PDFium makes pixels of it. Where one of them is missing there are no such
pictures, and no page names one.
"""

from __future__ import annotations

import ctypes
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from threading import Lock
from typing import Final

from django.core.cache import cache as copies
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags

from tournaments.errors.prints import PdfNotPossible
from tournaments.pdf import as_pdf

WIDTH: Final = 1200
HEIGHT: Final = 630
# A point of paper is a 72nd of an inch, a pixel of the page a 96th.
_SCALE: Final = 96 / 72
_STYLES: Final = Path(__file__).parent / "static" / "tournaments" / "share.css"
_PANGO: Final = ("libpango-1.0.so.0", "libpango-1.0.dylib", "libpango-1.0-0.dll")
_KEPT_SECONDS: Final = 60 * 60 * 24
# Whoever keeps a picture asks again after a minute: what is public may not be tomorrow.
_FRESH: Final = "public, max-age=60"
# PDFium draws one page at a time.
_drawing = Lock()


@cache
def are_possible() -> bool:
    """Say whether this machine can draw pictures, without loading what draws them."""
    if find_spec("weasyprint") is None or find_spec("pypdfium2") is None:
        return False
    return any(map(_is_there, _PANGO))


def _is_there(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def answered(request: HttpRequest, template: str, context: dict[str, object]) -> HttpResponse:
    """Answer with the picture of a template, drawn once for as long as it shows the same."""
    if not are_possible():
        raise Http404
    html = render_to_string(template, context)
    etag = f'"{blake2b((html + _release()).encode(), digest_size=12).hexdigest()}"'
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return _kept(HttpResponseNotModified(), etag)
    try:
        picture = _drawn(html, f"picture:{etag}")
    except PdfNotPossible as error:
        raise Http404 from error
    return _kept(HttpResponse(picture, content_type="image/png"), etag)


def _drawn(html: str, key: str) -> bytes:
    picture: bytes | None = copies.get(key)
    if picture is None:
        with _drawing:
            # Whoever waited for the same picture finds it drawn.
            picture = copies.get(key)
            if picture is None:
                picture = as_png(html)
                copies.set(key, picture, _KEPT_SECONDS)
    return picture


def as_png(html: str) -> bytes:
    """Draw a page of 1200 by 630 pixels."""
    written = as_pdf(html, styles=_STYLES)
    pdfium = import_module("pypdfium2")
    document = pdfium.PdfDocument(written)
    try:
        picture = document[0].render(scale=_SCALE).to_pil()
    finally:
        document.close()
    # Few colours are in it; with no more than so many it is a third of the size.
    drawn = BytesIO()
    picture.convert("RGB").quantize(128).save(drawn, "PNG", optimize=True)
    return drawn.getvalue()


def _kept(response: HttpResponse, etag: str) -> HttpResponse:
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = _FRESH
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


@cache
def _release() -> str:
    return _STYLES.read_text(encoding="utf-8")
