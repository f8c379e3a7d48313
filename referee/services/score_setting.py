"""The score of a table is set to what its paper says: after a crash nobody enters it all again."""

from __future__ import annotations

from collections.abc import Mapping

from django.contrib.auth.models import User
from django.db import transaction

from engine.events import Sheet
from engine.record import LARGEST_NUMBER
from engine.seats import Seat, Side
from referee.errors.links import PlayersDoNotRule
from referee.errors.records import ReasonNeeded
from referee.errors.scores import ScoreBelow, ScoreInPlay, ScoreSides
from referee.models.links import LONGEST_WORD
from referee.recorded import Recorded
from referee.rows import read
from referee.services import records
from tournaments.errors.base import TextTooLong
from tournaments.models import Match
from tournaments.permissions import Keeper, require_may_record
from tournaments.services import results


@transaction.atomic
def set_score(match: Match, *, totals: Mapping[Side, int], reason: str, by: Keeper) -> Recorded:
    """Record what is missing to `totals`, a round from a score sheet for each side, and say why.

    How many rounds that was in truth nobody knows any more; the log says what was done. Asked
    twice, the score is as it was asked for already.
    """
    require_may_record(by, match)
    if not (isinstance(by, User) or by.rules):
        raise PlayersDoNotRule
    reason = " ".join(reason.split())
    if not reason:
        raise ReasonNeeded
    if len(reason) > LONGEST_WORD:
        raise TextTooLong(given=reason[:20], found=len(reason), limit=LONGEST_WORD)
    match = results.locked_match(match)
    records.require_playing(match)
    recorded = read(match)
    missing = _missing(recorded, totals)
    if not any(missing.values()):
        return recorded
    one = recorded.round
    if one is not None and not one.play_over and any(one.in_effect):
        raise ScoreInPlay(number=len(recorded.rounds))
    before = dict(recorded.state.totals)
    for sheet in _sheets(recorded, missing, totals):
        recorded = records.record_sheet(match, number=_next(recorded), sheet=sheet, by=by)
    told = {"before": _told(recorded, before), "after": _told(recorded, totals)}
    results.write_log(match, "score_set", by=by, reason=reason, **told)
    return recorded


def _missing(recorded: Recorded, totals: Mapping[Side, int]) -> dict[Side, int]:
    sides = recorded.sides
    if set(totals) != set(sides) or not all(0 <= one <= LARGEST_NUMBER for one in totals.values()):
        raise ScoreSides(
            table=recorded.match.table,
            found=", ".join(totals)[:40],
            sides=", ".join(sides),
            most=LARGEST_NUMBER,
        )
    missing = {side: totals[side] - recorded.state.totals[side] for side in sides}
    for side, points in missing.items():
        if points < 0:
            raise ScoreBelow(
                name=recorded.side_name(side),
                found=recorded.state.totals[side],
                given=totals[side],
            )
    return missing


def _sheets(
    recorded: Recorded, missing: Mapping[Side, int], totals: Mapping[Side, int]
) -> list[Sheet]:
    """Return the score sheets that bring the score there; who has most comes last, and may win."""
    if recorded.rules.elimination:
        return [Sheet(None, {Seat(side): points for side, points in missing.items()}, "out")]
    won = sorted((side for side in missing if missing[side]), key=lambda side: totals[side])
    return [Sheet(side, missing[side], "out") for side in won]


def _next(recorded: Recorded) -> int:
    """Return the number of the round to record: the empty one in play, or another."""
    rounds = recorded.state.rounds
    return len(rounds) - 1 if rounds and rounds[-1].ended == "unfinished" else len(rounds)


def _told(recorded: Recorded, totals: Mapping[Side, int]) -> str:
    return " · ".join(f"{recorded.side_name(side)} {totals[side]}" for side in recorded.sides)
