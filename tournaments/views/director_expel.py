"""Put both sides of a table out of the event."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.fields import PlainForm
from tournaments.models import LONG_IN_ROUND, Entry, Match, PairingRound
from tournaments.services.expulsions import expel_both
from tournaments.views.access import SignedInRequest, directed, form_page


class ExpelForm(PlainForm):
    """Why both sides are put out."""

    reason = forms.CharField(
        label=_("Reason"),
        max_length=200,
        help_text=_("It is kept in the log of the event."),
        error_messages={"required": _("The reason is missing. Say in a few words why.")},
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


@login_required
@form_page
def expel(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Say what it means that both are out, ask why, and do it. Sent twice, it is done once."""
    tournament = directed(request, slug)
    match = get_object_or_404(
        Match.objects.exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage")
        .defer(*LONG_IN_ROUND),
        pk=pk,
        pairing_round__stage__tournament=tournament,
    )
    form = ExpelForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            expel_both(match, reason=form.cleaned_data["reason"], by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            done = gettext("Both sides of table %(table)s are out of the event.")
            messages.success(request, done % {"table": local_digits(match.table)})
            return redirect("tournaments:director_tables", slug)
    context = {
        "tournament": tournament,
        "match": match,
        "form": form,
        "entries": Entry.objects.filter(seats__match=match).distinct().order_by("number"),
        "is_closed": match.state == Match.State.CLOSED,
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_expel.html", context, status=status)
