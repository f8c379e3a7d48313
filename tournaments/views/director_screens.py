"""The desk of the screens: what each of them shows, its address, how it shows things."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_POST

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.forms.screens import ScreenForm, SwitchForm, stages_of
from tournaments.models import Screen, Tournament
from tournaments.qr import qr_of
from tournaments.services import screens as services
from tournaments.views.access import SignedInRequest, directed, form_page


@dataclass(frozen=True, slots=True)
class ScreenCard:
    """A screen at the desk with its forms and its addresses."""

    screen: Screen
    switch: SwitchForm
    settings: ScreenForm
    address: str
    overlay: str
    code: SafeString


@login_required
@form_page
def screens(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show every screen of an event and switch it; set up another one, or switch all at once."""
    tournament = directed(request, slug)
    act = request.POST.get("act", "") if request.method == "POST" else ""
    new = ScreenForm(request.POST if act == "make" else None, screen=_usual())
    everywhere = _switch(request, tournament, _usual(), act == "switch_all")
    try:
        if act == "make" and new.is_valid():
            services.make_screen(tournament, wanted=new.wanted(), by=request.user)
            messages.success(
                request, gettext("The screen is set up. Open its address in the hall.")
            )
            return redirect("tournaments:director_screens", slug)
        if act == "switch_all" and everywhere.is_valid():
            services.switch_all(tournament, **everywhere.given(), by=request.user)
            return redirect("tournaments:director_screens", slug)
    except DominoError as error:
        (new if act == "make" else everywhere).add_error(None, explain(error))
    return _page(request, tournament, new=new, everywhere=everywhere)


@login_required
@require_POST
def screen(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Switch a screen, change how it shows things, give it another address, or remove it."""
    tournament = directed(request, slug)
    found = get_object_or_404(
        Screen.objects.select_related("tournament", "stage"), tournament=tournament, pk=pk
    )
    act = request.POST.get("act", "")
    switch = _switch(request, tournament, found, act == "switch")
    settings = ScreenForm(request.POST if act == "change" else None, screen=found)
    try:
        if _done(request, found, act, switch, settings):
            return redirect(f"{reverse('tournaments:director_screens', args=[slug])}#screen-{pk}")
    except DominoError as error:
        (switch if act == "switch" else settings).add_error(None, explain(error))
    return _page(request, tournament, sent=(found.pk, switch, settings))


def _done(
    request: SignedInRequest, found: Screen, act: str, switch: SwitchForm, settings: ScreenForm
) -> bool:
    """Do what was asked; False where a form has to be looked at."""
    match act:
        case "switch" if switch.is_valid():
            services.switch_screen(found, **switch.given(), by=request.user)
        case "change" if settings.is_valid():
            services.change_screen(found, wanted=settings.wanted(), by=request.user)
            messages.success(request, gettext("The settings of the screen are stored."))
        case "renew":
            services.renew_key(found, by=request.user)
            text = gettext("The screen has another address; the old one opens nothing any more.")
            messages.success(request, text)
        case "remove":
            services.remove_screen(found, by=request.user)
            messages.success(request, gettext("The screen is removed."))
        case _:
            return False
    return True


def _usual() -> Screen:
    return Screen(language=(get_language() or "en").partition("-")[0])


def _switch(
    request: SignedInRequest, tournament: Tournament, screen: Screen, is_sent: bool
) -> SwitchForm:
    sent = request.POST if is_sent else None
    return SwitchForm(sent, stages=stages_of(tournament), screen=screen)


def _page(
    request: SignedInRequest,
    tournament: Tournament,
    *,
    new: ScreenForm | None = None,
    everywhere: SwitchForm | None = None,
    sent: tuple[int, SwitchForm, ScreenForm] | None = None,
) -> HttpResponse:
    """Show the screens; the forms that were sent stay as they were filled in."""
    stages = stages_of(tournament)
    cards = [
        _card(request, one, sent[1], sent[2])
        if sent is not None and sent[0] == one.pk
        else _card(
            request, one, SwitchForm(None, stages=stages, screen=one), ScreenForm(screen=one)
        )
        for one in tournament.screens.select_related("stage")
    ]
    everywhere = everywhere or SwitchForm(None, stages=stages, screen=_usual())
    forms: list[Any] = [new, everywhere, *(sent[1:] if sent else ())]
    context = {
        "tournament": tournament,
        "cards": cards,
        "new": new or ScreenForm(screen=_usual()),
        "everywhere": everywhere,
        "views": Screen.Shows.choices,
    }
    refused = request.method == "POST" or any(one is not None and one.errors for one in forms)
    return render(
        request, "tournaments/director_screens.html", context, status=422 if refused else 200
    )


def _card(
    request: SignedInRequest, one: Screen, switch: SwitchForm, settings: ScreenForm
) -> ScreenCard:
    address = request.build_absolute_uri(reverse("referee:screen", args=[one.key]))
    return ScreenCard(
        screen=one,
        switch=switch,
        settings=settings,
        address=address,
        overlay=request.build_absolute_uri(reverse("referee:overlay", args=[one.key])),
        code=qr_of(address),
    )
