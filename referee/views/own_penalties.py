"""The event's own infractions and numbers in the browser, before the first round is published."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from engine.own_penalties import NOT_IN_SCHEDULES, own_json
from engine.penalties import CARDS, KINDS, PLAIN_MEASURES, Measure
from referee.forms.sanctions import OwnPenaltyForm, kind_choices
from referee.sentences import measure_label
from tournaments.errors.base import explain
from tournaments.models import Tournament
from tournaments.rules import rules_of
from tournaments.services.own_penalties import set_own_penalties
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words.rules import kind_name, penalty_lines


@login_required
@require_safe
def own_penalties(request: SignedInRequest, slug: str) -> HttpResponse:
    """List every kind with what it costs in this event, the event's own marked."""
    tournament = directed(request, slug)
    lines = penalty_lines(rules_of(tournament))
    context = {"tournament": tournament, "lines": lines, "is_director": True}
    return render(request, "referee/sanctions_penalties.html", context)


@login_required
@form_page
def own_penalty(request: SignedInRequest, slug: str, kind: str = "") -> HttpResponse:
    """Change what a kind costs, or add a kind of the event's own."""
    tournament = directed(request, slug)
    rules = rules_of(tournament)
    own = next((one for one in rules.own if one.kind == kind), None)
    if kind and kind not in dict(kind_choices(rules)):
        return redirect("referee:own_penalties", slug)
    initial = OwnPenaltyForm.of(rules.of_profile.schedule.penalties.get(kind), own)
    form = OwnPenaltyForm(request.POST or None, fixed=kind, initial=initial)
    if request.method == "POST" and form.is_valid():
        if not kind and form.code in dict(kind_choices(rules)):
            told = gettext("There is a kind with this code. Choose it in the list to change it.")
            form.add_error("kind", told)
        else:
            given = {**own_json(rules.own), form.code: form.penalty()}
            try:
                set_own_penalties(tournament, penalties=given, by=request.user)
            except DominoError as error:
                form.add_error(None, explain(error))
            else:
                messages.success(request, gettext("What it costs is set for this event."))
                return redirect("referee:own_penalties", slug)
    context = {
        "tournament": tournament,
        "form": form,
        "kind": kind,
        "label": kind_name(kind, rules.own) if kind else "",
        "own": own,
        "in_book": kind in KINDS,
        "measures": _measures(),
        "is_director": True,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/sanctions_penalty.html", context, status=status)


@login_required
@require_POST
def forget_penalty(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    """Let a kind cost what the rule book says again; one the book lacks goes."""
    tournament: Tournament = directed(request, slug)
    kept = {name: one for name, one in own_json(rules_of(tournament).own).items() if name != kind}
    try:
        set_own_penalties(tournament, penalties=kept, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, gettext("The rule book counts again."))
    return redirect("referee:own_penalties", slug)


def _measures() -> list[dict[str, Any]]:
    """Return the measures that can be written, each as written and in words."""
    plain = [Measure(one) for one in PLAIN_MEASURES if one not in NOT_IN_SCHEDULES]
    numbers = [Measure("percent", 20), Measure("points", 10)]
    cards = [Measure("card", one) for one in CARDS]
    return [
        {"written": str(one), "label": measure_label(one)} for one in [*plain, *numbers, *cards]
    ]
