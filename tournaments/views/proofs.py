"""The proof of a draw: in words, and as files that anybody can replay."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments import permissions
from tournaments.queries.proofs import proof_page, stored_draw
from tournaments.views.public import tournament_context
from tournaments.visible import proved_round_at
from tournaments.words.log import log_lines

FILES = ("draw", "request", "answer")


@require_safe
def proof(request: HttpRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Explain a drawn round table by table, and say how to replay it."""
    found = proved_round_at(slug, stage, number, user=request.user)
    page = proof_page(found)
    if page is None:
        raise Http404
    tournament = found.stage.tournament
    duties = permissions.duties(request.user, tournament)
    context = tournament_context(tournament, duties) | {
        "page": page,
        "tab": "pairings",
        "file": f"{slug}-{stage}-{number}",
        "changes": log_lines(page.changes),
    }
    return render(request, "tournaments/proof.html", context)


@require_safe
def proof_file(request: HttpRequest, slug: str, stage: int, number: int, part: str) -> HttpResponse:
    """Hand out the request, the answer, or the whole draw as `verify` reads it."""
    found = proved_round_at(slug, stage, number, user=request.user)
    stored = stored_draw(found)
    if stored is None or part not in FILES:
        raise Http404
    given = stored if part == "draw" else stored[part]
    answer = JsonResponse(given, json_dumps_params={"ensure_ascii": False, "indent": 1})
    name = f"{slug}-{stage}-{number}-{part}.json"
    answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer
