"""What the design promises in a real browser: one drawing, language, colours."""

from __future__ import annotations

import random
from dataclasses import asdict, dataclass

import pytest

from engine.tiles import TILES
from tests.browser.conftest import DESK, PHONE
from tournaments.drawing import line_svg, pips_svg, tile_svg

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
WIDTHS = (7, 9, 12, 26)


@dataclass(frozen=True)
class Laid:
    left: int
    right: int
    event: int
    standing: bool = False


def some_line(chance: random.Random) -> list[Laid]:
    """A line as it grows at a table, at either end, until nothing fits or chance stops it."""
    tiles = chance.sample(TILES, len(TILES))
    first = tiles.pop()
    line = [Laid(first.low, first.high, 1)]
    for event in range(2, chance.randint(2, 29)):
        left, right = line[0].left, line[-1].right
        fitting = [tile for tile in tiles if tile.has(left) or tile.has(right)]
        if not fitting:
            break
        tile = chance.choice(fitting)
        tiles.remove(tile)
        if tile.has(right):
            line.append(Laid(right, tile.other_half(right), event, chance.random() < 0.1))
        else:
            line.insert(0, Laid(tile.other_half(left), left, event))
    return line


def test_page_and_server_draw_the_same(new_page):
    chance = random.Random(28)
    lines = [some_line(chance) for _ in range(60)]
    page = new_page()
    page.goto("/login/")
    drawn = page.evaluate(
        """async ([lines, widths]) => {
          const { lineOfPlay, tileSvg, pipsSvg } = await import("/static/tournaments/tiles.js");
          return [
            lines.map((line) => widths.map((width) => lineOfPlay(line, width))),
            tileSvg(6, 3, { label: 'six & "three"' }),
            tileSvg(0, 5, { vertical: true, size: "small" }),
            [0, 1, 2, 3, 4, 5, 6].map((number) => pipsSvg(number, String(number))),
          ];
        }""",
        [[[asdict(laid) for laid in line] for line in lines], WIDTHS],
    )
    assert drawn == [
        [[line_svg(line, width=width) for width in WIDTHS] for line in lines],
        tile_svg(6, 3, label='six & "three"'),
        tile_svg(0, 5, label="", vertical=True, size="small"),
        [pips_svg(number, label=str(number)) for number in range(7)],
    ]


@pytest.mark.parametrize("scripts", [True, False])
def test_a_reader_changes_the_language_with_and_without_scripts(new_page, scripts):
    page = new_page(viewport=PHONE, scripts=scripts)
    page.goto("/login/?next=/")
    page.locator("summary").first.click()
    page.get_by_role("button", name="العربية").click()
    page.wait_for_url("**/login/?next=/")
    assert page.locator("html").get_attribute("dir") == "rtl"


def test_a_reader_chooses_dark_colours_and_keeps_them(new_page):
    page = new_page(viewport=DESK)
    page.goto("/login/")
    ground = "getComputedStyle(document.body).backgroundColor"
    light = page.evaluate(ground)
    toggle = page.locator(".theme-toggle")
    toggle.click()
    assert page.evaluate(ground) == light
    toggle.click()
    page.wait_for_function(f"{ground} !== '{light}'")
    page.reload()
    assert page.evaluate(ground) != light
    assert toggle.get_attribute("aria-label") == "Dark colours"


def test_escape_closes_a_menu_and_returns_to_its_button(new_page):
    page = new_page(viewport=DESK)
    page.goto("/login/")
    page.locator("summary").first.focus()
    page.keyboard.press("Enter")
    assert page.get_by_role("button", name="Español").is_visible()
    page.keyboard.press("Escape")
    assert not page.get_by_role("button", name="Español").is_visible()
    assert page.evaluate("document.activeElement.tagName") == "SUMMARY"


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_the_search_of_a_page_not_found_is_one_line_high(new_page, complaints, viewport):
    page = new_page(viewport=viewport)
    page.goto("/t/nothing-of-this-name/")
    complaints.clear()
    assert page.locator("main input[type=search]").bounding_box()["height"] < 60


def test_header_content_and_footer_begin_at_the_same_line(new_page):
    page = new_page(viewport={"width": 1600, "height": 900})
    page.goto("/")
    lines = [
        page.locator(part).first.bounding_box()["x"]
        for part in (".brand", "main h1", ".page-footer p")
    ]
    assert max(lines) - min(lines) < 1


def test_an_empty_search_is_read_from_the_side_of_the_page(new_page):
    page = new_page(viewport=PHONE, language="ar")
    page.goto("/search/")
    field = page.locator("main input[type=search]")
    direction = "field => getComputedStyle(field).direction"
    assert field.evaluate(direction) == "rtl"
    field.fill("Núñez")
    assert field.evaluate(direction) == "ltr"
