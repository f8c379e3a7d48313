"""The bell: rung after a change is stored, heard by the stream, never in anybody's way."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable

import pytest
from django.conf import settings as project_settings
from django.db import connections
from django.urls import reverse

from tests import factories
from tests.loops import run_apart
from tournaments import bell
from tournaments.stream import serving
from tournaments.stream.hub import Hub, Listener

HEARD = 10.0


@pytest.fixture(autouse=True)
def with_a_stream(settings, monkeypatch):
    settings.STREAM_URL = "/stream/"
    monkeypatch.setattr(bell, "_silent_until", 0.0)
    bell._redis.cache_clear()
    yield
    bell._redis.cache_clear()


def in_a_thread(act: Callable[[], None]) -> None:
    """Do something on a connection of its own, and leave none open."""
    try:
        act()
    finally:
        connections.close_all()


def heard() -> bool:
    """Say whether the stream hears the bell when it is rung."""

    async def listen() -> bool:
        rung = asyncio.Event()
        listening = asyncio.create_task(serving._hear(rung))
        deadline = time.monotonic() + HEARD
        while time.monotonic() < deadline:
            await asyncio.to_thread(in_a_thread, bell.ring)
            try:
                await asyncio.wait_for(rung.wait(), 0.2)
                break
            except TimeoutError:
                continue
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        return rung.is_set()

    return run_apart(listen())


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_the_database_is_the_bell_where_there_is_no_redis(settings):
    settings.REDIS_URL = ""
    assert heard()


@pytest.mark.redis
@pytest.mark.django_db(transaction=True)
def test_redis_is_the_bell_where_there_is_one():
    assert project_settings.REDIS_URL
    assert heard()


@pytest.fixture
def rings(monkeypatch) -> list[str]:
    found: list[str] = []
    monkeypatch.setattr("tournaments.project.middleware.ring", lambda: found.append("rung"))
    return found


@pytest.mark.django_db
def test_the_bell_rings_after_a_change_and_not_when_somebody_reads(client, rings):
    match = factories.MatchFactory.create(pairing_round__stage__tournament__state="running")
    tournament = match.pairing_round.stage.tournament
    official = factories.OfficialFactory.create(tournament=tournament)
    client.force_login(official.user)
    client.get(reverse("referee:record", args=[match.pk]))
    assert rings == []
    client.post(reverse("referee:open_match", args=[match.pk]))
    assert rings == ["rung"]


@pytest.mark.django_db
def test_a_request_that_was_refused_changed_nothing_and_rings_nothing(client, rings):
    match = factories.MatchFactory.create()
    client.post(reverse("referee:open_match", args=[match.pk]))
    client.force_login(factories.UserFactory.create())
    rings.clear()
    assert client.post(reverse("referee:open_match", args=[match.pk])).status_code >= 400
    assert rings == []


def test_a_broken_bell_is_left_alone_for_a_while_and_stops_nobody(settings):
    # Nobody answers at this port.
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    bell.ring()
    silent = bell._silent_until
    assert silent > time.monotonic()
    bell.ring()
    assert bell._silent_until == silent


def test_without_a_stream_there_is_nothing_to_ring(settings):
    settings.STREAM_URL = ""
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    bell.ring()
    assert bell._silent_until == 0.0


@pytest.mark.django_db(transaction=True)
def test_a_change_is_told_without_any_bell(settings):
    settings.REDIS_URL = ""
    match = factories.MatchFactory.create(pairing_round__stage__tournament__state="running")
    sent: list[bytes] = []

    async def listen() -> None:
        async def send(message):
            sent.append(message["body"])

        hub = Hub()
        until = time.time() + 600
        listener = Listener((f"m{match.pk}",), send, address="10.0.0.1", until=until)
        async with serving.told(hub):
            await hub.enter(listener, int(time.time() * 1000) + 10_000)
            deadline = time.monotonic() + HEARD
            while time.monotonic() < deadline and not any(b"changed" in one for one in sent):
                await asyncio.to_thread(in_a_thread, match.save)
                await asyncio.sleep(0.2)

    run_apart(listen())
    assert any(f'"of":["m{match.pk}"]'.encode() in one for one in sent)
