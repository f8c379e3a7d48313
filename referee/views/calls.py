"""Pages of referee calls: a table calls, the referees see who waits."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import get_language, gettext
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from referee import guests
from referee.forms.links import CallForm, OutcomeForm
from referee.models import TableCall
from referee.queries import links as queries_links
from referee.queries import records as queries
from referee.services import calls
from referee.views.links import refereed
from tournaments import freshness, permissions
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.models import Tournament
from tournaments.views.access import SignedInRequest, form_page


@form_page
@guests.at_the_table()
def call(request: HttpRequest, pk: int) -> HttpResponse:
    """Call a referee to a table, also from a page without a script."""
    match = get_object_or_404(queries.matches(), pk=pk)
    if not permissions.may_see_match(request.user, match):
        raise Http404
    if not calls.may_call(request.user, match):
        raise PermissionDenied(gettext("Only those at this table may call a referee to it."))
    form = CallForm(request.POST or None, initial={"client_key": uuid4(), "kind": "ruling"})
    if request.method == "POST" and form.is_valid():
        try:
            language = get_language() or "en"
            calls.call_referee(match, **form.cleaned_data, language=language, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("A referee has been called."))
            return redirect("referee:call", pk)
    context = {
        "match": match,
        "tournament": match.pairing_round.stage.tournament,
        "form": form,
        "open": queries_links.open_call_json(match),
        "records": permissions.may_record(request.user, match),
    }
    if request.method == "POST":
        return render(request, "referee/call.html", context, status=422)
    seen = freshness.of_match(match, drafts=False)
    context["etag"] = freshness.part_tag(request, seen)
    return freshness.answered(request, seen, lambda: render(request, "referee/call.html", context))


@login_required
@require_safe
def open_calls(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the referees which tables wait for them; the page refreshes itself."""
    return _calls_page(request, refereed(request, slug))


def _calls_page(request: SignedInRequest, tournament: Tournament, **more: Any) -> HttpResponse:
    seen = freshness.of_calls(tournament)

    def made() -> HttpResponse:
        context = _calls_context(tournament) | {"etag": freshness.part_tag(request, seen)} | more
        return render(request, "referee/calls.html", context, status=422 if more else 200)

    return made() if more else freshness.answered(request, seen, made)


def _calls_context(tournament: Tournament) -> dict[str, Any]:
    closed = queries_links.calls_of(tournament).filter(closed_at__isnull=False)
    latest = closed.order_by("-closed_at")[: queries_links.CALLS_SHOWN]
    return {
        "tournament": tournament,
        "waiting": queries_links.call_lines(queries_links.open_calls(tournament)),
        "closed": queries_links.call_lines(latest),
        "disputes": queries_links.disputes_of(tournament),
    }


def _call(request: SignedInRequest, pk: int) -> TableCall:
    """Return a call for a referee of its event."""
    with_event = TableCall.objects.select_related("match__pairing_round__stage__tournament")
    found = get_object_or_404(with_event, pk=pk)
    if not permissions.may_see_match(request.user, found.match):
        raise Http404
    permissions.require_referee(request.user, found.match.pairing_round.stage.tournament)
    return found


@login_required
@require_POST
def change(request: SignedInRequest, pk: int, act: str) -> HttpResponse:
    """Claim a call, or pass it on to the director."""
    found = _call(request, pk)
    tournament = found.match.pairing_round.stage.tournament
    try:
        if act == "claim":
            calls.claim(found, by=request.user)
        else:
            calls.escalate(found, by=request.user)
    except DominoError as error:
        return _calls_page(request, tournament, refusal=explain(error))
    return redirect("referee:calls", tournament.slug)


@login_required
@form_page
def close(request: SignedInRequest, pk: int) -> HttpResponse:
    """Close a call with what came of it."""
    found = _call(request, pk)
    tournament = found.match.pairing_round.stage.tournament
    form = OutcomeForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            calls.close(found, **form.cleaned_data, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            return redirect("referee:calls", tournament.slug)
    title = gettext("Close the call of table %(table)s") % {"table": found.match.table}
    context = {
        "title": local_digits(title),
        "eyebrow": tournament.name,
        "form": form,
        "submit": gettext("Close the call"),
        "cancel_url": reverse("referee:calls", args=[tournament.slug]),
    }
    return render(request, "form.html", context, status=422 if form.errors else 200)
