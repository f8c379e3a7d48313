"""A match in play, move by move: new moves come by themselves, the reader stays where he is."""

from __future__ import annotations

import json
import re
import time
from statistics import median

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import Page, expect

from engine.events import Event
from referee.models import RecordedEvent
from referee.services import records as services
from tests import factories
from tests.browser.conftest import DESK, PHONE
from tests.browser.played_table import first_acts
from tests.browser.referees import ByTaps
from tests.referee.conftest import write
from tests.referee.timed import HANDS, PLAYED, timed
from tournaments.digits import local_digits
from tournaments.models import Match, Official

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SOON = 10_000
CUT, BACK = 10, 15
# Every move the page has come to show, with the moment at which it did.
WATCH = """() => {
  window.came = [];
  new MutationObserver(() => {
    const last = document.getElementById("moves").dataset.last;
    if (last !== window.came.at(-1)?.[0]) window.came.push([last, Date.now()]);
  }).observe(document.getElementById("moves"), { attributes: true });
  window.said = [];
  const said = document.getElementById("moves-said");
  new MutationObserver(() => window.said.push(said.textContent)).observe(
    said, { childList: true, characterData: true, subtree: true });
}"""


@pytest.fixture
def match() -> Match:
    tournament = factories.TournamentFactory.create(state="running", slug="cairo", target=300)
    stage = factories.StageFactory.create(tournament=tournament)
    return factories.MatchFactory.create(
        pairing_round=factories.PairingRoundFactory.create(stage=stage, state="playing")
    )


@pytest.fixture
def referee(match: Match) -> User:
    tournament = match.pairing_round.stage.tournament
    duty = Official.Duty.REFEREE
    return factories.OfficialFactory.create(tournament=tournament, duty=duty).user


@pytest.fixture
def by_hand(match: Match, referee: User):
    """Record lines, as the page at the table does; the first round is opened."""
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)

    def recorded(*lines: str) -> None:
        write(record, list(lines), referee)

    return recorded


def address(match: Match, query: str = "", name: str = "moves") -> str:
    return reverse(f"referee:{name}", args=[match.pk]) + query


def current(page: Page) -> str | None:
    return page.locator(".moves-list [aria-current]").get_attribute("data-step")


def has(page: Page, last: int) -> None:
    expect(page.locator("#moves")).to_have_attribute("data-last", str(last), timeout=SOON)


def test_one_match_is_followed_in_two_languages_through_a_lost_network(
    new_page, match, referee, complaints, record_property
):
    opener, events, _ = first_acts()
    table = ByTaps(new_page(user=referee), match)
    table.sit_down()
    table.start_round(opener)
    english = new_page(viewport=DESK)
    arabic = new_page(language="ar", viewport=PHONE)
    readers = [english, arabic]
    for page in readers:
        page.goto(address(match))
        page.wait_for_load_state("networkidle")
        page.evaluate(WATCH)
    english.locator("#moves-slider").focus()
    arabic.evaluate("window.scrollTo(0, 300)")
    scrolled = arabic.evaluate("window.scrollY")
    sent: dict[int, float] = {}

    def record(number: int, event: Event) -> None:
        sent[number] = time.time() * 1000
        table.record(event)

    for number, event in enumerate(events, start=1):
        if number == CUT:
            arabic.context.set_offline(True)
        if number == BACK:
            has(english, number - 1)
            assert arabic.locator("#moves").get_attribute("data-last") == str(CUT - 1)
            arabic.context.set_offline(False)
            has(arabic, number - 1)
        record(number, event)
        for page in readers:
            if page is english or not CUT <= number < BACK:
                has(page, number)
    table.settled()
    stored = RecordedEvent.objects.filter(round__match=match).count()
    assert stored == len(events)
    for page in readers:
        # Nothing is lost, nothing doubled, and the follower stands at the end.
        shown = page.locator(".moves-list > .event").evaluate_all(
            "all => all.map((one) => one.dataset.step)"
        )
        assert shown == [str(step) for step in range(len(events) + 1)]
        assert current(page) == str(len(events))
        laid = page.locator(".growing").first.locator(".laid:not([data-away])")
        assert laid.count() == sum(one.__class__.__name__ == "Play" for one in events)
        assert page.locator("#moves-news").is_hidden()
    expect(english.locator("#moves-slider")).to_be_focused()
    assert abs(arabic.evaluate("window.scrollY") - scrolled) <= 1
    assert arabic.evaluate("document.documentElement.dir") == "rtl"
    # Each move is said once, politely, in the language of the page.
    said = english.evaluate("window.said")
    assert len(said) == len(events)
    assert english.locator("#moves-said").get_attribute("aria-live") == "polite"
    for name, page in (("english", english), ("arabic", arabic)):
        took = [
            moment - sent[int(last)]
            for last, moment in page.evaluate("window.came")
            if name == "english" or not CUT <= int(last) < BACK
        ]
        told = {"moves": len(took), "median": round(median(took)), "worst": round(max(took))}
        record_property(f"milliseconds_{name}", json.dumps(told))
        print(f"{name}: {told} ms from the tap to the page")
    complaints.clear()  # the browser notes attempts without a network itself


