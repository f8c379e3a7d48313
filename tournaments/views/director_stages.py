"""Add a stage, see who goes on to it, close a stage and open it again."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext, ngettext

from engine.errors import DominoError
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.stages import ReopenStageForm, StageForm
from tournaments.models import Entry, PairingRound, Stage, Tournament
from tournaments.services import stages as service
from tournaments.services.pairings import make_manual_stage
from tournaments.views.access import SignedInRequest, directed, form_page

# The field a refusal of the services is about; any other refusal stands above the form.
_FIELD_OF = {
    "group_too_small": "each",
    "nobody_qualifies": "each",
    "stage_too_small": "each",
    "too_few_next": "best_next",
    "too_many_groups": "groups",
    "too_many_survivors": "survivors",
    "bad_table_number": "first_table",
    "text_too_long": "name",
}


@login_required
@form_page
def add_stage(request: SignedInRequest, slug: str) -> HttpResponse:
    """Choose how the next part is played; whoever goes on from another one is shown before."""
    tournament = directed(request, slug)
    sent = request.POST if request.method == "POST" else None
    form = StageForm(sent, tournament=tournament)
    if sent is None or not form.is_valid() or sent.get("step") == "change":
        return _form_page(request, tournament, form)
    try:
        if form.before is not None and sent.get("step") != "make":
            return _preview(request, tournament, form, form.before)
        made = _make(tournament, form, request)
    except DominoError as error:
        field = _FIELD_OF.get(error.code)
        form.add_error(field, explain(error))
        return _form_page(request, tournament, form)
    entries = made.stage_entries.count()
    if not entries:
        return redirect("tournaments:director_seat", slug, made.number)
    done = ngettext(
        "%(stage)s is made, with %(entries)s entry. Its first round can be drawn.",
        "%(stage)s is made, with %(entries)s entries. Its first round can be drawn.",
        entries,
    )
    messages.success(request, local_digits(done % {"stage": made.title, "entries": entries}))
    return redirect("tournaments:director_pairings", slug)


def _make(tournament: Tournament, form: StageForm, request: SignedInRequest) -> Stage:
    plan = form.plan()
    if plan.system == Stage.System.MANUAL and form.before is None:
        return make_manual_stage(tournament, name=plan.name, by=request.user)
    return service.make_stage(tournament, plan, source=form.before, by=request.user)


def _form_page(request: SignedInRequest, tournament: Tournament, form: StageForm) -> HttpResponse:
    status = 422 if form.errors else 200
    context = {
        "tournament": tournament,
        "form": form,
        "is_running": tournament.state == Tournament.State.RUNNING,
    }
    return render(request, "tournaments/director_stage.html", context, status=status)


def _preview(
    request: SignedInRequest, tournament: Tournament, form: StageForm, source: Stage
) -> HttpResponse:
    """Show who would go on, before anything is made."""
    context = {
        "tournament": tournament,
        "form": form,
        "source": source,
        "system": Stage.System(form.plan().system).label,
        "qualifiers": service.preview_qualifiers(source, form.takes),
        "typed": form.typed(),
    }
    return render(request, "tournaments/director_stage_preview.html", context)


@login_required
@form_page
def close_stage(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Say what closing means, then close. Sent twice, it is closed once."""
    tournament = directed(request, slug)
    found = _stage(tournament, stage)
    refusal = ""
    if request.method == "POST":
        try:
            service.close_stage(found, by=request.user)
        except DominoError as error:
            refusal = explain(error)
        else:
            done = gettext("%(stage)s is closed. Its standings change no more.")
            messages.success(request, done % {"stage": found.title})
            return redirect("tournaments:director_pairings", slug)
    drafts = found.rounds.filter(state=PairingRound.State.DRAFT, matches__isnull=False)
    context = {
        "tournament": tournament,
        "stage": found,
        "refusal": refusal,
        "is_closed": found.state == Stage.State.CLOSED,
        "drafts": list(drafts.order_by("number").values_list("number", flat=True).distinct()),
    }
    status = 422 if refusal else 200
    return render(request, "tournaments/director_stage_close.html", context, status=status)


@login_required
@form_page
def reopen_stage(request: SignedInRequest, slug: str, stage: int) -> HttpResponse:
    """Ask why a closed stage is opened again, then open it."""
    tournament = directed(request, slug)
    found = _stage(tournament, stage)
    form = ReopenStageForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            service.reopen_stage(found, reason=form.cleaned_data["reason"], by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            done = gettext("%(stage)s is open again. Close it when it is corrected.")
            messages.success(request, done % {"stage": found.title})
            return redirect("tournaments:director_pairings", slug)
    context = {
        "tournament": tournament,
        "stage": found,
        "form": form,
        "left": tournament.entries.filter(state__in=Entry.LEFT, stage_entries__stage=found),
    }
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_stage_reopen.html", context, status=status)


def _stage(tournament: Tournament, number: int) -> Stage:
    found: Stage = get_object_or_404(tournament.stages.select_related("tournament"), number=number)
    return found
