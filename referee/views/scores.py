"""The page on which the score of a table is set, for those without a script."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from referee import guests
from referee.forms.scores import ScoreForm
from referee.queries import records as queries
from referee.services import holders
from referee.services.score_setting import set_score
from referee.views.records import own_match, user_of
from tournaments.errors.base import explain
from tournaments.views.access import form_page


@form_page
@guests.at_the_table()
def score(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the points of each side and why they are set."""
    match = own_match(request, pk)
    recorded = queries.read(match)
    totals = recorded.state.totals
    sides = [(one, recorded.side_name(one), totals[one]) for one in recorded.sides]
    form = ScoreForm(request.POST or None, sides=sides)
    if request.method == "POST" and form.is_valid():
        try:
            with holders.holding(match, "", by=user_of(request)):
                set_score(
                    match,
                    totals=form.totals(),
                    reason=form.cleaned_data["reason"],
                    by=user_of(request),
                )
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The score is set. The log says why."))
            return redirect("referee:record", pk)
    context = {
        "match": match,
        "tournament": match.pairing_round.stage.tournament,
        "form": form,
    }
    return render(request, "referee/score.html", context, status=422 if form.errors else 200)
