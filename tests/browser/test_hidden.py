"""Results hidden until the prize-giving in a real browser: for a stranger, and at the desk."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import DESK, PHONE
from tests.hidden_event import HIDDEN, hidden_event
from tournaments.services.hidden_results import hide_results

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize(("viewport", "language"), [(PHONE, "ar"), (DESK, "en")])
def test_pages_of_a_hidden_round_fit_and_everybody_can_use_them(new_page, viewport, language):
    event = hidden_event()
    hide_results(event.tournament, stage=1, round=2, by=event.tournament.created_by)
    page = new_page(viewport=viewport, language=language)
    for address in (
        "/t/prize-giving/rounds/1/2/",
        "/t/prize-giving/standings/",
        f"/matches/{event.hidden.pk}/",
        f"/embed/matches/{event.hidden.pk}/",
    ):
        page.goto(address)
        page.locator(".alert.info").first.wait_for()
        assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"], address
        found = Axe().run(page).response["violations"]
        assert [(one["id"], address) for one in found] == []


def test_a_director_hides_and_shows_and_a_stranger_sees_the_difference(new_page):
    event = hidden_event()
    desk = new_page(user=event.tournament.created_by, viewport=DESK)
    stranger = new_page(viewport=PHONE)
    points = stranger.get_by_text(str(HIDDEN["AC"]), exact=True)
    stranger.goto("/t/prize-giving/rounds/1/2/")
    assert points.count() > 0
    desk.goto("/desk/prize-giving/results/hidden/")
    desk.get_by_label("First round with hidden results").fill("2")
    desk.get_by_role("button", name="Hide results from this round on").click()
    desk.get_by_role("button", name="Show all results").wait_for()
    stranger.reload()
    stranger.get_by_text("The results of round 2 will be shown at the prize-giving.").wait_for()
    assert points.count() == 0
    desk.get_by_role("button", name="Show all results").click()
    desk.get_by_text("Everybody sees all results now.").wait_for()
    stranger.reload()
    points.first.wait_for()
