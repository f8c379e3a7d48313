"""Rounds per second of this engine beside the PyPI package `dominoes`, in one run.

    python benchmarks/engine.py [--games 500] [--repeats 7]

Both sides take turns; a ratio is the median of the ratios of the repeats, so a slow moment of
the machine hits both. The games are four-player rounds of the same rules: the holder of 6-6
opens with it, going out scores the three other hands, a block goes to the lower side and scores
all hands. First it checks that both agree on every recorded game.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import dominoes

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from engine.bits import FITTING, OTHER, mask_of
from engine.events import End, Event, Pass, Play
from engine.masks import LEFT, RIGHT, Table
from engine.match import replay
from engine.profiles import Rules
from engine.reading import read_record
from engine.record import Record, Round
from engine.seats import SEATS
from engine.tiles import TILES
from engine.written import record_json

DOUBLE_SIX = 27
RULES = Rules.of(
    "wdf",
    target=1000,
    options={"points_out": "all", "points_block": "all", "block_winner": "lowest_side"},
)


@dataclass(frozen=True, slots=True)
class Recorded:
    """One game: the hands as each side keeps them, who opens, and the acts with their passes."""

    hands: tuple[tuple[int, ...], ...]
    masks: tuple[int, ...]
    peer_hands: tuple[tuple[dominoes.Domino, ...], ...]
    opener: int
    acts: tuple[tuple[int, int, int], ...]
    """Seat, tile (-1: pass), end."""
    peer_moves: tuple[tuple[dominoes.Domino, bool], ...]


def deal(rng: random.Random) -> tuple[tuple[int, ...], ...]:
    tiles = list(range(28))
    rng.shuffle(tiles)
    return tuple(tuple(tiles[seat * 7 : seat * 7 + 7]) for seat in range(4))


def opener_of(hands: tuple[tuple[int, ...], ...]) -> int:
    return next(seat for seat in range(4) if DOUBLE_SIX in hands[seat])


def table_for(masks: tuple[int, ...], opener: int) -> Table:
    return Table(seats=(0, 1, 2, 3), opener=opener, hands=masks, first_tile=DOUBLE_SIX)


def random_game(rng: random.Random) -> Recorded:
    """Play legal moves at random and return the game as recorded."""
    hands = deal(rng)
    opener = opener_of(hands)
    masks = tuple(mask_of(hand) for hand in hands)
    table = table_for(masks, opener)
    acts: list[tuple[int, int, int]] = []
    peer: list[tuple[dominoes.Domino, bool]] = []
    while not table.ended:
        seat = table.turn
        choices = choices_of(table)
        if not choices:
            table.say_pass(seat)
            acts.append((seat, -1, 0))
            continue
        tile, end = rng.choice(choices)
        table.play(seat, tile, end)
        acts.append((seat, tile, end))
        one = TILES[tile]
        peer.append((dominoes.Domino(one.low, one.high), end != RIGHT))
    peer_hands = tuple(
        tuple(dominoes.Domino(TILES[tile].low, TILES[tile].high) for tile in hand) for hand in hands
    )
    return Recorded(hands, masks, peer_hands, opener, tuple(acts), tuple(peer))


def choices_of(table: Table) -> list[tuple[int, int]]:
    """Return the (tile, end) the seat on turn may play, each end apart as the peer counts."""
    left, right = table.left, table.right
    if left < 0:
        return [(DOUBLE_SIX, 0)]
    fitting = table.hands[table.turn] & FITTING[left][right]
    choices: list[tuple[int, int]] = []
    while fitting:
        bit = fitting & -fitting
        fitting ^= bit
        tile = bit.bit_length() - 1
        one = TILES[tile]
        if left in (one.low, one.high):
            choices.append((tile, LEFT))
        if right in (one.low, one.high) and left != right:
            choices.append((tile, RIGHT))
    return choices


# -- the two sides ----------------------------------------------------------------------------


def ours_random(games: list[Recorded]) -> None:
    """Play a legal tile at random, and where it fits both ends a random end."""
    chance = random.Random(7).random
    for game in games:
        table = table_for(game.masks, game.opener)
        play, say_pass, hands = table.play, table.say_pass, table.hands
        play(game.opener, DOUBLE_SIX)
        while not table.ended:
            seat, left, right = table.turn, table.left, table.right
            fitting = hands[seat] & FITTING[left][right]
            if not fitting:
                say_pass(seat)
                continue
            if fitting & (fitting - 1):
                for _ in range(int(chance() * fitting.bit_count())):
                    fitting &= fitting - 1
            tile = (fitting & -fitting).bit_length() - 1
            halves = OTHER[tile]
            if halves[right] < 0:
                play(seat, tile, LEFT)
            elif left == right or halves[left] < 0 or chance() < 0.5:
                play(seat, tile, RIGHT)
            else:
                play(seat, tile, LEFT)


def peer_game(game: Recorded) -> dominoes.Game:
    hands = [dominoes.Hand(hand) for hand in game.peer_hands]
    first = ((dominoes.Domino(6, 6), True),)
    return dominoes.Game(dominoes.Board(), hands, [], game.opener, first, game.opener, None)


def peer_random(games: list[Recorded]) -> None:
    rng = random.Random(7)
    choice = rng.random
    for one in games:
        game = peer_game(one)
        while game.result is None:
            moves = game.valid_moves
            game.make_move(*moves[int(choice() * len(moves))])


def ours_replay(games: list[Recorded]) -> None:
    for game in games:
        table = table_for(game.masks, game.opener)
        play, say_pass = table.play, table.say_pass
        for seat, tile, end in game.acts:
            if tile >= 0:
                play(seat, tile, end)
            else:
                say_pass(seat)


def peer_replay(games: list[Recorded]) -> None:
    for one in games:
        move = peer_game(one).make_move
        for domino, left in one.peer_moves:
            move(domino, left)


# -- agreement and the outer layers -----------------------------------------------------------


def as_record(game: Recorded) -> Record:
    ends = {0: None, LEFT: End.LEFT, RIGHT: End.RIGHT}
    events: list[Event] = [
        Pass(SEATS[seat]) if tile < 0 else Play(SEATS[seat], TILES[tile], ends[end])
        for seat, tile, end in game.acts
    ]
    hands = {SEATS[seat]: tuple(TILES[tile] for tile in game.hands[seat]) for seat in range(4)}
    return Record(RULES, 4, (Round(tuple(events), hands),))


def disagreements(games: list[Recorded]) -> int:
    """Count the games on which the two do not agree about winner, block and points."""
    count = 0
    for game in games:
        theirs = peer_game(game)
        for domino, left in game.peer_moves:
            theirs.make_move(domino, left)
        ours = replay(as_record(game)).rounds[0]
        result = theirs.result
        if result.won:
            winner = "AC" if result.player % 2 == 0 else "BD"
        elif result.points:
            winner = "AC" if result.points > 0 else "BD"
        else:
            winner = None
        same_end = (ours.ended == "out") == result.won
        points = max(ours.points.values())
        if not (same_end and points == abs(result.points) and ours.winner == winner):
            count += 1
    return count


def measured(act: Callable[[], object]) -> float:
    start = time.process_time()
    act()
    return time.process_time() - start


def side_by_side(
    name: str, ours: Callable[[], object], theirs: Callable[[], object], repeats: int, games: int
) -> None:
    ratios, our_times, their_times = [], [], []
    for _ in range(repeats):
        one, other = measured(ours), measured(theirs)
        our_times.append(one)
        their_times.append(other)
        ratios.append(other / one)
    print(
        f"{name:<42} {games / statistics.median(our_times):>9,.0f} rounds/s   "
        f"dominoes {games / statistics.median(their_times):>8,.0f}   "
        f"ratio {statistics.median(ratios):5.1f}  [{min(ratios):.1f} .. {max(ratios):.1f}]"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=500)
    parser.add_argument("--repeats", type=int, default=7)
    given = parser.parse_args()
    rng = random.Random(20260101)
    games = [random_game(rng) for _ in range(given.games)]
    acts = sum(len(game.acts) for game in games)
    print(f"{len(games)} games, {acts / len(games):.1f} acts each; Python {sys.version.split()[0]}")
    print(f"disagreements with dominoes: {disagreements(games)}")
    repeats = given.repeats
    side_by_side(
        "random play", lambda: ours_random(games), lambda: peer_random(games), repeats, len(games)
    )
    side_by_side(
        "replay, every check, per move",
        lambda: ours_replay(games),
        lambda: peer_replay(games),
        repeats,
        len(games),
    )
    records = [as_record(game) for game in games]
    documents = [record_json(record) for record in records]
    side_by_side(
        "whole record of values (score, findings)",
        lambda: [replay(record) for record in records],
        lambda: peer_replay(games),
        repeats,
        len(games),
    )
    side_by_side(
        "whole document, JSON objects read first",
        lambda: [replay(read_record(document)) for document in documents],
        lambda: peer_replay(games),
        repeats,
        len(games),
    )
    growth(games)


def growth(games: list[Recorded]) -> None:
    """Print events per second for matches of growing length: the growth is linear."""
    rules = Rules.of("wdf", target=1_000_000)
    for rounds in (10, 100, 1000):
        some = (games * (rounds // len(games) + 1))[:rounds]
        record = Record(rules, 4, tuple(as_record(game).rounds[0] for game in some))
        events = sum(len(one.events) for one in record.rounds)
        best = min(measured(partial(replay, record)) for _ in range(3))
        print(f"match of {rounds:>4} rounds: {events / best:>9,.0f} events replayed per second")


if __name__ == "__main__":
    main()
