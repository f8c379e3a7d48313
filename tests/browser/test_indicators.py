"""The counts for the committee in a browser: they fit a phone and everybody can use them."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.urls import reverse
from playwright.sync_api import expect

from tests import factories
from tests.browser.conftest import DESK, PHONE
from tests.referee.test_indicators_pages import FALSE, play
from tournaments.models import Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    tournament = factories.TournamentFactory.create(state="running", slug="cairo")
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(stage=stage, state="playing")
    names = ("María José Fernández de la Vega", "محمد عبد الرحمن الشرقاوي", "Li", "بهرام تهرانچی")
    players = [factories.PlayerFactory.create(name=name) for name in names]
    entries = [
        factories.EntryFactory.create(tournament=tournament, players=players[:2]),
        factories.EntryFactory.create(tournament=tournament, players=players[2:]),
    ]
    match = factories.MatchFactory.create(pairing_round=pairing_round, entries=entries)
    play(match)
    play(match, FALSE, 1, hands=None)
    return match


@pytest.mark.parametrize(("language", "scheme"), [("en", "light"), ("ar", "dark")])
@pytest.mark.parametrize("viewport", [PHONE, DESK], ids=["phone", "desk"])
def test_it_fits_and_is_usable_by_everybody(new_page, match, language, scheme, viewport):
    director = match.pairing_round.stage.tournament.created_by
    page = new_page(user=director, language=language, scheme=scheme, viewport=viewport)
    for query in ("", "?what=pairs&order=false"):
        page.goto(reverse("referee:indicators", args=["cairo"]) + query)
        page.evaluate(
            "for (const one of document.querySelectorAll('main details')) one.open = true"
        )
        assert page.evaluate("document.documentElement.scrollWidth - innerWidth") <= 0
        found = Axe().run(page)
        assert found.violations_count == 0, found.generate_report()


def test_from_a_count_one_comes_to_the_move(new_page, match):
    director = match.pairing_round.stage.tournament.created_by
    page = new_page(user=director, viewport=DESK)
    page.goto(reverse("referee:indicators", args=["cairo"]) + "?order=false")
    row = page.get_by_role("row").filter(has_text="Li").first
    row.locator("summary").first.click()
    row.get_by_role("link").first.click()
    expect(page.locator("#moves-said")).to_contain_text("False pass")
