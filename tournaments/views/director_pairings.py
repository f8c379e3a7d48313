"""Make pairings, publish them, follow the tables, open a closed one for correction."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from engine.errors import DominoError
from engine.penalties import CARD_LABELS
from engine.profiles import PROFILES
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.events import TableRulesForm, rules_initial
from tournaments.forms.tables import AbsentForm, ManualRoundForm
from tournaments.models import LONG_IN_ROUND, Entry, Match, PairingRound, Stage, Tournament
from tournaments.queries import desk as pages
from tournaments.queries import events as queries
from tournaments.queries.next_step import next_step
from tournaments.rules import rule_lines, rules_of
from tournaments.services import pairings as service
from tournaments.services.clock import clock_of
from tournaments.services.remaking import may_be_remade
from tournaments.services.results import card_for_absence, record_walkover
from tournaments.services.table_rules import set_table_rules
from tournaments.views.access import SignedInRequest, directed, form_page


@login_required
@require_GET
def pairings(request: SignedInRequest, slug: str) -> HttpResponse:
    return _pairings_page(request, directed(request, slug))


def _pairings_page(
    request: SignedInRequest, tournament: Tournament, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    page = pages.director_page(tournament)
    entries = page.entries_registered
    context = {
        "tournament": tournament,
        "page": page,
        "next": next_step(page),
        "refusal": refusal,
        "round_robin": {
            "is_made": any(
                one.stage.system == Stage.System.ROUND_ROBIN and one.stage.state == Stage.State.OPEN
                for one in page.stages
            ),
            "rounds": entries - 1 + entries % 2,
            "tables": entries // 2,
            "fits": tournament.entry_kind != Entry.Kind.SINGLE or tournament.players_per_table == 2,
        },
        "is_running": tournament.state == Tournament.State.RUNNING,
    }
    return render(request, "tournaments/director_pairings.html", context, status=status)


@login_required
@require_POST
def make_round_robin(request: SignedInRequest, slug: str) -> HttpResponse:
    """Everybody meets everybody. Sent twice, the stage is made once."""
    tournament = directed(request, slug)
    legs = 2 if request.POST.get("legs") == "2" else 1
    try:
        service.make_round_robin(
            tournament, name=request.POST.get("name", "").strip()[:80], legs=legs, by=request.user
        )
    except DominoError as error:
        return _pairings_page(request, tournament, refusal=explain(error), status=422)
    messages.success(request, gettext("The rounds are drafted. Look at them, then publish."))
    return redirect("tournaments:director_pairings", slug)


@login_required
@require_POST
def make_manual_stage(request: SignedInRequest, slug: str) -> HttpResponse:
    tournament = directed(request, slug)
    try:
        stage = service.make_manual_stage(
            tournament, name=request.POST.get("name", "").strip()[:80], by=request.user
        )
    except DominoError as error:
        return _pairings_page(request, tournament, refusal=explain(error), status=422)
    return redirect("tournaments:director_seat", slug, stage.number)


@login_required
@form_page
def seat_round(
    request: SignedInRequest, slug: str, stage: int, number: int | None = None
) -> HttpResponse:
    """Seat a draft round by hand: the one asked for, or the next."""
    tournament = directed(request, slug)
    found = _stage(tournament, stage)
    page = pages.manual_round_page(found, number=number)
    form = ManualRoundForm(request.POST or None, page=page)
    if request.method == "POST" and form.is_valid():
        try:
            service.save_manual_round(found, number=page.number, **form.given(), by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The round is drafted. Look at it, then publish."))
            return redirect("tournaments:director_round", slug, stage, page.number)
    context = {"tournament": tournament, "page": page, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_seat.html", context, status=status)


@login_required
@require_GET
def pairing_round(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Show a round with its tables, the draft too."""
    tournament = directed(request, slug)
    return _round_page(request, _round(tournament, stage, number))


def _round_page(
    request: SignedInRequest, found: PairingRound, *, refusal: str = "", left_out: bool = False
) -> HttpResponse:
    context = {
        "tournament": found.stage.tournament,
        "page": queries.pairings_page(found, drafts=True),
        "is_draft": found.state == PairingRound.State.DRAFT,
        "is_by_hand": found.stage.system == Stage.System.MANUAL,
        "refusal": refusal,
        "left_out": left_out,
    }
    status = 422 if refusal else 200
    return render(request, "tournaments/director_round.html", context, status=status)


