"""Events stored through the API beside a bare view that inserts one row, in one run.

    DATABASE_URL=postgres://… python benchmarks/api.py [--matches 3]

One server process answers both, on a database made for the run. Requests take turns: one event
of a match as a referee records it (lock, replay of the match, checks, insert, score), then one
bare row. The ratio is bare time over event time, of the medians.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from uuid import uuid4

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.update(
    DJANGO_SETTINGS_MODULE="benchmarks.bare_settings",
    SECRET_KEY="a key for the benchmark only, long enough",
    ALLOWED_HOSTS="127.0.0.1",
    HTTPS="0",
    REDIS_URL="",
)

import django

django.setup()

from django.contrib.auth.models import User
from django.db import connection
from django.test import Client

from engine.notation import format_line
from engine.record import Record
from referee.models import RoundRecord
from referee.services import records as services
from tests import factories
from tests.engine.playing import blind, played
from tournaments.models import Match, Tournament

PORT = 8989
START = 30.0


@contextmanager
def own_database() -> Iterator[str]:
    """Make a database with the site's tables, name it as the environment does, remove it."""
    before = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    made = connection.settings_dict
    try:
        yield f"postgres://{made['USER']}@{made['HOST']}:{made['PORT']}/{made['NAME']}"
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


@contextmanager
def server(
    database: str, workers: int = 1, threads: int = 1
) -> Iterator[http.client.HTTPConnection]:
    """Answer on `PORT` from the database, until the block ends."""
    environment = os.environ | {"DATABASE_URL": database}
    command = ["-m", "gunicorn", "tournaments.project.wsgi", "--worker-class", "gthread"]
    command += ["--workers", str(workers), "--threads", str(threads), "--keep-alive", "60"]
    command += ["--bind", f"127.0.0.1:{PORT}", "--log-level", "warning"]
    process = subprocess.Popen([sys.executable, *command], cwd=ROOT, env=environment)
    try:
        yield reached(time.monotonic() + START)
    finally:
        process.terminate()
        process.wait(timeout=30)


def reached(deadline: float) -> http.client.HTTPConnection:
    while True:
        line = http.client.HTTPConnection("127.0.0.1", PORT)
        try:
            line.request("GET", "/api/t/")
            line.getresponse().read()
            return line
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.2)


class Referee:
    """Somebody signed in who posts JSON and knows how long each answer took."""

    def __init__(self, line: http.client.HTTPConnection, user: User) -> None:
        self.line = line
        client = Client()
        client.force_login(user)
        token = "t" * 32
        self.headers = {
            "Content-Type": "application/json",
            "Cookie": f"sessionid={client.cookies['sessionid'].value}; csrftoken={token}",
            "X-CSRFToken": token,
        }

    def post(self, address: str, said: dict[str, object]) -> float:
        """Send what is said; return the seconds until the answer was there."""
        begun = time.perf_counter()
        self._sent(address, said)
        return time.perf_counter() - begun

    def asked(self, address: str, said: dict[str, object]) -> Any:
        """Send what is said; return the answer."""
        return json.loads(self._sent(address, said))

    def _sent(self, address: str, said: dict[str, object]) -> bytes:
        self.line.request("POST", address, json.dumps(said), self.headers)
        answer = self.line.getresponse()
        text = answer.read()
        if answer.status != 201:
            raise SystemExit(f"{address} answered {answer.status}: {text[:300]!r}")
        return text


def table() -> tuple[Match, User]:
    tournament = factories.TournamentFactory.create(state=Tournament.State.RUNNING)
    pairing_round = factories.PairingRoundFactory.create(stage__tournament=tournament)
    match = factories.MatchFactory.create(pairing_round=pairing_round)
    user = factories.OfficialFactory.create(tournament=tournament).user
    return services.open_match(match, by=user), user


def play(line: http.client.HTTPConnection, record: Record) -> tuple[list[float], list[float]]:
    """Send a whole match; return what each event took and what each bare row took."""
    match, user = table()
    spare = RoundRecord.objects.create(match=table()[0], number=0)
    referee = Referee(line, user)
    events: list[float] = []
    rows: list[float] = []
    for number, one in enumerate(record.rounds):
        opener = one.opener.value if one.opener else ""
        stored = services.open_round(match, number=number, opener=opener, by=user)
        for place, event in enumerate(one.events):
            said: dict[str, object] = {"number": place, "event": format_line(event)}
            key = {"client_key": str(uuid4())}
            events.append(referee.post(f"/api/rounds/{stored.pk}/events/", said | key))
            bare = {"round": spare.pk, "number": len(rows), "client_key": str(uuid4())}
            rows.append(referee.post("/bare/", said | bare))
    return events, rows


def main() -> None:
    parser = argparse.ArgumentParser(description="Events through the API beside bare rows.")
    parser.add_argument("--matches", type=int, default=3)
    asked = parser.parse_args()
    if connection.vendor != "postgresql":
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    events: list[float] = []
    rows: list[float] = []
    with own_database() as database, server(database) as line:
        for seed in range(asked.matches):
            one, other = play(line, blind(played(seed, whole=True)))
            events += one
            rows += other
    event, row = statistics.median(events), statistics.median(rows)
    slow = statistics.quantiles(events, n=20)[-1]
    print(f"one event of a match  {event * 1e3:6.2f} ms  (95 in 100 below {slow * 1e3:.2f} ms)")
    print(f"one bare row          {row * 1e3:6.2f} ms")
    print(f"ratio                 {row / event:6.2f}     ({len(events)} of each)")


if __name__ == "__main__":
    main()
