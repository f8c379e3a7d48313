"""The page on which the record of a match goes back to an earlier event, without a script."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from engine.errors import DominoError
from referee import guests
from referee.forms.records import BackForm, WantedBackForm
from referee.queries import going_back as queries
from referee.queries import records
from referee.services import going_back, holders
from referee.views.records import own_match, user_of
from tournaments.errors.base import explain
from tournaments.models import Match

Context = dict[str, Any]


@require_http_methods(["GET", "HEAD", "POST"])
@guests.at_the_table()
def back(request: HttpRequest, pk: int) -> HttpResponse:
    """Choose an event, see what would be lost, and go back to just before it."""
    match = own_match(request, pk)
    if request.method == "POST":
        return _go_back(request, match)
    wanted = WantedBackForm(request.GET)
    said = wanted.cleaned_data if wanted.is_valid() else {}
    return _page(request, match, number=said.get("round"), event=said.get("event"))


def _go_back(request: HttpRequest, match: Match) -> HttpResponse:
    form = BackForm(request.POST)
    if not form.is_valid():
        return _page(request, match)
    said = form.cleaned_data
    try:
        with holders.holding(match, "", by=user_of(request)):
            going_back.go_back(
                match,
                number=said["round"],
                event=said["event"],
                seen=(said["rounds"], said["events"]),
                client_key=said["client_key"],
                by=user_of(request),
            )
    except DominoError as error:
        return _page(
            request, match, number=said["round"], event=said["event"], problem=explain(error)
        )
    return redirect("referee:record", match.pk)


def _page(
    request: HttpRequest,
    match: Match,
    *,
    number: int | None = None,
    event: int | None = None,
    problem: str = "",
) -> HttpResponse:
    recorded = records.read(match)
    context: Context = {"match": match, "tournament": match.pairing_round.stage.tournament}
    if number is not None:
        try:
            context["preview"] = queries.preview(recorded, number=number, event=event)
            context["form"] = BackForm(initial=_asked(context["preview"]))
        except DominoError as error:
            problem = problem or explain(error)
    if "preview" not in context:
        context["choice"] = queries.choice(recorded)
    context["problem"] = problem
    return render(request, "referee/back.html", context, status=422 if problem else 200)


def _asked(preview: queries.Json) -> Context:
    return {"round": preview["round"], "event": preview["event"], **preview["seen"]}
