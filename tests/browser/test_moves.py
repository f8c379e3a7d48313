"""A match move by move in a browser: by keys, by itself, unseen, in a frame, without a script."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from django.utils.translation import override
from playwright.sync_api import Page, expect

from referee.moves import match_moves
from referee.queries.records import matches
from referee.services import records as services
from tests import factories
from tests.browser.conftest import DESK, PHONE
from tests.referee.conftest import write
from tests.referee.timed import HANDS, PLAYED, timed
from tournaments.digits import local_digits
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

SCRIPT = Path("referee/static/referee/moves.js")
LAST = 28


@pytest.fixture
def match() -> Match:
    """A match of two rounds, with an infraction, a slip of the pen and two passes."""
    tournament = factories.TournamentFactory.create(state="running", slug="cairo")
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(stage=stage, state="playing")
    names = ("Rosa", "عمر", "Lin", "سارة")
    players = [factories.PlayerFactory.create(name=name) for name in names]
    entries = [
        factories.EntryFactory.create(tournament=tournament, players=players[:2]),
        factories.EntryFactory.create(tournament=tournament, players=players[2:]),
    ]
    match = factories.MatchFactory.create(pairing_round=pairing_round, entries=entries)
    by = tournament.created_by
    services.open_match(match, by=by)
    record = services.open_round(match, number=0, opener="A", hands=HANDS, by=by)
    write(record, timed(PLAYED)[0], by)
    again = services.open_round(match, number=1, opener="A", hands=HANDS, by=by)
    write(again, ["A 6-6", "B 6-4"], by)
    return match


@pytest.fixture
def another_site() -> Iterator[Callable[[str], str]]:
    """Serve one page at an address that is not this site's, and return that address."""
    servers: list[ThreadingHTTPServer] = []

    def serve(content: str) -> str:
        class Page(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "text/html; charset=utf-8")
                self.end_headers()
                self.wfile.write(content.encode())

            def log_message(self, *_: object) -> None:
                """Say nothing."""

        server = ThreadingHTTPServer(("127.0.0.1", 0), Page)
        servers.append(server)
        Thread(target=server.serve_forever, daemon=True).start()
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server in servers:
        server.shutdown()
        server.server_close()


def address(match: Match, name: str = "moves", query: str = "?round=1&move=0") -> str:
    return reverse(f"referee:{name}", args=[match.pk]) + query


def at(page: Page, step: int, round_number: int = 1) -> None:
    """Expect the page, and its address, to be at a step."""
    expect(page).to_have_url(re.compile(rf"\?round={round_number}&move={step}(#moves)?$"))
    expect(page.locator(".moves-list [aria-current]")).to_have_attribute("data-step", str(step))
    expect(page.locator("#moves-slider")).to_have_value(str(step))


def test_the_script_is_small():
    assert len(SCRIPT.read_bytes()) < 10_000


@pytest.mark.parametrize(
    ("language", "ahead", "behind"),
    [("en", "ArrowRight", "ArrowLeft"), ("ar", "ArrowLeft", "ArrowRight")],
)
def test_keys_go_in_the_direction_of_reading(new_page, match, language, ahead, behind):
    page = new_page(language=language)
    page.goto(address(match))
    at(page, 0)
    for _ in range(3):
        page.keyboard.press(ahead)
    at(page, 3)
    page.keyboard.press(behind)
    at(page, 2)
    page.keyboard.press("End")
    at(page, LAST)
    page.keyboard.press("Home")
    at(page, 0)
    # The slider goes the same way as the page does.
    page.locator("#moves-slider").focus()
    page.keyboard.press(ahead)
    at(page, 1)
    page.keyboard.press(behind)
    at(page, 0)


def test_every_button_can_be_reached_and_pressed_by_keys(new_page, match):
    page = new_page()
    page.goto(address(match))
    for name, step in (("Next", 1), ("Next", 2), ("Back", 1), ("To the end of the round", LAST)):
        link = page.get_by_role("link", name=name, exact=True)
        link.focus()
        page.keyboard.press("Enter")
        at(page, step)
        expect(link).to_be_focused()
    page.get_by_role("link", name="To the beginning of the round").focus()
    page.keyboard.press("Enter")
    at(page, 0)
    play = page.get_by_role("button", name="Play by itself")
    play.focus()
    page.keyboard.press("Tab")
    expect(page.get_by_label("Speed")).to_be_focused()


def test_a_round_goes_on_in_the_one_beside_it(new_page, match):
    page = new_page()
    page.goto(address(match, query=f"?round=1&move={LAST}"))
    page.keyboard.press("ArrowRight")
    at(page, 0, round_number=2)
    page.keyboard.press("ArrowLeft")
    at(page, LAST)


def test_it_plays_by_itself_until_the_end_or_until_stopped(new_page, match):
    page = new_page()
    page.goto(address(match, query=f"?round=1&move={LAST - 2}"))
    page.get_by_label("Speed").select_option("fast")
    page.get_by_role("button", name="Play by itself").click()
    expect(page.get_by_role("button", name="Stop")).to_have_attribute("aria-pressed", "true")
    at(page, LAST)
    expect(page.get_by_role("button", name="Play by itself")).to_have_attribute(
        "aria-pressed", "false"
    )
    page.get_by_role("button", name="Play by itself").click()
    at(page, 1)
    page.get_by_role("button", name="Stop").click()
    stopped = page.url
    page.keyboard.press("ArrowRight")
    assert page.url != stopped
    expect(page.get_by_role("button", name="Play by itself")).to_be_visible()


