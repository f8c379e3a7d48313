"""Entering in the browser: a row of pairs by keyboard alone, and a player with a phone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import DESK, PHONE
from tests.factories import TournamentFactory
from tournaments.models import Entry

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

PAIRS = 6


def overflow(page: Page) -> int:
    return int(
        page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
    )


def test_pairs_are_typed_in_a_row_without_a_mouse(new_page):
    tournament = TournamentFactory.create(slug="nile")
    page = new_page(user=tournament.created_by, viewport=DESK)
    page.goto("/desk/nile/entries/?add=1")
    for n in range(PAIRS):
        # No hand is faster than the page that comes; a test is.
        page.wait_for_function("document.activeElement.matches('form input')")
        page.keyboard.type(f"Player {n} A")
        page.keyboard.press("Tab")
        page.keyboard.type(f"Player {n} B")
        if n == 0:
            # The club stays empty; whoever stands at the desk is here.
            page.keyboard.press("Tab")
            page.keyboard.press("Tab")
            page.keyboard.press("Space")
        with page.expect_navigation():
            page.keyboard.press("Enter")
    entries = list(tournament.entries.order_by("number"))
    assert [one.name for one in entries] == [f"Player {n} A / Player {n} B" for n in range(PAIRS)]
    assert all(one.checked_in_at for one in entries)


@pytest.mark.parametrize("language", ["ar", "es"])
def test_a_player_enters_and_withdraws_with_a_phone(new_page, language):
    tournament = TournamentFactory.create(slug="nile")
    page = new_page(language=language, viewport=PHONE)
    page.goto("/t/nile/register/")
    assert overflow(page) == 0
    page.fill("#id_player1", "مريم العتيبي")
    page.fill("#id_player2", "Sami Nasser")
    with page.expect_navigation():
        page.locator("form.card button.primary").click()
    assert "/c/" in page.url
    assert overflow(page) == 0
    assert page.locator(".qr svg").is_visible()
    page.locator("main details summary").click()
    with page.expect_navigation():
        page.locator("button.danger").click()
    assert tournament.entries.get().state == Entry.State.WITHDRAWN
    assert page.locator("button.danger").count() == 0
