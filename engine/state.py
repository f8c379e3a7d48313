"""RoundState: what a page, a referee or a robot sees of a round."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property

from engine.bits import OTHER, tiles_of
from engine.events import PENDING, End
from engine.masks import LEFT, MATCH_IS_OVER
from engine.record import Round
from engine.replay import RoundReplay
from engine.scoring import Ended, Outcome, Sides, pips_left
from engine.seats import SEATS, Seat, Side
from engine.tiles import TILES, Tile


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile on the table: who laid it where at which event, and how it lies.

    `left` and `right` are its halves as they lie in the line; `standing` is a misplayed tile
    that stays. `end` is None for the first tile.
    """

    tile: Tile
    seat: Seat
    end: End | None
    event: int
    left: int
    right: int
    standing: bool = False


class RoundState:
    """One round as far as its record goes. Read it; it never changes."""

    def __init__(
        self,
        number: int,
        written: Round,
        replayed: RoundReplay,
        outcome: Outcome,
        opener: int,
        first_tile: int,
        sides: Sides,
    ) -> None:
        self.number = number
        self.written = written
        self.replayed = replayed
        self._table = replayed.table
        self._outcome = outcome
        self._opener = opener
        self._first_tile = first_tile
        self._sides = sides

    @property
    def seats(self) -> tuple[Seat, ...]:
        """The seats playing this round."""
        return tuple(seat for seat in SEATS if self._table.active >> seat.number & 1)

    @property
    def opener(self) -> Seat | None:
        """Who opened; None for a score-sheet round that does not say."""
        return None if self._opener < 0 else SEATS[self._opener]

    @property
    def ended(self) -> Ended:
        return self._outcome.ended

    @property
    def winner(self) -> Side | None:
        return None if self._outcome.winner < 0 else self._sides.names[self._outcome.winner]

    @property
    def points(self) -> dict[Side, int]:
        return dict(zip(self._sides.names, self._outcome.points, strict=True))

    @property
    def left(self) -> dict[Seat, int | None]:
        """Pips left in each hand, None where the record does not tell."""
        left = pips_left(self.replayed)
        return {SEATS[seat]: left[seat] for members in self._sides.seats for seat in members}

    @property
    def needs_hands(self) -> tuple[Seat, ...]:
        """The seats that have still to show or count before the round can be scored."""
        return tuple(SEATS[seat] for seat in self._outcome.needs)

    @property
    def from_sheet(self) -> bool:
        return self.replayed.sheet is not None

    @property
    def play_over(self) -> bool:
        """Is nothing more to be laid, drawn or passed?"""
        table = self._table
        return bool(
            table.ended
            or table.verdict
            or table.pending == MATCH_IS_OVER
            or self.replayed.sheet is not None
        )

    @property
    def turn(self) -> Seat | None:
        """Who is to act; None when play is over."""
        return None if self.play_over or self._table.turn < 0 else SEATS[self._table.turn]

    @property
    def pending(self) -> tuple[int, ...]:
        """Events whose infraction awaits its ruling."""
        return tuple(one.event for one in self.replayed.offences if one.measures is PENDING)

    @property
    def ends(self) -> tuple[int, int] | None:
        """The open ends, left and right; None before the first tile."""
        return None if self._table.left < 0 else (self._table.left, self._table.right)

    @property
    def moves(self) -> int:
        """How many tiles have been laid and still lie."""
        return len(self._table.line)

    @cached_property
    def line(self) -> tuple[Laid, ...]:
        """The tiles on the table in the order laid."""
        laid: list[Laid] = []
        for event, (number, seat, end, opened, standing) in zip(
            self.replayed.plays, self._table.line, strict=True
        ):
            tile = TILES[number]
            inner = tile.low + tile.high - opened
            halves = (opened, inner) if end == LEFT else (inner, opened)
            where = None if not end else End.LEFT if end == LEFT else End.RIGHT
            laid.append(Laid(tile, SEATS[seat], where, event, *halves, standing))
        return tuple(laid)

    @property
    def layout(self) -> tuple[Laid, ...]:
        """The tiles on the table from left to right."""
        at_left = [one for one in self.line if one.end is End.LEFT]
        rest = [one for one in self.line if one.end is not End.LEFT]
        return (*reversed(at_left), *rest)

    @property
    def tiles_in_hand(self) -> dict[Seat, int]:
        return {seat: self._table.size(seat.number) for seat in self.seats}

    @property
    def stock_left(self) -> int:
        return self._table.stock

    @property
    def can_draw(self) -> bool:
        """May a tile of the stock still be drawn?"""
        return not self._table.dry

    @property
    def must(self) -> dict[Seat, tuple[Tile, ...]]:
        """Exposed and obliged tiles of each seat, in the order in which they bind."""
        table = self._table
        bound: dict[Seat, tuple[Tile, ...]] = {}
        if self.play_over:
            return bound
        for seat in self.seats:
            tiles = list(table.exposed_by(seat.number))
            obliged = table.obliged_of(seat.number)
            if obliged >= 0 and obliged not in tiles:
                tiles.append(obliged)
            if tiles:
                bound[seat] = tuple(TILES[tile] for tile in tiles)
        return bound

    @property
    def skips(self) -> tuple[Seat, ...]:
        """Seats that lose their next turn."""
        return tuple(seat for seat in self.seats if self._table.skips >> seat.number & 1)

    @property
    def first_tile(self) -> Tile | None:
        """The only tile that may open, while the round is not open; None for any."""
        waiting = self._table.left < 0 and self._table.first_tile >= 0
        return TILES[self._table.first_tile] if waiting else None

    @property
    def in_effect(self) -> tuple[bool, ...]:
        """For each event: does it still count, or was it undone or taken back?"""
        effective = {one[0] for one in self.replayed.effective}
        return tuple(number in effective for number in range(len(self.written.events)))

    @property
    def hands(self) -> Mapping[Seat, tuple[Tile, ...]] | None:
        """The hands as they are now, None in a blind record."""
        if self._table.blind:
            return None
        return {
            seat: tuple(TILES[tile] for tile in tiles_of(self._table.hands[seat.number]))
            for seat in self.seats
        }

    @property
    def unseen(self) -> tuple[Tile, ...]:
        """The tiles that do not lie on the table."""
        return tuple(tile for tile in TILES if not self._table.laid >> tile.index & 1)

    def playable(self, tile: Tile) -> tuple[End, ...]:
        """Return the ends `tile` may be laid on now: both only where they differ."""
        table = self._table
        if self.play_over or table.laid >> tile.index & 1:
            return ()
        if table.left < 0:
            free = table.first_tile < 0 or table.first_tile == tile.index
            return (End.RIGHT,) if free else ()
        halves = OTHER[tile.index]
        at_left, at_right = halves[table.left] >= 0, halves[table.right] >= 0
        if at_left and at_right and table.left == table.right:
            return (End.RIGHT,)
        return (End.LEFT,) * at_left + (End.RIGHT,) * at_right

    def json(self) -> dict[str, object]:
        """Return the round's part of the answer."""
        ends = self.ends
        return {
            "opener": None if self.opener is None else self.opener.value,
            "ended": self.ended.value,
            "winner": self.winner,
            "points": self.points,
            "left": {seat.value: pips for seat, pips in self.left.items()},
            "line": [str(one.tile) for one in self.line],
            "ends": None if ends is None else list(ends),
            "moves": self.moves,
        }
