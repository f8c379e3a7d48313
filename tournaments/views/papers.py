"""How a print leaves the site: as a page to be printed from the browser, or as PDF."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.http import urlencode

from engine.errors import DominoError
from tournaments import pdf, permissions, prepared
from tournaments.errors.base import explain
from tournaments.errors.prints import PdfBusy, PrintTooLong
from tournaments.models import Tournament
from tournaments.prepared import State

A4, LETTER = "a4", "letter"
PAPERS = (A4, LETTER)
FORMS = ("html", "pdf")
# Where offices print on Letter.
_LETTER_COUNTRIES = frozenset(
    ("US", "CA", "MX", "PR", "DO", "CO", "VE", "CL", "CR", "GT", "HN", "NI", "PA", "SV", "PH", "BZ")
)
# More would keep a worker longer than a minute.
MOST_SHEETS = 150
# Whoever waits for a long print looks again so often.
LOOK_AGAIN_SECONDS = 3
# A stranger's PDF: one at a time, so that nobody keeps every worker busy.
PREPARED = "prepared"
_TURN, _LONGEST_TURN = "pdf-for-a-stranger", 60


@dataclass(frozen=True, slots=True)
class Sheet:
    """The paper a print is made for: its size, and the language on it."""

    size: str
    language: str
    look: str = ""
    """`bare` without numbers of pages, where every sheet stands for itself; `wide` on its side."""

    @property
    def page(self) -> str:
        """The name of its page in `print.css`."""
        return f"{self.size} {self.look or self.language}"


def sheet_of(request: HttpRequest, tournament: Tournament, *, look: str = "") -> Sheet:
    """Return the paper that was asked for; else what the country prints on, in one's language."""
    size, language = request.GET.get("paper", ""), request.GET.get("lang", "")
    if size not in PAPERS:
        size = LETTER if tournament.country in _LETTER_COUNTRIES else A4
    if language not in dict(settings.LANGUAGES):
        language = (translation.get_language() or "en").partition("-")[0]
    return Sheet(size, language, look)


def printed(
    request: HttpRequest,
    template: str,
    make: Callable[[], dict[str, Any]],
    *,
    tournament: Tournament,
    name: str,
    pdf_address: str,
    page_address: str,
    is_pdf: bool,
    sheet: Sheet,
) -> HttpResponse:
    """Answer with a print; what it shows is made when it is needed, in the language of its sheet.

    Both addresses are told without a query; what was asked for beside paper and language stays.
    """
    asked = request.GET.items()
    own = {key: str(value) for key, value in asked if key not in ("paper", "lang", PREPARED)}
    chosen = urlencode(own | {"paper": sheet.size, "lang": sheet.language})
    with translation.override(sheet.language):
        told: dict[str, Any] = {
            "sheet_size": sheet.size,
            "page_name": sheet.page,
            "is_pdf": is_pdf,
            "tournament": tournament,
        }

        def write() -> str:
            told.update(make())
            _require_short(len(told.get("sheets", ())))
            return render_to_string(template, told, request)

        if is_pdf:
            page, file = f"{page_address}?{chosen}", f"{pdf_address}?{chosen}"
            try:
                made = _made(request, tournament, file, write)
            except DominoError as error:
                return _unavailable(request, error, page, tournament)
            if isinstance(made, str):
                return _preparing(request, tournament, page, f"{file}&{PREPARED}={made}")
            return _file(made, f"{tournament.slug}-{name}.pdf")
        told |= make() | {
            "pdf_address": f"{pdf_address}?{chosen}",
            "chosen": chosen,
            "kept_fields": list(own.items()),
            "languages": settings.LANGUAGES,
            "sheet_language": sheet.language,
        }
        response = render(request, template, told)
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _require_short(sheets: int) -> None:
    if sheets > MOST_SHEETS:
        raise PrintTooLong(found=sheets, most=MOST_SHEETS)


def _made(
    request: HttpRequest, tournament: Tournament, address: str, write: Callable[[], str]
) -> bytes | str:
    """Return the file; or the key it will be found under, while a worker sets it."""
    if not permissions.is_official(request.user, tournament):
        return _set_in_turn(write())
    owner = f"{request.user.pk} {address}"
    key = request.GET.get(PREPARED, "")
    state, content = prepared.look(key, owner=owner)
    if state is State.UNKNOWN:
        html = write()
        key = prepared.ask(html, owner=owner) if prepared.is_for_a_worker(html) else ""
        if not key:
            return pdf.as_pdf(html)
        state, content = prepared.look(key, owner=owner)
    if state is State.FAILED:
        return pdf.as_pdf(write())
    return content or key


def _preparing(request: HttpRequest, tournament: Tournament, page: str, again: str) -> HttpResponse:
    """Answer with a page that looks again by itself, without a script, until the file is there."""
    context = {"tournament": tournament, "page": page, "again": again}
    response = render(request, "tournaments/prints/preparing.html", context, status=202)
    response.headers["Refresh"] = f"{LOOK_AGAIN_SECONDS}; url={again}"
    response.headers["Cache-Control"] = "no-store"
    return response


def _set_in_turn(html: str) -> bytes:
    if not cache.add(_TURN, 1, _LONGEST_TURN):
        raise PdfBusy
    try:
        return pdf.as_pdf(html)
    finally:
        cache.delete(_TURN)


def _file(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/pdf")
    response.headers["Content-Disposition"] = f'inline; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


def _unavailable(
    request: HttpRequest, error: DominoError, page: str, tournament: Tournament
) -> HttpResponse:
    context = {
        "sentence": explain(error),
        "code": error.code,
        "page": page,
        "tournament": tournament,
    }
    status = 422 if isinstance(error, PrintTooLong) else 503
    response = render(request, "tournaments/prints/unavailable.html", context, status=status)
    if status == 503:
        response.headers["Retry-After"] = "10"
    response.headers["Cache-Control"] = "no-store"
    return response
