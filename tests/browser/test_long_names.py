"""Names without a place to break, on a phone: the draw's pages stay as wide as the screen."""

from __future__ import annotations

import pytest

from tests.browser.conftest import PHONE
from tests.factories import EntryFactory, TournamentFactory
from tournaments.services.draws import draw_round
from tournaments.services.lifecycle import start
from tournaments.services.pairings import publish
from tournaments.services.stages import StagePlan, make_stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.mark.parametrize("page_of", ["2/draw/", "1/adjust/"])
def test_a_long_unbroken_name_does_not_widen_the_pages_of_a_draw(new_page, page_of: str) -> None:
    event = TournamentFactory.create(slug="cup")
    EntryFactory.create_batch(3, tournament=event)
    EntryFactory.create(tournament=event, name="W" * 100)
    by = event.created_by
    start(event, by=by)
    stage = make_stage(event, StagePlan("swiss", rounds=2), by=by)
    publish(draw_round(stage, number=1, by=by), by=by)
    page = new_page(user=by, viewport=PHONE)
    page.goto(f"/desk/cup/pairings/1/{page_of}")
    assert page.locator("main").get_by_text("W" * 100).count()
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
