"""What every seat leaves a match with: points, deductions, won or lost."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from engine.penalties import Measure
from engine.seats import SEATS, Side
from referee.recorded import Recorded
from tournaments.models import Entry, Match, MatchSeat
from tournaments.services import scores
from tournaments.services.disqualification import LEFT_GET_TARGET, left_at_table
from tournaments.services.results import SeatResult
from tournaments.services.standings import walkover_points

Outcome = MatchSeat.Outcome


def seat_results(recorded: Recorded, *, partner_wins: bool = False) -> dict[str, SeatResult]:
    """Return the result of each seat, whether a side has won or the match was cut short.

    Where somebody who plays alone has lost the match by a ruling, `partner_wins` says that the
    three others are credited with the target (femundo 28), not only the two opponents.
    """
    if recorded.rules.elimination:
        return {one.seat: _alone(recorded, one.seat) for one in recorded.sittings}
    offenders = _lost_by_ruling(recorded) if partner_wins else ()
    return {one.seat: _of_side(recorded, one.seat, offenders) for one in recorded.sittings}


def result_to_write(match: Match, recorded: Recorded) -> dict[str, SeatResult]:
    """Return what closing the match writes for each seat, by the rules of its event."""
    partner_wins = left_at_table(match) == LEFT_GET_TARGET
    return scores.after_deductions(match, seat_results(recorded, partner_wins=partner_wins))


def _lost_by_ruling(recorded: Recorded) -> tuple[str, ...]:
    """Return the seats of an individual event that a ruling lets lose the match.

    Signals are given by one and read by the other: they fall on both (femundo 24).
    """
    if recorded.match.entry_kind != Entry.Kind.SINGLE or not recorded.state.rounds:
        return ()
    lost = [SEATS[one].value for one in recorded.state.rounds[-1].replayed.lost_match]
    signals = {
        one.seat.value
        for one in recorded.state.infractions
        if one.kind == "signaling" and {"lose_match", "disqualify"} & _names(one.measures)
    }
    both = [seat for one in signals & set(lost) for seat in _side_of(recorded, one)]
    return tuple(dict.fromkeys([*lost, *both]))


def _lost_by_absence(recorded: Recorded) -> bool:
    """Say whether femundo 7 decided the match: somebody was late and those present win by half.

    As for a table closed at the desk; once a tile has been played it was no absence.
    """
    state = recorded.state
    if recorded.rules.profile != "femundo" or any(one.moves for one in state.rounds):
        return False
    lost = [one for one in state.infractions if {"lose_match", "disqualify"} & _names(one.measures)]
    return bool(lost) and all(one.kind == "late" for one in lost)


def _names(measures: Iterable[Measure] | None) -> set[str]:
    return {one.name for one in measures or ()}


def deducted(recorded: Recorded, seat: str) -> int:
    """Return the penalty points that fall on a seat.

    In a pairs event they fall on both partners, otherwise on the offender alone (femundo 5).
    """
    together = recorded.match.entry_kind == Entry.Kind.PAIR
    offenders = _side_of(recorded, seat) if together else seat
    return sum(points for one, points in recorded.state.deductions.items() if one in offenders)


def _side_of(recorded: Recorded, seat: str) -> Side:
    return next(side for side in recorded.sides if seat in side)


def _rounds_won(recorded: Recorded, side: Side) -> int:
    return sum(one.winner == side for one in recorded.state.rounds)


def _of_side(recorded: Recorded, seat: str, offenders: Collection[str]) -> SeatResult:
    state = recorded.state
    side = _side_of(recorded, seat)
    other = next(one for one in recorded.sides if one != side)
    mine, theirs = state.totals[side], state.totals[other]
    if offenders:
        mine, theirs = recorded.rules.target, 0
        if seat in offenders:
            mine, theirs = theirs, mine
    if _lost_by_absence(recorded) and mine > theirs:
        mine, theirs = walkover_points(recorded.rules, present=True)
    fine = deducted(recorded, seat)
    points = mine - fine if recorded.rules.deduct_from == "result" else mine
    if state.over:
        won, level = seat not in offenders if offenders else state.winner == side, False
    else:
        won, level = mine > theirs, mine == theirs
    if won and points != mine:
        # The deduction counts for this seat's own result: what is level then is lost.
        won = points > theirs
    outcome = Outcome.WIN if won else Outcome.TIE if level else Outcome.LOSS
    return SeatResult(
        points_for=points,
        points_against=theirs,
        outcome=outcome,
        deducted=fine,
        rounds_won=_rounds_won(recorded, side),
    )


def _alone(recorded: Recorded, seat: str) -> SeatResult:
    """Points are bad here: a seat's own total is what counts against it."""
    state = recorded.state
    fine = deducted(recorded, seat)
    total = state.totals[seat] + (fine if recorded.rules.deduct_from == "result" else 0)
    left = {one.value: state.totals[one.value] for one in state.in_match}
    ranked = sorted(left.values())
    # The bell may leave more than go on: the lowest totals do.
    last = ranked[: recorded.rules.survivors][-1]
    outcome = Outcome.WIN if left.get(seat, last + 1) <= last else Outcome.LOSS
    too_many = sum(one <= last for one in ranked) > recorded.rules.survivors
    if not state.over and too_many and left.get(seat) == last:
        outcome = Outcome.TIE
    return SeatResult(
        points_for=0,
        points_against=total,
        outcome=outcome,
        deducted=fine,
        rounds_won=_rounds_won(recorded, seat),
    )
