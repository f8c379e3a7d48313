"""Pages anyone may read."""

from __future__ import annotations

from collections.abc import Callable, Collection
from typing import Any, Final

from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext, gettext_noop, ngettext
from django.views.decorators.http import require_safe

from tournaments import freshness, kept_pages, permissions
from tournaments.digits import local_digits
from tournaments.freshness import Seen
from tournaments.models import Entry, Official, PairingRound, Tournament
from tournaments.queries import events as queries
from tournaments.queries import lookup
from tournaments.queries.events import PairingsPage, TableLine, TournamentPage
from tournaments.queries.player_calls import called_at_tables
from tournaments.visible import round_at, tournament_at

PAST_SHOWN = 24
LONGEST_SEARCH = 80
BY_NAME = "name"


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Show what is played now, what comes next, and what is over, page by page."""
    seen = permissions.visible_tournaments(request.user)
    lines = queries.tournament_lines(
        seen.exclude(state=Tournament.State.FINISHED).order_by("starts_on", "name")
    )
    past = Paginator(
        seen.filter(state=Tournament.State.FINISHED).order_by("-starts_on", "name"), PAST_SHOWN
    ).get_page(request.GET.get("page"))
    running = Tournament.State.RUNNING
    context = {
        "now": [line for line in lines if line.tournament.state == running],
        "next": [line for line in lines if line.tournament.state != running],
        "past": queries.tournament_lines(past.object_list),
        "page": past,
    }
    return render(request, "tournaments/index.html", context)


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Show one tournament, the round being played first."""
    found = tournament_at(slug, user=request.user)
    typed = typed_search(request)

    def seen_of(tables: Collection[int] | None) -> Seen:
        return freshness.of_event(found, drafts=False, tables=tables)

    seen = freshness.of_search(request, seen_of) if typed else seen_of(None)

    def read() -> TournamentPage:
        return queries.tournament_page(found, user=request.user)

    def made() -> HttpResponse:
        page, is_kept = kept_pages.for_search(request, seen, read) if typed else (read(), False)
        tables, shown = _searched(request, page.latest, seen, seen_of if is_kept else None)
        context = tournament_context(found, page.duties) | {
            "page": page,
            "address": reverse("tournaments:tournament", args=[slug]),
            "etag": freshness.part_tag(request, shown),
            "is_live": found.state in (Tournament.State.OPEN, Tournament.State.RUNNING),
            "is_over": found.state == Tournament.State.FINISHED,
            "entry_kind": Entry.Kind(found.entry_kind).label,
            "documents": list(found.documents.defer("content")),
            "officials": [one for one in page.officials if one.user.get_full_name()],
        }
        if page.latest is not None:
            address = context["address"]
            context["now"] = tables_context(request, page.latest, tables, address=address)
        part = "_tournament_part" if freshness.is_part(request) else "tournament"
        answer = render(request, f"tournaments/{part}.html", context)
        return freshness.kept(answer, freshness.etag_of(request, *shown.facts))

    return freshness.answered(request, seen, made)


@require_safe
def pairings(request: HttpRequest, slug: str, stage: int, number: int) -> HttpResponse:
    """Show one pairing round, by table or by name."""
    pairing_round = round_at(slug, stage, number, user=request.user)
    found = pairing_round.stage.tournament
    duties = permissions.duties(request.user, found)
    is_director = Official.Duty.DIRECTOR in duties
    typed = typed_search(request)

    def seen_of(tables: Collection[int] | None) -> Seen:
        return freshness.of_round(pairing_round, drafts=is_director, tables=tables)

    seen = freshness.of_search(request, seen_of) if typed else seen_of(None)

    def read() -> PairingsPage:
        return queries.pairings_page(pairing_round, drafts=is_director)

    def made() -> HttpResponse:
        page, is_kept = kept_pages.for_search(request, seen, read) if typed else (read(), False)
        tables, shown = _searched(request, page, seen, seen_of if is_kept else None)
        address = reverse("tournaments:pairings", args=[slug, stage, number])
        context = tournament_context(found, duties) | {
            "page": page,
            "now": tables_context(request, page, tables, address=address),
            "etag": freshness.part_tag(request, shown),
            "tab": "pairings",
        }
        part = "_pairings_part" if freshness.is_part(request) else "pairings"
        answer = render(request, f"tournaments/{part}.html", context)
        return freshness.kept(answer, freshness.etag_of(request, *shown.facts))

    return freshness.answered(request, seen, made)


