"""What the records of an event come to: rounds, blocks, passes, tiles. For everybody to read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field

from engine.scoring import Ended
from engine.state import RoundState
from engine.tiles import TILES, Tile
from referee.recorded import Recorded

HAND = 7
_COUNTED = frozenset({Ended.OUT, Ended.BLOCKED, Ended.DRAWN})


@dataclass(frozen=True, slots=True)
class Best:
    """The largest figure of its kind, and in which round of which match it was (from 0)."""

    figure: int
    match: int
    round: int


@dataclass(slots=True)
class Figures:
    """Counts over some matches. Rounds that were void or not played out are left out.

    Moves, passes and tiles are counted in rounds recorded move by move (`followed`) alone.
    """

    matches: int = 0
    rounds: int = 0
    followed: int = 0
    ends: Counter[Ended] = field(default_factory=Counter)
    points: int = 0
    moves: int = 0
    passes: int = 0
    opener_won: int = 0
    openings: Counter[str] = field(default_factory=Counter)
    """Tiles that rounds were opened with."""
    last_tiles: Counter[str] = field(default_factory=Counter)
    """Tiles that somebody went out with."""
    left_known: int = 0
    """Rounds of which every tile left in a hand is known."""
    left: Counter[str] = field(default_factory=Counter)
    """Tiles that were left in a hand."""
    told: Counter[int] = field(default_factory=Counter)
    """Passes by each number that lay open when they were said."""
    most_points: Best | None = None
    longest: Best | None = None

    @property
    def blocked(self) -> int:
        return self.ends[Ended.BLOCKED] + self.ends[Ended.DRAWN]

    @property
    def points_a_round(self) -> float | None:
        return self.points / self.rounds if self.rounds else None

    @property
    def moves_a_round(self) -> float | None:
        return self.moves / self.followed if self.followed else None

    @property
    def passes_a_round(self) -> float | None:
        return self.passes / self.followed if self.followed else None

    def share(self, count: int, among: int) -> int | None:
        """Return a share in whole hundredths; None of nothing."""
        return round(100 * count / among) if among else None


def figures_of(recorded: Recorded) -> Figures:
    """Count one match."""
    found = Figures(matches=1)
    for number, one in enumerate(recorded.state.rounds):
        if one.ended in _COUNTED:
            _count(found, one, recorded.match.pk, number)
    return found


def together(parts: Iterable[Figures]) -> Figures:
    """Add up the counts of matches."""
    found = Figures()
    for part in parts:
        found.matches += part.matches
        found.rounds += part.rounds
        found.followed += part.followed
        found.ends += part.ends
        found.points += part.points
        found.moves += part.moves
        found.passes += part.passes
        found.opener_won += part.opener_won
        found.openings += part.openings
        found.last_tiles += part.last_tiles
        found.left_known += part.left_known
        found.left += part.left
        found.told += part.told
        found.most_points = _better(found.most_points, part.most_points)
        found.longest = _better(found.longest, part.longest)
    return found


def _count(found: Figures, one: RoundState, match: int, number: int) -> None:
    points = max(one.points.values(), default=0)
    found.rounds += 1
    found.ends[one.ended] += 1
    found.points += points
    found.most_points = _better(found.most_points, Best(points, match, number))
    line = one.line
    if one.from_sheet or not line:
        return
    found.followed += 1
    found.moves += len(line)
    found.passes += len(one.replayed.passes)
    found.longest = _better(found.longest, Best(len(line), match, number))
    found.openings[str(line[0].tile)] += 1
    if one.ended is Ended.OUT:
        found.last_tiles[str(line[-1].tile)] += 1
    for _, _, _, *ends in one.replayed.passes:
        found.told.update(end for end in set(ends) if end >= 0)
    left = _left(one)
    if left is not None:
        found.left_known += 1
        found.left.update(map(str, left))
    if one.opener is not None and one.winner is not None and one.opener in one.winner:
        found.opener_won += 1


def _left(one: RoundState) -> tuple[Tile, ...] | None:
    """Return the tiles left in the hands; None where nobody saw what was in them."""
    if len(one.seats) * HAND == len(TILES):
        # All were dealt: what does not lie on the table was in a hand.
        return one.unseen
    if one.hands is None:
        return None
    return tuple(tile for hand in one.hands.values() for tile in hand)


def _better(one: Best | None, other: Best | None) -> Best | None:
    if one is None or other is None:
        return one or other
    return other if other.figure > one.figure else one
