"""A hall of tables recorded at once: how long each event waits for its answer.

    DATABASE_URL=postgres://… python benchmarks/hall.py [--tables 120] [--seconds 60] [--opening 10]

Two server processes answer, on a database made for the run. Every table is a referee of its own
who sends the next event a random pause after the last answer, `--pause` seconds in the mean:
players take longer. The tables begin within `--opening` seconds of one another: each sits down and
mixes the tiles. Whole matches are played, in rounds, until the time is over; how long the opening
of a round takes is said apart.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import statistics
import sys
import threading
import time
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from benchmarks.api import PORT, Referee, own_database, server, table
from engine.notation import format_line
from engine.record import Record
from referee.services import records as services
from tests.engine.playing import blind, played
from tournaments.models import Match

WORKERS, THREADS = 2, 4


class Table(threading.Thread):
    """One table and its referee, on a connection of their own."""

    def __init__(
        self,
        referee: Referee,
        match: Match,
        record: Record,
        until: float,
        pause: float,
        opening: float,
    ):
        super().__init__(daemon=True)
        self.referee, self.match, self.record = referee, match, record
        self.until, self.pause, self.opening = until, pause, opening
        self.rng = random.Random(match.pk)
        self.took: list[float] = []
        self.opened: list[float] = []
        self.failed = ""

    def run(self) -> None:
        try:
            self.play()
        except (SystemExit, OSError, http.client.HTTPException) as error:
            self.failed = str(error)

    def play(self) -> None:
        time.sleep(self.rng.random() * self.opening)
        for number, one in enumerate(self.record.rounds):
            if one.opener is None:
                continue
            said: dict[str, object] = {"number": number, "opener": one.opener.value}
            begun = time.perf_counter()
            answer = self.referee.asked(f"/api/matches/{self.match.pk}/rounds/", said)
            self.opened.append(time.perf_counter() - begun)
            address = f"/api/rounds/{answer['live']['round']['id']}/events/"
            for place, event in enumerate(one.events):
                time.sleep(self.rng.expovariate(1 / self.pause))
                if time.monotonic() > self.until:
                    return
                sent = {"number": place, "event": format_line(event), "client_key": str(uuid4())}
                self.took.append(self.referee.post(address, sent))


def main() -> None:
    parser = argparse.ArgumentParser(description="A hall of tables recorded at once.")
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--pause", type=float, default=2)
    parser.add_argument("--opening", type=float, default=10)
    asked = parser.parse_args()
    with own_database() as database, server(database, WORKERS, THREADS):
        seated = [table() for _ in range(asked.tables)]
        records = [blind(played(seed, whole=True)) for seed in range(20)]
        until = time.monotonic() + asked.seconds
        tables = [
            Table(
                Referee(http.client.HTTPConnection("127.0.0.1", PORT, timeout=60), user),
                services.open_match(match, by=user),
                records[place % len(records)],
                until,
                asked.pause,
                asked.opening,
            )
            for place, (match, user) in enumerate(seated)
        ]
        for one in tables:
            one.start()
        for one in tables:
            one.join()
    took = sorted(seconds * 1e3 for one in tables for seconds in one.took)
    failed = [one.failed for one in tables if one.failed]
    cuts = statistics.quantiles(took, n=100)
    print(f"{asked.tables} tables, {WORKERS} workers of {THREADS} threads, pause {asked.pause} s")
    print(f"events   {len(took)}, {len(took) / asked.seconds:.0f} a second, failed {len(failed)}")
    print(f"median   {cuts[49]:7.1f} ms")
    print(f"95 %     {cuts[94]:7.1f} ms")
    print(f"99 %     {cuts[98]:7.1f} ms")
    print(f"slowest  {took[-1]:7.1f} ms")
    opened = sorted(seconds * 1e3 for one in tables for seconds in one.opened)
    print(f"rounds opened {len(opened)}: median {statistics.median(opened):.1f} ms", end="")
    print(f", slowest {opened[-1]:.1f} ms")
    for reason in failed[:3]:
        print("failed:", reason)
    if failed:
        raise SystemExit(1)


if __name__ == "__main__":
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    main()
