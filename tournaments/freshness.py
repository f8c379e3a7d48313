"""Is what a browser holds still fresh? Pages that change by themselves answer 304 cheaply."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Collection, Sequence
from functools import cache
from hashlib import blake2b
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.core.cache import cache as copies
from django.db import connection
from django.db.models import Aggregate, Case, QuerySet, Subquery, TextField, Value, When
from django.db.models.functions import Cast, Concat
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.http import parse_etags
from django.utils.translation import get_language

from tournaments import channels, publication
from tournaments.models import LogEntry, Match, MatchSeat, PairingRound, StandingRow, Tournament
from tournaments.publication import Hidden

_ROOT = Path(__file__).resolve().parents[1]
_SHOWN = (
    *("templates/**/*.html", "tournaments/**/*.py", "referee/**/*.py", "*/locale/**/*.mo"),
    *("*/static/**/*.css", "*/static/**/*.js"),
)
PART: Final = "Part"
_KEPT_SIZE: Final = 2**19
_PACKED: Final = 6
_TAKES_GZIP: Final = re.compile(r"\bgzip\b")

# Acts that change nothing on a public page: of a draft, of requests for a coming draw, of people
# and money at the door, of links and calls. A stranger's page is not made new by them, or it would
# tell that something goes on at the desk. What they do to a published table changes the table.
PRIVATE_ACTS: Final = frozenset((
    "round_drawn", "round_not_drawn", "round_seated", "round_robin_made", "draft_discarded",
    "stage_made", "stage_discarded", "round_places_exchanged", "table_renumbered",
    "table_dissolved", "table_added", "round_restored", "round_change_taken_back", "table_locked",
    "table_unlocked", "meeting_forbidden", "meeting_allowed", "bye_asked", "entry_plays",
    "checked_in", "check_in_undone", "fee_paid", "fee_not_paid", "absence_noted",
    "absence_taken_back", "second_check_on", "second_check_off", "result_reported",
    "report_rejected", "link_rules_changed", "link_made", "links_made", "link_revoked",
    "links_revoked", "table_taken_over", "referee_called", "call_claimed", "call_escalated",
    "call_closed", "pin_set", "card_given", "card_confirmed", "cards_confirmed", "card_dropped",
    "card_carried_out", "printed",
))  # fmt: skip


CALL_ACTS: Final = (
    "referee_called", "call_claimed", "call_escalated", "call_closed", "round_disputed",
    "dispute_settled",
)  # fmt: skip


class Seen(NamedTuple):
    """What a page shows: `facts` change whenever it does, `heard` are the channels that tell."""

    facts: tuple[object, ...]
    heard: tuple[str, ...]


def is_part(request: HttpRequest) -> bool:
    """Is only the part of a page asked for that changes by itself?"""
    return request.headers.get(PART) == "1"


def answered(request: HttpRequest, seen: Seen, make: Callable[[], HttpResponse]) -> HttpResponse:
    """Answer that the browser has this page already, with a copy, or with what `make` returns."""
    etag = etag_of(request, *seen.facts)
    if (answer := unchanged(request, etag)) is None:
        key = f"page:{etag}" if _is_for_all(request) else ""
        answer = _recent(request, key) or kept(
            _copied(request, key) or _made(request, key, make), etag
        )
    if is_part(request):
        channels.let_hear(answer, seen.heard)
    return answer


def _is_for_all(request: HttpRequest) -> bool:
    """Say whether any stranger would be shown the same. What is searched for is seldom the same."""
    if request.method != "GET" or request.GET.get("q") or not settings.PAGE_COPY_SECONDS:
        return False
    own = {settings.SESSION_COOKIE_NAME, settings.CSRF_COOKIE_NAME, "messages"}
    return own.isdisjoint(request.COOKIES) and request.user.__class__ is AnonymousUser


def _recent(request: HttpRequest, key: str) -> HttpResponse | None:
    """Return what strangers were shown within the last second, if a whole page is asked for.

    In a rush a page is made once a second. It asks for what has changed as soon as it is open.
    """
    found = copies.get(_name_of_page(request)) if key and not is_part(request) else None
    return None if found is None else kept(_unpacked(request, found[1]), found[0])


def _name_of_page(request: HttpRequest) -> str:
    return f"recent:{etag_of(request)}"


def _copied(request: HttpRequest, key: str) -> HttpResponse | None:
    found = copies.get(key) if key else None
    return None if found is None else _unpacked(request, found)


def _unpacked(request: HttpRequest, packed: bytes) -> HttpResponse:
    """Return a copy as it is kept, compressed, to whom it may be sent so: nearly everybody."""
    if not _TAKES_GZIP.search(request.headers.get("Accept-Encoding", "")):
        return HttpResponse(gzip.decompress(packed))
    response = HttpResponse(packed, headers={"Content-Encoding": "gzip"})
    patch_vary_headers(response, ("Accept-Encoding",))
    return response


def _made(request: HttpRequest, key: str, make: Callable[[], HttpResponse]) -> HttpResponse:
    response = make()
    # A form for one browser is nobody else's.
    own = request.META.get("CSRF_COOKIE_NEEDS_UPDATE") or response.cookies
    if key and response.status_code == 200 and not own and len(response.content) <= _KEPT_SIZE:
        packed = gzip.compress(response.content, _PACKED, mtime=0)
        copies.set(key, packed, settings.PAGE_COPY_SECONDS)
        if not is_part(request):
            recent = (key.removeprefix("page:"), packed)
            copies.set(_name_of_page(request), recent, settings.PAGE_RECENT_SECONDS)
    return response


def of_search(request: HttpRequest, seen_of: Callable[[Collection[int] | None], Seen]) -> Seen:
    """Return what a page shows on which tables were searched for.

    As long as everything but the scores is the same, the search finds the same tables, and only
    what happens at these makes its page new.
    """
    kept = copies.get(_name_of_search(request))
    if kept is not None:
        others, tables = kept
        seen = seen_of(tables)
        if seen.facts[:-1] == others:
            return seen
    return seen_of(None)


def keep_found(request: HttpRequest, seen: Seen, tables: Collection[int]) -> None:
    """Keep which tables a search has found; the last of the facts are their scores."""
    found = (seen.facts[:-1], tuple(tables))
    copies.set(_name_of_search(request), found, settings.PAGE_COPY_SECONDS)


def _name_of_search(request: HttpRequest) -> str:
    return f"found:{etag_of(request, part=False)}"


def etag_of(request: HttpRequest, *facts: object, part: bool | None = None) -> str:
    """Return the tag of a page that shows `facts` to whoever asks.

    Who asks, in which language and for which `part` of the page is in the tag, and so is the
    cookie the page's forms were made for.
    """
    user = getattr(request, "user", None)
    told = (
        release(),
        request.get_host(),
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


def part_tag(request: HttpRequest, seen: Seen) -> str:
    """Return the tag of the part that changes by itself, for its `data-tag`."""
    return etag_of(request, *seen.facts, part=True).strip('"')


def unchanged(request: HttpRequest, etag: str) -> HttpResponse | None:
    """Return the answer to somebody who already has this page; None when it must be made."""
    # A message waits for a whole page. A part never shows one.
    if request.COOKIES.get("messages") and not is_part(request):
        return None
    # A tag is weak where the page was compressed on its way.
    held = parse_etags(request.headers.get("If-None-Match", ""))
    if etag in {one.removeprefix("W/") for one in held}:
        return kept(HttpResponseNotModified(), etag)
    return None


def kept(response: HttpResponse, etag: str) -> HttpResponse:
    """Let browsers keep the page and ask before they show it again."""
    response.headers.setdefault("ETag", etag)
    response.headers["Cache-Control"] = "private, no-cache"
    patch_vary_headers(response, ("Cookie", "Accept-Language", PART))
    return response


def of_event(
    tournament: Tournament,
    *,
    drafts: bool,
    moves: bool = False,
    tables: Collection[int] | None = None,
) -> Seen:
    """Return what the page of an event shows; with `drafts` for those who see the drafts.

    A list of tables tells scores, not moves; a page that is made of moves says so. `tables` are
    those it shows where it does not show all, by their keys.
    """
    pk = tournament.pk
    withheld = publication.withheld(tournament)

    def told_of(event: int, *some: int) -> list[Subquery]:
        # What is corrected at a table of a round that is over stands in the log.
        rounds = PairingRound.objects.filter(stage__tournament=event).exclude(
            state=PairingRound.State.FINISHED
        )
        if not drafts:
            rounds = rounds.exclude(state=PairingRound.State.DRAFT)
        told = [_newest(_rows(event)), _newest(_log(event, drafts)), _seats(rounds)]
        if moves:
            matches = Match.objects.filter(pairing_round__stage__tournament=event)
            public = matches.exclude(pairing_round__state=PairingRound.State.DRAFT)
            public = public.exclude(withheld.rounds("pairing_round__"))
            told.append(Subquery(public.order_by("-changed_at").values("changed_at")[:1]))
        return [*told, _tables(rounds, None if tables is None else some, withheld)]

    shape = None if withheld else ("event", drafts, moves, tables is None)
    facts = _facts(shape, told_of, pk, *(tables or ()))
    return Seen(("event", *facts), (channels.officials(pk) if drafts else channels.event(pk),))


def of_round(
    pairing_round: PairingRound, *, drafts: bool, tables: Collection[int] | None = None
) -> Seen:
    """Return what the page of a round shows: the scores of its tables, and the desk's acts."""
    pk = pairing_round.stage.tournament_id
    withheld = publication.withheld(pairing_round.stage.tournament)

    def told_of(event: int, one: int, *some: int) -> list[Subquery]:
        rounds = PairingRound.objects.filter(pk=one)
        shown = _tables(rounds, None if tables is None else some, withheld)
        return [_newest(_log(event, drafts)), _seats(rounds), shown]

    shape = None if withheld else ("round", drafts, tables is None)
    facts = _facts(shape, told_of, pk, pairing_round.pk, *(tables or ()))
    heard = (channels.pairing_round(pairing_round.pk), _desk(pk, drafts))
    return Seen(("round", pairing_round.pk, *facts), heard)


