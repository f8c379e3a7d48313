"""The director's desk: my events, a new event, one event and its way from empty to finished."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_GET, require_POST

from engine.errors import DominoError
from engine.profiles import PROFILES
from tournaments import freshness, permissions
from tournaments.countries import country_names
from tournaments.errors.base import explain
from tournaments.forms.events import DetailsForm, RulesForm, TournamentForm, refuse, rules_initial
from tournaments.models import Tournament
from tournaments.queries import desk as pages
from tournaments.queries.ending import ending_of
from tournaments.queries.next_step import next_step, way
from tournaments.rules import profile_name, rule_lines, rules_of
from tournaments.services import lifecycle
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words.log import log_lines


@login_required
@require_GET
def desk(request: SignedInRequest) -> HttpResponse:
    page = pages.desk_page(request.user)
    return render(request, "tournaments/director_desk.html", {"page": page})


@login_required
@form_page
def create(request: SignedInRequest) -> HttpResponse:
    """Fill in, see the rules in words, create. Sent twice, the event is created once."""
    permissions.require_may_create_tournament(request.user)
    if request.method != "POST":
        return _create_form(request, TournamentForm(initial=_as_last_time(request.user)))
    form = TournamentForm(request.POST)
    if not form.is_valid():
        return _create_form(request, form, status=422)
    match request.POST.get("step"):
        case "change":
            return _create_form(request, form)
        case "create":
            made = Tournament.objects.filter(
                created_by=request.user,
                name=form.cleaned_data["name"],
                starts_on=form.cleaned_data["starts_on"],
            ).first()
            if made is not None:
                messages.info(request, gettext("This event exists already. Here it is."))
                return redirect("tournaments:director", made.slug)
            try:
                tournament = lifecycle.create_tournament(**form.given(), by=request.user)
            except DominoError as error:
                refuse(form, error)
                return _create_form(request, form, status=422)
            messages.success(request, gettext("The event is created. Add the entries next."))
            return redirect("tournaments:director", tournament.slug)
    rules = form.rules
    country = form.cleaned_data["country"]
    context = {
        "form": form,
        "country": country_names(get_language() or "en").get(country, country),
        "profile": profile_name(rules),
        "lines": rule_lines(rules, form.cleaned_data["players_per_table"]),
    }
    return render(request, "tournaments/director_create_check.html", context)


def _as_last_time(user: User) -> dict[str, object]:
    """Return what seldom changes from one event of an organizer to the next."""
    last = Tournament.objects.filter(created_by=user).order_by("-created_at").first()
    if last is None:
        return {}
    return {name: getattr(last, name) for name in ("venue", "city", "country", "time_zone")}


def _create_form(
    request: SignedInRequest, form: TournamentForm, *, status: int = 200
) -> HttpResponse:
    context = {"form": form, "profiles": PROFILES}
    return render(request, "tournaments/director_create.html", context, status=status)


@login_required
@require_GET
def director(request: SignedInRequest, slug: str) -> HttpResponse:
    return director_page(request, directed(request, slug))


def director_page(
    request: SignedInRequest, tournament: Tournament, *, refusal: str = "", status: int = 200
) -> HttpResponse:
    """Show the desk of one event, with the sentence of a refusal if there is one."""
    seen = freshness.of_event(tournament, drafts=True)

    def made() -> HttpResponse:
        page = pages.director_page(tournament)
        context = {
            "page": page,
            "tournament": tournament,
            "next": next_step(page),
            "way": way(page),
            "log": log_lines(page.log),
            "refusal": refusal,
            "etag": freshness.part_tag(request, seen),
        }
        return render(request, "tournaments/director.html", context, status=status)

    # What was refused is said once, whatever the browser holds.
    return (
        made() if request.method == "POST" or refusal else freshness.answered(request, seen, made)
    )


@login_required
@form_page
def details(request: SignedInRequest, slug: str) -> HttpResponse:
    tournament = directed(request, slug)
    form = DetailsForm(request.POST or None, initial={
        name: getattr(tournament, name) for name in TournamentForm.DETAILS
    })  # fmt: skip
    if request.method == "POST" and form.is_valid():
        try:
            lifecycle.change_details(tournament, **form.cleaned_data, by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            messages.success(request, gettext("The details are saved."))
            return redirect("tournaments:director", slug)
    context = {
        "form": form,
        "tournament": tournament,
        "profile": profile_name(tournament),
        "lines": rule_lines(rules_of(tournament), tournament.players_per_table),
    }
    status = 422 if form.is_bound else 200
    return render(request, "tournaments/director_details.html", context, status=status)


@login_required
@form_page
def rules(request: SignedInRequest, slug: str) -> HttpResponse:
    """Freeze other rules, after they were shown in words."""
    tournament = directed(request, slug)
    seats = {
        "entry_kind": tournament.entry_kind,
        "players_per_table": tournament.players_per_table,
    }
    initial = rules_initial(rules_of(tournament)) | seats
    form = RulesForm(request.POST or None, initial=initial)
    lines = None
    if form.is_bound and form.is_valid():
        if request.POST.get("step") != "save":
            lines = rule_lines(form.rules, form.cleaned_data["players_per_table"])
        else:
            try:
                lifecycle.change_rules(tournament, **form.rules_given(), by=request.user)
            except DominoError as error:
                refuse(form, error)
            else:
                messages.success(request, gettext("The rules are changed."))
                return redirect("tournaments:director_details", slug)
    context = {"form": form, "profiles": PROFILES, "tournament": tournament, "lines": lines}
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_rules.html", context, status=status)


@login_required
@require_POST
def open_registration(request: SignedInRequest, slug: str) -> HttpResponse:
    done = gettext("Registration is open, and everybody can see the event.")
    return _act(request, slug, lifecycle.open_registration, done)


@login_required
@form_page
def start(request: SignedInRequest, slug: str) -> HttpResponse:
    """Say what closing registration means, and close it."""
    if request.method != "POST":
        tournament = directed(request, slug)
        if tournament.state not in {Tournament.State.DRAFT, Tournament.State.OPEN}:
            return redirect("tournaments:director", slug)
        context = {"tournament": tournament, "next": next_step(pages.director_page(tournament))}
        return render(request, "tournaments/director_start.html", context)
    done = gettext("Registration is closed. Make the pairings next.")
    return _act(request, slug, lifecycle.start, done)


@login_required
@form_page
def finish(request: SignedInRequest, slug: str) -> HttpResponse:
    """Say what is still open and what the end means, and end the event."""
    if request.method != "POST":
        tournament = directed(request, slug)
        if tournament.state != Tournament.State.RUNNING:
            return redirect("tournaments:director", slug)
        context = {"tournament": tournament, "ending": ending_of(tournament)}
        return render(request, "tournaments/director_finish.html", context)
    return _act(request, slug, lifecycle.finish, gettext("The event is finished."))


def _act(
    request: SignedInRequest, slug: str, service: Callable[..., Tournament], done: str
) -> HttpResponse:
    tournament = directed(request, slug)
    user: User = request.user
    try:
        service(tournament, by=user)
    except DominoError as error:
        return director_page(request, tournament, refusal=explain(error), status=422)
    messages.success(request, done)
    return redirect("tournaments:director", slug)
