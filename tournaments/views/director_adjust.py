"""Look at a drawn round, change it by hand, and say before what a change costs."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from engine.errors import DominoError
from tournaments.errors.base import explain
from tournaments.forms.draws import ChangeForm, ForbidForm
from tournaments.models import ForbiddenMeeting, Match, PairingRound
from tournaments.queries.desk_draw import AdjustPage, adjust_page
from tournaments.services import adjusting
from tournaments.views.access import SignedInRequest, directed
from tournaments.views.director_draw import round_at
from tournaments.words.draws import cost_words
from tournaments.words.log import log_lines


@login_required
@require_safe
def adjust(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Show a drawn round for changes; with a change in the address, what that would cost."""
    found = round_at(directed(request, slug), stage, number)
    page = adjust_page(found)
    given = any(name in request.GET for name in ("act", "one", "other"))
    form = ChangeForm(request.GET, entries=page.names)
    if not given:
        return _page(request, page)
    if not form.is_valid():
        return _page(request, page, refusal=form.refusal(), form=form)
    try:
        ahead = adjusting.preview(found, form.change(), by=request.user)
    except DominoError as error:
        return _page(request, page, refusal=explain(error), form=form)
    cost = cost_words(ahead.cost, page.names)
    return _page(request, page, form=form, ahead={"cost": cost, "seen": ahead.seen})


@login_required
@require_POST
def change(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Make a change that was looked at before. Sent twice, it is made once."""
    found = round_at(directed(request, slug), stage, number)
    page = adjust_page(found)
    form = ChangeForm(request.POST, entries=page.names)
    if not form.is_valid():
        return _page(request, page, refusal=form.refusal(), form=form)
    seen = request.POST.get("seen", "")
    try:
        adjusting.change_seats(found, form.change(), seen=seen, by=request.user)
    except DominoError as error:
        return _page(request, page, refusal=explain(error), form=form)
    messages.success(request, gettext("Changed. You can take it back below."))
    return redirect("tournaments:director_adjust", slug, stage, number)


@login_required
@require_POST
def act(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Restore the draw's answer, take the last change back, lock a table, forbid or allow."""
    found = round_at(directed(request, slug), stage, number)
    if request.POST.get("step") == "forbid":
        form = ForbidForm(request.POST, tournament=found.stage.tournament)
        if not form.is_valid():
            return _page(request, adjust_page(found), refusal=form.refusal(), forbid=form)
    try:
        done = _done(request, found)
    except DominoError as error:
        return _page(request, adjust_page(found), refusal=explain(error))
    if done:
        messages.success(request, done)
    return redirect("tournaments:director_adjust", slug, stage, number)


def _done(request: SignedInRequest, found: PairingRound) -> str:
    """Do what the button says and return what was done; an unknown button does nothing."""
    by, sent = request.user, request.POST
    match sent.get("step"):
        case "restore":
            adjusting.restore_answer(found, by=by)
            return gettext("The seats are as the draw answered.")
        case "undo":
            last = sent.get("last", "")
            adjusting.undo_change(found, last=int(last) if last.isdecimal() else 0, by=by)
            return gettext("The last change is taken back.")
        case "lock" | "unlock" as step:
            wanted = sent.get("match", "")
            at = int(wanted) if wanted.isdecimal() else 0
            match = get_object_or_404(Match, pk=at, pairing_round=found)
            adjusting.lock_table(match, is_locked=step == "lock", by=by)
            return gettext("The table is locked.") if step == "lock" else gettext("Unlocked.")
        case "forbid":
            form = ForbidForm(sent, tournament=found.stage.tournament)
            if form.is_valid():
                adjusting.forbid(*form.pair(), by=by)
            return gettext("They will not be drawn together. Draw anew if they are.")
        case "allow":
            pk = sent.get("meeting", "")
            meetings = ForbiddenMeeting.objects.filter(tournament=found.stage.tournament_id)
            gone = meetings.filter(pk=int(pk) if pk.isdecimal() else 0).first()
            if gone is not None:
                adjusting.allow(gone.one, gone.other, by=by)
            return gettext("They may meet again.")
    return ""


def _sent(request: SignedInRequest) -> QueryDict:
    return request.POST if request.method == "POST" else request.GET


def _page(
    request: SignedInRequest,
    page: AdjustPage,
    *,
    refusal: str = "",
    form: ChangeForm | None = None,
    ahead: dict[str, object] | None = None,
    forbid: ForbidForm | None = None,
) -> HttpResponse:
    pairing_round = page.pairing_round
    picked = _sent(request)
    context = {
        "tournament": pairing_round.stage.tournament,
        "page": page,
        "refusal": refusal,
        "ahead": ahead,
        "picked": picked,
        "picked_one": page.names.get(picked.get("one", ""), ""),
        "picked_other": page.names.get(picked.get("other", ""), ""),
        "picked_entries": _sent(request).getlist("entries"),
        "forbid": forbid or ForbidForm(tournament=pairing_round.stage.tournament),
        "changes": log_lines(page.changes),
    }
    status = 422 if refusal else 200
    return render(request, "tournaments/director_adjust.html", context, status=status)