def of_calls(tournament: Tournament) -> Seen:
    """Return what the page of calls shows, with the minutes that each has waited."""
    log = LogEntry.objects.filter(tournament=tournament, act__in=CALL_ACTS)
    newest = log.order_by("-pk").values_list("pk", flat=True).first()
    now = timezone.now().replace(second=0, microsecond=0)
    return Seen(("calls", tournament.pk, newest, now), (channels.officials(tournament.pk),))


def of_standings(tournament: Tournament, *, drafts: bool) -> Seen:
    """Return what the standings show: their rows, and the desk's acts."""
    pk = tournament.pk
    facts = _facts(
        ("standings", drafts),
        lambda event: [_newest(_rows(event)), _newest(_log(event, drafts))],
        pk,
    )
    return Seen(("standings", *facts), (channels.standings(pk), _desk(pk, drafts)))


def of_match(match: Match, *, drafts: bool) -> Seen:
    """Return what the pages of a match show: every event of it, and every act of the desk."""
    pk = match.pairing_round.stage.tournament_id
    newest = _log(pk, drafts).order_by("-pk").values_list("pk", flat=True).first()
    facts = ("match", match.pk, match.state, match.changed_at, newest)
    return Seen(facts, (channels.match(match.pk), _desk(pk, drafts)))


