"""The page of a table whose play nobody is to know yet: who sits there, and when it is shown."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from tournaments.models import Match
from tournaments.publication import may_see_play
from tournaments.queries.events import table_lines
from tournaments.words.hidden import of_round


def hidden_page(
    request: HttpRequest, match: Match, template: str = "referee/match_hidden.html"
) -> HttpResponse | None:
    """Return the page instead of the play of a match; None for whoever may see the play."""
    if may_see_play(request.user, match):
        return None
    tournament = match.pairing_round.stage.tournament
    context = {
        "match": match,
        "tournament": tournament,
        "pairing_round": match.pairing_round,
        "stage": match.pairing_round.stage,
        "line": table_lines(Match.objects.filter(pk=match.pk), tournament)[0],
        "sentence": of_round(match.pairing_round),
    }
    response = render(request, template, context)
    # Asked for again, it is made again: from one moment to the next all may be shown.
    response.headers["Cache-Control"] = "private, no-store"
    return response
