"""Hide the results of the last rounds until the prize-giving, and show them."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Tournament
from tournaments.policies import LATEST_ROUND
from tournaments.publication import hidden
from tournaments.services.hidden_results import hide_results, show_results
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words.hidden import of_event


class HidingForm(PlainForm):
    """From which round of which stage on results are hidden."""

    stage = forms.TypedChoiceField(label=_("Stage"), coerce=int)
    round = WholeNumberField(
        label=_("First round with hidden results"), min_value=1, max_value=LATEST_ROUND
    )

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        since = hidden(tournament).since
        stages = list(tournament.stages.order_by("number"))
        settings["initial"] = {"stage": stages[-1].number if stages else None, "round": 1}
        if since is not None:
            settings["initial"] = {"stage": since[0], "round": since[1]}
        elif stages and stages[-1].rounds_planned:
            settings["initial"]["round"] = stages[-1].rounds_planned
        super().__init__(*given, **settings)
        field = self.fields["stage"]
        assert isinstance(field, forms.TypedChoiceField)
        field.choices = [(one.number, one.title) for one in stages]


@login_required
@form_page
def hidden_results(request: SignedInRequest, slug: str) -> HttpResponse:
    """Say which results are hidden; hide others, or show all."""
    tournament = directed(request, slug)
    shows = request.method == "POST" and request.POST.get("act") == "show"
    form = HidingForm(
        request.POST if request.method == "POST" and not shows else None, tournament=tournament
    )
    try:
        if shows:
            show_results(tournament, by=request.user)
            messages.success(request, gettext("Everybody sees all results now."))
            return redirect("tournaments:director_hidden", slug)
        if request.method == "POST" and form.is_valid():
            hide_results(tournament, **form.cleaned_data, by=request.user)
            messages.success(request, gettext("These results are hidden from the public now."))
            return redirect("tournaments:director_hidden", slug)
    except DominoError as error:
        form.add_error(None, explain(error))
    context = {
        "tournament": tournament,
        "form": form,
        "said": of_event(tournament),
        "has_stages": bool(form.fields["stage"].choices),  # type: ignore[attr-defined]
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_hidden.html", context, status=status)
