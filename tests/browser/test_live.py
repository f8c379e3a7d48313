"""Pages that refresh themselves: what changes at the table is there by itself, nothing jumps."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import User
from django.urls import reverse
from playwright.sync_api import expect

from engine.events import Sheet
from engine.notation import parse_line
from referee.models import RecordedEvent
from referee.services import records as services
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.played_table import first_acts
from tests.browser.referees import ByTaps
from tournaments.models import LogEntry, Match, Official, PairingRound, Tournament

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
    expect(page.locator("#live-said")).to_contain_text("six-three")


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
    player.name = "Zoraida"
    player.save()
    page = new_page(scripts=False)
    page.goto("/t/cairo/")
    page.locator("#where").fill(player.name)
    page.locator("#where-form button").click()
    expect(page.locator("#tables tbody tr")).to_have_count(1)


def test_a_match_recorded_by_taps_is_followed_in_arabic_through_a_lost_network(
    new_page, match, referee, complaints
):
    opener, events, _ = first_acts()
    table = ByTaps(new_page(user=referee), match)
    table.sit_down()
    table.start_round(opener)
    reader = new_page(language="ar", viewport=PHONE)
    reader.goto(reverse("referee:match_sheet", args=[match.pk]))
    shown = reader.locator("#round-1 .event")
    for count, event in enumerate(events[:3], start=1):
        table.record(event)
        expect(shown).to_have_count(count, timeout=REFRESHED)
    # Only what changed is new on the page: nothing flashes.
    first = shown.first.element_handle()
    reader.context.set_offline(True)
    expect(reader.locator("#live-state")).to_be_visible(timeout=REFRESHED)
    for event in events[3:7]:
        table.record(event)
    table.settled()
    assert shown.count() == 3
    reader.context.set_offline(False)
    expect(shown).to_have_count(7, timeout=REFRESHED)
    expect(reader.locator("#live-state")).to_be_hidden()
    table.record(events[7])
    expect(shown).to_have_count(8, timeout=REFRESHED)
    lines = reader.locator("#round-1 .event-line").all_inner_texts()
    stored = RecordedEvent.objects.filter(round__match=match).order_by("number")
    assert lines == list(stored.values_list("notation", flat=True))
    assert first.evaluate("one => one.isConnected")
    assert reader.evaluate("document.documentElement.dir") == "rtl"
    assert reader.evaluate("document.documentElement.scrollWidth <= window.innerWidth")
    complaints.clear()  # the browser notes attempts without a network itself


def test_only_what_changed_is_announced_in_whole_sentences(new_page, match, referee):
    services.open_match(match, by=referee)
    services.open_round(match, number=0, opener="A", by=referee)
    page = new_page()
    page.goto(reverse("referee:match_sheet", args=[match.pk]))
    expect(page.locator("#live-said")).to_have_attribute("role", "status")
    played(match, referee, "A 6-6")
    said = page.locator("#live-said")
    expect(said).to_contain_text("double six", timeout=REFRESHED)
    # The score is as it was, so nobody hears it again.
    assert re.search(r"\b0\.", said.inner_text()) is None
    assert page.locator('[role="status"]:not(#toasts), [aria-live]:not(#toasts)').count() == 1


def test_a_hidden_tab_asks_for_nothing_and_is_up_to_date_when_it_is_seen(new_page, match, referee):
    services.open_match(match, by=referee)
    services.open_round(match, number=0, opener="A", by=referee)
    page = new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    with page.expect_response(lambda answer: answer.status == 304):
        page.goto(reverse("referee:match_sheet", args=[match.pk]))
    see = """shown => {
        Object.defineProperty(document, "hidden", { value: !shown, configurable: true });
        document.dispatchEvent(new Event("visibilitychange"));
    }"""
    page.evaluate(see, False)
    page.wait_for_load_state("networkidle")
    asked.clear()
    played(match, referee, "A 6-6")
    page.wait_for_timeout(4000)
    assert asked == []
    page.evaluate(see, True)
    expect(page.locator("#round-1 .event")).to_have_count(1, timeout=REFRESHED)


def test_a_page_that_is_not_shown_any_more_says_so_and_asks_no_more(
    new_page, match, referee, complaints
):
    page = new_page()
    page.goto("/t/cairo/")
    Tournament.objects.filter(slug="cairo").update(is_private=True)
    state = page.locator("#live-state")
    expect(state).to_have_text("This page is not shown any more. Load it again.", timeout=REFRESHED)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.wait_for_timeout(3000)
    assert asked == []
    complaints.clear()  # the browser notes the answer 404 itself


def test_a_round_that_is_published_comes_by_itself_with_its_name_and_its_search(new_page, match):
    PairingRound.objects.update(state="draft")
    page = new_page(viewport=PHONE)
    page.goto("/t/cairo/")
    expect(page.locator("#event .empty-state")).to_be_visible()
    PairingRound.objects.update(state="published")
    LogEntry.objects.create(tournament=Tournament.objects.get(), act="round_published")
    expect(page.locator("#tables tbody tr")).to_have_count(12, timeout=REFRESHED)
    expect(page.locator("#round")).to_contain_text("1")
    expect(page.locator("#live-said")).to_contain_text("Pairing round 1 is published.")


@pytest.mark.parametrize("name", ["event", "round", "standings", "match", "moves"])
def test_public_pages_load_at_most_30_kb_of_script(new_page, match, name):
    addresses = {
        "event": "/t/cairo/",
        "round": reverse("tournaments:pairings", args=["cairo", 1, 1]),
        "standings": reverse("tournaments:standings", args=["cairo"]),
        "match": reverse("referee:match_sheet", args=[match.pk]),
        "moves": reverse("referee:moves", args=[match.pk]),
    }
    sizes: dict[str, int] = {}
    page = new_page()
    page.on(
        "response",
        lambda one: (
            sizes.update({one.url: len(one.body())})
            if one.request.resource_type == "script"
            else None
        ),
    )
    page.goto(addresses[name], wait_until="networkidle")
    assert sizes
    assert sum(sizes.values()) <= 30_000, sizes
