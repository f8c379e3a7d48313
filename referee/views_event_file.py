"""The file of a whole event: saved from its desk, imported by those who may set up events."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from engine.errors import DominoError
from referee.event_file import exported, imported
from tournaments import permissions
from tournaments.forms.events import refuse
from tournaments.forms.fields import PlainForm
from tournaments.views.access import SignedInRequest, directed, form_page


class EventFileForm(PlainForm):
    """The file that another installation saved."""

    file = forms.FileField(
        label=_("File of the event"),
        help_text=_("It was saved on the desk of the event, under “Files”, and ends in .json."),
        error_messages={"required": _("No file was chosen. Choose one.")},
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )


@login_required
@require_safe
def event_file(request: SignedInRequest, slug: str) -> HttpResponse:
    """Give the whole event as one file."""
    tournament = directed(request, slug)
    response = HttpResponse(exported(tournament), content_type="application/json")
    name = f"{tournament.slug}.event.json"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


@login_required
@form_page
def import_event(request: SignedInRequest) -> HttpResponse:
    """Take the file of an event; sent twice, the event is stored once."""
    permissions.require_may_create_tournament(request.user)
    sent = request.method == "POST"
    form = EventFileForm(request.POST, request.FILES) if sent else EventFileForm()
    if form.is_bound and form.is_valid():
        try:
            tournament = imported(form.cleaned_data["file"].read(), by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            if not permissions.is_director(request.user, tournament):
                messages.info(request, gettext("This event is here already; others direct it."))
                return redirect("tournaments:desk")
            messages.success(request, gettext("The event is here, with you as its director."))
            return redirect("tournaments:director", tournament.slug)
    status = 422 if form.is_bound else 200
    return render(request, "referee/import_event.html", {"form": form}, status=status)
