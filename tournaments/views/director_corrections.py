"""Correct what was stored: a result, seats, a match to be played again, an entry put out."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.errors.scores import DoubtfulScore
from tournaments.forms.results import CorrectionForm, LeftForm, ReasonForm, SwapForm
from tournaments.models import LONG_IN_ROUND, Entry, Match, MatchSeat, Stage, Tournament
from tournaments.queries import events as queries
from tournaments.rules import rules_of
from tournaments.services import corrections, disqualification, scores
from tournaments.services.brackets import later_tables
from tournaments.services.corrections import Correction
from tournaments.views.access import SignedInRequest, directed, form_page


@login_required
@form_page
def correct(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show the old score and ask for the new one and the reason; say what it changed."""
    tournament = directed(request, slug)
    match = _match(tournament, pk)
    (line,) = queries.table_lines(Match.objects.filter(pk=match.pk), tournament)
    form = CorrectionForm(request.POST or None, match=match, sides=line.sides)
    shown: dict[str, Any] = {}
    if request.method == "POST" and form.is_valid():
        try:
            done = corrections.correct_score(
                match,
                points=form.points,
                deducted=form.deducted(),
                reason=form.cleaned_data["reason"],
                sure=request.POST.get("sure_of") == form.fingerprint,
                by=request.user,
            )
        except DoubtfulScore:
            found = scores.doubts(match, form.points)
            shown = {"doubts": [explain(one) for one in found], "sure_of": form.fingerprint}
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            said = gettext("Table %(table)s is corrected.")
            return _changed(request, done, said % {"table": local_digits(match.table)})
    later = later_tables(match)
    context = {
        "tournament": tournament,
        "match": match,
        "line": line,
        "form": form,
        "has_record": bool(match.score),
        "is_frozen": match.pairing_round.stage.state == Stage.State.CLOSED,
        "later": later,
        "later_has_begun": any(one.state != Match.State.WAITING for one in later),
        **shown,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_reopen.html", context, status=status)


@login_required
@form_page
def swap(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Exchange the seats of two entries found to have sat wrongly."""
    tournament = directed(request, slug)
    match = _match(tournament, pk)
    form = SwapForm(request.POST or None, here=match, round_seats=_one_seat_an_entry(match))
    shown = {"all_lose": rules_of(match).profile == "femundo"}
    if request.method == "POST" and request.POST.get("act") == "all_lose":
        return _all_lose(request, match, form, shown)
    if request.method == "POST" and form.is_valid():
        here, one = form.chosen("one")
        there, other = form.chosen("other")
        try:
            done = corrections.swap_seats(
                here,
                one=one,
                other=other,
                other_match=there if there.pk != here.pk else None,
                follow="seats" if form.cleaned_data["follow"] == "seats" else "persons",
                reason=form.cleaned_data["reason"],
                by=request.user,
            )
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            said = gettext("“%(one)s” and “%(other)s” have changed seats.")
            return _changed(request, done, said % {"one": one.name, "other": other.name})
    return _swap_page(request, match, form, shown)


def _all_lose(
    request: SignedInRequest, match: Match, form: SwapForm, shown: dict[str, bool]
) -> HttpResponse:
    try:
        done = corrections.lose_all(match, reason=request.POST.get("reason", ""), by=request.user)
    except DominoError as error:
        form.is_valid()
        form.add_error("reason" if error.code == "reason_missing" else None, explain(error))
        return _swap_page(request, match, form, shown)
    said = gettext("Everybody at table %(table)s has lost.")
    return _changed(request, done, said % {"table": local_digits(match.table)})


def _swap_page(
    request: SignedInRequest, match: Match, form: SwapForm, shown: dict[str, bool]
) -> HttpResponse:
    tournament = match.pairing_round.stage.tournament
    context = {"tournament": tournament, "match": match, "form": form, **shown}
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_swap.html", context, status=status)


@login_required
@form_page
def replay(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Say what playing a match again means; the referee's page does it, it has the record."""
    tournament = directed(request, slug)
    match = _match(tournament, pk)
    (line,) = queries.table_lines(Match.objects.filter(pk=match.pk), tournament)
    context = {"tournament": tournament, "match": match, "line": line, "form": ReasonForm()}
    return render(request, "tournaments/director_replay.html", context)


@login_required
@form_page
def left(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Ask who left a table in the middle of play, and close it."""
    tournament = directed(request, slug)
    match = _match(tournament, pk)
    entries = Entry.objects.filter(seats__match=match).distinct().order_by("number")
    form = LeftForm(request.POST or None, entries=entries)
    if request.method == "POST" and form.is_valid():
        reason = form.cleaned_data["reason"]
        try:
            disqualification.abandon(match, left=form.chosen(), reason=reason, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            said = gettext("Table %(table)s is closed: won by those who stayed.")
            messages.success(request, said % {"table": local_digits(match.table)})
            return redirect("tournaments:director_tables", slug)
    whole = disqualification.left_at_table(match) == disqualification.LEFT_GET_TARGET
    context = {"tournament": tournament, "match": match, "form": form, "whole": whole}
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_left.html", context, status=status)


@login_required
@form_page
def disqualify(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Say what putting an entry out means for its tables, and do it."""
    tournament = directed(request, slug)
    entry = get_object_or_404(tournament.entries, number=number)
    form = ReasonForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            disqualification.disqualify(
                entry,
                reason=form.cleaned_data["reason"],
                with_partner=request.POST.get("with_partner") == "1",
                by=request.user,
            )
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            said = gettext("“%(entry)s” is disqualified.")
            messages.success(request, said % {"entry": entry.name})
            return redirect("tournaments:director_entries", slug)
    tables = [
        (match, disqualification.left_at_table(match))
        for match in disqualification.open_tables(entry)
    ]
    context = {
        "tournament": tournament,
        "entry": entry,
        "form": form,
        "tables": tables,
        "partner": disqualification.partner_of(entry),
        "with_partner": request.POST.get("with_partner") == "1",
        "alone": tournament.entry_kind == Entry.Kind.SINGLE,
        "target": rules_of(tournament).target,
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_disqualify.html", context, status=status)


def _changed(request: SignedInRequest, done: Correction, said: str) -> HttpResponse:
    context = {
        "tournament": done.match.pairing_round.stage.tournament,
        "match": done.match,
        "done": done,
        "said": said,
    }
    return render(request, "tournaments/director_changed.html", context)


def _match(tournament: Tournament, pk: int) -> Match:
    found = Match.objects.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND)
    return get_object_or_404(found, pk=pk, pairing_round__stage__tournament=tournament)


def _one_seat_an_entry(match: Match) -> list[MatchSeat]:
    """Return the first seat of every entry of the round, by table."""
    seats = MatchSeat.objects.filter(pairing_round=match.pairing_round_id).select_related(
        "match__pairing_round__stage__tournament", "entry"
    )
    seats = seats.defer(*(f"match__{name}" for name in LONG_IN_ROUND))
    first: dict[tuple[int, int], MatchSeat] = {}
    for one in seats.order_by("match__table", "seat"):
        first.setdefault((one.match_id, one.entry_id), one)
    return list(first.values())
