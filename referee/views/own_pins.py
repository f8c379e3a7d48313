"""The page on which players choose the PIN of their entry, at their table."""

from __future__ import annotations

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from referee import guests
from referee.forms.signing import OwnPinForm
from referee.queries import records as queries
from referee.services.own_pins import choose_pin, seats_for
from tournaments import permissions
from tournaments.errors.base import explain
from tournaments.views.access import form_page


@form_page
@guests.at_the_table()
def own_pin(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask for the seat and the digits; each entry chooses once."""
    match = get_object_or_404(queries.matches(), pk=pk)
    if not permissions.may_see_match(request.user, match):
        raise Http404
    allowed = seats_for(match, request.user)
    seats = [one for one in match.seats.all() if one.seat in allowed]
    form = OwnPinForm(request.POST or None, seats=seats)
    if request.method == "POST" and form.is_valid():
        try:
            choose_pin(match, **form.cleaned_data, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The PIN is set. Only you know it."))
            return redirect("referee:own_pin", pk)
    context = {
        "match": match,
        "tournament": match.pairing_round.stage.tournament,
        "form": form,
        "allowed": allowed,
    }
    return render(request, "referee/own_pin.html", context, status=422 if form.errors else 200)
