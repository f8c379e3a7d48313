"""What the records of an event come to, for everybody."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from referee.queries.statistics import statistics_page
from referee.queries.tile_statistics import tiles_shown
from tournaments import freshness, permissions
from tournaments.views.public import tournament_context
from tournaments.visible import tournament_at


@require_safe
def statistics(request: HttpRequest, slug: str) -> HttpResponse:
    """Show rounds, blocks, passes and tiles of an event."""
    found = tournament_at(slug, user=request.user)
    seen = freshness.of_event(found, drafts=False, moves=True)

    def made() -> HttpResponse:
        page = statistics_page(found)
        context = tournament_context(found, permissions.duties(request.user, found)) | {
            "tab": "statistics",
            "page": page,
            "tiles": None if page is None else tiles_shown(page.figures),
        }
        return render(request, "referee/statistics.html", context)

    return freshness.answered(request, seen, made)
