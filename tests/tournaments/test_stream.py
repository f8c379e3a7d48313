"""The stream: who may listen, what they are told, and that nothing is lost on the way."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlencode

import pytest

from tests import factories
from tests.loops import run_apart
from tournaments import channels
from tournaments.models import Match, PairingRound, StandingRow, Tournament
from tournaments.services import log
from tournaments.services.standings import rebuild_standings
from tournaments.stream.app import LONGEST_SECONDS, Stream
from tournaments.stream.changes import Changes
from tournaments.stream.hub import BEAT_SECONDS, PAGES_A_SECOND, Hub

Act = Callable[["Stage"], Awaitable[None]]


class Clock:
    def __init__(self) -> None:
        self.now = 1_700_000_000.0

    def __call__(self) -> float:
        return self.now


class Browser:
    """One open page as the application sees it."""

    def __init__(self, app: Stream, tokens: list[str], *, address: str, **asked: str) -> None:
        query = urlencode([*(("k", one) for one in tokens), *asked.items()])
        scope = {
            "type": "http",
            "method": "GET",
            "query_string": query.encode(),
            "headers": [],
            "client": (address, 1),
        }
        self.status = 0
        self.text = b""
        self.ended = False
        self.gate = asyncio.Event()
        self.gate.set()
        self._left = asyncio.Event()
        self.task = asyncio.create_task(app(scope, self._receive, self._send))

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: dict[str, Any]) -> None:
        await self.gate.wait()
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self.text += message["body"]
        if not message.get("more_body"):
            self.ended = True
            self._left.set()

    async def leave(self) -> None:
        self._left.set()
        await self.task

    @property
    def changes(self) -> list[str]:
        return [
            line.partition(b"data: ")[2].decode()
            for line in self.text.split(b"\n")
            if line.startswith(b"data: {")
        ]


class Stage:
    """A stream with a clock of its own."""

    def __init__(self, **limits: int) -> None:
        self.clock = Clock()
        self.hub = Hub(self.clock)
        self.clock.now += 100
        self.app = Stream(self.hub, **({"most": 100, "each": 50} | limits))
        self.number = 0

    async def open(self, *heard: str, address: str = "10.0.0.1", **asked: str) -> Browser:
        token = channels.signed(heard)
        asked.setdefault("last", str(int(self.clock.now * 1000) + 2500))
        browser = Browser(self.app, [token], address=address, **asked)
        await settled()
        return browser


async def settled() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def play(act: Act, **limits: int) -> None:
    async def played() -> None:
        await act(Stage(**limits))

    run_apart(played())


def test_who_listens_is_told_of_their_own_channels_and_no_others():
    async def act(stage: Stage) -> None:
        one, other = await stage.open("m1", "d1"), await stage.open("m2", "d1")
        await stage.hub.publish(["m1"])
        await settled()
        assert one.changes == ['{"of":["m1"],"within":4}']
        assert other.changes == []
        await stage.hub.publish(["d1", "r7"])
        await settled()
        assert one.changes[1:] == other.changes == ['{"of":["d1"],"within":8}']

    play(act)


def test_a_slow_page_is_owed_one_message_however_much_changes():
    async def act(stage: Stage) -> None:
        slow, quick = await stage.open("m1", "m2"), await stage.open("m1")
        slow.gate.clear()
        for _ in range(50):
            await stage.hub.publish(["m1", "m2"])
            await settled()
        assert len(quick.changes) == 50
        slow.gate.set()
        await settled()
        assert len(slow.changes) == 2
        assert slow.changes[-1] == '{"of":["m1","m2"],"within":8}'

    play(act)


def test_who_comes_back_is_told_what_they_missed_and_nothing_they_know():
    async def act(stage: Stage) -> None:
        await stage.hub.publish(["m1"])
        stage.clock.now += 10
        known = str(int(stage.clock.now * 1000))
        stage.clock.now += 10
        await stage.hub.publish(["m2"])
        back = await stage.open("m1", "m2", last=known)
        assert back.changes == ['{"of":["m2"],"within":4}']

    play(act)


def test_who_was_here_before_the_process_began_is_told_to_ask_once():
    async def act(stage: Stage) -> None:
        page = await stage.open("m1", "d1", last="5")
        assert page.changes == ['{"of":["d1","m1"],"within":4}']

    play(act)


def test_a_page_that_knows_all_is_only_greeted():
    async def act(stage: Stage) -> None:
        page = await stage.open("m1")
        assert page.text == b"event: hello\ndata:\n\n"

    play(act)


def test_the_more_listen_the_longer_their_asking_is_spread():
    async def act(stage: Stage) -> None:
        pages = [await stage.open("e1") for _ in range(PAGES_A_SECOND // 10)]
        await stage.hub.publish(["e1"])
        await settled()
        assert pages[-1].changes == ['{"of":["e1"],"within":100}']

    play(act)


@pytest.mark.parametrize("token", ["", "m1.zzzz.0", channels.signed(["m1"], now=0)])
def test_without_a_valid_token_nobody_listens(token):
    async def act(stage: Stage) -> None:
        page = Browser(stage.app, [token], address="10.0.0.1")
        await page.task
        assert page.status == 403
        assert page.text.endswith(b"Load the page again.\n")
        assert len(stage.hub) == 0

    play(act)


def test_one_wrong_token_among_several_is_refused():
    async def act(stage: Stage) -> None:
        page = Browser(stage.app, [channels.signed(["m1"]), "m2.0.0"], address="10.0.0.1")
        await page.task
        assert page.status == 403

    play(act)


def test_no_address_takes_all_the_places():
    async def act(stage: Stage) -> None:
        first = await stage.open("m1", address="10.0.0.1")
        await stage.open("m1", address="10.0.0.1")
        refused = await stage.open("m1", address="10.0.0.1")
        assert refused.status == 503
        assert (await stage.open("m1", address="10.0.0.2")).status == 200
        full = await stage.open("m1", address="10.0.0.3")
        assert full.status == 503
        await first.leave()
        assert (await stage.open("m1", address="10.0.0.1")).status == 200

    play(act, most=3, each=2)


def test_who_leaves_is_forgotten():
    async def act(stage: Stage) -> None:
        page = await stage.open("m1")
        await page.leave()
        assert len(stage.hub) == 0
        assert stage.hub.at("10.0.0.1") == 0
        assert await stage.hub.publish(["m1"]) == 0

    play(act)


def test_every_page_hears_that_the_line_is_alive():
    async def act(stage: Stage) -> None:
        pages = [await stage.open("m1") for _ in range(7)]
        for _ in range(BEAT_SECONDS):
            await stage.hub.beat()
        await settled()
        assert all(b"event: beat" in page.text for page in pages)

    play(act)


def test_a_page_that_is_open_long_comes_back_with_a_new_token():
    async def act(stage: Stage) -> None:
        page = await stage.open("m1")
        stage.clock.now += 10**10 + LONGEST_SECONDS
        await stage.hub.beat()
        await settled()
        assert page.ended
        assert len(stage.hub) == 0

    play(act)


def test_a_stop_ends_every_stream():
    async def act(stage: Stage) -> None:
        pages = [await stage.open("m1") for _ in range(3)]
        await stage.hub.close()
        await settled()
        assert all(page.ended for page in pages)

    play(act)


# --- what changed ----------------------------------------------------------------------------


@pytest.fixture
def match(db: None) -> Match:
    tournament = factories.TournamentFactory.create(state=Tournament.State.RUNNING)
    return factories.MatchFactory.create(pairing_round__stage__tournament=tournament)


def names(match: Match) -> tuple[int, int, int]:
    return match.pk, match.pairing_round_id, match.pairing_round.stage.tournament_id


def test_the_first_look_remembers_and_the_next_tells(match):
    changes = Changes()
    assert changes.look() == set()
    assert changes.look() == set()
    match.score = {"totals": {"AC": 30, "BD": 5}, "round": 2}
    match.save()
    table, at, event = names(match)
    assert changes.look() == {f"m{table}", f"r{at}", f"e{event}", f"o{event}"}
    assert changes.look() == set()


def test_a_move_is_told_to_those_who_follow_the_table_and_to_no_list_of_tables(match):
    changes = Changes()
    changes.look()
    match.save()
    table, _, event = names(match)
    assert changes.look() == {f"m{table}", f"o{event}"}


def test_a_draft_is_told_to_officials_alone(match):
    changes = Changes()
    changes.look()
    PairingRound.objects.filter(pk=match.pairing_round_id).update(state="draft")
    match.save()
    event = names(match)[2]
    log.write(match.pairing_round.stage.tournament, "round_drawn", by=None)
    assert changes.look() == {f"o{event}"}


def test_a_public_act_of_the_desk_is_told_to_every_page_of_the_event(match):
    changes = Changes()
    changes.look()
    event = names(match)[2]
    log.write(match.pairing_round.stage.tournament, "clock_set", by=None)
    assert changes.look() == {f"d{event}", f"e{event}", f"o{event}"}


def test_standings_are_told_when_they_are_rebuilt(match):
    stage = match.pairing_round.stage
    rebuild_standings(stage)
    changes = Changes()
    changes.look()
    StandingRow.objects.filter(pk=StandingRow.objects.latest("order").pk).update(played=9)
    rebuild_standings(stage)
    event = names(match)[2]
    assert changes.look() == {f"s{event}", f"e{event}", f"o{event}"}


def test_a_change_that_is_stored_later_than_a_newer_one_is_not_left_out(match):
    other = factories.MatchFactory.create(pairing_round=match.pairing_round)
    changes = Changes()
    changes.look()
    early = Match.objects.get(pk=match.pk).changed_at
    other.save()
    changes.look()
    # A transaction that began before and was stored after.
    Match.objects.filter(pk=match.pk).update(changed_at=early.replace(microsecond=1))
    assert f"m{match.pk}" in changes.look()


def test_a_look_costs_four_queries_however_much_there_is(match, django_assert_num_queries):
    factories.MatchFactory.create_batch(5, pairing_round=match.pairing_round)
    changes = Changes()
    changes.look()
    with django_assert_num_queries(4):
        changes.look()
