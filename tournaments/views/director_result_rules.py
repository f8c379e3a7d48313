"""Say how results count where the rule book says nothing, or events differ."""

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
from tournaments.forms.fields import PlainForm
from tournaments.models import Tournament
from tournaments.services.disqualification import LEFT_GET_TARGET, LEFT_GET_WALKOVER
from tournaments.services.result_rules import ResultRules, result_rules, set_result_rules
from tournaments.services.scores import NOBODY_WINS, RIVALS_WIN
from tournaments.views.access import SignedInRequest, directed, form_page

_USUAL = ("", _("As the rule book has it"))
_LEVEL = {"yes": True, "no": False}


class ResultRulesForm(PlainForm):
    """Three choices, each as the rule book has it unless said otherwise."""

    level_results = forms.ChoiceField(
        label=_("A match that is level when the bell ends it"),
        choices=[_USUAL, ("yes", _("May stay level")), ("no", _("Goes on until somebody leads"))],
        required=False,
    )
    left_at_table = forms.ChoiceField(
        label=_(
            "Those left at a table that somebody leaves or is put out of in the middle of play"
        ),
        choices=[
            _USUAL,
            (LEFT_GET_TARGET, _("Win with the whole target")),
            (LEFT_GET_WALKOVER, _("Win with half the target")),
        ],
        required=False,
    )
    after_fine = forms.ChoiceField(
        label=_("Where penalty points cost a pair the match it had won"),
        choices=[
            (NOBODY_WINS, _("Nobody wins it: the other pair keeps its loss")),
            (RIVALS_WIN, _("Whoever has more points then wins it: usually the other pair")),
        ],
        required=False,
    )

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        said = result_rules(tournament)
        level = {value: name for name, value in _LEVEL.items()}
        settings["initial"] = {
            "level_results": "" if said.level_results is None else level[said.level_results],
            "left_at_table": said.left_at_table or "",
            "after_fine": said.after_fine or NOBODY_WINS,
        }
        super().__init__(*given, **settings)

    def rules(self) -> ResultRules:
        cleaned = self.cleaned_data
        after_fine = cleaned["after_fine"]
        return ResultRules(
            level_results=_LEVEL.get(cleaned["level_results"]),
            left_at_table=cleaned["left_at_table"] or None,
            after_fine=RIVALS_WIN if after_fine == RIVALS_WIN else None,
        )


@login_required
@form_page
def rules(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show how results count, and change it; results stored before stay."""
    tournament = directed(request, slug)
    form = ResultRulesForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            set_result_rules(tournament, form.rules(), by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("From now on results count like this."))
            return redirect("tournaments:director_results", slug)
    context = {"tournament": tournament, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_result_rules.html", context, status=status)
