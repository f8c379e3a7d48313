"""Pages: my tables, recording a match, the match sheet for everyone."""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from django import forms as django_forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from engine.articles import article_of_penalty
from engine.errors import DominoError
from engine.events import Event, Sheet
from engine.notation import format_line
from engine.seats import SEATS, Seat
from engine.tiles import Tile
from referee import guests, sheets, states
from referee.errors.records import RecordMovedOn
from referee.forms.records import (
    EVENT_FORMS,
    EventForm,
    InfractionForm,
    LineForm,
    NumberedForm,
    PointsByPlayerForm,
    ReasonForm,
    ReopeningForm,
    ResultForm,
    RoundForm,
    SeatsForm,
)
from referee.models import RoundRecord
from referee.offline import KEEPABLE
from referee.permissions_sanctions import may_read_ledger
from referee.proposals import Proposal, offence_number, play_over, proposals
from referee.queries import records as queries
from referee.queries.links import open_calls
from referee.recorded import Recorded
from referee.sentences import kind_label, sentence
from referee.services import holders, replays
from referee.services import records as services
from referee.views.hidden import hidden_page
from tournaments import freshness
from tournaments.digits import to_latin_digits
from tournaments.errors.base import explain
from tournaments.models import Match
from tournaments.permissions import (
    Keeper,
    TableGuest,
    is_director,
    is_referee,
    may_see_match,
    require_may_record,
)
from tournaments.visible import tournament_at

Context = dict[str, Any]


def user_of(request: HttpRequest) -> Keeper:
    """Return who asks; the pages that change something are for people at the table only."""
    assert isinstance(request.user, User | TableGuest)
    return request.user


def _holding(request: HttpRequest, match: Match) -> AbstractContextManager[None]:
    """Make a change from a page without a script, which has no device of its own."""
    return holders.holding(match, "", by=user_of(request))


