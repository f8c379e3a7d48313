"""Whole matches recorded through the page: by taps, by keyboard alone, by the tree alone.

With `SCREENS=folder` each stage is kept as a picture, as the referee sees it.
"""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.events import PENDING, Event, Infraction, Pass, Play, Ruling, Show, TimeOver
from engine.match import MatchState
from engine.notation import parse_line
from engine.penalties import WARNING
from engine.profiles import Rules
from engine.seats import SEATS, Seat
from engine.state import RoundState
from engine.tiles import TILES, Tile
from referee.models import RecordedEvent, Sanction, Signature
from referee.queries import records as queries
from referee.services import signing
from tests.browser.by_tree import LANGUAGE, ByTree
from tests.browser.conftest import DESK, PHONE
from tests.browser.played_table import Hands, Paper, Table, dealt, holder_of_highest_double
from tests.browser.referees import EASTERN, ByKeys, ByTaps
from tests.browser.test_signing import draw_name
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# Deals after which the match is short; the second ends in a block.
WDF = (1176, 1754, 394)
FEMUNDO = (322, 1047)
ENGLISH = ("Rosa Delgado", "Linus Berg", "Omar Haddad", "Sara Quintero")
ARABIC = ("محمد الهاشمي", "ليلى منصور", "عمر حداد", "سارة القاسم")


class Album:
    """Pictures of the stages, numbered, where the environment names a folder for them."""

    def __init__(self, name: str) -> None:
        folder = os.environ.get("SCREENS", "")
        self.folder = Path(folder) / name if folder else None
        self.count = 0
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)

    def keep(self, page: Page, stage: str, *, whole: bool = False) -> None:
        if self.folder is None:
            return
        self.count += 1
        page.screenshot(path=self.folder / f"{self.count:02}-{stage}.png", full_page=whole)


def uneven(seed: int) -> Hands:
    """Deal the heavy tiles to B and D, so that few rounds make a match."""
    chance = random.Random(seed)
    tiles = sorted(TILES, key=lambda tile: tile.pips + chance.uniform(0, 6))
    light, heavy = tiles[:14], tiles[14:]
    chance.shuffle(light)
    chance.shuffle(heavy)
    return {Seat.A: light[:7], Seat.B: heavy[:7], Seat.C: light[7:], Seat.D: heavy[7:]}


def held(state: RoundState, hands: Hands, seat: Seat) -> list[Tile]:
    """What a seat still holds, the heaviest first."""
    laid = {one.tile for one in state.line}
    left = [tile for tile in hands[seat] if tile not in laid]
    return sorted(left, key=lambda tile: (tile.pips, tile.high), reverse=True)


def next_act(state: RoundState, hands: Hands) -> Event:
    """A and C lay their heaviest tile that fits, B and D their lightest."""
    turn = state.turn
    assert turn is not None
    holding = held(state, hands, turn)
    if not state.line:
        return Play(turn, state.first_tile or holding[0])
    fitting = [tile for tile in holding if state.playable(tile)]
    if not fitting:
        return Pass(turn)
    bound = [tile for tile in state.must.get(turn, ()) if tile in fitting]
    tile = (bound or fitting)[0] if turn.value in "AC" else (bound or fitting[::-1])[0]
    ends = state.playable(tile)
    return Play(turn, tile, ends[0] if len(ends) > 1 else None)


class Happenings:
    """What happens beside the play: asked before each act, and after a round."""

    def before(self, table: Table, hands: Hands) -> None: ...

    def after(self, table: Table) -> None: ...


def play_out(table: Table, deals: list[tuple[Hands, Seat]], happenings: list[Happenings]) -> None:
    """Play a whole match to its end; what happens in each round is the same on paper."""
    table.sit_down()
    for (hands, opener), happening in zip(deals, happenings, strict=True):
        table.start_round(opener)
        while table.round.turn is not None:
            happening.before(table, hands)
            if table.round.turn is not None:
                table.record(next_act(table.round, hands))
        for seat in table.round.needs_hands:
            table.record(Show(seat, tuple(held(table.round, hands, seat))))
        happening.after(table)


