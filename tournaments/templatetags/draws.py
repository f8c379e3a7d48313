"""What lists of rounds and tables show of draws: the next one, and the room of a table."""

from __future__ import annotations

from django import template

from tournaments.models import Room, Tournament
from tournaments.queries.desk_draw import next_draw, room_of
from tournaments.queries.events import StageLine

register = template.Library()


@register.simple_tag
def rooms_of(tournament: Tournament) -> list[Room]:
    """Return the rooms of an event, for `room_among`."""
    return list(tournament.rooms.all())


@register.filter
def room_among(table: int, rooms: list[Room]) -> str:
    """Return the name of the room a table stands in, "" where none is named."""
    return room_of(rooms, table)


@register.filter
def round_to_draw(line: StageLine) -> int:
    """Return the number of the round that can be drawn next, 0 where none can."""
    return next_draw(line)