def test_who_looks_at_an_earlier_move_stays_there_and_is_told_how_many_are_new(
    new_page, match, by_hand
):
    by_hand("A 6-6", "B 6-5", "C 6-4")
    page = new_page(language="ar")
    page.goto(address(match, "?round=1&move=1"))
    said = page.locator("#moves-said").inner_text()
    news = page.locator("#moves-news")
    expect(news).to_be_hidden()
    by_hand("D 4-3")
    expect(news).to_have_text(re.compile(local_digits(1, "ar")), timeout=SOON)
    before = page.locator("#moves-said").bounding_box()
    by_hand("A 5-2", "B 3-3")
    expect(news).to_have_text(re.compile(local_digits(3, "ar")), timeout=SOON)
    assert page.locator("#moves-said").bounding_box() == before
    assert current(page) == "1"
    assert page.locator("#moves-said").inner_text() == said
    assert page.url.endswith("?round=1&move=1")
    violations = Axe().run(page).response["violations"]
    assert [one["id"] for one in violations] == []
    news.focus()
    page.keyboard.press("Enter")
    assert current(page) == "6"
    expect(news).to_be_hidden()
    expect(page.locator('[data-go="on"]')).to_be_focused()
    # From now on the reader follows.
    by_hand("C 2-1")
    has(page, 7)
    assert current(page) == "7"


def test_going_back_to_the_last_move_by_hand_follows_again(new_page, match, by_hand):
    by_hand("A 6-6", "B 6-5")
    page = new_page()
    page.goto(address(match, "?round=1&move=0"))
    page.keyboard.press("End")
    by_hand("C 6-4")
    has(page, 3)
    assert current(page) == "3"
    expect(page).to_have_url(re.compile(r"\?round=1&move=3#moves$"))


def test_what_is_taken_back_at_the_table_is_gone_and_the_reader_at_what_is_left(
    new_page, match, by_hand
):
    by_hand("A 6-6", "B 6-5", "C 6-4")
    page = new_page()
    page.goto(address(match))
    assert current(page) == "3"
    by_hand("undo 1")
    has(page, 2)
    assert current(page) == "2"


def test_who_follows_goes_on_into_the_round_that_begins(new_page, match, referee):
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", hands=HANDS, by=referee)
    *lines, last = timed(PLAYED)[0]
    write(record, lines, referee)
    follower, reader = new_page(), new_page()
    follower.goto(address(match))
    reader.goto(address(match, "?round=1&move=1"))
    write(record, [last], referee)
    expect(follower.locator(".moves-record > p")).not_to_have_count(0, timeout=SOON)
    again = services.open_round(match, number=1, opener="A", hands=HANDS, by=referee)
    write(again, ["A 6-6"], referee)
    expect(follower.locator("#moves")).to_have_attribute("data-round", "2", timeout=SOON)
    has(follower, 1)
    assert current(follower) == "1"
    expect(reader.locator(".round-bar li")).to_have_count(2, timeout=SOON)
    assert reader.locator("#moves").get_attribute("data-round") == "1"
    assert current(reader) == "1"


def test_a_match_that_has_not_begun_shows_its_first_move_by_itself(new_page, match, referee):
    page = new_page()
    page.goto(address(match))
    expect(page.locator(".empty-state")).to_be_visible()
    services.open_match(match, by=referee)
    write(services.open_round(match, number=0, opener="A", by=referee), ["A 6-6"], referee)
    has(page, 1)
    assert current(page) == "1"
    page.keyboard.press("Home")
    assert current(page) == "0"


def test_a_match_shown_on_another_site_goes_on_too(new_page, match, by_hand):
    by_hand("A 6-6")
    page = new_page()
    page.goto(address(match, name="embedded_moves"))
    by_hand("B 6-5")
    has(page, 2)
    assert current(page) == "2"


def test_a_page_in_the_language_of_its_address_stays_in_it(new_page, match, by_hand):
    by_hand("A 6-6")
    page = new_page(language="en")
    page.goto(address(match, "?lang=ar"))
    assert page.evaluate("document.documentElement.lang") == "ar"
    said = page.locator("#moves-said").inner_text()
    by_hand("B 6-5")
    has(page, 2)
    assert re.search("[\u0600-\u06ff]", said)
    assert re.search("[\u0600-\u06ff]{3}", page.locator("#moves-said").inner_text())
    expect(page.locator("#moves-count")).to_have_text(re.compile("٢"))


def test_a_closed_match_asks_for_nothing(new_page, match, referee, by_hand):
    by_hand("A 6-6")
    Match.objects.update(state=Match.State.CLOSED)
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda one: asked.append(one.url) if one.headers.get("part") else None)
    page.goto(address(match))
    page.wait_for_timeout(3000)
    assert asked == []
