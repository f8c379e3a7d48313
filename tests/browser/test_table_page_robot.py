"""The robot substitute on the page: as the engine's, and never guessing."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest
from django.contrib.auth.models import User
from playwright.sync_api import Page, expect

from engine.events import Event
from engine.match import replay
from engine.notation import parse_line
from engine.profiles import Rules
from engine.record import Record, Round
from engine.robot import deal, propose
from engine.written import event_json
from referee import states
from referee.models import RecordedEvent
from referee.recorded import written_hands
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

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

Json = dict[str, Any]

PROPOSE = """async (rounds) => {
  const { proposal } = await import("/static/referee/rules/robot.js");
  return rounds.map((one) => proposal(one));
}"""


def positions(seed: int, players: int) -> list[tuple[Json, Json]]:
    """Let robots play a round: every state as the page has it, and what the engine proposes."""
    hands, stock = deal(random.Random(seed), players)
    events: tuple[Event, ...] = ()
    met: list[tuple[Json, Json]] = []
    while True:
        record = Record(
            Rules.of("wdf", 100), players, (Round(events=events, hands=hands, stock=stock),)
        )
        one = replay(record).rounds[-1]
        if one.turn is None:
            return met
        act = propose(one, one.turn)
        held = one.hands
        assert held is not None
        state = {
            "turn": one.turn.value,
            "ends": list(one.ends) if one.ends else None,
            "hands": written_hands(held),
            "must": {seat.value: [str(tile) for tile in some] for seat, some in one.must.items()},
            "tiles": states.tiles(one),
            "can_draw": one.can_draw,
        }
        met.append((state, event_json(act)))
        events = (*events, act)


def test_the_page_proposes_what_the_engine_proposes(new_page: Callable[..., Page]) -> None:
    met = [one for seed in range(40) for one in positions(seed, 2 if seed % 2 else 4)]
    page = new_page()
    page.goto("/login/")
    proposed = page.evaluate(PROPOSE, [state for state, _ in met])
    assert proposed == [act for _, act in met]
    assert {next(key for key in act if key != "seat") for act in proposed} == {
        "play",
        "draw",
        "pass",
    }


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(state="running", target=100)
    stage = StageFactory.create(tournament=tournament)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


@pytest.fixture
def rosa(match: Match) -> User:
    return OfficialFactory.create(tournament=match.pairing_round.stage.tournament).user


def lines(match: Match) -> list[str]:
    rows = RecordedEvent.objects.filter(round__match=match).order_by("round__number", "number")
    return list(rows.values_list("notation", flat=True))


def test_with_a_known_hand_one_tap_records_what_the_robot_proposes(new_page, match, rosa):
    hands, _ = deal(random.Random(4), 4)
    services.open_match(match, by=rosa)
    record = services.open_round(match, number=0, hands=written_hands(hands), by=rosa)
    one = replay(Record(Rules.of("wdf", 100), 4, (Round(hands=hands),))).rounds[0]
    assert one.turn is not None
    left = parse_line(f"{one.turn} leaves robot")
    services.append_event(record, number=0, event=left, by=rosa)
    table = ByTaps(new_page(user=rosa, viewport=PHONE), match)
    expect(table.page.locator(f'.seat.robot[data-seat="{one.turn}"]')).to_contain_text("(robot)")
    table.press('[data-key="robot-act"]')
    table.settled()
    assert lines(match)[1:] == [f"{one.turn} {one.first_tile}"]
    expect(table.page.locator('[data-key="robot-act"]')).to_have_count(0)


def test_with_an_unknown_hand_the_robot_says_that_it_cannot_know(new_page, match, rosa):
    record = services.open_round(services.open_match(match, by=rosa), number=0, opener="A", by=rosa)
    services.append_event(record, number=0, event=parse_line("A 6-6"), by=rosa)
    table = ByTaps(new_page(user=rosa, viewport=PHONE), match)
    table.press('[data-key="leaves"]')
    table.press('dialog [data-key="leaves-B"]')
    table.press('[data-key="confirm-leaves"]')
    expect(table.page.locator(".robot-act")).to_contain_text("cannot know this hand")
    expect(table.page.locator('[data-key="robot-act"]')).to_have_count(0)
    table.settled()
    assert lines(match)[-1] == "B leaves robot"

    table.press('[data-key="robot-hand"]')
    for tile in ("6-3", "6-2", "5-5", "5-0", "4-1", "2-0", "1-0"):
        table.press(f'dialog [data-tile="{tile}"]')
    table.press('[data-key="robot-told"]')
    table.press('[data-key="robot-act"]')
    table.settled()
    assert lines(match)[-1] == "B 6-2"
