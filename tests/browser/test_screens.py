"""Screens of a hall in a real browser: they turn their pages, follow the desk, keep one time."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from time import monotonic

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE
from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import PairingRound, Screen, Tournament
from tournaments.services import clock, screens
from tournaments.services.screens import ScreenSettings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HALL = {"width": 1920, "height": 1080}
TABLES = 13
# From 20 m; see screen.css.
LEAST_CAPITALS = 40
NAMES = ("María José Fernández de la Vega", "محمد عبد الرحمن الشرقاوي", "Li", "بهرام تهرانچی")
FOLLOWS = 2_000
IN_SIGHT = """() => [
  document.querySelector(".page-of").innerText,
  [...document.querySelectorAll(".table-row")]
    .filter((one) => one.checkVisibility())
    .map((one) => {
      const { top, bottom } = one.getBoundingClientRect();
      return [top, bottom, one.querySelector(".table-number").innerText];
    }),
]"""


@pytest.fixture
def event() -> Tournament:
    return TournamentFactory.create(slug="nile", name="Nile Cup", state="running")


@pytest.fixture
def pairing_round(event: Tournament) -> PairingRound:
    found = PairingRoundFactory.create(stage=StageFactory.create(tournament=event))
    for number in range(TABLES):
        entries = []
        for turn in range(2):
            players = [
                PlayerFactory.create(name=f"{NAMES[(number + turn + seat) % 4]}")
                for seat in range(2)
            ]
            entries.append(EntryFactory.create(tournament=event, players=players))
        MatchFactory.create(pairing_round=found, entries=entries)
    return found


def screen_of(event: Tournament, name: str, shows: str = "tables", **settings: object) -> Screen:
    wanted = ScreenSettings(name=name, **settings)  # type: ignore[arg-type]
    screen = screens.make_screen(event, wanted=wanted, by=event.created_by)
    if shows != screen.shows:
        screen = screens.switch_screen(screen, shows=shows, by=event.created_by)
    return screen


def address(screen: Screen) -> str:
    return reverse("referee:screen", args=[screen.key])


def test_one_desk_switches_two_screens_and_each_follows_within_two_seconds(
    new_page: Callable[..., Page], event, pairing_round
):
    left, right = screen_of(event, "Left"), screen_of(event, "Right", "clock")
    on_left, on_right = new_page(viewport=HALL), new_page(viewport=HALL)
    on_left.goto(address(left))
    on_right.goto(address(right))
    expect(on_left.locator("h1:visible")).to_have_text("Pairings by table")
    expect(on_right.locator("h1:visible")).to_have_text("Time of day")
    desk = new_page(user=event.created_by, viewport=DESK)
    desk.goto(reverse("tournaments:director_screens", args=[event.slug]))
    card = desk.locator("li.card", has_text="Right")
    card.get_by_label("Message").fill("Please be seated")
    card.get_by_role("button", name="Message").click()
    asked = monotonic()
    expect(on_right.locator(".message:visible")).to_have_text("Please be seated", timeout=FOLLOWS)
    assert monotonic() - asked < FOLLOWS / 1000
    expect(on_left.locator("h1:visible")).to_have_text("Pairings by table")
    desk.locator("li.card", has_text="Left").get_by_role("button", name="Black").click()
    expect(on_left.locator("h1")).to_have_count(0, timeout=FOLLOWS)
    expect(on_right.locator(".message:visible")).to_have_text("Please be seated")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_all_tables_are_shown_page_by_page_large_enough_for_the_last_row(
    new_page: Callable[..., Page], event, pairing_round, language
):
    screen = screen_of(event, "Hall", language=language, seconds=5)
    page = new_page(viewport=HALL)
    began = timezone.now()
    page.clock.install(time=began)
    page.goto(address(screen))
    expect(page.locator(".page-of")).not_to_be_empty()
    # From here on no time goes by but what the test lets go by.
    page.clock.pause_at(began + timedelta(minutes=1))
    seen: dict[str, list[int]] = {}
    for _ in range(TABLES):
        # Read at one moment: an answer may come between two rows.
        said, rows = page.evaluate(IN_SIGHT)
        for top, bottom, _ in rows:
            assert top >= 0
            assert bottom <= HALL["height"] - 40
        numbers = [_number(text) for *_, text in rows]
        assert seen.setdefault(said, numbers) == numbers
        page.clock.run_for(5_200)
    found = sorted(seen.values())
    assert [number for numbers in found for number in numbers] == list(range(1, TABLES + 1))
    assert len(found) > 2
    # "Page 2 of 3" in whatever order a language has it.
    assert all(len(found) in map(_number, re.findall(r"\d+", said)) for said in seen)
    heights = page.evaluate(CAPITALS)
    assert min(heights) >= LEAST_CAPITALS, heights
    assert page.evaluate(
        "getComputedStyle(document.querySelector('.tongue:not([hidden])')).direction"
    ) == ("rtl" if language == "ar" else "ltr")
    assert page.evaluate(SCROLLS) == [0, 0]


SCROLLS = """() => {
  const whole = document.documentElement;
  return [whole.scrollWidth - whole.clientWidth, whole.scrollHeight - whole.clientHeight];
}"""
# How high capitals and digits are where people look for themselves.
CAPITALS = """() => [...document.querySelectorAll('.name, .table-number')]
  .filter((one) => one.checkVisibility())
  .map((one) => {
    const style = getComputedStyle(one);
    const brush = document.createElement('canvas').getContext('2d');
    brush.font = `${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
    return brush.measureText('H1').actualBoundingBoxAscent;
  })"""


def _number(text: str) -> int:
    """Read a number in digits of any language, whatever stands beside it."""
    return int(re.sub(r"\D", "", text))


def test_two_languages_take_turns(new_page: Callable[..., Page], event, pairing_round):
    PairingRound.objects.get(pk=pairing_round.pk).matches.filter(table__gt=2).delete()
    screen = screen_of(event, "Hall", language="en", second_language="ar", seconds=5)
    page = new_page(viewport=HALL)
    began = timezone.now()
    page.clock.install(time=began)
    page.goto(address(screen))
    expect(page.locator(".tongue.is-on")).to_have_count(1)
    page.clock.pause_at(began + timedelta(minutes=1))
    seen = []
    for _ in range(4):
        language = page.locator(".tongue:visible").get_attribute("lang")
        direction = {"en": "ltr", "ar": "rtl"}[str(language)]
        expect(page.locator("html")).to_have_attribute("lang", str(language))
        expect(page.locator("html")).to_have_attribute("dir", direction)
        seen.append(language)
        page.clock.run_for(5_200)
    assert seen in (["en", "ar"] * 2, ["ar", "en"] * 2)


def test_a_lost_network_leaves_what_is_shown_and_says_so_quietly(
    new_page: Callable[..., Page], event, pairing_round, complaints
):
    screen = screen_of(event, "Hall")
    page = new_page(viewport=HALL)
    page.goto(address(screen))
    expect(page.locator(".table-row:visible").first).to_be_visible()
    page.context.set_offline(True)
    expect(page.locator(".network")).to_contain_text("No network since", timeout=8_000)
    expect(page.locator(".table-row:visible").first).to_be_visible()
    screens.switch_screen(screen, shows="clock", by=event.created_by)
    page.context.set_offline(False)
    expect(page.locator("h1:visible")).to_have_text("Time of day", timeout=8_000)
    expect(page.locator(".network")).to_have_text("")
    assert any("ERR_INTERNET_DISCONNECTED" in one for one in complaints)
    complaints.clear()


def test_a_revoked_address_shows_nothing_any_more(
    new_page: Callable[..., Page], event, pairing_round, complaints
):
    screen = screen_of(event, "Hall")
    page = new_page(viewport=HALL)
    page.goto(address(screen))
    expect(page.locator(".table-row:visible").first).to_be_visible()
    screens.renew_key(screen, by=event.created_by)
    expect(page.locator(".network")).to_contain_text("not valid any more", timeout=FOLLOWS + 1_000)
    expect(page.locator(".table-row")).to_have_count(0)
    assert all("404" in one for one in complaints)
    complaints.clear()


# A bell that is counted instead of heard; the count outlives a page that is loaded again.
BELL = """
  class Tone { frequency = {}; connect() {} stop() {}
    start() { sessionStorage.bells = Number(sessionStorage.bells ?? 0) + 1; } }
  window.AudioContext = class { currentTime = 0; createOscillator() { return new Tone(); }
    resume() { return Promise.resolve(); } };
"""
BELLS = "Number(sessionStorage.bells ?? 0)"


def test_situation_53_a_screen_that_slept_five_minutes_shows_the_same_time(
    new_page: Callable[..., Page], event, pairing_round
):
    began = timezone.now() - timedelta(minutes=5)
    clock.set_clock(pairing_round, minutes=40, starts_at=began, by=event.created_by)
    awake, asleep = new_page(viewport=HALL), new_page(viewport=HALL)
    # The clock of the second device is seven minutes wrong to begin with.
    asleep.clock.install(time=timezone.now() + timedelta(minutes=7))
    for page, name in ((awake, "Awake"), (asleep, "Asleep")):
        page.goto(address(screen_of(event, name, "clock")))
    expect(awake.locator(".time-digits")).to_have_text(re.compile(r"^3[45]:\d\d$"))
    _same_time(awake, asleep)
    # Asleep: no timer fires, and the device wakes with a clock five minutes on.
    with asleep.expect_response(lambda one: one.url.endswith("/now/")):
        asleep.clock.fast_forward("05:00")
    _same_time(awake, asleep)
    # The desk moves the deadline: both count towards the new one.
    clock.set_clock(
        pairing_round, minutes=40, starts_at=began - timedelta(minutes=20), by=event.created_by
    )
    for page in (awake, asleep):
        expect(page.locator(".time-digits")).to_have_text(re.compile(r"^1[45]:\d\d$"))
    _same_time(awake, asleep)


def _same_time(one: Page, other: Page) -> None:
    """Wait until both show what is left, less than a second apart."""

    def left(page: Page) -> float:
        # Between two whole seconds: when the one that is shown appeared.
        page.evaluate(UNTIL_IT_CHANGES)
        minutes, seconds = page.locator(".time-digits").inner_text().split(":")
        return monotonic() + 60 * int(minutes) + int(seconds)

    for _ in range(10):
        apart = abs(left(one) - left(other))
        if apart < 1:
            return
    raise AssertionError(f"The screens are {apart} seconds apart.")


UNTIL_IT_CHANGES = """() => new Promise((done) => {
  const watch = new MutationObserver(() => { watch.disconnect(); done(); });
  const digits = document.querySelector('.time-digits');
  watch.observe(digits, { childList: true, characterData: true, subtree: true });
})"""


def test_situation_53_the_end_of_forty_minutes_rings_once_on_one_screen(
    new_page: Callable[..., Page], event, pairing_round
):
    quiet, loud = new_page(viewport=HALL), new_page(viewport=HALL)
    for page in (quiet, loud):
        page.add_init_script(BELL)
    quiet.goto(address(screen_of(event, "Quiet", "clock")))
    loud.goto(address(screen_of(event, "Loud", rings=True)))
    loud.keyboard.press("Enter")
    began = timezone.now() - timedelta(minutes=40) + timedelta(seconds=4)
    clock.set_clock(pairing_round, minutes=40, starts_at=began, by=event.created_by)
    for page in (quiet, loud):
        expect(page.locator(".time-label:visible")).to_have_text("Time is over")
    assert [page.evaluate(BELLS) for page in (quiet, loud)] == [0, 1]
    with loud.expect_response(lambda one: one.url.endswith("/now/")):
        loud.reload()
    expect(loud.locator(".time-label:visible")).to_have_text("Time is over")
    assert [page.evaluate(BELLS) for page in (quiet, loud)] == [0, 1]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_desk_of_the_screens_fits_a_phone_and_everybody_can_use_it(
    new_page: Callable[..., Page], event, pairing_round, language
):
    for name in ("Left", "Right"):
        screen_of(event, name)
    for viewport in (PHONE, DESK):
        page = new_page(user=event.created_by, language=language, viewport=viewport)
        page.goto(reverse("tournaments:director_screens", args=[event.slug]))
        page.evaluate(
            "for (const one of document.querySelectorAll('main details')) one.open = true"
        )
        wider = "document.documentElement.scrollWidth - document.documentElement.clientWidth"
        assert page.evaluate(wider) <= 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_a_screen_reads_well_in_the_accessibility_tree(
    new_page: Callable[..., Page], event, pairing_round
):
    page = new_page(viewport=HALL)
    for shows in ("tables", "names", "standings", "clock", "calls", "featured"):
        page.goto(address(screen_of(event, shows, shows)))
        expect(page.locator("h1:visible")).to_have_count(1)
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()
    page.goto(address(screen_of(event, "again")))
    row = page.locator(".table-row:visible").first
    expect(row).to_contain_text(re.compile(r"Table\s+1\s+A\s"))


def test_an_overlay_paints_nothing_but_its_lower_third(
    new_page: Callable[..., Page], event, pairing_round
):
    screen = screen_of(event, "Stream", "black")
    page = new_page(viewport=HALL)
    page.goto(reverse("referee:overlay", args=[screen.key]))
    expect(page.locator(".block")).to_have_count(0)
    screens.switch_screen(screen, shows="featured", by=event.created_by)
    third = page.locator(".lower-third")
    expect(third).to_be_visible(timeout=FOLLOWS + 1_000)
    box = third.bounding_box()
    assert box is not None
    assert box["x"] >= HALL["width"] / 20
    assert box["x"] + box["width"] <= HALL["width"] * 19 / 20
    assert box["y"] > HALL["height"] * 2 / 3
    assert box["y"] + box["height"] <= HALL["height"] * 19 / 20
    for part in ("document.documentElement", "document.body", "document.querySelector('main')"):
        assert page.evaluate(f"getComputedStyle({part}).backgroundColor") == "rgba(0, 0, 0, 0)"
