"""A match move by move for everybody, on this site or inside a page of another one."""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.views.decorators.clickjacking import xframe_options_exempt
from django.views.decorators.http import require_safe

from referee import guests
from referee.moves import match_moves
from referee.queries.records import matches
from referee.views.hidden import hidden_page
from tournaments import freshness
from tournaments.models import Match
from tournaments.permissions import is_director, may_see_match


@require_safe
def moves(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match at one of its moves."""
    match = get_object_or_404(matches(), pk=pk)
    request.user = guests.visitor(request, match=pk)
    embed = request.build_absolute_uri(reverse("referee:embedded_moves", args=[pk]))
    hidden = "referee/match_hidden.html"
    return _answered(request, match, "referee/moves.html", hidden, embed=embed)


@xframe_options_exempt
@require_safe
def embedded(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the same inside another site: what everybody may see, whoever asks."""
    match = get_object_or_404(matches(), pk=pk)
    # A frame of another site never shows what only an account may see.
    request.user = AnonymousUser()
    hidden = "referee/match_hidden_embedded.html"
    response = _answered(request, match, "referee/moves_embedded.html", hidden)
    response.headers["Content-Security-Policy"] = "; ".join(
        f"{kind} {sources}"
        for kind, sources in (settings.CONTENT_SECURITY_POLICY | {"frame-ancestors": "*"}).items()
    )
    return response


def _answered(
    request: HttpRequest, match: Match, template: str, hidden: str, **more: str
) -> HttpResponse:
    user = request.user
    if not may_see_match(user, match):
        raise Http404
    if (unseen := hidden_page(request, match, hidden)) is not None:
        return unseen
    tournament = match.pairing_round.stage.tournament

    def made() -> HttpResponse:
        context = {
            "shown": match_moves(match, user, request.GET),
            "match": match,
            "tournament": tournament,
            "pairing_round": match.pairing_round,
            "address": request.path,
        }
        shown = "referee/_moves_part.html" if freshness.is_part(request) else template
        return render(request, shown, context | more)

    seen = freshness.of_match(match, drafts=is_director(user, tournament))
    return freshness.answered(request, seen, made)
