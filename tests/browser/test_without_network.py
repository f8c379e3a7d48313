"""A whole match recorded without a network, on a device that is closed and opened meanwhile."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from engine.events import Event
from engine.match import MatchState, score
from engine.profiles import Rules
from engine.reading import read_event, read_record
from engine.seats import Seat
from referee.models import RecordedEvent
from referee.queries import records as queries
from referee.services import records as services
from tests.browser.conftest import PHONE
from tests.browser.played_table import (
    Incident,
    Paper,
    dealt,
    holder_of_highest_double,
    play_round,
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

TWO_ROUNDS = [(3, Incident.OUT_OF_TURN), (11, Incident.TOUCH)]


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=300)
    stage = StageFactory.create(tournament=tournament)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


class CutOff(ByTaps):
    """A referee whose network is gone: what the players see is on paper alone."""

    def __init__(self, page: Page, match: Match) -> None:
        super().__init__(page, match)
        self.paper = Paper(Rules.of("wdf", 300))

    @property
    def state(self) -> MatchState:
        return self.paper.state

    def settled(self) -> None:
        """Nothing is on its way to a server that cannot be reached."""

    def sent(self) -> None:
        """Wait until everything has arrived after all."""
        expect(self.page.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=30_000)

    def start_round(self, opener: Seat) -> None:
        super().start_round(opener)
        self.paper.start_round(opener)

    def record(self, event: Event) -> None:
        super().record(event)
        self.paper.record(event)


@pytest.fixture
def kept(new_page: Callable[..., Page], match: Match, rosa: User) -> CutOff:
    """Open the table, and have its page kept by the service worker."""
    table = CutOff(new_page(user=rosa, viewport=PHONE), match)
    table.sit_down()
    table.page.reload()
    table.page.evaluate("navigator.serviceWorker.ready")
    table.page.wait_for_function(
        "async (address) => Boolean(await (await caches.open('pages')).match(address))",
        arg=table.page.url,
    )
    return table


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


def test_two_rounds_without_network_arrive_whole_and_in_order(kept, match, rosa, complaints):
    kept.page.context.set_offline(True)

    for seed, incident in TWO_ROUNDS:
        hands = dealt(seed)
        kept.start_round(holder_of_highest_double(hands))
        play_round(kept, hands, incident)

    assert lines(match) == []
    expect(kept.page.locator(".unsent")).to_contain_text("Not sent")
    kept.page.reload()
    expect(kept.page.locator(".unsent")).to_contain_text("Not sent")
    kept.page.context.set_offline(False)
    kept.sent()
    told = score(read_record(queries.document(queries.matches().get(pk=match.pk), rosa)))
    assert told == kept.paper.state.answer()
    assert [one.kind for one in kept.paper.state.infractions] == ["out_of_turn", "touch"]
    complaints.clear()  # the browser notes every failed attempt itself


def test_a_page_opened_without_network_goes_on_where_it_stood(kept, match, complaints):
    kept.start_round(Seat.A)
    kept.sent()
    kept.press('[data-tile="6-6"]')
    kept.sent()
    kept.page.context.set_offline(True)
    kept.press('.pad [data-tile="6-5"]')
    # Not by way of another page: Chromium lets a request through while it leaves this one.
    kept.page.reload()
    expect(kept.page.locator(".turn")).to_have_attribute("data-turn", "C")
    kept.press('.pad [data-tile="5-4"]')
    expect(kept.page.locator(".unsent")).to_contain_text("Not sent: 2")
    kept.page.context.set_offline(False)
    kept.sent()
    assert lines(match) == ["A 6-6", "B 6-5 right", "C 5-4 right"]
    complaints.clear()


def test_what_the_rules_refuse_is_refused_without_network(kept, complaints):
    kept.start_round(Seat.A)
    kept.sent()
    kept.page.context.set_offline(True)
    kept.press('[data-tile="6-6"]')
    kept.press('[data-tile="5-4"]')
    expect(kept.page.locator("dialog .refusal")).to_contain_text("does not fit")
    kept.press('[data-key="happened"]')
    kept.press('[data-key="record-infraction"]')
    expect(kept.page.locator(".unsent")).to_contain_text("Not sent: 2")
    kept.page.context.set_offline(False)
    complaints.clear()


def test_somebody_who_went_on_meanwhile_is_asked_about(kept, match, rosa, complaints):
    kept.start_round(Seat.A)
    kept.sent()
    kept.page.context.set_offline(True)
    kept.press('[data-tile="6-6"]')
    kept.press('[data-tile="6-5"]')
    record = match.records.get()
    other = read_event({"seat": "A", "play": "6-6"})
    services.append_event(record, number=0, event=other, by=rosa)
    kept.page.context.set_offline(False)
    expect(kept.page.locator("dialog")).to_contain_text("Somebody recorded before you")
    assert lines(match) == ["A 6-6"]
    complaints.clear()


def test_signed_out_meanwhile_nothing_is_lost(kept, match, rosa, complaints):
    kept.start_round(Seat.A)
    kept.sent()
    session = next(one for one in kept.page.context.cookies() if one["name"] == "sessionid")
    kept.page.context.clear_cookies(name="sessionid")
    kept.press('[data-tile="6-6"]')
    expect(kept.page.locator(".unsent")).to_contain_text("Not sent: 1")
    assert lines(match) == []
    kept.page.context.add_cookies([session])
    kept.press(".unsent button")
    kept.sent()
    assert lines(match) == ["A 6-6"]
    complaints.clear()


def test_a_page_that_was_not_kept_says_what_can_be_done(kept, complaints):
    kept.page.context.set_offline(True)
    kept.page.goto("/")
    expect(kept.page.locator("h1")).to_have_text("No network")
    kept.page.get_by_role("link", name="Table 1").click()
    expect(kept.page.locator("#recorder")).to_have_attribute("data-stage", "between")
    kept.page.context.set_offline(False)
    complaints.clear()
