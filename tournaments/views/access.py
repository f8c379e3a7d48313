"""Who reaches the director's pages, and the request of somebody signed in."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.http import Http404, HttpRequest
from django.shortcuts import get_object_or_404

from tournaments import permissions
from tournaments.models import Tournament


class SignedInRequest(HttpRequest):
    """A request behind `login_required`."""

    user: User


def directed(request: SignedInRequest, slug: str) -> Tournament:
    """Return the tournament for one of its directors; a draft does not exist for strangers."""
    tournament = get_object_or_404(Tournament, slug=slug)
    if not permissions.may_see_tournament(request.user, tournament):
        raise Http404
    permissions.require_director(request.user, tournament)
    return tournament
