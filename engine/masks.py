"""A round's tiles as bits: the one fast, inner module.

Tiles are numbers 0 to 27 (`Tile.index`), hands and the table are 28-bit masks, seats are numbers
0 to 3, ends are 0 (not said), 1 (left), 2 (right). Every act is checked here, in the order in
which spec/record.md lists the refusals; everything else about a record is around this module.
"""

from __future__ import annotations

from collections.abc import Sequence
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

_LETTERS: Final = "ABCD"


class Table:
    """One round in play. Mutable; nothing outside the engine sees it."""

    __slots__ = (
        "active",
        "blind",
        "both_ends",
        "bound",
        "dry",
        "ended",
        "exposed",
        "first_tile",
        "following",
        "halted",
        "hands",
        "held",
        "hidden",
        "laid",
        "left",
        "line",
        "loose",
        "match_over",
        "obliged",
        "offender",
        "order",
        "passed",
        "pending",
        "reserve",
        "right",
        "size",
        "skips",
        "stock",
        "turn",
        "verdict",
        "with_exposed",
        "with_standing",
    )

    def __init__(
        self,
        *,
        seats: Sequence[int],
        opener: int,
        hands: Sequence[int] | None = None,
        order: tuple[int, ...] | None = None,
        reserve: int = 0,
        first_tile: int = -1,
    ) -> None:
        """Start a round.

        `seats` play, `hands` are masks for seats 0 to 3 where they are known, `order` is the
        stock in the order of unseen draws, `first_tile` the only tile that may open (-1: any).
        """
        self.active = 0
        self.following = [0, 0, 0, 0]
        for place, seat in enumerate(seats):
            self.active |= 1 << seat
            self.following[seat] = seats[(place + 1) % len(seats)]
        self.blind = hands is None
        if hands is None:
            self.hands = [0, 0, 0, 0]
            self.hidden = [HAND_SIZE if self.active >> seat & 1 else 0 for seat in range(4)]
            self.size = list(self.hidden)
            self.loose = self.held = ALL
            self.stock = SET_SIZE - HAND_SIZE * len(seats)
        else:
            self.hands = list(hands)
            self.hidden = [0, 0, 0, 0]
            self.size = [hand.bit_count() for hand in hands]
            self.held = self.hands[0] | self.hands[1] | self.hands[2] | self.hands[3]
            self.loose = ALL ^ self.held
            self.stock = self.loose.bit_count()
        self.order = order
        self.reserve = reserve
        self.dry = self.stock <= reserve
        self.turn = opener
        self.first_tile = first_tile
        self.laid = 0
        self.left = self.right = -1
        # (tile, seat, end, the half it opened, left standing?), in the order laid.
        self.line: list[tuple[int, int, int, int, bool]] = []
        self.passed = 0
        self.skips = 0
        self.exposed: list[tuple[int, ...]] = [(), (), (), ()]
        self.obliged = [-1, -1, -1, -1]
        self.bound = False
        self.ended = ""
        self.verdict = ""
        self.offender = -1
        self.with_exposed = self.with_standing = self.both_ends = False
        self.pending = -1
        self.match_over = False
        self.halted = False

    def copy(self) -> Self:
        """Return a table that goes on from here on its own."""
        twin = object.__new__(type(self))
        for name in self.__slots__:
            value = getattr(self, name)
            setattr(twin, name, value[:] if type(value) is list else value)
        return twin

    # -- acts ---------------------------------------------------------------------------------

    def play(self, seat: int, tile: int, end: int = SAID_NOTHING) -> None:  # noqa: C901
        """Lay `tile`; raises what the rules have against it."""
        if self.halted:
            self._refuse_halted()
        if seat != self.turn:
            raise OutOfTurn(seat=_LETTERS[seat], turn=self._turn_letter())
        bit = BIT[tile]
        if self.laid & bit:
            raise TileAlreadyPlayed(tile=TILES[tile])
        hands = self.hands
        if not hands[seat] & bit:
            self._find_in_hand(seat, tile)
        left, right = self.left, self.right
        both = False
        if left < 0:
            if self.first_tile >= 0 and tile != self.first_tile:
                raise WrongOpeningTile(tile=TILES[tile], expected=TILES[self.first_tile])
            self.left, self.right = HIGH[tile], LOW[tile]
            end = SAID_NOTHING
            opened = self.right
        else:
            halves = OTHER[tile]
            at_left, at_right = halves[left], halves[right]
            both = at_left >= 0 <= at_right and left != right
            if end == SAID_NOTHING:
                if both:
                    raise EndRequired(tile=TILES[tile], left=left, right=right)
                if at_right >= 0:
                    end = RIGHT
                elif at_left >= 0:
                    end = LEFT
                else:
                    raise Misplay(tile=TILES[tile], left=left, right=right)
            elif (at_left if end == LEFT else at_right) < 0:
                number = left if end == LEFT else right
                raise MisplayAtEnd(tile=TILES[tile], number=number, left=left, right=right)
            if self.bound:
                self._require_bound(seat, tile)
            if end == LEFT:
                self.left = opened = at_left
            else:
                self.right = opened = at_right
        # What follows a tile laid, here and not in a method of its own: this is the hot path.
        self.laid |= bit
        hands[seat] ^= bit
        self.held &= ~bit
        self.line.append((tile, seat, end, opened, False))
        self.passed = 0
        if self.bound:
            self._release(seat, tile)
        self.size[seat] -= 1
        if not self.size[seat]:
            self.both_ends = both
            self._end(OUT)
        elif self.dry and not self.held & FITTING[self.left][self.right]:
            self._end(BLOCKED)
        else:
            self.turn = self.following[seat]
            if self.skips:
                self._skip()

    def stand(self, seat: int, tile: int, end: int, number: int) -> None:
        """Leave a misplaced tile where it lies, `number` now open at that end."""
        if self.halted:
            self._refuse_halted()
        if seat != self.turn:
            raise OutOfTurn(seat=_LETTERS[seat], turn=self._turn_letter())
        bit = BIT[tile]
        if self.laid & bit:
            raise TileAlreadyPlayed(tile=TILES[tile])
        if not self.hands[seat] & bit:
            self._find_in_hand(seat, tile)
        if end == LEFT:
            self.left = number
        else:
            self.right = number
        self.laid |= bit
        self.hands[seat] ^= bit
        self.held &= ~bit
        self.line.append((tile, seat, end, number, True))
        self.passed = 0
        if self.bound:
            self._release(seat, tile)
        self.size[seat] -= 1
        if not self.size[seat]:
            self.with_standing = True
            self._end(OUT)
        elif self.dry and not self.held & FITTING[self.left][self.right]:
            self._end(BLOCKED)
        else:
            self.turn = self.following[seat]
            self._skip()

    def say_pass(self, seat: int) -> bool:
        """Record a pass; False for one spoken after a block, which changes nothing."""
        if self.halted:
            if self.ended == BLOCKED and not self.verdict and not self.match_over:
                if self.pending >= 0:
                    raise RulingPending(pending=self.pending)
                return False
            self._refuse_halted()
        if seat != self.turn:
            raise OutOfTurn(seat=_LETTERS[seat], turn=self._turn_letter())
        if self.left < 0:
            raise PassBeforeFirstTile(seat=_LETTERS[seat])
        playable = self.known_playable(seat)
        if playable:
            raise FalsePass(
                seat=_LETTERS[seat], tiles=named(playable), left=self.left, right=self.right
            )
        if not self.dry:
            raise MustDraw(seat=_LETTERS[seat], stock=self.stock - self.reserve)
        self.obliged[seat] = -1
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
        self.size[seat] += 1
        self.stock -= 1
        if self.stock <= self.reserve:
            self.dry = True
            if not self.held & FITTING[self.left][self.right]:
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
            self.obliged[seat] = tile
            self.bound = True

    def expose(self, seat: int, tile: int) -> None:
        """`tile` lies face up and must be played at the first turn on which it fits."""
        if self._may_hold(seat, tile) and tile not in self.exposed[seat]:
            self.exposed[seat] = (*self.exposed[seat], tile)
            self.bound = True

    def decide(self, verdict: str, offender: int = -1) -> None:
        """End the round by ruling: VOID, or LOST by the offender's side."""
        self.verdict = verdict
        self.offender = offender
        self.halted = True

    def halt(self, pending: int, match_over: bool) -> None:
        """Say which infraction awaits its ruling (-1: none), and whether the match is over."""
        self.pending = pending
        self.match_over = match_over
        self.halted = bool(self.ended or self.verdict or match_over or pending >= 0)

    # -- questions ----------------------------------------------------------------------------

    def known_playable(self, seat: int) -> int:
        """Return the tiles that fit and are known to be held, as a pass or draw is judged.

        In a blind round only an obliged or exposed tile counts as known.
        """
        fitting = FITTING[self.left][self.right]
        if not self.blind:
            return self.hands[seat] & fitting
        if not self.bound:
            return 0
        bound = mask_of(self.exposed[seat]) & fitting
        if self.obliged[seat] >= 0:
            bound |= BIT[self.obliged[seat]] & fitting
        return bound & self.could_hold(seat)

    def required_tile(self, seat: int) -> int:
        """Return the exposed or obliged tile `seat` has to play now, -1 when there is none."""
        if self.left < 0:
            return -1
        fitting = FITTING[self.left][self.right] & self.could_hold(seat)
        for tile in self.exposed[seat]:
            if BIT[tile] & fitting:
                return tile
        obliged = self.obliged[seat]
        return obliged if obliged >= 0 and BIT[obliged] & fitting else -1

    def could_hold(self, seat: int) -> int:
        """Return the tiles `seat` may hold as far as the record tells."""
        return self.hands[seat] | (self.loose if self.hidden[seat] else 0)

    # -- inside -------------------------------------------------------------------------------

    def _turn_letter(self) -> str:
        return _LETTERS[self.turn] if self.turn >= 0 else "–"

    def _refuse_halted(self) -> None:
        if self.match_over:
            raise MatchOver
        if self.verdict or self.ended:
            raise RoundOver(ended=self.verdict or self.ended)
        raise RulingPending(pending=self.pending)

    def _find_in_hand(self, seat: int, tile: int) -> None:
        """Let `seat` hold a tile nobody saw it take; raises NotInHand when it cannot."""
        bit = BIT[tile]
        if self.hidden[seat] and self.loose & bit:
            self.hidden[seat] -= 1
            self.loose ^= bit
        elif not self.blind:
            raise NotInHand(tile=TILES[tile], seat=_LETTERS[seat], tiles=named(self.hands[seat]))
        else:
            self._take_from_elsewhere(seat, bit)
        self.hands[seat] |= bit

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
        self.obliged[seat] = -1
        self.with_exposed = tile in self.exposed[seat]
        if self.with_exposed:
            self.exposed[seat] = tuple(one for one in self.exposed[seat] if one != tile)

    def _end(self, ended: str) -> None:
        self.ended = ended
        self.halted = True

    def _skip(self) -> None:
        """Pass over the seats that have lost this turn."""
        while self.turn >= 0 and self.skips >> self.turn & 1:
            self.skips ^= 1 << self.turn
            self.obliged[self.turn] = -1
            if self.left < 0:
                self.first_tile = -1
            self.turn = self.following[self.turn]
