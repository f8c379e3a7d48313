"""Broken files of events: refused with their path, or every page and API address can be opened."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db import transaction
from django.test import Client

from referee.event_file import exported, imported
from tests.factories import OrganizerFactory, UserFactory
from tests.referee.hostile_files import addresses, mutated, people, reduced
from tournaments.errors.event_files import BadEventFile, EventFileIsNewer

DEMO = (
    "cafe-cup", "copa-la-ceiba", "cuatro-clubes", "domino-night", "kingston-pairs", "new-partners",
    "nile-open",
)  # fmt: skip
# MUTATIONS=450 tries more than 3,000 files in all; every so many accepted ones all is opened.
TRIED = int(os.environ.get("MUTATIONS", "12"))
SEED = int(os.environ.get("MUTATIONS_SEED", "1"))
EVERYTHING_EVERY = 100

pytestmark = [pytest.mark.slow, pytest.mark.django_db]


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, Any]]:
    """The events of the demo, saved by the command, with fewer rounds."""
    folder = tmp_path_factory.mktemp("demo")
    made = {"VAR_DIR": str(folder), "PATH": "", "DEBUG": "1"}
    commands = [["migrate", "-v0"], ["demo"]]
    commands += [["export_event", slug, str(folder / f"{slug}.json")] for slug in DEMO]
    for command in commands:
        subprocess.run([sys.executable, "manage.py", *command], env=made, check=True,
                       capture_output=True)  # fmt: skip
    return {slug: reduced(json.loads(Path(folder, f"{slug}.json").read_bytes())) for slug in DEMO}


# Who opens what: what only directors see is not opened by others, nor a page by three people.
SEEN_BY = {
    "nobody": ("/t/", "/matches/", "/api/t/", "/api/matches/", "/players/"),
    "referee": ("/matches/", "/tables/", "/rounds/", "/desk/"),
    "director": ("/",),
}


def opened(
    clients: dict[str, Client], found: Iterable[tuple[str, str]], unread: set[str]
) -> list[str]:
    """Return the addresses that fail, with who opened them; learn which only take what is sent."""
    failed = []
    for route, address in found:
        for who, client in clients.items():
            if route in unread or not address.startswith(SEEN_BY[who]):
                continue
            with transaction.atomic():
                status = client.get(address).status_code
            if status == 405:
                unread.add(route)
            if status >= 500:
                failed.append(f"{who}: {address}")
    return failed


@pytest.mark.parametrize("slug", DEMO)
def test_a_broken_file_is_refused_or_every_page_can_be_shown(
    files: dict[str, dict[str, Any]], slug: str, caplog: pytest.LogCaptureFixture
) -> None:
    chance = Random(f"{SEED} {slug}")
    director, referee = OrganizerFactory.create(), UserFactory.create()
    clients = signed_in(director, referee)
    failed: list[str] = []
    unread: set[str] = set()
    accepted = 0
    for number in range(TRIED):
        document, path, act = (
            (files[slug], (), "none") if not number else mutated(files[slug], chance)
        )
        savepoint = transaction.savepoint()
        try:
            event = imported(json.dumps(document).encode("utf-8", "surrogatepass"), by=director)
        except (BadEventFile, EventFileIsNewer):
            transaction.savepoint_rollback(savepoint)
            assert number, "the file as it was saved is refused"
            continue
        accepted += 1
        people(event, referee)
        everything = not accepted % EVERYTHING_EVERY
        found = addresses(event, path, chance, everything=everything, unread=unread)
        wrong = opened(clients, list(found), unread)
        failed += [f"{number} {act} {path}: {one}" for one in wrong]
        if wrong:
            print(f"FAILED {slug} {failed[-1]}", flush=True)
        # What was let in can be saved again.
        exported(event)
        transaction.savepoint_rollback(savepoint)
        caplog.clear()
    assert failed == []
    assert accepted > TRIED // 20


def signed_in(director: User, referee: User) -> dict[str, Client]:
    clients = {"nobody": Client(raise_request_exception=False)}
    for who, user in (("director", director), ("referee", referee)):
        clients[who] = Client(raise_request_exception=False)
        clients[who].force_login(user)
    return clients
