"""Hours of registration, places and who sees the event; what byes and absences are worth."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.registration import PoliciesForm, RegistrationForm
from tournaments.models import Stage
from tournaments.policies import KINDS
from tournaments.services import registration as service
from tournaments.services import waiting_list
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words import entries as entry_words

POLICIES = "policies"


@login_required
@form_page
def registration(request: SignedInRequest, slug: str) -> HttpResponse:
    """Two forms on one page; each is sent alone."""
    tournament = directed(request, slug)
    sent = request.POST.get("form") if request.method == "POST" else None
    entering = RegistrationForm(
        None if sent in (None, POLICIES) else request.POST, tournament=tournament
    )
    scoring = PoliciesForm(
        request.POST if sent == POLICIES else None, tournament=tournament, prefix=POLICIES
    )
    try:
        if entering.is_valid():
            service.set_registration(tournament, entering.rules(), by=request.user)
        elif scoring.is_valid():
            reason = scoring.cleaned_data["reason"]
            service.set_policies(tournament, scoring.policies(), reason=reason, by=request.user)
        if entering.is_valid() or scoring.is_valid():
            messages.success(request, gettext("Saved."))
            return redirect("tournaments:director_registration", slug)
    except DominoError as error:
        refuse(scoring if scoring.is_bound else entering, error)
    running = tournament.stages.filter(state=Stage.State.OPEN).select_related("tournament")
    context = {
        "tournament": tournament,
        "form": entering,
        "policies": scoring,
        "window": entry_words.window_words(tournament),
        "places": entry_words.places_words(tournament),
        "late": [entry_words.late_words(stage) for stage in running],
        "bye": entry_words.bye_words(tournament),
        "missed": [(kind.label, entry_words.absence_words(tournament, kind)) for kind in KINDS],
    }
    status = 422 if entering.errors or scoring.errors else 200
    return render(request, "tournaments/director_registration.html", context, status=status)


@login_required
@require_POST
def admit(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Give somebody on the waiting list a place."""
    tournament = directed(request, slug)
    entry = get_object_or_404(tournament.entries.select_related("tournament"), number=number)
    try:
        waiting_list.admit(entry, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        done = gettext("“%(name)s” is registered now.")
        messages.success(request, done % {"name": entry.name})
    return redirect("tournaments:director_entries", slug)
