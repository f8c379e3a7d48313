"""Whole events through the services on PostgreSQL: time and database queries of every round.

    DATABASE_URL=postgres://… python benchmarks/events.py [--players 480] [--pairs 2160] [--seed 1]

Two events, in a database made for the run: individuals with changing partners over 6 rounds, and
pairs in 18 groups of which two each go on to a knockout of 36. Groups of 120 cannot play all
against all in a day: they play the first 5 rounds of it, as qualifiers of that size do (Manaus:
18 qualifiers of up to 120 pairs, the best of each to a final).

Robots play; a result is entered as a desk does, one table at a time. As with a worker, standings
are rebuilt beside the desk: here once when a round is over, and their time is told apart.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from random import Random
from time import perf_counter

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))
os.environ.update(
    DJANGO_SETTINGS_MODULE="tournaments.project.settings",
    SECRET_KEY="a key for the benchmark only, long enough",
    ALLOWED_HOSTS="127.0.0.1",
    HTTPS="0",
    REDIS_URL="",
    DEBUG="0",
)

import django

django.setup()

from celery import current_app
from django.db import connection

from referee.rehearsal.event import Counted, Rehearsal, make_event
from tournaments.errors.draws import BracketIsOver
from tournaments.models import LONG_IN_ROUND, Match, Stage
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.stages import StagePlan, Takes
from tournaments.services.standings import rebuild_standings

ROUNDS = 6
GROUPS, ROUNDS_OF_GROUPS, EACH = 18, 5, 2
HEAD = f"{'round':>7} {'tables':>7} {'draw':>16} {'publish':>16} {'a result':>16} {'standings':>16}"


@dataclass(frozen=True, slots=True)
class Cost:
    """Seconds and statements."""

    seconds: float
    statements: int

    def __str__(self) -> str:
        return f"{self.seconds * 1e3:8.1f} ms {self.statements:4}"

    def each(self, count: int) -> Cost:
        return Cost(self.seconds / count, round(self.statements / count))


@contextmanager
def own_database() -> Iterator[None]:
    before = connection.settings_dict["NAME"]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        yield
    finally:
        connection.creation.destroy_test_db(before, verbosity=0)


def cost(act: Callable[[], object]) -> Cost:
    counted, began = Counted(), perf_counter()
    with connection.execute_wrapper(counted):
        act()
    return Cost(perf_counter() - began, counted.statements)


def play_round(play: Rehearsal, stage: Stage, number: int) -> None:
    """Draw, publish and play a round; print what each took."""
    by = play.director
    drawn = cost(lambda: draws.draw_round(stage, number=number, by=by))
    pairing_round = stage.rounds.get(number=number)
    published = cost(lambda: pairings.publish(pairing_round, by=by))
    with_event = Match.objects.select_related("pairing_round__stage__tournament")
    tables = with_event.defer(*LONG_IN_ROUND).filter(pairing_round=pairing_round)
    matches = list(tables.order_by("table"))
    entered = cost(lambda: enter(play, matches)).each(len(matches))
    counted = cost(lambda: rebuild_standings(stage))
    costs = " ".join(str(one) for one in (drawn, published, entered, counted))
    print(f"{number:7} {len(matches):7} {costs}", flush=True)


def enter(play: Rehearsal, matches: list[Match]) -> None:
    """Enter a score for every table, as a desk would."""
    for match in matches:
        points = [100 + play.chance.randrange(25), play.chance.randrange(100)]
        play.chance.shuffle(points)
        score = dict(zip(("AC", "BD"), points, strict=True))
        scores.record_score(match, points=score, sure=True, by=play.director)


def individuals(size: int, chance: Random) -> None:
    play = set_up("individuals", size, chance, kind="single")
    stage = stages.make_stage(play.event, StagePlan("rotating", rounds=ROUNDS), by=play.director)
    print(HEAD)
    for number in range(1, ROUNDS + 1):
        play_round(play, stage, number)


def pairs_in_groups(size: int, chance: Random) -> None:
    play = set_up("pairs", size, chance, kind="pair")
    plan = StagePlan("groups", rounds=ROUNDS_OF_GROUPS, draw={"groups": GROUPS})
    stage = stages.make_stage(play.event, plan, by=play.director)
    print(f"{GROUPS} groups\n{HEAD}")
    for number in range(1, ROUNDS_OF_GROUPS + 1):
        play_round(play, stage, number)
    closed = cost(lambda: stages.close_stage(stage, by=play.director))
    source = Stage.objects.get(pk=stage.pk)
    plan = StagePlan("knockout", takes=Takes(each=EACH))
    final: list[Stage] = []
    made = cost(
        lambda: final.append(stages.make_stage(play.event, plan, source=source, by=play.director))
    )
    print(f"closing the groups {closed}; making the final of {GROUPS * EACH} {made}\n{HEAD}")
    number = 1
    while True:
        try:
            play_round(play, final[0], number)
        except BracketIsOver:
            break
        number += 1


def set_up(name: str, size: int, chance: Random, *, kind: str) -> Rehearsal:
    made: list[Rehearsal] = []
    took = cost(
        lambda: made.append(make_event(name, size, chance, kind=kind, profile="wdf", target=100))
    )
    print(f"\n{size} {name}: entered in {took}")
    return made[0]


def main() -> None:
    parser = argparse.ArgumentParser(description="Whole events through the services.")
    parser.add_argument("--players", type=int, default=480)
    parser.add_argument("--pairs", type=int, default=2160)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    if connection.vendor != "postgresql":
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    # What is left to a worker waits in memory.
    current_app.conf.update(task_always_eager=False)
    with own_database():
        for play, size in ((individuals, asked.players), (pairs_in_groups, asked.pairs)):
            began = perf_counter()
            play(size, Random(asked.seed))
            print(f"whole event  {perf_counter() - began:.1f} s")


if __name__ == "__main__":
    main()
