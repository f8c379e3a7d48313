"""Rulings made in the browser: what the book says of each, and a referee who carries it out."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.events import Sheet
from engine.match import MatchState
from engine.notation import parse_line
from engine.seats import Seat
from referee.models import RecordedEvent, RoundRecord, Sanction
from referee.queries import records as queries
from referee.services import records as services
from tests import factories
from tests.browser.conftest import PHONE
from tests.tournaments.hard_cases import seats
from tournaments.models import Match, MatchSeat, PairingRound, Tournament

NAMES: Final = ("Rosa", "Lin", "Omar", "Sara")
NUMBERS: Final = ("blank", "one", "two", "three", "four", "five", "six")
CARDS: Final = {
    "warning": "Warning",
    "yellow": "Yellow card",
    "black": "Black card",
    "match": "Match lost",
}

Results = Mapping[str, tuple[str, int, int]]
Ledger = Sequence[tuple[str, str, str]]
"""Name, severity, ladder; in alphabetical order."""


@dataclass(frozen=True)
class Act:
    """One infraction with its ruling, and what must be seen and be so afterwards.

    `way`: tapped at the "seat" or behind the "button", ruled on as a "finding", or what was typed
    and refused. `given` is what the book gives; of the `case` of the book named by its place comes
    `takes` instead. What stays None afterwards is not asked.
    """

    seat: str
    kind: str
    given: str
    way: str = "seat"
    tile: str = ""
    deliberate: bool = False
    case: int = 0
    takes: str = ""
    turn: str | None = None
    skips: str = ""
    face_up: tuple[str, ...] | None = None
    totals: tuple[int, int] | None = None
    fined: tuple[int, int] | None = None
    ended: str = ""

    @property
    def measures(self) -> str:
        return self.takes or self.given


@dataclass(frozen=True)
class Book:
    """What the book says of one kind: acts in their order, plays typed between them.

    `left` are the lines by which the round ends, `rounds` the sheets of the rounds after it. Then
    `pair` and `single` are the results of such events, with penalty points in `fines`.
    """

    kind: str
    article: str
    steps: Sequence[Act | str]
    pair: Results
    single: Results
    before: Sequence[str] = ("A 6-6",)
    opened: Sequence[str] = ()
    left: Sequence[str] = ()
    rounds: Sequence[tuple[str, int]] = ()
    fines: tuple[Mapping[str, int], Mapping[str, int]] = field(default=({}, {}))
    cards: Ledger = ()
    cards_single: Ledger | None = None
    next_opener: str = ""
    name: str = ""

    def __str__(self) -> str:
        return self.name or self.kind


def seated(profile: str, kind: str) -> Match:
    """Seat Rosa, Lin, Omar and Sara (A to D) at a table of an event in play."""
    tournament = factories.TournamentFactory.create(
        profile=profile, state=Tournament.State.RUNNING, entry_kind=kind
    )
    named = [factories.PlayerFactory.create(name=name) for name in NAMES]
    sides = [named[::2], named[1::2]] if kind == "pair" else [[one] for one in named]
    entries = [factories.EntryFactory.create(tournament=tournament, players=one) for one in sides]
    pairing_round = factories.PairingRoundFactory.create(
        stage__tournament=tournament, state=PairingRound.State.PUBLISHED
    )
    return factories.MatchFactory.create(pairing_round=pairing_round, entries=entries)


def director_of(match: Match) -> User:
    return match.pairing_round.stage.tournament.created_by


def begin(match: Match, *lines: str, number: int = 0, opener: str = "A") -> RoundRecord:
    """Open a round at a table, and the table if need be, with these lines in it."""
    by = director_of(match)
    services.open_match(match, by=by)
    record = services.open_round(match, number=number, opener=opener, by=by)
    return write(match, *lines, record=record)


def write(match: Match, *lines: str, record: RoundRecord | None = None) -> RoundRecord:
    """Append lines to the last round of a table."""
    record = record or RoundRecord.objects.filter(match=match).latest("number")
    for line in lines:
        services.append_event(
            record, number=record.events.count(), event=parse_line(line), by=director_of(match)
        )
    return record


def sheets(match: Match, rounds: Sequence[tuple[str, int]]) -> None:
    """Record whole rounds after those there are, from score sheets."""
    first = RoundRecord.objects.filter(match=match).count()
    for number, (side, points) in enumerate(rounds, start=first):
        services.record_sheet(
            match, number=number, sheet=Sheet(side, points, "out"), by=director_of(match)
        )


def state_of(match: Match) -> MatchState:
    return queries.read(queries.matches().get(pk=match.pk)).state


def in_words(tile: str) -> str:
    """Return a tile as the page says it: six-one, double two."""
    if tile[0] == tile[-1]:
        return f"double {NUMBERS[int(tile[0])]}"
    return "-".join(NUMBERS[int(half)] for half in tile.split("-"))


class Ruling:
    """A referee with the page of one table; every act is a tap or typed."""

    def __init__(self, page: Page, match: Match) -> None:
        self.page = page
        self.match = match
        page.goto(f"/matches/{match.pk}/record/")
        page.wait_for_selector("#recorder[data-stage]")

    def settled(self) -> None:
        """Wait until everything recorded has reached the server."""
        self.page.wait_for_selector('#recorder[data-unsent="0"][aria-busy="false"]')

    def type(self, act: str) -> None:
        """Record a play or a pass as it is typed."""
        field = self.page.locator("#typed-line")
        field.fill(act)
        field.press("Enter")
        self.settled()

    def click(self, *keys: str) -> None:
        for key in keys:
            self.page.click(f'[data-key="{key}"]')

    def open(self, act: Act, article: str | re.Pattern[str]) -> None:
        """Open the sheet of an infraction and come to its measures."""
        page = self.page
        if act.way == "finding":
            self.click(f"finding-{act.kind}-{act.seat}")
        elif act.way == "button":
            page.click('.action-bar [data-key="infraction"]')
            self.choose(act)
        elif act.way == "seat":
            page.click(f'.table-view [data-seat="{act.seat}"]')
            self.choose(act)
        else:
            self.type(act.way)
            expect(page.locator("dialog .refusal")).to_be_visible()
            self.click("happened")
        chosen = page.locator(f'dialog [data-key="by-{act.seat}"]')
        expect(chosen).to_have_attribute("aria-pressed", "true")
        if act.deliberate:
            self.click("deliberate")
        expect(page.locator("dialog .measures .article")).to_have_text(article)
        self.offers(act.given)
        if act.case:
            self.click(f"case-{act.case}")
            self.offers(act.takes)
        if act.tile and not page.locator("dialog fieldset .tile-picture").count():
            if not page.locator(f'dialog [data-touched="{act.tile}"]').is_visible():
                self.click("which-tile")
            page.click(f'dialog [data-touched="{act.tile}"]')

    def choose(self, act: Act) -> None:
        """Name who and what."""
        page = self.page
        if act.way == "button":
            page.click(f'dialog [data-key="by-{act.seat}"]')
        kind = page.locator(f'dialog [data-kind="{act.kind}"]')
        if not kind.is_visible():
            self.click("more-kinds")
        kind.click()

    def offers(self, measures: str) -> None:
        """Expect the chips of these measures, all chosen."""
        chips = self.page.locator("dialog .measures input")
        wanted = [one for one in measures.split(", ") if one]
        expect(chips).to_have_count(len(wanted))
        told = chips.evaluate_all("all => all.map((one) => [one.value, one.checked])")
        assert told == [[one, True] for one in wanted]

    def rule(self, act: Act, article: str) -> None:
        """Rule on an infraction as the book does, and look at the table, then at the record."""
        self.open(act, article)
        self.page.click('dialog [data-key="record-infraction"]')
        self.settled()
        expect(self.page.locator("dialog")).to_have_count(0)
        self.sees(act)
        self.stands(act)

    def sees(self, act: Act) -> None:
        """Expect on the table what the measures do."""
        page = self.page
        if act.turn:
            expect(page.locator(".turn")).to_have_attribute("data-turn", act.turn)
        skipped = page.locator(".table-view .seat:has(.seat-note.warn)")
        if act.skips:
            expect(skipped).to_have_attribute("data-seat", act.skips)
        elif act.turn:
            expect(skipped).to_have_count(0)
        if act.face_up is not None:
            face_up = page.locator(f'.table-view [data-seat="{act.seat}"] .must')
            expect(face_up.locator(".tile-picture")).to_have_count(len(act.face_up))
            for tile in act.face_up:
                expect(face_up).to_contain_text(in_words(tile))
        for side, points in zip(("AC", "BD"), act.totals or (), strict=False):
            score = page.locator(f'[data-side="{side}"] .score-points')
            expect(score).to_contain_text(str(points))
        for side, points in zip(("AC", "BD"), act.fined or (), strict=False):
            fined = page.locator(f'[data-side="{side}"] .score-deducted')
            expect(fined).to_have_text([f"deducted: {points}"] if points else [])
        if act.ended in ("void", "lost"):
            stage = "between" if act.ended == "void" else "hands"
            page.wait_for_selector(f'#recorder[data-stage="{stage}"]')
            if act.ended == "void":
                expect(page.locator(".result")).to_contain_text("Void")
        if act.ended == "over":
            page.wait_for_selector('#recorder[data-stage="over"]')

    def stands(self, act: Act) -> None:
        """Ask the engine what the record says now."""
        state = state_of(self.match)
        one = state.rounds[-1]
        last = state.infractions[-1]
        assert (last.seat, last.kind) == (act.seat, act.kind)
        assert ", ".join(map(str, last.measures or ())) == act.measures
        if act.turn:
            assert one.turn == act.turn
            assert "".join(one.skips) == act.skips
        if act.face_up is not None:
            assert tuple(map(str, one.must.get(Seat(act.seat), ()))) == act.face_up
        if act.totals is not None:
            assert tuple(state.totals[side] for side in ("AC", "BD")) == act.totals
        if act.fined is not None:
            fines = [state.deductions[seat] for seat in "ABCD"]  # type: ignore[index]
            assert (fines[0] + fines[2], fines[1] + fines[3]) == act.fined
        assert state.over is (act.ended == "over")
        if act.ended == "void":
            assert one.ended == "void"
        if act.ended == "lost":
            assert (one.ended, one.winner) != ("out", None)


def carried_out(new_page: Callable[..., Page], profile: str, book: Book) -> None:
    """Play what the book is about at a table of pairs, and look at all that comes of it."""
    match = seated(profile, "pair")
    begin(match, *book.before)
    if book.opened:
        opener, *lines = book.opened
        begin(match, *lines, number=1, opener=opener)
    referee = factories.OfficialFactory.create(
        tournament=match.pairing_round.stage.tournament, duty="referee"
    ).user
    ruling = Ruling(new_page(user=referee, viewport=PHONE), match)
    for step in book.steps:
        if isinstance(step, Act):
            ruling.rule(step, book.article)
        else:
            ruling.type(step)
    write(match, *book.left)
    if book.next_opener:
        assert state_of(match).next_opener().seat == book.next_opener
    sheets(match, book.rounds)
    services.close_match(match, by=director_of(match))
    alone = copied(match, seated(profile, "single"))
    cards_single = book.cards if book.cards_single is None else book.cards_single
    for table, results, fines, cards in (
        (match, book.pair, book.fines[0], book.cards),
        (alone, book.single, book.fines[1], cards_single),
    ):
        assert seats(table) == results
        assert fines_of(table) == fines
        assert ledger(table) == sorted(cards)
    told = {(name, CARDS[severity]) for name, severity, _ in book.cards}
    shown_on_ledger(ruling.page, match, told)


def copied(match: Match, other: Match) -> Match:
    """Record the same at a table of another event and close it."""
    by = director_of(other)
    services.open_match(other, by=by)
    for one in RoundRecord.objects.filter(match=match).order_by("number"):
        lines = list(one.events.order_by("number").values_list("notation", flat=True))
        sheet = parse_line(lines[0]) if lines else None
        if isinstance(sheet, Sheet):
            services.record_sheet(other, number=one.number, sheet=sheet, by=by)
        else:
            begin(other, *lines, number=one.number, opener=one.opener)
    services.close_match(other, by=by)
    return other


def fines_of(match: Match) -> dict[str, int]:
    rows = MatchSeat.objects.filter(match=match, deducted__gt=0).order_by("seat")
    return dict(rows.values_list("seat", "deducted"))


def ledger(match: Match) -> list[tuple[str, str, str]]:
    """Return the ledger of the event of a table."""
    rows = Sanction.objects.filter(tournament=match.pairing_round.stage.tournament)
    return sorted(rows.values_list("player__name", "severity", "ladder"))


def shown_on_ledger(page: Page, match: Match, told: set[tuple[str, str]]) -> None:
    """Expect the page of cards to show these names with these cards, and nobody else."""
    page.goto(reverse("referee:sanctions", args=[match.pairing_round.stage.tournament.slug]))
    lines = page.locator(".sanctions .sanction")
    shown: Any = lines.evaluate_all(
        "all => all.map((one) => [one.querySelector('strong').textContent,"
        " one.querySelector('.chip').textContent])"
    )
    assert {tuple(one) for one in shown} == told


def lines_of(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))