@login_required
@require_POST
def publish(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Show a round to everybody. Sent twice, it is published once."""
    tournament = directed(request, slug)
    found = _round(tournament, stage, number)
    try:
        service.publish(found, leave_out=request.POST.get("leave_out") == "on", by=request.user)
    except DominoError as error:
        found.refresh_from_db()
        left_out = error.code == "entries_left_out"
        return _round_page(request, found, refusal=explain(error), left_out=left_out)
    done = gettext("Pairing round %(number)s is published. Everybody can see where to sit.")
    messages.success(request, done % {"number": number})
    return redirect("tournaments:director", slug)


@login_required
@require_POST
def discard_stage(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Throw away drafts. Asked twice, they are gone once."""
    tournament = directed(request, slug)
    found = tournament.stages.filter(number=stage).first()
    if found is not None:
        try:
            service.discard_stage(found, by=request.user)
        except DominoError as error:
            return _pairings_page(request, tournament, refusal=explain(error), status=422)
        messages.success(request, gettext("The drafts are thrown away."))
    return redirect("tournaments:director_pairings", slug)


@login_required
@require_GET
def tables(request: SignedInRequest, slug: str) -> HttpResponse:
    tournament = directed(request, slug)
    rounds = [
        one.pairing_round
        for stage in queries.stage_lines(tournament, drafts=False)
        for one in stage.rounds
    ]
    lines = queries.table_lines(Match.objects.filter(pairing_round__in=rounds), tournament)
    context = {
        "tournament": tournament,
        "rounds": [
            {
                "stage": one.stage,
                "pairing_round": one,
                "tables": [line for line in lines if line.match.pairing_round_id == one.pk],
                "may_be_remade": one.state != PairingRound.State.FINISHED and may_be_remade(one),
            }
            for one in reversed(rounds)
        ],
    }
    return render(request, "tournaments/director_tables.html", context)


@login_required
@form_page
def walkover(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Ask who is absent from a table that waits, say what follows, and close it."""
    tournament = directed(request, slug)
    found = Match.objects.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND)
    match = get_object_or_404(found, pk=pk, pairing_round__stage__tournament=tournament)
    entries = Entry.objects.filter(seats__match=match).distinct().order_by("number")
    sent = request.POST if request.method == "POST" else None
    form = AbsentForm(sent, entries=entries)
    if form.is_valid():
        try:
            match = record_walkover(match, absent=form.chosen(), by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            done = gettext("Table %(table)s is closed: won by those who were present.")
            if len(form.chosen()) == len(form.entries):
                done = gettext("Table %(table)s is closed: nobody was present.")
            elif match.state != Match.State.CLOSED:
                done = gettext("Table %(table)s is played by those who are there.")
            messages.success(request, done % {"table": local_digits(match.table)})
            return redirect("tournaments:director_tables", slug)
    rules = rules_of(match)
    card = card_for_absence(rules)
    context = {
        "tournament": tournament,
        "match": match,
        "form": form,
        "card": gettext(CARD_LABELS[card]) if card else "",
        "card_colour": card,
        "survivors": rules.survivors if rules.elimination else 0,
        "clock": clock_of(match.pairing_round),
    }
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/director_table_absent.html", context, status=status)


@login_required
@form_page
def table_rules(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show the rules of one table; let it play by others, or by the event's again."""
    tournament = directed(request, slug)
    match = get_object_or_404(
        Match.objects.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND),
        pk=pk,
        pairing_round__stage__tournament=tournament,
    )
    form = TableRulesForm(request.POST or None, initial=rules_initial(rules_of(match)))
    if request.method == "POST" and (request.POST.get("step") == "event" or form.is_valid()):
        given = {} if request.POST.get("step") == "event" else form.rules_given()
        try:
            set_table_rules(match, **given, by=request.user)
        except DominoError as error:
            form.is_valid()
            form.add_error(None, explain(error))
        else:
            done = gettext("The rules of table %(table)s are set.")
            messages.success(request, done % {"table": match.table})
            return redirect("tournaments:director_tables", slug)
    context = {
        "tournament": tournament,
        "match": match,
        "form": form,
        "profiles": PROFILES,
        "lines": rule_lines(rules_of(match), match.seats.count()),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_table_rules.html", context, status=status)


def _stage(tournament: Tournament, number: int) -> Stage:
    return get_object_or_404(tournament.stages.select_related("tournament"), number=number)


def _round(tournament: Tournament, stage: int, number: int) -> PairingRound:
    found = (
        PairingRound.objects.filter(
            stage__tournament=tournament, stage__number=stage, number=number
        )
        .select_related("stage__tournament")
        .defer("draw", "standings")
        .first()
    )
    if found is None:
        raise Http404
    return found