class FalsePass(Happenings):
    """Somebody passes with a tile that fits; the record proves it later, and it is ruled on."""

    def __init__(self) -> None:
        self.done = False

    def before(self, table: Table, hands: Hands) -> None:
        state = table.round
        turn = state.turn
        assert turn is not None
        fitting = [tile for tile in held(state, hands, turn) if state.playable(tile)]
        if not self.done and turn.value in "BD" and len(state.line) > 7 and fitting:
            self.done = True
            table.record(Pass(turn))

    def after(self, table: Table) -> None:
        assert self.done
        table.rule_on_finding()


class Misplay(Happenings):
    """A tile that does not fit is laid: the schedule of femundo has a card for that."""

    def __init__(self) -> None:
        self.done = False

    def before(self, table: Table, hands: Hands) -> None:
        state = table.round
        turn = state.turn
        assert turn is not None
        wrong = [tile for tile in held(state, hands, turn) if not state.playable(tile)]
        if not self.done and turn is Seat.D and len(state.line) > 4 and wrong:
            self.done = True
            table.record(Infraction(turn, "misplay", wrong[0]))


class CoachingAndBell(Happenings):
    """A partner coaches and the table waits for the ruling; then the clock runs out."""

    def __init__(self) -> None:
        self.done = 0

    def before(self, table: Table, hands: Hands) -> None:
        line = len(table.round.line)
        if self.done == 0 and line > 5:
            self.done = 1
            number = len(table.round.written.events)
            table.record(Infraction(Seat.B, "coaching", measures=PENDING))
            table.record(Ruling(number))
        elif self.done == 1 and line > 9:
            self.done = 2
            table.record(TimeOver())


def told(state: MatchState) -> dict[str, object]:
    """What a match comes to, without the numbers of its events."""
    answer = state.answer()
    numbered = answer["infractions"]
    assert isinstance(numbered, list)
    rulings = [{key: one[key] for key in one if key != "event"} for one in numbered]
    return answer | {"infractions": rulings}


def seated(profile: str, target: int, names: tuple[str, ...]) -> Match:
    tournament = TournamentFactory.create(state="running", profile=profile, target=target)
    stage = StageFactory.create(tournament=tournament)
    match = MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))
    for seat, name in zip(
        match.seats.select_related("player").order_by("seat"), names, strict=True
    ):
        seat.player.name = name
        seat.player.save()
    return match