def test_the_address_of_a_move_opens_at_that_move(new_page, match):
    page = new_page()
    page.goto(address(match))
    page.locator("#moves-slider").fill("14")
    at(page, 14)
    link = page.get_by_role("link", name="Link to this move").get_attribute("href")
    assert link == "?round=1&move=14#moves"
    other = new_page()
    other.goto(address(match, query=str(link)))
    at(other, 14)
    assert other.url.endswith("move=14#moves")
    assert other.locator("#moves-said").inner_text() == page.locator("#moves-said").inner_text()
    expect(other.locator(".moves .line-of-play")).to_be_in_viewport()


@pytest.mark.parametrize("language", ["en", "ar"])
def test_every_move_is_announced_as_whole_sentences_in_the_language_of_the_page(
    new_page, match, language
):
    director = match.pairing_round.stage.tournament.created_by
    with override(language):
        found = match_moves(matches().get(pk=match.pk), director, {"round": "1"}).round
        assert found is not None
        said = [found.opening] + [
            " ".join([local_digits(move.sentence), *filter(None, [move.tells])])
            for move in found.moves
            if move.step is not None
        ]
    page = new_page(language=language)
    page.goto(address(match))
    status = page.locator("#moves-said")
    expect(status).to_have_attribute("aria-live", "polite")
    for step, sentence in enumerate(said):
        expect(status).to_have_text(sentence)
        assert sentence.endswith("."), sentence
        if step < len(said) - 1:
            page.keyboard.press("ArrowLeft" if language == "ar" else "ArrowRight")


def test_what_is_at_a_move_is_what_the_accessibility_tree_tells(new_page, match):
    page = new_page()
    page.goto(address(match, query="?round=1&move=3"))
    tree = page.get_by_role("main").aria_snapshot()
    assert "plays four-two." in tree
    assert tree.count("Open ends:") == 1
    assert "Open ends: 6 on the left, 2 on the right." in tree
    line = page.get_by_role("list", name="Line of play, from left to right")
    expect(line.get_by_role("listitem")).to_have_text(["double six", "six-four", "four-two"])
    hands = page.get_by_role("list", name="Hands").get_by_role("listitem")
    expect(hands).to_have_count(4)
    own = hands.filter(has_text="Rosa")
    expect(own.get_by_role("img")).to_have_count(6)
    assert "double six" not in own.aria_snapshot()
    page.keyboard.press("End")
    expect(own.get_by_role("img")).to_have_count(1)
    expect(own).to_contain_text("no 0")
    table = page.get_by_role("table")
    expect(table.get_by_role("row")).to_have_count(3)


def test_a_page_opened_without_a_move_stays_at_its_top(new_page, match):
    page = new_page()
    page.goto(address(match, query=""))
    expect(page.locator("#moves-slider")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    assert page.url.endswith("/moves/")


def test_without_a_script_every_move_is_a_link(new_page, match):
    page = new_page(scripts=False)
    page.goto(address(match))
    expect(page.locator(".moves-auto")).to_be_hidden()
    expect(page.locator(".moves-slide")).to_be_hidden()
    for step in (1, 2):
        page.get_by_role("link", name="Next", exact=True).click()
        expect(page).to_have_url(re.compile(rf"move={step}#moves$"))
    expect(page.locator("#moves-said")).to_have_text(re.compile("plays six-four"))
    expect(page.locator(".line-drawing:visible g.laid:visible")).to_have_count(2)
    page.get_by_role("link", name="14", exact=True).click()
    expect(page.locator(".moves-list [aria-current]")).to_have_attribute("data-step", "14")


def test_it_stands_in_a_frame_of_another_site_and_nothing_else_of_this_one_does(
    new_page, match, live_server, another_site, complaints
):
    page = new_page(viewport=DESK)
    frame = '<iframe id="{}" width="700" height="800" src="{}"></iframe>'
    frames = "".join(
        frame.format(name, live_server.url + address(match, name))
        for name in ("embedded_moves", "moves")
    )
    page.goto(another_site(f"<!doctype html><title>Club</title>{frames}"))
    inside = page.frame_locator("#embedded_moves")
    expect(inside.get_by_role("heading", name="Round 1")).to_be_visible()
    inside.get_by_role("link", name="Next", exact=True).click()
    expect(inside.locator(".moves-list [aria-current]")).to_have_attribute("data-step", "1")
    expect(page.frame_locator("#moves").get_by_role("heading", name="Round 1")).to_have_count(0)
    assert complaints
    assert all("frame" in one.lower() for one in complaints)
    complaints.clear()


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ar", "dark")])
@pytest.mark.parametrize("name", ["moves", "embedded_moves"])
def test_it_is_usable_by_everybody_and_fits_a_phone_and_a_desk(
    new_page, match, language, scheme, name
):
    for viewport in (PHONE, DESK):
        page = new_page(language=language, scheme=scheme, viewport=viewport)
        page.goto(address(match, name, query="?round=1&move=26"))
        wider = page.evaluate("document.documentElement.scrollWidth - innerWidth")
        assert wider <= 0, viewport
        page.evaluate(
            "for (const one of document.querySelectorAll('main details')) one.open = true"
        )
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_enlarged_to_twice_its_size_it_still_fits(new_page, match):
    page = new_page(viewport={"width": 320, "height": 640})
    page.goto(address(match, query="?round=1&move=26"))
    assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