@require_safe
def latest_pairings(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the round people look for: the one being played, else the last published."""
    found = tournament_at(slug, user=request.user)
    newest = queries.latest_round(queries.stage_lines(found, drafts=False))
    if newest is None:
        context = tournament_context(found, permissions.duties(request.user, found))
        return render(request, "tournaments/pairings.html", context | {"tab": "pairings"})
    return redirect("tournaments:pairings", slug, newest.stage.number, newest.number)


@require_safe
def entries(request: HttpRequest, slug: str) -> HttpResponse:
    """Show who is registered."""
    found = tournament_at(slug, user=request.user)
    lines = queries.entry_lines(found)
    typed = typed_search(request)
    context = tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "entries",
        "lines": lookup.entries_naming(lines, typed),
        "count": len(lines),
        "typed": typed,
    }
    return render(request, "tournaments/entries.html", context)


@require_safe
def rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rules the tournament is played by, in words."""
    found = tournament_at(slug, user=request.user)
    context = tournament_context(found, permissions.duties(request.user, found)) | {
        "tab": "rules",
        "page": queries.rules_page(found),
    }
    return render(request, "tournaments/rules.html", context)


def tournament_context(found: Tournament, duties: frozenset[str]) -> dict[str, Any]:
    """Return what the head of every page of a tournament shows."""
    return {
        "tournament": found,
        "duties": duties,
        "is_director": Official.Duty.DIRECTOR in duties,
        "is_official": bool(duties),
        "tab": "overview",
    }


def tables_context(
    request: HttpRequest, page: PairingsPage, tables: tuple[TableLine, ...], *, address: str
) -> dict[str, Any]:
    """Return what the part with the tables of a round shows, `tables` of them."""
    typed = typed_search(request)
    by_name = request.GET.get("by") == BY_NAME
    summary = _found(len(tables)) if typed else _closed(page)
    called = called_at_tables(tables)
    return {
        "page": page,
        "address": address,
        "typed": typed,
        "by_name": by_name,
        "tables": tables,
        "called": called,
        "seats": lookup.seat_lines(tables, typed) if by_name else (),
        "byes": lookup.byes_naming(page.byes, typed),
        "summary": summary,
        "said": "\n".join((_told(page.pairing_round), summary, *(one.sentence for one in called))),
        "is_live": page.pairing_round.state
        in (PairingRound.State.PUBLISHED, PairingRound.State.PLAYING),
    }


def _searched(
    request: HttpRequest,
    page: PairingsPage | None,
    seen: Seen,
    seen_of: Callable[[Collection[int] | None], Seen] | None,
) -> tuple[tuple[TableLine, ...], Seen]:
    """Return the tables to be shown, and what is seen with these alone.

    In a page that was kept, where `seen_of` is given, the tables that are found are read anew,
    after what their tag is made of: nothing that happens meanwhile is missed, and what happens
    elsewhere does not make the answer old.
    """
    typed = typed_search(request)
    if page is None:
        return (), seen
    tables = lookup.tables_naming(page.tables, typed)
    if not typed:
        return tables, seen
    freshness.keep_found(request, seen, found := [table.match.pk for table in tables])
    if seen_of is None:
        return tables, seen
    shown = seen_of(found)
    if shown.facts[:-1] != seen.facts[:-1]:
        # All else has changed meanwhile: the page is as old as what was seen first.
        shown = seen
    return lookup.tables_anew(page, tables), shown


def typed_search(request: HttpRequest) -> str:
    return request.GET.get("q", "")[:LONGEST_SEARCH].strip()


_TOLD: Final = {
    PairingRound.State.PUBLISHED: gettext_noop("Pairing round %(number)s is published."),
    PairingRound.State.PLAYING: gettext_noop("Pairing round %(number)s is being played."),
    PairingRound.State.FINISHED: gettext_noop("Pairing round %(number)s is finished."),
    PairingRound.State.DRAFT: gettext_noop("Pairing round %(number)s is a draft."),
}


def _told(pairing_round: PairingRound) -> str:
    sentence = gettext(_TOLD[PairingRound.State(pairing_round.state)])
    return local_digits(sentence % {"number": pairing_round.number})


def _found(count: int) -> str:
    sentence = ngettext("%(count)s table found.", "%(count)s tables found.", count)
    return local_digits(sentence % {"count": count})


def _closed(page: PairingsPage) -> str:
    closed = sum(table.is_closed for table in page.tables)
    sentence = ngettext(
        "%(closed)s of %(count)s table is finished.",
        "%(closed)s of %(count)s tables are finished.",
        len(page.tables),
    )
    return local_digits(sentence % {"closed": closed, "count": len(page.tables)})
