"""The entries of an event: the list, one more by hand, corrections, withdrawals."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.people import CorrectedPlayerForm, EntryChangeForm
from tournaments.forms.registration import LateEntryForm, OnSiteForm
from tournaments.models import Absence, Club, Entry, Player, Stage, Tournament
from tournaments.policies import categories_of, most_substitutes
from tournaments.queries import events as queries
from tournaments.queries import lookup
from tournaments.services import entries as service
from tournaments.services import leaving
from tournaments.services.attendance import running_stages, takes_late_entries
from tournaments.services.check_in import check_in
from tournaments.services.players import correct_player
from tournaments.services.registration import register_late, set_paid
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words import entries as entry_words

CLUBS_SUGGESTED: Final = 500
LINES_SHOWN: Final = 100
SEARCHED_FROM: Final = 20
ADDING: Final = "add"
# What is mostly the same for the next one at the desk.
KEPT: Final = ("here", "paid", "category", "stage")


def clubs_known() -> list[str]:
    """Return names of clubs to suggest while somebody types one."""
    return list(Club.objects.order_by("name").values_list("name", flat=True)[:CLUBS_SUGGESTED])


@login_required
@form_page
def entries(request: SignedInRequest, slug: str) -> HttpResponse:
    """List the entries; register one by hand."""
    tournament = directed(request, slug)
    is_open = tournament.state in {Tournament.State.DRAFT, Tournament.State.OPEN}
    stages = [] if is_open else _stages_to_enter(tournament)
    form = _entry_form(request, tournament, stages)
    if request.method == "POST" and form.is_valid():
        try:
            entry = _registered(request, tournament, form, stages)
        except DominoError as error:
            refuse(form, error)
        else:
            done = gettext("Entry %(number)s, “%(name)s”, is registered.")
            if entry.state == Entry.State.WAITING:
                done = gettext("Entry %(number)s, “%(name)s”, is on the waiting list.")
            messages.success(request, done % {"number": entry.number, "name": entry.name})
            return redirect(f"{reverse('tournaments:director_entries', args=[slug])}?{_next(form)}")
    lines = queries.entry_lines(tournament)
    registered = [line for line in lines if line.is_registered]
    wanted = request.GET.get("q", "").strip()
    found = lookup.entries_naming(registered, wanted)
    context = {
        "tournament": tournament,
        "form": form,
        "registered": len(registered),
        "q": wanted,
        "page": Paginator(found, LINES_SHOWN).get_page(request.GET.get("page")),
        "searches": len(registered) > SEARCHED_FROM,
        "withdrawn": [line for line in lines if line.entry.state in Entry.LEFT],
        "waiting": [line for line in lines if line.entry.state == Entry.State.WAITING],
        "is_open": is_open,
        "stages": stages,
        "late": [entry_words.late_words(stage) for stage in running_stages(tournament)],
        "joining": entry_words.joining_words(stages[0]) if len(stages) == 1 else "",
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_entries.html", context, status=status)


def _stages_to_enter(tournament: Tournament) -> list[Stage]:
    return [one for one in running_stages(tournament) if takes_late_entries(one)]


def _entry_form(
    request: SignedInRequest, tournament: Tournament, stages: list[Stage]
) -> OnSiteForm:
    goes_on = ADDING in request.GET
    given: dict[str, Any] = {
        "initial": {name: request.GET[name] for name in KEPT if goes_on and name in request.GET},
        "kind": tournament.entry_kind,
        "bench": most_substitutes(tournament),
        "clubs": clubs_known(),
        "categories": categories_of(tournament),
    }
    if stages:
        form: OnSiteForm = LateEntryForm(request.POST or None, stages=stages, **given)
    else:
        form = OnSiteForm(request.POST or None, **given)
    if goes_on:
        form.wait_for_names()
    return form


def _next(form: OnSiteForm) -> str:
    """Return what holds for the next entry of a row that is typed in, as a query."""
    kept = {name: str(form.cleaned_data[name]) for name in KEPT if form.cleaned_data.get(name)}
    return urlencode({ADDING: "1"} | kept)


def _registered(
    request: SignedInRequest, tournament: Tournament, form: OnSiteForm, stages: list[Stage]
) -> Entry:
    """Register an entry with what was seen at the desk: the people, and their money."""
    by = request.user
    with transaction.atomic():
        if stages:
            chosen = {str(one.number): one for one in stages}
            stage = chosen.get(form.cleaned_data["stage"], stages[0])
            made = register_late(stage, **form.entry(), by=by)
        else:
            made = service.register(tournament, **form.entry(), by=by)
        if form.cleaned_data["paid"]:
            set_paid(made, paid=True, by=by)
        if form.cleaned_data["here"] and made.state == Entry.State.REGISTERED:
            check_in(made, by=by)
    return made


@login_required
@form_page
def entry(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Correct the name, club or seed of an entry."""
    tournament = directed(request, slug)
    found = get_object_or_404(
        tournament.entries.select_related("club", "tournament"), number=number
    )
    initial = {"name": found.known_name, "club": found.club or "", "seed": found.seed}
    form = EntryChangeForm(
        request.POST or None,
        initial=initial | {"category": found.category},
        clubs=clubs_known(),
        categories=categories_of(tournament),
    )
    if request.method == "POST" and form.is_valid():
        try:
            service.change_entry(found, **form.cleaned_data, by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            messages.success(request, gettext("The entry is saved."))
            return redirect("tournaments:director_entries", slug)
    members = found.members.select_related("player")
    playing = found.stage_entries.values("stage")
    context = {
        "tournament": tournament,
        "entry": found,
        "form": form,
        "players": [member.player for member in members if not member.on_bench],
        "bench": [member.player for member in members if member.on_bench],
        "stages": [
            (stage, entry_words.joining_words(stage))
            for stage in _stages_to_enter(tournament)
            if stage.pk not in {one["stage"] for one in playing}
        ],
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_entry.html", context, status=status)


@login_required
@form_page
def player(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Correct the names, club, country and number of a player who is entered."""
    tournament = directed(request, slug)
    entered = Player.objects.filter(memberships__tournament=tournament)
    found = get_object_or_404(entered.select_related("club"), pk=pk)
    fields = ("country", "number", "is_minor")
    initial = {name: getattr(found, name) for name in fields} | {"club": found.club or ""}
    initial |= {"name": found.known_name, "latin_name": found.known_latin_name}
    spellings = dict.fromkeys(found.spellings.values_list("name", flat=True))
    form = CorrectedPlayerForm(
        request.POST or None,
        initial=initial | {"other_names": "\n".join(spellings)},
        clubs=clubs_known(),
    )
    if request.method == "POST" and form.is_valid():
        try:
            correct_player(
                tournament,
                found,
                written=form.written(),
                spellings=form.spellings(),
                by=request.user,
            )
        except DominoError as error:
            refuse(form, error)
        else:
            messages.success(request, gettext("The player is saved."))
            return redirect("tournaments:director_entries", slug)
    context = {"tournament": tournament, "player": found, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_player.html", context, status=status)


@login_required
@form_page
def withdraw(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Say what a withdrawal means, and withdraw."""
    done = gettext("“%(name)s” has withdrawn.")
    return _confirmed(request, slug, number, "withdraw", leaving.withdraw, done)


@login_required
@form_page
def reinstate(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    done = gettext("“%(name)s” plays again.")
    return _confirmed(request, slug, number, "reinstate", leaving.reinstate, done)


@login_required
@form_page
def remove(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Delete an entry that was a mistake. Asked twice, it is gone once."""
    if request.method == "POST":
        tournament = directed(request, slug)
        if not tournament.entries.filter(number=number).exists():
            return redirect("tournaments:director_entries", slug)
    done = gettext("“%(name)s” is removed from the entries.")
    return _confirmed(request, slug, number, "remove", service.remove_entry, done)


def _confirmed(
    request: SignedInRequest,
    slug: str,
    number: int,
    act: str,
    change: Callable[..., Entry | None],
    done: str,
) -> HttpResponse:
    """Ask on GET, do on POST."""
    tournament = directed(request, slug)
    found = get_object_or_404(tournament.entries.select_related("tournament"), number=number)
    refusal = ""
    if request.method == "POST":
        try:
            change(found, by=request.user)
        except DominoError as error:
            refusal = explain(error)
        else:
            messages.success(request, done % {"name": found.name})
            return redirect("tournaments:director_entries", slug)
    context = {"tournament": tournament, "entry": found, "act": act, "refusal": refusal}
    context["missed"] = entry_words.absence_words(tournament, Absence.Kind.ABSENT)
    status = 422 if refusal else 200
    return render(request, "tournaments/director_entry_act.html", context, status=status)
