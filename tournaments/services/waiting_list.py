"""Places of an event, and who is next when one becomes free."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.errors import entries as entry_errors
from tournaments.models import Entry, Tournament
from tournaments.services import log, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import traced

_BEFORE_PLAY = (Tournament.State.DRAFT, Tournament.State.OPEN)


def free_places(tournament: Tournament) -> int | None:
    """Return how many more entries have a place, None when there is no limit."""
    if tournament.most_entries is None:
        return None
    taken = tournament.entries.filter(state=Entry.State.REGISTERED).count()
    return max(0, tournament.most_entries - taken)


def place_in_line(entry: Entry) -> int:
    """Return which place on the waiting list an entry has, 1 for the next to move up."""
    ahead = Entry.objects.filter(
        tournament=entry.tournament_id, state=Entry.State.WAITING, number__lt=entry.number
    )
    return ahead.count() + 1


def move_up(tournament: Tournament, *, by: User | None) -> list[Entry]:
    """Give free places to those who wait, in order; part of the change that freed them.

    Once play has started nobody moves up by itself: a late entry is the director's decision.
    """
    if tournament.state not in _BEFORE_PLAY:
        return []
    free = free_places(tournament)
    waiting = tournament.entries.filter(state=Entry.State.WAITING).order_by("number")
    moved = list(waiting if free is None else waiting[:free])
    for entry in moved:
        _admit(entry, by=by)
    return moved


@transaction.atomic
@traced(watches.itself("state"))
def admit(entry: Entry, *, by: User) -> Entry:
    """Give somebody on the waiting list a place, also above the limit; asked twice, given once."""
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    entry = Entry.objects.get(pk=entry.pk)
    if entry.state == Entry.State.REGISTERED:
        return entry
    if entry.state != Entry.State.WAITING:
        raise entry_errors.NotOnWaitingList(entry=entry.name, state=entry.get_state_display())
    return _admit(entry, by=by)


def _admit(entry: Entry, *, by: User | None) -> Entry:
    entry.state = Entry.State.REGISTERED
    entry.save(update_fields=["state"])
    log.write(entry.tournament, "entry_moved_up", by=by, entry=entry.number, name=entry.name)
    return entry
