"""A round's tiles as bits: the one fast, inner module.

Tiles are numbers 0 to 27 (`Tile.index`), hands and the table are 28-bit masks, seats are numbers
0 to 3, ends are 0 (not said), 1 (left), 2 (right). Every act is checked here, in the order in
which spec/record.md lists the refusals; everything else about a record is around this module.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Final, Self

from engine.bits import ALL, BIT, FITTING, HIGH, LOW, OTHER, mask_of, named
from engine.errors import (
    DrawBeforeFirstTile,
    EndRequired,
    FalsePass,
    ImproperDraw,
    MatchOver,
    Misplay,
    MisplayAtEnd,
    MustDraw,
    MustPlay,
    NothingToDraw,
    NotInHand,
    NotInStock,
    OutOfTurn,
    PassBeforeFirstTile,
    RoundOver,
    RulingPending,
    TileAlreadyPlayed,
    WrongOpeningTile,
)
from engine.tiles import HAND_SIZE, SET_SIZE, TILES

SAID_NOTHING: Final = 0
LEFT: Final = 1
RIGHT: Final = 2

OUT: Final = "out"
BLOCKED: Final = "blocked"
VOID: Final = "void"
LOST: Final = "lost"

# What the last tile laid was: exposed before; fitting both, different, ends and the last in hand.
WITH_EXPOSED: Final = 1
BOTH_ENDS: Final = 2

# `pending` where no ruling is, and where the match is over.
NONE_PENDING: Final = -1
MATCH_IS_OVER: Final = -2

# `first_tile` where any tile may open, and where a lost turn has made it so.
ANY_TILE: Final = -1
FREED: Final = -2

_LETTERS: Final = "ABCD"
_NO_EXPOSED: Final[tuple[tuple[int, ...], ...]] = ((), (), (), ())
_NO_OBLIGED: Final = (-1, -1, -1, -1)


@cache
def _order_of_turn(seats: tuple[int, ...]) -> tuple[int, tuple[int, ...], tuple[int, ...]]:
    """Return the mask of `seats`, the seat after each, and the tiles each is dealt."""
    following = [0, 0, 0, 0]
    dealt = [0, 0, 0, 0]
    for place, seat in enumerate(seats):
        following[seat] = seats[(place + 1) % len(seats)]
        dealt[seat] = HAND_SIZE
    return mask_of(seats), tuple(following), tuple(dealt)


class Table:
    """One round in play. Mutable; nothing outside the engine sees it."""

    __slots__ = (
        *("active", "following", "blind", "hands", "hidden", "loose", "held"),
        *("stock", "reserve", "order", "dry"),
        *("turn", "first_tile", "laid", "left", "right", "line", "marks"),
        *("passed", "skips", "exposed", "obliged"),
        *("ended", "verdict", "offender", "pending", "halted"),
    )

    def __init__(
        self,
        *,
        seats: tuple[int, ...],
        opener: int,
        hands: Sequence[int] | None = None,
        order: tuple[int, ...] | None = None,
        reserve: int = 0,
        first_tile: int = ANY_TILE,
    ) -> None:
        """Start a round.

        `seats` play, `hands` are masks for seats 0 to 3 where they are known, `order` is the
        stock in the order of unseen draws, `first_tile` the only tile that may open.
        """
        self.active, self.following, dealt = _order_of_turn(seats)
        # `hands` are tiles known to be held, `hidden` counts those nobody has seen, `loose` are
        # the tiles whose place is not known, `held` those that may be in some hand.
        if hands is None:
            self.blind = True
            self.hands = [0, 0, 0, 0]
            self.hidden = list(dealt)
            self.loose = self.held = ALL
            self.stock = SET_SIZE - HAND_SIZE * len(seats)
        else:
            self.blind = False
            self.hands = list(hands)
            self.hidden = [0, 0, 0, 0]
            self.held = hands[0] | hands[1] | hands[2] | hands[3]
            self.loose = ALL ^ self.held
            self.stock = self.loose.bit_count()
        self.order = order
        self.reserve = reserve
        self.dry = self.stock <= reserve
        self.turn = opener
        self.first_tile = first_tile
        self.laid = self.passed = self.skips = self.marks = 0
        self.left = self.right = self.offender = self.pending = -1
        # (tile, seat, end, the half it opened, left standing?), in the order laid.
        self.line: list[tuple[int, int, int, int, bool]] = []
        # Exposed tiles in order, and the one obliged tile, by seat; None while there is none.
        self.exposed: tuple[tuple[int, ...], ...] | None = None
        self.obliged: tuple[int, ...] | None = None
        self.ended = self.verdict = ""
        self.halted = False

    def copy(self) -> Self:
        """Return a table that goes on from here on its own."""
        twin = object.__new__(type(self))
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if type(value) is list else value)
        return twin

    def size(self, seat: int) -> int:
        """Return how many tiles `seat` holds."""
        return self.hands[seat].bit_count() + self.hidden[seat]

    # -- acts ---------------------------------------------------------------------------------

    def play(  # noqa: C901 (the hot path: one method)
        self, seat: int, tile: int, end: int = SAID_NOTHING, stands: int = -1
    ) -> None:
        """Lay `tile`; raises what the rules have against it.

        `stands` is for a misplayed tile that stays where it lies: the half then open at `end`.
        """
        if self.halted:
            self._refuse_halted()
        if seat != self.turn:
            raise OutOfTurn(seat=_LETTERS[seat], turn=self._turn_letter())
        bit = BIT[tile]
        hands = self.hands
        if not hands[seat] & bit:
            self._find_in_hand(seat, tile)
        left, right = self.left, self.right
        halves = OTHER[tile]
        if left < 0:
            if self.first_tile >= 0 and tile != self.first_tile:
                raise WrongOpeningTile(tile=TILES[tile], expected=TILES[self.first_tile])
            self.left = HIGH[tile]
            self.right = opened = LOW[tile]
            end = SAID_NOTHING
        else:
            if stands >= 0:
                opened = stands
            elif end == SAID_NOTHING:
                end = RIGHT if halves[right] >= 0 else LEFT
                if left != right and halves[left] >= 0 <= halves[right]:
                    raise EndRequired(tile=TILES[tile], left=left, right=right)
                opened = halves[right] if end == RIGHT else halves[left]
                if opened < 0:
                    raise Misplay(tile=TILES[tile], left=left, right=right)
            else:
                number = right if end == RIGHT else left
                opened = halves[number]
                if opened < 0:
                    raise MisplayAtEnd(tile=TILES[tile], number=number, left=left, right=right)
            if self.obliged is not None and stands < 0:
                self._require_bound(seat, tile)
            if end == RIGHT:
                self.right = opened
            else:
                self.left = opened
        self.laid |= bit
        self.held ^= bit
        hand = hands[seat] = hands[seat] ^ bit
        self.line.append((tile, seat, end, opened, stands >= 0))
        self.passed = 0
        if self.obliged is not None:
            self._release(seat, tile)
        if not hand and not self.hidden[seat]:
            if stands < 0 <= left != right and halves[left] >= 0 <= halves[right]:
                self.marks |= BOTH_ENDS
            self._end(OUT)
        elif self.dry and not self.held & FITTING[self.left][self.right]:
            self._end(BLOCKED)
        else:
            self.turn = self.following[seat]
            if self.skips:
                self._skip()

    def say_pass(self, seat: int) -> bool:
        """Record a pass; False for one spoken after a block, which changes nothing."""
        if self.halted:
            over = self.verdict or self.pending == MATCH_IS_OVER
            if self.ended == BLOCKED and not over:
                if self.pending >= 0:
                    raise RulingPending(pending=self.pending)
                return False
            self._refuse_halted()
        if seat != self.turn:
            raise OutOfTurn(seat=_LETTERS[seat], turn=self._turn_letter())
        if self.left < 0:
            raise PassBeforeFirstTile(seat=_LETTERS[seat])
        playable = (
            self.known_playable(seat)
            if self.blind
            else self.hands[seat] & FITTING[self.left][self.right]
        )
        if playable:
            raise FalsePass(
                seat=_LETTERS[seat], tiles=named(playable), left=self.left, right=self.right
            )
        if not self.dry:
            raise MustDraw(seat=_LETTERS[seat], stock=self.stock - self.reserve)
        if self.obliged is not None:
            self._oblige(seat, -1)
        self.passed |= 1 << seat
        if self.passed == self.active:
            self._end(BLOCKED)
        else:
            self.turn = self.following[seat]
            if self.skips:
                self._skip()
        return True

    def draw(self, seat: int, tile: int = -1) -> int:
        """Take a tile from the stock (-1: not seen) and return it (-1: still not known)."""
        if self.halted:
            self._refuse_halted()
        if seat != self.turn:
            raise OutOfTurn(seat=_LETTERS[seat], turn=self._turn_letter())
        if self.left < 0:
            raise DrawBeforeFirstTile(seat=_LETTERS[seat])
        playable = self.known_playable(seat)
        if playable:
            raise ImproperDraw(
                seat=_LETTERS[seat], tiles=named(playable), left=self.left, right=self.right
            )
        if self.dry:
            raise NothingToDraw(seat=_LETTERS[seat], stock=self.stock, reserve=self.reserve)
        if tile < 0 and self.order:
            tile = self.order[0]
        if tile >= 0:
            bit = BIT[tile]
            if not self.loose & bit:
                raise NotInStock(tile=TILES[tile])
            if self.order is not None:
                self.order = tuple(one for one in self.order if one != tile)
            self.loose ^= bit
            self.hands[seat] |= bit
            self.held |= bit
        else:
            self.hidden[seat] += 1
            self.held |= self.loose
        self.stock -= 1
        if not self.blind:
            self._settle_hidden()
        self.dry = self.stock <= self.reserve
        if self.dry and not self.held & FITTING[self.left][self.right]:
            self._end(BLOCKED)
        return tile

    # -- what rulings do to the table ---------------------------------------------------------

    def lose_turn(self, seat: int) -> None:
        """Take the turn `seat` has, or its next one."""
        if self.ended or self.verdict or not self.active >> seat & 1:
            return
        self.skips |= 1 << seat
        self._skip()

    def oblige(self, seat: int, tile: int) -> None:
        """`tile` must be played at the turn now or next, if it fits then."""
        if self._may_hold(seat, tile):
            self._oblige(seat, tile)

    def expose(self, seat: int, tile: int) -> None:
        """`tile` lies face up and must be played at the first turn on which it fits."""
        tiles = self.exposed_by(seat)
        if self._may_hold(seat, tile) and tile not in tiles:
            self._set_exposed(seat, (*tiles, tile))

    def decide(self, verdict: str, offender: int = -1) -> None:
        """End the round by ruling: VOID, or LOST by the offender's side."""
        self.verdict = verdict
        self.offender = offender
        self.halted = True

    def halt(self, pending: int) -> None:
        """Say which event awaits its ruling, NONE_PENDING or MATCH_IS_OVER."""
        self.pending = pending
        self.halted = bool(self.ended or self.verdict or pending != NONE_PENDING)

    # -- questions ----------------------------------------------------------------------------

    def known_playable(self, seat: int) -> int:
        """Return the tiles that fit and are known to be held, as a pass or draw is judged.

        In a blind round only an obliged or exposed tile counts as known.
        """
        fitting = FITTING[self.left][self.right]
        if not self.blind:
            return self.hands[seat] & fitting
        bound = mask_of(self.exposed_by(seat))
        obliged = self.obliged_of(seat)
        if obliged >= 0:
            bound |= BIT[obliged]
        return bound & fitting & self.could_hold(seat)

    def exposed_by(self, seat: int) -> tuple[int, ...]:
        """Return the exposed tiles of `seat`, in the order exposed."""
        return () if self.exposed is None else self.exposed[seat]

    def obliged_of(self, seat: int) -> int:
        """Return the tile `seat` is obliged to play at this turn or its next, -1 for none."""
        return -1 if self.obliged is None else self.obliged[seat]

    def required_tile(self, seat: int) -> int:
        """Return the exposed or obliged tile `seat` has to play now, -1 when there is none."""
        if self.left < 0:
            return -1
        fitting = FITTING[self.left][self.right] & self.could_hold(seat)
        for tile in self.exposed_by(seat):
            if BIT[tile] & fitting:
                return tile
        obliged = self.obliged_of(seat)
        return obliged if obliged >= 0 and BIT[obliged] & fitting else -1

    def could_hold(self, seat: int) -> int:
        """Return the tiles `seat` may hold as far as the record tells."""
        return self.hands[seat] | (self.loose if self.hidden[seat] else 0)

    # -- inside -------------------------------------------------------------------------------

    def _turn_letter(self) -> str:
        return _LETTERS[self.turn] if self.turn >= 0 else "–"

    def _refuse_halted(self) -> None:
        if self.pending == MATCH_IS_OVER:
            raise MatchOver
        if self.verdict or self.ended:
            raise RoundOver(ended=self.verdict or self.ended)
        raise RulingPending(pending=self.pending)

    def _find_in_hand(self, seat: int, tile: int) -> None:
        """Let `seat` hold a tile nobody saw it take; raises a refusal when it cannot."""
        bit = BIT[tile]
        if self.laid & bit:
            raise TileAlreadyPlayed(tile=TILES[tile])
        if self.hidden[seat] and self.loose & bit:
            self.hidden[seat] -= 1
            self.loose ^= bit
            if not self.blind:
                self.hands[seat] |= bit
                self._settle_hidden()
        elif not self.blind:
            raise NotInHand(tile=TILES[tile], seat=_LETTERS[seat], tiles=named(self.hands[seat]))
        else:
            self._take_from_elsewhere(seat, bit)
        self.hands[seat] |= bit

    def _settle_hidden(self) -> None:
        """Where unseen draws leave no doubt any more, say who holds what."""
        holders = [seat for seat in range(4) if self.hidden[seat]]
        if len(holders) == 1 and not self.stock:
            self.hands[holders[0]] |= self.loose
            self.hidden[holders[0]] = self.loose = 0
            holders = []
        if not holders:
            self.held = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]

    def _take_from_elsewhere(self, seat: int, bit: int) -> None:
        """In a blind record a tile that one seat was seen drawing comes from another's hand."""
        for other in range(4):
            if self.hands[other] & bit:
                self.hands[other] ^= bit
                self.hidden[other] += 1
        self.loose &= ~bit
        if self.hidden[seat]:
            self.hidden[seat] -= 1
        else:
            drawn = self.hands[seat] & -self.hands[seat]
            self.hands[seat] ^= drawn
            self.loose |= drawn

    def _may_hold(self, seat: int, tile: int) -> bool:
        return not self.laid & BIT[tile] and bool(self.could_hold(seat) & BIT[tile])

    def _require_bound(self, seat: int, tile: int) -> None:
        required = self.required_tile(seat)
        if required >= 0 and tile != required:
            raise MustPlay(seat=_LETTERS[seat], expected=TILES[required], tile=TILES[tile])

    def _release(self, seat: int, tile: int) -> None:
        """A tile was laid: what bound the seat is used up, an exposed tile lies no longer open."""
        self._oblige(seat, -1)
        tiles = self.exposed_by(seat)
        if tile in tiles:
            self._set_exposed(seat, tuple(one for one in tiles if one != tile))
            self.marks = WITH_EXPOSED
        else:
            self.marks = 0

    def _oblige(self, seat: int, tile: int) -> None:
        tiles = list(self.obliged or _NO_OBLIGED)
        tiles[seat] = tile
        self.obliged = tuple(tiles)

    def _set_exposed(self, seat: int, tiles: tuple[int, ...]) -> None:
        exposed = list(self.exposed or _NO_EXPOSED)
        exposed[seat] = tiles
        self.exposed = tuple(exposed)
        self.obliged = self.obliged or _NO_OBLIGED

    def _end(self, ended: str) -> None:
        self.ended = ended
        self.halted = True

    def _skip(self) -> None:
        """Pass over the seats that have lost this turn."""
        while self.turn >= 0 and self.skips >> self.turn & 1:
            self.skips ^= 1 << self.turn
            if self.obliged is not None:
                self._oblige(self.turn, -1)
            if self.left < 0:
                self.first_tile = FREED
            self.turn = self.following[self.turn]
