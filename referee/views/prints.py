"""Prints of a match: the match sheet and the order of plays."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import reverse
from django.utils import translation
from django.views.decorators.http import require_safe

from referee import guests
from referee.queries import records as queries
from referee.queries.prints import printed_match
from tournaments.permissions import may_see_match
from tournaments.qr import qr_of
from tournaments.views.papers import printed, sheet_of


@require_safe
def plays(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Print the order of plays of a match: every event in words and in notation."""
    return _print(request, pk, "plays", form)


@require_safe
def sheet(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Print the sheet of a match: seats, rounds, infractions, result, signatures."""
    return _print(request, pk, "sheet", form)


def _print(request: HttpRequest, pk: int, kind: str, form: str) -> HttpResponse:
    match = get_object_or_404(queries.matches(), pk=pk)
    request.user = guests.visitor(request, match=pk)
    if not may_see_match(request.user, match):
        raise Http404
    tournament = match.pairing_round.stage.tournament
    paper = sheet_of(request, tournament)
    with translation.override(paper.language):
        found = printed_match(match, request.user)
    if found.code:
        address = reverse("referee:check_code", args=[found.code])
    else:
        address = reverse("referee:match_sheet", args=[pk])
    host = request.get_host() + reverse("referee:check")
    context = {
        "found": found,
        "sheet": found.sheet,
        "check": host,
        "qr": qr_of(request.build_absolute_uri(address)),
    }
    round_number = match.pairing_round.number
    return printed(
        request,
        f"referee/prints/{kind}.html",
        context,
        tournament=tournament,
        name=f"round-{round_number}-table-{match.table}-{kind}",
        page_address=reverse(f"referee:print_{kind}", args=[pk, "html"]),
        pdf_address=reverse(f"referee:print_{kind}", args=[pk, "pdf"]),
        is_pdf=form == "pdf",
        sheet=paper,
    )
