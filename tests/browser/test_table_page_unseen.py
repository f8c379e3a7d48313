"""The page for those who do not see it: the accessibility tree alone, gestures, sentences."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from engine.events import Sheet
from engine.notation import parse_line
from engine.profiles import Rules
from referee.models import RecordedEvent
from referee.services import records as services
from tests.browser.by_tree import LANGUAGE, ByTree
from tests.browser.conftest import PHONE
from tests.browser.played_table import (
    Incident,
    dealt,
    holder_of_highest_double,
    play_round,
    played_out,
)
from tests.browser.referees import ByTaps
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=300)
    stage = StageFactory.create(tournament=tournament)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


@pytest.mark.parametrize("seed", [11])
def test_a_round_is_recorded_through_the_accessibility_tree_alone_in_arabic(
    new_page, match, rosa, seed
):
    table = ByTree(new_page(user=rosa, viewport=PHONE, language=LANGUAGE), match)
    hands = dealt(seed)
    table.sit_down()
    table.start_round(holder_of_highest_double(hands))
    play_round(table, hands, Incident.TOUCH)

    one = table.state.rounds[0]
    assert one.winner is not None
    assert [kind.kind for kind in table.state.infractions] == ["touch"]
    tree = table.page.get_by_role("main").aria_snapshot()
    assert table.words["result_of"].split("%")[0].strip() in tree
    # Every act was said: the last ones still stand in the live region.
    assert "log" in table.page.locator("body").aria_snapshot()


def swipe(page: Page, fingers: int, x: int, y: int) -> None:
    """Move some fingers over the screen, as a real touch."""
    touch = page.context.new_cdp_session(page)
    for step in range(6):
        points = [
            {"x": 150 + 40 * finger + x * step // 5, "y": 400 + y * step // 5, "id": finger}
            for finger in range(fingers)
        ]
        kind = "touchMove" if step else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.parametrize("fingers", [2, 3])
def test_swipes_of_several_fingers_tell_turn_and_table(new_page, match, rosa, fingers):
    record = services.open_round(services.open_match(match, by=rosa), number=0, opener="A", by=rosa)
    services.append_event(record, number=0, event=parse_line("A 6-6"), by=rosa)
    table = ByTaps(new_page(user=rosa, viewport=PHONE), match)
    table.page.wait_for_selector(".recorder-more")
    said = table.page.locator("#announcer")
    swipe(table.page, fingers, 0, -150)
    expect(said).to_contain_text("seat B, is to play.")
    swipe(table.page, fingers, -120, 0)
    expect(said).to_contain_text("Open ends: left 6, right 6.")
    swipe(table.page, fingers, 0, 150)
    expect(said).to_contain_text("There is nothing to draw from now.")


@pytest.mark.parametrize("language", ["en", "ar"])
def test_what_the_page_adds_is_usable_by_everybody(new_page, match, rosa, language):
    record = services.open_round(services.open_match(match, by=rosa), number=0, opener="A", by=rosa)
    for number, line in enumerate(("A 6-6", "B leaves robot", "time over")):
        services.append_event(record, number=number, event=parse_line(line), by=rosa)
    table = ByTaps(new_page(user=rosa, viewport=PHONE, language=language), match)
    table.press('[data-key="move-timer"]')
    table.press('[data-key="log"]')
    table.press('[data-key="timer-settings"]')
    accessible(table.page)
    table.press('[data-key="back-0"]')
    accessible(table.page)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_last_stages_are_usable_by_everybody(new_page, match, rosa, language):
    tournament = match.pairing_round.stage.tournament
    tournament.rules = Rules.of("femundo", 200).frozen_json()
    tournament.save()
    played, _ = played_out(5)
    record = services.open_round(services.open_match(match, by=rosa), number=0, opener="A", by=rosa)
    for number, line in enumerate(played):
        services.append_event(record, number=number, event=parse_line(line), by=rosa)
    table = ByTaps(new_page(user=rosa, viewport=PHONE, language=language), match)
    table.in_stage("hands")
    table.press('[data-key="count"]')
    table.page.locator('[data-key="pips"]').fill("167")
    accessible(table.page)

    second = MatchFactory.create(pairing_round=match.pairing_round, table=2)
    sheet = parse_line("result AC 210 out")
    assert isinstance(sheet, Sheet)
    services.record_sheet(services.open_match(second, by=rosa), number=0, sheet=sheet, by=rosa)
    table = ByTaps(table.page, second)
    table.in_stage("over")
    accessible(table.page)
    table.close()
    accessible(table.page)


def accessible(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
