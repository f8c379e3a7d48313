"""Pages about who plays: an entry in an event, a player over all events, the ratings."""

from __future__ import annotations

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from tournaments import permissions
from tournaments.calendars import calendar_of
from tournaments.curve import curve
from tournaments.models import Match, Player
from tournaments.queries import players as queries_players
from tournaments.queries import players_tables as queries_tables
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
    tables = queries_tables.own_tables(found, user=request.user)
    context = {
        "page": page,
        "history": history,
        "curve": curve([line.rating for line in reversed(page.history)]),
        "now": [one for one in tables if one.match.state != Match.State.CLOSED],
        "companies": queries_tables.companies(tables),
    }
    return render(request, "tournaments/player.html", context)


@require_safe
def calendar(request: HttpRequest, pk: int) -> HttpResponse:
    """Give the tables of a player as a calendar to subscribe to."""
    found = get_object_or_404(Player, pk=pk)
    # Who is in no event the reader may know of has no page and no calendar.
    queries_players.require_seen(found, user=request.user)
    root = request.build_absolute_uri("/").rstrip("/")
    tables = queries_tables.own_tables(found, user=request.user)
    written = calendar_of(found, tables, host=request.get_host(), root=root)
    answer = HttpResponse(written, content_type="text/calendar; charset=utf-8")
    answer.headers["Content-Disposition"] = f'inline; filename="player-{found.pk}.ics"'
    return answer


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
