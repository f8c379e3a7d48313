"""Finding players, clubs and events; the page of a club."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.http import require_safe

from tournaments.models import Club
from tournaments.queries import clubs as queries_clubs
from tournaments.queries import search as queries
from tournaments.views.public import typed_search


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show what was found by a name, the likeliest first."""
    typed = typed_search(request)
    context = {"typed": typed, "found": queries.search(typed, user=request.user)}
    return render(request, "tournaments/search.html", context)


@require_safe
def club(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a club: its players, and the events it was in."""
    found = get_object_or_404(Club, pk=pk)
    page = queries_clubs.club_page(found, user=request.user)
    return render(request, "tournaments/club.html", {"page": page})
