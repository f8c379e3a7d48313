"""Who is not there for which round, late entries, and substitutes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.db.models import BooleanField, ExpressionWrapper, Q, QuerySet
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.registration import AbsenceForm, ByeForm, ExchangeForm, SubstituteForm
from tournaments.models import LONG_IN_ROUND, Absence, Bye, Entry, Match, Player, Stage, Tournament
from tournaments.policies import KINDS
from tournaments.services import attendance, byes
from tournaments.services import substitutes as bench
from tournaments.services.entries import largest_bench
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.views.director_entries import clubs_known
from tournaments.words import entries as entry_words

ABSENCE: Final = "absence"
BYE: Final = "bye"


@login_required
@form_page
def absences(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """List the absences of a stage; note one more."""
    tournament = directed(request, slug)
    found = get_object_or_404(tournament.stages.select_related("tournament"), number=stage)
    entries = {one.number: one for one in _players_of(found)}
    sent = request.POST.get("form", ABSENCE) if request.method == "POST" else None
    usual: dict[str, Any] = {
        "entries": entries.values(),
        "initial": {"number": attendance.next_round(found)},
    }
    form = AbsenceForm(request.POST if sent == ABSENCE else None, **usual)
    worths = [
        (worth.value, f"{worth.label}: {entry_words.bye_words(tournament, worth.value)}")
        for worth in Bye.Worth
    ]
    resting = ByeForm(request.POST if sent == BYE else None, prefix=BYE, worths=worths, **usual)
    if (form.is_valid() and _noted(request, found, _chosen(form, entries), form)) or (
        resting.is_valid() and _bye_given(request, found, _chosen(resting, entries), resting)
    ):
        return redirect("tournaments:director_absences", slug, stage)
    noted = Absence.objects.filter(pairing_round__stage=found).select_related(
        "entry", "pairing_round"
    )
    noted = noted.defer(*LONG_IN_ROUND)
    context = {
        "tournament": tournament,
        "stage": found,
        "form": form,
        "absences": noted.order_by("-pairing_round__number", "entry__number"),
        "kinds": [(kind, entry_words.absence_words(tournament, kind)) for kind in KINDS],
        "late": entry_words.late_words(found),
        "resting": resting,
        "byes": Bye.objects.filter(pairing_round__stage=found)
        .select_related("entry", "pairing_round")
        .defer(*LONG_IN_ROUND)
        .annotate(is_drawn=ExpressionWrapper(~Q(pairing_round__draw={}), BooleanField()))
        .order_by("-pairing_round__number", "entry__number"),
        "worths": list(Bye.Worth),
    }
    status = 422 if form.errors or resting.errors else 200
    return render(request, "tournaments/director_absences.html", context, status=status)


@login_required
@require_POST
def change_absence(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Give an absence another kind, or take it back."""
    tournament = directed(request, slug)
    absence = get_object_or_404(
        Absence.objects.select_related("entry", "pairing_round__stage__tournament").defer(
            *LONG_IN_ROUND
        ),
        pk=pk,
        pairing_round__stage__tournament=tournament,
    )
    kind = request.POST.get("kind")
    stage = absence.pairing_round.stage
    try:
        attendance.set_absence(
            stage,
            number=absence.pairing_round.number,
            entry=absence.entry,
            kind=kind if kind in Absence.Kind.values else None,
            by=request.user,
        )
    except DominoError as error:
        messages.error(request, explain(error))
    return redirect("tournaments:director_absences", slug, stage.number)


