"""Results typed at a desk with a keyboard alone, and clocks that agree."""

from __future__ import annotations

from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from playwright.sync_api import Route

from tests.browser.conftest import DESK, PHONE
from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    PlayerFactory,
    TournamentFactory,
)
from tournaments.models import LogEntry, Match, Tournament
from tournaments.services import clock, scores

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ROUND = "/desk/nile/results/1/1/"
LONG = ("Abd al-Rahman al-Mansouri", "Mohammed Hassan el-Sayed")


@pytest.fixture
def tables() -> list[Match]:
    tournament = TournamentFactory.create(slug="nile", state=Tournament.State.RUNNING)
    pairing_round = PairingRoundFactory.create(stage__tournament=tournament)
    matches = []
    for _ in range(4):
        pairs = []
        for _ in range(2):
            players = [PlayerFactory.create(name=name) for name in LONG]
            name = " / ".join(LONG)
            pairs.append(EntryFactory.create(tournament=tournament, name=name, players=players))
        matches.append(MatchFactory.create(pairing_round=pairing_round, entries=pairs))
    return matches


def director(match):
    return match.pairing_round.stage.tournament.created_by


def enter(page):
    with page.expect_response(lambda answer: answer.status != 302):
        page.keyboard.press("Enter")


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_table_enter_score_enter_next(new_page, tables, viewport):
    page = new_page(user=director(tables[0]), viewport=viewport)
    page.goto(ROUND)
    for number, points in ((2, ("105", "60")), (3, ("80", "101"))):
        page.keyboard.type(str(number))
        assert LONG[0] in page.locator("[data-table-names]").inner_text()
        enter(page)
        page.keyboard.type(points[0])
        page.keyboard.press("Enter")
        page.keyboard.type(points[1])
        enter(page)
    page.get_by_text("Table 3: 80–101 is stored.").wait_for()
    assert scores.score_of(Match.objects.get(table=2)) == {"AC": 105, "BD": 60}


def test_nobody_waits_for_a_page_between_two_sheets(new_page, tables):
    page = new_page(user=director(tables[0]), viewport=DESK)
    page.route("**/results/**", slowly)
    page.goto(ROUND)
    for key in "2⏎105⏎60⏎3⏎80 101⏎":
        page.keyboard.press("Enter" if key == "⏎" else "Space" if key == " " else key)
        page.wait_for_timeout(40)
    page.get_by_text("Table 3: 80–101 is stored.").wait_for()
    assert scores.score_of(Match.objects.get(table=2)) == {"AC": 105, "BD": 60}
    assert scores.score_of(Match.objects.get(table=3)) == {"AC": 80, "BD": 101}


def test_what_was_typed_ahead_does_not_answer_a_question(new_page, tables, complaints):
    page = new_page(user=director(tables[0]), viewport=DESK)
    page.goto(ROUND)
    for key in "2⏎12⏎7⏎⏎":
        page.keyboard.press("Enter" if key == "⏎" else key)
    page.get_by_role("button", name="Store all the same").wait_for()
    assert Match.objects.get(table=2).state != Match.State.CLOSED
    complaints.clear()  # the browser notes the 422 itself


def slowly(route: Route) -> None:
    route.request.frame.page.wait_for_timeout(300)
    route.continue_()


def test_results_are_typed_without_scripts(new_page, tables):
    page = new_page(user=director(tables[0]), viewport=DESK, scripts=False)
    page.goto(ROUND)
    page.keyboard.type("4")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    # No hand is faster than the page that comes; a test is.
    page.locator("input:focus").wait_for()
    page.keyboard.type("105 60")
    with page.expect_navigation():
        page.keyboard.press("Enter")
    page.get_by_text("Table 4: 105–60 is stored.").wait_for()


def test_a_doubt_is_answered_by_enter(new_page, tables, complaints):
    page = new_page(user=director(tables[0]), viewport=DESK)
    page.goto(ROUND + "?table=1")
    page.keyboard.type("90-60")
    enter(page)
    page.get_by_text("Nobody reached 100 at table 1.").wait_for()
    enter(page)
    page.get_by_text("Table 1: 90–60 is stored.").wait_for()
    # The browser notes that the first press was answered with 422.
    complaints.clear()


def test_situation_53_two_clocks_agree_and_the_end_rings_once(new_page, tables):
    pairing_round = tables[0].pairing_round
    begun = timezone.now() - timedelta(minutes=40) + timedelta(seconds=4)
    clock.set_clock(pairing_round, minutes=40, starts_at=begun, by=director(tables[0]))
    pages = [new_page(viewport=DESK), new_page(user=director(tables[0]), viewport=PHONE)]
    # A device whose own clock is ten minutes wrong shows the same time.
    pages[1].add_init_script("const real = Date.now; Date.now = () => real() + 600000;")
    for page, address in zip(pages, ("/t/nile/rounds/1/1/", ROUND), strict=True):
        page.add_init_script(
            "window.rung = 0; const real_audio = window.AudioContext;"
            "window.AudioContext = function () { window.rung += 1; return new real_audio(); };"
        )
        page.goto(address)
    for page in pages:
        page.locator(".clock.over").wait_for()
        page.wait_for_timeout(600)
        assert page.evaluate("window.rung") == 1
        page.reload()
        page.locator(".clock.over").wait_for()
        page.wait_for_timeout(600)
        assert page.evaluate("window.rung") == 0


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_pages_of_results_are_for_everybody(new_page, tables, language, viewport):
    by = director(tables[0])
    scores.record_score(tables[0], points={"AC": 105, "BD": 60}, by=by)
    clock.set_clock(tables[0].pairing_round, minutes=40, by=by)
    line = LogEntry.objects.get(act="result").pk
    closed = tables[0].pk
    page = new_page(user=by, viewport=viewport, language=language)
    for address in (
        ROUND, ROUND + "?table=2", ROUND + "?table=1", ROUND + "clock/", "/desk/nile/log/",
        f"/desk/nile/log/{line}/undo/", f"/desk/nile/tables/{closed}/reopen/",
        f"/desk/nile/tables/{closed}/swap/", f"/desk/nile/tables/{closed}/replay/",
        f"/desk/nile/tables/{tables[1].pk}/left/", "/desk/nile/entries/3/disqualify/",
    ):  # fmt: skip
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"], address
        found = Axe().run(page).response["violations"]
        assert [(one["id"], address) for one in found] == []
