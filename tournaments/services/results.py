"""Records what each seat took from a match, and follows up: round, byes, standings."""

from __future__ import annotations

import logging
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import partial

from celery import current_app
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from kombu.exceptions import OperationalError

from engine.profiles import Rules
from tournaments import permissions
from tournaments.errors import tables as table_errors
from tournaments.models import (
    LONG_IN_ROUND,
    Absence,
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.rules import rules_of
from tournaments.services import brackets, followers, log, ratings, standings, watches
from tournaments.services.lifecycle import require_not_finished
from tournaments.services.traces import traced

# Named, not imported: tasks are a door to the services and stand above them.
REBUILD_STANDINGS = "tournaments.tasks.rebuild_standings"

_logger = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat leaves with.

    `points_for` and `points_against` are what counts in the standings, deductions already taken
    off; `deducted` are the penalty points among them. `outcome` is a MatchSeat.Outcome.
    """

    points_for: int
    points_against: int
    outcome: str
    deducted: int = 0
    rounds_won: int = 0

    def __post_init__(self) -> None:
        MatchSeat.Outcome(self.outcome)


@transaction.atomic
def start_match(match: Match, *, by: permissions.Keeper) -> Match:
    """Play begins at a table (and in its pairing round). Asked twice, it began the first time."""
    permissions.require_may_record(by, match)
    match = locked_match(match)
    if match.state == Match.State.PLAYING:
        return match
    if match.state == Match.State.CLOSED:
        raise table_errors.MatchAlreadyClosed(table=match.table)
    match.state = Match.State.PLAYING
    match.opened_at = timezone.now()
    match.save(update_fields=["state", "opened_at", "changed_at"])
    settle_round(match.pairing_round)
    return match


@transaction.atomic
def record_result(
    match: Match, *, seats: Mapping[str, SeatResult], by: permissions.Keeper
) -> Match:
    """Write one result per seat ("A" to "D") and close the match; the same again does nothing.

    A closed match with another result is refused: the director reopens it first.
    """
    permissions.require_may_record(by, match)
    match = locked_match(match)
    _require_gone_are_out(match, seats)
    return close_with(match, seats, act="result", by=by)


@transaction.atomic
def record_walkover(match: Match, *, absent: Collection[Entry], by: User) -> Match:
    """Close a match nobody could play: the absent lose it, those present win it.

    Where the last of a table go on and more than those are present, the absent lose their seats
    and the others play for it: the match comes back as it was, not closed.
    """
    tournament = match.pairing_round.stage.tournament
    permissions.require_referee(by, tournament)
    match = locked_match(match)
    if match.state == Match.State.PLAYING:
        raise table_errors.PlayHasBegun(table=match.table)
    seats = list(match.seats.select_related("entry"))
    at_table = {seat.entry_id: seat.entry for seat in seats}
    away = _without_seat(match, absent)
    missing = {entry.pk for entry in absent} - away
    if away and not missing:
        return match
    for entry in absent:
        if entry.pk not in at_table and entry.pk not in away:
            names = [one.name for one in at_table.values()]
            raise table_errors.NotAtTable(entry=entry.name, table=match.table, entries=names)
    if not missing:
        raise table_errors.NobodyAbsent(table=match.table)
    rules = rules_of(match)
    followers.table_changed_after(match, by=by)
    if plays_on_without(match, rules, missing):
        return empty_seats(match, missing, by=by)
    won = SeatResult(
        *standings.walkover_points(rules, present=True), MatchSeat.Outcome.WALKOVER_WIN
    )
    lost = _lost_by_absence(match, rules, missing)
    given = {seat.seat: lost.get(seat.entry_id, won) for seat in seats}
    absent_numbers = sorted(entry.number for entry in at_table.values() if entry.pk in missing)
    card = card_for_absence(rules)
    noted = {"card": card} if card else {}
    return close_with(match, given, act="walkover", by=by, absent=absent_numbers, **noted)


@transaction.atomic
@traced(watches.table)
def reopen_match(match: Match, *, by: User) -> Match:
    """Take the result back for a correction; a director's act."""
    permissions.require_director(by, match.pairing_round.stage.tournament)
    match = take_back(locked_match(match))
    write_log(match, "match_reopened", by=by)
    followers.tables_changed(match.pairing_round.stage.tournament, [match.pk], by=by)
    return match


def _require_gone_are_out(match: Match, seats: Mapping[str, SeatResult]) -> None:
    """Refuse that somebody who has left the event goes on from a table in place of another."""
    if match.state == Match.State.CLOSED or not rules_of(match).elimination:
        return
    gone = {one.pk: one for one in withdrawn_at(match)}
    for seat in match.seats.filter(entry__in=gone):
        if seat.seat in seats and seats[seat.seat].outcome == MatchSeat.Outcome.WIN:
            raise table_errors.GoneGoesOn(entry=gone[seat.entry_id].name, table=match.table)


def _without_seat(match: Match, absent: Collection[Entry]) -> set[int]:
    """Return the entries, by key, that lost their seat at this table because they were absent."""
    if not rules_of(match).elimination:
        return set()
    lines = LogEntry.objects.filter(
        tournament=match.pairing_round.stage.tournament_id,
        act="seats_emptied",
        details__match=match.pk,
        undone_by__isnull=True,
    )
    numbers = {number for line in lines for number in line.details["absent"]}
    return {one.pk for one in absent if one.number in numbers}


def _lost_by_absence(match: Match, rules: Rules, missing: Collection[int]) -> dict[int, SeatResult]:
    """Return what the missing leave with: nothing to the target, or what the event says.

    An absence noted for the round scores by its kind, which the event may set.
    """
    tournament = match.pairing_round.stage.tournament
    noted = Absence.objects.filter(pairing_round=match.pairing_round_id, entry__in=missing)
    kinds = dict(noted.values_list("entry", "kind"))
    usual = standings.walkover_points(rules, present=False)
    return {
        entry: SeatResult(
            *(
                standings.absence_points(tournament, rules, kinds[entry])
                if entry in kinds
                else usual
            ),
            MatchSeat.Outcome.WALKOVER_LOSS,
        )
        for entry in missing
    }


def plays_on_without(match: Match, rules: Rules, missing: Collection[int]) -> bool:
    """Say whether a table of an elimination still has to be played without these entries."""
    left = match.seats.exclude(entry__in=missing).count()
    return rules.elimination and left > rules.survivors


@traced(watches.seats, lock=False)
def empty_seats(match: Match, missing: Collection[int], *, by: User) -> Match:
    """Take entries by key, who are absent, off a locked table that waits; the others move up.

    Their absence is kept with the round, where it counts as a loss to the limit.
    """
    letters = sorted(match.seats.values_list("seat", flat=True))
    gone = list(match.seats.filter(entry__in=missing).select_related("entry").order_by("seat"))
    seats = {one.seat: [one.entry.number, one.player_id] for one in gone}
    for one in gone:
        Absence.objects.get_or_create(pairing_round=match.pairing_round, entry=one.entry)
        one.delete()
    # Seats are named from A without a gap; each moves to one that has just become free.
    for letter, one in zip(letters, match.seats.order_by("seat"), strict=False):
        if one.seat != letter:
            one.seat = letter
            one.save(update_fields=["seat"])
    match.reported.filter(accepted__isnull=True).update(accepted=False)
    match.save(update_fields=["changed_at"])
    absent = sorted(one.entry.number for one in gone)
    card = card_for_absence(rules_of(match))
    noted = {"card": card} if card else {}
    write_log(match, "seats_emptied", by=by, absent=absent, seats=seats, **noted)
    schedule_standings(match.pairing_round.stage)
    return match


def take_back(match: Match, *, same_winner: bool = False) -> Match:
    """Open a locked match again without its result; the caller has asked who may, and logs it.

    The result of a closed stage stays. In a bracket the tables that stand on this result go,
    unless the `same_winner` will be written at once; once play has begun there, it is refused.
    """
    stage = match.pairing_round.stage
    if match.state != Match.State.CLOSED:
        raise table_errors.MatchNotClosed(table=match.table)
    if stage.state == Stage.State.CLOSED:
        raise table_errors.StageIsClosed(stage=stage.title)
    if not same_winner:
        brackets.make_way(match)
    match.seats.update(outcome="", points_for=None, points_against=None, deducted=0, rounds_won=0)
    match.state = Match.State.PLAYING if match.opened_at else Match.State.WAITING
    match.closed_at = None
    match.save(update_fields=["state", "closed_at", "changed_at"])
    settle_round(match.pairing_round)
    schedule_standings(stage)
    return match


def withdrawn_at(match: Match) -> tuple[Entry, ...]:
    """Return the entries of a table that have left the tournament."""
    left = Entry.objects.filter(
        seats__match=match, state__in=[Entry.State.WITHDRAWN, Entry.State.DISQUALIFIED]
    )
    return tuple(left.distinct())


def card_for_absence(rules: Rules) -> str:
    """Return the colour of the card that whoever does not appear gets; "" where there is none."""
    measures = rules.schedule.step("late", 1, False) or ()
    return next((str(one.value) for one in measures if one.name == "card"), "")


def schedule_standings(stage: Stage) -> None:
    """Have the standings rebuilt once the change is stored."""
    transaction.on_commit(partial(_send, stage.pk))


def locked_match(match: Match) -> Match:
    """Return the match as it is now, locked; refuses one that cannot be played."""
    Match.objects.select_for_update().get(pk=match.pk)
    with_event = Match.objects.select_related("pairing_round__stage__tournament")
    match = with_event.defer(*LONG_IN_ROUND).get(pk=match.pk)
    pairing_round = match.pairing_round
    require_not_finished(pairing_round.stage.tournament)
    if pairing_round.state == PairingRound.State.DRAFT:
        raise table_errors.RoundNotPublished(
            round=pairing_round.number, stage=pairing_round.stage.title, table=match.table
        )
    return match


def close_with(
    match: Match,
    seats: Mapping[str, SeatResult],
    *,
    act: str,
    by: permissions.Keeper,
    **details: object,
) -> Match:
    """Write the results of a locked match and close it; the caller has asked who may.

    `act` and `details` are what the log says of it.
    """
    stored = {seat.seat: seat for seat in match.seats.all()}
    if stored.keys() != seats.keys():
        raise table_errors.WrongSeats(
            table=match.table, expected=sorted(stored), found=sorted(seats) or ["–"]
        )
    if match.state == Match.State.CLOSED:
        if all(result_of(stored[seat]) == result for seat, result in seats.items()):
            return match
        raise table_errors.MatchAlreadyClosed(table=match.table)
    for letter, result in seats.items():
        seat = stored[letter]
        seat.points_for = result.points_for
        seat.points_against = result.points_against
        seat.outcome = result.outcome
        seat.deducted = result.deducted
        seat.rounds_won = result.rounds_won
    MatchSeat.objects.bulk_update(
        stored.values(), ["points_for", "points_against", "outcome", "deducted", "rounds_won"]
    )
    match.state = Match.State.CLOSED
    match.closed_at = timezone.now()
    match.save(update_fields=["state", "closed_at", "changed_at"])
    # Whatever still waits for its second check comes too late.
    settled = list(match.reported.filter(accepted__isnull=True).values_list("pk", flat=True))
    if settled:
        match.reported.filter(pk__in=settled).update(accepted=False)
        details["reports"] = settled
    settle_round(match.pairing_round)
    points = {letter: [one.points_for, one.points_against] for letter, one in seats.items()}
    write_log(match, act, by=by, points=points, score=_score(seats), **details)
    schedule_standings(match.pairing_round.stage)
    return match


def _score(seats: Mapping[str, SeatResult]) -> str:
    """Return a result in short for the log: 200–137, or the points of each who plays alone."""
    first = seats[min(seats)]
    if any(one.points_for for one in seats.values()):
        return f"{first.points_for}–{first.points_against}"
    return "–".join(str(seats[letter].points_against) for letter in sorted(seats))


def result_of(seat: MatchSeat) -> SeatResult:
    """Return what a seat of a closed match left with."""
    return SeatResult(
        seat.points_for or 0, seat.points_against or 0, seat.outcome, seat.deducted, seat.rounds_won
    )


def settle_round(pairing_round: PairingRound) -> None:
    """Set a published round to what its tables say.

    Its row is locked after the match's: two tables closing at one moment would otherwise each
    see the other one open, and the round would never finish.
    """
    locking = PairingRound.objects.select_for_update().defer("draw", "standings")
    pairing_round = locking.get(pk=pairing_round.pk)
    # At most three come, whatever the number of tables.
    states = set(pairing_round.matches.order_by().values_list("state", flat=True).distinct())
    if states == {Match.State.CLOSED}:
        state = PairingRound.State.FINISHED
    elif states == {Match.State.WAITING}:
        state = PairingRound.State.PUBLISHED
    else:
        state = PairingRound.State.PLAYING
    if pairing_round.state != state:
        reopened = pairing_round.state == PairingRound.State.FINISHED
        pairing_round.state = state
        pairing_round.save(update_fields=["state"])
        # Ratings follow the standings kept with a round; those it had before hide that it is new.
        over_again = state == PairingRound.State.FINISHED and _has_kept(pairing_round)
        if reopened or over_again:
            ratings.schedule_ratings(pairing_round.stage.tournament_id)


def _has_kept(pairing_round: PairingRound) -> bool:
    return PairingRound.objects.filter(pk=pairing_round.pk).exclude(standings=[]).exists()


def write_log(
    match: Match, act: str, *, by: permissions.Keeper | None, **details: object
) -> LogEntry:
    """Add a line about a table to the log."""
    pairing_round = match.pairing_round
    tournament: Tournament = pairing_round.stage.tournament
    return log.write(
        tournament,
        act,
        by=by,
        match=match.pk,
        stage=pairing_round.stage,
        round=pairing_round.number,
        table=match.table,
        **details,
    )


def _send(stage_id: int) -> None:
    """Hand the standings to a worker; without a broker this process rebuilds them itself."""
    try:
        current_app.signature(REBUILD_STANDINGS, args=[stage_id]).delay()
    except OperationalError:
        _logger.exception("No broker: the standings of stage %s are rebuilt here.", stage_id)
        standings.rebuild_standings(Stage.objects.get(pk=stage_id))
