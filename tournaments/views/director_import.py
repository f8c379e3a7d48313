"""Import a list of entries: choose it, see what it would do, confirm."""

from __future__ import annotations

from typing import Final

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext, ngettext

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.lists import columns, uploads
from tournaments.lists.encodings import ENCODINGS
from tournaments.lists.sheets import MAX_BYTES, FileTooLarge
from tournaments.lists.uploads import Imported, Upload
from tournaments.models import Tournament
from tournaments.views.access import SignedInRequest, directed, form_page

ROWS_SHOWN: Final = 300
COLUMNS_CHOSEN: Final = 40


@login_required
@form_page
def import_entries(request: SignedInRequest, slug: str) -> HttpResponse:
    """One address for all steps. What was chosen travels on in the page until it is imported."""
    tournament = directed(request, slug)
    if request.method != "POST":
        return _choose(request, tournament)
    try:
        upload = _upload(request, tournament)
    except DominoError as error:
        return _choose(request, tournament, refusal=explain(error))
    if upload is None:
        return _choose(
            request, tournament, refusal=gettext("Choose a file, or paste the list into the field.")
        )
    if request.POST.get("step") != "import":
        return _preview(request, tournament, upload)
    try:
        done = uploads.confirmed(
            tournament,
            upload,
            encoding=request.POST.get("encoding", ""),
            fields=_fields(request),
            leave_out=request.POST.get("leave_out") == "on",
            by=request.user,
        )
    except DominoError as error:
        return _preview(request, tournament, upload, refusal=explain(error))
    messages.success(request, _said(done))
    return redirect("tournaments:director_entries", slug)


def _upload(request: SignedInRequest, tournament: Tournament) -> Upload | None:
    """Return the list from where it was given: a new file, text, or the preview's own seal."""
    file = request.FILES.get("file")
    if file is not None:
        if (file.size or 0) > MAX_BYTES:
            raise FileTooLarge(size=(file.size or 0) // 1000, limit=MAX_BYTES // 1000)
        return Upload(file.read(), file.name or "")
    token = request.POST.get("list", "")
    text = request.POST.get("text", "")
    if token and request.POST.get("step") != "text":
        return uploads.unsealed(tournament, token)
    return Upload.of_text(text) if text.strip() else None


def _fields(request: SignedInRequest) -> tuple[str, ...]:
    """Return what the reader set each column to hold."""
    found = []
    for number in range(COLUMNS_CHOSEN):
        field = request.POST.get(f"column_{number}")
        if field is None:
            break
        found.append(field)
    return tuple(found)


def _choose(request: SignedInRequest, tournament: Tournament, *, refusal: str = "") -> HttpResponse:
    context = {
        "tournament": tournament,
        "refusal": refusal,
        "text": request.POST.get("text", ""),
    }
    status = 422 if refusal else 200
    return render(request, "tournaments/director_import.html", context, status=status)


def _preview(
    request: SignedInRequest, tournament: Tournament, upload: Upload, *, refusal: str = ""
) -> HttpResponse:
    try:
        preview = uploads.checked(
            tournament,
            upload,
            encoding=request.POST.get("encoding", ""),
            fields=_fields(request),
            by=request.user,
        )
    except DominoError as error:
        return _choose(request, tournament, refusal=explain(error))
    rows = preview.rows[:ROWS_SHOWN]
    context = {
        "tournament": tournament,
        "preview": preview,
        "upload": upload,
        "list": uploads.sealed(tournament, upload),
        "refusal": refusal,
        "rows": rows,
        "rows_hidden": len(preview.rows) - len(rows),
        "new": preview.having("new"),
        "entered": preview.having("entered"),
        "encodings": [(name, gettext(label)) for name, label in ENCODINGS.items()],
        "labels": [
            (field, gettext(label))
            for field, label in columns.labels_for(tournament.entry_kind).items()
        ],
        "leave_out": request.POST.get("leave_out") == "on",
    }
    status = 422 if refusal else 200
    return render(request, "tournaments/director_import_preview.html", context, status=status)


def _said(done: Imported) -> str:
    """Return what was imported, as sentences."""
    said = [
        ngettext("%(count)s entry was added.", "%(count)s entries were added.", done.new)
        % {"count": done.new}
    ]
    if done.unchanged:
        said.append(
            ngettext(
                "%(count)s was entered already and did not change.",
                "%(count)s were entered already and did not change.",
                done.unchanged,
            )
            % {"count": done.unchanged}
        )
    if done.left_out:
        said.append(
            ngettext(
                "%(count)s line was left out.", "%(count)s lines were left out.", done.left_out
            )
            % {"count": done.left_out}
        )
    return " ".join(said)
