"""Takes back what was decided at a table: its result, its seats, who goes on from it."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext_noop

from tournaments.errors import scores as score_errors
from tournaments.models import Entry, LogEntry, Match
from tournaments.services import corrections, emptied_seats, results, undoing_rows
from tournaments.services import undoing_guards as guards
from tournaments.services.meetings import take_decision_back
from tournaments.services.stages import require_stage_open
from tournaments.services.undone import Undone

# What is said about the result of a table: only the last of these can be taken back.
_ABOUT_A_TABLE = (
    "result",
    "walkover",
    "table_left",
    "result_corrected",
    "result_put_back",
    "all_lose",
    "match_reopened",
    "match_replayed",
    "meeting_decided",
    "seats_swapped",
)


def open_again(entry: LogEntry, undone: Undone, by: User) -> None:
    match = _table(entry)
    _require_last(entry, match)
    say_open(match, undone)
    results.take_back(match)
    _wait_for_check(entry, match)


def _wait_for_check(entry: LogEntry, match: Match) -> None:
    """Let the reports wait again that the result of a table had settled."""
    match.reported.filter(pk__in=entry.details.get("reports", [])).update(accepted=None)


def result_before(entry: LogEntry, undone: Undone, by: User) -> None:
    """Let the result of before count again, or none where there was none."""
    match = _table(entry)
    _require_last(entry, match)
    old = entry.details.get("old") or {}
    if not old:
        say_open(match, undone)
        results.take_back(match)
        _wait_for_check(entry, match)
        return
    undone.say(
        gettext_noop("The earlier result of table %(table)s in round %(round)s counts again."),
        table=match.table,
        round=match.pairing_round.number,
    )
    corrections.put_back(match, old, by=by)
    closed = parse_datetime(entry.details.get("closed") or "")
    if closed is not None:
        # The time for an appeal runs from the result that counts.
        Match.objects.filter(pk=match.pk).update(closed_at=closed)
    if undoing_rows.has_rows(entry):
        # The tables of a bracket that stood on the earlier result.
        undoing_rows.put_back(entry, undone, silent=True)


def undecided_again(entry: LogEntry, undone: Undone, by: User) -> None:
    match = _table(entry)
    _require_last(entry, match)
    undone.say(
        gettext_noop("It is open again who goes on from table %(table)s in round %(round)s."),
        table=match.table,
        round=match.pairing_round.number,
    )
    take_decision_back(match)


def seats_back(entry: LogEntry, undone: Undone, by: User) -> None:
    match = _table(entry)
    _require_last(entry, match)
    there = _table(entry, "other_match")
    entries = {one.number: one for one in entry.tournament.entries.all()}
    one, other = entries[entry.details["one"]], entries[entry.details["other"]]
    follow: corrections.Follow = "seats" if entry.details.get("follow") == "seats" else "persons"
    # They sit in each other's seats now.
    corrections.exchange(
        corrections.seats_of(match, other), corrections.seats_of(there, one), follow
    )
    undone.say(
        gettext_noop("“%(one)s” and “%(other)s” sit where they sat before."),
        one=one.name,
        other=other.name,
    )


def seated_again(entry: LogEntry, undone: Undone, by: User) -> None:
    """Seat those again at a table of the elimination who were missing from it."""
    match = _table(entry)
    if not undoing_rows.has_rows(entry):
        emptied_seats.back(entry, match, undone.say)
        return
    guards.GUARDS["table_rules"](entry)
    undoing_rows.put_back(entry, undone, silent=True)
    for one in Entry.objects.filter(
        tournament=entry.tournament_id, number__in=entry.details["absent"]
    ).order_by("number"):
        text = gettext_noop("“%(entry)s” sits at table %(table)s again.")
        undone.say(text, entry=one.name, table=match.table)


def say_open(match: Match, undone: Undone) -> None:
    undone.say(
        gettext_noop(
            "Table %(table)s in round %(round)s is open again: its result leaves the standings."
        ),
        table=match.table,
        round=match.pairing_round.number,
    )


def _table(entry: LogEntry, which: str = "match") -> Match:
    found = Match.objects.filter(
        pk=entry.details.get(which), pairing_round__stage__tournament=entry.tournament_id
    ).first()
    if found is None:
        raise score_errors.ChangedSince(table=entry.details.get("table", "–"))
    match = results.locked_match(found)
    require_stage_open(match.pairing_round.stage)
    return match


def _require_last(entry: LogEntry, match: Match) -> None:
    later = LogEntry.objects.filter(
        tournament=entry.tournament_id,
        pk__gt=entry.pk,
        act__in=_ABOUT_A_TABLE,
        details__match=match.pk,
        undone_by__isnull=True,
    )
    if match.state != Match.State.CLOSED or later.exists():
        raise score_errors.ChangedSince(table=match.table)
