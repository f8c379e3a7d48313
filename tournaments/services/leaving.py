"""Takes entries out of an event, and lets them return."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils.crypto import constant_time_compare
from django.utils.translation import gettext

from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import LONG_IN_ROUND, Entry, Match, MatchSeat, PairingRound, Tournament
from tournaments.services import attendance, log, results, waiting_list, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import traced


@transaction.atomic
@traced(watches.only_its_lines)
def withdraw(entry: Entry, *, by: User) -> Entry:
    """Take an entry out; its published tables that nobody has begun become walkovers.

    Before play its place goes to who waits for one. Asked twice, it is withdrawn once; one that
    was disqualified stays so.
    """
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    entry = Entry.objects.get(pk=entry.pk)
    return _withdrawn(tournament, entry, "entry_withdrawn", by=by)


@transaction.atomic
@traced(watches.only_its_lines)
def withdraw_oneself(entry: Entry, *, code: str) -> Entry:
    """Take an entry out for its own players, who know its `code`, as long as play has not started.

    Its place goes to who waits for one. Asked twice, it is withdrawn once.
    """
    if not code or not constant_time_compare(code, entry.check_in_code):
        raise PermissionDenied(gettext("Only who has the code of an entry may withdraw it."))
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.state not in Entry.LEFT and tournament.state == Tournament.State.RUNNING:
        raise entry_errors.TellTheDesk(entry=entry.name, tournament=tournament.name)
    return _withdrawn(tournament, entry, "entry_withdrawn_itself", by=None)


def may_withdraw_itself(entry: Entry) -> bool:
    """Say whether an entry can be withdrawn by its own players now."""
    before_play = entry.tournament.state in (Tournament.State.DRAFT, Tournament.State.OPEN)
    return before_play and entry.state not in Entry.LEFT


def _withdrawn(tournament: Tournament, entry: Entry, act: str, *, by: User | None) -> Entry:
    if entry.state in Entry.LEFT:
        return entry
    written = log.write(
        tournament,
        act,
        by=by,
        entry=entry.number,
        name=entry.name,
        before=entry.state,
    )
    if by is None:
        # By its own players, so before play: there is no table yet.
        _leave(entry)
    else:
        take_out(entry, by=by)
    moved = waiting_list.move_up(tournament, by=by)
    if moved:
        written.details = {**written.details, "moved_up": [one.number for one in moved]}
        written.save(update_fields=["details"])
    return entry


@transaction.atomic
@traced(watches.return_of_entry)
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
        .defer(*LONG_IN_ROUND)
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
    _leave(entry)
    for match in tables:
        results.record_walkover(match, absent=results.withdrawn_at(match), by=by)
    return tables


def _leave(entry: Entry) -> None:
    entry.state = Entry.State.WITHDRAWN
    entry.save(update_fields=["state"])
    attendance.leave_stages(entry)
