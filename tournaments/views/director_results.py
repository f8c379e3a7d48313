"""Type the results of a round: table number, Enter, score, Enter, next."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from engine.errors import DominoError
from tournaments import permissions
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.errors.scores import DoubtfulScore, ReportsDiffer
from tournaments.forms.results import ScoreForm, TableForm
from tournaments.models import Match, PairingRound, Tournament
from tournaments.queries.events import TableLine
from tournaments.queries.results import ResultsPage, current_round, results_page, table_line
from tournaments.services import reports, scores
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.visible import tournament_at


@login_required
@form_page
def results(request: SignedInRequest, slug: str) -> HttpResponse:
    """Lead to the round that results are typed for."""
    tournament = _recorded(request, slug)
    found = current_round(tournament)
    if found is None:
        context = {"tournament": tournament, "is_director": _directs(request, tournament)}
        return render(request, "tournaments/director_results_none.html", context)
    return redirect("tournaments:director_results_round", slug, found.stage.number, found.number)


@login_required
@form_page
def results_round(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Ask for a table, then for its score; store it and ask for the next table."""
    pairing_round = published_round(_recorded(request, slug), stage, number)
    if request.method == "POST":
        return _store(request, pairing_round)
    page = results_page(pairing_round)
    if "table" not in request.GET:
        return _page(request, page, TableForm())
    form = TableForm(request.GET)
    line = page.line(form.cleaned_data["table"]) if form.is_valid() else None
    if line is None:
        if form.is_valid():
            form.add_error("table", _no_such_table(page))
        return _page(request, page, form, status=422)
    if line.is_closed:
        return _page(request, page, TableForm(), stored=line)
    return _page(request, page, form, line=line, score=_score_form(line))


def _store(request: SignedInRequest, pairing_round: PairingRound) -> HttpResponse:
    """Store what was typed for one table; the whole round is read only where something is wrong."""
    asked = TableForm(request.POST)
    line = table_line(pairing_round, asked.cleaned_data["table"]) if asked.is_valid() else None
    if line is None:
        return _page(request, results_page(pairing_round), asked, status=422)
    if request.POST.get("act") in ("accept", "reject"):
        return _settle(request, pairing_round, line)
    form = _score_form(line, request.POST)
    if not form.is_valid():
        page = results_page(pairing_round)
        return _page(request, page, asked, line=line, score=form, status=422)
    sure = request.POST.get("sure_of") == form.fingerprint
    over = request.POST.get("over_of") == form.fingerprint
    shown: dict[str, Any] = {}
    try:
        match = reports.submit_score(
            line.match,
            points=form.points,
            deducted=form.deducted(),
            sure=sure or over,
            over=over,
            by=request.user,
        )
    except DoubtfulScore:
        found = scores.doubts(line.match, form.points)
        shown = {"doubts": [explain(one) for one in found], "sure_of": form.fingerprint}
    except ReportsDiffer as error:
        shown = {"differs": explain(error), "over_of": form.fingerprint}
    except DominoError as error:
        form.add_error(None, explain(error))
    else:
        messages.success(request, _said(match, form))
        return _next(pairing_round)
    page = results_page(pairing_round)
    return _page(request, page, asked, line=line, score=form, status=422, **shown)


def _settle(request: SignedInRequest, pairing_round: PairingRound, line: TableLine) -> HttpResponse:
    """Take the report that waits as right, or throw it away."""
    accepts = request.POST["act"] == "accept"
    service = reports.accept_report if accepts else reports.reject_report
    try:
        service(line.match, by=request.user)
    except DominoError as error:
        page = results_page(pairing_round)
        return _page(request, page, TableForm(), refusal=explain(error), status=422)
    done = (
        gettext("Table %(table)s is confirmed.")
        if accepts
        else gettext("The report of table %(table)s is rejected. Type its result again.")
    )
    messages.success(request, done % {"table": local_digits(line.match.table)})
    return _next(pairing_round)


@login_required
@require_POST
def second_check(request: SignedInRequest, slug: str) -> HttpResponse:
    """Let typed scores wait for a second person, or count at once."""
    tournament = directed(request, slug)
    needed = request.POST.get("needed") == "1"
    try:
        reports.set_second_check(tournament, needed=needed, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        done = (
            gettext("From now on a second person has to type the same score.")
            if needed
            else gettext("From now on a typed score counts at once.")
        )
        messages.success(request, done)
    return redirect("tournaments:director_results", slug)


def published_round(tournament: Tournament, stage: int, number: int) -> PairingRound:
    """Return a round that has been published; a draft has no results."""
    found = (
        PairingRound.objects.select_related("stage__tournament")
        .exclude(state=PairingRound.State.DRAFT)
        .defer("draw", "standings")
    )
    return get_object_or_404(
        found, stage__tournament=tournament, stage__number=stage, number=number
    )


def _page(
    request: SignedInRequest,
    page: ResultsPage,
    form: TableForm,
    *,
    line: TableLine | None = None,
    score: ScoreForm | None = None,
    status: int = 200,
    **shown: Any,
) -> HttpResponse:
    tournament = page.tournament
    context = {
        "tournament": tournament,
        "page": page,
        "form": form,
        "line": line,
        "score": score,
        "is_director": _directs(request, tournament),
        "may_reject": permissions.is_referee(request.user, tournament),
        "second_check": reports.needs_second_check(tournament),
        **shown,
    }
    return render(request, "tournaments/director_results.html", context, status=status)


def _score_form(line: TableLine, sent: Any = None) -> ScoreForm:
    return ScoreForm(sent, match=line.match, sides=line.sides)


def _said(match: Match, form: ScoreForm) -> str:
    score = "–".join(local_digits(form.points[side]) for side in form.sides)
    sentence = (
        gettext("Table %(table)s: %(score)s is stored.")
        if match.state == Match.State.CLOSED
        else gettext("Table %(table)s: %(score)s waits for the second check.")
    )
    return sentence % {"table": local_digits(match.table), "score": score}


def _no_such_table(page: ResultsPage) -> str:
    tables = [line.match.table for line in page.lines]
    sentence = gettext("This round has no such table. Its tables are %(first)s to %(last)s.")
    return sentence % {"first": local_digits(min(tables)), "last": local_digits(max(tables))}


def _next(found: PairingRound) -> HttpResponse:
    return redirect(
        "tournaments:director_results_round",
        found.stage.tournament.slug,
        found.stage.number,
        found.number,
    )


def _recorded(request: SignedInRequest, slug: str) -> Tournament:
    """Return the event for one of its officials; what a scorer may type, the service asks."""
    tournament = tournament_at(slug, user=request.user)
    if not permissions.is_official(request.user, tournament):
        raise PermissionDenied(gettext("Only the officials of this event type its results."))
    return tournament


def _directs(request: SignedInRequest, tournament: Tournament) -> bool:
    return permissions.is_director(request.user, tournament)
