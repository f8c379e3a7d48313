"""Values written back as JSON: events, rounds, a whole record."""

from __future__ import annotations

from engine.events import (
    PENDING,
    Count,
    Draw,
    Event,
    Infraction,
    Leaves,
    Pass,
    Pending,
    Play,
    Ruling,
    Sheet,
    Show,
    TimeOver,
)
from engine.penalties import Measure
from engine.record import FORMAT, VERSION, Record, Round

Json = dict[str, object]


def record_json(record: Record) -> Json:
    """Return the document of spec/record.md; `read_record` gives `record` back."""
    written: Json = {
        "format": FORMAT,
        "version": VERSION,
        "rules": record.rules.json(),
        "players": record.players,
        "partnership": record.partnership,
    }
    if record.names:
        written["names"] = {seat.value: name for seat, name in record.names.items()}
    written["rounds"] = [round_json(one) for one in record.rounds]
    return written


def round_json(one: Round) -> Json:
    written: Json = {}
    if one.hands is not None:
        written["hands"] = {
            seat.value: [str(tile) for tile in tiles] for seat, tiles in one.hands.items()
        }
    if one.stock is not None:
        written["stock"] = [str(tile) for tile in one.stock]
    if one.opener is not None:
        written["opener"] = one.opener.value
    written["events"] = [event_json(event) for event in one.events]
    return written


def event_json(event: Event) -> Json:  # noqa: C901 (one case an event)
    """Return one event of the record; `read_event` gives `event` back."""
    match event:
        case Play():
            written: Json = {"seat": event.seat.value, "play": str(event.tile)}
            if event.end is not None:
                written["end"] = event.end.value
            return written
        case Draw():
            tile = None if event.tile is None else str(event.tile)
            return {"seat": event.seat.value, "draw": tile}
        case Pass():
            return {"seat": event.seat.value, "pass": True}
        case Infraction():
            return _infraction_json(event)
        case Ruling():
            return _with_ruling({"ruling": event.event}, event.measures, event.note)
        case Show():
            return {"seat": event.seat.value, "show": [str(tile) for tile in event.tiles]}
        case Count():
            return {"seat": event.seat.value, "count": event.pips}
        case Sheet():
            points: object = event.points
            if not isinstance(event.points, int):
                points = {seat.value: pips for seat, pips in event.points.items()}
            return {"result": {"winner": event.winner, "points": points, "ended": event.ended}}
        case TimeOver():
            return {"time": "over"}
        case Leaves():
            return {"seat": event.seat.value, "leaves": event.substitute}
        case _:
            return {"undo": event.count}


def _infraction_json(event: Infraction) -> Json:
    written: Json = {"seat": event.seat.value, "infraction": event.kind}
    if event.tile is not None:
        written["tile"] = str(event.tile)
    if event.end is not None:
        written["end"] = event.end.value
    if event.open is not None:
        written["open"] = event.open
    if event.deliberate:
        written["deliberate"] = True
    return _with_ruling(written, event.measures, event.note)


def _with_ruling(written: Json, measures: tuple[Measure, ...] | Pending | None, note: str) -> Json:
    if measures is PENDING:
        written["measures"] = PENDING.value
    elif isinstance(measures, tuple):
        written["measures"] = [measure.json() for measure in measures]
    if note:
        written["note"] = note
    return written