def referee_of(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


def require_result(match: Match, paper: Paper, *, deducted: dict[str, int] | None = None) -> None:
    """The stored record comes to what paper says, and so does the stored result."""
    stored = queries.read(queries.matches().get(pk=match.pk)).state
    assert paper.state.over
    assert told(stored) == told(paper.state)
    match.refresh_from_db()
    assert match.state == Match.State.CLOSED
    fines = deducted or {}
    for seat in match.seats.all():
        side = "AC" if seat.seat in "AC" else "BD"
        assert seat.points_for == paper.state.totals[side] - fines.get(side, 0)
        assert seat.outcome == ("win" if side == paper.state.winner else "loss")


class Thumb(ByTaps):
    """A referee with one thumb, who slips now and then and puts it right."""

    def __init__(self, page: Page, match: Match, album: Album) -> None:
        self.album = album
        self.seen: set[str] = set()
        self.shuffling: list[str] = []
        super().__init__(page, match)

    def keep(self, stage: str, *, whole: bool = False) -> None:
        """Keep a picture of a stage, the first time it is there."""
        if stage not in self.seen:
            self.seen.add(stage)
            self.album.keep(self.page, stage, whole=whole)
            self.require_room()

    def require_room(self) -> None:
        """Nothing scrolls sideways, and what is tapped is large enough for a thumb."""
        width = self.page.viewport_size or PHONE
        assert self.page.evaluate("document.documentElement.scrollWidth") <= width["width"]
        assert self.page.evaluate(SMALL_TARGETS) == []

    def sit_down(self) -> None:
        self.keep("seats", whole=True)
        super().sit_down()

    def start_round(self, opener: Seat) -> None:
        self.settled()
        number = len(self.state.rounds)
        self.press(f'[data-key="opener-{opener}"]')
        self.keep(f"who-opens-{number}", whole=True)
        self.shuffling += self.page.locator(".shuffles").all_inner_texts()
        super().start_round(opener)
        expect(self.page.locator(".seat.opened")).to_have_attribute("data-seat", str(opener))
        self.keep("first-tile")

    def play(self, event: Play) -> None:
        if event.end is None:
            super().play(event)
        else:
            self.press(f'.pad [data-tile="{event.tile}"]')
            self.keep("two-ends")
            self.press(f'[data-end="{event.end}"]')
        length = len(self.round.line)
        if length in (5, 12, 18):
            self.keep(f"line-{length}")

    def say_pass(self) -> None:
        super().say_pass()
        self.settled()
        self.keep("pass")

    def slip(self, wrong: Tile) -> None:
        """Tap a tile that was not laid, and take it back."""
        self.press(f'.pad [data-tile="{wrong}"]')
        self.settled()
        self.press('[data-key="undo"]')
        self.settled()
        self.keep("undone")

    def tap_what_does_not_fit(self, wrong: Tile) -> None:
        self.press(f'.pad [data-tile="{wrong}"]')
        self.page.wait_for_selector("dialog .refusal")
        self.keep("refused")
        self.press('[data-key="slip"]')

    def accuse(self, event: Infraction) -> None:
        if event.kind == "misplay":
            self.press(f'.pad [data-tile="{event.tile}"]')
            self.press('[data-key="happened"]')
            self.keep("ruling-misplay")
            return self.press('dialog [data-key="record-infraction"]')
        self.press('.action-bar [data-key="infraction"]')
        self.keep("kinds")
        self.press(f'dialog [data-key="by-{event.seat}"]')
        self.press('dialog [data-key="more-kinds"]')
        self.press(f'dialog [data-kind="{event.kind}"]')
        self.keep("ruling-sheet")
        self.press('dialog [data-key="rule-later"]')
        self.settled()
        return self.keep("pending")

    def rule(self) -> None:
        self.press(".pending button")
        self.keep("ruling-pending")
        self.press('dialog [data-key="record-ruling"]')

    def record(self, event: Event) -> None:
        if isinstance(event, Ruling):
            return self.rule()
        if isinstance(event, TimeOver):
            return self.ring_the_bell()
        if isinstance(event, Show):
            self.settled()
            out = 0 in self.round.tiles_in_hand.values()
            self.keep("hands-after-out" if out else "hands-after-block", whole=True)
        return super().record(event)

    def ring_the_bell(self) -> None:
        """Let the deadline of the round pass, as the server has it, and record the bell."""
        one = self.match.pairing_round
        one.starts_at = timezone.now() - timedelta(minutes=41)
        one.save()
        self.page.evaluate('document.dispatchEvent(new Event("visibilitychange"))')
        expect(self.page.locator(".match-clock.over")).to_be_visible()
        self.keep("bell")
        self.press('[data-key="bell"]')
        self.settled()
        self.keep("after-the-bell")

    def rule_on_finding(self) -> None:
        self.settled()
        expect(self.page.locator(".finding")).to_have_count(1)
        self.keep("false-pass-proof", whole=True)
        self.press(".finding button")
        self.keep("ruling-false-pass")
        self.press('dialog [data-key="record-infraction"]')
        self.settled()

    def sign(self, *, pin: str) -> None:
        """A and C draw a name, B and D type their PIN."""
        self.in_stage("over")
        self.keep("over", whole=True)
        self.press('[data-key="sign-AC"]')
        draw_name(self.page)
        self.keep("signing")
        self.press('[data-key="accept-drawn"]')
        expect(self.page.locator("dialog")).to_have_count(0)
        self.press('[data-key="sign-BD"]')
        self.page.fill('[data-key="pin"]', pin)
        self.press('[data-key="accept-pin"]')
        expect(self.page.locator("dialog")).to_have_count(0)
        self.keep("signed", whole=True)


# What can be tapped on the recorder and is smaller than a thumb needs: WCAG 2.5.5 says 44 px.
SMALL_TARGETS = """() => [...document.querySelectorAll(
    "#recorder button, #recorder summary, dialog[open] button, dialog[open] .pick"
  )].filter((one) => one.checkVisibility()).map((one) => [one, one.getBoundingClientRect()])
  .filter(([one, { width, height }]) => width > 0 && (width < 43.5 || height < 43.5))
  .map(([one, { width, height }]) =>
    `${one.dataset.key ?? one.className} ${Math.round(width)}×${Math.round(height)}`)"""


class Slips(Happenings):
    """The referee's own slips in a round; the table itself knows nothing of them."""

    def __init__(self, inner: Happenings) -> None:
        self.inner = inner
        self.count = 0

    def before(self, table: Table, hands: Hands) -> None:
        if isinstance(table, Thumb):
            state = table.round
            unseen = [tile for tile in state.unseen if len(state.playable(tile)) == 1]
            wrong = [tile for tile in state.unseen if not state.playable(tile)]
            if self.count == 0 and len(state.line) == 3 and unseen:
                self.count = 1
                table.slip(unseen[0])
            elif self.count == 1 and len(state.line) == 4 and wrong:
                self.count = 2
                table.tap_what_does_not_fit(wrong[0])
        self.inner.before(table, hands)

    def after(self, table: Table) -> None:
        self.inner.after(table)


def wdf_deals() -> list[tuple[Hands, Seat]]:
    return [(hands, holder_of_highest_double(hands)) for hands in map(uneven, WDF)]


def wdf_happenings() -> list[Happenings]:
    return [Slips(FalsePass()), Happenings(), Happenings()]


def femundo_deals() -> list[tuple[Hands, Seat]]:
    return [(dealt(seed), SEATS[number]) for number, seed in enumerate(FEMUNDO)]


def on_paper(
    profile: str, target: int, deals: list[tuple[Hands, Seat]], happenings: list[Happenings]
) -> Paper:
    paper = Paper(Rules.of(profile, target))
    play_out(paper, deals, happenings)
    assert paper.state.over
    return paper


@pytest.mark.parametrize("language", ["ar"])
def test_a_wdf_match_to_150_by_taps_in_arabic(new_page: Callable[..., Page], language: str) -> None:
    paper = on_paper("wdf", 150, wdf_deals(), wdf_happenings())
    assert [str(one.ended) for one in paper.state.rounds] == ["out", "blocked", "out"]
    assert [one.measures for one in paper.state.infractions] == [(WARNING,)]
    match = seated("wdf", 150, ARABIC)
    rosa = referee_of(match)
    signing.set_pin(match.seats.get(seat="B").entry, pin="4711", by=rosa)
    album = Album("wdf-taps-ar")
    table = Thumb(new_page(user=rosa, viewport=PHONE, language=language), match, album)

    play_out(table, wdf_deals(), wdf_happenings())
    table.sign(pin="4711")
    assert {(one.side, one.how) for one in Signature.objects.all()} == {
        ("AC", "drawn"),
        ("BD", "pin"),
    }
    assert any(line.startswith("undo") for line in lines(match))

    desk = new_page(
        user=match.pairing_round.stage.tournament.created_by, viewport=DESK, language=language
    )
    at_desk = AtTheDesk(desk, match)
    album.keep(desk, "desk-over", whole=True)
    at_desk.close()
    album.keep(desk, "desk-closed", whole=True)
    table.page.reload()
    table.in_stage("closed")
    table.keep("closed", whole=True)
    require_result(match, paper)


class AtTheDesk(ByTaps):
    """The desk closes the match: it takes over from the phone at the table first."""

    def press(self, selector: str) -> None:
        self.page.click(selector)

    def close(self) -> None:
        self.press('[data-key="take-over"]')
        self.press('[data-key="confirm-take-over"]')
        super().close()


def test_a_femundo_match_with_time_over_by_taps_in_english(new_page: Callable[..., Page]) -> None:
    paper = on_paper("femundo", 200, femundo_deals(), [Misplay(), CoachingAndBell()])
    assert max(paper.state.totals.values()) < 200
    match = seated("femundo", 200, ENGLISH)
    one = match.pairing_round
    one.minutes, one.starts_at = 40, timezone.now() - timedelta(minutes=37)
    one.save()
    rosa = referee_of(match)
    table = Thumb(new_page(user=rosa, viewport=PHONE), match, Album("femundo-taps-en"))

    play_out(table, femundo_deals(), [Misplay(), CoachingAndBell()])
    table.keep("over", whole=True)
    table.close()
    table.keep("closed", whole=True)
    assert "time over" in lines(match)
    # femundo 8: whoever sits to the left of the opener.
    shuffling = [one.split(",")[0].strip("\u2068\u2069") for one in table.shuffling]
    assert shuffling == ["Sara Quintero", "Rosa Delgado"]
    require_result(match, paper, deducted={"BD": 160})
    cards = Sanction.objects.filter(match=match, severity=Sanction.Severity.YELLOW)
    assert set(cards.values_list("player__name", flat=True)) == {"Linus Berg", "Sara Quintero"}


class Typist(ByKeys):
    """Types the moves, and asks with T and C; Space finds no stock to draw from."""

    asked = 0

    def record(self, event: Event) -> None:
        super().record(event)
        if isinstance(event, Play) and self.asked < 2 and len(self.round.line) > 3:
            self.asked += 1
            self.ask()

    def ask(self) -> None:
        said = self.page.locator("#announcer")
        turn = self.round.turn
        assert turn is not None
        self.page.locator("#typed-line").focus()
        self.page.keyboard.press("t")
        expect(said).to_contain_text(f"seat {turn}, is to play.")
        self.page.keyboard.press("c")
        ends = self.round.ends
        assert ends is not None
        expect(said).to_contain_text(f"Open ends: left {ends[0]}, right {ends[1]}.")
        self.page.keyboard.press("Space")
        expect(said).to_contain_text("There is nothing to draw from now.")


def test_a_wdf_match_to_150_by_keyboard_alone(new_page: Callable[..., Page]) -> None:
    paper = on_paper("wdf", 150, wdf_deals(), wdf_happenings())
    match = seated("wdf", 150, ENGLISH)
    page = new_page(user=referee_of(match), viewport=DESK)
    album = Album("wdf-keys-en")
    table = Typist(page, match)
    album.keep(page, "seats")
    play_out(table, wdf_deals(), wdf_happenings())
    album.keep(page, "over", whole=True)
    table.close()
    album.keep(page, "closed")
    assert table.asked == 2
    require_result(match, paper)


class Listener(ByTree):
    """Hears what was played: every act is said in the page's language."""

    heard = 0

    def record(self, event: Event) -> None:
        opens = not self.round.line
        super().record(event)
        if isinstance(event, Play | Pass):
            self.settled()
            said = self.sentence_of(parse_line(lines(self.match)[-1]), opens=opens)
            self.wait_to_hear(said)
            self.heard += 1

    def sentence_of(self, event: Event, *, opens: bool) -> str:
        """What the page is to say of an act, in Arabic."""
        if isinstance(event, Pass):
            return self.words["passes"] % {"name": self.names[event.seat]}
        assert isinstance(event, Play)
        key = f"plays_{event.end}" if event.end is not None else "plays"
        tile = f"{event.tile.high}-{event.tile.low}".translate(EASTERN)
        return self.words["opens" if opens else key] % {
            "name": self.names[event.seat],
            "tile": tile,
        }


def test_a_match_by_the_accessibility_tree_alone_in_arabic(new_page: Callable[..., Page]) -> None:
    deals, happenings = wdf_deals()[:2], wdf_happenings()[:2]
    paper = on_paper("wdf", 100, deals, happenings)
    match = seated("wdf", 100, ARABIC)
    page = new_page(user=referee_of(match), viewport=PHONE, language=LANGUAGE)
    table = Listener(page, match)
    play_out(table, deals, wdf_happenings()[:2])
    table.close()
    assert table.heard == sum(
        isinstance(event, Play | Pass) for one in paper.state.rounds for event in one.written.events
    )
    require_result(match, paper)
