"""Prints of a match: the match sheet and the order of plays."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils import translation
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from referee import guests
from referee.queries import records as queries
from referee.queries.prints import printed_match
from referee.services.links import Made
from referee.views.hidden import hidden_page
from tournaments.models import PairingRound
from tournaments.permissions import may_see_match
from tournaments.qr import qr_picture
from tournaments.queries.prints import printed_tables
from tournaments.views.papers import FORMS, printed, sheet_of
from tournaments.views.prints import SCORES_ON_A_SHEET
from tournaments.written_part import written_part


@require_safe
def plays(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Print the order of plays of a match: every event in words and in notation."""
    return _print(request, pk, "plays", form)


@require_safe
def sheet(request: HttpRequest, pk: int, form: str) -> HttpResponse:
    """Print the sheet of a match: seats, rounds, infractions, result, signatures."""
    return _print(request, pk, "sheet", form)


def _print(request: HttpRequest, pk: int, kind: str, form: str) -> HttpResponse:
    if form not in FORMS:
        raise Http404
    match = get_object_or_404(queries.matches(), pk=pk)
    request.user = guests.visitor(request, match=pk)
    if not may_see_match(request.user, match):
        raise Http404
    if (hidden := hidden_page(request, match)) is not None:
        return hidden
    tournament = match.pairing_round.stage.tournament
    paper = sheet_of(request, tournament)
    with translation.override(paper.language):
        found = printed_match(match, request.user)
    if found.code:
        address = reverse("referee:check_code", args=[found.code])
    else:
        address = reverse("referee:match_sheet", args=[pk])
    context = {
        "found": found,
        "sheet": found.sheet,
        "host": request.get_host(),
        "check": reverse("referee:check"),
        "qr": qr_picture(request.build_absolute_uri(address)),
    }
    round_number = match.pairing_round.number
    return printed(
        request,
        f"referee/prints/{kind}.html",
        lambda: context,
        tournament=tournament,
        name=f"round-{round_number}-table-{match.table}-{kind}",
        page_address=reverse(f"referee:print_{kind}", args=[pk, "html"]),
        pdf_address=reverse(f"referee:print_{kind}", args=[pk, "pdf"]),
        is_pdf=form == "pdf",
        sheet=paper,
    )


def link_scores(
    request: HttpRequest, pairing_round: PairingRound, made: list[Made]
) -> HttpResponse:
    """Show score sheets with the codes of links that were just made, which are told only once."""
    tournament = pairing_round.stage.tournament
    codes: dict[int, list[Made]] = {}
    for one in made:
        codes.setdefault(one.link.match_id, []).append(one)
    tables = [one for one in printed_tables(pairing_round) if one.pk in codes]
    paper = sheet_of(request, tournament)
    # Of links for a side each table has several: one sheet for each of them.
    coded = [
        (table, _link_code(request, one), written_part(table.letters, paper=paper.size), _told(one))
        for table in tables
        for one in codes[table.pk]
    ]
    context = {
        "sheets": [coded[at : at + SCORES_ON_A_SHEET] for at in range(0, len(coded), 2)],
        "page_name": f"{paper.size} bare",
        "is_pdf": False,
        "tournament": tournament,
        "pairing_round": pairing_round,
        "stage": pairing_round.stage,
    }
    response = render(request, "referee/prints/link_scores.html", context)
    # These codes are told once; no copy of them stays with the browser.
    response.headers["Cache-Control"] = "no-store"
    return response


def _link_code(request: HttpRequest, made: Made) -> SafeString:
    return qr_picture(request.build_absolute_uri(reverse("referee:scan", args=[made.token])))


def _told(made: Made) -> str:
    """Say what a code opens, and for which side where it is for one."""
    scope = made.link.get_scope_display()
    if not made.link.side:
        return scope
    return gettext("%(scope)s: %(seats)s") % {"scope": scope, "seats": " · ".join(made.link.side)}
