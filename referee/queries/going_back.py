"""What going back to an earlier event would cost: the choice, and the preview of one way."""

from __future__ import annotations

from typing import Any

from referee import states
from referee.going_back import Back, way_back
from referee.recorded import Recorded
from referee.states import Json


def choice(recorded: Recorded) -> Json:
    """Return every round with its events, the latest first: where the record can go back to."""
    rounds = [
        {
            "number": one.number,
            "sentence": states.round_line(recorded, stored, one)["sentence"],
            "events": states.events_of(recorded, stored, one),
        }
        for stored, one in zip(recorded.rounds, recorded.state.rounds, strict=True)
    ]
    return {"rounds": rounds[::-1], "seen": seen(recorded)}


def seen(recorded: Recorded) -> Json:
    """Return what the record comes to, so that nothing recorded since is lost unseen."""
    return {"rounds": len(recorded.rounds), "events": recorded.next_number}


def preview(recorded: Recorded, *, number: int, event: int | None = None) -> Json:
    """Return what would be lost: whole rounds, entries of the round itself, and rulings."""
    back = way_back(recorded, number=number, event=event)
    after = back.rows.replayed()
    told = states.events_of(recorded, recorded.rounds[number], recorded.state.rounds[number])
    return {
        "round": number,
        "event": event,
        "sentence": "" if event is None else told[event]["sentence"],
        "rounds": [_falling(recorded, one.number) for one in back.falling],
        **_in_round(back, after, told),
        "rulings": _rulings(recorded, after),
        "totals": recorded.state.totals,
        "totals_then": after.state.totals,
        "sides": {side: recorded.side_name(side) for side in recorded.sides},
        "seen": seen(recorded),
    }


def _falling(recorded: Recorded, number: int) -> Json:
    stored, one = recorded.rounds[number], recorded.state.rounds[number]
    line = states.round_line(recorded, stored, one)
    return {"number": number, "sentence": line["sentence"], "events": sum(one.in_effect)}


def _in_round(back: Back, after: Recorded, told: list[Json]) -> dict[str, list[Json]]:
    if back.event is None:
        return {"lost": [], "again": []}
    now = back.recorded.state.rounds[back.round].in_effect
    then = after.state.rounds[back.round].in_effect
    return {
        "lost": [one for one in told if now[one["number"]] and not then[one["number"]]],
        "again": [one for one in told if not now[one["number"]] and then[one["number"]]],
    }


def _rulings(recorded: Recorded, after: Recorded) -> list[Any]:
    """Return the infractions with their rulings that would no longer stand."""
    kept = {(one.round, one.event, one.measures) for one in after.state.infractions}
    return [
        states.infraction(recorded, one)["sentence"]
        for one in recorded.state.infractions
        if (one.round, one.event, one.measures) not in kept
    ]
