"""Appeals in the browser: filed from a table, read, given a panel, decided or withdrawn."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from referee.queries import records as queries
from referee.services import appeals as service
from tournaments import permissions
from tournaments.digits import local_digits
from tournaments.errors.base import explain
from tournaments.forms.appeals import FilingForm, PanelForm, VerdictForm
from tournaments.forms.results import ScoreForm
from tournaments.models import Appeal, Entry, Match
from tournaments.policies import appeal_minutes
from tournaments.queries.appeals import appeal_page, changes_of, readable_appeals
from tournaments.queries.events import TableLine, table_lines
from tournaments.services.appeal_decisions import Verdict
from tournaments.services.appeals import name_panel, withdraw_appeal
from tournaments.services.scores import doubts
from tournaments.views.access import SignedInRequest, form_page


@login_required
@form_page
def file_appeal(request: SignedInRequest, pk: int) -> HttpResponse:
    """File an appeal about a table; sent twice, it is filed once."""
    match = get_object_or_404(queries.matches(), pk=pk)
    if not permissions.may_see_match(request.user, match):
        raise Http404
    tournament = match.pairing_round.stage.tournament
    permissions.require_referee(request.user, tournament)
    limit = appeal_minutes(tournament)
    form = FilingForm(request.POST or None, entries=entries_at(match), has_limit=limit is not None)
    if request.method == "POST" and form.is_valid():
        try:
            filed = service.file_appeal(match, **form.filing(), by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            said = gettext("Appeal %(number)s is filed. The result is under protest.")
            messages.success(request, said % {"number": local_digits(filed.number)})
            return redirect("referee:appeal", filed.pk)
    context = _around(request, match) | {"form": form, "minutes": limit}
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/appeal_file.html", context, status=status)


@login_required
@require_safe
def appeal(request: SignedInRequest, pk: int) -> HttpResponse:
    """Show an appeal, its evidence, and how it was decided."""
    found = _readable(request, pk)
    return _page(request, found, PanelForm(appeal=found))


@login_required
@require_POST
def panel(request: SignedInRequest, pk: int) -> HttpResponse:
    """Name who decides."""
    found = _readable(request, pk)
    form = PanelForm(request.POST, appeal=found)
    if form.is_valid():
        try:
            name_panel(found, **form.panel(), by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The panel is named."))
            return redirect("referee:appeal", pk)
    return _page(request, found, form, status=422)


@login_required
@require_POST
def withdraw(request: SignedInRequest, pk: int) -> HttpResponse:
    """Withdraw an appeal for the side that made it."""
    found = _readable(request, pk)
    try:
        withdraw_appeal(found, fee_state=request.POST.get("fee_state", ""), by=request.user)
    except DominoError as error:
        messages.error(request, explain(error))
    else:
        messages.success(request, gettext("The appeal is withdrawn. The result stands."))
    return redirect("referee:appeal", pk)


@login_required
@form_page
def decide(request: SignedInRequest, pk: int) -> HttpResponse:
    """Ask for the decision, show what it would change, then carry it out."""
    found = _readable(request, pk)
    if not permissions.may_decide_appeal(request.user, found):
        raise PermissionDenied(
            gettext("Only a director of this tournament or a member of the panel may decide this.")
        )
    if found.state != Appeal.State.FILED:
        return redirect("referee:appeal", pk)
    match = found.match
    line = _line(match)
    sent = request.POST or None
    form = VerdictForm(sent, appeal=found, entries=entries_at(match))
    corrects = form.is_bound and form.corrects
    score = ScoreForm(sent if corrects else None, match=match, sides=line.sides)
    # The decision stands first on the page, not the score.
    score.fields[f"points_{score.sides[0]}"].widget.attrs.pop("autofocus", None)
    context: dict[str, Any] = _around(request, match) | {
        "appeal": found,
        "line": line,
        "form": form,
        "score": score,
    }
    if form.is_bound and form.is_valid() and (not corrects or score.is_valid()):
        verdict = _verdict(form, score if corrects else None)
        seen = form.fingerprint(score.fingerprint if corrects else "")
        try:
            if request.POST.get("step") == "decide" and request.POST.get("seen") == seen:
                service.decide_appeal(found, verdict, by=request.user)
                messages.success(request, gettext("The decision is written down."))
                return redirect("referee:appeal", pk)
            would = service.preview(found, verdict, by=request.user)
            context |= {
                "preview": would,
                "changes": changes_of(would),
                "seen": seen,
                "doubts": [explain(one) for one in doubts(match, score.points)] if corrects else [],
            }
            return render(request, "referee/appeal_decide.html", context)
        except DominoError as error:
            form.add_error(None, explain(error))
    status = 422 if request.method == "POST" else 200
    return render(request, "referee/appeal_decide.html", context, status=status)


def entries_at(match: Match) -> list[Entry]:
    """Return the entries of a table, in the order of its seats."""
    seats = match.seats.select_related("entry").order_by("seat")
    return list({one.entry_id: one.entry for one in seats}.values())


def _readable(request: SignedInRequest, pk: int) -> Appeal:
    """Return an appeal the reader may read; of a hidden event they may know nothing."""
    found: Appeal = get_object_or_404(readable_appeals(), pk=pk)
    if not permissions.may_see_tournament(request.user, found.tournament):
        raise Http404
    if not permissions.may_read_appeal(request.user, found):
        raise PermissionDenied(
            gettext("Only referees, directors and its panel may read what an appeal says.")
        )
    return found


def _page(
    request: SignedInRequest, found: Appeal, form: PanelForm, *, status: int = 200
) -> HttpResponse:
    user, tournament = request.user, found.tournament
    is_open = found.state == Appeal.State.FILED
    context = _around(request, found.match) | {
        "page": appeal_page(found),
        "appeal": found,
        "form": form,
        "may_decide": is_open and permissions.may_decide_appeal(user, found),
        "may_name": is_open and permissions.is_director(user, tournament),
        "may_withdraw": is_open and permissions.is_referee(user, tournament),
    }
    return render(request, "referee/appeal.html", context, status=status)


def _around(request: SignedInRequest, match: Match) -> dict[str, Any]:
    tournament = match.pairing_round.stage.tournament
    return {
        "tournament": tournament,
        "match": match,
        "is_director": permissions.is_director(request.user, tournament),
        "may_list": permissions.may_read_appeals(request.user, tournament),
    }


def _line(match: Match) -> TableLine:
    (line,) = table_lines(Match.objects.filter(pk=match.pk), match.pairing_round.stage.tournament)
    return line


def _verdict(form: VerdictForm, score: ScoreForm | None) -> Verdict:
    said = form.cleaned_data
    walkover = said["effect"] == Appeal.Effect.WALKOVER
    return Verdict(
        state=said["state"],
        reasons=said["reasons"],
        effect=said["effect"],
        points=None if score is None else score.points,
        deducted=None if score is None else score.deducted(),
        absent=form.chosen() if walkover else (),
        fee_state=said.get("fee_state", ""),
        # What is doubtful about the score stands beside the preview.
        sure=True,
    )
