"""Pages about who plays: an entry in an event, a player over all events, the ratings."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from tournaments import permissions
from tournaments.models import Player
from tournaments.queries import players as queries_players
from tournaments.views.public import tournament_context, typed_search
from tournaments.visible import tournament_at

RATINGS_SHOWN = 100
HISTORY_SHOWN = 100


@require_safe
def entry(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show an entry: who plays for it, and what it took from each round."""
    found = tournament_at(slug, user=request.user)
    shown = get_object_or_404(found.entries.select_related("club"), number=number)
    context = tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "entries",
        "page": queries_players.entry_page(shown),
    }
    return render(request, "tournaments/entry.html", context)


@require_safe
def player(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a player: club, rating and its history, events and results."""
    found = get_object_or_404(Player.objects.select_related("club"), pk=pk)
    page = queries_players.player_page(found, user=request.user)
    history = Paginator(page.history, HISTORY_SHOWN).get_page(request.GET.get("page"))
    context = {"page": page, "history": history}
    return render(request, "tournaments/player.html", context)


@require_safe
def ratings(request: HttpRequest) -> HttpResponse:
    """Show the rated players, the strongest first."""
    typed = typed_search(request)
    lines = Paginator(queries_players.rating_lines(typed), RATINGS_SHOWN).get_page(
        request.GET.get("page")
    )
    query = f"{urlencode({'q': typed})}&" if typed else ""
    context = {"lines": lines, "typed": typed, "query": query}
    return render(request, "tournaments/ratings.html", context)
