"""The bracket and the groups of a stage, for everybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments import freshness, permissions
from tournaments.models import Stage, Tournament
from tournaments.queries.brackets import BracketPage, bracket_page, path_of
from tournaments.queries.groups import groups_page
from tournaments.services.brackets import BRACKETS
from tournaments.views.public import tournament_context
from tournaments.visible import stage_at, tournament_at


@require_safe
def bracket(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Show who meets whom in a knockout, and the places so far; or the way of one entry alone."""
    wanted = request.GET.get("entry", "")
    number = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 10 else None

    def shown(stage: Stage) -> BracketPage | None:
        whole = bracket_page(stage)
        return whole if whole is None or number is None else path_of(whole, number)

    return _page(request, slug, stage, BRACKETS, shown, "tournaments/bracket.html")


@require_safe
def groups(request: HttpRequest, slug: str, stage: int) -> HttpResponse:
    """Show the standings of each group and its cross-table."""
    kinds = (Stage.System.GROUPS,)
    return _page(request, slug, stage, kinds, groups_page, "tournaments/groups.html")


def _page(
    request: HttpRequest,
    slug: str,
    number: int,
    systems: tuple[Stage.System, ...],
    query: Callable[[Stage], Any],
    template: str,
) -> HttpResponse:
    found = tournament_at(slug, user=request.user)
    stage = stage_at(found, str(number))
    if stage is None or stage.system not in systems:
        raise Http404
    seen = freshness.of_event(found, drafts=False)

    def made() -> HttpResponse:
        page = query(stage)
        if page is None:
            raise Http404
        duties = permissions.duties(request.user, found)
        context = tournament_context(found, duties) | {
            "tab": "standings",
            "page": page,
            "etag": freshness.part_tag(request, seen),
            "is_live": found.state == Tournament.State.RUNNING,
        }
        return render(request, template, context)

    return freshness.answered(request, seen, made)
