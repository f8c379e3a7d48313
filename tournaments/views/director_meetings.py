"""Say who goes on from a table of a bracket that both sides have lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.fields import PlainForm
from tournaments.forms.results import ReasonField
from tournaments.models import LONG_IN_ROUND, Entry, Match, PairingRound
from tournaments.queries import events as queries
from tournaments.services import brackets, meetings
from tournaments.views.access import SignedInRequest, directed, form_page

NOBODY = "0"


class DecisionForm(PlainForm):
    """Who goes on, and why."""

    winner = forms.ChoiceField(
        label=_("Who goes on?"),
        widget=forms.RadioSelect,
        error_messages={"required": _("Choose who goes on, or that nobody does.")},
    )
    reason = ReasonField()

    def __init__(self, *given: Any, entries: Sequence[Entry], **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.entries = {str(one.number): one for one in entries}
        field = self.fields["winner"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            *((number, one.name) for number, one in self.entries.items()),
            (NOBODY, gettext("Nobody: whoever was to meet the winner goes on without play")),
        ]

    def chosen(self) -> Entry | None:
        return self.entries.get(self.cleaned_data["winner"])


@login_required
@form_page
def decide(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show the result that both sides lost; ask who goes on all the same, and why."""
    tournament = directed(request, slug)
    match = get_object_or_404(
        Match.objects.exclude(pairing_round__state=PairingRound.State.DRAFT)
        .exclude(meeting="")
        .select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND),
        pk=pk,
        pairing_round__stage__tournament=tournament,
    )
    form = DecisionForm(request.POST or None, entries=meetings.entries_at(match))
    if request.method == "POST" and form.is_valid():
        winner = form.chosen()
        reason = form.cleaned_data["reason"]
        try:
            meetings.decide_meeting(match, winner=winner, reason=reason, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            said = gettext("“%(name)s” goes on from table %(table)s.")
            if winner is None:
                said = gettext("Nobody goes on from table %(table)s.")
            name = "" if winner is None else winner.name
            messages.success(request, said % {"name": name, "table": local_digits(match.table)})
            return redirect("tournaments:director_tables", slug)
    (line,) = queries.table_lines(Match.objects.filter(pk=match.pk), tournament)
    goes_on = meetings.decision(match)
    context = {
        "tournament": tournament,
        "match": match,
        "line": line,
        "form": form,
        "is_open": brackets.is_undecided(match),
        "is_decided": goes_on is not None,
        "goes_on": form.entries.get(str(goes_on)),
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_meeting.html", context, status=status)
