"""Players who may be one person under two spellings, and how they become one."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.models import Player
from tournaments.services import merging
from tournaments.views.access import SignedInRequest, directed, form_page


@login_required
@require_GET
def duplicates(request: SignedInRequest, slug: str) -> HttpResponse:
    """List pairs of players who may be one."""
    tournament = directed(request, slug)
    context = {"tournament": tournament, "pairs": merging.likely_duplicates(tournament)}
    return render(request, "tournaments/director_duplicates.html", context)


@login_required
@form_page
def merge(request: SignedInRequest, slug: str, keep: int, gone: int) -> HttpResponse:
    """Say what moves, and make one of two. Sent twice, it is done once."""
    tournament = directed(request, slug)
    players = Player.objects.select_related("club")
    one = get_object_or_404(players, pk=keep)
    other = players.filter(pk=gone).first()
    if other is None:
        messages.info(request, gettext("These two are one player already."))
        return redirect("tournaments:director_duplicates", slug)
    found, refusal = None, ""
    try:
        found = merging.preview(tournament, keep=one, gone=other, by=request.user)
        if request.method == "POST":
            merging.merge_players(tournament, keep=one, gone=other, by=request.user)
            done = gettext("“%(gone)s” and “%(keep)s” are one player now.")
            messages.success(request, done % {"gone": other.name, "keep": one.name})
            return redirect("tournaments:director_duplicates", slug)
    except DominoError as error:
        refusal = explain(error)
    context = {
        "tournament": tournament,
        "keep": one,
        "gone": other,
        "merger": found,
        "refusal": refusal,
    }
    status = 422 if refusal and request.method == "POST" else 200
    return render(request, "tournaments/director_merge.html", context, status=status)
