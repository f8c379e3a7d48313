"""Situations 33, 35 and 37 of shared/cases/situations.md, as they happen at a table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, Route, expect

from referee.models import RecordedEvent, RoundRecord
from referee.queries import records as queries
from referee.services import links
from tests.browser.conftest import PHONE
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
def phone(new_page: Callable[..., Page], match: Match, rosa: User) -> Callable[..., ByTaps]:
    """Scan the code of the table with a new phone."""

    def scanned(at: str = "") -> ByTaps:
        token = links.make_link(match, scope="record", client_key=uuid4(), by=rosa).token
        page = new_page(viewport=PHONE)
        page.goto(f"{at}/l/{token}/")
        expect(page).to_have_url(re.compile(f"/matches/{match.pk}/record/$"))
        return Scanned(page, match)

    return scanned


class Scanned(ByTaps):
    """A phone that is at its table already."""

    def __init__(self, page: Page, match: Match) -> None:
        self.page = page
        self.match = match

    def record_hand(self, side: str, points: int) -> None:
        """Enter a whole round from the score sheet on the table."""
        self.in_stage("between")
        form = self.page.locator("form.sheet-form").first
        if not form.is_visible():
            self.press('[data-key="sheet"]')
        self.press(f'input[name="winner"][value="{side}"] + span')
        form.locator('[name="points"]').fill(str(points))
        form.get_by_role("button", name="Record the result").click()

    def sent(self) -> None:
        expect(self.page.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=40_000)


@pytest.fixture
def serving(match: Match) -> Iterator[Serving]:
    one = Serving()
    one.start()
    yield one
    one.kill()


def totals(match: Match) -> dict[str, int]:
    return dict(queries.read(queries.matches().get(pk=match.pk)).state.totals)


def test_situation_33_a_reply_dropped_after_commit_five_times_leaves_one_hand_of_26(
    phone, match, complaints
):
    table = phone()
    table.sit_down()
    dropped: list[int] = []

    def drop(route: Route) -> None:
        answer = route.fetch()
        dropped.append(answer.status)
        if len(dropped) <= 3:
            route.abort()
        elif len(dropped) <= 5:
            # The server dies while it answers: the body ends in the middle.
            route.fulfill(status=201, content_type="application/json", body=answer.text()[:40])
        else:
            route.fulfill(response=answer)

    table.page.context.route("**/api/matches/*/rounds/", drop)
    table.record_hand("AC", 26)
    expect(table.page.locator('#recorder[data-unsent="0"]')).to_be_attached(timeout=60_000)
    assert dropped == [201] * 6
    assert RoundRecord.objects.count() == RecordedEvent.objects.count() == 1
    assert totals(match) == {"AC": 26, "BD": 0}
    complaints.clear()  # the browser notes failed attempts itself


def test_situation_35_three_hands_without_wifi_are_counted_and_a_new_round_opens_empty(
    phone, match, complaints
):
    table = phone()
    table.sit_down()
    table.page.context.set_offline(True)
    for side, points in (("AC", 20), ("BD", 31), ("AC", 12)):
        table.record_hand(side, points)
    expect(table.page.locator(".unsent")).to_contain_text("Not sent: 3")
    # What was typed for the last hand is not proposed for the next one.
    table.press('[data-key="sheet"]')
    expect(table.page.locator('.sheet-form [name="points"]')).to_have_value("")
    expect(table.page.locator('.sheet-form [name="winner"]:checked')).to_have_count(0)
    assert not RoundRecord.objects.exists()
    table.page.context.set_offline(False)
    table.sent()
    assert totals(match) == {"AC": 32, "BD": 31}
    assert RoundRecord.objects.count() == 3
    complaints.clear()


def test_situation_35_an_obligation_of_one_round_does_not_linger_in_the_next(phone, match):
    table = phone()
    table.sit_down()
    table.start_round("A")
    table.press('.action-bar [data-key="infraction"]')
    table.press('dialog [data-key="by-B"]')
    table.press('dialog [data-kind="touch"]')
    table.press('dialog [data-touched="6-5"]')
    table.press('dialog [data-key="record-infraction"]')
    expect(table.page.locator("#recorder")).to_contain_text("Must play when it fits")
    table.settled()
    # The round counts nothing and the next one is dealt.
    table.page.fill("#typed-line", "B! signaling -> void_round")
    table.page.press("#typed-line", "Enter")
    table.in_stage("between")
    table.settled()
    table.start_round("A")
    expect(table.page.locator("#recorder")).not_to_contain_text("Must play when it fits")
    expect(table.page.locator(".last-event")).to_have_count(0)


def test_situation_37_a_server_killed_at_hand_nine_comes_back_with_hand_nine(
    phone, match, serving, complaints
):
    table = phone(serving.url)
    table.sit_down()
    for number in range(8):
        table.record_hand("AC" if number % 2 else "BD", 10 + number)
        table.sent()
    table.start_round("A")
    table.press('[data-tile="6-6"]')
    table.sent()
    serving.kill()
    table.press('.pad [data-tile="6-5"]')
    expect(table.page.locator(".unsent")).to_contain_text("Not sent: 1")
    # That phone is lost with what it had not sent; a new one goes on at hand nine.
    table.page.context.close()
    serving.start()
    found = phone(serving.url)
    found.press('[data-key="take-over"]')
    found.press('[data-key="confirm-take-over"]')
    expect(found.page.locator(".held")).to_have_count(0)
    expect(found.page.locator("#recorder")).to_contain_text("Round 9")
    expect(found.page.locator(".turn")).to_have_attribute("data-turn", "B")
    found.press('.pad [data-tile="6-5"]')
    found.sent()
    last = RoundRecord.objects.get(number=8)
    notations = list(last.events.order_by("number").values_list("notation", flat=True))
    assert notations == ["A 6-6", "B 6-5 right"]
    assert RecordedEvent.objects.count() == 10
    assert totals(match) == {"AC": 11 + 13 + 15 + 17, "BD": 10 + 12 + 14 + 16}
    complaints.clear()


def test_situation_37_hands_that_died_with_a_phone_are_set_as_a_score_with_a_reason(
    phone, match, complaints
):
    lost = phone()
    lost.sit_down()
    lost.page.context.set_offline(True)
    for number in range(6):
        lost.record_hand("AC" if number % 2 else "BD", 10 + number)
    lost.page.context.close()
    found = phone()
    found.press('[data-key="take-over"]')
    found.press('[data-key="confirm-take-over"]')
    expect(found.page.locator(".held")).to_have_count(0)
    found.press('[data-key="set-score"]')
    found.page.locator('[data-key="points-AC"]').fill("٣٩")
    found.page.locator('[data-key="points-BD"]').fill("36")
    found.press('[data-key="confirm-score"]')
    expect(found.page.locator("dialog .alert")).to_contain_text("Say why")
    found.page.locator('[data-key="score-reason"]').fill("وقع الهاتف في الماء 📱")
    found.press('[data-key="confirm-score"]')
    expect(found.page.locator("dialog")).to_have_count(0)
    assert totals(match) == {"AC": 39, "BD": 36}
    assert LogEntry.objects.get(act="score_set").details["reason"] == "وقع الهاتف في الماء 📱"
    found.start_round("A")
    found.press('[data-tile="6-6"]')
    found.settled()
    complaints.clear()


@pytest.mark.parametrize("offline", [False, True])
def test_a_score_sheet_taken_back_lets_the_round_begin_anew(offline, phone, match, complaints):
    table = phone()
    table.sit_down()
    table.record_hand("AC", 26)
    table.sent()
    table.page.context.set_offline(offline)
    table.press('[data-key="undo"]')
    expect(table.page.locator(".stage-title")).to_contain_text("Round 1")
    table.record_hand("BD", 31)
    table.press('[data-key="undo"]')
    table.press('[data-key="opener-A"]')
    table.press('[data-key="start-round"]')
    table.in_stage("recording")
    table.press('[data-tile="6-6"]')
    table.page.context.set_offline(False)
    table.sent()
    assert totals(match) == {"AC": 0, "BD": 0}
    lines = list(RecordedEvent.objects.order_by("number").values_list("notation", flat=True))
    assert lines == ["result AC 26 out", "undo 1", "result BD 31 out", "undo 1", "A 6-6"]
    assert RoundRecord.objects.count() == 1
    complaints.clear()
