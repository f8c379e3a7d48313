"""The indicators in the browser and as a file, for directors and the committee alone."""

from __future__ import annotations

from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from referee.exports_indicators import indicators_sheet
from referee.indicators import FEWEST
from referee.permissions_indicators import require_may_read_indicators
from referee.queries import indicators as queries
from tournaments import permissions
from tournaments.models import Tournament
from tournaments.services.exports import FORMATS, written
from tournaments.views.access import SignedInRequest
from tournaments.views.exports import file_of
from tournaments.visible import tournament_at

LINES_SHOWN = 40


@login_required
@require_safe
def indicators(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the counts of an event, by player or by pair."""
    tournament = _readable(request, slug)
    asked = queries.Asked.read(request.GET)
    page = queries.indicators_page(tournament, asked)
    said = {"what": asked.what, "q": asked.typed, "club": asked.club, "order": asked.order}
    query = urlencode({name: value for name, value in said.items() if value})
    context = {
        "tournament": tournament,
        "is_director": permissions.is_director(request.user, tournament),
        "page": page,
        "lines": Paginator(page.lines, LINES_SHOWN).get_page(request.GET.get("page")),
        "orders": [(key, gettext(label)) for key, (label, _) in queries.ORDERS.items()],
        "query": f"{query}&",
        "fewest": FEWEST,
        "formats": list(FORMATS),
    }
    return _private(render(request, "referee/indicators.html", context))


@login_required
@require_safe
def indicators_file(request: SignedInRequest, slug: str, form: str) -> HttpResponse:
    """Give the counts as a file, with the same lines in the same order."""
    tournament = _readable(request, slug)
    if form not in FORMATS:
        raise Http404
    page = queries.indicators_page(tournament, queries.Asked.read(request.GET))
    content = written(indicators_sheet(page), form)
    return _private(file_of(tournament, f"indicators-{page.asked.what}", form, content))


def _readable(request: HttpRequest, slug: str) -> Tournament:
    tournament = tournament_at(slug, user=request.user)
    require_may_read_indicators(request.user, tournament)
    return tournament


def _private(response: HttpResponse) -> HttpResponse:
    response.headers["Cache-Control"] = "private, no-store"
    return response
