"""Lets the desk say who goes on from a meeting that both sides have lost."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.errors import meetings as meeting_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Entry, Match
from tournaments.services import brackets, results
from tournaments.services.corrections import to_correct


@transaction.atomic
def decide_meeting(match: Match, *, winner: Entry | None, reason: str, by: User) -> Match:
    """Say who goes on from a table of a bracket that both sides lost; None lets nobody go on.

    The result stays as it is: both have lost it. Said twice the same, it is said once.
    """
    match, said = to_correct(match, reason, by=by)
    stage = match.pairing_round.stage
    seated = {one.pk: one for one in entries_at(match)}
    if winner is not None and winner.pk not in seated:
        names = [one.name for one in seated.values()]
        raise table_errors.NotAtTable(entry=winner.name, table=match.table, entries=names)
    number = 0 if winner is None else winner.number
    before = decision(match)
    if before is not None:
        if before == number:
            return match
        found = next((one.name for one in seated.values() if one.number == before), "–")
        raise meeting_errors.DecidedAlready(table=match.table, found=found)
    if not brackets.is_undecided(match):
        raise meeting_errors.NothingToDecide(table=match.table)
    brackets.keep_decision(match, number)
    results.write_log(
        match,
        "meeting_decided",
        by=by,
        meeting=match.meeting,
        reason=said,
        **({} if winner is None else {"entry": winner.number, "name": winner.name}),
    )
    results.schedule_standings(stage)
    return match


def take_decision_back(match: Match) -> None:
    """Leave open again who goes on from a locked table; the caller has asked who may, and logs it.

    Raises BracketWentOn when play has begun at a table that stands on the decision.
    """
    if decision(match) is None:
        raise meeting_errors.NothingToDecide(table=match.table)
    brackets.make_way(match)


def decision(match: Match) -> int | None:
    """Return the number of the entry the desk lets go on, 0 for nobody; None while undecided."""
    decided = brackets.decisions_of(match.pairing_round.stage)
    return decided.get(brackets.decision_key(match.meeting, match.game)) if match.meeting else None


def entries_at(match: Match) -> list[Entry]:
    """Return the entries of a table by number."""
    return list(Entry.objects.filter(seats__match=match).distinct().order_by("number"))
