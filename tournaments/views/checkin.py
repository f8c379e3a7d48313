"""Who has come: a list for the desk, a code for each entry, and the absent withdrawn."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_GET, require_POST

from engine.errors import DominoError
from tournaments import permissions
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.registration import CountForm
from tournaments.models import Entry, LogEntry, Tournament
from tournaments.qr import qr_of
from tournaments.queries import events as queries
from tournaments.queries import lookup
from tournaments.queries.own_table import own_table
from tournaments.queries.player_calls import called_for
from tournaments.services import check_in as service
from tournaments.services.leaving import may_withdraw_itself, withdraw_oneself
from tournaments.services.registration import set_paid
from tournaments.services.waiting_list import place_in_line
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.views.public import typed_search
from tournaments.visible import tournament_at

HERE, FEES = "here", "fees"


def official_at(request: SignedInRequest, slug: str) -> Tournament:
    """Return the tournament for any of its officials."""
    tournament = tournament_at(slug, user=request.user)
    if not permissions.is_official(request.user, tournament):
        raise Http404
    return tournament


@login_required
@require_GET
def check_in(request: SignedInRequest, slug: str) -> HttpResponse:
    """List who is registered, each with one big button."""
    return _list(request, official_at(request, slug), HERE)


@login_required
@require_GET
def fees(request: SignedInRequest, slug: str) -> HttpResponse:
    """List who has paid; the desk only notes it."""
    return _list(request, directed(request, slug), FEES)


@login_required
@require_POST
def mark(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Note that an entry is here, or take that back."""
    entry = _entry(official_at(request, slug), number)
    change = service.undo_check_in if request.POST.get("undo") else service.check_in
    return _changed(request, "tournaments:check_in", entry, lambda: change(entry, by=request.user))


@login_required
@require_POST
def mark_paid(request: SignedInRequest, slug: str, number: int) -> HttpResponse:
    """Note that a fee is paid, or take that back."""
    entry = _entry(directed(request, slug), number)
    paid = not request.POST.get("undo")
    return _changed(
        request,
        "tournaments:director_fees",
        entry,
        lambda: set_paid(entry, paid=paid, by=request.user),
    )


@form_page
def code(request: HttpRequest, code: str) -> HttpResponse:
    """Show the entry of a code: to its players their number, to an official the button “Here”."""
    found = Entry.objects.select_related("tournament", "club").exclude(check_in_code="")
    entry = get_object_or_404(found, check_in_code=code)
    tournament = entry.tournament
    if not permissions.may_see_tournament(request.user, tournament):
        raise Http404
    may_mark = permissions.is_official(request.user, tournament)
    refusal = ""
    withdraws = request.POST.get("withdraw") == "yes"
    if request.method == "POST" and (withdraws or request.user.is_authenticated):
        try:
            if withdraws:
                withdraw_oneself(entry, code=code)
            elif request.user.is_authenticated:
                change = service.undo_check_in if request.POST.get("undo") else service.check_in
                change(entry, by=request.user)
        except DominoError as error:
            refusal = explain(error)
        else:
            return redirect("tournaments:code", code)
    members = entry.members.filter(on_bench=False).select_related("player")
    waiting = entry.state == Entry.State.WAITING
    context = {
        "tournament": tournament,
        "entry": entry,
        "players": [member.player for member in members],
        "is_waiting": waiting,
        "place": place_in_line(entry) if waiting else None,
        "may_mark": may_mark,
        "may_withdraw": not may_mark and may_withdraw_itself(entry),
        "has_left": entry.state in Entry.LEFT,
        "qr": qr_code(request, entry),
        "refusal": refusal,
        "own": own_table(entry),
        "called": called_for(entry),
    }
    status = 422 if refusal else 200
    return render(request, "tournaments/code.html", context, status=status)


@login_required
@require_GET
def sheet(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show the codes of all entries, to print and hand out."""
    tournament = directed(request, slug)
    service.give_codes(tournament, by=request.user)
    entries = tournament.entries.exclude(state__in=Entry.LEFT).select_related("club")
    codes = [(entry, qr_code(request, entry)) for entry in entries]
    context = {"tournament": tournament, "codes": codes}
    return render(request, "tournaments/director_codes.html", context)


@login_required
@form_page
def absent(request: SignedInRequest, slug: str) -> HttpResponse:
    """Name everybody who would be withdrawn, and withdraw them once their number is typed."""
    tournament = directed(request, slug)
    form = CountForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            withdrawn = service.withdraw_absent(
                tournament, typed=form.cleaned_data["typed"], by=request.user
            )
        except DominoError as error:
            refuse(form, error)
        else:
            done = gettext("Entries withdrawn: %(count)s. The log can bring all of them back.")
            messages.success(request, local_digits(done % {"count": len(withdrawn)}))
            return redirect("tournaments:check_in", slug)
    registered = tournament.entries.filter(state=Entry.State.REGISTERED).count()
    missing = list(service.absent_entries(tournament))
    context = {
        "tournament": tournament,
        "form": form,
        "missing": missing,
        "is_everybody": bool(missing) and len(missing) == registered,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_absent.html", context, status=status)


def qr_code(request: HttpRequest, entry: Entry) -> SafeString:
    """Draw the address of an entry's page as a code that phones read."""
    address = reverse("tournaments:code", args=[entry.check_in_code])
    return qr_of(request.build_absolute_uri(address))


def _list(request: SignedInRequest, tournament: Tournament, shown: str) -> HttpResponse:
    lines = [one for one in queries.entry_lines(tournament) if one.is_registered]
    typed = typed_search(request)
    done = sum(
        one.entry.paid if shown == FEES else one.entry.checked_in_at is not None for one in lines
    )
    context = {
        "tournament": tournament,
        "shown": shown,
        "lines": lookup.entries_naming(lines, typed),
        "count": len(lines),
        "done": done,
        "missing": len(lines) - done,
        "typed": typed,
        "is_director": permissions.is_director(request.user, tournament),
        "withdrawn_at_once": _last_bulk(tournament) if shown == HERE else None,
    }
    return render(request, "tournaments/director_check_in.html", context)


def _last_bulk(tournament: Tournament) -> LogEntry | None:
    """Return the last withdrawal of all absent entries, as long as it can be taken back."""
    acts = tournament.log.filter(act="entries_withdrawn", undone_by__isnull=True)
    return acts.order_by("-pk").first()


def _entry(tournament: Tournament, number: int) -> Entry:
    return get_object_or_404(tournament.entries.select_related("tournament"), number=number)


def _changed(
    request: SignedInRequest, back: str, entry: Entry, change: Callable[[], Entry]
) -> HttpResponse:
    """Make a change and return to the place in the list it was made from."""
    try:
        change()
    except DominoError as error:
        messages.error(request, explain(error))
    address = reverse(back, args=[entry.tournament.slug])
    wanted = request.POST.get("q", "")
    query = f"?{urlencode({'q': wanted})}" if wanted else ""
    return redirect(f"{address}{query}#entry-{entry.number}")