@login_required
@require_POST
def change_bye(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Say what a bye is worth, or take it back."""
    tournament = directed(request, slug)
    bye = get_object_or_404(
        Bye.objects.select_related("entry", "pairing_round__stage__tournament").defer(
            *LONG_IN_ROUND
        ),
        pk=pk,
        pairing_round__stage__tournament=tournament,
    )
    stage, number = bye.pairing_round.stage, bye.pairing_round.number
    worth = request.POST.get("worth", "")
    try:
        if worth:
            byes.give_bye(stage, number=number, entry=bye.entry, worth=worth, by=request.user)
        else:
            byes.take_bye_back(stage, number=number, entry=bye.entry, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    return redirect("tournaments:director_absences", slug, stage.number)


@login_required
@require_POST
def join(request: SignedInRequest, slug: str, number: int, stage: int) -> HttpResponse:
    """Let an entry play in a running stage from its next round on."""
    entry = _entry(directed(request, slug), number)
    found = get_object_or_404(entry.tournament.stages, number=stage)
    try:
        attendance.join_stage(found, entry=entry, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, entry_words.joined_words(found, entry))
    return redirect("tournaments:director_entry", slug, number)


@login_required
@form_page
def substitutes(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Put a player on the bench of an entry; let one from there play."""
    entry = _entry(directed(request, slug), number)
    members = list(entry.members.select_related("player").order_by("position"))
    sent = request.POST.get("form") if request.method == "POST" else None
    adding = SubstituteForm(
        request.POST if sent == "add" else None,
        clubs=clubs_known(),
        initial={"club": entry.club or ""},
    )
    changing = ExchangeForm(
        request.POST if sent == "change" else None,
        members=members,
        initial={"number": _first_unplayed(entry)},
    )
    try:
        if done := _changed_bench(request, entry, adding, changing):
            messages.success(request, done)
            return redirect("tournaments:director_entry_bench", slug, number)
    except DominoError as error:
        refuse(adding if adding.is_bound else changing, error)
    context = {
        "tournament": entry.tournament,
        "entry": entry,
        "players": [one.player for one in members if not one.on_bench],
        "bench": [one.player for one in members if one.on_bench],
        "most": largest_bench(entry.tournament),
        "adding": adding,
        "changing": changing,
    }
    status = 422 if adding.errors or changing.errors else 200
    return render(request, "tournaments/director_substitutes.html", context, status=status)


@login_required
@require_POST
def remove_substitute(
    request: SignedInRequest, slug: str, number: int, player: int
) -> HttpResponse:
    """Take a player off the bench. Sent twice, it is done once."""
    entry = _entry(directed(request, slug), number)
    found = get_object_or_404(Player, pk=player)
    try:
        bench.remove_substitute(entry, player=found, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        done = gettext("%(player)s is off the bench.")
        messages.success(request, done % {"player": found.name})
    return redirect("tournaments:director_entry_bench", slug, number)


def _players_of(stage: Stage) -> QuerySet[Entry]:
    """Return who plays in a stage; one seated by hand keeps no list of them."""
    registered = stage.tournament.entries.filter(state=Entry.State.REGISTERED)
    if stage.stage_entries.exists():
        registered = registered.filter(stage_entries__stage=stage)
    return registered.order_by("number")


def _changed_bench(
    request: SignedInRequest, entry: Entry, adding: SubstituteForm, changing: ExchangeForm
) -> str:
    """Make the change that was sent and say what it did; nothing where the form is to be mended."""
    if adding.is_valid():
        added = bench.add_substitute(entry, written=adding.written(), by=request.user)
        done = gettext("%(player)s is on the bench.")
        return done % {"player": added.player.name}
    if not changing.is_valid():
        return ""
    players = {str(one.player_id): one.player for one in entry.members.select_related("player")}
    into, number = players[changing.cleaned_data["into"]], changing.cleaned_data["number"]
    _, changed = bench.substitute(
        entry,
        out=players[changing.cleaned_data["out"]],
        into=into,
        number=number,
        by=request.user,
    )
    return entry_words.substituted_words(entry, into, changed, number)


def _first_unplayed(entry: Entry) -> int:
    """Return the first round whose table has not begun, else the next one to come."""
    waiting = entry.seats.filter(
        match__state=Match.State.WAITING, pairing_round__stage__state=Stage.State.OPEN
    )
    numbers = waiting.order_by("pairing_round__number")
    first = numbers.values_list("pairing_round__number", flat=True).first()
    if first is not None:
        return int(first)
    stage = entry.tournament.stages.filter(state=Stage.State.OPEN).last()
    return attendance.next_round(stage) if stage else 1


def _noted(request: SignedInRequest, stage: Stage, entry: Entry, form: AbsenceForm) -> bool:
    try:
        attendance.set_absence(
            stage,
            number=form.cleaned_data["number"],
            entry=entry,
            kind=form.cleaned_data["kind"],
            by=request.user,
        )
    except DominoError as error:
        refuse(form, error)
        return False
    done = gettext("“%(name)s” is noted as absent.")
    messages.success(request, done % {"name": entry.name})
    return True


def _chosen(form: AbsenceForm | ByeForm, entries: Mapping[int, Entry]) -> Entry:
    return entries[form.cleaned_data["entry"]]


def _bye_given(request: SignedInRequest, stage: Stage, entry: Entry, form: ByeForm) -> bool:
    number = form.cleaned_data["number"]
    try:
        byes.give_bye(
            stage,
            number=number,
            entry=entry,
            worth=form.cleaned_data["worth"],
            by=request.user,
        )
    except DominoError as error:
        refuse(form, error)
        return False
    done = gettext("“%(name)s” rests in round %(round)s.")
    messages.success(request, local_digits(done % {"name": entry.name, "round": number}))
    return True


def _entry(tournament: Tournament, number: int) -> Entry:
    return get_object_or_404(tournament.entries.select_related("tournament", "club"), number=number)
