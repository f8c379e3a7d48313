"""The page at the table: going back, time, the robot, hands that do not add up."""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import timedelta

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from django.utils import timezone
from playwright.sync_api import Page, expect

from engine.events import Sheet
from engine.notation import parse_line
from engine.profiles import Rules
from engine.seats import Seat
from referee.models import RecordedEvent
from referee.queries import records as queries
from referee.services import records as services
from tests.browser.conftest import PHONE
from tests.browser.played_table import played_out
from tests.browser.referees import AtTheTable, ByTaps
from tests.factories import (
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Match
from tournaments.policies_links import TABLE_LINKS

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=100)
    stage = StageFactory.create(tournament=tournament)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


@pytest.fixture
def at_table(new_page: Callable[..., Page], match: Match, rosa: User) -> Callable[..., AtTheTable]:
    """Sit a referee down at a table where `lines` are recorded in the first round."""

    def seated(*lines: str, **settings: object) -> AtTheTable:
        record = services.open_round(
            services.open_match(match, by=rosa), number=0, opener="A", by=rosa
        )
        for number, line in enumerate(lines):
            services.append_event(record, number=number, event=parse_line(line), by=rosa)
        return ByTaps(new_page(user=rosa, viewport=PHONE, **settings), match)

    return seated


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


def on_turn(match: Match) -> Seat | None:
    one = queries.read(queries.matches().get(pk=match.pk)).round
    assert one is not None
    return one.turn


def test_a_slip_is_undone_back_to_any_event_after_seeing_what_is_lost(at_table, match, complaints):
    table = at_table("A 6-6", "B 6-2", "C! delay -> warning", "C 6-5 left")
    page = table.page
    table.press('[data-key="log"]')
    page.context.set_offline(True)
    table.press('[data-key="back-1"]')
    expect(page.locator("dialog .preview-lost li")).to_have_count(3)
    expect(page.locator("dialog .preview-lost")).to_contain_text("plays six-two")
    assert lines(match) == ["A 6-6", "B 6-2", "C! delay -> warning", "C 6-5 left"]

    table.press('[data-key="confirm-back"]')
    expect(page.locator(".turn")).to_have_attribute("data-turn", "B")
    expect(page.locator("#announcer")).to_contain_text("Entries taken back: 3.")
    page.context.set_offline(False)
    table.settled()
    assert lines(match)[4:] == ["undo 3"]
    assert on_turn(match) is Seat.B
    expect(page.locator(".event.undone")).to_have_count(4)  # the undo itself is one
    complaints.clear()  # the browser notes every failed attempt itself


def test_a_ruling_takes_play_back_and_what_it_took_can_come_back(at_table, match):
    table = at_table("A 6-6", "B 6-2", "C! delay -> warning", "C 6-5 left")
    page = table.page
    table.press('[data-key="log"]')
    table.press('[data-key="back-1"]')
    table.press('[data-key="way-table"]')
    expect(page.locator("dialog .preview-lost li")).to_have_count(2)
    table.press('[data-key="confirm-back"]')
    table.press('[data-kind="misplay"]')
    expect(page.locator('[data-key="measure-rewind 1"]')).to_be_checked()
    table.press('[data-key="record-infraction"]')
    table.settled()
    assert lines(match)[-1] == "B! misplay -> rewind 1, retract, warning"
    assert on_turn(match) is Seat.B

    table.press('[data-key="back-0"]')
    expect(page.locator("dialog .preview-lost")).to_contain_text("opens with")
    expect(page.locator("dialog .preview-lost li")).to_have_count(3)
    table.press('[data-key="confirm-back"]')
    table.settled()
    assert lines(match)[-1] == "undo 5"
    one = queries.read(queries.matches().get(pk=match.pk)).round
    assert one is not None
    assert one.in_effect == (False,) * 6


@pytest.mark.parametrize("typed", [False, True])
def test_another_tile_takes_the_last_one_back_and_asks_the_same_seat(at_table, match, typed):
    table = at_table("A 6-6", "B 6-2")
    if typed:
        table.page.locator("#typed-line").fill("u63")
        table.page.keyboard.press("Enter")
    else:
        table.press('[data-key="another-tile"]')
        expect(table.page.locator(".turn-words")).to_contain_text("which tile?")
        expect(table.page.locator(".turn")).to_have_attribute("data-turn", "B")
        table.press('.pad [data-tile="6-3"]')
    table.settled()
    assert lines(match) == ["A 6-6", "B 6-2", "undo 1", "B 6-3 right"]


def timed(match: Match, *, minutes_left: int) -> None:
    """Let the round of the table have `minutes_left` of its 40 minutes."""
    one = match.pairing_round
    one.minutes = 40
    one.starts_at = timezone.now() - timedelta(minutes=40 - minutes_left)
    one.save()


