"""Replays every file in rounds/: facts, an empty line, the events."""

from __future__ import annotations

from pathlib import Path

import pytest

from engine.match import MatchState, replay
from engine.profiles import Rules
from engine.record import Record, Round
from engine.seats import Seat
from tests.engine.playing import events_of

ROUNDS = sorted((Path(__file__).parent / "rounds").glob("*.txt"))


def read(path: Path) -> tuple[dict[str, str], MatchState]:
    head, _, lines = path.read_text("utf-8").partition("\n\n")
    facts = dict(line.split(None, 1) for line in head.splitlines())
    option = facts.get("option", "").split()
    rules = Rules.of(facts["profile"], options={option[0]: option[1]} if option else None)
    one = Round(events_of(lines), None, None, Seat(facts["opener"]))
    return facts, replay(Record(rules, int(facts.get("players", 4)), (one,)))


@pytest.mark.parametrize("path", ROUNDS, ids=lambda path: path.stem)
def test_a_recorded_round_comes_to_what_its_head_says(path: Path) -> None:
    facts, state = read(path)
    seen = state.rounds[-1]
    assert seen.ends is not None
    told = {
        "turn": str(seen.turn),
        "to": "show    " + " ".join(seen.needs_hands),
        "ended": seen.ended,
        "winner": seen.winner,
        "moves": str(len(seen.line)),
        "open": "ends  " + " ".join(map(str, seen.ends)),
        "left": " ".join(f"{seat} {pips}" for seat, pips in seen.left.items() if pips is not None),
        "findings": ", ".join(f"{one.seat} {one.kind} {one.event}" for one in state.findings),
    }
    assert {name: told[name] for name in told if name in facts} == {
        name: fact for name, fact in facts.items() if name in told
    }
