"""Draw a round at the desk: who is there, what is open, and the draw itself."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.views.decorators.http import require_POST
from kombu.exceptions import OperationalError

from engine.errors import DominoError
from tournaments import tasks
from tournaments.errors.base import Sentence, explain
from tournaments.forms.draws import DecisionsForm, RoomForm
from tournaments.models import LogEntry, PairingRound, Room, Stage, Tournament
from tournaments.queries.desk_draw import prepare_page
from tournaments.services import asked_draws, draws, rooms
from tournaments.services.deciding import Decision, decide
from tournaments.views.access import SignedInRequest, directed, form_page
from tournaments.words.log import log_lines


@login_required
@form_page
def next_draw(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Show what is to be settled before a round is drawn; settle who plays."""
    tournament = directed(request, slug)
    found = stage_at(tournament, stage)
    existing = found.rounds.filter(number=number).defer("draw", "standings").first()
    if existing is not None and draws.is_drawn(existing):
        return redirect("tournaments:director_adjust", slug, stage, number)
    form = _decisions(request, found, number)
    if request.method == "POST" and form.is_valid():
        try:
            for entry, decision in form.decisions():
                decide(found, number=number, entry=entry, decision=decision, by=request.user)
        except DominoError as error:
            return _page(request, found, number, form, refusal=explain(error))
        messages.success(request, gettext("Noted who plays in this round."))
        return redirect("tournaments:director_draw", slug, stage, number)
    return _page(request, found, number, form)


@login_required
@require_POST
def draw(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Draw a round: a usual one at once, a very large one by a worker. Sent twice, drawn once."""
    tournament = directed(request, slug)
    found = stage_at(tournament, stage)
    reason = request.POST.get("reason", "")
    provisional = request.POST.get("provisional") == "1"
    if found.stage_entries.count() > asked_draws.DRAWN_AT_ONCE and _is_handed_on(
        request, found, number, reason, provisional
    ):
        messages.info(request, gettext("The round is being drawn. Look again in a moment."))
        return redirect("tournaments:director_draw", slug, stage, number)
    try:
        draws.draw_round(
            found, number=number, reason=reason, provisional=provisional, by=request.user
        )
    except DominoError as error:
        form = DecisionsForm(page=prepare_page(found, number))
        return _page(
            request, found, number, form, refusal=explain(error), reason=reason,
            provisional=provisional,
        )  # fmt: skip
    messages.success(
        request, gettext("The round is drawn. Look at it, change what must be, then publish.")
    )
    return redirect("tournaments:director_adjust", slug, stage, number)


@login_required
@require_POST
def discard(request: SignedInRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Throw a draft away; with "anew" it is drawn again at once, locked tables kept."""
    tournament = directed(request, slug)
    found = round_at(tournament, stage, number)
    try:
        draws.discard_draft(found, by=request.user)
        if request.POST.get("step") == "anew":
            draws.draw_round(found.stage, number=number, by=request.user)
            messages.success(request, gettext("The round is drawn anew. Locked tables stayed."))
            return redirect("tournaments:director_adjust", slug, stage, number)
    except DominoError as error:
        messages.error(request, explain(error))
        return redirect("tournaments:director_draw", slug, stage, number)
    messages.success(request, gettext("The draft is thrown away. Nobody has seen it."))
    return redirect("tournaments:director_draw", slug, stage, number)


@login_required
@form_page
def room_list(request: SignedInRequest, slug: str) -> HttpResponse:
    """Name the rooms by their ranges of tables."""
    tournament = directed(request, slug)
    form = RoomForm(request.POST or None, tournament=tournament)
    if request.method == "POST" and form.is_valid():
        try:
            rooms.save_room(tournament, **form.cleaned_data, by=request.user)
        except DominoError as error:
            form.add_error(None, explain(error))
        else:
            messages.success(request, gettext("The room is named."))
            return redirect("tournaments:director_rooms", slug)
    context = {"tournament": tournament, "form": form}
    status = 422 if form.errors else 200
    return render(request, "tournaments/director_rooms.html", context, status=status)


@login_required
@require_POST
def remove_room(request: SignedInRequest, slug: str, pk: int) -> HttpResponse:
    """Take a room away. Sent twice, it is gone once."""
    tournament = directed(request, slug)
    found = Room.objects.filter(tournament=tournament, pk=pk).first()
    if found is not None:
        rooms.remove_room(found, by=request.user)
    return redirect("tournaments:director_rooms", slug)


def stage_at(tournament: Tournament, number: int) -> Stage:
    """Return a stage of the event, or 404."""
    return get_object_or_404(tournament.stages.select_related("tournament"), number=number)


def round_at(tournament: Tournament, stage: int, number: int) -> PairingRound:
    """Return a pairing round of the event, drafts too, or 404."""
    found = PairingRound.objects.filter(
        stage__tournament=tournament, stage__number=stage, number=number
    )
    first = found.select_related("stage__tournament").first()
    if first is None:
        raise Http404
    return first


def _decisions(request: SignedInRequest, stage: Stage, number: int) -> DecisionsForm:
    page = prepare_page(stage, number)
    if request.method != "POST":
        return DecisionsForm(page=page)
    sent = request.POST.copy()
    if sent.get("step") == "all_absent":
        for one in page.doubtful:
            if not one.is_checked_in:
                sent[f"decision_{one.entry.number}"] = Decision.ABSENT.value
    return DecisionsForm(sent, page=page)


def _page(
    request: SignedInRequest,
    stage: Stage,
    number: int,
    form: DecisionsForm,
    *,
    refusal: str = "",
    reason: str = "",
    provisional: bool = False,
) -> HttpResponse:
    page = form.page
    context = {
        "tournament": stage.tournament,
        "page": page,
        "form": form,
        "refusal": refusal,
        "reason": reason,
        "provisional": provisional,
        "failure": _why(page.failure) if page.failure else "",
        "failed_at": log_lines([page.failure])[0].at if page.failure else None,
        "needs_reason": bool(page.open_tables or page.appeals),
    }
    status = 422 if refusal or form.errors else 200
    return render(request, "tournaments/director_draw.html", context, status=status)


class _Kept(Sentence):
    def __init__(self, line: LogEntry) -> None:
        self._line = line

    @property
    def text(self) -> str:
        return str(self._line.details["text"])

    @property
    def plural(self) -> str:
        return str(self._line.details.get("plural", ""))

    @property
    def number(self) -> int:
        return int(self._line.details.get("number", 1))

    @property
    def params(self) -> dict[str, object]:
        return dict(self._line.details["params"])


def _why(line: LogEntry) -> str:
    return explain(_Kept(line))


def _is_handed_on(
    request: SignedInRequest, stage: Stage, number: int, reason: str, provisional: bool
) -> bool:
    seconds = asked_draws.seconds_for(stage)
    try:
        tasks.draw_round.apply_async(
            args=(stage.pk, number, request.user.pk, reason, provisional),
            soft_time_limit=seconds,
            time_limit=seconds + 5,
        )
    except OperationalError:
        return False
    return True
