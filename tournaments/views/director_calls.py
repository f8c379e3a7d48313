"""The desk calls players to their tables."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.errors.calls import NoSuchTableToCall
from tournaments.forms.calls import CallForm
from tournaments.models import Match, PairingRound, Tournament
from tournaments.queries.player_calls import called_in
from tournaments.services import player_calls
from tournaments.views.access import SignedInRequest, directed, form_page


@login_required
@form_page
def calls(request: SignedInRequest, slug: str) -> HttpResponse:
    """Show who is called; call players to a table, or take a call back."""
    tournament = directed(request, slug)
    form = CallForm(request.POST if request.method == "POST" else None)
    try:
        if request.method == "POST" and form.is_valid():
            table, seats = form.cleaned_data["table"], form.cleaned_data["seats"]
            match = waiting_table(tournament, table)
            if request.POST.get("act") == "clear":
                player_calls.clear_calls(match, seats=seats, by=request.user)
                said = gettext("The call to table %(table)s is taken back.")
            else:
                player_calls.call_players(match, seats=seats, by=request.user)
                said = gettext("The players are called to table %(table)s.")
            messages.success(request, said % {"table": local_digits(table)})
            return redirect("tournaments:director_calls", slug)
    except DominoError as error:
        form.add_error(None, explain(error))
    context = {"tournament": tournament, "form": form, "called": called_in(tournament)}
    status = 422 if request.method == "POST" else 200
    return render(request, "tournaments/director_calls.html", context, status=status)


def waiting_table(tournament: Tournament, table: int) -> Match:
    """Return the table of that number, of the newest round that has it waiting if one has."""
    matches = (
        Match.objects.filter(pairing_round__stage__tournament=tournament, table=table)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage__tournament")
        .order_by("-pairing_round__stage__number", "-pairing_round__number")
    )
    found = matches.filter(state=Match.State.WAITING).first() or matches.first()
    if found is None:
        raise NoSuchTableToCall(found=table)
    return found
