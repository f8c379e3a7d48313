"""Pages that refresh themselves: what changes at the table is there by itself, nothing jumps."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from engine.events import Sheet
from engine.notation import parse_line
from referee.services import records as services
from tests import factories
from tournaments.models import Match, Official

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

REFRESHED = 8_000


@pytest.fixture
def match() -> Match:
    tournament = factories.TournamentFactory.create(state="running", slug="cairo")
    stage = factories.StageFactory.create(tournament=tournament)
    pairing_round = factories.PairingRoundFactory.create(stage=stage)
    for _ in range(12):
        factories.MatchFactory.create(pairing_round=pairing_round)
    found = pairing_round.matches.first()
    assert found is not None
    return found


@pytest.fixture
def referee(match: Match) -> User:
    official = factories.OfficialFactory.create(
        tournament=match.pairing_round.stage.tournament, duty=Official.Duty.REFEREE
    )
    return official.user


def played(match: Match, referee: User, line: str) -> None:
    record = match.records.last()
    assert record is not None
    number = record.events.count()
    services.append_event(record, number=number, event=parse_line(line), by=referee)


def test_an_event_at_the_table_shows_by_itself_and_keeps_what_was_opened(new_page, match, referee):
    services.open_match(match, by=referee)
    sheet = Sheet("AC", 37, "out")
    services.record_sheet(match, number=0, sheet=sheet, client_key=None, by=referee)
    services.open_round(match, number=1, opener="A", by=referee)
    played(match, referee, "A 6-6")
    page = new_page()
    page.goto(reverse("referee:match_sheet", args=[match.pk]))
    page.locator("#round-1-events-word").click()
    played(match, referee, "B 6-3")
    expect(page.locator("#round-2 .event")).to_have_count(2, timeout=REFRESHED)
    expect(page.locator("#score-status")).to_contain_text("six-three")
    expect(page.locator("#round-1-events")).to_have_attribute("open", "")
    expect(page.locator("#round-1-events-word")).to_be_focused()


def test_the_score_of_a_table_in_sight_changes_without_a_jump(new_page, match, referee):
    page = new_page()
    page.goto("/t/cairo/")
    last = page.locator("#tables tbody tr").last
    last.scroll_into_view_if_needed()
    before = last.bounding_box()
    services.open_match(match, by=referee)
    sheet = Sheet("AC", 37, "out")
    services.record_sheet(match, number=0, sheet=sheet, client_key=None, by=referee)
    expect(page.locator(".meeting-points").first).to_have_text("37", timeout=REFRESHED)
    after = page.locator("#tables tbody tr").last.bounding_box()
    assert before is not None
    assert after is not None
    assert abs(before["y"] - after["y"]) <= 1


def test_typing_three_letters_finds_the_table_and_keeps_the_box(new_page, match):
    player = factories.PlayerFactory.create(name="يوسف الشريف")
    seat = match.seats.first()
    assert seat is not None
    seat.player = player
    seat.save()
    page = new_page(language="ar")
    page.goto("/t/cairo/")
    page.locator("#where").press_sequentially("یوس")
    expect(page.locator("#tables tbody tr")).to_have_count(1)
    expect(page.locator("#where")).to_be_focused()
    assert page.locator("#where").input_value() == "یوس"


def test_without_scripts_the_table_is_found_too(new_page, match):
    player = match.seats.first().player
    page = new_page(scripts=False)
    page.goto("/t/cairo/")
    page.locator("#where").fill(player.name)
    page.locator("#where-form button").click()
    expect(page.locator("#tables tbody tr")).to_have_count(1)
