"""Matches for the engine's tests: written as lines, or played at random from a seed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from random import Random

from engine.bits import ALL, BIT, FITTING, OTHER, mask_of, tiles_of
from engine.events import Draw, End, Event, Pass, Play, Show
from engine.masks import Table
from engine.match import MatchState, replay
from engine.notation import parse_line
from engine.profiles import Rules
from engine.record import Record, Round
from engine.robot import deal
from engine.seats import SEATS, Seat
from engine.tiles import TILES, Tile

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
    options: Mapping[str, str | int] | None = None,
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
    options: Mapping[str, str | int] | None = None,
) -> Record:
    """Return a match of random legal acts, at most `rounds` of it; `whole` goes on to the end."""
    rng = Random(seed)
    record = Record(Rules.of(profile, target, options), players)
    for _ in range(200 if whole else rounds):
        state = replay(record)
        if state.over:
            break
        record = replace(record, rounds=(*record.rounds, played_round(rng, record, state)))
    return record


def played_round(rng: Random, record: Record, state: MatchState) -> Round:
    """Deal and play one round, a random legal act at a time."""
    hands, stock = deal(rng, record.players)
    out = [tile for seat, tiles in hands.items() if seat not in state.in_match for tile in tiles]
    hands = {seat: tiles if seat in state.in_match else () for seat, tiles in hands.items()}
    opening = state.next_opener(hands)
    opener = opening.seat or rng.choice(state.in_match)
    table = Table(
        seats=tuple(seat.number for seat in state.in_match),
        opener=opener.number,
        hands=[mask_of(one.index for one in hands.get(seat, ())) for seat in SEATS],
        order=tuple(tile.index for tile in (*stock, *out)),
        reserve=record.rules.stock_reserve,
        first_tile=-1 if opening.first_tile is None else opening.first_tile.index,
    )
    events: list[Event] = []
    while not table.ended:
        events.append(_random_act(rng, table))
    return Round(tuple(events), hands, (*stock, *out), opener if opening.required else None)


def _random_act(rng: Random, table: Table) -> Event:
    seat, left, right = table.turn, table.left, table.right
    first = ALL if table.first_tile < 0 else BIT[table.first_tile]
    fitting = table.hands[seat] & (first if left < 0 else FITTING[left][right])
    if fitting:
        tile = rng.choice(list(tiles_of(fitting)))
        both = left >= 0 and left != right and min(OTHER[tile][left], OTHER[tile][right]) >= 0
        end = rng.choice(list(End)) if both else None
        table.play(seat, tile, 0 if end is None else end.number)
        return Play(SEATS[seat], TILES[tile], end)
    if table.dry:
        table.say_pass(seat)
        return Pass(SEATS[seat])
    tile = table.draw(seat)
    return Draw(SEATS[seat], TILES[tile] if rng.random() < 0.5 else None)


def blind(record: Record) -> Record:
    """Return the twin a referee would have written: no hands, openers said, tiles shown.

    A block that only the hands prove is proved by everybody's pass.
    """
    state = replay(record)
    rounds = []
    for one, seen in zip(record.rounds, state.rounds, strict=True):
        events = list(one.events)
        if seen.ended in ("blocked", "drawn"):
            events += [Pass(seat) for seat in _passing(one, seen.seats)]
        for seat in seen.seats:
            held = seen.hands[seat] if seen.hands else ()
            if held and seen.play_over:
                events.append(Show(seat, held))
        rounds.append(Round(tuple(events), None, None, seen.opener))
    return replace(record, rounds=tuple(rounds))


def _passing(one: Round, seats: tuple[Seat, ...]) -> tuple[Seat, ...]:
    """Return who passes after a block: all in turn, first whoever drew the last tile in vain."""
    last = next(event for event in reversed(one.events) if isinstance(event, Play | Draw))
    place = seats.index(last.seat) + isinstance(last, Play)
    return seats[place % len(seats) :] + seats[: place % len(seats)]
