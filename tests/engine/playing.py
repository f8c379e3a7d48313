"""Matches for the engine's tests: written as lines, or played by the robot from a seed."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from engine.events import Event, Show
from engine.match import MatchState, replay
from engine.notation import parse_line
from engine.profiles import Rules
from engine.record import Record, Round
from engine.robot import deal, propose
from engine.seats import Seat
from engine.tiles import Tile

PARTNERS_DEAL = """
A 6-6 6-5 5-4 4-3 3-2 2-1 1-0
B 6-4 5-5 4-4 3-3 2-2 1-1 0-0
C 6-3 5-3 6-2 4-2 5-2 3-1 2-0
D 6-1 6-0 5-1 5-0 4-1 4-0 3-0
"""


def hands_of(text: str) -> dict[Seat, tuple[Tile, ...]]:
    """Read hands, one a line: the seat, then its tiles."""
    lines = [line.split() for line in text.strip().splitlines()]
    return {Seat(seat): tuple(map(Tile.parse, tiles)) for seat, *tiles in lines}


def events_of(lines: str) -> tuple[Event, ...]:
    return tuple(parse_line(line) for line in lines.strip().splitlines())


def match_of(
    *rounds: str | Round,
    profile: str = "wdf",
    players: int = 4,
    target: int | None = None,
    hands: str | None = None,
    opener: str | None = None,
    **options: str | int,
) -> MatchState:
    """Replay rounds written as lines; `hands` and `opener` are those of the first."""
    written = [
        one
        if isinstance(one, Round)
        else Round(
            events_of(one),
            hands_of(hands) if hands and not place else None,
            None,
            Seat(opener) if opener and not place else None,
        )
        for place, one in enumerate(rounds)
    ]
    return replay(Record(Rules.of(profile, target, options), players, tuple(written)))


def played(
    seed: int,
    *,
    profile: str = "wdf",
    players: int = 4,
    target: int | None = None,
    rounds: int = 30,
    whole: bool = False,
    **options: str | int,
) -> Record:
    """Return a match that robots play, at most `rounds` of it; `whole` goes on to the end."""
    rng = Random(seed)
    record = Record(Rules.of(profile, target, options), players)
    for _ in range(200 if whole else rounds):
        state = replay(record)
        if state.over:
            break
        record = replace(record, rounds=(*record.rounds, played_round(rng, record, state)))
    return record


def played_round(rng: Random, record: Record, state: MatchState) -> Round:
    hands, stock = deal(rng, record.players)
    left_over = tuple(
        tile for seat, tiles in hands.items() if seat not in state.in_match for tile in tiles
    )
    hands = {seat: tiles if seat in state.in_match else () for seat, tiles in hands.items()}
    asked = state.next_opener(hands).required
    opener = rng.choice(state.in_match) if asked else None
    one = Round((), hands, (*stock, *left_over), opener)
    while True:
        now = replay(replace(record, rounds=(*record.rounds, one))).rounds[-1]
        if now.turn is None:
            return one
        one = replace(one, events=(*one.events, propose(now, now.turn)))


def blind(record: Record) -> Record:
    """Return the twin a referee would have written: no hands, openers said, tiles shown."""
    state = replay(record)
    rounds = []
    for one, seen in zip(record.rounds, state.rounds, strict=True):
        events = list(one.events)
        for seat in seen.seats:
            held = seen.hands[seat] if seen.hands else ()
            if held and seen.play_over:
                events.append(Show(seat, held))
        rounds.append(Round(tuple(events), None, None, seen.opener))
    return replace(record, rounds=tuple(rounds))
