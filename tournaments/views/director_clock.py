"""The clock of a round at the desk: when it began, how long it lasts, extra time of tables."""

from __future__ import annotations

from zoneinfo import ZoneInfo

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.results import ClockForm, ExtraTimeForm
from tournaments.models import PairingRound
from tournaments.services import clock
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.views.director_results import published_round

USUAL_MINUTES = 40


@login_required
@form_page
def round_clock(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Set the clock of a round, stop it, or give a table extra time."""
    tournament = directed(request, slug)
    found = published_round(tournament, stage, number)
    act = request.POST.get("act", "") if request.method == "POST" else ""
    with timezone.override(ZoneInfo(tournament.time_zone)):
        form = ClockForm(
            request.POST if act == "set" else None, initial={"minutes": _minutes(found)}
        )
        extra = ExtraTimeForm(request.POST if act == "extra" else None)
        try:
            done = _done(request, found, act, form, extra)
        except DominoError as error:
            done = ""
            (extra if act == "extra" else form).add_error(None, explain(error))
        if done:
            messages.success(request, done)
            return redirect("tournaments:director_clock", slug, stage, number)
        context = {
            "tournament": tournament,
            "pairing_round": found,
            "clock": clock.clock_of(found),
            "form": form,
            "extra": extra,
            "tables": [
                (match, clock.clock_of(found, extra_seconds=match.extra_seconds))
                for match in found.matches.filter(extra_seconds__gt=0)
            ],
        }
        status = 422 if act else 200
        return render(request, "tournaments/director_clock.html", context, status=status)


def _done(
    request: SignedInRequest, found: PairingRound, act: str, form: ClockForm, extra: ExtraTimeForm
) -> str:
    """Do what was asked and return what to say; "" where a form has to be looked at."""
    if act == "stop":
        clock.stop_clock(found, by=request.user)
        return gettext("The clock is stopped.")
    if act == "set" and form.is_valid():
        minutes = form.cleaned_data["minutes"]
        clock.set_clock(found, minutes=minutes, starts_at=form.begins(), by=request.user)
        return gettext("The clock is set.")
    if act == "extra" and extra.is_valid():
        return _give(request, found, extra)
    return ""


def _give(request: SignedInRequest, found: PairingRound, extra: ExtraTimeForm) -> str:
    table = extra.cleaned_data["table"]
    match = found.matches.filter(table=table).first()
    if match is None:
        extra.add_error("table", gettext("This round has no such table."))
        return ""
    seconds = 60 * extra.cleaned_data["minutes"]
    clock.set_extra_time(
        match, seconds=seconds, reason=extra.cleaned_data["reason"], by=request.user
    )
    said = gettext("Table %(table)s has its extra time.")
    return said % {"table": local_digits(table)}


def _minutes(found: PairingRound) -> int:
    """Return how long the round lasts, else as long as the one before it."""
    if found.minutes:
        return found.minutes
    before = (
        PairingRound.objects.filter(
            stage__tournament=found.stage.tournament_id, minutes__isnull=False
        )
        .order_by("-stage__number", "-number")
        .defer("draw", "standings")
        .first()
    )
    return before.minutes or USUAL_MINUTES if before else USUAL_MINUTES