def _account(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user


def _match(pk: int) -> Match:
    return get_object_or_404(queries.matches(), pk=pk)


def own_match(request: HttpRequest, pk: int) -> Match:
    """Return a match whoever asks may record; of a draft they may know nothing."""
    match = _match(pk)
    if not may_see_match(request.user, match):
        raise Http404
    require_may_record(request.user, match)
    return match


@require_safe
@login_required
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the tables whoever asks may record."""
    tournament = tournament_at(slug, user=request.user)
    own = queries.my_tables(_account(request), tournament)
    context = {
        "tournament": tournament,
        "tables": own,
        "may_read_ledger": may_read_ledger(request.user, tournament),
        "rules": is_referee(request.user, tournament),
    }
    if context["rules"]:
        context["calls"] = open_calls(tournament).count()
    return render(request, "referee/tables.html", context)


@require_safe
def match_sheet(request: HttpRequest, pk: int) -> HttpResponse:
    """Show a match for anyone to check, round by round."""
    match = _match(pk)
    request.user = guests.visitor(request, match=pk)
    if not may_see_match(request.user, match):
        raise Http404
    if (hidden := hidden_page(request, match)) is not None:
        return hidden
    drafts = is_director(request.user, match.pairing_round.stage.tournament)
    seen = freshness.of_match(match, drafts=drafts)

    def made() -> HttpResponse:
        context = {
            "sheet": sheets.match_sheet(match, request.user, request.GET.get("round", "")),
            "etag": freshness.part_tag(request, seen),
        }
        return render(request, "referee/match_sheet.html", context)

    return freshness.answered(request, seen, made)


@require_safe
@guests.at_the_table()
def record(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the page on which a match is recorded."""
    return _page(request, own_match(request, pk))


def _page(
    request: HttpRequest, match: Match, *, round_pk: int | None = None, **more: Any
) -> HttpResponse:
    context = queries.record_page(match, request.user, round_pk=round_pk)
    context |= {"form": None, "typed": "", "refused": None, "moved_on": None, "own": ""}
    context["forms"] = _empty_forms(context["recorded"])
    context |= more
    response = render(request, "referee/record.html", context, status=422 if more else 200)
    if request.method == "GET" and not more:
        response.headers[KEEPABLE] = "1"
    return response


def _event_form(
    what: str, recorded: Recorded, data: Any = None, *, initial: Context | None = None, **more: Any
) -> EventForm:
    """Return the form of one kind of event for this table."""
    kind = EVENT_FORMS.get(what, LineForm)
    if kind is ResultForm and recorded.rules.elimination:
        kind = PointsByPlayerForm
    one = recorded.round
    return kind(
        data,
        initial=initial,
        turn=None if one is None else one.turn,
        seats=[(sat.seat, f"{sat.seat} · {sat.name}") for sat in recorded.sittings],
        sides=[(side, recorded.side_name(side)) for side in recorded.sides],
        kinds=[
            (one, kind_label(one, recorded.rules.own)) for one in queries.kinds_of(recorded.rules)
        ],
        **more,
    )


def _empty_forms(recorded: Recorded) -> dict[str, django_forms.Form]:
    made: dict[str, django_forms.Form] = {
        what: _event_form(what, recorded) for what in EVENT_FORMS if what != "line"
    }
    made["round"] = RoundForm()
    made["seats"] = SeatsForm(seats=[one.seat for one in recorded.sittings])
    made["close"] = ReasonForm()
    return made


@require_POST
@guests.at_the_table()
def open_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a table."""
    match = own_match(request, pk)
    try:
        with _holding(request, match):
            services.open_match(match, by=user_of(request))
    except DominoError as error:
        return _refused(request, match, error)
    return redirect("referee:record", pk)


@require_POST
@guests.at_the_table()
def seats(request: HttpRequest, pk: int) -> HttpResponse:
    """Seat the players as they really sit."""
    match = own_match(request, pk)
    letters = list(match.seats.values_list("seat", flat=True))
    form = SeatsForm(request.POST, seats=letters)
    if form.is_valid():
        try:
            with _holding(request, match):
                services.confirm_seats(match, order=form.cleaned_data, by=user_of(request))
        except DominoError as error:
            return _refused(request, match, error, form=form)
        return redirect("referee:record", pk)
    return _page(request, match, form=form)


@require_POST
@guests.at_the_table()
def open_round(request: HttpRequest, pk: int) -> HttpResponse:
    """Start a round, or record a whole one from a score sheet."""
    match = own_match(request, pk)
    form = RoundForm(request.POST)
    if not form.is_valid():
        return _page(request, match, form=form)
    said = form.cleaned_data
    try:
        if not said["sheet"]:
            with _holding(request, match):
                services.open_round(
                    match, number=said["number"], opener=said["opener"], by=user_of(request)
                )
            return redirect("referee:record", pk)
        result = _event_form("result", queries.read(match), request.POST)
        if not result.is_valid():
            return _page(request, match, form=result)
        sheet = result.event()
        assert isinstance(sheet, Sheet)
        with _holding(request, match):
            services.record_sheet(
                match,
                number=said["number"],
                sheet=sheet,
                client_key=said["client_key"],
                by=user_of(request),
            )
    except DominoError as error:
        return _refused(request, match, error, form=form)
    return redirect("referee:record", pk)


@require_POST
@guests.at_the_table(by="record")
def append_event(request: HttpRequest, pk: int) -> HttpResponse:
    """Store one event of a round; where it is refused, keep what was typed and ask."""
    one = get_object_or_404(RoundRecord, pk=pk)
    match = own_match(request, one.match_id)
    what = request.POST.get("what", "line")
    numbered = NumberedForm(request.POST)
    form = _event_form(what, queries.read(match, round_pk=pk), request.POST)
    event: Event | None = None
    if numbered.is_valid() and form.is_valid():
        number = numbered.cleaned_data["number"]
        try:
            event = form.event()
            services.append_event(
                one,
                number=number,
                event=event,
                client_key=numbered.key,
                device="",
                by=user_of(request),
            )
        except DominoError as error:
            return _refused(
                request,
                match,
                error,
                form=form,
                event=event,
                number=number,
                round_pk=pk,
                typed=_typed(request, event),
            )
        return redirect("referee:record", match.pk)
    refused = form if form.errors else numbered
    return _page(request, match, round_pk=pk, form=refused, typed=_typed(request, None))


def _typed(request: HttpRequest, event: Event | None) -> str:
    return request.POST.get("line", "") or ("" if event is None else format_line(event))


def _refused(
    request: HttpRequest,
    match: Match,
    error: DominoError,
    *,
    form: django_forms.Form | None = None,
    event: Event | None = None,
    number: int = 0,
    round_pk: int | None = None,
    typed: str = "",
) -> HttpResponse:
    """Show the page as it is now, why nothing was stored, and what was typed."""
    match = _match(match.pk)
    if form is None:
        form = ReasonForm({})
    if form.is_bound:
        form.add_error(None, explain(error))
    recorded = queries.read(match, round_pk=round_pk)
    more: Context = {"form": form, "typed": typed}
    if isinstance(error, RecordMovedOn) and recorded.stored and recorded.round:
        told = states.events_of(recorded, recorded.stored, recorded.round)
        more["moved_on"] = told[number:]
        more["own"] = "" if event is None else sentence(event, recorded.names)
    else:
        more["refused"] = _refusal(recorded, error, event)
    return _page(request, match, round_pk=round_pk, **more)


def _refusal(recorded: Recorded, error: DominoError, event: Event | None) -> Context:
    kind = getattr(error, "as_infraction", None)
    seat = getattr(event, "seat", None)
    told: Context = {
        "code": error.code,
        "message": explain(error),
        "event": None if event is None else format_line(event),
        "as_infraction": kind if seat is not None else None,
    }
    if kind is None or seat is None:
        return told
    offered = _offered(recorded, seat, kind, deliberate=False)
    tile, end = getattr(event, "tile", None), getattr(event, "end", None)
    told |= {
        "kind_label": kind_label(kind, recorded.rules.own),
        "seat": seat,
        "tile": None if tile is None else str(tile),
        "proposals": [one.json() for one in offered],
        "infraction_form": _event_form(
            "infraction",
            recorded,
            initial={"seat": seat, "kind": kind, "tile": tile, "end": end},
            offered=offered,
        ),
    }
    return told


def _offered(recorded: Recorded, seat: Seat, kind: str, *, deliberate: bool) -> list[Proposal]:
    offence = offence_number(recorded, seat, kind)
    return proposals(
        recorded.rules, kind, offence, deliberate=deliberate, play_over=play_over(recorded)
    )


@require_safe
@guests.at_the_table(by="record")
def infraction(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask who did what, then offer the measures and take the ruling."""
    one = get_object_or_404(RoundRecord, pk=pk)
    match = own_match(request, one.match_id)
    context = queries.record_page(match, request.user, round_pk=pk)
    recorded: Recorded = context["recorded"]
    seat, kind = request.GET.get("seat", ""), request.GET.get("kind", "")
    deliberate = bool(request.GET.get("deliberate"))
    context |= {"proposals": [], "infraction_form": _event_form("infraction", recorded)}
    if seat in SEATS[: recorded.players] and kind in queries.kinds_of(recorded.rules):
        offered = _offered(recorded, Seat(seat), kind, deliberate=deliberate)
        initial = {
            "seat": seat,
            "kind": kind,
            "deliberate": deliberate,
            "tile": _tile_or_none(request.GET.get("tile", "")),
        }
        form = _event_form("infraction", recorded, initial=initial, offered=offered)
        assert isinstance(form, InfractionForm)
        context |= {
            "proposals": [each.json() for each in offered],
            "infraction_form": form,
            "offence": offence_number(recorded, Seat(seat), kind),
            "article": explain(article_of_penalty(recorded.rules, kind)),
        }
        if not offered:
            context["proposals"] = [{"line": "", "text": gettext("Choose the measures.")}]
    return render(request, "referee/infraction.html", context)


def _tile_or_none(text: str) -> Tile | None:
    try:
        return Tile.parse(to_latin_digits(text).strip())
    except DominoError:
        return None


@require_POST
@guests.at_the_table()
def close_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Close a match: its result is written."""
    match = own_match(request, pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, match, form=form)
    try:
        with _holding(request, match):
            services.close_match(match, reason=form.cleaned_data["reason"], by=user_of(request))
    except DominoError as error:
        return _refused(request, match, error, form=form)
    messages.success(request, gettext("The match is closed and its result is written."))
    return redirect("referee:record", pk)


@require_POST
@login_required
def reopen_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Open a closed match for a correction."""
    match = own_match(request, pk)
    form = ReopeningForm(request.POST)
    if not form.is_valid():
        return _page(request, match, form=form)
    try:
        services.reopen_match(match, by=_account(request), **form.cleaned_data)
    except DominoError as error:
        return _refused(request, match, error, form=form)
    return redirect("referee:record", pk)


@require_POST
@login_required
def replay_match(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a match be played again from the start; its first record stays in the log."""
    match = own_match(request, pk)
    form = ReasonForm(request.POST)
    if not form.is_valid():
        return _page(request, match, form=form)
    try:
        replays.replay_match(match, by=_account(request), **form.cleaned_data)
    except DominoError as error:
        return _refused(request, match, error, form=form)
    messages.success(request, gettext("The match is played again from the start."))
    return redirect("referee:record", pk)
