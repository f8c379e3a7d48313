"""Time and repeats of events with changing partners, drawn by standings and at once.

    python benchmarks/rotation.py [--rounds 10] [--seed 1]

Players have a skill; the stronger side of a table wins more often, and each round is drawn by
the standings so far. A time is that of one request: reading it as JSON, drawing, writing.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tournaments.competition.reading import read
from tournaments.competition.requests import pair

BY_STANDINGS = (16, 20, 24, 32, 64, 120, 240, 480, 800, 2000, 10_000)
AT_ONCE = (8, 12, 16, 17, 20, 24, 28, 32, 40, 48, 64, 80, 100, 112, 400, 480, 799, 800, 2000)
TEAMS = (16, 40, 120)


def answer(request: dict[str, Any]) -> tuple[dict[str, Any], float]:
    """Return the answer and the seconds it took, from text to text."""
    text = json.dumps(request)
    began = time.perf_counter()
    written = json.dumps(pair(read(text)))
    seconds = time.perf_counter() - began
    found: dict[str, Any] = json.loads(written)
    return found, seconds


class Event:
    """An event in play: who won how often, who met whom."""

    def __init__(self, players: int, seed: int, team_size: int = 0) -> None:
        self.chance = random.Random(seed)
        self.seed = seed
        self.team_size = team_size
        self.skill = {f"p{one}": self.chance.gauss(0, 1) for one in range(players)}
        self.wins: Counter[str] = Counter(dict.fromkeys(self.skill, 0))
        self.difference: Counter[str] = Counter(dict.fromkeys(self.skill, 0))
        self.byes: Counter[str] = Counter()
        self.met: list[list[object]] = []
        self.partnered: list[list[object]] = []

    def request(self, number: int) -> dict[str, Any]:
        order = sorted(self.skill, key=lambda one: (-self.wins[one], -self.difference[one], one))
        entries = []
        for rank, one in enumerate(order, start=1):
            place = int(one[1:])
            entry = {"id": one, "rank": rank, "wins": self.wins[one], "byes": self.byes[one]}
            entry["club"] = f"club {place % 9}"
            if self.team_size:
                entry["team"] = f"team {place // self.team_size}"
            entries.append(entry)
        return {
            "system": "teams_of_four" if self.team_size else "rotating",
            "round": number,
            "seed": self.seed,
            "separate_by": "club",
            "entries": entries,
            "met": self.met,
            "partnered": self.partnered,
        }

    def play(self, number: int, drawn: dict[str, Any]) -> None:
        for table in drawn["tables"]:
            sides = [table["AC"], table["BD"]]
            self.partnered += [[*side, number] for side in sides]
            self.met += [[one, other, number] for one in sides[0] for other in sides[1]]
            strength = [sum(self.skill[one] for one in side) for side in sides]
            if strength[0] + self.chance.gauss(0, 2) < strength[1]:
                sides.reverse()
            margin = self.chance.randint(10, 200)
            for one, other in zip(*sides, strict=True):
                self.wins[one] += 1
                self.difference[one] += margin
                self.difference[other] -= margin
        for one in drawn["byes"]:
            self.wins[one] += 1
            self.byes[one] += 1


def by_standings(players: int, rounds: int, seed: int, team_size: int = 0) -> str:
    event = Event(players, seed, team_size)
    times = []
    partners = opponents = 0
    bound = [0, 0]
    for number in range(1, rounds + 1):
        drawn, seconds = answer(event.request(number))
        event.play(number, drawn)
        times.append(seconds)
        report = drawn["report"]
        partners += report["repeat_partners"]
        opponents += report["repeat_opponents"]
        bound[0] += report["bound"]["repeat_partners"]
        bound[1] += report["bound"]["repeat_opponents"]
    return (
        f"{players:>6} {partners:>9} {opponents:>10} {bound[0]:>7}/{bound[1]}"
        f" {statistics.mean(times) * 1000:>12.1f} {max(times) * 1000:>10.1f}"
    )


def at_once(players: int, rounds: int, seed: int) -> str:
    entries = [{"id": f"p{one}"} for one in range(players)]
    request = {"system": "schedule", "rounds": rounds, "seed": seed, "entries": entries}
    drawn, seconds = answer(request)
    report = drawn["report"]
    bound = report["bound"]
    return (
        f"{players:>6} {report['repeat_partners']:>9} {report['repeat_opponents']:>10}"
        f" {bound['repeat_partners']:>7}/{bound['repeat_opponents']} {seconds * 1000:>12.1f}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=10)
    parser.add_argument("--seed", type=int, default=1)
    asked = parser.parse_args()
    heads = "players  partners  opponents  bound  ms a round   worst"
    print(f"{asked.rounds} rounds by standings (repeats in the whole event)\n{heads}")
    for players in BY_STANDINGS:
        print(by_standings(players, asked.rounds, asked.seed), flush=True)
    print(f"\n{asked.rounds} rounds by standings, teams of four\n{heads}")
    for teams in TEAMS:
        print(by_standings(4 * teams, asked.rounds, asked.seed, 4), flush=True)
    print(f"\n{asked.rounds} rounds at once\nplayers  partners  opponents  bound  ms in all")
    for players in AT_ONCE:
        print(at_once(players, asked.rounds, asked.seed), flush=True)


if __name__ == "__main__":
    main()
