"""Records the final score of a table, and says which scores are hardly right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from django.contrib.auth.models import User
from django.db import transaction

from engine.profiles import Rules
from tournaments import permissions
from tournaments.competition import survival
from tournaments.errors import scores as score_errors
from tournaments.errors.scores import DoubtfulScore
from tournaments.models import Entry, Match, MatchSeat
from tournaments.rules import rules_of, sides_of
from tournaments.services import followers, results
from tournaments.services.results import SeatResult

# All pips of a double-six set: no round brings more, whatever hands a rule counts.
_MOST_OF_A_ROUND = 168
# Where the book has one more round played until somebody leads (femundo, article 6).
_NEVER_LEVEL = ("femundo", "domna")

# Who wins a match of which the winner has lost by penalty points.
AFTER_FINE = "after_fine"
NOBODY_WINS, RIVALS_WIN = "nobody", "rivals"

Outcome = MatchSeat.Outcome
Score = Mapping[str, int]
"""Points by side ("AC", "BD"), by seat where everybody plays alone."""


@transaction.atomic
def record_score(
    match: Match,
    *,
    points: Score,
    deducted: Mapping[str, int] | None = None,
    sure: bool = False,
    by: User,
) -> Match:
    """Close a table with its final score; who won follows from it by the rules.

    `deducted`: penalty points by seat. A doubtful score is refused unless `sure`; sent again,
    the same score changes nothing.
    """
    permissions.require_may_record(by, match)
    match = results.locked_match(match)
    given = seat_results(match, points, deducted)
    require_sure(match, points, sure)
    match = results.close_with(match, given, act="result", by=by, source="score")
    followers.table_changed_after(match, by=by)
    return match


def require_sure(match: Match, points: Score, sure: bool) -> None:
    """Refuse a doubtful score of a table that is open, unless somebody is sure of it."""
    found = () if sure or match.state == Match.State.CLOSED else doubts(match, points)
    if found:
        raise found[0]


def seat_results(
    match: Match, points: Score, deducted: Mapping[str, int] | None = None
) -> dict[str, SeatResult]:
    """Return what each seat leaves with; refuses a score that cannot be."""
    rules = rules_of(match)
    sides = sides_at(match)
    _require_whole(match, sides, points)
    fines = deducted or {}
    if rules.elimination:
        return _alone(match, rules, points, fines)
    one, other = sides
    if points[one] == points[other] and not _may_be_level(match, rules, points[one]):
        raise score_errors.MustNotBeLevel(table=match.table, found=points[one])
    given = {
        letter: _of_side(rules, points[mine], points[theirs], fines.get(letter, 0))
        for mine, theirs in ((one, other), (other, one))
        for letter in mine
    }
    return after_deductions(match, given)


def after_deductions(match: Match, given: dict[str, SeatResult]) -> dict[str, SeatResult]:
    """Return the results of a table; where penalty points let both sides lose, by the event's rule.

    Usually nobody wins then: the others have played for less (femundo says nothing of it). Where
    the event lets the rivals win, whoever has more points then wins with these.
    """
    said = match.pairing_round.stage.tournament.policies.get(AFTER_FINE)
    lost = all(one.outcome == Outcome.LOSS for one in given.values())
    if said != RIVALS_WIN or not lost or not any(one.deducted for one in given.values()):
        return given
    net = {side: max(given[one].points_for for one in side) for side in sides_at(match)}
    if len(net) != 2 or len(set(net.values())) == 1:
        return given
    loser, winner = sorted(net, key=lambda side: net[side])
    won = {
        one: replace(given[one], outcome=Outcome.WIN, points_against=net[loser]) for one in winner
    }
    return given | won


def doubts(match: Match, points: Score) -> tuple[DoubtfulScore, ...]:
    """Return what makes a possible score doubtful, the gravest first."""
    rules = rules_of(match)
    found: list[DoubtfulScore] = []
    highest = max(points.values())
    limit = rules.target - 1 + _MOST_OF_A_ROUND + rules.bonus_both_ends
    reached = [one for one in points.values() if one >= rules.target]
    if highest > limit:
        found.append(score_errors.AboveTarget(found=highest, target=rules.target, limit=limit))
    if rules.elimination:
        gone = left_before(match)
        below = sum(points[seat] < rules.target for seat in points if seat not in gone)
        if below > rules.survivors:
            found.append(
                score_errors.MoreAreLeft(
                    limit=rules.target, survivors=rules.survivors, table=match.table, found=below
                )
            )
        elif below < rules.survivors and rules.limit_together == "play_on":
            found.append(
                score_errors.OneMoreRound(
                    limit=rules.target, survivors=rules.survivors, table=match.table, found=below
                )
            )
    elif not reached:
        if len(set(points.values())) == 1:
            found.append(score_errors.LevelScore(table=match.table, found=highest))
        found.append(score_errors.EndedBeforeTarget(target=rules.target, table=match.table))
    elif len(reached) > 1:
        found.append(score_errors.BothReachedTarget(target=rules.target, table=match.table))
    same = same_score(match, points)
    if same:
        found.append(score_errors.SameSheetTwice(tables=same))
    return tuple(found)


def same_score(match: Match, points: Score) -> list[int]:
    """Return the other tables of the round closed with exactly this score, by number."""
    alone = rules_of(match).elimination
    own = "points_against" if alone else "points_for"
    closed = MatchSeat.objects.filter(
        pairing_round=match.pairing_round_id,
        match__state=Match.State.CLOSED,
        # A walkover has the score of every other walkover.
        outcome__in=[Outcome.WIN, Outcome.LOSS, Outcome.TIE],
    ).exclude(match=match.pk)
    tables: dict[int, dict[str, int]] = {}
    for table, letter, value, fine in closed.values_list("match__table", "seat", own, "deducted"):
        tables.setdefault(table, {})[letter] = value + (-fine if alone else fine)
    typed = {letter: points[side] for side in points for letter in side}
    return sorted(table for table, score in tables.items() if score == typed)


def sides_at(match: Match) -> tuple[str, ...]:
    """Return the sides of a table a score is needed for."""
    return sides_of(rules_of(match), match.seats.count())


def score_of(match: Match) -> dict[str, int]:
    """Return the score a closed table has in the standings, by side; {} while it is open.

    Deductions of a single seat are not the side's: the higher of two partners counts.
    """
    if match.state != Match.State.CLOSED:
        return {}
    alone = rules_of(match).elimination
    seats = {
        seat.seat: (seat.points_against if alone else seat.points_for) or 0
        for seat in match.seats.all()
    }
    return {
        side: max(seats[letter] for letter in side if letter in seats) for side in sides_at(match)
    }


def _require_whole(match: Match, sides: Sequence[str], points: Score) -> None:
    if set(points) != set(sides):
        raise score_errors.ScoreIncomplete(
            table=match.table, expected=list(sides), found=sorted(points) or ["–"]
        )
    lowest = min(points.values())
    if lowest < 0:
        raise score_errors.PointsNegative(found=lowest)


def _may_be_level(match: Match, rules: Rules, points: int) -> bool:
    """Say whether nobody may have won: before the target, and nobody has to go on."""
    said = match.pairing_round.stage.tournament.policies.get("level_results")
    allowed = rules.profile not in _NEVER_LEVEL if said is None else bool(said)
    return allowed and points < rules.target and not match.meeting


def _of_side(rules: Rules, mine: int, theirs: int, fine: int) -> SeatResult:
    points = mine - fine if rules.deduct_from == "result" else mine
    won = mine > theirs
    if won and points != mine:
        # The deduction counts for this seat's own result: what is level then is lost.
        won = points > theirs
    level = mine == theirs
    outcome = Outcome.WIN if won else Outcome.TIE if level else Outcome.LOSS
    return SeatResult(points, theirs, outcome, deducted=fine)


def _alone(
    match: Match, rules: Rules, points: Score, fines: Mapping[str, int]
) -> dict[str, SeatResult]:
    """Points are bad here: whoever reached the limit is out, the last ones go on.

    Whoever has left the table in the middle of play is out, whatever they had.
    """
    gone = left_before(match)
    _require_told_by_totals(match, rules, [points[seat] for seat in points if seat not in gone])
    staying = survival.staying(
        {seat: total for seat, total in points.items() if seat not in gone},
        limit=rules.target,
        survivors=rules.survivors,
        one_more=rules.limit_together == "play_on",
    )
    if staying is None:
        level = _level_at_the_end(rules, [points[seat] for seat in points if seat not in gone])
        raise score_errors.MustNotBeLevel(table=match.table, found=level)
    found = {}
    for seat, total in points.items():
        against = total + (fines.get(seat, 0) if rules.deduct_from == "result" else 0)
        outcome = Outcome.WIN if seat in staying else Outcome.LOSS
        if seat in gone:
            against, outcome = max(against, rules.target), Outcome.WALKOVER_LOSS
        found[seat] = SeatResult(0, against, outcome, deducted=fines.get(seat, 0))
    return found


def _require_told_by_totals(match: Match, rules: Rules, totals: list[int]) -> None:
    """Refuse totals that do not say who played one more round and who was out before it."""
    below = sum(total < rules.target for total in totals)
    missing = rules.survivors - below
    played_on = rules.limit_together == "play_on" and missing > 0
    if played_on and len(totals) - below > missing + 1:
        raise score_errors.RoundsNeeded(table=match.table, limit=rules.target)


def left_before(match: Match) -> frozenset[str]:
    """Return the seats of those who left a table of an elimination before its end."""
    seats = match.seats.select_related("entry")
    if match.state == Match.State.CLOSED:
        # Who has left the event since was still there when this table was played.
        return frozenset(one.seat for one in seats if one.outcome == Outcome.WALKOVER_LOSS)
    out = (Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED)
    return frozenset(one.seat for one in seats if one.entry.state in out)


def _level_at_the_end(rules: Rules, totals: list[int]) -> int:
    below = any(total < rules.target for total in totals)
    places = rules.survivors if below or rules.limit_together == "play_on" else 1
    return sorted(totals)[places - 1]


def parse_score(text: str) -> list[int]:
    """Return the whole numbers of a typed score such as "200-137" or "200 137"; raises ValueError.

    A minus stands for a negative number only where no digit is before it.
    """
    spaced = "".join(one if one.isdigit() or one == "-" else " " for one in text.strip())
    numbers: list[str] = []
    for word in spaced.split():
        head, *tail = word.split("-")
        if not head and len(tail) == 1:
            numbers.append(f"-{tail[0]}")
        else:
            numbers += [part for part in (head, *tail) if part]
    return [int(one) for one in numbers]
