"""The appeals of an event, for its referees and directors, and the time to file them in."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments import permissions
from tournaments.errors.base import explain
from tournaments.forms.appeals import AppealTimeForm
from tournaments.policies import appeal_minutes
from tournaments.queries.appeals import appeals_page
from tournaments.services.appeals import set_appeal_time
from tournaments.views.access import SignedInRequest, form_page
from tournaments.visible import tournament_at


@login_required
@form_page
def appeals(request: SignedInRequest, slug: str) -> HttpResponse:
    """List the appeals; a director sets until when they are taken."""
    tournament = tournament_at(slug, user=request.user)
    permissions.require_referee(request.user, tournament)
    form = AppealTimeForm(request.POST or None, initial={"minutes": appeal_minutes(tournament)})
    if request.method == "POST" and form.is_valid():
        try:
            set_appeal_time(tournament, minutes=form.cleaned_data["minutes"], by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The time for appeals is set."))
            return redirect("tournaments:director_appeals", slug)
    context = {
        "tournament": tournament,
        "page": appeals_page(tournament),
        "form": form,
        "minutes": appeal_minutes(tournament),
        "is_director": permissions.is_director(request.user, tournament),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_appeals.html", context, status=status)
