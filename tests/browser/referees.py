"""Referees who record with the page: one taps, one has only a keyboard."""

from __future__ import annotations

import re
from abc import abstractmethod

from playwright.sync_api import Page, expect

from engine.events import Event, Infraction, Pass, Play, Show
from engine.match import MatchState
from engine.seats import Seat
from referee.queries import records as queries
from tests.browser.played_table import Table
from tournaments.models import Match

EASTERN = str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")
TREMOR = 260  # ms; the page takes a tap that comes sooner for a trembling thumb


class AtTheTable(Table):
    """Somebody who keeps the record of `match` on `page`."""

    def __init__(self, page: Page, match: Match) -> None:
        self.page = page
        self.match = match
        page.goto(f"/matches/{match.pk}/record/")

    @property
    def state(self) -> MatchState:
        self.settled()
        return queries.read(queries.matches().get(pk=self.match.pk)).state

    def settled(self) -> None:
        """Wait until everything recorded has reached the server."""
        self.page.wait_for_selector('#recorder[data-unsent="0"][aria-busy="false"]')

    def in_stage(self, stage: str) -> None:
        self.page.wait_for_selector(f'#recorder[data-stage="{stage}"]')

    @abstractmethod
    def press(self, selector: str) -> None:
        """Choose a button of the page."""

    def sit_down(self) -> None:
        self.press('[data-key="open-table"]')
        self.in_stage("between")

    def start_round(self, opener: Seat) -> None:
        self.settled()
        self.press(f'[data-key="opener-{opener}"]')
        self.press('[data-key="start-round"]')
        self.in_stage("recording")

    def record(self, event: Event) -> None:
        match event:
            case Play():
                self.play(event)
            case Pass():
                self.say_pass()
            case Infraction():
                self.accuse(event)
            case Show():
                self.show(event)
            case _:
                raise AssertionError(event)

    @abstractmethod
    def play(self, event: Play) -> None: ...

    @abstractmethod
    def say_pass(self) -> None: ...

    def accuse(self, event: Infraction) -> None:
        self.press('.action-bar [data-key="infraction"]')
        self.press(f'dialog [data-key="by-{event.seat}"]')
        self.press(f'dialog [data-kind="{event.kind}"]')
        if event.tile is not None:
            self.press(f'dialog [data-touched="{event.tile}"]')
        self.press('dialog [data-key="record-infraction"]')

    def show(self, event: Show) -> None:
        self.settled()
        self.press(f'[data-key="hand-{event.seat}"]')
        shown = {str(tile) for tile in event.tiles}
        pad = self.page.locator('.hands [data-tile][aria-pressed="true"]')
        proposed = {str(one.get_attribute("data-tile")) for one in pad.all()}
        for tile in sorted(shown ^ proposed):
            self.press(f'.hands [data-tile="{tile}"]')
        pips = sum(tile.pips for tile in event.tiles)
        counted = re.compile(rf" ({pips}|{str(pips).translate(EASTERN)})$")
        expect(self.page.locator(".tally-pips")).to_have_text(counted)
        self.press('[data-key="record-hand"]')

    def rule_on_finding(self) -> None:
        self.settled()
        expect(self.page.locator(".finding")).to_contain_text("was in hand")
        self.press(".finding button")
        self.press('dialog [data-key="record-infraction"]')
        self.settled()
        expect(self.page.locator(".finding")).to_have_count(0)

    def close(self) -> None:
        self.in_stage("over")
        self.press('[data-key="close-match"]')
        self.press('dialog [data-key="confirm-close"]')
        self.in_stage("closed")


class ByTaps(AtTheTable):
    """One thumb on a phone; nothing is ever typed."""

    def press(self, selector: str) -> None:
        self.page.wait_for_timeout(TREMOR)
        self.page.tap(selector)

    def play(self, event: Play) -> None:
        self.press(f'.pad [data-tile="{event.tile}"]')
        if event.end is not None:
            self.press(f'[data-end="{event.end}"]')

    def say_pass(self) -> None:
        self.press('[data-key="pass"]')


class ByKeys(AtTheTable):
    """No pointer at all: Tab, Enter, Space, digits and letters."""

    MOST_TABS = 150

    def press(self, selector: str) -> None:
        self.page.wait_for_selector(selector)
        for _ in range(self.MOST_TABS):
            if self.page.evaluate("at => document.activeElement.matches(at)", selector):
                self.page.keyboard.press("Enter")
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"{selector} cannot be reached by Tab")

    def type(self, text: str) -> None:
        self.page.keyboard.type(text)
        self.page.keyboard.press("Enter")

    def play(self, event: Play) -> None:
        end = "" if event.end is None else event.end.value[0]
        self.type(f"{event.tile.high}{event.tile.low}{end}")
        said = f"{event.tile.high}\u200e-\u200e{event.tile.low}"
        expect(self.page.locator("#announcer")).to_contain_text(said)

    def say_pass(self) -> None:
        self.page.locator("#typed-line").focus()
        self.type("p")
