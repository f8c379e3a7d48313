"""A match recorded in a real browser: by taps, by keys, on a bad line, by two at once."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from statistics import median

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from engine.events import Infraction
from engine.match import score
from engine.notation import parse_line
from engine.profiles import Rules
from engine.reading import read_record
from engine.seats import Seat
from referee.models import RecordedEvent
from referee.queries import records as queries
from referee.services import records as services
from tests.browser.conftest import PHONE
from tests.browser.played_table import Incident, Paper, play_match
from tests.browser.referees import TREMOR, AtTheTable, ByKeys, ByTaps
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

# The page isolates tiles in its sentences, for those who read from right to left.
DOES_NOT_FIT = re.compile(r"^\W*5\W+4\W+does not fit: the ends are 6 and 6\.")
THREE_ROUNDS = [(3, Incident.OUT_OF_TURN), (11, Incident.TOUCH), (23, Incident.FALSE_PASS)]


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=30)
    stage = StageFactory.create(tournament=tournament)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


@pytest.fixture
def at_table(new_page: Callable[..., Page], match: Match, rosa: User) -> Callable[..., AtTheTable]:
    """Sit a referee down at the table, with the first round begun by seat A."""

    def seated(**settings: object) -> AtTheTable:
        table = ByTaps(new_page(user=rosa, viewport=PHONE, **settings), match)
        if table.page.locator('[data-stage="waiting"]').count():
            table.sit_down()
            table.start_round(Seat.A)
        return table

    return seated


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


@pytest.mark.parametrize("referee", [ByTaps, ByKeys])
def test_a_match_of_three_rounds_with_its_infractions_is_recorded(new_page, match, rosa, referee):
    paper = Paper(Rules.of("wdf", 30))
    play_match(paper, THREE_ROUNDS)
    table = referee(new_page(user=rosa, viewport=PHONE), match)

    play_match(table, THREE_ROUNDS)

    told = score(read_record(queries.document(queries.matches().get(pk=match.pk), rosa)))
    expected = paper.state.answer()
    assert told == expected
    assert paper.state.over
    assert len(paper.state.rounds) == 3
    assert paper.state.findings == []
    kinds = [one.kind for one in paper.state.infractions]
    assert kinds == ["out_of_turn", "touch", "false_pass"]
    seats = {one.seat: one for one in match.seats.all()}
    assert seats["B"].outcome == "win"
    assert seats["A"].outcome == "loss"
    assert seats["D"].points_for == paper.state.totals["BD"]


def test_a_tile_that_does_not_fit_is_a_slip_or_an_infraction(at_table, match, complaints):
    table = at_table()
    table.press('[data-tile="6-6"]')
    table.settled()
    table.press('[data-tile="5-4"]')
    expect(table.page.locator("dialog .refusal")).to_have_text(DOES_NOT_FIT)
    table.press('[data-key="slip"]')
    assert lines(match) == ["A 6-6"]

    table.press('[data-tile="5-4"]')
    table.press('[data-key="happened"]')
    expect(table.page.locator("dialog .kind-chosen")).to_have_text("Misplay")
    table.press('[data-key="record-infraction"]')
    table.settled()
    assert lines(match) == ["A 6-6", "B! misplay 5-4 -> retract, warning"]
    assert all("409" in one for one in complaints)
    complaints.clear()


def test_play_stops_until_the_ruling_and_the_obliged_tile_comes_first(at_table, match):
    table = at_table()
    table.press('[data-tile="6-6"]')
    table.settled()
    table.press('.table-view [data-seat="B"]')
    table.press('[data-kind="touch"]')
    table.press('[data-touched="6-1"]')
    table.press('[data-key="rule-later"]')
    table.settled()
    expect(table.page.locator(".pending")).to_contain_text("stopped until the ruling")
    expect(table.page.locator(".pad")).to_have_count(0)

    table.press(".pending button")
    table.press('[data-key="record-ruling"]')
    table.settled()
    expect(table.page.locator(".turn-words")).to_contain_text("must play")
    expect(table.page.locator(".tile-pad.fitting [data-tile]")).to_have_count(1)
    assert lines(match)[-1] == "ruling 1 -> must_play"


def test_undo_takes_back_the_last_event_and_says_which(at_table, match):
    table = at_table()
    table.press('[data-tile="6-6"]')
    table.press('[data-tile="6-5"]')
    table.settled()
    undo = table.page.locator('[data-key="undo"]')
    expect(undo).to_have_accessible_name(f"Undo: {_name(match, 'B')} plays six-five on the right.")
    table.press('[data-key="undo"]')
    table.settled()
    assert lines(match)[-1] == "undo 1"
    expect(table.page.locator(".turn")).to_have_attribute("data-turn", "B")


def _name(match: Match, seat: str) -> str:
    return f"\u2068{match.seats.get(seat=seat).player.name}\u2069"


def test_every_tap_is_echoed_at_once_on_a_slow_line(at_table, match):
    table = at_table()
    page = table.page

    def slow(route: Route) -> None:
        page.wait_for_timeout(400)
        route.continue_()

    page.route("**/events/", slow)
    page.evaluate(
        """() => {
        const turn = () => document.querySelector(".turn")?.dataset.turn;
        window.waited = [];
        let tapped, before;
        addEventListener("click", () => { tapped = performance.now(); before = turn(); }, true);
        addEventListener("click", () => {
          if (turn() !== before) window.waited.push(performance.now() - tapped);
        });
      }"""
    )
    for tile in ("6-6", "6-5", "5-5", "6-4"):
        table.press(f'[data-tile="{tile}"]')
    table.settled()
    assert lines(match) == ["A 6-6", "B 6-5 right", "C 5-5 right", "D 6-4 left"]
    waited = page.evaluate("window.waited")
    assert len(waited) == 4
    assert median(waited) < 100  # each one on a machine of its own; this one may be busy


def test_without_network_nothing_is_lost_or_doubled(at_table, match, complaints):
    table = at_table()
    table.page.context.set_offline(True)
    table.press('[data-tile="6-6"]')
    table.press('[data-tile="6-2"]')
    table.press('[data-key="pass"]')
    expect(table.page.locator(".unsent")).to_contain_text("Not sent: 3")
    expect(table.page.locator(".turn")).to_have_attribute("data-turn", "D")
    assert lines(match) == []
    table.page.context.set_offline(False)
    table.settled()
    assert lines(match) == ["A 6-6", "B 6-2 right", "C pass"]
    complaints.clear()  # the browser notes every failed attempt itself


def test_undo_without_network_takes_back_what_was_never_sent(at_table, match, complaints):
    table = at_table()
    table.page.context.set_offline(True)
    table.press('[data-tile="6-6"]')
    table.press('[data-tile="6-2"]')
    table.press('[data-key="undo"]')
    expect(table.page.locator(".unsent")).to_contain_text("Not sent: 1")
    table.press('[data-tile="6-4"]')
    table.press('[data-key="pass"]')
    table.page.context.set_offline(False)
    table.settled()
    assert lines(match) == ["A 6-6", "B 6-4 right", "C pass"]
    complaints.clear()


def test_a_trembling_thumb_records_once(at_table, match):
    table = at_table()
    table.press('[data-tile="6-6"]')
    table.page.wait_for_timeout(TREMOR)
    table.page.locator('.pad [data-tile="6-5"]').dblclick()
    table.settled()
    assert lines(match) == ["A 6-6", "B 6-5 right"]


def test_an_answer_that_is_lost_on_the_way_stores_the_event_once(at_table, match, complaints):
    table = at_table()
    lost: list[str] = []

    def lose_first_answer(route: Route) -> None:
        route.fetch()
        lost.append(json.loads(route.request.post_data or "{}")["client_key"])
        if len(lost) == 1:
            route.abort()
        else:
            route.continue_()

    table.page.route("**/events/", lose_first_answer)
    table.press('[data-tile="6-6"]')
    table.settled()
    assert lines(match) == ["A 6-6"]
    assert len(lost) == 2
    assert len(set(lost)) == 1
    complaints.clear()


def test_what_was_not_sent_survives_a_reload(at_table, match, complaints):
    table = at_table()
    table.page.route("**/events/", lambda route: route.abort())
    table.press('[data-tile="6-6"]')
    expect(table.page.locator(".unsent")).to_be_visible()
    table.page.unroute("**/events/")
    table.page.reload()
    table.settled()
    expect(table.page.locator(".turn")).to_have_attribute("data-turn", "B")
    assert lines(match) == ["A 6-6"]
    complaints.clear()


def test_two_referees_at_once_see_each_other_and_keep_their_drafts(at_table, match, complaints):
    # Where an event lets several devices record; otherwise one holds the table (test_links.py).
    event = match.pairing_round.stage.tournament
    event.policies = {TABLE_LINKS: {"one_holder": False}}
    event.save()
    first, second = at_table(), at_table()
    first.press('[data-tile="6-6"]')
    first.settled()
    second.press('[data-tile="6-6"]')
    sheet = second.page.locator("dialog")
    expect(sheet).to_contain_text("Somebody recorded before you")
    expect(sheet).to_contain_text("opens with")
    second.press('dialog [data-key="drop-kept"]')
    second.press('[data-tile="6-3"]')
    second.settled()
    first.accuse(Infraction(Seat.D, "delay"))
    first.press('dialog [data-key="send-kept"]')
    first.settled()
    assert lines(match) == ["A 6-6", "B 6-3 right", "D! delay -> warning"]
    complaints.clear()


def test_the_three_keys_tell_turn_table_and_stock(at_table, match):
    table = at_table()
    table.press('[data-tile="6-6"]')
    table.settled()
    said = table.page.locator("#announcer")
    table.page.locator("#typed-line").focus()
    table.page.keyboard.press("t")
    expect(said).to_contain_text(f"{_name(match, 'B')}, seat B, is to play.")
    table.page.keyboard.press("c")
    expect(said).to_contain_text("Open ends: left 6, right 6.")
    table.page.keyboard.press("Space")
    expect(said).to_contain_text("There is nothing to draw from now.")


def test_a_round_can_be_copied_from_a_score_sheet(at_table, new_page, match, rosa):
    table = ByTaps(new_page(user=rosa, viewport=PHONE), match)
    table.sit_down()
    table.press('[data-key="sheet"]')
    table.press('label:has([name="winner"][value="AC"])')
    table.page.fill('[name="points"]', "٣٧")
    table.press(".sheet-form button")
    table.in_stage("over")
    table.settled()
    assert lines(match) == ["result AC 37 out"]


def test_a_director_closes_early_and_opens_again_with_a_reason(new_page, match):
    director = match.pairing_round.stage.tournament.created_by
    table = ByTaps(new_page(user=director, viewport=PHONE), match)
    table.sit_down()
    table.press('[data-key="close-early"]')
    table.press('[data-key="give-reason"]')
    expect(table.page.locator("dialog textarea")).to_be_focused()
    table.page.fill("dialog textarea", "The hall closes.")
    table.press('[data-key="give-reason"]')
    table.in_stage("closed")
    table.press('[data-key="reopen-match"]')
    table.page.fill("dialog textarea", "It stays open after all.")
    table.press('[data-key="give-reason"]')
    table.in_stage("between")


def test_my_tables_lead_to_the_table(new_page, match, rosa):
    page = new_page(user=rosa, viewport=PHONE)
    page.goto(f"/tables/{match.pairing_round.stage.tournament.slug}/")
    page.get_by_role("link", name="Table 1").click()
    expect(page.locator("#recorder")).to_have_attribute("data-stage", "waiting")
    page.get_by_text("The rules of this table").click()
    expect(page.locator(".rules-list")).to_contain_text("30")


def test_the_page_records_without_scripts(new_page, match, rosa, complaints):
    page = new_page(user=rosa, viewport=PHONE, scripts=False)
    page.goto(f"/matches/{match.pk}/record/")
    page.get_by_role("button", name="They sit like this: open the table").click()
    page.get_by_label("A ·").check()
    page.get_by_role("button", name="Start the round").click()
    page.get_by_role("button", name="double six").click()
    page.get_by_role("button", name="six-one", exact=False).first.click()
    page.get_by_role("button", name="Pass").click()
    page.get_by_label("Type a move").fill("٦٢")
    page.get_by_role("button", name="Record", exact=True).click()
    assert lines(match)[0] == "A 6-6"
    assert lines(match)[2:] == ["C pass", "D 6-2"]
    page.get_by_label("Type a move").fill("54")
    page.get_by_role("button", name="Record", exact=True).click()
    expect(page.locator("main")).to_contain_text("5-4 does not fit")
    complaints.clear()  # the browser notes the 422 itself


@pytest.mark.parametrize("language", ["en", "ar"])
def test_the_page_is_usable_by_everybody_at_every_stage(new_page, at_table, match, rosa, language):
    table = ByTaps(new_page(user=rosa, viewport=PHONE, language=language), match)
    accessible(table.page)
    table.sit_down()
    accessible(table.page)
    table.start_round(Seat.A)
    table.press('[data-tile="6-6"]')
    table.press('[data-tile="6-5"]')
    table.press('[data-tile="5-5"]')
    table.settled()
    accessible(table.page)
    table.press('.table-view [data-seat="B"]')
    table.press('[data-kind="misplay"]')
    accessible(table.page)
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def accessible(page: Page) -> None:
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()


def test_what_was_typed_and_refused_stays_and_the_reason_stands_beside_it(at_table, complaints):
    table = at_table()
    field = table.page.locator("#typed-line")
    field.fill("A! no such thing here -> sorcery")
    field.press("Enter")
    reason = table.page.locator("#typed-problem")
    expect(reason).to_be_in_viewport()
    expect(field).to_be_in_viewport()
    expect(field).to_have_value("A! no such thing here -> sorcery")
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(table.page.locator("#announcer")).to_contain_text(reason.inner_text())
    assert all("400" in one or "409" in one for one in complaints)
    complaints.clear()

    field.fill("qqq")
    field.press("Enter")
    expect(reason).to_be_in_viewport()
    expect(field).to_have_value("qqq")
    field.fill("66")
    field.press("Enter")
    table.settled()
    expect(reason).to_be_hidden()
    expect(field).to_have_value("")


def test_a_false_pass_found_after_the_end_comes_with_its_tile_and_nothing_about_turns(
    at_table, match, rosa
):
    record = match.records.first() or services.open_round(
        services.open_match(match, by=rosa), number=0, opener="A", by=rosa
    )
    lines_of_round = ["A 6-6", "B 6-3", "C pass", "D 6-5", "A 5-5", "B 5-4", "C 4-3 right"]
    for number, line in enumerate([*lines_of_round, "A! delay -> void_round"]):
        services.append_event(record, number=number, event=parse_line(line), by=rosa)
    table = at_table()
    table.press('.finding[data-finding="false_pass"] button')
    sheet = table.page.locator("dialog")
    expect(sheet.locator(".measures")).to_contain_text("Warning")
    expect(sheet.locator('.measures [value="retract"]')).to_have_count(0)
    expect(sheet).to_contain_text("four-three")
    table.press('[data-key="record-infraction"]')
    table.settled()
    assert lines(match)[-1] == "C! false_pass 4-3 -> warning"
