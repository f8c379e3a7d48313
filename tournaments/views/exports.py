"""Files of an event: lists for everybody, and more for its desk."""

from __future__ import annotations

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_safe

from tournaments import permissions
from tournaments.models import PairingRound, Stage, Tournament
from tournaments.publication import withheld
from tournaments.services import exports, exports_desk
from tournaments.services.exports import Sheet
from tournaments.views.access import SignedInRequest, directed
from tournaments.views.public import tournament_context
from tournaments.visible import tournament_at

# What a director reads beside each list that only the desk has.
DESK_LISTS = {
    "players": gettext_lazy("Players"),
    "clubs": gettext_lazy("Clubs"),
    "rounds": gettext_lazy("Pairing rounds"),
    "tables": gettext_lazy("Tables"),
    "missing": gettext_lazy("Byes and absences"),
    "after": gettext_lazy("Standings after every round"),
    "check-in": gettext_lazy("Check-in and fees"),
    "reported": gettext_lazy("Results that waited for a second check"),
    "appeals": gettext_lazy("Appeals"),
    "ratings": gettext_lazy("Changes of ratings"),
    "draws": gettext_lazy("Draws with their proofs"),
    "log": gettext_lazy("Log of the desk"),
}


@require_safe
def files(request: HttpRequest, slug: str) -> HttpResponse:
    """List the files anybody may take."""
    found = tournament_at(slug, user=request.user)
    context = tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "standings",
        "stages": _stages(_rounds(found, drafts=False)),
        "formats": list(exports.FORMATS),
    }
    return render(request, "tournaments/files.html", context)


@require_safe
def export(request: HttpRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Give a list of an event as a file, without drafts."""
    found = tournament_at(slug, user=request.user)
    return _file(request, found, kind, form, private=False)


@login_required
@require_safe
def desk_files(request: SignedInRequest, slug: str) -> HttpResponse:
    """List the files of the desk: with drafts, fees, check-in."""
    tournament = directed(request, slug)
    context = {
        "tournament": tournament,
        "stages": _stages(_rounds(tournament, drafts=True)),
        "formats": list(exports.FORMATS),
        "lists": [(kind, DESK_LISTS[kind]) for kind in exports_desk.SHEETS],
    }
    return render(request, "tournaments/director_files.html", context)


@login_required
@require_safe
def desk_export(request: SignedInRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Give a list of an event as a file, with what only its desk knows."""
    return _file(request, directed(request, slug), kind, form, private=True)


def _file(
    request: HttpRequest, tournament: Tournament, kind: str, form: str, *, private: bool
) -> HttpResponse:
    of_desk = exports_desk.SHEETS if private else {}
    if kind not in (*exports.KINDS, "all", *of_desk) or form not in exports.FORMATS:
        raise Http404
    if kind in of_desk:
        sheet = exports_desk.desk_sheet(tournament, kind)
        return file_of(tournament, kind, form, exports.written(sheet, form))
    rounds = _asked(request, _rounds(tournament, drafts=private))
    if kind == "all":
        if form != "xlsx":
            raise Http404
        sheets = [
            exports.entries_sheet(tournament, private=private),
            exports.results_sheet(rounds),
            *(
                Sheet(f"standings {stage.number}", found.columns, found.rows)
                for stage in _stages(rounds)
                for found in [exports.standings_sheet(stage)]
            ),
            *(exports_desk.desk_sheet(tournament, one) for one in of_desk),
        ]
        content = exports.workbook(sheets)
    else:
        content = exports.written(_sheet(request, tournament, kind, rounds, private=private), form)
    return file_of(tournament, kind, form, content)


def file_of(tournament: Tournament, kind: str, form: str, content: bytes) -> HttpResponse:
    """Return a list of an event as a file to be saved."""
    response = HttpResponse(content, content_type=exports.FORMATS[form])
    name = f"{tournament.slug}-{kind}.{form}"
    response.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    response.headers["Cache-Control"] = "private, no-cache"
    return response


def _sheet(
    request: HttpRequest,
    tournament: Tournament,
    kind: str,
    rounds: list[PairingRound],
    *,
    private: bool,
) -> Sheet:
    match kind:
        case "entries":
            return exports.entries_sheet(tournament, private=private)
        case "pairings":
            return exports.pairings_sheet(rounds)
        case "results":
            return exports.results_sheet(rounds)
        case _:
            stages = _stages(rounds)
            if not stages:
                raise Http404
            after = rounds[-1] if request.GET.get("round") else None
            if after is not None and (not after.standings or withheld(tournament).has(after)):
                raise Http404
            return exports.standings_sheet(stages[-1], after)


def _rounds(tournament: Tournament, *, drafts: bool) -> list[PairingRound]:
    rounds = PairingRound.objects.filter(stage__tournament=tournament).defer("draw")
    if not drafts:
        rounds = rounds.exclude(state=PairingRound.State.DRAFT)
    return list(rounds.select_related("stage__tournament").order_by("stage__number", "number"))


def _asked(request: HttpRequest, rounds: list[PairingRound]) -> list[PairingRound]:
    """Return the rounds of the stage and with the number asked for; all when nothing is."""
    stage, number = request.GET.get("stage", ""), request.GET.get("round", "")
    found = [
        one
        for one in rounds
        if stage in ("", str(one.stage.number)) and number in ("", str(one.number))
    ]
    if (stage or number) and not found:
        raise Http404
    return found


def _stages(rounds: list[PairingRound]) -> list[Stage]:
    return list(dict.fromkeys(one.stage for one in rounds))