def _desk(pk: int, drafts: bool) -> str:
    return channels.officials(pk) if drafts else channels.desk(pk)


# The texts of questions that open pages ask all day, by their shape: making the text takes longer
# than the answer. In the text stand marks, which no row has as its key, for the keys of a request.
_asked: dict[tuple[object, ...], tuple[str, tuple[Any, ...]]] = {}
_MARKS: Final = range(-7_000_000, -7_100_000, -1)


def _facts(
    shape: tuple[object, ...] | None, told_of: Callable[..., list[Subquery]], pk: int, *more: int
) -> tuple[object, ...]:
    """Return what is newest of an event, in one query.

    `told_of` makes the questions for the key of the event and the other keys; two requests of one
    `shape` ask the same but for their keys. Without a shape the text is made each time.
    """
    keys = (pk, *more)
    if shape is None:
        sql, params = _text_of(told_of, keys)
    else:
        name = (connection.vendor, *shape, len(keys))
        marks = _MARKS[: len(keys)]
        if name not in _asked:
            _asked[name] = _text_of(told_of, marks)
        sql, marked = _asked[name]
        known = dict(zip(marks, keys, strict=True))
        params = tuple(known.get(one, one) for one in marked)
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        found = cursor.fetchone()
    if found is None:
        raise Tournament.DoesNotExist
    return (pk, *found)


