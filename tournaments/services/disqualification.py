"""Puts an entry out of the event, also when the round is published or being played."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions, score_errors
from tournaments.models import Entry, Match, MatchSeat, PairingRound
from tournaments.names import tidy
from tournaments.rules import rules_of
from tournaments.services import attendance, log, results, standings
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.results import SeatResult

# What those left at a table get when play had begun there: the whole target (femundo 28), or
# what they would get against somebody absent.
LEFT_GET_TARGET = "target"
LEFT_GET_WALKOVER = "walkover"


@transaction.atomic
def disqualify(entry: Entry, *, reason: str, by: User) -> Entry:
    """Put an entry out: its open tables are lost, those left there win, whoever sat with it too.

    A table that waits becomes a walkover; at one being played the others get what the event's
    policy `left_at_table` says. Results stored before stay. Asked twice, it is out once.
    """
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    said = tidy(reason)
    if not said:
        raise score_errors.ReasonMissing
    entry = Entry.objects.get(pk=entry.pk)
    if entry.state == Entry.State.DISQUALIFIED:
        return entry
    before = entry.state
    entry.state = Entry.State.DISQUALIFIED
    entry.save(update_fields=["state"])
    written = log.write(
        tournament,
        "entry_disqualified",
        by=by,
        entry=entry.number,
        name=entry.name,
        reason=said,
        before=before,
    )
    attendance.leave_stages(entry)
    tables = open_tables(entry)
    for match in tables:
        _lose(match, entry, by=by)
    written.details = {**written.details, "matches": [match.pk for match in tables]}
    written.save(update_fields=["details"])
    return entry


def open_tables(entry: Entry) -> list[Match]:
    """Return the published tables of an entry that have no result yet."""
    found = (
        Match.objects.filter(pk__in=MatchSeat.objects.filter(entry=entry).values("match"))
        .exclude(state=Match.State.CLOSED)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage__tournament")
    )
    return list(found.order_by("pk"))


def left_at_table(match: Match) -> str:
    """Return what those left at a table that had begun get: the target, or a walkover."""
    said = match.pairing_round.stage.tournament.policies.get("left_at_table")
    if said in (LEFT_GET_TARGET, LEFT_GET_WALKOVER):
        return str(said)
    return LEFT_GET_TARGET if rules_of(match).profile == "femundo" else LEFT_GET_WALKOVER


def _lose(match: Match, entry: Entry, *, by: User) -> None:
    match = results.locked_match(match)
    rules = rules_of(match)
    lost = SeatResult(
        *standings.walkover_points(rules, present=False), MatchSeat.Outcome.WALKOVER_LOSS
    )
    points = standings.walkover_points(rules, present=True)
    begun = match.state == Match.State.PLAYING
    if begun and not rules.elimination and left_at_table(match) == LEFT_GET_TARGET:
        points = (rules.target, 0)
    won = SeatResult(*points, MatchSeat.Outcome.WALKOVER_WIN)
    gone = {one.pk for one in results.withdrawn_at(match)} | {entry.pk}
    given = {seat.seat: lost if seat.entry_id in gone else won for seat in match.seats.all()}
    results.close_with(
        match, given, act="walkover", by=by, absent=[entry.number], disqualified=entry.number
    )
