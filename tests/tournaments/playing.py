"""Fields of entries, and brackets played to their end by chance."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Sequence
from random import Random
from typing import Any

from tournaments.competition.bracket_matches import BracketMatch
from tournaments.competition.brackets import Bracket, MatchResult, played
from tournaments.competition.seeding import Seed


def seeded(size: int) -> list[Seed]:
    """Return entries p1, p2 and so on, the best first."""
    return [Seed(f"p{n}") for n in range(1, size + 1)]


def played_out(
    matches: Sequence[BracketMatch], chance: Random, *, grave: float = 0.0
) -> tuple[Bracket, dict[str, MatchResult]]:
    """Play all matches that are ready, and again, until none is left.

    `grave` is how often both sides, or the loser, are put out of the event.
    """
    results: dict[str, MatchResult] = {}
    bracket = played(matches, results)
    while bracket.ready:
        for name in bracket.ready:
            winner = chance.choice(bracket.matches[name].entries)
            results[name] = MatchResult(winner)
            if chance.random() < grave:
                results[name] = chance.choice([MatchResult(None), MatchResult(winner, True)])
        bracket = played(matches, results)
    return bracket, results


def asked(request: object) -> tuple[int, dict[str, Any]]:
    """Ask the command line for a draw, in a process of its own."""
    answer = subprocess.run(
        [sys.executable, "-m", "tournaments.competition", "pair", "-"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert answer.stderr == ""
    return answer.returncode, json.loads(answer.stdout)
