"""What was done at the desk, by whom and when; and the way back."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.core.paginator import Paginator
from django.db.models import Q
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, gettext_lazy
from django.views.decorators.http import require_GET

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.models import LogEntry, Tournament
from tournaments.services import undoing
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words.log import log_lines

LINES_A_PAGE: Final = 100
_LONG_LIST: Final = 20
# What the lines of the log are about, by how their act begins.
_BEGINNINGS: Final[dict[str, tuple[str, ...]]] = {
    "results": (
        "result",
        "report",
        "walkover",
        "match",
        "all_lose",
        "seats",
        "extra",
        "meeting_decided",
        "table_left",
        "appeal",
    ),
    "entries": ("entr", "player", "absen", "substitut", "check", "fee"),
    "rounds": (
        "round",
        "stage",
        "draft",
        "table_",
        "clock",
        "rooms",
        "bye",
        "tie_breaks",
        "meeting_forbidden",
        "meeting_allowed",
    ),
    "event": (
        "created",
        "event_imported",
        "details",
        "rules",
        "registration",
        "started",
        "finished",
        "official",
        "policies",
        "second",
    ),
}
_LABELS: Final = {
    "": gettext_lazy("Everything"),
    "results": gettext_lazy("Results"),
    "entries": gettext_lazy("Entries"),
    "rounds": gettext_lazy("Rounds"),
    "event": gettext_lazy("Event and officials"),
    "undone": gettext_lazy("Taken back"),
}


@login_required
@require_GET
def log(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the log, of one person or about one thing where that is asked for."""
    tournament = directed(request, slug)
    about, person = request.GET.get("about", ""), request.GET.get("by", "")
    found = tournament.log.select_related("by", "undone_by__by", "undoes")
    if about == "undone":
        found = found.filter(undone_by__isnull=False)
    elif about in _BEGINNINGS:
        begins = Q()
        for beginning in _BEGINNINGS[about]:
            begins |= Q(act__startswith=beginning)
        found = found.filter(begins)
    people = _people(tournament)
    if person:
        found = found.filter(by__in=[one for one in people if one.username == person])
    pages = Paginator(found, LINES_A_PAGE)
    page = pages.get_page(request.GET.get("page"))
    context = {
        "tournament": tournament,
        "log": log_lines(page.object_list),
        "page": page,
        "about": about,
        "person": person,
        "labels": _LABELS,
        "people": people,
        "undoable": undoing.undoable_acts(),
    }
    return render(request, "tournaments/director_log.html", context)


@login_required
@form_page
def undo(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show what taking a decision back will change, then do it."""
    tournament = directed(request, slug)
    entry = get_object_or_404(LogEntry.objects.select_related("by"), tournament=tournament, pk=pk)
    (line,) = log_lines([entry])
    context = {"tournament": tournament, "line": line, "entry": entry, "long_list": _LONG_LIST}
    try:
        if request.method == "POST":
            undoing.undo(entry, by=request.user)
            messages.success(request, gettext("It is taken back."))
            return redirect("tournaments:director_log", slug)
        undone = undoing.preview(entry, by=request.user)
    except DominoError as error:
        context["refusal"] = explain(error)
        # Whoever only looks is told why it stays; nothing was refused to them.
        status = 422 if request.method == "POST" else 200
        return render(request, "tournaments/director_log_undo.html", context, status=status)
    context["effects"] = [explain(one) for one in undone.effects]
    context["moves"] = undone.moves
    return render(request, "tournaments/director_log_undo.html", context)


def _people(tournament: Tournament) -> list[User]:
    return list(User.objects.filter(pk__in=tournament.log.values("by")).order_by("username"))
