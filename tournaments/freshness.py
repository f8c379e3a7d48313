"""Is what a browser holds still fresh? Pages that refresh themselves answer 304 cheaply."""

from __future__ import annotations

from functools import cache
from hashlib import blake2b
from pathlib import Path

from django.db.models import OuterRef, QuerySet, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language

from tournaments.models import LogEntry, Match, PairingRound, StandingRow, Tournament

_ROOT = Path(__file__).resolve().parents[1]
_SHOWN = ("templates/**/*.html", "tournaments/**/*.py", "tournaments/locale/**/*.mo")


def is_part(request: HttpRequest) -> bool:
    """Is only the part of a page asked for that refreshes itself?"""
    return request.headers.get("HX-Request") == "true"


def etag_of(request: HttpRequest, *facts: object, part: bool | None = None) -> str:
    """Return the tag of a page that shows `facts` to whoever asks.

    Who asks, in which language and for which `part` of the page is in the tag, and so is the
    cookie the page's forms were made for.
    """
    user = getattr(request, "user", None)
    told = (
        _release(),
        request.path,
        sorted((name, value) for name, value in request.GET.items() if value),
        is_part(request) if part is None else part,
        get_language(),
        user.pk if user is not None else None,
        getattr(user, "link", None),
        request.COOKIES.get("csrftoken"),
        *facts,
    )
    return f'"{blake2b(repr(told).encode(), digest_size=12).hexdigest()}"'


def part_tag(request: HttpRequest, *facts: object) -> str:
    """Return the tag of the part that refreshes itself, for its `hx-headers`."""
    return etag_of(request, *facts, part=True).strip('"')


def unchanged(request: HttpRequest, etag: str) -> HttpResponse | None:
    """Return the answer to somebody who already has this page; None when it must be made."""
    if request.COOKIES.get("messages"):
        return None
    if etag in parse_etags(request.headers.get("If-None-Match", "")):
        return kept(HttpResponseNotModified(), etag)
    return None


def kept(response: HttpResponse, etag: str) -> HttpResponse:
    """Let browsers keep the page and ask before they show it again."""
    response.headers["ETag"] = etag
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Cookie", "Accept-Language", "HX-Request"))
    return response


def facts_of(
    tournament: Tournament, pairing_round: PairingRound | None = None
) -> tuple[object, ...]:
    """Return what changes whenever something public about the tournament does, in one query.

    With `pairing_round` only what happens at its tables counts, and the desk's acts.
    """
    matches = Match.objects.filter(pairing_round__stage__tournament=OuterRef("pk"))
    if pairing_round is not None:
        matches = Match.objects.filter(pairing_round=pairing_round)
    rows = StandingRow.objects.filter(stage__tournament=OuterRef("pk"))
    log = LogEntry.objects.filter(tournament=OuterRef("pk"))
    newest = (
        Tournament.objects.filter(pk=tournament.pk)
        .values_list(
            "state",
            Subquery(matches.order_by("-changed_at").values("changed_at")[:1]),
            _latest(rows),
            _latest(log),
        )
        .get()
    )
    return (tournament.pk, pairing_round and pairing_round.pk, *newest)


def facts_of_match(match: Match) -> tuple[object, ...]:
    """Return what changes with every event of a match, and with every act of the desk."""
    log = LogEntry.objects.filter(tournament=match.pairing_round.stage.tournament_id)
    newest = log.order_by("-pk").values_list("pk", flat=True).first()
    return (match.pk, match.state, match.changed_at, newest)


def _latest(things: QuerySet[StandingRow] | QuerySet[LogEntry]) -> Subquery:
    return Subquery(things.order_by("-pk").values("pk")[:1])


@cache
def _release() -> int:
    """Return when the files that make the pages last changed: a new release is a new page."""
    return max(path.stat().st_mtime_ns for pattern in _SHOWN for path in _ROOT.glob(pattern))
