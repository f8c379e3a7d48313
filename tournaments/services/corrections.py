"""Corrects what was stored: old results, exchanged seats, matches that are played again."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments import permissions
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Appeal, Entry, Match, MatchSeat, PairingRound
from tournaments.names import tidy
from tournaments.rules import rules_of
from tournaments.services import brackets, followers, log, results, scores, standings, watches
from tournaments.services.lifecycle import locked
from tournaments.services.places import Move, moves, places
from tournaments.services.scores import Score
from tournaments.services.stages import require_stage_open
from tournaments.services.traces import traced

RESULT_FIELDS = ("outcome", "points_for", "points_against", "deducted", "rounds_won")
Follow = Literal["persons", "seats"]


@dataclass(frozen=True, slots=True)
class Correction:
    """What a correction did."""

    match: Match
    moves: tuple[Move, ...]
    """The furthest moved first."""
    later_rounds: tuple[int, ...]
    """Rounds published from the old result; their tables stay as they are."""
    gone: tuple[tuple[int, int], ...] = ()
    """Round and table of what stood on the old winner in a bracket, and is to be drawn anew."""


@transaction.atomic
@traced(watches.later_tables)
def correct_score(
    match: Match,
    *,
    points: Score,
    reason: str,
    deducted: Mapping[str, int] | None = None,
    sure: bool = False,
    appeal: Appeal | None = None,
    by: User,
) -> Correction:
    """Put another score in the place of a stored one, and say whose place that changes.

    Every later standing follows; a published draw never does. A closed stage refuses.
    """
    match, said = to_correct(match, reason, appeal=appeal, by=by)
    if match.state != Match.State.CLOSED:
        raise table_errors.MatchNotClosed(table=match.table)
    given = scores.seat_results(match, points, deducted)
    if not sure:
        found = scores.doubts(match, points)
        if found:
            raise found[0]
    return _replaced(match, given, said, appeal, by)


@transaction.atomic
@traced(watches.later_tables)
def award(
    match: Match, *, absent: Collection[Entry], reason: str, appeal: Appeal, by: User
) -> Correction:
    """Let a table count as won without play, as an appeal is decided: the `absent` lose it.

    A result it had gives way and is kept in the log. Whoever is absent on every side loses too.
    """
    match, said = to_correct(match, reason, appeal=appeal, by=by)
    rules = rules_of(match)
    won, lost = (
        results.SeatResult(*standings.walkover_points(rules, present=present), outcome)
        for present, outcome in (
            (True, MatchSeat.Outcome.WALKOVER_WIN),
            (False, MatchSeat.Outcome.WALKOVER_LOSS),
        )
    )
    gone = {seat.entry_id for one in absent for seat in seats_of(match, one)}
    if not gone:
        raise table_errors.NobodyAbsent(table=match.table)
    given = {seat.seat: lost if seat.entry_id in gone else won for seat in match.seats.all()}
    return _replaced(match, given, said, appeal, by)


@transaction.atomic
@traced(watches.later_tables)
def write_results(
    match: Match, *, given: Mapping[str, results.SeatResult], reason: str, by: User
) -> Correction:
    """Put other results in the place of those of a closed table, seat by seat, as was ruled.

    Written the same again, nothing changes. A closed stage refuses.
    """
    match, said = to_correct(match, reason, by=by)
    if match.state != Match.State.CLOSED:
        raise table_errors.MatchNotClosed(table=match.table)
    return _replaced(match, given, said, None, by)


def _replaced(
    match: Match,
    given: Mapping[str, results.SeatResult],
    reason: str,
    appeal: Appeal | None,
    by: User,
) -> Correction:
    """Write other results at a locked table, and say whose place that changes."""
    stage = match.pairing_round.stage
    before = places(stage)
    stored = {seat.seat: results.result_of(seat) for seat in match.seats.all()}
    if stored == given:
        return Correction(match, (), later_rounds(match))
    old: dict[str, dict[str, object]] = {}
    noted: dict[str, object] = {} if appeal is None else {"appeal": appeal.number}
    gone: tuple[tuple[int, int], ...] = ()
    if match.state == Match.State.CLOSED:
        old = _written(match)
        same = all(stored[seat].outcome == one.outcome for seat, one in given.items())
        gone = () if same else stands_on(match)
        noted["closed"] = _closed(match)
        match = results.take_back(match, same_winner=same)
    match = results.close_with(
        match, given, act="result_corrected", by=by, reason=reason, old=old, **noted
    )
    followers.tables_changed(stage.tournament, [match.pk], by=by)
    return Correction(match, moves(stage, before), later_rounds(match), gone)


def stands_on(match: Match) -> tuple[tuple[int, int], ...]:
    """Return round and table of what stands on a result in a bracket, and goes with it."""
    return tuple((one.pairing_round.number, one.table) for one in brackets.later_tables(match))


def put_back(match: Match, old: Mapping[str, Mapping[str, object]], *, by: User) -> Match:
    """Write the results a locked table had before a correction, as its log entry keeps them."""
    match = results.take_back(match)
    given = {
        letter: results.SeatResult(
            points_for=int(str(one["points_for"])),
            points_against=int(str(one["points_against"])),
            outcome=str(one["outcome"]),
            deducted=int(str(one["deducted"])),
            rounds_won=int(str(one["rounds_won"])),
        )
        for letter, one in old.items()
    }
    return results.close_with(match, given, act="result_put_back", by=by)


@transaction.atomic
def swap_seats(
    match: Match,
    *,
    one: Entry,
    other: Entry,
    other_match: Match | None = None,
    follow: Follow = "persons",
    reason: str,
    by: User,
) -> Correction:
    """Exchange the seats of two entries of a round, at one table or two.

    With `follow="persons"` everybody keeps the result they left with, only the seat is put
    right; with "seats" the result belongs to the seat, so the two exchange their results.
    """
    match, said = to_correct(match, reason, by=by)
    there = match if other_match is None else results.locked_match(other_match)
    if there.pairing_round_id != match.pairing_round_id:
        raise score_errors.NotTheSameRound(one=match.table, other=there.table)
    if there.pk != match.pk:
        _require_exchangeable(match, there)
    if one.pk == other.pk:
        raise score_errors.SamePlace(entry=one.name, table=match.table)
    first, second = seats_of(match, one), seats_of(there, other)
    stage = match.pairing_round.stage
    before = places(stage)
    exchange(first, second, follow)
    log.write(
        stage.tournament,
        "seats_swapped",
        by=by,
        match=match.pk,
        other_match=there.pk,
        stage=stage,
        round=match.pairing_round.number,
        table=match.table,
        other_table=there.table,
        one=one.number,
        other=other.number,
        name=one.name,
        other_name=other.name,
        follow=follow,
        reason=said,
    )
    results.schedule_standings(stage)
    followers.tables_changed(stage.tournament, [match.pk, there.pk], by=by)
    return Correction(match, moves(stage, before), later_rounds(match))


@transaction.atomic
@traced(watches.later_tables)
def lose_all(match: Match, *, reason: str, by: User) -> Correction:
    """Let everybody at a table lose 0 to the target: wrong seats found late (femundo 21)."""
    match, said = to_correct(match, reason, by=by)
    stage = match.pairing_round.stage
    before = places(stage)
    for_, against = standings.walkover_points(rules_of(match), present=False)
    lost = results.SeatResult(for_, against, MatchSeat.Outcome.LOSS)
    given = dict.fromkeys(match.seats.values_list("seat", flat=True), lost)
    old = _written(match) if match.state == Match.State.CLOSED else {}
    closed = _closed(match)
    if old:
        match = results.take_back(match)
    match = results.close_with(
        match, given, act="all_lose", by=by, reason=said, old=old, closed=closed
    )
    followers.tables_changed(stage.tournament, [match.pk], by=by)
    return Correction(match, moves(stage, before), later_rounds(match))


@transaction.atomic
@traced(watches.table)
def restart(
    match: Match,
    *,
    reason: str,
    attempt: Mapping[str, object],
    appeal: Appeal | None = None,
    by: User,
) -> Match:
    """Let a match be played again from the start; the first attempt is kept in the log.

    `attempt` is its record, for the log. The table waits as if nothing had been played: no
    result, no score, no report, no substitute.
    """
    match, said = to_correct(match, reason, appeal=appeal, by=by)
    old = _written(match) if match.state == Match.State.CLOSED else {}
    score = dict(match.score)
    noted = {} if appeal is None else {"appeal": appeal.number}
    if old:
        match = results.take_back(match)
    match.reported.filter(accepted__isnull=True).update(accepted=False)
    match.seats.update(substitute="")
    match.state = Match.State.WAITING
    match.score = {}
    match.opened_at = None
    match.extra_seconds = 0
    match.save(update_fields=["state", "score", "opened_at", "extra_seconds", "changed_at"])
    results.settle_round(match.pairing_round)
    results.write_log(
        match,
        "match_replayed",
        by=by,
        reason=said,
        old=old,
        score=score,
        attempt=dict(attempt),
        **noted,
    )
    results.schedule_standings(match.pairing_round.stage)
    return match


def to_correct(
    match: Match, reason: str, *, appeal: Appeal | None = None, by: User
) -> tuple[Match, str]:
    """Return the match, locked, and the reason; refuses a closed stage.

    A director corrects; with an `appeal` about this match, whoever decides that appeal.
    """
    tournament = match.pairing_round.stage.tournament
    if appeal is None:
        permissions.require_director(by, tournament)
    else:
        assert appeal.match_id == match.pk
        permissions.require_may_decide(by, appeal)
    locked(tournament)
    match = results.locked_match(match)
    require_stage_open(match.pairing_round.stage)
    said = tidy(reason)
    if not said:
        raise score_errors.ReasonMissing
    return match, said


def _closed(match: Match) -> str:
    """Return when a table was closed, as the log keeps it."""
    return match.closed_at.isoformat() if match.closed_at else ""


def _written(match: Match) -> dict[str, dict[str, object]]:
    return {
        seat.seat: {name: getattr(seat, name) for name in RESULT_FIELDS}
        for seat in match.seats.all()
    }


def later_rounds(match: Match) -> tuple[int, ...]:
    """Return the rounds that are published after the one of a match, and so stay as they are."""
    pairing_round = match.pairing_round
    later = PairingRound.objects.filter(
        stage=pairing_round.stage_id, number__gt=pairing_round.number
    ).exclude(state=PairingRound.State.DRAFT)
    return tuple(later.order_by("number").values_list("number", flat=True))


def _require_exchangeable(match: Match, there: Match) -> None:
    if match.meeting or there.meeting:
        raise score_errors.BracketIsFixed(one=match.table, other=there.table)
    if (match.state == Match.State.CLOSED) != (there.state == Match.State.CLOSED):
        first_open = there if match.state == Match.State.CLOSED else match
        raise score_errors.OneTableIsOpen(table=first_open.table)


def seats_of(match: Match, entry: Entry) -> list[MatchSeat]:
    """Return the seats of an entry at a table; refuses one that does not sit there."""
    seats = list(match.seats.filter(entry=entry).order_by("seat"))
    if not seats:
        names = Entry.objects.filter(seats__match=match).distinct().values_list("name", flat=True)
        raise table_errors.NotAtTable(entry=entry.name, table=match.table, entries=list(names))
    return seats


def exchange(first: Sequence[MatchSeat], second: Sequence[MatchSeat], follow: Follow) -> None:
    """Exchange two entries seat by seat.

    The rows are written anew: a player sits once in a round, so neither can move first.
    """
    both = [*first, *second]
    MatchSeat.objects.filter(pk__in=[seat.pk for seat in both]).delete()
    for mine, theirs in zip(first, second, strict=True):
        names = ["entry_id", "player_id", "substitute"]
        if follow == "persons":
            names += RESULT_FIELDS
        for name in names:
            held = getattr(mine, name)
            setattr(mine, name, getattr(theirs, name))
            setattr(theirs, name, held)
    MatchSeat.objects.bulk_create(both)
    # Who reads along and the standings learn from this that a table has changed.
    at_tables = {seat.match_id for seat in both}
    Match.objects.filter(pk__in=at_tables).update(changed_at=timezone.now())
