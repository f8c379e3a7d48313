"""Cards in a real browser: what a player had so far beside a new infraction."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from engine.notation import parse_line
from referee.models import RoundRecord
from referee.services import records as services
from tests.browser.conftest import PHONE
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tests.referee.conftest import sheet
from tests.referee.test_sanctions import again

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def event():
    return TournamentFactory.create(state="running")


@pytest.fixture
def rosa(event):
    return OfficialFactory.create(tournament=event, duty="referee").user


@pytest.fixture
def warned(event, rosa):
    """A closed table whose seat B was warned for talk."""
    stage = StageFactory.create(tournament=event)
    match = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage=stage, state="published")
    )
    services.open_match(match, by=rosa)
    sheet(match, 0, "AC", 100, rosa)
    record = RoundRecord.objects.get(match=match)
    line = parse_line("B! table_talk")
    services.append_event(record, number=1, event=line, by=rosa)
    services.close_match(match, by=rosa)
    return match


def test_the_sheet_says_what_the_player_had_also_without_a_network(
    new_page, warned, rosa, complaints
):
    following = again(warned)
    services.open_match(following, by=rosa)
    services.open_round(following, number=0, opener="A", by=rosa)
    page = new_page(user=rosa, viewport=PHONE)
    page.goto(f"/matches/{following.pk}/record/")
    page.get_by_role("button", name="Infraction", exact=True).first.click()
    page.locator("[data-key='by-D']").click()
    so_far = page.locator(".cards-so-far")
    expect(so_far).to_have_text("No warning and no card so far in this event.")
    page.locator("[data-key='by-B']").click()
    expect(so_far).to_have_text("So far in this event: warnings: 1.")
    page.context.set_offline(True)
    page.locator("[data-kind='delay']").click()
    expect(so_far).to_have_text("No warning and no card so far in this event.")
    complaints.clear()  # the browser notes every failed attempt itself
