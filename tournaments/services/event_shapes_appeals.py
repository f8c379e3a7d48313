"""What the JSON columns of appeals may hold: the evidence, and what a decision changed."""

from __future__ import annotations

from typing import Final

from tournaments.models import MatchSeat
from tournaments.services.event_readers import (
    items,
    kept,
    moment,
    one_of,
    optional,
    record,
    row,
    text,
    whole,
)

_points = optional(whole(-1_000_000, 1_000_000))
_number = whole(0, 2**31 - 1)
_letter = one_of(("A", "B", "C", "D"))
_left_with = {
    "seat": _letter,
    "player": text(),
    "outcome": one_of(("", *MatchSeat.Outcome.values)),
    "points_for": _points,
    "points_against": _points,
}
evidence: Final = record(
    {
        "state": one_of(("waiting", "playing", "closed")),
        "score": record(more=kept),
        "seats": items(record({**_left_with, "entry_name": text()}, more=kept), most=4),
        "record": record(may={"lines": text(500_000)}, more=kept),
    },
    {"closed_at": optional(moment)},
    more=kept,
)
changed: Final = record(
    may={
        "before": items(record(_left_with, more=kept), most=4),
        "after": items(record(_left_with, more=kept), most=4),
        "moves": items(
            record({"entry": _number, "name": text(), "before": _number, "after": _number})
        ),
        "later_rounds": items(_number),
        "gone": items(row(_number, _number)),
    }
)
