"""Robot substitute: a legal, sensible act for a seat whose hand is known.

It lays an obliged tile where one binds, goes out when it can, else sheds weight and keeps
variety. The same position always gives the same act; whoever shuffles brings the chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from random import Random
from typing import Final

from engine.events import Draw, End, Event, Pass, Play
from engine.seats import Seat, seats_at
from engine.state import RoundState
from engine.tiles import HAND_SIZE, TILES, Tile

# What a choice is worth, in pips: a number still in hand, a tile that fits the ends left behind,
# and getting rid of a double, which fits one number only.
VARIETY: Final = 2
FOLLOW_UP: Final = 3
DOUBLE: Final = 4


def propose(state: RoundState, seat: Seat, hand: Iterable[Tile] | None = None) -> Event:
    """Return a legal Play, Draw or Pass for `seat`, whose turn it is.

    `hand` is needed in a blind record, where the state does not know it. ValueError when it is
    not the seat's turn or the hand is not known: the robot never guesses.
    """
    if state.turn is not seat:
        raise ValueError(f"it is not the turn of seat {seat}")
    if hand is None:
        known = state.hands
        if known is None:
            raise ValueError(f"the hand of seat {seat} is not known")
        hand = known[seat]
    held = tuple(hand)
    choices = list(_choices(state, seat, held))
    if choices:
        tile, end = max(choices, key=lambda choice: _worth(state, held, *choice))
        return Play(seat, tile, end)
    return Draw(seat) if state.can_draw else Pass(seat)


def _choices(
    state: RoundState, seat: Seat, held: tuple[Tile, ...]
) -> Iterator[tuple[Tile, End | None]]:
    """Yield what may be laid: the tile that binds, or every tile at every end it fits."""
    if state.ends is None:
        yield from ((tile, None) for tile in held if state.playable(tile))
        return
    bound = [tile for tile in state.must.get(seat, ()) if tile in held and state.playable(tile)]
    for tile in bound[:1] or held:
        ends = state.playable(tile)
        for end in ends:
            yield tile, end if len(ends) > 1 else None


def _worth(
    state: RoundState, held: tuple[Tile, ...], tile: Tile, end: End | None
) -> tuple[int, int]:
    """Return what laying `tile` is worth in pips; level, the heavier tile, then the first."""
    rest = [other for other in held if other != tile]
    ends = _ends_after(state, tile, end)
    numbers = {half for other in rest for half in (other.low, other.high)}
    follow_ups = sum(1 for other in rest if other.low in ends or other.high in ends)
    worth = tile.pips + VARIETY * len(numbers) + FOLLOW_UP * follow_ups + DOUBLE * tile.is_double
    return (worth, tile.index)


def _ends_after(state: RoundState, tile: Tile, end: End | None) -> tuple[int, int]:
    if state.ends is None:
        return (tile.high, tile.low)
    left, right = state.ends
    if end is None:
        end = state.playable(tile)[0]
    if end is End.LEFT:
        return (tile.other_half(left), right)
    return (left, tile.other_half(right))


def deal(rng: Random, players: int) -> tuple[dict[Seat, tuple[Tile, ...]], tuple[Tile, ...]]:
    """Return seven tiles for each seat, and the stock in the order in which it is drawn."""
    shuffled = list(TILES)
    rng.shuffle(shuffled)
    hands = {
        seat: tuple(shuffled[place * HAND_SIZE : (place + 1) * HAND_SIZE])
        for place, seat in enumerate(seats_at(players))
    }
    return hands, tuple(shuffled[players * HAND_SIZE :])
