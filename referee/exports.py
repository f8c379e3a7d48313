"""What was written at the tables as lists: every line of every round, infractions and rulings."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from engine.errors import DominoError
from engine.events import Infraction, Ruling
from engine.notation import parse_line
from referee.models import RecordedEvent
from tournaments.models import Tournament
from tournaments.services.exports import Cell, Sheet

_PLACE: Final = ("stage", "round", "table", "deal", "line", "notation", "by", "at")


def records_sheet(tournament: Tournament) -> Sheet:
    """Return every line of every round (deal) that was recorded, in order."""
    return Sheet("records", _PLACE, tuple(_lines(tournament)))


def infractions_sheet(tournament: Tournament) -> Sheet:
    """Return the infractions and the rulings on them, as they were recorded."""
    rows: list[tuple[Cell, ...]] = []
    for line in _lines(tournament):
        try:
            event = parse_line(str(line[5]))
        except DominoError:
            continue
        match event:
            case Infraction():
                rows.append((*line, "infraction", str(event.seat.value), event.kind, event.note))
            case Ruling():
                rows.append((*line, "ruling", "", f"line {event.event}", event.note))
            case _:
                continue
    return Sheet("infractions", (*_PLACE, "what", "seat", "kind", "note"), tuple(rows))


LISTS: Final[Mapping[str, Callable[[Tournament], Sheet]]] = {
    "records": records_sheet,
    "infractions": infractions_sheet,
}


def _lines(tournament: Tournament) -> Iterator[tuple[Cell, ...]]:
    events = RecordedEvent.objects.filter(
        round__match__pairing_round__stage__tournament=tournament
    ).order_by(
        "round__match__pairing_round__stage__number", "round__match__pairing_round__number",
        "round__match__table", "round__number", "number",
    )  # fmt: skip
    found = events.values_list(
        "round__match__pairing_round__stage__number", "round__match__pairing_round__number",
        "round__match__table", "round__number", "number", "notation", "recorded_by__username",
        "recorded_at",
    )  # fmt: skip
    for row in found.iterator(chunk_size=2000):
        yield (*row[:6], row[6] or "", row[7].isoformat())