# A device whose clock is an hour ahead.
AN_HOUR_AHEAD = """const now = Date.now; Date.now = () => now() + 3_600_000;"""


def test_the_clock_counts_to_the_servers_deadline_on_a_device_that_is_wrong(
    at_table, match, complaints
):
    timed(match, minutes_left=30)
    table = at_table("A 6-6")
    table.page.add_init_script(AN_HOUR_AHEAD)
    table.page.reload()
    face = table.page.locator("[data-match-clock]")
    expect(face).to_have_text(re.compile(r"^(30:00|29:\d\d)$"))
    expect(table.page.locator(".bell")).to_have_count(0)

    table.press('[data-key="give-time"]')
    table.press('[data-key="minutes-5"]')
    table.page.locator("dialog textarea").fill("A glass fell on the table")
    table.press('[data-key="confirm-extra"]')
    expect(face).to_have_text(re.compile(r"^(35:00|34:\d\d)$"))
    match.refresh_from_db()
    assert match.extra_seconds == 300


@pytest.mark.parametrize("language", ["en", "ar"])
def test_at_the_bell_the_rule_is_said_and_one_tap_records_it_without_network(
    at_table, match, complaints, language
):
    timed(match, minutes_left=-1)
    table = at_table("A 6-6", language=language)
    page = table.page
    expect(page.locator(".match-clock.over")).to_be_visible()
    page.context.set_offline(True)
    table.press('[data-key="bell"]')
    expect(page.locator('[data-key="bell"]')).to_have_count(0)
    expect(page.locator(".bell")).to_be_visible()
    page.context.set_offline(False)
    table.settled()
    assert lines(match) == ["A 6-6", "time over"]
    complaints.clear()  # the browser notes every failed attempt itself


def test_the_move_timer_proposes_a_delay_and_records_nothing_by_itself(at_table, match):
    table = at_table("A 6-6")
    page = table.page
    page.clock.install()
    page.reload()
    table.press('[data-key="move-timer"]')
    expect(page.locator("[data-move-left]")).to_have_text(re.compile("^1.$"))
    page.clock.fast_forward(16_000)
    expect(page.locator(".late")).to_contain_text("more than 15 seconds")
    expect(page.locator("[data-move-left]")).to_have_count(0)
    page.clock.run_for(100)
    expect(page.locator("#announcer")).to_contain_text("more than 15 seconds")
    assert lines(match) == ["A 6-6"]

    page.click('[data-key="rule-delay"]')
    expect(page.locator("dialog .kind-chosen")).to_have_text("Delay")
    page.click('[data-key="record-infraction"]')
    expect(page.locator(".late")).to_have_count(0)
    table.settled()
    assert lines(match) == ["A 6-6", "B! delay -> warning"]


def test_the_move_timer_goes_by_the_rules_and_ends_with_the_move(at_table, match):
    tournament = match.pairing_round.stage.tournament
    tournament.rules = Rules.of("femundo", 200).frozen_json()
    tournament.save()
    table = at_table("A 6-6")
    table.press('[data-key="move-timer"]')
    expect(table.page.locator("[data-move-left]")).to_have_text(re.compile("^(20|1.)$"))
    table.press('[data-key="move-blocks"]')
    expect(table.page.locator("[data-move-left]")).to_have_text(re.compile("^(60|5.)$"))
    table.press('.pad [data-tile="6-3"]')
    expect(table.page.locator("[data-move-left]")).to_have_count(0)
    expect(table.page.locator(".turn")).to_have_attribute("data-turn", "C")
    table.settled()


def test_the_event_says_how_long_a_move_takes_and_another_length_is_for_this_match(at_table, match):
    tournament = match.pairing_round.stage.tournament
    tournament.policies = {TABLE_LINKS: {"move_seconds": 45}}
    tournament.save()
    table = at_table("A 6-6")
    table.press('[data-key="move-timer"]')
    expect(table.page.locator("[data-move-left]")).to_have_text(re.compile("^4.$"))
    table.press('[data-key="move-timer"]')
    table.press('[data-key="timer-settings"]')
    expect(table.page.locator('[data-key="timer-45"]')).to_be_checked()
    table.press('label:has([data-key="timer-20"])')
    table.press('[data-key="move-timer"]')
    expect(table.page.locator("[data-move-left]")).to_have_text(re.compile("^(20|1.)$"))
    kept = table.page.evaluate("Object.keys(localStorage).filter((k) => k.includes('move-timer'))")
    assert kept == [f"domino-move-timer-{match.pk}"]


