"""A round is published while the hall records: everybody asks where they sit, at once.

    DATABASE_URL=postgres://… python benchmarks/rush.py [--players 480] [--tables 120] [--within 30]

In one event 120 tables are recorded, as in `hall.py`, and the next round is published. Within the
next half minute every player opens the page of the event on a phone of their own, a quarter of them
in another language, types three letters of their name, and has the page open from then on: it asks
again as the script does. What each answer took is told, and how the tables fared meanwhile.
"""

from __future__ import annotations

import argparse
import http.client
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections import Counter, defaultdict
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
# Pages name their files by what is in them, so the files are collected first.
KEPT = tempfile.TemporaryDirectory()
os.environ["VAR_DIR"] = KEPT.name

from django.core.management import call_command

from benchmarks.api import PORT, Referee, own_database, server
from benchmarks.hall import THREADS, WORKERS, Table
from referee.services import records as services
from tests import factories
from tests.engine.playing import blind, played
from tournaments.models import Match, Official, PairingRound, Tournament
from tournaments.services import log

BEFORE, AFTER = 5.0, 10.0
LANGUAGES = ("en", "en", "en", "ar")
EVERY, SLOWEST = 1.6, 15.0
LETTERS = "abcdefghijklmnopqrstuvwxyz"


class Player(threading.Thread):
    """Somebody who looks for their table and leaves the page open until the rush is over."""

    def __init__(self, number: int, name: str, at: float, until: float) -> None:
        super().__init__(daemon=True)
        self.typed, self.at, self.until = name[:3], at, until
        self.rng = random.Random(number)
        self.language = LANGUAGES[number % len(LANGUAGES)]
        self.took: defaultdict[str, list[float]] = defaultdict(list)
        self.statuses: Counter[int] = Counter()
        self.took_last = 0.0
        self.failed = ""

    def run(self) -> None:
        time.sleep(max(0.0, self.at - time.monotonic()))
        try:
            self.look()
        except (OSError, http.client.HTTPException) as error:
            self.failed = repr(error)

    def look(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
        self.ask(line, "page", "/t/rush/")
        time.sleep(0.5 + self.rng.random())
        found = f"/t/rush/?q={quote(self.typed)}"
        tag = self.ask(line, "search", found, Part="1")
        # With the letters in the box the page goes on by itself.
        while time.monotonic() < self.until:
            # As the script does: the slower the answers, the less often it asks.
            slow = min(10 * self.took_last, SLOWEST)
            time.sleep(max(EVERY, slow) * self.rng.uniform(0.8, 1.2))
            tag = self.ask(line, "again", found, Part="1", **{"If-None-Match": tag})
        line.close()

    def ask(self, line: http.client.HTTPConnection, what: str, address: str, **more: str) -> str:
        headers = {"Accept-Language": self.language, "Accept-Encoding": "gzip", **more}
        begun = time.perf_counter()
        line.request("GET", address, headers=headers)
        answer = line.getresponse()
        answer.read()
        self.took_last = time.perf_counter() - begun
        self.took[what].append(self.took_last)
        self.statuses[answer.status] += 1
        return answer.headers.get("ETag", "")


def name_of(number: int) -> str:
    """Return a name of which three letters find a few players only."""
    rng = random.Random(number)
    return "".join(rng.choices(LETTERS, k=7)).title() + " " + "".join(rng.choices(LETTERS, k=8))


def hall(tables: int) -> tuple[list[Match], PairingRound]:
    """Return the tables of a round in play, and the next round, not yet published."""
    tournament = factories.TournamentFactory.create(slug="rush", state=Tournament.State.RUNNING)
    stage = factories.StageFactory.create(tournament=tournament)
    now = factories.PairingRoundFactory.create(stage=stage, state=PairingRound.State.PLAYING)
    coming = factories.PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    pairs = []
    for number in range(tables * 2):
        players = [factories.PlayerFactory.create(name=name_of(number * 2 + one)) for one in (0, 1)]
        pairs.append(factories.EntryFactory.create(tournament=tournament, players=players))
    matches = []
    for at in range(tables):
        entries = pairs[at * 2 : at * 2 + 2]
        matches.append(factories.MatchFactory.create(pairing_round=now, entries=entries))
    others = pairs[1:] + pairs[:1]
    for at in range(tables):
        factories.MatchFactory.create(pairing_round=coming, entries=others[at * 2 : at * 2 + 2])
    return matches, coming


def told(name: str, seconds: list[float]) -> None:
    took = sorted(one * 1e3 for one in seconds)
    cuts = statistics.quantiles(took, n=100)
    figures = "".join(f"  {one:8.1f}" for one in (cuts[49], cuts[94], cuts[98], took[-1]))
    print(f"{name:22} {len(took):6}{figures}")


def main() -> None:
    parser = argparse.ArgumentParser(description="The rush at the publication of a round.")
    parser.add_argument("--players", type=int, default=480)
    parser.add_argument("--tables", type=int, default=120)
    parser.add_argument("--within", type=float, default=30)
    parser.add_argument("--pause", type=float, default=2)
    asked = parser.parse_args()
    call_command("collectstatic", interactive=False, verbosity=0)
    with own_database() as database, server(database, WORKERS, THREADS):
        matches, coming = hall(asked.tables)
        records = [blind(played(seed, whole=True)) for seed in range(20)]
        event = coming.stage.tournament
        publish = time.monotonic() + BEFORE + asked.tables * 0.05
        until = publish + asked.within + AFTER
        tables = []
        for place, match in enumerate(matches):
            user = factories.OfficialFactory.create(
                tournament=event, duty=Official.Duty.REFEREE
            ).user
            tables.append(
                Table(
                    Referee(http.client.HTTPConnection("127.0.0.1", PORT, timeout=60), user),
                    services.open_match(match, by=user),
                    records[place % len(records)],
                    until,
                    asked.pause,
                    asked.pause,
                )
            )
        rng = random.Random(1)
        players = [
            Player(number, name_of(number), publish + rng.random() * asked.within, until)
            for number in range(asked.players)
        ]
        threads: list[Table | Player] = [*tables, *players]
        for thread in threads:
            thread.start()
        time.sleep(max(0.0, publish - time.monotonic()))
        PairingRound.objects.filter(pk=coming.pk).update(state=PairingRound.State.PUBLISHED)
        log.write(event, "round_published", by=event.created_by, stage=coming.stage, round=2)
        for thread in threads:
            thread.join()
    statuses: Counter[int] = Counter()
    for player in players:
        statuses += player.statuses
    print(f"{asked.players} players within {asked.within:.0f} s, {asked.tables} tables recording")
    print(f"{'ms':22} {'count':>6}  {'median':>8}  {'95 %':>8}  {'99 %':>8}  {'slowest':>8}")
    for what, name in (("page", "the page"), ("search", "three letters"), ("again", "asked again")):
        told(name, [seconds for player in players for seconds in player.took[what]])
    told("an event at a table", [seconds for one in tables for seconds in one.took])
    failed = [one.failed for one in threads if one.failed]
    wrong = sum(count for status, count in statuses.items() if status not in (200, 304))
    print("answers", dict(statuses), "wrong", wrong, "failed", len(failed))
    for reason in failed[:3]:
        print("failed:", reason)
    if failed or wrong:
        raise SystemExit(1)


if __name__ == "__main__":
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    main()
