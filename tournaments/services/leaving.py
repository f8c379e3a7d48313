"""Takes entries out of an event, and lets them return."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.models import Entry, Match, MatchSeat, PairingRound, Tournament
from tournaments.services import attendance, log, results, waiting_list
from tournaments.services.lifecycle import locked, require_not_finished


@transaction.atomic
def withdraw(entry: Entry, *, by: User) -> Entry:
    """Take an entry out; its published tables that nobody has begun become walkovers.

    Before play its place goes to who waits for one. Asked twice, it is withdrawn once; one that
    was disqualified stays so.
    """
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.state in Entry.LEFT:
        return entry
    written = log.write(tournament, "entry_withdrawn", by=by, entry=entry.number, name=entry.name)
    take_out(entry, by=by)
    moved = waiting_list.move_up(tournament, by=by)
    if moved:
        written.details = {**written.details, "moved_up": [one.number for one in moved]}
        written.save(update_fields=["details"])
    return entry


@transaction.atomic
def reinstate(entry: Entry, *, by: User) -> Entry:
    """Let an entry return; the walkovers it has stay, and rounds drawn without it are absences.

    Where all places were given away before play, it returns to the waiting list.
    """
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.state not in Entry.LEFT:
        return entry
    is_full = waiting_list.free_places(tournament) == 0
    waits = is_full and tournament.state != Tournament.State.RUNNING
    entry.state = Entry.State.WAITING if waits else Entry.State.REGISTERED
    entry.save(update_fields=["state"])
    missed = attendance.rejoin_stages(entry)
    log.write(
        tournament,
        "entry_reinstated",
        by=by,
        entry=entry.number,
        name=entry.name,
        missed=missed,
    )
    return entry


def take_out(entry: Entry, *, by: User) -> list[Match]:
    """Withdraw an entry as part of a change; returns the tables it lost by not being there."""
    tables = list(
        Match.objects.filter(pk__in=MatchSeat.objects.filter(entry=entry).values("match"))
        .exclude(state=Match.State.CLOSED)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .select_related("pairing_round__stage__tournament")
        .order_by("pk")
    )
    for match in tables:
        if match.state == Match.State.PLAYING:
            raise errors.EntryIsPlaying(
                entry=entry.name,
                table=match.table,
                round=match.pairing_round.number,
                stage=match.pairing_round.stage.title,
            )
    entry.state = Entry.State.WITHDRAWN
    entry.save(update_fields=["state"])
    attendance.leave_stages(entry)
    for match in tables:
        results.record_walkover(match, absent=results.withdrawn_at(match), by=by)
    return tables
