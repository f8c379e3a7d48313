"""The ledger of cards in the file of an event, there and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from engine.errors import shown
from referee.models import Sanction
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Tournament
from tournaments.services.event_import import Stored
from tournaments.services.event_rows import value_of

MEMBER: Final = "sanctions"
_FIELDS: Final = (
    "function", "name", "kind", "ladder", "severity", "source", "attempt", "round", "event",
    "in_record", "note", "given_at", "state", "decided_at", "reason", "asks", "stands",
)  # fmt: skip


def ledger_json(
    tournament: Tournament,
    *,
    player_at: Callable[[int], int | None],
    line_at: Callable[[int], int | None],
) -> list[dict[str, Any]]:
    """Return the ledger from its beginning; `counted_in` is a place in this list.

    `player_at` and `line_at` give the places of players and of lines of the log in the file.
    Somebody who left the event without a seat there is in it by name alone.
    """
    rows = list(
        Sanction.objects.filter(tournament=tournament)
        .select_related("player", "decided_by")
        .order_by("pk")
    )
    places = {one.pk: place for place, one in enumerate(rows)}
    return [
        {
            **{name: _plain(getattr(one, name)) for name in _FIELDS},
            **_person(one, player_at),
            "match": one.match_id,
            "counted_in": places.get(one.counted_in_id or 0),
            "decided_by": one.decided_by
            and (one.decided_by.get_full_name() or str(one.decided_by)),
            "effect_log": line_at(one.effect_log_id or 0),
        }
        for one in rows
    ]


def store_ledger(stored: Stored, value: object) -> None:
    """Store the ledger of a file in the place of any that is here; older files have none.

    Who decided is kept in the log by name. Raises BadRequest with the path of what is wrong.
    """
    Sanction.objects.filter(tournament=stored.tournament).delete()
    listed = list_at(value, MEMBER)
    rows = [_row(stored, object_at(one, f"{MEMBER}[{n}]"), n) for n, one in enumerate(listed)]
    # One by one: constraints speak of the row they refuse, and a ledger is short.
    for row in rows:
        row.save()
    for number, (row, one) in enumerate(zip(rows, listed, strict=True)):
        place = object_at(one, MEMBER).get("counted_in")
        if place is not None:
            row.counted_in = _of(rows, place, f"{MEMBER}[{number}].counted_in")
            row.save(update_fields=["counted_in"])


def _row(stored: Stored, given: Mapping[str, object], number: int) -> Sanction:
    at = f"{MEMBER}[{number}]"
    values = {name: value_of(Sanction, name, given.get(name), f"{at}.{name}") for name in _FIELDS}
    for name in ("given_at", "decided_at"):
        if isinstance(values[name], str):
            values[name] = datetime.fromisoformat(values[name])
    place, match = given.get("player"), given.get("match")
    found = None
    if match is not None:
        found = stored.matches.get(match) if type(match) is int else None
        if found is None:
            expected = "the id of a match of this file, or null"
            raise BadRequest(path=f"{at}.match", expected=expected, found=shown(match))
    player = None if place is None else _of(stored.players, place, f"{at}.player")
    is_player = values["function"] == Sanction.Function.PLAYER
    if is_player != (player is not None) or bool(values["name"]) == is_player:
        expected = "a player, or the name and function of somebody else"
        raise BadRequest(path=at, expected=expected, found=shown(values["name"]))
    line = stored.line_at(given.get("effect_log"), f"{at}.effect_log")
    return Sanction(
        tournament=stored.tournament, player=player, match=found, effect_log=line, **values
    )


def _of(things: Sequence[Any], place: object, at: str) -> Any:
    if type(place) is not int or not 0 <= place < len(things):
        expected = f"a place from 0 to {len(things) - 1}, or null"
        raise BadRequest(path=at, expected=expected, found=shown(place))
    return things[place]


def _person(one: Sanction, player_at: Callable[[int], int | None]) -> dict[str, Any]:
    if one.player is None:
        return {"player": None}
    place = player_at(one.player.pk)
    if place is not None:
        return {"player": place}
    return {"player": None, "name": one.player.name, "function": Sanction.Function.OTHER.value}


def _plain(value: object) -> object:
    return value.isoformat() if isinstance(value, datetime) else value
