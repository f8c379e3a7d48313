"""Time of standings: counted whole, after one correction, and as a page of the site.

    python benchmarks/standings.py [--entries 10000] [--rounds 10] [--page 480] [--service 480]
                                   [--seed 1]

The first two are pure functions. The service brings the stored standings of a Swiss of pairs up
to date after one result more: going on from what its process has kept, and from nothing. The page
is that of an event in a test database, thrown away afterwards, asked for by the test client; the
first request, which compiles the templates, does not count.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import django

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tournaments.project.settings")
django.setup()

from celery import current_app
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from referee.rehearsal.event import make_event
from tests.factories import StageFactory, TournamentFactory
from tournaments.competition.standings import Standings, standings
from tournaments.competition.types import EntryResult, Outcome, TieBreak
from tournaments.models import Club, Entry, Match, PairingRound, StandingRow, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.counts import Kept
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

TARGET = 200
CHAINS = (
    "wins difference points_for lot",
    "wins direct buchholz difference",
    "wins buchholz buchholz_cut1 fewest_penalty_points",
)
TIMES = 5
CORRECTIONS = 500
CORRECTED = 20


def played(entries: int, rounds: int, chance: random.Random) -> list[EntryResult]:
    """Return the results of meetings drawn by chance, two of one table side by side."""
    names = [f"{one:06}" for one in range(entries)]
    results = []
    for number in range(1, rounds + 1):
        chance.shuffle(names)
        for one, other in zip(names[::2], names[1::2], strict=True):
            lost = chance.randrange(TARGET)
            fine = chance.choice((0, 0, 0, 40))
            results.append(EntryResult(number, one, Outcome.WIN, (other,), TARGET, lost, 6))
            results.append(
                EntryResult(number, other, Outcome.LOSS, (one,), lost, TARGET, 3, penalty=fine)
            )
    return results


def milliseconds(act: Callable[[], object]) -> float:
    """Return what an act takes, in milliseconds of this process."""
    began = time.process_time()
    act()
    return (time.process_time() - began) * 1000


def pure(entries: int, rounds: int, seed: int) -> None:
    print(f"{entries} entries, {rounds} rounds (ms of processor time)")
    print(f"{'tie-breaks':<52} {'whole':>7} {'corrected':>10} {'slowest':>8} {'ratio':>6}")
    for chain in CHAINS:
        print(counted([TieBreak(one) for one in chain.split()], entries, rounds, seed))


def counted(names: list[TieBreak], entries: int, rounds: int, seed: int) -> str:
    """Return the times of one chain of tie-breaks; what was corrected is checked at the end."""
    chance = random.Random(seed)
    results = played(entries, rounds, chance)
    whole = statistics.median(
        milliseconds(lambda: standings(results, names, target=TARGET)) for _ in range(TIMES)
    )
    kept = Standings(results, names, target=TARGET)
    taken = []
    for _ in range(CORRECTIONS):
        at = 2 * chance.randrange(len(results) // 2)
        before = results[at : at + 2]
        results[at : at + 2] = [swapped(*before), swapped(*reversed(before))]
        correct = partial(kept.correct, taken=before, given=results[at : at + 2])
        taken.append(milliseconds(correct))
    assert kept.rows() == standings(results, names, target=TARGET)
    mean = statistics.mean(taken)
    chain = " ".join(names)
    return f"{chain:<52} {whole:>7.0f} {mean:>10.3f} {max(taken):>8.2f} {whole / mean:>6.0f}"


def swapped(one: EntryResult, other: EntryResult) -> EntryResult:
    """Return what `one` had taken, had it played as the other did."""
    return replace(
        one,
        outcome=other.outcome,
        points_for=other.points_for,
        points_against=other.points_against,
    )


def page(entries: int, seed: int) -> None:
    """Ask for the standings page of an event of pairs, in a database made for it."""
    old = connection.creation.create_test_db(verbosity=0)
    address = f"/t/{_event(entries, seed)}/standings/"
    client = Client(SERVER_NAME="localhost")
    answer = client.get(address)
    assert answer.status_code == 200, answer.status_code
    with CaptureQueriesContext(connection) as queries:
        client.get(address)
    print(
        f"\nPage of the standings of {entries} (ms of processor time, {len(queries)} queries, "
        f"{len(answer.content) / 1000:.0f} kB)"
    )
    for name, headers in (
        ("whole page", {}),
        ("part of it", {"HX-Request": "true"}),
        ("not changed", {"If-None-Match": answer.headers["ETag"]}),
    ):
        times = [milliseconds(lambda: client.get(address, headers=headers)) for _ in range(30)]  # noqa: B023
        print(f"{name:<12} median {statistics.median(times):>5.1f}   worst {max(times):>5.1f}")
    connection.creation.destroy_test_db(old, verbosity=0)


def service(entries: int, seed: int) -> None:
    """Bring the stored standings up to date after single results of a third round."""
    old = connection.creation.create_test_db(verbosity=0)
    # What is left to a worker waits in memory.
    current_app.conf.update(task_always_eager=False)
    chance = random.Random(seed)
    play = make_event("measured", entries, chance, kind="pair", profile="wdf", target=100)
    by = play.director
    stage = stages.make_stage(play.event, StagePlan("swiss", rounds=5), by=by)
    times: dict[str, list[float]] = {"kept": [], "nothing": []}
    for number in (1, 2, 3):
        pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)
        for match in Match.objects.filter(pairing_round__stage=stage, state=Match.State.WAITING):
            points = {"AC": 100, "BD": chance.randrange(100)}
            scores.record_score(match, points=points, sure=True, by=by)
            if number == 3 and len(times["kept"]) < CORRECTED:
                times["kept"].append(milliseconds(lambda: rebuild_standings(stage)))
                times["nothing"].append(milliseconds(lambda: rebuild_standings(stage, Kept())))
        rebuild_standings(stage)
    kept, nothing = (statistics.median(one) for one in times.values())
    print(
        f"\nStandings of {entries} after one result, stored (ms of processor time)\n"
        f"from what is kept {kept:.1f}   from nothing {nothing:.1f}   ratio {nothing / kept:.0f}"
    )
    connection.creation.destroy_test_db(old, verbosity=0)


def _event(entries: int, seed: int) -> str:
    chance = random.Random(seed)
    tournament = TournamentFactory.create(slug="big", state=Tournament.State.RUNNING)
    stage = StageFactory.create(tournament=tournament, tie_breaks=CHAINS[0].split())
    clubs = [Club.objects.create(name=f"Club {n}", country="EG") for n in range(20)]
    made = Entry.objects.bulk_create(
        Entry(
            tournament=tournament, number=n, kind="pair", seed=n, name=f"One {n} / Other {n}",
            club=clubs[n % 20],
        )
        for n in range(1, entries + 1)
    )  # fmt: skip
    results = played(entries, 6, chance)
    rows = standings(results, [TieBreak(one) for one in stage.tie_breaks], target=TARGET, seed=seed)
    StandingRow.objects.bulk_create(
        StandingRow(
            stage=stage, entry=made[int(row.entry)], order=order, place=row.place, played=6,
            values={str(name): value for name, value in row.values.items()},
            decided_by=row.decided_by or "",
        )
        for order, row in enumerate(rows, start=1)
    )  # fmt: skip
    for number in range(1, 7):
        PairingRound.objects.create(stage=stage, number=number, state=PairingRound.State.FINISHED)
    return tournament.slug


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--entries", type=int, default=10_000)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--page", type=int, default=480)
    parser.add_argument("--service", type=int, default=480)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    pure(asked.entries, asked.rounds, asked.seed)
    service(asked.service, asked.seed)
    page(asked.page, asked.seed)


if __name__ == "__main__":
    main()
