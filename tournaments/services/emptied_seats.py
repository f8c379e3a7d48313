"""Gives seats back that were emptied because somebody was absent."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from django.utils.translation import gettext_noop

from tournaments.errors import scores as score_errors
from tournaments.models import Absence, Entry, LogEntry, Match, MatchSeat
from tournaments.services import results

Say = Callable[..., None]


def back(line: LogEntry, match: Match, say: Say) -> None:
    """Seat those again, after the others, whom a line of the log took off a locked table.

    Whoever has left the event meanwhile does not sit there again. Raises ChangedSince once play
    has begun without them.
    """
    if match.state != Match.State.WAITING:
        raise score_errors.ChangedSince(table=match.table)
    for number, player in line.details["seats"].values():
        entry = line.tournament.entries.get(number=number)
        if entry.state != Entry.State.REGISTERED or match.seats.filter(entry=entry).exists():
            continue
        MatchSeat.objects.create(
            match=match,
            pairing_round=match.pairing_round,
            seat="ABCD"[match.seats.count()],
            entry=entry,
            player_id=player,
        )
        Absence.objects.filter(pairing_round=match.pairing_round, entry=entry).delete()
        text = gettext_noop("“%(entry)s” sits at table %(table)s again.")
        say(text, entry=entry.name, table=match.table)
    match.save(update_fields=["changed_at"])


def all_back(since: LogEntry, returning: Iterable[Entry], say: Say) -> None:
    """Seat entries that return to the event at their tables that have not begun without them."""
    numbers = {one.number for one in returning}
    emptied = LogEntry.objects.filter(
        tournament=since.tournament_id,
        act="seats_emptied",
        pk__gte=since.pk,
        undone_by__isnull=True,
    )
    for line in emptied.order_by("pk"):
        found = Match.objects.filter(pk=line.details["match"], state=Match.State.WAITING).first()
        if found is not None and numbers & set(line.details["absent"]):
            back(line, results.locked_match(found), say)
