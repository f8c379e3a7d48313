"""The director chooses what decides the places of a stage."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.errors import DominoError
from tournaments.competition.types import TieBreak
from tournaments.forms.events import refuse
from tournaments.forms.fields import PlainForm
from tournaments.models import Stage
from tournaments.services.tie_breaks import change_tie_breaks
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words.standings import column

PLACES = 6


class TieBreaksForm(PlainForm):
    """What is asked first, second and so on; what is left empty is not asked."""

    def __init__(self, *given: object, **settings: object) -> None:
        super().__init__(*given, **settings)  # type: ignore[arg-type]
        choices = [("", "–")] + [(one.value, column(one.value).label) for one in TieBreak]
        for place in range(1, PLACES + 1):
            self.fields[f"place_{place}"] = forms.ChoiceField(
                label=_("First") if place == 1 else _("Then"), choices=choices, required=place == 1
            )

    def clean(self) -> dict[str, object]:
        chosen = self.chosen
        if len(chosen) > len(set(chosen)):
            raise forms.ValidationError(
                gettext("One criterion is chosen twice. The second time it cannot part anybody.")
            )
        return self.cleaned_data

    @property
    def chosen(self) -> list[str]:
        """The criteria in their order."""
        found = [self.cleaned_data.get(f"place_{place}", "") for place in range(1, PLACES + 1)]
        return [one for one in found if one]


@login_required
@form_page
def tie_breaks(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Choose the criteria in their order; the standings follow at once."""
    tournament = directed(request, slug)
    found = get_object_or_404(Stage, tournament=tournament, number=stage)
    initial = {f"place_{n}": name for n, name in enumerate(found.tie_breaks, start=1)}
    form = TieBreaksForm(request.POST if request.method == "POST" else None, initial=initial)
    if request.method == "POST" and form.is_valid():
        try:
            change_tie_breaks(found, form.chosen, by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            messages.success(request, gettext("The standings are ordered by this now."))
            return redirect("tournaments:director", slug)
    context = {
        "form": form,
        "tournament": tournament,
        "stage": found,
        "columns": [column(one.value) for one in TieBreak],
    }
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/director_tie_breaks.html", context, status=status)
