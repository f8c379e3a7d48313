"""Names the rooms of a venue by their ranges of tables."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction
from django.utils.translation import gettext_noop

from engine.errors import DominoError
from tournaments import permissions
from tournaments.errors import tables as table_errors
from tournaments.models import Room, Tournament
from tournaments.names import tidy
from tournaments.services import log, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import traced


class BadRoom(DominoError):
    code = "bad_room"
    text = gettext_noop(
        "A room has tables from its first to its last; %(first)s to %(last)s was given. Exchange "
        "the two numbers."
    )


class RoomsOverlap(DominoError):
    code = "rooms_overlap"
    text = gettext_noop(
        "Table %(table)s stands in %(room)s already. Choose a range that no other room has."
    )


@transaction.atomic
@traced(watches.rooms)
def save_room(
    tournament: Tournament, *, name: str, first_table: int, last_table: int, by: User
) -> Room:
    """Name the room in which the tables of a range stand; a known name gets the new range."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    require_not_finished(tournament)
    for table in (first_table, last_table):
        if not 1 <= table <= table_errors.LARGEST_TABLE:
            raise table_errors.BadTableNumber(table=table)
    if last_table < first_table:
        raise BadRoom(first=first_table, last=last_table)
    called = tidy(name)
    others = tournament.rooms.exclude(name=called)
    clash = others.filter(first_table__lte=last_table, last_table__gte=first_table).first()
    if clash is not None:
        raise RoomsOverlap(table=max(first_table, clash.first_table), room=clash.name)
    before = tournament.rooms.filter(name=called).first()
    if before is not None and (before.first_table, before.last_table) == (first_table, last_table):
        return before
    room, _ = Room.objects.update_or_create(
        tournament=tournament,
        name=called,
        defaults={"first_table": first_table, "last_table": last_table},
    )
    log.write(tournament, "rooms_named", by=by, room=called, first=first_table, last=last_table)
    return room


@transaction.atomic
@traced(watches.itself())
def remove_room(room: Room, *, by: User) -> None:
    """Take a room away; its tables have none then. Asked twice, it is gone once."""
    tournament = room.tournament
    permissions.require_director(by, tournament)
    require_not_finished(locked(tournament))
    deleted, _ = Room.objects.filter(pk=room.pk).delete()
    if deleted:
        log.write(tournament, "rooms_removed", by=by, room=room.name)
