"""Phones at a table: a scanned code records without an account, a second phone takes over."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.seats import Seat
from referee.models import RecordedEvent, TableCall, TableLink
from referee.services import links
from tests.browser.conftest import PHONE
from tests.browser.referees import ByTaps
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


@pytest.fixture
def scan(new_page: Callable[..., Page], match: Match, token: str) -> Callable[..., ByTaps]:
    """Scan the code of the table with another phone."""

    def scanned(**settings: object) -> ByTaps:
        page = new_page(viewport=PHONE, **settings)
        page.goto(f"/l/{token}/")
        expect(page).to_have_url(re.compile(f"/matches/{match.pk}/record/$"))
        return ByTaps(page, match)

    return scanned


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


def test_a_scanned_code_records_and_a_second_phone_reads_along_and_takes_over(
    scan, match, complaints
):
    first = scan()
    first.sit_down()
    first.start_round(Seat.A)
    for tile in ("6-6", "6-5", "5-4"):
        first.press(f'.pad [data-tile="{tile}"]')
    first.settled()
    assert lines(match) == ["A 6-6", "B 6-5 right", "C 5-4 right"]

    second = scan()
    expect(second.page.locator(".held")).to_contain_text("Recorded on another device since")
    expect(second.page.locator(".pad")).to_have_count(0)
    first.press('.pad [data-tile="4-3"]')
    first.settled()
    expect(second.page.locator(".last-event")).to_contain_text("plays four-three on the right")

    second.press('[data-key="take-over"]')
    second.press('[data-key="confirm-take-over"]')
    expect(second.page.locator(".held")).to_have_count(0)
    second.press('.pad [data-tile="3-2"]')
    second.settled()
    assert lines(match)[-1] == "A 3-2 right"
    # Whoever records looks every fifteen seconds for what others did.
    expect(first.page.locator(".held")).to_be_visible(timeout=30_000)
    assert LogEntry.objects.filter(act="table_taken_over").count() == 1
    assert complaints == []


def test_what_the_first_phone_had_not_sent_is_kept_and_asked_about(scan, match, complaints):
    first = scan()
    first.sit_down()
    first.start_round(Seat.A)
    first.settled()
    first.page.context.set_offline(True)
    first.press('.pad [data-tile="6-6"]')
    expect(first.page.locator(".unsent")).to_be_visible()

    second = scan()
    second.press('[data-key="take-over"]')
    second.press('[data-key="confirm-take-over"]')
    expect(second.page.locator(".held")).to_have_count(0)

    first.page.context.set_offline(False)
    expect(first.page.locator(".kept")).to_contain_text("Kept, not recorded: 1", timeout=30_000)
    expect(first.page.locator('[data-key="send-kept"]')).to_have_count(0)
    first.page.reload()
    expect(first.page.locator(".kept")).to_contain_text("Kept, not recorded: 1")
    assert lines(match) == []
    first.press('[data-key="take-over"]')
    first.press('[data-key="confirm-take-over"]')
    first.press('[data-key="send-kept"]')
    first.settled()
    assert lines(match) == ["A 6-6"]
    complaints.clear()  # the browser notes failed attempts and refusals itself


def test_after_a_lost_phone_another_scan_goes_on_where_it_stopped(scan, match):
    lost = scan()
    lost.sit_down()
    lost.start_round(Seat.A)
    lost.press('.pad [data-tile="6-6"]')
    lost.settled()
    lost.page.context.close()
    found = scan()
    found.press('[data-key="take-over"]')
    found.press('[data-key="confirm-take-over"]')
    found.press('.pad [data-tile="6-5"]')
    found.settled()
    assert lines(match) == ["A 6-6", "B 6-5 right"]


def test_a_code_taken_back_while_recording_loses_nothing(scan, match, rosa, complaints):
    table = scan()
    table.sit_down()
    table.start_round(Seat.A)
    table.settled()
    links.revoke_link(TableLink.objects.get(), by=rosa)
    table.press('.pad [data-tile="6-6"]')
    expect(table.page.locator(".unsent")).to_contain_text("Ask a referee for a new code")
    assert lines(match) == []
    fresh = links.make_link(match, scope="record", client_key=uuid4(), by=rosa).token
    table.page.goto(f"/l/{fresh}/")
    table.settled()
    assert lines(match) == ["A 6-6"]
    complaints.clear()


@pytest.mark.parametrize("how", ["expired", "revoked"])
def test_a_code_that_is_over_opens_a_page_that_says_what_to_do(
    how, new_page, match, token, rosa, complaints
):
    if how == "expired":
        TableLink.objects.update(expires_at=timezone.now() - timedelta(minutes=1))
    else:
        links.revoke_link(TableLink.objects.get(), by=rosa)
    page = new_page(viewport=PHONE)
    page.goto(f"/l/{token}/")
    expect(page.locator("h1")).to_have_text("This code does not work any more")
    expect(page.locator("main")).to_contain_text("Ask a referee for a new code")
    complaints.clear()  # the browser notes the status 410


def test_a_call_made_without_network_arrives_when_it_is_back(scan, match, complaints):
    table = scan()
    table.sit_down()
    table.page.context.set_offline(True)
    table.press('[data-key="call-referee"]')
    table.page.fill("#call-note", "قطعة 🎲 مكشوفة")
    table.press('[data-key="send-call"]')
    expect(table.page.locator(".called")).to_contain_text("as soon as the network is back")
    assert not TableCall.objects.exists()
    table.page.context.set_offline(False)
    expect(table.page.locator(".called")).to_contain_text("A referee has been called")
    assert TableCall.objects.get().note == "قطعة 🎲 مكشوفة"
    complaints.clear()


def test_without_scripts_the_table_is_set_free_and_recorded(new_page, scan, match, token):
    first = scan()
    first.sit_down()
    first.settled()
    page = new_page(viewport=PHONE, scripts=False)
    page.goto(f"/l/{token}/")
    page.get_by_role("button", name="Record the table on this device").click()
    expect(page.locator(".held")).to_have_count(0)
