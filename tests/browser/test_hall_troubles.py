"""What goes wrong in a hall: no network, a killed server, a lost phone, codes that open nothing.

Each time the record in the database is held against what was tapped: nothing lost, nothing twice.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.cache import cache
from django.utils import timezone
from playwright.sync_api import Page, Route, expect

from engine.events import Event, Pass, Play
from engine.notation import format_line
from engine.seats import Seat
from referee.guests import MOST_GUESSES
from referee.models import RecordedEvent, TableLink
from referee.services import links
from tests.browser.conftest import PHONE
from tests.browser.played_table import first_acts
from tests.browser.referees import ByTaps
from tests.browser.serving import Serving
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import LogEntry, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=300)
    stage = StageFactory.create(tournament=tournament)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


@pytest.fixture
def token(match: Match, rosa: User) -> str:
    return links.make_link(match, scope="record", client_key=uuid4(), by=rosa).token


@pytest.fixture(autouse=True)
def nobody_guessed_before() -> None:
    cache.clear()


class Phone(ByTaps):
    """A phone that scanned the code of a table."""

    def __init__(self, page: Page, match: Match, address: str) -> None:
        self.page = page
        self.match = match
        page.goto(address)
        expect(page).to_have_url(re.compile(f"/matches/{match.pk}/record/$"))
        expect(page.locator("#recorder[data-stage]")).to_be_attached()

    def tap(self, events: Sequence[Event]) -> None:
        for event in events:
            self.record(event)

    def kept(self) -> None:
        """Wait until the page opens also without a server."""
        self.page.reload()
        self.page.evaluate("navigator.serviceWorker.ready")
        self.page.wait_for_function(
            "async (address) => Boolean(await (await caches.open('pages')).match(address))",
            arg=self.page.url,
        )

    def sent(self) -> None:
        expect(self.page.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=40_000)

    def take_over(self) -> None:
        self.press('[data-key="take-over"]')
        self.press('[data-key="confirm-take-over"]')
        expect(self.page.locator(".held")).to_have_count(0)


@pytest.fixture
def scan(new_page: Callable[..., Page], match: Match, token: str) -> Callable[..., Phone]:
    def scanned(at: str = "") -> Phone:
        return Phone(new_page(viewport=PHONE), match, f"{at}/l/{token}/")

    return scanned


@pytest.fixture
def serving(match: Match) -> Iterator[Serving]:
    """The site in a process of its own, beside the one the other tests use."""
    one = Serving()
    one.start()
    yield one
    one.kill()


def played(length: int) -> tuple[Seat, list[Event]]:
    """Return who opens a round under `wdf`, and its first acts."""
    opener, acts, _ = first_acts()
    assert len(acts) > length
    return opener, acts[:length]


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


def as_tapped(match: Match, events: Sequence[Event]) -> bool:
    """Say whether the record is these events in this order, no more and no fewer.

    The page adds the end where only one takes the tile.
    """
    stored, tapped = lines(match), [format_line(one) for one in events]
    assert len(stored) == len(tapped), (stored, tapped)
    return all(
        one == other or one == f"{other} right" or one == f"{other} left"
        for one, other in zip(stored, tapped, strict=True)
    )


# --- a killed server -------------------------------------------------------------------------


def test_a_killed_server_loses_nothing_of_twenty_events(scan, match, serving, complaints):
    opener, events = played(20)
    phone = scan(serving.url)
    phone.sit_down()
    phone.kept()
    phone.start_round(opener)
    phone.tap(events[:9])
    phone.sent()
    assert as_tapped(match, events[:9])
    # The tenth may be on its way just then.
    phone.tap(events[9:10])
    serving.kill()
    phone.tap(events[10:15])
    expect(phone.page.locator(".unsent")).to_be_visible()
    phone.page.reload()
    expect(phone.page.locator(".unsent")).to_be_visible()
    phone.tap(events[15:])
    stored = lines(match)
    assert len(stored) in (9, 10)
    expect(phone.page.locator(".unsent")).to_contain_text(f"Not sent: {20 - len(stored)}")
    serving.start()
    phone.sent()
    assert as_tapped(match, events)
    complaints.clear()  # the browser notes failed attempts itself


def test_a_network_that_comes_and_goes_neither_loses_nor_doubles(scan, match, complaints):
    opener, events = played(20)
    phone = scan()
    phone.sit_down()
    phone.start_round(opener)
    phone.sent()
    lost = random.Random(7)
    seen: list[str] = []

    def unreliable(route: Route) -> None:
        seen.append(route.request.post_data or "")
        chance = lost.random()
        if chance < 0.3:
            route.abort()
        elif chance < 0.6:
            # It arrives and is stored; the answer does not come back.
            route.fetch()
            route.abort()
        else:
            route.continue_()

    phone.page.context.route("**/api/rounds/*/events/", unreliable)
    for number, event in enumerate(events):
        if number % 5 == 2:
            phone.page.context.set_offline(True)
        phone.record(event)
        if number % 5 == 4:
            phone.page.context.set_offline(False)
    phone.page.context.unroute_all(behavior="wait")
    phone.sent()
    assert len(seen) > 8
    assert as_tapped(match, events)
    complaints.clear()


# --- lost and second phones ------------------------------------------------------------------


def test_a_lost_phone_that_comes_back_is_told_and_asked_about_what_it_kept(scan, match, complaints):
    opener, events = played(12)
    lost = scan()
    lost.sit_down()
    lost.start_round(opener)
    lost.tap(events[:6])
    lost.sent()
    lost.page.context.set_offline(True)
    lost.tap(events[6:8])
    expect(lost.page.locator(".unsent")).to_contain_text("Not sent: 2")

    found = scan()
    found.take_over()
    # It stands where the record stands, in the middle of the round.
    turn = found.page.locator(".turn")
    following = events[6]
    assert isinstance(following, Play | Pass)
    expect(turn).to_have_attribute("data-turn", following.seat.value)
    found.tap(events[6:])
    found.sent()
    assert as_tapped(match, events)

    lost.page.context.set_offline(False)
    expect(lost.page.locator(".kept")).to_contain_text("Kept, not recorded: 2", timeout=40_000)
    expect(lost.page.locator(".held")).to_contain_text("Recorded on another device since")
    expect(lost.page.locator(".pad")).to_have_count(0)
    lost.press('[data-key="drop-kept"]')
    expect(lost.page.locator(".kept")).to_have_count(0)
    assert as_tapped(match, events)
    taken = LogEntry.objects.get(act="table_taken_over")
    assert taken.details["before"] != taken.details["device"]
    complaints.clear()


def test_two_phones_that_tap_in_one_moment_record_one_line(scan, match, complaints):
    opener, events = played(9)
    first, second = scan(), scan()
    first.sit_down()
    first.start_round(opener)
    first.tap(events[:4])
    first.sent()
    expect(second.page.locator(".held")).to_be_visible(timeout=30_000)
    # The first one is still tapping while the second takes over.
    first.page.context.set_offline(True)
    first.tap(events[4:6])
    second.take_over()
    second.tap(events[4:7])
    second.sent()
    first.page.context.set_offline(False)
    expect(first.page.locator(".held")).to_be_visible(timeout=40_000)
    # Taken back again, and asked for the rest: what stands there already is not doubled.
    first.take_over()
    first.press('[data-key="drop-kept"]')
    first.tap(events[7:])
    first.sent()
    assert as_tapped(match, events)
    assert LogEntry.objects.filter(act="table_taken_over").count() == 2
    complaints.clear()


# --- codes that open nothing -----------------------------------------------------------------


@pytest.mark.parametrize("how", ["expired", "revoked"])
def test_a_code_that_ends_in_the_middle_of_a_round_loses_nothing(
    how, scan, match, rosa, complaints
):
    opener, events = played(8)
    phone = scan()
    phone.sit_down()
    phone.start_round(opener)
    phone.tap(events[:3])
    phone.sent()
    if how == "expired":
        TableLink.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    else:
        links.revoke_link(TableLink.objects.get(), by=rosa)
    phone.tap(events[3:6])
    expect(phone.page.locator(".unsent")).to_contain_text("Not sent: 3")
    expect(phone.page.locator(".unsent")).to_contain_text("Ask a referee for a new code")
    assert as_tapped(match, events[:3])
    fresh = links.make_link(match, scope="record", client_key=uuid4(), by=rosa).token
    phone.page.goto(f"/l/{fresh}/")
    phone.sent()
    phone.tap(events[6:])
    phone.sent()
    assert as_tapped(match, events)
    complaints.clear()


def test_the_code_of_one_table_opens_no_other(scan, match, rosa, complaints):
    other = MatchFactory.create(pairing_round=match.pairing_round)
    phone = scan()
    answer = phone.page.goto(f"/matches/{other.pk}/record/")
    assert answer.status == 404
    expect(phone.page.locator("main")).to_contain_text("opens no table")
    name = other.seats.get(seat="A").player.name
    expect(phone.page.locator("body")).not_to_contain_text(name)
    complaints.clear()  # the browser notes the status 404


def test_a_guessed_code_opens_nothing_and_guessing_ends(new_page, match, complaints):
    page = new_page(viewport=PHONE)
    for guess in range(MOST_GUESSES):
        answer = page.request.get(f"/l/{guess:032d}/")
        assert answer.status == 404
    answer = page.goto(f"/l/{'z' * 32}/")
    assert answer.status == 429
    expect(page.locator("main")).to_contain_text(re.compile(r"\w+ .+\."))
    for seat in match.seats.all():
        expect(page.locator("body")).not_to_contain_text(seat.player.name)
    complaints.clear()
