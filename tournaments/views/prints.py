"""Prints of an event: each as a page and as PDF, and the page of the desk that offers them all."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeVar
from unicodedata import category
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.safestring import SafeString
from django.utils.translation import gettext
from django.views.decorators.http import require_POST, require_safe

from tournaments import permissions
from tournaments.digits import local_digits, to_latin_digits
from tournaments.models import PairingRound, Tournament
from tournaments.printable import MARKED, read_by, require_may_print, round_asked
from tournaments.qr import qr_picture
from tournaments.queries import events as queries_events
from tournaments.queries import prints as queries
from tournaments.queries.standings import standings_page
from tournaments.services import check_in
from tournaments.services import prints as service
from tournaments.views.access import SignedInRequest, directed
from tournaments.views.papers import FORMS, printed, sheet_of
from tournaments.visible import stage_at, tournament_at
from tournaments.words.hidden import of_event
from tournaments.words.prints import BY_KIND, KINDS
from tournaments.written_part import written_part

One = TypeVar("One")

BEST, MOST_BEST, MOST_TEXT = 3, 200, 200
SCORES_ON_A_SHEET, CARDS_ON_A_SHEET, BADGES_ON_A_SHEET = 2, 4, 8
# What fits on a sheet of names, in lines of 19 points; what its head and a stamp on it take.
_NAME_LINES: Final = {"a4": 37, "letter": 34}
_HEAD_LINES, _STAMP_LINES = 4, 2

Context = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """What a print is asked of: the event, and its round where it is of one."""

    request: HttpRequest
    tournament: Tournament
    pairing_round: PairingRound | None
    paper: str
    stamps: int
    """How many words of warning stand in its head: a draft, a reprint."""

    @property
    def round(self) -> PairingRound:
        assert self.pairing_round is not None
        return self.pairing_round

    def address_of(self, name: str, *args: object) -> str:
        return self.request.build_absolute_uri(reverse(name, args=args))

    def within(self) -> dict[str, int | None]:
        """Return the first and the last number asked for."""
        return {"first": self._number("from"), "last": self._number("to")}

    def best(self) -> int:
        return min(max(self._number("best") or BEST, 1), MOST_BEST)

    def own_text(self) -> str:
        """Return what the organizer adds on certificates."""
        written = " ".join(self.request.GET.get("text", "").split())
        if len(written) > MOST_TEXT or any(category(one) == "Cc" for one in written):
            raise Http404
        return written

    def _number(self, name: str) -> int | None:
        written = to_latin_digits(self.request.GET.get(name, "").strip())
        if not written:
            return None
        if not (written.isdecimal() and written.isascii() and len(written) <= 6):
            raise Http404
        return int(written)


def _pairings(asked: Asked) -> Context:
    tables = queries.printed_tables(asked.round, **asked.within())
    return {
        "tables": tables,
        "rooms": any(one.room for one in tables),
        "byes": queries.without_opponents(asked.round),
    }


def _names(asked: Asked) -> Context:
    tables = queries.printed_tables(asked.round)
    names = queries.printed_names(tables)
    head = _HEAD_LINES + _STAMP_LINES * asked.stamps
    return {
        "sheets": queries.name_sheets(names, lines=_NAME_LINES[asked.paper], head=head),
        "byes": queries.without_opponents(asked.round),
    }


def _cards(asked: Asked) -> Context:
    tables = queries.printed_tables(asked.round, **asked.within())
    return {"sheets": _sheets(tables, CARDS_ON_A_SHEET, across=2)}


def _scores(asked: Asked) -> Context:
    tables = queries.printed_tables(asked.round, **asked.within())
    coded = [
        (one, _match_code(asked, one.pk), written_part(one.letters, paper=asked.paper))
        for one in tables
    ]
    return {"sheets": [coded[at : at + SCORES_ON_A_SHEET] for at in range(0, len(coded), 2)]}


def _match_code(asked: Asked, pk: int) -> SafeString:
    return qr_picture(asked.address_of("referee:match_sheet", pk))


def _standings(asked: Asked) -> Context:
    stage = stage_at(asked.tournament, asked.request.GET.get("stage", ""))
    return {
        "page": standings_page(asked.tournament, stage=stage),
        "hidden": of_event(asked.tournament),
    }


def _badges(asked: Asked) -> Context:
    found = queries.badges(asked.tournament, **asked.within())
    coded = [(one, _badge_code(asked, one)) for one in found]
    return {"sheets": _sheets(coded, BADGES_ON_A_SHEET, across=2)}


def _badge_code(asked: Asked, badge: queries.Badge) -> SafeString:
    """Draw the code of the door; while none was given, that of the entry's public page."""
    if badge.code:
        return qr_picture(asked.address_of("tournaments:code", badge.code))
    return qr_picture(asked.address_of("tournaments:entry", asked.tournament.slug, badge.entry))


