"""Enter an event by oneself: anybody, within the hours of registration."""

from __future__ import annotations

from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments import permissions
from tournaments.entry_limit import count_entry
from tournaments.errors import base as errors
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.registration import SelfEntryForm
from tournaments.models import Club, Entry, Player, Tournament
from tournaments.policies import categories_of, most_substitutes
from tournaments.services.attendance import stages_to_enter
from tournaments.services.registration import (
    Window,
    enter_oneself,
    require_window_open,
    window_of,
)
from tournaments.views.access import form_page
from tournaments.views.public import tournament_context
from tournaments.visible import tournament_at
from tournaments.words import entries as entry_words

CLUBS_SUGGESTED: Final = 500


@form_page
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Say when players can enter, and take an entry. Sent twice, it is entered once."""
    tournament = tournament_at(slug, user=request.user)
    form = SelfEntryForm(
        request.POST or None,
        kind=tournament.entry_kind,
        bench=most_substitutes(tournament),
        clubs=Club.objects.order_by("name").values_list("name", flat=True)[:CLUBS_SUGGESTED],
        categories=categories_of(tournament),
        initial=_of_account(request),
    )
    refusal = ""
    if request.method == "POST":
        try:
            require_window_open(tournament)
            if form.is_valid():
                return _entered(request, tournament, form)
        except errors.AlreadyEntered as error:
            mine = _entered_before(request, tournament)
            if mine is not None and mine.number == error.params["number"]:
                return redirect("tournaments:code", mine.check_in_code)
            refuse(form, error)
        except DominoError as error:
            if form.is_valid():
                refuse(form, error)
            refusal = explain(error)
    drafts = permissions.is_director(request.user, tournament)
    stages = stages_to_enter(tournament, drafts=drafts)
    context = tournament_context(tournament, permissions.duties(request.user, tournament)) | {
        "tab": "register",
        "form": form,
        "is_open": window_of(tournament) is Window.OPEN,
        "window": entry_words.window_words(tournament),
        "places": entry_words.places_words(tournament),
        "late": [entry_words.late_words(stage) for stage in stages],
        "refusal": refusal,
        "mine": _entered_before(request, tournament),
    }
    status = 422 if form.errors or refusal else 200
    return render(request, "tournaments/register.html", context, status=status)


def _entered(request: HttpRequest, tournament: Tournament, form: SelfEntryForm) -> HttpResponse:
    if form.is_by_a_program:
        # Said as to a person, so that the program learns nothing.
        messages.success(request, gettext("Thank you."))
        return redirect("tournaments:tournament", tournament.slug)
    count_entry(request, tournament)
    entry = enter_oneself(tournament, **form.entry(), by=request.user)
    request.session[_kept(tournament)] = entry.check_in_code
    return redirect("tournaments:code", entry.check_in_code)


def _kept(tournament: Tournament) -> str:
    return f"entered-{tournament.pk}"


def _entered_before(request: HttpRequest, tournament: Tournament) -> Entry | None:
    """Return the entry made from this browser, or the one of the account that is signed in."""
    entries = tournament.entries.exclude(check_in_code="")
    if code := request.session.get(_kept(tournament)):
        return entries.filter(check_in_code=code).first()
    if request.user.is_authenticated:
        return entries.filter(members__player__user=request.user).first()
    return None


def _of_account(request: HttpRequest) -> dict[str, Any]:
    """Return what is known of the one who is signed in, for the first player of the form."""
    if not request.user.is_authenticated:
        return {}
    player = Player.objects.filter(user=request.user).select_related("club").first()
    if player is None:
        return {"player1": request.user.get_full_name()}
    return {
        "player1": player.known_name,
        "latin1": player.known_latin_name,
        "minor1": player.is_minor,
        "club": player.club or "",
        "country": player.country,
    }