def _text_of(
    told_of: Callable[..., list[Subquery]], keys: Sequence[int]
) -> tuple[str, tuple[Any, ...]]:
    newest = told_of(*keys)
    asked = Tournament.objects.filter(pk=keys[0]).values_list("state", *newest)
    sql, params = asked.query.sql_with_params()
    return sql, tuple(params)


def _rows(pk: int) -> QuerySet[StandingRow]:
    return StandingRow.objects.filter(stage__tournament=pk)


def _log(pk: int, drafts: bool) -> QuerySet[LogEntry]:
    log = LogEntry.objects.filter(tournament=pk)
    return log if drafts else public_acts(log)


def public_acts(log: QuerySet[LogEntry]) -> QuerySet[LogEntry]:
    """Leave out what no stranger's page shows, and that it was taken back."""
    return log.exclude(act__in=PRIVATE_ACTS).exclude(act="undone", undoes__act__in=PRIVATE_ACTS)


def _seats(rounds: QuerySet[PairingRound]) -> Subquery:
    """Return the newest seat: who sits elsewhere sits anew."""
    seats = MatchSeat.objects.filter(pairing_round__in=rounds)
    return Subquery(seats.order_by("-pk").values("pk")[:1])


class _Lines(Aggregate):
    """The texts of all rows in one, in their own order."""

    function = "string_agg"
    template = "%(function)s(%(expressions)s, chr(10) ORDER BY %(expressions)s)"
    output_field = TextField()

    def as_postgresql(self, *args: Any, **more: Any) -> tuple[str, list[Any]]:
        sql, params = self.as_sql(*args, **more)
        # The text is named twice.
        return sql, [*params, *params]

    def as_sqlite(self, *args: Any, **more: Any) -> tuple[str, tuple[str | int, ...]]:
        template = "%(function)s(%(expressions)s, char(10))"
        sql, params = self.as_sql(*args, function="group_concat", template=template, **more)
        return sql, tuple(params)


def _tables(
    rounds: QuerySet[PairingRound], some: Collection[int] | None, withheld: Hidden
) -> Subquery:
    """Return what a list says of each table: its state and its score, all in one text.

    A score that is hidden from the reader is not in it, so that no tag tells that it changed.
    """
    matches = Match.objects.filter(pairing_round__in=rounds).order_by()
    if some is not None:
        matches = matches.filter(pk__in=some or [0])
    score: Any = Cast("score", TextField())
    if withheld:
        unknown = When(withheld.rounds("pairing_round__"), then=Value(""))
        score = Case(unknown, default=score, output_field=TextField())
    told = Concat(Cast("pk", TextField()), "state", score, output_field=TextField())
    lines = matches.annotate(all=Value(1)).values("all").annotate(told=_Lines(told))
    return Subquery(lines.values("told"))


def _newest(things: QuerySet[StandingRow] | QuerySet[LogEntry]) -> Subquery:
    return Subquery(things.order_by("-pk").values("pk")[:1])


@cache
def release() -> int:
    """Return when the files that make the pages last changed: a new release is a new page."""
    return max(path.stat().st_mtime_ns for pattern in _SHOWN for path in _ROOT.glob(pattern))
