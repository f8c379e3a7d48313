"""A referee who meets the page as its accessibility tree alone: roles, names, what is said."""

from __future__ import annotations

import re

from django.utils.translation import override
from playwright.sync_api import Locator, Page, expect

from engine.events import Event, Infraction, Pass, Play, Show
from engine.seats import Seat
from referee.sentences import kind_label
from referee.words.record import page_words
from tests.browser.referees import AtTheTable
from tournaments.models import Match
from tournaments.words.tiles import tile_names

LANGUAGE = "ar"
MARKS = "[\u200e\u200f\u2066-\u2069]*"


class ByTree(AtTheTable):
    """Somebody who meets the page as its accessibility tree: roles and names in Arabic."""

    def __init__(self, page: Page, match: Match) -> None:
        with override(LANGUAGE):
            self.words = page_words()
            self.tiles = tile_names()
            self.kinds = {kind: str(kind_label(kind)) for kind in ("touch", "out_of_turn")}
        self.names = {one.seat: one.player.name for one in match.seats.all()}
        super().__init__(page, match)

    def said(self, sentence: str, **values: object) -> re.Pattern[str]:
        """Return a sentence of the page; what fills it may be anything not given."""
        parts = re.split(r"(%\(\w+\)s)", self.words[sentence])
        filled = [
            re.escape(str(values.get(part[2:-2], ""))) or ".*"
            if part[:2] == "%("
            else re.escape(part)
            for part in parts
        ]
        return re.compile("".join(filled))

    def press(self, selector: str) -> None:
        raise AssertionError("nothing is found by a selector")

    def push(self, name: str | re.Pattern[str], within: Locator | None = None) -> None:
        """Press the one button of this name, as assistive technology does."""
        exact = isinstance(name, str)
        place = within or self.page.get_by_role("main")
        found = place.get_by_role("button", name=name, exact=exact)
        expect(found).to_have_count(1)
        self.page.wait_for_timeout(260)
        found.focus()
        found.press("Enter")

    def group(self, name: str) -> Locator:
        return self.page.get_by_role("group", name=self.words[name])

    @property
    def sheet(self) -> Locator:
        return self.page.get_by_role("dialog")

    def seat(self, seat: str) -> re.Pattern[str]:
        return re.compile(rf"^{seat}\b.*{re.escape(self.names[seat])}")

    def sit_down(self) -> None:
        self.push(self.words["open_table"])
        self.page.get_by_role("heading", name=self.said("open_round")).wait_for()

    def start_round(self, opener: Seat) -> None:
        self.push(self.seat(opener), self.group("who_opens"))
        # The first round is started by another sentence than those after it.
        name = f"\u2068{self.names[opener]}\u2069"
        start = [self.said(one, name=name).pattern for one in ("start_match", "start_round")]
        self.push(re.compile("|".join(start)))

    def play(self, event: Play) -> None:
        pad = self.page.get_by_role("region", name=self.words["tiles_label"])
        # A tile that fits says so, after its name.
        self.push(re.compile(rf"^{re.escape(self.tiles[str(event.tile)])}(،|,|$)"), pad)
        if event.end is not None:
            self.push(self.said(f"end_{event.end.value}"))

    def say_pass(self) -> None:
        self.push(self.words["pass"])

    def accuse(self, event: Infraction) -> None:
        self.push(self.words["infraction"])
        self.push(self.seat(event.seat), self.sheet)
        self.push(self.kinds[event.kind], self.sheet)
        if event.tile is not None:
            choose = self.sheet.get_by_role("group").filter(has_text=self.words["choose_tile"])
            self.push(self.tiles[str(event.tile)], choose)
        self.push(self.words["record_infraction"], self.sheet)

    def show(self, event: Show) -> None:
        self.push(self.seat(event.seat), self.group("whose_hand"))
        left = self.group("tiles_left_over")
        wanted = {self.tiles[str(tile)] for tile in event.tiles}
        chosen = {
            str(one.get_attribute("aria-label"))
            for one in left.get_by_role("button", pressed=True).all()
        }
        for name in wanted ^ chosen:
            self.push(name, left)
        self.push(self.said("record_hand", name=f"\u2068{self.names[event.seat]}\u2069"))

    def record(self, event: Event) -> None:
        # What the tree says before the act: who is on turn.
        if isinstance(event, Play | Pass):
            turn = re.compile(re.escape(self.names[event.seat]))
            start = re.compile(re.escape(self.words["start_timer"]))
            expect(self.page.get_by_role("button", name=start)).to_have_accessible_name(turn)
        super().record(event)

    def rule_on_finding(self) -> None:
        self.push(self.words["rule_on_it"])
        self.push(self.words["record_infraction"], self.sheet)

    def close(self) -> None:
        self.push(self.words["close_match"])
        self.push(self.words["write_result"], self.sheet)
        self.page.get_by_role("heading", name=self.words["match_closed"]).wait_for()

    def wait_to_hear(self, said: str) -> None:
        """Wait until the live region has said this, whatever marks of direction are in it."""
        letters = MARKS.join(map(re.escape, said))
        expect(self.page.get_by_role("log")).to_contain_text(re.compile(letters))
