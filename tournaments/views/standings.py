"""Standings: as they change, after each round, and seen by player, team, club and so on."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language_bidi, gettext, ngettext
from django.views.decorators.http import require_safe

from tournaments import freshness, permissions
from tournaments.digits import local_digits, to_latin_digits
from tournaments.direction import isolated
from tournaments.models import Stage, Tournament
from tournaments.queries import crowds as queries_crowds
from tournaments.queries import standings as queries_standings
from tournaments.queries.crowds import By
from tournaments.queries.places_moved import places_moved
from tournaments.queries.standings import StandingsPage
from tournaments.views.public import tournament_context
from tournaments.visible import stage_at, tournament_at


@require_safe
def standings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings of a stage, whoever is asked for, and what decided each place."""
    found = tournament_at(slug, user=request.user)
    seen = freshness.of_standings(found, drafts=False)

    def made() -> HttpResponse:
        asked = stage_at(found, request.GET.get("stage", ""))
        page = queries_standings.standings_page(found, stage=asked)
        table = {
            "page": page,
            "address": reverse("tournaments:standings", args=[slug]),
            "etag": freshness.part_tag(request, seen),
            "said": _said(page),
            "is_live": found.state == Tournament.State.RUNNING,
        }
        if freshness.is_part(request):
            return render(request, "tournaments/_standings_table.html", table)
        context = _context(request, found, page) | {"table": table}
        if context["by"] is By.ENTRY:
            return render(request, "tournaments/standings.html", context)
        context |= _seen_by(page.stage, page, context["by"], request.GET.get("best", ""))
        return render(request, "tournaments/standings_by.html", context)

    return freshness.answered(request, seen, made)


@require_safe
def after_round(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show the standings as they were when a round ended."""
    found = tournament_at(slug, user=request.user)
    page = queries_standings.standings_page(
        found, stage=stage_at(found, request.GET.get("stage", "")), limit=1
    )
    after = queries_standings.standings_after(page.stage, str(number))
    context = tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "standings",
        "after": after,
        "page": after.page,
    }
    return render(request, "tournaments/standings_after.html", context)


@require_safe
def places(request: HttpRequest, slug: str) -> HttpResponse:
    """Show how the first places moved from round to round."""
    found = tournament_at(slug, user=request.user)
    page = queries_standings.standings_page(
        found, stage=stage_at(found, request.GET.get("stage", "")), limit=1
    )
    moved = None
    if page.stage is not None:
        moved = places_moved(page.stage, from_right=get_language_bidi())
    if moved is None:
        raise Http404
    context = tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "standings",
        "stage": page.stage,
        "moved": moved,
    }
    return render(request, "tournaments/standings_places.html", context)


def _said(page: StandingsPage) -> str:
    """Return what those who hear the page are told when it changes by itself."""
    counted = ngettext(
        "The standings count %(finished)s of %(all)s published round.",
        "The standings count %(finished)s of %(all)s published rounds.",
        page.rounds,
    ) % {"finished": page.rounds_finished, "all": page.rounds}
    if not page.rows:
        return local_digits(counted)
    name = isolated(page.rows[0].entry.name)
    first = gettext("First is %(name)s.") % {"name": name}
    return local_digits(f"{counted}\n{first}")


def _context(request: HttpRequest, found: Tournament, page: StandingsPage) -> dict[str, Any]:
    """Return what every view of the standings shows around its table."""
    stage = page.stage
    views = queries_crowds.views_of(page)
    asked = request.GET.get("by", By.ENTRY)
    if asked not in views and (views or asked != By.ENTRY):
        raise Http404
    by = By(asked)
    return tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "standings",
        "page": page,
        "by": by,
        "views": [
            (one, queries_crowds.LABELS[one], "?" + urlencode(_asked(stage, one))) for one in views
        ],
    }


def _asked(stage: Stage | None, by: By) -> dict[str, str | int]:
    asked: dict[str, str | int] = {} if by is By.ENTRY else {"by": by.value}
    return asked if stage is None or by is By.EVENT else asked | {"stage": stage.number}


def _seen_by(stage: Stage | None, page: StandingsPage, by: By, best: str) -> dict[str, Any]:
    """Return the rows of a view."""
    assert stage is not None
    columns = queries_crowds.columns_of(stage, by)
    match by:
        case By.PLAYER:
            return {"columns": columns, "players": queries_crowds.player_lines(stage)}
        case By.CATEGORY:
            return {"columns": columns, "categories": queries_crowds.category_lines(stage)}
        case By.EVENT:
            return {"lines": queries_crowds.event_lines(page.stages)}
        case _:
            count = _count(best, queries_crowds.usual_count(by))
            lines = queries_crowds.crowd_lines(stage, by, count)
            return {
                "columns": columns,
                "crowds": lines,
                "best": count,
                "all_count": all(one.counts for line in lines for one in line.members),
            }


def _count(typed: str, usual: int) -> int:
    written = to_latin_digits(typed.strip())
    if not (written.isdecimal() and written.isascii() and len(written) <= 4):
        return usual
    return min(max(int(written), 1), queries_crowds.MOST_COUNTED)
