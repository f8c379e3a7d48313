"""Puts both sides of a table out of the event, so that nobody goes on from it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments.models import Entry, Match, MatchSeat
from tournaments.rules import rules_of
from tournaments.services import followers, results, standings
from tournaments.services.corrections import to_correct
from tournaments.services.disqualification import disqualify
from tournaments.services.results import SeatResult


@transaction.atomic
def expel_both(match: Match, *, reason: str, by: User) -> Match:
    """Let everybody at a table lose it and be disqualified; a result it had gives way.

    In a bracket nobody comes from the meeting: whoever was to meet its winner goes on without
    play. Asked twice, they are out once. It is undone as each of its acts is.
    """
    match, said = to_correct(match, reason, by=by)
    lost = SeatResult(
        *standings.walkover_points(rules_of(match), present=False), MatchSeat.Outcome.WALKOVER_LOSS
    )
    given = dict.fromkeys(match.seats.values_list("seat", flat=True), lost)
    entries = list(Entry.objects.filter(seats__match=match).distinct().order_by("number"))
    if match.state == Match.State.CLOSED:
        if all(one.outcome == lost.outcome for one in match.seats.all()):
            return match
        match = results.take_back(match)
    numbers = [one.number for one in entries]
    match = results.close_with(match, given, act="walkover", by=by, absent=numbers, reason=said)
    for entry in entries:
        disqualify(entry, reason=said, by=by)
    followers.tables_changed(match.pairing_round.stage.tournament, [match.pk], by=by)
    return match
