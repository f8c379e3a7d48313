"""Signing a sheet without a script, PINs at the desk, and control codes for everyone."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.models import User
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_safe

from engine.errors import DominoError
from referee import sheets
from referee.errors.signing import CodeUnknown
from referee.forms.signing import CodeForm, PinForm, RefusingForm, SetPinForm
from referee.guests import at_the_table
from referee.queries import records as queries
from referee.queries.signing import checked, pins_of, signing_of
from referee.services import signing
from referee.services.own_pins import seats_for
from referee.views.hidden import hidden_page
from tournaments import permissions
from tournaments.errors.base import explain
from tournaments.models import Match
from tournaments.permissions import TableGuest
from tournaments.views.access import SignedInRequest, form_page
from tournaments.visible import tournament_at

Forms = dict[tuple[str, str], PinForm | RefusingForm]


def _visible(request: HttpRequest, pk: int) -> Match:
    match = get_object_or_404(queries.matches(), pk=pk)
    if not permissions.may_see_match(request.user, match):
        raise Http404
    return match


@at_the_table()
@form_page
def sign(request: HttpRequest, pk: int) -> HttpResponse:
    """Let both sides accept the sheet, by PIN, or note why one refuses."""
    match = get_object_or_404(queries.matches(), pk=pk)
    by = request.user
    if not (isinstance(by, TableGuest) or permissions.may_see_match(by, match)):
        raise Http404
    permissions.require_may_record(by, match)
    # Whoever may record has an account, or the link of the table.
    assert isinstance(by, User | TableGuest)
    form: PinForm | RefusingForm | None = None
    if request.method == "POST":
        kind = RefusingForm if request.POST.get("how") == "refused" else PinForm
        form = kind(request.POST)
        if form.is_valid():
            try:
                signing.sign(match, **form.cleaned_data, by=by)
            except DominoError as error:
                form.add_error(None, explain(error))
            else:
                messages.success(request, gettext("What the side said of the sheet is kept."))
                return redirect("referee:sign", pk)
    recorded = queries.read(match)
    found = signing_of(match, recorded)
    sides = [
        (
            one,
            recorded.state.totals[one.side],
            _form(PinForm, one.side, form),
            _form(RefusingForm, one.side, form),
        )
        for one in (found.sides if found else ())
    ]
    context = {
        "match": match,
        "tournament": match.pairing_round.stage.tournament,
        "signing": found,
        "players_record": bool(seats_for(match, by)),
        "sides": sides,
        "form": form if form and form.data.get("side") not in recorded.sides else None,
    }
    return render(request, "referee/sign.html", context, status=422 if form else 200)


def _form(
    kind: type[PinForm | RefusingForm], side: str, sent: PinForm | RefusingForm | None
) -> PinForm | RefusingForm:
    """Return the form of a side: the one that was sent, with what is wrong, or an empty one."""
    if isinstance(sent, kind) and sent.data.get("side") == side:
        return sent
    return kind(initial={"side": side}, prefix=None, auto_id=f"id_%s_{side}")


@login_required
@form_page
def pins(request: SignedInRequest, slug: str) -> HttpResponse:
    """Set the PINs by which entries sign, one at a time."""
    tournament = tournament_at(slug, user=request.user)
    permissions.require_referee(request.user, tournament)
    entries = list(pins_of(tournament))
    form = SetPinForm(
        request.POST or None, entries=entries, initial={"entry": request.GET.get("entry", "")}
    )
    if request.method == "POST" and form.is_valid():
        number = int(form.cleaned_data["entry"])
        entry = next(one for one in entries if one.number == number)
        try:
            signing.set_pin(entry, pin=form.cleaned_data["pin"], by=request.user)
        except DominoError as error:
            form.add_error("pin", explain(error))
        else:
            said = gettext("The PIN of %(name)s is set.")
            messages.success(request, said % {"name": entry.name})
            return redirect("referee:pins", slug)
    context = {"tournament": tournament, "entries": entries, "form": form}
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/pins.html", context, status=status)


@require_safe
def check(request: HttpRequest, code: str = "") -> HttpResponse:
    """Tell anyone who holds a printed sheet whether its control code fits what is stored."""
    typed = code or request.GET.get("code", "")
    form = CodeForm({"code": typed} if typed else None)
    found, status = None, 200
    if typed:
        status = 422
        if form.is_valid():
            try:
                found, status = checked(form.cleaned_data["code"], request.user), 200
            except DominoError as error:
                form.add_error("code", explain(error))
                # An address without a sheet behind it is not there; what was typed is put right.
                status = 404 if code or isinstance(error, CodeUnknown) else 422
    return render(request, "referee/check.html", {"form": form, "found": found}, status=status)


@require_safe
def plays(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the order of plays of a whole match, in notation and in words, ready to print."""
    match = _visible(request, pk)
    if (hidden := hidden_page(request, match)) is not None:
        return hidden
    sheet = sheets.match_sheet(match, request.user, sheets.ALL)
    context: dict[str, Any] = {"sheet": sheet}
    return render(request, "referee/plays.html", context)
