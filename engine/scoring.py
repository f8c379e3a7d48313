"""How a round ended and what it scores."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from engine.bits import pips_of
from engine.masks import BLOCKED, BOTH_ENDS, LOST, OUT, VOID, WITH_EXPOSED
from engine.profiles import Rules
from engine.replay import RoundReplay
from engine.seats import Seat


class Ended(StrEnum):
    """How a round ended; `drawn` is a block that nobody wins and nobody scores for."""

    OUT = "out"
    BLOCKED = "blocked"
    DRAWN = "drawn"
    LOST = "lost"
    VOID = "void"
    UNFINISHED = "unfinished"


@dataclass(frozen=True, slots=True)
class Sides:
    """Who wins and loses with whom: seat numbers by side, and the side of each seat."""

    names: tuple[str, ...]
    seats: tuple[tuple[int, ...], ...]
    of: tuple[int, ...]

    @classmethod
    def named(cls, names: Sequence[str]) -> Sides:
        seats = tuple(tuple(Seat(letter).number for letter in name) for name in names)
        of = [0, 0, 0, 0]
        for side, members in enumerate(seats):
            for seat in members:
                of[seat] = side
        return cls(tuple(names), seats, tuple(of))

    def other(self, side: int) -> int:
        """Return the opposing side of a table of two sides."""
        return 1 - side


@dataclass(frozen=True, slots=True)
class Outcome:
    """What a round came to.

    `winner` is a side (a seat in `elimination`), `opens_next` the seat that opens where the
    winner does, both -1 for nobody. `points` are by side. `needs` are the seats whose hands have
    still to be shown or counted before the round can be scored.
    """

    ended: Ended
    winner: int = -1
    opens_next: int = -1
    points: tuple[int, ...] = ()
    needs: tuple[int, ...] = ()

    @property
    def finished(self) -> bool:
        """Is the round one after which target, limit and clock are tested?"""
        return self.ended not in (Ended.UNFINISHED, Ended.VOID)


def pips_left(replay: RoundReplay) -> list[int | None]:
    """Return the pips in each of the four hands, None where the record does not tell."""
    table = replay.table
    if replay.sheet is not None:
        return [None] * 4
    left: list[int | None] = []
    for seat in range(4):
        known = not table.size(seat) or not (table.blind or table.hidden[seat])
        left.append(pips_of(table.hands[seat]) if known else None)
    unknown = [pips is None for pips in left]
    for shown in replay.shown:
        if unknown[shown.seat]:
            if shown.tiles is not None:
                left[shown.seat] = pips_of(shown.tiles & ~table.laid)
            elif not any(one.seat == shown.seat and one.tiles is not None for one in replay.shown):
                left[shown.seat] = shown.pips
    return left


def outcome(replay: RoundReplay, rules: Rules, sides: Sides, opener: int) -> Outcome:
    """Return how the round stands: ended and scored, or unfinished."""
    table = replay.table
    nothing = (0,) * len(sides.names)
    if replay.lost_match and not rules.elimination:
        winner = sides.other(sides.of[replay.lost_match[0]])
        return Outcome(Ended.LOST, winner, -1, nothing)
    if table.verdict == VOID:
        return Outcome(Ended.VOID, -1, -1, nothing)
    if replay.sheet is not None:
        return _from_sheet(replay, sides)
    if table.verdict == LOST:
        return _lost(replay, rules, sides)
    if rules.elimination and table.ended:
        return _each_their_own(replay, rules, sides)
    if table.ended == OUT:
        return _out(replay, rules, sides)
    if table.ended == BLOCKED:
        return _blocked(replay, rules, sides, opener)
    return Outcome(Ended.UNFINISHED, -1, -1, nothing)


def rounded(points: int, rules: Rules) -> int:
    """Return a played round's points, to the nearest multiple the rules ask for."""
    step = rules.round_to
    return (points + step // 2) // step * step


def _from_sheet(replay: RoundReplay, sides: Sides) -> Outcome:
    sheet = replay.sheet
    assert sheet is not None
    if isinstance(sheet.points, int):
        winner = -1 if sheet.winner is None else sides.names.index(sheet.winner)
        points = tuple(sheet.points if side == winner else 0 for side in range(len(sides.names)))
        ended = Ended.DRAWN if winner < 0 else Ended(sheet.ended)
    else:
        by_seat = {seat.value: points for seat, points in sheet.points.items()}
        winner = -1 if sheet.winner is None else sides.names.index(sheet.winner)
        points = tuple(by_seat.get(name, 0) for name in sides.names)
        ended = Ended(sheet.ended)
    return Outcome(ended, winner, -1, points)


def _counted(
    replay: RoundReplay, sides: Sides, seats: Sequence[int]
) -> tuple[list[int], Outcome | None]:
    """Return the pips of all seats (0 where unknown), and an outcome where they are missing."""
    left = pips_left(replay)
    missing = tuple(seat for seat in seats if left[seat] is None)
    if missing:
        nothing = (0,) * len(sides.names)
        return [], Outcome(Ended.UNFINISHED, -1, -1, nothing, missing)
    return [0 if pips is None else pips for pips in left], None


def _scored(winner: int, points: int, sides: Sides) -> tuple[int, ...]:
    return tuple(points if side == winner else 0 for side in range(len(sides.names)))


def _lost(replay: RoundReplay, rules: Rules, sides: Sides) -> Outcome:
    offender = replay.table.offender
    side = sides.of[offender]
    left, missing = _counted(replay, sides, sides.seats[side])
    if missing:
        return missing
    points = rounded(sum(left[seat] for seat in sides.seats[side]), rules)
    if rules.elimination:
        return Outcome(Ended.LOST, -1, -1, _scored(side, points, sides))
    winner = sides.other(side)
    opens_next = _first_of(sides.seats[winner], replay.table.following, offender)
    return Outcome(Ended.LOST, winner, opens_next, _scored(winner, points, sides))


def _each_their_own(replay: RoundReplay, rules: Rules, sides: Sides) -> Outcome:
    table = replay.table
    seats = [seat for seat in range(4) if replay.in_play >> seat & 1]
    left, missing = _counted(replay, sides, seats)
    if missing:
        return missing
    points = tuple(
        rounded(left[seat], rules) if seat in seats else 0 for seat in range(len(sides.names))
    )
    winner = table.line[-1][1] if table.ended == OUT else -1
    return Outcome(Ended(table.ended), winner, winner, points)


def _out(replay: RoundReplay, rules: Rules, sides: Sides) -> Outcome:
    table = replay.table
    seat = table.line[-1][1]
    winner = sides.of[seat]
    if table.marks & WITH_EXPOSED:
        return Outcome(Ended.OUT, winner, seat, (0,) * len(sides.names))
    counted = [
        other
        for side, members in enumerate(sides.seats)
        for other in members
        if side != winner or (rules.points_out == "all" and other != seat)
    ]
    left, missing = _counted(replay, sides, counted)
    if missing:
        return missing
    points = sum(left[other] for other in counted)
    if table.marks & BOTH_ENDS:
        points += rules.bonus_both_ends
    return Outcome(Ended.OUT, winner, seat, _scored(winner, rounded(points, rules), sides))


def _blocked(replay: RoundReplay, rules: Rules, sides: Sides, opener: int) -> Outcome:
    table = replay.table
    seats = [seat for members in sides.seats for seat in members]
    left, missing = _counted(replay, sides, seats)
    if missing:
        return missing
    sums = [sum(left[seat] for seat in members) for members in sides.seats]
    winner = _winner_of_block(left, sums, rules, sides)
    if winner < 0:
        return Outcome(Ended.DRAWN, -1, -1, (0,) * len(sides.names))
    lowest = min(left[seat] for seat in sides.seats[winner])
    with_lowest = [seat for seat in sides.seats[winner] if left[seat] == lowest]
    opens_next = with_lowest[0]
    if len(with_lowest) > 1 and opener not in with_lowest:
        opens_next = _first_of(with_lowest, table.following, opener)
    elif opener in with_lowest:
        opens_next = opener
    loser = sides.other(winner)
    points = {
        "opponents": sums[loser],
        "difference": max(0, sums[loser] - sums[winner]),
        "all": sum(sums),
    }[rules.points_block]
    # The side that blocked with an exposed tile and wins earns nothing (femundo 17).
    if table.marks & WITH_EXPOSED and sides.of[table.line[-1][1]] == winner:
        points = 0
    return Outcome(
        Ended.BLOCKED, winner, opens_next, _scored(winner, rounded(points, rules), sides)
    )


def _winner_of_block(left: list[int], sums: list[int], rules: Rules, sides: Sides) -> int:
    if rules.block_winner == "lowest_hand":
        lowest = [min(left[seat] for seat in members) for members in sides.seats]
        if lowest[0] != lowest[1]:
            return 0 if lowest[0] < lowest[1] else 1
    if sums[0] == sums[1]:
        return -1
    return 0 if sums[0] < sums[1] else 1


def _first_of(seats: Sequence[int], following: Sequence[int], start: int) -> int:
    """Return the first of `seats` in order of play after `start`."""
    seat = following[start]
    while seat not in seats:
        seat = following[seat]
    return seat
