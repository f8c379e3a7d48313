"""The file of a whole event: saved from its desk, imported by those who may set up events."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from referee.event_file import exported, imported
from referee.exports import LISTS
from referee.models import KeptFile
from referee.services.event_restoring import (
    content_of,
    copied,
    event_of,
    keep_sent,
    preview,
    restore,
)
from tournaments import permissions
from tournaments.errors.base import explain
from tournaments.forms.events import refuse
from tournaments.forms.fields import PlainForm
from tournaments.models import Tournament
from tournaments.services.exports import FORMATS, written
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.views.exports import file_of
from tournaments.words.log import log_lines

# So many of the newest lines that a restore replaces are told in words.
LOG_SHOWN = 50


class EventFileForm(PlainForm):
    """The file that another installation saved."""

    file = forms.FileField(
        label=_("File of the event"),
        help_text=_("It was saved on the desk of the event, under “Files”, and ends in .json."),
        error_messages={"required": _("No file was chosen. Choose one.")},
        widget=forms.FileInput(attrs={"accept": ".json,application/json"}),
    )
    copy = forms.BooleanField(
        label=_("Import it as a new event, also if the event is here already"),
        help_text=_("Otherwise you are shown what restoring the event would replace."),
        required=False,
    )


class RestoreForm(PlainForm):
    """The address of the event, typed by whoever wants it replaced."""

    confirm = forms.CharField(
        label=_("Address of the event"),
        max_length=100,
        widget=forms.TextInput(attrs={"dir": "ltr", "autocomplete": "off"}),
        error_messages={"required": _("The address is missing. Type it to confirm.")},
    )
    seen = forms.CharField(max_length=64, widget=forms.HiddenInput)


@login_required
@require_safe
def event_file(request: SignedInRequest, slug: str) -> HttpResponse:
    """Give the whole event as one file."""
    tournament = directed(request, slug)
    return _json_file(exported(tournament), f"{tournament.slug}.event.json")


@login_required
@require_safe
def record_list(request: SignedInRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Give what was written at the tables as a list."""
    tournament = directed(request, slug)
    if kind not in LISTS or form not in FORMATS:
        raise Http404
    return file_of(tournament, kind, form, written(LISTS[kind](tournament), form))


def _json_file(content: bytes, name: str) -> HttpResponse:
    response = HttpResponse(content, content_type="application/json")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-store"
    return response


@login_required
@form_page
def import_event(request: SignedInRequest) -> HttpResponse:
    """Take the file of an event; sent twice, the event is stored once.

    One that is here already goes on to what restoring it would replace.
    """
    permissions.require_may_create_tournament(request.user)
    sent = request.method == "POST"
    form = EventFileForm(request.POST, request.FILES) if sent else EventFileForm()
    if form.is_bound and form.is_valid():
        content = form.cleaned_data["file"].read()
        copy = f"page {request.user.pk}" if form.cleaned_data["copy"] else ""
        try:
            here = None if copy else event_of(content)
            if here is not None:
                return _is_here(request, here, content)
            tournament = imported(content, copy=copy, by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            messages.success(request, gettext("The event is here, with you as its director."))
            return redirect("tournaments:director", tournament.slug)
    status = 422 if form.is_bound else 200
    return render(request, "referee/import_event.html", {"form": form}, status=status)


def _is_here(request: SignedInRequest, here: Tournament, content: bytes) -> HttpResponse:
    if not permissions.is_director(request.user, here):
        messages.info(request, gettext("This event is here already; others direct it."))
        return redirect("tournaments:desk")
    kept = keep_sent(here, content, by=request.user)
    if preview(kept, by=request.user).replaced:
        return redirect("referee:restore", here.slug, kept.pk)
    messages.info(request, gettext("This event is here as the file has it."))
    return redirect("tournaments:director", here.slug)


def _kept(request: SignedInRequest, slug: str, pk: int) -> KeptFile:
    files = KeptFile.objects.filter(tournament=directed(request, slug))
    return get_object_or_404(files.select_related("tournament", "by"), pk=pk)


@login_required
@require_safe
def kept_files(request: SignedInRequest, slug: str) -> HttpResponse:
    """List the files kept with an event: those sent to restore it, and what restores replaced."""
    tournament = directed(request, slug)
    files = tournament.kept_files.defer("content").select_related("by")
    context = {"tournament": tournament, "files": files}
    return render(request, "referee/kept_files.html", context)


@login_required
@require_safe
def kept_file(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Give a kept file as it was saved."""
    kept = _kept(request, slug, pk)
    return _json_file(content_of(kept), f"{slug}.{kept.pk}.event.json")


@login_required
@form_page
def restore_event(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Show what restoring a kept file would replace; do it once the address is typed."""
    kept = _kept(request, slug, pk)
    form = RestoreForm(request.POST or None)
    if form.is_bound and form.is_valid():
        given = form.cleaned_data
        try:
            restore(kept, confirm=given["confirm"], seen=given["seen"], by=request.user)
        except DominoError as error:
            refuse(form, error)
        else:
            messages.success(request, gettext(
                "The event is as the file says. What it replaced is kept below and can be "
                "restored."
            ))  # fmt: skip
            return redirect("referee:kept_files", slug)
    ahead = preview(kept, by=request.user)
    context = {
        "tournament": kept.tournament,
        "file": kept,
        "replaced": ahead.replaced,
        "seen": ahead.seen,
        "form": form,
        "log": log_lines(
            kept.tournament.log.filter(at__in=[one.at for one in ahead.replaced.log[-LOG_SHOWN:]])
        ),
    }
    status = 422 if form.is_bound else 200
    return render(request, "referee/restore_event.html", context, status=status)


@login_required
@require_POST
def copy_event(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Store a kept file as a new event."""
    kept = _kept(request, slug, pk)
    try:
        tournament = copied(kept, by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
        return redirect("referee:restore", slug, pk)
    messages.success(request, gettext("The event is here, with you as its director."))
    return redirect("tournaments:director", tournament.slug)
