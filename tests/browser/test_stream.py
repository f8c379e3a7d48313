"""Pages that hear of changes by the stream, and ask by themselves where it fails."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from referee.models import RecordedEvent
from tests import factories
from tests.browser.conftest import DESK, PHONE
from tests.browser.played_table import first_acts
from tests.browser.referees import ByTaps
from tests.browser.serving import Serving
from tests.browser.streaming import Streaming
from tournaments.models import Match, Official

# SQLite has no bell: there a page hears half a second later, which other tests see.
pytestmark = [pytest.mark.browser, pytest.mark.postgres, pytest.mark.django_db(transaction=True)]

SOON = 10_000


@pytest.fixture
def match() -> Match:
    tournament = factories.TournamentFactory.create(state="running", slug="cairo", target=300)
    stage = factories.StageFactory.create(tournament=tournament)
    return factories.MatchFactory.create(
        pairing_round=factories.PairingRoundFactory.create(stage=stage)
    )


@pytest.fixture
def referee(match: Match) -> User:
    tournament = match.pairing_round.stage.tournament
    duty = Official.Duty.REFEREE
    return factories.OfficialFactory.create(tournament=tournament, duty=duty).user


@pytest.fixture
def streaming(match: Match) -> Iterator[Streaming]:
    one = Streaming()
    one.start()
    yield one
    one.kill()


@pytest.fixture
def serving(streaming: Streaming, monkeypatch: pytest.MonkeyPatch) -> Iterator[Serving]:
    """The site that names the stream; it shares the bell of the database with it."""
    monkeypatch.setenv("STREAM_URL", streaming.url)
    one = Serving()
    one.start()
    yield one
    one.kill()


class At(ByTaps):
    """A referee at the site in a process of its own."""

    def __init__(self, page: Page, match: Match, site: str) -> None:
        self.page = page
        self.match = match
        page.goto(f"{site}/matches/{match.pk}/record/")


class Reader:
    """A page that counts what it asks for."""

    def __init__(self, page: Page, address: str) -> None:
        self.page = page
        self.asked: list[float] = []
        page.on("request", self._note)
        page.goto(address)

    def _note(self, request: object) -> None:
        if getattr(request, "headers", {}).get("part") == "1":
            self.asked.append(time.monotonic())

    def listens(self) -> None:
        """Wait until the page listens, and asks no more by itself."""
        deadline = time.monotonic() + 20
        while True:
            count = len(self.asked)
            self.page.wait_for_timeout(4500)
            if count and len(self.asked) == count:
                return
            assert time.monotonic() < deadline, "the page does not listen to the stream"


Open = Callable[..., Reader]


@pytest.fixture
def follow(serving: Serving, new_page: Callable[..., Page], match: Match) -> Open:
    def opened(**settings: object) -> Reader:
        address = serving.url + reverse("referee:match_sheet", args=[match.pk])
        return Reader(new_page(**settings), address)

    return opened


def test_a_recorded_match_is_followed_in_two_languages_and_nothing_is_lost_or_doubled(
    serving, streaming, new_page, match, referee, follow, complaints
):
    opener, events, _ = first_acts()
    table = At(new_page(user=referee), match, serving.url)
    table.sit_down()
    table.start_round(opener)
    arabic = follow(language="ar", viewport=PHONE)
    english = follow(viewport=DESK)
    arabic.listens()
    english.listens()
    pages = [arabic.page, english.page]
    asked = len(english.asked)
    for count, event in enumerate(events[:4], start=1):
        table.record(event)
        for page in pages:
            expect(page.locator("#round-1 .event")).to_have_count(count, timeout=SOON)
    # One question for each thing told, at most: nobody asked by the clock.
    assert len(english.asked) - asked <= 4
    arabic.page.context.set_offline(True)
    for event in events[4:7]:
        table.record(event)
    expect(english.page.locator("#round-1 .event")).to_have_count(7, timeout=SOON)
    arabic.page.context.set_offline(False)
    expect(arabic.page.locator("#round-1 .event")).to_have_count(7, timeout=SOON)
    table.record(events[7])
    stored = RecordedEvent.objects.filter(round__match=match).order_by("number")
    for page in pages:
        expect(page.locator("#round-1 .event")).to_have_count(8, timeout=SOON)
        lines = page.locator("#round-1 .event-line").all_inner_texts()
        assert lines == list(stored.values_list("notation", flat=True))
    complaints.clear()  # the browser notes attempts without a network itself


def test_where_the_stream_ends_the_page_asks_and_it_listens_again_when_it_is_back(
    serving, streaming, new_page, match, referee, follow, complaints
):
    opener, events, _ = first_acts()
    table = At(new_page(user=referee), match, serving.url)
    table.sit_down()
    table.start_round(opener)
    reader = follow(viewport=PHONE)
    reader.listens()
    streaming.kill()
    table.record(events[0])
    shown = reader.page.locator("#round-1 .event")
    expect(shown).to_have_count(1, timeout=SOON)
    # The site itself answers, so nobody is told that the network is away.
    expect(reader.page.locator("#live-state")).to_be_hidden()
    streaming.start()
    table.record(events[1])
    expect(shown).to_have_count(2, timeout=SOON)
    complaints.clear()  # the browser notes that the stream was refused


def test_who_follows_a_match_move_by_move_hears_of_each_by_the_stream(
    serving, streaming, new_page, match, referee, record_property
):
    opener, events, _ = first_acts()
    table = At(new_page(user=referee), match, serving.url)
    table.sit_down()
    table.start_round(opener)
    address = serving.url + reverse("referee:moves", args=[match.pk])
    reader = Reader(new_page(language="ar", viewport=PHONE), address)
    reader.listens()
    asked = len(reader.asked)
    took = []
    for count, event in enumerate(events[:8], start=1):
        sent = time.monotonic()
        table.record(event)
        moves = reader.page.locator("#moves")
        expect(moves).to_have_attribute("data-last", str(count), timeout=SOON)
        took.append(time.monotonic() - sent)
        current = reader.page.locator(".moves-list [aria-current]")
        expect(current).to_have_attribute("data-step", str(count))
    assert len(reader.asked) - asked <= 8
    record_property("seconds", [round(one, 2) for one in took])
    print(f"by the stream: median {sorted(took)[4]:.2f} s, worst {max(took):.2f} s")
