"""A device whose clock is an hour wrong, or jumps: times in the record are the server's."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.utils import timezone
from playwright.sync_api import Page, expect

from referee.models import RecordedEvent
from referee.services import records as services
from tests.browser.conftest import PHONE
from tests.browser.referees import ByTaps
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Match
from tournaments.services import clock

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

HOUR = 3_600_000
# Dates are as the device believes; timers go on as they do.
WRONG = """(() => {
  window.wrongBy = %d;
  const Right = Date;
  window.Date = class extends Right {
    constructor(...given) { given.length ? super(...given) : super(Right.now() + window.wrongBy); }
    static now() { return Right.now() + window.wrongBy; }
  };
})()"""


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=300)
    stage = StageFactory.create(tournament=tournament)
    match = MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))
    by = tournament.created_by
    services.open_match(match, by=by)
    services.open_round(match, number=0, opener="A", by=by)
    clock.set_clock(match.pairing_round, minutes=40, by=by)
    return match


@pytest.fixture
def device(new_page: Callable[..., Page], match: Match) -> Callable[[int], ByTaps]:
    rosa = OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user

    def wrong_by(milliseconds: int) -> ByTaps:
        page = new_page(user=rosa, viewport=PHONE)
        page.add_init_script(WRONG % milliseconds)
        return ByTaps(page, match)

    return wrong_by


@pytest.mark.parametrize("wrong", [HOUR, -HOUR])
def test_a_clock_wrong_by_an_hour_changes_neither_times_nor_the_time_left(
    wrong, device, complaints
):
    table = device(wrong)
    expect(table.page.locator("[role=timer]").first).to_contain_text("39:")
    table.press('[data-tile="6-6"]')
    table.settled()
    table.page.context.set_offline(True)
    table.press('.pad [data-tile="6-5"]')
    expect(table.page.locator(".unsent")).to_be_visible()
    table.page.context.set_offline(False)
    expect(table.page.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=30_000)
    for at in RecordedEvent.objects.values_list("recorded_at", flat=True):
        assert abs(timezone.now() - at) < timedelta(minutes=2)
    complaints.clear()  # the browser notes failed attempts itself


@pytest.mark.parametrize("jump", [HOUR, -HOUR])
def test_a_clock_that_jumps_while_entries_wait_keeps_their_order(jump, device, complaints):
    table = device(0)
    table.press('[data-tile="6-6"]')
    table.settled()
    table.page.context.set_offline(True)
    table.press('.pad [data-tile="6-5"]')
    table.page.evaluate("by => { window.wrongBy = by; }", jump)
    table.press('.pad [data-tile="5-4"]')
    table.page.context.set_offline(False)
    expect(table.page.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=30_000)
    times = list(RecordedEvent.objects.order_by("number").values_list("recorded_at", flat=True))
    assert times == sorted(times)
    assert len(times) == 3
    for at in times:
        assert abs(timezone.now() - at) < timedelta(minutes=2)
    complaints.clear()