def test_an_earlier_round_is_gone_back_to_after_its_price_is_seen(
    at_table, match, rosa, complaints
):
    table = at_table("A 6-6", "B! delay -> warning", "A! delay -> void_round")
    services.record_sheet(match, number=1, sheet=Sheet("BD", 30, "out"), by=rosa)
    page = table.page
    page.reload()
    table.settled()
    table.press('[data-key="log"]')
    table.press('[data-key="earlier-rounds"]')
    table.press('dialog [data-key="to-0-1"]')
    expect(page.locator("dialog .preview-rounds li")).to_have_count(1)
    expect(page.locator("dialog .preview-lost li")).to_have_count(2)
    expect(page.locator("dialog .preview-rulings li")).to_have_count(2)
    expect(page.locator("dialog .preview-score")).to_contain_text("30 → 0")
    assert Axe().run(page).response["violations"] == []
    assert len(lines(match)) == 4
    table.press('dialog [data-key="confirm-earlier"]')
    table.in_stage("recording")
    expect(page.locator(".turn")).to_have_attribute("data-turn", "B")
    expect(page.locator("#announcer")).to_contain_text("Round 1, back to just before")
    assert lines(match)[3:] == ["undo 2", "result BD 30 out", "undo 1"]
    table.press('.pad [data-tile="6-3"]')
    table.settled()
    page.reload()
    expect(page.locator(".turn")).to_have_attribute("data-turn", "C")

    table.press('[data-key="log"]')
    table.press('[data-key="earlier-rounds"]')
    page.context.set_offline(True)
    table.press('dialog [data-key="anew-0"]')
    expect(page.locator("dialog .alert")).to_contain_text("cannot be reached")
    page.context.set_offline(False)
    complaints.clear()  # the browser notes every failed attempt itself
    table.press('dialog [data-key="anew-0"]')
    table.press('dialog [data-key="confirm-earlier"]')
    table.in_stage("between")
    table.start_round(Seat.C)
    table.press('.pad [data-tile="6-6"]')
    table.settled()
    assert on_turn(match) is Seat.D


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_way_back_without_a_script_is_usable_by_everybody(
    at_table, new_page, match, rosa, language
):
    at_table("A 6-6", "B! delay -> points 20", "A! delay -> void_round")
    services.record_sheet(match, number=1, sheet=Sheet("BD", 30, "out"), by=rosa)
    page = new_page(user=rosa, viewport=PHONE, language=language)
    for query in ("", "?round=0&event=1", "?round=1"):
        page.goto(f"/matches/{match.pk}/back/{query}")
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
        assert Axe().run(page).response["violations"] == []
    page.get_by_role("main").get_by_role("button").click()
    page.wait_for_url(f"**/matches/{match.pk}/record/")
    assert lines(match)[-2:] == ["result BD 30 out", "undo 1"]


def test_pips_that_cannot_be_are_said_while_they_are_typed(at_table, match):
    tournament = match.pairing_round.stage.tournament
    tournament.rules = Rules.of("femundo", 200).frozen_json()
    tournament.save()
    played, left = played_out(5)
    table = at_table(*played)
    table.in_stage("hands")
    page = table.page
    field = page.locator('[data-key="pips"]')
    table.press('[data-key="count"]')
    field.fill("167")
    expect(page.locator(".count-form .alert")).to_contain_text("167 cannot be")
    field.press("Enter")
    expect(page.locator('[data-key="count-sure"]')).to_be_visible()
    *before, last = [sum(tile.pips for tile in tiles) for tiles in left.values()]
    for pips in before:
        field.fill(str(pips))
        expect(page.locator(".count-form .alert")).to_be_hidden()
        field.press("Enter")
        table.settled()
    field.fill(str(last + 1))
    expect(page.locator(".count-form .alert")).to_contain_text(f"168, so this hand makes {last}")
    field.fill(str(last))
    field.press("Enter")
    table.settled()
    counted = [line for line in lines(match) if "counts" in line]
    assert [int(line.split()[-1]) for line in counted] == [*before, last]


def test_tiles_shown_beside_pips_that_do_not_fit_them_are_asked_about(at_table, match):
    tournament = match.pairing_round.stage.tournament
    tournament.rules = Rules.of("femundo", 200).frozen_json()
    tournament.save()
    played, left = played_out(5)
    (first, tiles), (second, others), (third, _) = left.items()
    shown = " ".join(map(str, tiles))
    wrong = sum(tile.pips for tile in others) + 1
    table = at_table(*played, f"{second} counts {wrong}", f"{first} shows {shown}")
    page = table.page
    table.in_stage("hands")
    assert page.locator('[data-key^="hand-"].chosen').get_attribute("data-key") == f"hand-{third}"
    for tile in left[third]:
        table.press(f'.hands [data-tile="{tile}"]')
    expect(page.locator(".hands > .alert")).to_contain_text(f"the hands counted make {wrong}")
    recorded = lines(match)
    table.press('[data-key="record-hand"]')
    assert lines(match) == recorded
    table.press('[data-key="hand-sure"]')
    table.settled()
    assert lines(match)[-1].startswith(f"{third} shows")
