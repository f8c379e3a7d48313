"""What every JSON column of an event may hold, declared once; the file of an event is held to it.

A field of a model that no column type describes stands in SHAPES with its reader. What pages read
by name has a shape; what nobody reads by name is kept as it is, within bounds.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final
from zoneinfo import available_timezones

from django.db.models import Model

from engine.errors import DominoError, Phrase
from engine.ladder import MOST_OF_ONE
from engine.profiles import Rules
from engine.tiles import Tile
from tournaments.competition.bracket_matches import By, Part
from tournaments.competition.reading import LARGEST, object_at
from tournaments.competition.requests_brackets import matches_at
from tournaments.competition.types import BadRequest, TieBreak
from tournaments.models import (
    Absence,
    Appeal,
    Match,
    MatchSeat,
    PairingRound,
    ReportedResult,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.policies import (
    APPEAL_MINUTES,
    HALF,
    LATEST_ROUND,
    MOST_APPEAL_MINUTES,
    MOST_EXCUSED,
    MOST_SUBSTITUTES,
)
from tournaments.policies_cards import CARDS, SHOWN, TO_EVERYBODY, TO_OFFICIALS
from tournaments.publication import HIDDEN_FROM
from tournaments.services import event_shapes_appeals
from tournaments.services.event_readers import (
    Reader,
    either,
    entry_id,
    flag,
    items,
    kept,
    mapping,
    moment,
    one_of,
    optional,
    record,
    refused,
    row,
    text,
    whole,
)
from tournaments.services.standings import BRACKET, BRACKET_LEVEL

SEATS: Final = ("A", "B", "C", "D")
SIDES: Final = ("AC", "BD", *SEATS)
SYSTEMS: Final = tuple(one.value for one in Stage.System)
_TIE_BREAKS: Final = tuple(one.value for one in TieBreak)
# More tables, rounds or points than these are mistakes; page after page would be made of them.
LARGEST_TABLE: Final = 1_000_000
_LAST_ROUND: Final = 1000
MOST_POINTS: Final = 1_000_000

points = whole(-MOST_POINTS, MOST_POINTS)
entry_number = whole(0, 2**31 - 1)
round_number = whole(0, _LAST_ROUND)
table_number = whole(0, LARGEST_TABLE)
count = whole(-LARGEST, LARGEST)
tie_break = one_of(_TIE_BREAKS)
seat = one_of(SEATS)
side = one_of(SIDES)
place_name = text(8)

# --- rules and policies of the event ---------------------------------------------------------


def rules(value: object, path: str) -> None:
    """Read frozen rules."""
    try:
        Rules.read(object_at(value, path))
    except BadRequest:
        raise
    except DominoError as error:
        raise BadRequest(path=path, expected=Phrase("frozen rules"), found=error) from None


_for_and_against = row(whole(0, MOST_POINTS), whole(0, MOST_POINTS))
_COUNTS = ("warnings", "yellows", "infractions")
_SWITCHES = ("red_and_yellow", "apart")
_count = either(whole(0, 0), whole(2, MOST_OF_ONE))
policies = record(
    may={
        "bye": optional(_for_and_against),
        "absences": optional(mapping(one_of(Absence.Kind.values), _for_and_against)),
        "most_excused": optional(whole(0, MOST_EXCUSED)),
        "late_entry": optional(either(one_of((HALF,)), whole(0, LATEST_ROUND))),
        "categories": items(text(40, shortest=1), most=200),
        "second_check": flag,
        APPEAL_MINUTES: optional(whole(1, MOST_APPEAL_MINUTES)),
        "level_results": optional(flag),
        "left_at_table": optional(text(40)),
        "after_fine": optional(text(40)),
        "most_substitutes": optional(whole(0, MOST_SUBSTITUTES)),
        CARDS: record(may={**dict.fromkeys(_COUNTS, _count), **dict.fromkeys(_SWITCHES, flag)}),
        SHOWN: one_of((TO_OFFICIALS, TO_EVERYBODY)),
        HIDDEN_FROM: row(whole(1, _LAST_ROUND), whole(1, LATEST_ROUND)),
        "file_key": text(64),
    },
    more=kept,
)

# --- stages ----------------------------------------------------------------------------------

_best_of = whole(1, 99)
_draw_settings = record(
    may={
        "order": text(40),
        "pattern": either(text(40), mapping(text(8), text(40))),
        "groups": whole(1, 10_000),
        "legs": whole(1, 100),
        "rounds": whole(1, _LAST_ROUND),
        "third_place": flag,
        "survivors": whole(1, 4),
        "separate_by": optional(one_of(("club", "country"))),
        "best_of": either(_best_of, items(_best_of, most=64)),
        "partner_window": optional(whole(1, LARGEST)),
        "opponent_window": optional(whole(1, LARGEST)),
    },
    more=kept,
)
_source = record(may={str(one): text(200, shortest=1) for one in By})
_meeting = record(
    {
        "match": text(12, shortest=1),
        "bracket": one_of([str(one) for one in Part]),
        "round": whole(0, 64),
        "AC": _source,
        "BD": _source,
    },
    {"best_of": _best_of, "conditional": flag},
)


def bracket(value: object, path: str) -> None:
    """Read the meetings of a bracket, each after those it depends on."""
    items(_meeting, least=1, most=20_000)(value, path)
    matches_at(value, path)


settings = record(
    may={
        "draw": _draw_settings,
        "takes": record(
            {"each": whole(0, LARGEST)},
            {"best_next": whole(0, LARGEST), "second": whole(0, LARGEST)},
        ),
        "origins": mapping(entry_id, record({"group": place_name, "place": whole(0, LARGEST)})),
        "bracket": bracket,
        # Who goes on from games that both sides lost: "F1/1" to the number of an entry, 0 nobody.
        "decided": mapping(text(20, shortest=1), entry_number),
    },
    more=kept,
)

# --- draws and standings of rounds -------------------------------------------------------------

_id_list = items(entry_id)
_ids = either(_id_list, items(entry_number))
_table = record(
    {"table": table_number},
    {**dict.fromkeys(SIDES, _ids), "entries": _ids, "seats": _ids, "group": text(40)},
    more=kept,
)
_answered_round = record(
    {"tables": items(_table), "byes": _id_list},
    {"round": round_number},
    more=kept,
)
_report = record(may={"optimal": flag}, more=either(count, kept))
_answer = record(
    may={
        "tables": items(_table),
        "byes": _id_list,
        "round": round_number,
        "rounds": items(_answered_round, most=_LAST_ROUND),
        "groups": items(
            record(
                {"group": place_name, "entries": _id_list, "rounds": items(_answered_round)},
                more=kept,
            )
        ),
        "matches": bracket,
        "report": optional(_report),
    },
    more=kept,
)
_two = either(row(entry_id, entry_id), row(entry_id, entry_id, round_number))
_asked_entry = record(
    {"id": entry_id},
    {
        "rank": whole(1, LARGEST),
        "wins": whole(0, LARGEST),
        "byes": whole(0, LARGEST),
        "club": optional(text(200)),
        "country": optional(text(200)),
        "group": optional(text(200)),
        "place": whole(0, LARGEST),
        "team": text(200),
    },
    more=kept,
)
_request = record(
    {"system": one_of(SYSTEMS)},
    {
        "entries": items(_asked_entry),
        "seed": count,
        "round": round_number,
        "legs": whole(1, 100),
        "rounds": whole(1, _LAST_ROUND),
        "groups": whole(1, 10_000),
        "met": items(_two, most=10_000_000),
        "partnered": items(_two, most=10_000_000),
        "forbidden": items(_two),
        "seated": mapping(entry_id, items(row(seat, table_number))),
        "taken": items(table_number),
    },
    more=kept,
)
draw = record(
    may={
        "request": _request,
        "answer": _answer,
        "seed": optional(count),
        "version": optional(whole(1, 10_000)),
        "whole": flag,
        "meetings": items(text(12, shortest=1)),
        "provisional": items(
            record({"round": round_number, "table": table_number, "score": text(60)})
        ),
    },
    more=kept,
)

values = mapping(tie_break, count)
decided_by = one_of(("", *_TIE_BREAKS, BRACKET, BRACKET_LEVEL))
_frozen_row = record(
    {
        "entry": entry_number,
        "group": place_name,
        "place": whole(1, LARGEST),
        "played": whole(0, _LAST_ROUND),
        "values": values,
        "decided_by": decided_by,
    }
)
_frozen = record(
    {
        "digest": text(64),
        "tie_breaks": items(tie_break, most=len(_TIE_BREAKS)),
        "rows": items(_frozen_row),
        "corrections": items(
            record(
                {
                    "at": moment,
                    "moves": items(row(entry_number, whole(0, LARGEST), whole(0, LARGEST))),
                }
            )
        ),
    }
)
# A round that is not over has an empty list, an empty object or nothing.
standings = either(items(kept, most=0), record(), _frozen)

# --- tables ------------------------------------------------------------------------------------

score = record(
    may={
        "totals": mapping(side, points),
        "round": whole(0, 32_767),
        "rounds": items(items(points, most=4), most=32_767),
    },
    more=kept,
)
result = record(
    {
        "points_for": points,
        "points_against": points,
        "outcome": one_of(MatchSeat.Outcome.values),
        "deducted": points,
        "rounds_won": whole(0, 32_767),
    }
)
result_of_seats = mapping(seat, result, most=4)


def tile(value: object, path: str) -> None:
    """Read a tile, such as 6-4."""
    try:
        Tile.parse(value if isinstance(value, str) and len(value) <= 8 else "")
    except DominoError:
        raise refused(path, Phrase("a tile"), value) from None


hands = optional(mapping(seat, items(tile, most=28), most=4))
stock = optional(items(tile, most=28))

# --- the log -----------------------------------------------------------------------------------

_seating = record(
    {
        "tables": items(record({"table": table_number}, dict.fromkeys(SIDES, _id_list))),
        "byes": _id_list,
    }
)
# What sentences and ways back read, whatever was done.
_of_any_act: Final[Mapping[str, Reader]] = {
    "match": whole(0, 2**62),
    "other_match": whole(0, 2**62),
    "matches": items(whole(0, 2**62)),
    "pairing_round": whole(0, 2**62),
    "moved_up": items(entry_number),
    "tie_breaks": items(tie_break),
    "by_name": text(),
}
_change = {
    "before": _seating,
    "after": _seating,
    "now": text(64),
    "drawn": whole(0, LARGEST),
    "round": round_number,
    "entries": _id_list,
}
_closed: Final[Mapping[str, Reader]] = {"round": round_number, "table": table_number}
_corrected: Final[Mapping[str, Reader]] = {"old": either(record(), result_of_seats)}
_absence: Final[Mapping[str, Reader]] = {
    "stage_number": whole(0, 32_767),
    "entry": entry_number,
    "round": round_number,
    "before": optional(one_of(("", *Absence.Kind.values))),
}
# What must stand in a line, by its act: the way back and the proof of a draw read it.
_of_act: Final[Mapping[str, Mapping[str, Reader]]] = {
    "result": _closed,
    "walkover": _closed,
    "table_left": _closed,
    "result_corrected": _corrected,
    "all_lose": _corrected,
    "seats_swapped": {"one": entry_number, "other": entry_number},
    "entry_withdrawn": {"entry": entry_number},
    "entry_withdrawn_itself": {"entry": entry_number},
    "entries_withdrawn": {"entries": items(entry_number)},
    "entry_disqualified": {
        "entry": entry_number,
        "before": one_of(("registered", "withdrawn", "waiting", "disqualified")),
    },
    "absence_noted": _absence,
    "absence_taken_back": _absence,
}
# These need what they have only where they name their round.
_CHANGES: Final = (
    "round_places_exchanged", "table_renumbered", "table_dissolved", "table_added",
    "round_restored", "round_change_taken_back",
)  # fmt: skip


def details(act: str, value: object, path: str) -> None:
    """Read what a line of the log says, by its act."""
    needed = dict(_of_act.get(act, {}))
    may = dict(_of_any_act)
    if act in _CHANGES:
        may |= _change
        needed |= {"before": _seating, "after": _seating, "now": text(64)}
    record(needed, may, more=kept)(value, path)
    kept(value, path)
    if act == "round_not_drawn":
        _refusal(object_at(value, path), path)


def _refusal(given: Mapping[str, object], path: str) -> None:
    """Read a refusal that was kept: a sentence whose gaps are filled."""
    may = {"plural": text(), "number": whole()}
    record({"text": text(), "params": mapping(text(60), kept)}, may, more=kept)(given, path)
    filling = object_at(given["params"], path)
    for name in ("text", "plural"):
        sentence = str(given.get(name, ""))
        try:
            str(sentence % dict.fromkeys(filling, ""))
        except (KeyError, TypeError, ValueError):
            raise refused(
                f"{path}.{name}", Phrase("a sentence whose gaps are filled"), sentence
            ) from None


def time_zone(value: object, path: str) -> None:
    """Read the name of a time zone."""
    if not isinstance(value, str) or value not in available_timezones():
        raise refused(path, Phrase("the name of a time zone"), value)


SHAPES: Final[Mapping[tuple[type[Model], str], Reader]] = {
    (Tournament, "rules"): rules,
    (Tournament, "policies"): policies,
    (Tournament, "time_zone"): time_zone,
    (Tournament, "created_at"): moment,
    (Stage, "settings"): settings,
    (Stage, "tie_breaks"): items(tie_break, least=1, most=len(_TIE_BREAKS)),
    (Stage, "first_table"): whole(1, LARGEST_TABLE),
    (PairingRound, "draw"): draw,
    (PairingRound, "standings"): standings,
    (PairingRound, "number"): whole(1, _LAST_ROUND),
    (StandingRow, "values"): values,
    (StandingRow, "decided_by"): decided_by,
    (Match, "rules"): optional(rules),
    (Match, "score"): optional(score),
    (Match, "table"): table_number,
    (MatchSeat, "points_for"): optional(points),
    (MatchSeat, "points_against"): optional(points),
    (MatchSeat, "deducted"): points,
    (ReportedResult, "seats"): mapping(seat, result, most=4),
    (Appeal, "evidence"): event_shapes_appeals.evidence,
    (Appeal, "changed"): event_shapes_appeals.changed,
}


def check(model: type[Model], name: str, value: object, path: str) -> None:
    """Hold a value to the shape of its field; raises BadRequest with its path in the file."""
    reader = SHAPES.get((model, name))
    if reader is not None:
        reader(value, path)


def without_shape(models: Mapping[type[Model], tuple[str, ...]]) -> list[str]:
    """Return the JSON columns among some fields that no shape is declared for."""
    return [
        f"{model.__name__}.{name}"
        for model, names in models.items()
        for name in names
        if model._meta.get_field(name).get_internal_type() == "JSONField"
        and (model, name) not in SHAPES
    ]
