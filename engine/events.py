"""The events of a round, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from engine.penalties import Measure
from engine.seats import Seat, Side
from engine.tiles import Tile


class End(StrEnum):
    """An end of the line of play."""

    LEFT = "left"
    RIGHT = "right"

    number: int
    """1 and 2, as the inner module counts ends; 0 there is an end not said."""

    def __init__(self, name: str) -> None:
        self.number = 1 if name == "left" else 2


class Pending(StrEnum):
    """Stands where measures would: the referee has stopped the table and not ruled yet."""

    PENDING = "pending"


PENDING: Final = Pending.PENDING


@dataclass(frozen=True, slots=True)
class Play:
    """A seat laid a tile on an end; None where only one end takes it, or it opens."""

    seat: Seat
    tile: Tile
    end: End | None = None


@dataclass(frozen=True, slots=True)
class Draw:
    """A seat took a tile from the stock; None: nobody saw which."""

    seat: Seat
    tile: Tile | None = None


@dataclass(frozen=True, slots=True)
class Pass:
    """A seat said that it cannot play."""

    seat: Seat


@dataclass(frozen=True, slots=True)
class Infraction:
    """An act against the rules, with the ruling on it.

    `measures` is None when the profile's schedule decides, PENDING while play is stopped. `end`
    and `open` belong to a misplayed tile that stays: where it lies and the half now open.
    """

    seat: Seat
    kind: str
    tile: Tile | None = None
    end: End | None = None
    open: int | None = None
    measures: tuple[Measure, ...] | Pending | None = None
    deliberate: bool = False
    note: str = ""


@dataclass(frozen=True, slots=True)
class Ruling:
    """The ruling on the pending infraction at `event` of this round, counted from 0."""

    event: int
    measures: tuple[Measure, ...] | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Show:
    """The tiles left in a hand, shown at the end of the round."""

    seat: Seat
    tiles: tuple[Tile, ...]


@dataclass(frozen=True, slots=True)
class Count:
    """The pips left in a hand, when the tiles were not written down."""

    seat: Seat
    pips: int


@dataclass(frozen=True, slots=True)
class Sheet:
    """A whole round from a score sheet.

    `points` is a number for the winner, in `elimination` what each seat adds. `winner` is None
    for a drawn round.
    """

    winner: Side | None
    points: int | Mapping[Seat, int]
    ended: str


@dataclass(frozen=True, slots=True)
class TimeOver:
    """The match clock has run out; the round in play is finished first."""


@dataclass(frozen=True, slots=True)
class Leaves:
    """From here a marked substitute, `robot` or a name, holds the seat."""

    seat: Seat
    substitute: str


@dataclass(frozen=True, slots=True)
class Undo:
    """The scorer's slip: the last `count` events still in effect never happened."""

    count: int


Event = Play | Draw | Pass | Infraction | Ruling | Show | Count | Sheet | TimeOver | Leaves | Undo
