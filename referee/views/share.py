"""The picture a link to a match is shown with elsewhere, as it stands or at one of its moves."""

from __future__ import annotations

from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from referee.queries.records import matches
from referee.queries.share import match_picture
from tournaments import pictures
from tournaments.permissions import may_see_match
from tournaments.publication import may_see_play
from tournaments.views.share import language_asked


@require_safe
def match(request: HttpRequest, pk: int) -> HttpResponse:
    """Draw a table with who plays, the score and the line of play: the same for everybody."""
    request.user = AnonymousUser()
    found = get_object_or_404(matches(), pk=pk)
    if not (may_see_match(request.user, found) and may_see_play(request.user, found)):
        raise Http404
    with language_asked(request):
        return pictures.answered(request, "share/match.html", match_picture(found, request.GET))
