"""A director who runs an event in the browser without a pointer, and the list of the entries."""

from __future__ import annotations

import random
from contextlib import AbstractContextManager

from django.db.models import QuerySet
from playwright.sync_api import FilePayload, Page, expect

from engine.events import Sheet
from referee.demo_play import DemoTable
from referee.services import records as referee
from tournaments.models import Match, PairingRound, Tournament
from tournaments.services.reports import submit_score


def list_of_pairs(count: int) -> str:
    """Return a CSV list of pairs from four clubs, as a federation sends it."""
    lines = ["Player 1;Player 2;Club;Country"]
    for number in range(1, count + 1):
        club = ("Olive", "Nile", "Cedar", "Palm")[number % 4]
        lines.append(f"Ana {number};Bruno {number};{club};EG")
    return "\n".join(lines)


class Director:
    """Tab, Enter, Space, arrows, digits and letters at `page`; whatever they cannot reach fails."""

    MOST_TABS = 400

    def __init__(self, page: Page, tournament: Tournament, *, chance: int = 5) -> None:
        self.page = page
        self.tournament = tournament
        self.address = f"/desk/{tournament.slug}/"
        self._chance = random.Random(chance)
        self._stored: set[tuple[int, int]] = set()

    def come_to_desk(self) -> None:
        """Open the desk by its address, as from a bookmark."""
        self.page.goto(self.address)

    def reach(self, selector: str) -> None:
        """Move the focus with Tab until it is on something that matches."""
        for _ in range(self.MOST_TABS):
            if self.page.evaluate("at => document.activeElement.matches(at)", selector):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never reaches {selector} on {self.page.url}.")

    def reach_words(self, words: str) -> None:
        """Move the focus with Tab until it is on the link, button or summary with these words."""
        self.page.get_by_text(words).first.wait_for(state="attached")
        for _ in range(self.MOST_TABS):
            self.page.keyboard.press("Tab")
            if self._words_in_focus() == words:
                return
        raise AssertionError(f"Tab never reaches “{words}” on {self.page.url}.")

    def _words_in_focus(self) -> str:
        said = self.page.evaluate("document.activeElement.innerText || ''")
        return " ".join(str(said).split())

    def press(self, words: str, *, key: str = "Enter", leads_on: bool = True) -> None:
        """Press what is called so, and wait for the page it leads to, if it leads to one."""
        self.reach_words(words)
        if leads_on:
            with self.page.expect_navigation():
                self.page.keyboard.press(key)
        else:
            self.page.keyboard.press(key)

    def enter(self) -> None:
        """Send what was typed with Enter, and wait for the answer: the page may stay."""
        with self.answered():
            self.page.keyboard.press("Enter")

    def answered(self) -> AbstractContextManager[object]:
        """Wait for an answer that leads no further."""
        return self.page.expect_response(lambda one: one.status not in (302, 303))

    def write(self, selector: str, text: str) -> None:
        """Type into a field in place of what it holds."""
        self.reach(selector)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.type(text)

    def choose(self, name: str, value: str, *, key: str = "ArrowDown") -> None:
        """Choose one of a group of radio buttons with the arrows."""
        self.reach(f'input[name="{name}"]')
        wanted = f'input[name="{name}"][value="{value}"]'
        self.page.keyboard.press("Space")
        for _ in range(self.MOST_TABS):
            if self.page.evaluate("at => document.activeElement.matches(at)", wanted):
                return
            self.page.keyboard.press(key)
        raise AssertionError(f"The arrows never reach {wanted} on {self.page.url}.")

    def hand_in(self, name: str, content: str) -> None:
        """Choose a file in the field that has the focus."""
        with self.page.expect_file_chooser() as chosen:
            self.page.keyboard.press("Space")
        file = FilePayload(name=name, mimeType="text/csv", buffer=content.encode())
        chosen.value.set_files(file)

    def says(self, text: str) -> None:
        expect(self.page.locator("main")).to_contain_text(text)

    # What a director does.

    def import_pairs(self, content: str, count: int) -> None:
        self.come_to_desk()
        self.press("Add entries")
        self.press("Import a list")
        self.reach("[name=file]")
        self.hand_in("pairs.csv", content)
        self.press("See what it says")
        self.press(f"Import {count} entries")
        self.says(f"{count} entries were added.")

    def start(self) -> None:
        self.come_to_desk()
        self.press("Close registration and start")
        self.press("Close registration and start", key="Space")

    def draw(self, number: int) -> PairingRound:
        """Go from the desk to the draw of the next round, and draw it."""
        self.come_to_desk()
        self.press(f"Draw round {number}")
        self.press(f"Draw round {number}")
        self.says("The round is drawn.")
        return self.rounds().get(state=PairingRound.State.DRAFT, matches__isnull=False)

    def publish(self) -> None:
        self.press("Publish this round", key="Space")
        self.says("is published.")

    def type_results(self) -> None:
        """Type every sheet of the round: table number, Enter, score, Enter."""
        self.come_to_desk()
        self.press("Type the results")
        for match in self.open_tables():
            self.say_table(match.table)
            first, second = self.score()
            with self.answered():
                self.page.keyboard.type(f"{first} {second}")
                self.page.keyboard.press("Enter")
            self.says(f"Table {match.table}: {first}–{second} is stored.")
        self.says("Every table has its result.")

    def say_table(self, table: int) -> None:
        """The focus waits in the field of the table, nothing has to be looked for."""
        with self.answered():
            self.page.keyboard.type(str(table))
            self.page.keyboard.press("Enter")

    def store_results(self) -> None:
        """Store the results of the round as another desk would, without this page."""
        for match in self.open_tables():
            first, second = self.score()
            points = {"AC": first, "BD": second}
            submit_score(match, points=points, sure=True, by=self.tournament.created_by)

    def record_moves(self, count: int) -> None:
        """Let robots play at the first open tables, a referee recording every move."""
        by = self.tournament.created_by
        for match in self.open_tables()[:count]:
            DemoTable(match, self._chance, by, trouble=False).finish()

    def record_sheets(self, count: int) -> None:
        """Keep the score of the first open tables round by round, from their score sheets."""
        by = self.tournament.created_by
        for match in self.open_tables()[:count]:
            referee.open_match(match, by=by)
            number, over = 0, False
            while not over:
                side = self._chance.choice(("AC", "BD"))
                won = Sheet(side, self._chance.randrange(5, 60), "out")
                state = referee.record_sheet(match, number=number, sheet=won, by=by).state
                number, over = number + 1, state.over
            referee.close_match(match, by=by)

    def score(self) -> tuple[int, int]:
        """Return a score no other table has, so that no sheet looks like another one."""
        points = (self._chance.randint(100, 130), self._chance.randrange(95))
        points = points if self._chance.random() < 0.5 else points[::-1]
        if points in self._stored:
            return self.score()
        self._stored.add(points)
        return points

    def open_tables(self) -> list[Match]:
        found = Match.objects.filter(pairing_round__stage__tournament=self.tournament)
        found = found.exclude(pairing_round__state=PairingRound.State.DRAFT)
        return list(found.exclude(state=Match.State.CLOSED).order_by("table"))

    def rounds(self) -> QuerySet[PairingRound]:
        found = PairingRound.objects.filter(stage__tournament=self.tournament).distinct()
        return found.select_related("stage")
