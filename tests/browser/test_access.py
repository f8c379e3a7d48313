"""Public pages for everybody: enlarged, narrow, without colours, by keys alone, read aloud."""

from __future__ import annotations

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import Page, expect

from referee.models import RoundRecord
from tests.browser.conftest import DESK, PHONE
from tests.browser.test_axe_referee import AT_ONCE
from tests.draft_event import DraftEvent, draft_event, drafted
from tests.referee.conftest import write
from tournaments.models import Player, Screen, Stage
from tournaments.queries.brackets import bracket_page
from tournaments.services import pairings

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

# A page of 1280 pixels at 400 %.
NARROW = {"width": 320, "height": 640}
HALL = {"width": 1280, "height": 720}
TWICE = AT_ONCE.replace(
    "*, *::before, *::after { transition: none !important; }",
    "html { font-size: 200% !important; }",
)
# Children of a closed menu are laid out, but nowhere.
OUTSIDE = """() => [...document.querySelectorAll("body *")]
  .filter((one) => one.checkVisibility({ contentVisibilityAuto: true }))
  .filter((one) => !one.closest(".visually-hidden, .skip-link, svg, .tabs"))
  // What is wide by its nature is moved within itself.
  .filter((one) => !one.parentElement.closest(".bracket, .table-wrap, .commands"))
  .filter((one) => {
    const { left, right, width } = one.getBoundingClientRect();
    return width > 0 && (left < -1 || right > document.documentElement.clientWidth + 1);
  })
  .map((one) => `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""
CUT_OFF = """() => [...document.querySelectorAll("main *")]
  .filter((one) => one.checkVisibility() && !one.closest(".visually-hidden, svg"))
  .filter((one) => ["hidden", "clip"].includes(getComputedStyle(one).overflowX))
  .filter((one) => one.scrollWidth > one.clientWidth + 2 && one.clientWidth > 1)
  .map((one) => `${one.tagName} ${one.className}: ${one.textContent.trim().slice(0, 40)}`)"""
MOVING = """() => document.getAnimations()
  .map((one) => one.effect.getComputedTiming())
  .filter((one) => one.iterations > 1 || one.duration > 10)
  .length"""
# Where the reader is: the thing, whether it is marked, and how much of it nothing lies over.
FOCUSED = """() => {
  const one = document.activeElement;
  if (one === document.body) return null;
  const { left, top, width, height } = one.getBoundingClientRect();
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const parts = [0.1, 0.5, 0.9];
  const seen = parts.flatMap((x) => parts.map((y) => [left + width * x, top + height * y]))
    .map(([x, y]) => document.elementFromPoint(x, y))
    .filter((at) => at && (one.contains(at) || one.labels?.[0]?.contains(at)));
  return {
    name: `${one.tagName} ${one.className} ${one.textContent.trim().slice(0, 30)}`,
    marked: outlineStyle !== "none" && parseFloat(outlineWidth) >= 2,
    seen: seen.length,
  };
}"""


@pytest.fixture
def event() -> DraftEvent:
    """A Swiss with a table in play, and a bracket with a bye and a match to come."""
    made = draft_event()
    write(RoundRecord.objects.get(), "A 6-6\nB pass\nC 6-5", made.tournament.created_by)
    drafted(made)
    for draft in made.drafts():
        pairings.publish(draft, by=made.tournament.created_by)
    return made


def bracket_of(event: DraftEvent) -> Stage:
    return Stage.objects.select_related("tournament").get(tournament=event.tournament, number=2)


def pages(event: DraftEvent) -> list[str]:
    match = RoundRecord.objects.get().match_id
    player = Player.objects.earliest("pk")
    return [
        "/t/nile/",
        "/t/nile/bracket/2/",
        "/t/nile/bracket/2/?entry=1",
        "/t/nile/standings/?by=club",
        "/t/nile/rounds/1/1/proof/",
        "/t/nile/files/",
        "/t/nile/register/",
        "/t/nile/statistics/",
        "/search/?q=player",
        f"/players/{player.pk}/",
        f"/clubs/{player.club_id}/",
        "/ratings/",
        "/check/",
        reverse("referee:moves", args=[match]),
        reverse("referee:embedded_moves", args=[match]),
    ]


def axe(page: Page, where: str, *rules: str) -> list[str]:
    found = Axe().run(page, options={"runOnly": list(rules)} if rules else None)
    return [
        f"{where}: {one['id']}: {one['nodes'][0]['html'][:160]}"
        for one in found.response["violations"]
    ]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_at_four_times_the_size_every_page_is_whole_and_usable(new_page, event, language):
    page = new_page(language=language, viewport=NARROW)
    found: list[str] = []
    for address in pages(event):
        page.goto(address)
        page.evaluate(AT_ONCE)
        found += [f"{address}: outside: {one}" for one in page.evaluate(OUTSIDE)[:3]]
        if page.evaluate(MOVING):
            found.append(f"{address}: moves, though little motion is asked for")
        found += axe(page, address)
        page.emulate_media(color_scheme="dark")
        found += axe(page, f"{address}, dark", "color-contrast")
        page.emulate_media(color_scheme="light")
    # A menu that opens is on the page too.
    page.goto("/t/nile/")
    page.locator("summary").first.click()
    found += [f"the menu of languages: {one}" for one in page.evaluate(OUTSIDE)[:3]]
    assert found == [], "\n".join(found)


def test_letters_of_twice_the_size_are_not_cut_off(new_page, event):
    page = new_page(viewport=DESK)
    found: list[str] = []
    for address in pages(event):
        page.goto(address)
        page.evaluate(TWICE)
        for what in (OUTSIDE, CUT_OFF):
            found += [f"{address}: {one}" for one in page.evaluate(what)[:3]]
    assert found == [], "\n".join(found)


def test_no_screen_of_a_hall_and_no_overlay_has_a_violation(new_page, event):
    page = new_page(viewport=HALL)
    found: list[str] = []
    # Where all is black there is nothing to read.
    for shows in set(Screen.Shows.values) - {"black"}:
        page.goto(f"/screen/key-{shows}/")
        found += axe(page, shows)
    page.goto("/screen/key-featured/overlay/")
    found += axe(page, "overlay")
    assert found == [], "\n".join(found)


def test_in_colours_of_the_system_nothing_disappears(new_page, event):
    page = new_page(viewport=DESK)
    page.emulate_media(forced_colors="active")
    match = RoundRecord.objects.get().match_id
    page.goto(reverse("referee:moves", args=[match]) + "?round=1&move=1")
    page.locator(".line-drawing .face").first.wait_for(state="attached")
    drawn = """(names) => names.map((name) => {
      const one = document.querySelector(name);
      const { stroke, fill, outlineStyle, outlineWidth } = getComputedStyle(one);
      const ground = getComputedStyle(document.body).backgroundColor;
      return [name, stroke !== ground && stroke !== "none", `${outlineStyle} ${outlineWidth}`];
    })"""
    for name, seen, _ in page.evaluate(drawn, [".line-drawing .face", ".line-drawing .pips"]):
        assert seen, name
    page.goto("/t/nile/rounds/1/2/")
    marked = '.tabs [aria-current], .round-bar [aria-current="page"]'
    for name, _, outline in page.evaluate(drawn, marked.split(", ")):
        assert outline == "solid 3px", name
    for _ in range(12):
        page.keyboard.press("Tab")
        at = page.evaluate(FOCUSED)
        assert at["marked"], at
    page.goto("/t/nile/bracket/2/")
    edge = "getComputedStyle(document.querySelector('.bracket-meeting')).borderStyle"
    assert "solid" in page.evaluate(edge)


@pytest.mark.parametrize("name", ["moves", "pairings"])
def test_who_goes_by_keys_sees_where_they_are_above_and_below_what_stays(new_page, event, name):
    page = new_page(viewport=PHONE | {"height": 480})
    address = "/t/nile/rounds/1/2/"
    if name == "moves":
        address = reverse("referee:moves", args=[RoundRecord.objects.get().match_id])
    page.goto(address)
    page.evaluate(AT_ONCE)
    for key in ("Tab", "Shift+Tab"):
        for _ in range(40):
            page.keyboard.press(key)
            at = page.evaluate(FOCUSED)
            if at is None:
                break
            assert (at["marked"], at["seen"] > 0) == (True, True), (key, at)


def test_by_keys_alone_a_way_through_the_bracket_a_table_and_a_language_are_found(new_page, event):
    page = new_page(viewport=DESK)

    def reach(name: str) -> None:
        for _ in range(60):
            page.keyboard.press("Tab")
            if page.evaluate("(name) => document.activeElement.matches(name)", name):
                return
        raise AssertionError(f"not reached: {name}")

    page.goto("/t/nile/bracket/2/")
    reach("#path")
    page.keyboard.press("ArrowDown")
    reach(".path-form button")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"\?entry=2$"))
    expect(page.get_by_role("link", name="The whole bracket")).to_be_visible()
    page.goto("/t/nile/rounds/1/2/")
    reach('input[type="search"]')
    page.keyboard.type("player")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"q=player"))
    reach('a[href*="by=name"]')
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"by=name"))
    page.goto("/search/")
    reach("main input")
    page.keyboard.type("player")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"q=player"))
    reach(".menu > summary")
    page.keyboard.press("Enter")
    reach('.menu-item[lang="es"], .menu button[value="es"]')
    page.keyboard.press("Enter")
    expect(page.locator("html")).to_have_attribute("lang", "es")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_a_bracket_is_read_meeting_by_meeting_in_whole_sentences(new_page, event, language):
    stage = bracket_of(event)
    with override(language):
        shown = bracket_page(stage)
        assert shown is not None
        columns = shown.parts[0].columns
    said = [
        text
        for column in columns
        for text in (column.title, *(one.sentence for one in column.meetings))
    ]
    page = new_page(language=language)
    page.goto("/t/nile/bracket/2/")
    tree = page.get_by_role("main").aria_snapshot()
    at = 0
    for one in said:
        at = tree.find(one, at)
        assert at >= 0, one
    sentences = " ".join(said)
    if language == "en":
        assert "Winner of table 8821" in sentences
        assert "Winner of W1.1" in sentences
    else:
        assert re.search(r"[a-z]{4}", re.sub(r"Entry|Zanzibar", "", sentences)) is None