def _certificates(asked: Asked) -> Context:
    return {
        "certificates": queries.certificates(asked.tournament, best=asked.best()),
        "is_over": asked.tournament.state == Tournament.State.FINISHED,
        "own_text": asked.own_text(),
    }


_MAKERS: Final[dict[str, Callable[[Asked], Context]]] = {
    "pairings": _pairings,
    "names": _names,
    "cards": _cards,
    "scores": _scores,
    "standings": _standings,
    "badges": _badges,
    "certificates": _certificates,
}
_LOOKS: Final = {"cards": "bare", "scores": "bare", "badges": "bare", "certificates": "wide"}


@require_safe
def event_print(request: HttpRequest, slug: str, kind: str, form: str) -> HttpResponse:
    """Give a print of an event, to whoever may see what stands on it."""
    if kind not in BY_KIND or form not in FORMS:
        raise Http404
    tournament = tournament_at(slug, user=request.user)
    require_may_print(request.user, tournament, kind)
    pairing_round = _round(request, tournament) if BY_KIND[kind].of_round else None
    sheet = sheet_of(request, tournament, look=_LOOKS.get(kind, ""))
    is_draft = pairing_round is not None and pairing_round.state == PairingRound.State.DRAFT
    is_reprint = kind in MARKED and queries.times_printed(tournament, kind, pairing_round) > 0
    asked = Asked(request, tournament, pairing_round, sheet.size, is_draft + is_reprint)
    name = kind
    if pairing_round is not None:
        name = f"{kind}-{pairing_round.stage.number}-{pairing_round.number}"

    def make() -> Context:
        with read_by(kind):
            context = _MAKERS[kind](asked)
        if pairing_round is not None:
            context |= {"stage": pairing_round.stage, "is_draft": is_draft}
        if is_reprint:
            context["reprint"] = _reprint(tournament)
        return context | {
            "kind": BY_KIND[kind],
            "pairing_round": pairing_round,
            "is_director": permissions.is_director(request.user, tournament),
            "may_mark": kind in MARKED and permissions.is_official(request.user, tournament),
        }

    return printed(
        request,
        f"tournaments/prints/{kind}.html",
        make,
        tournament=tournament,
        name=name,
        page_address=reverse("tournaments:print", args=[slug, kind, "html"]),
        pdf_address=reverse("tournaments:print", args=[slug, kind, "pdf"]),
        is_pdf=form == "pdf",
        sheet=sheet,
    )


def _reprint(tournament: Tournament) -> str:
    """Say on a paper that is not the first of its kind when it was made."""
    now = timezone.localtime(timezone.now(), ZoneInfo(tournament.time_zone))
    return gettext("Reprint, %(time)s") % {"time": local_digits(now.strftime("%H:%M"))}


def _round(request: HttpRequest, tournament: Tournament) -> PairingRound:
    return round_asked(tournament, request.GET.get("round", ""), user=request.user)


@login_required
@require_POST
def mark_printed(request: SignedInRequest, slug: str, kind: str) -> HttpResponse:
    """Note that a print was made on paper; the next one is marked as a reprint."""
    tournament = tournament_at(slug, user=request.user)
    permissions.require_official(request.user, tournament)
    if kind not in MARKED:
        raise Http404
    pairing_round = _round(request, tournament) if BY_KIND[kind].of_round else None
    service.mark_printed(tournament, kind=kind, pairing_round=pairing_round, by=request.user)
    messages.success(
        request, gettext("It is noted. From now on this print is marked as a reprint.")
    )
    address = reverse("tournaments:print", args=[slug, kind, "html"])
    return redirect(f"{address}?{request.GET.urlencode()}")


def _sheets(things: Sequence[One], count: int, *, across: int) -> list[list[Sequence[One]]]:
    """Lay things on sheets of `count`, in rows `across`."""
    return [
        [things[at : at + across] for at in range(start, min(start + count, len(things)), across)]
        for start in range(0, len(things), count)
    ]


@login_required
@require_safe
def prints(request: SignedInRequest, slug: str) -> HttpResponse:
    """Offer every print of an event, with size of paper, language and round."""
    tournament = directed(request, slug)
    stages = queries_events.stage_lines(tournament, drafts=True)
    newest = queries_events.latest_round(stages)
    sheet = sheet_of(request, tournament)
    context = {
        "tournament": tournament,
        "kinds": KINDS,
        "stages": stages,
        "newest": newest,
        "sheet": sheet,
        "languages": settings.LANGUAGES,
        "without_code": queries.registered(tournament).filter(check_in_code="").count(),
        "best": BEST,
        "most_text": MOST_TEXT,
    }
    return render(request, "tournaments/director_prints.html", context)


@login_required
@require_POST
def give_codes(request: SignedInRequest, slug: str) -> HttpResponse:
    """Give a code to every entry that has none, so that badges carry it."""
    tournament = directed(request, slug)
    check_in.give_codes(tournament, by=request.user)
    messages.success(request, gettext("Every entry has a code now."))
    return redirect("tournaments:director_prints", slug)
