"""Draw a published round anew that nobody has begun."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.results import ReasonForm
from tournaments.models import Entry
from tournaments.services import remaking
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.views.director_results import published_round


@login_required
@form_page
def remake(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Say who is not drawn any more and what becomes of the round; ask why, and draw it."""
    tournament = directed(request, slug)
    found = published_round(tournament, stage, number)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            drawn = remaking.remake_round(
                found, reason=form.cleaned_data["reason"], by=request.user
            )
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            done = gettext("Round %(number)s is drawn anew. Look at it, then publish it.")
            messages.success(request, done % {"number": local_digits(drawn.number)})
            return redirect("tournaments:director_adjust", slug, stage, number)
    gone = Entry.objects.filter(
        seats__pairing_round=found, state__in=[Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED]
    )
    context = {
        "tournament": tournament,
        "pairing_round": found,
        "form": form,
        "gone": gone.distinct().order_by("number"),
        "byes": Entry.objects.filter(byes__pairing_round=found).order_by("number"),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_remake.html", context, status=status)
