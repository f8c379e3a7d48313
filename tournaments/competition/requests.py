"""Reads requests for a draw or for standings, and says where one is malformed."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias, TypeVar

from engine.errors import shown
from tournaments.competition import round_robin
from tournaments.competition.standings import standings
from tournaments.competition.types import (
    BadRequest,
    Contender,
    EntryResult,
    Outcome,
    ResultTwice,
    TieBreak,
    UnknownSystem,
)

Answer: TypeAlias = dict[str, object]
Choice = TypeVar("Choice", Outcome, TieBreak)

# Larger numbers are mistakes; the limit keeps sums printable.
_LARGEST = 10**9
_LONGEST_ID = 200


def read(text: str | bytes) -> object:
    """Return the JSON value of a text; raises BadRequest whatever is wrong with it."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        # Not JSON, not UTF-8, a number without end, or nested without end.
        raise BadRequest(path="$", expected="a JSON document", found="something else") from None
    return value


def pair(request: object) -> Answer:
    """Return the answer to a request for a draw."""
    asked = _object(request, "$")
    system = asked.get("system")
    if not isinstance(system, str) or system not in SYSTEMS:
        raise UnknownSystem(found=shown(system), known=", ".join(SYSTEMS))
    return SYSTEMS[system](asked)


def order(request: object) -> Answer:
    """Return the answer to a request for standings."""
    asked = _object(request, "$")
    names = [
        _choice(TieBreak, name, f"tie_breaks[{n}]")
        for n, name in enumerate(_list(asked.get("tie_breaks"), "tie_breaks"))
    ]
    if len(set(names)) < len(names):
        raise BadRequest(path="tie_breaks", expected="each tie-break once", found="one twice")
    needs_target = TieBreak.DIFFERENCE_CAPPED in names
    rows = standings(
        _results(asked),
        names,
        target=_number(asked, "target", "target", None if needs_target else 0, lowest=0),
        seed=_number(asked, "seed", "seed", 0, lowest=-_LARGEST),
    )
    return {"rows": [row.json() for row in rows]}


def contenders(asked: Mapping[str, object]) -> list[Contender]:
    """Return the entries of a request; without ranks they rank as they are listed."""
    found = []
    for n, one in enumerate(_list(asked.get("entries"), "entries")):
        path = f"entries[{n}]"
        entry = _object(one, path)
        rank = _number(entry, "rank", f"{path}.rank", n + 1, lowest=1)
        found.append(Contender(_id(entry.get("id"), f"{path}.id"), rank))
    return found


def _round_robin(asked: Mapping[str, object]) -> Answer:
    legs = _number(asked, "legs", "legs", 1, lowest=1, highest=round_robin.LARGEST_LEGS)
    rounds = round_robin.schedule(contenders(asked), legs=legs)
    return {"rounds": [one.json() for one in rounds]}


SYSTEMS: Mapping[str, Callable[[Mapping[str, object]], Answer]] = {"round_robin": _round_robin}


def _results(asked: Mapping[str, object]) -> list[EntryResult]:
    found = []
    seen: set[tuple[str, int]] = set()
    for n, one in enumerate(_list(asked.get("results"), "results")):
        path = f"results[{n}]"
        result = _object(one, path)
        read_result = EntryResult(
            round=_number(result, "round", f"{path}.round", None, lowest=1),
            entry=_id(result.get("entry"), f"{path}.entry"),
            outcome=_choice(Outcome, result.get("outcome"), f"{path}.outcome"),
            opponents=tuple(
                _id(opponent, f"{path}.opponents[{m}]")
                for m, opponent in enumerate(
                    _list(result.get("opponents", []), f"{path}.opponents")
                )
            ),
            points_for=_number(result, "for", f"{path}.for", 0, lowest=-_LARGEST),
            points_against=_number(result, "against", f"{path}.against", 0, lowest=-_LARGEST),
            rounds_won=_number(result, "rounds_won", f"{path}.rounds_won", 0, lowest=0),
            penalty=_number(result, "penalty", f"{path}.penalty", 0, lowest=0),
        )
        key = (read_result.entry, read_result.round)
        if key in seen:
            raise ResultTwice(entry=read_result.entry, round=read_result.round)
        seen.add(key)
        found.append(read_result)
    return found


def _object(value: object, path: str) -> Mapping[str, object]:
    if not isinstance(value, dict):
        raise BadRequest(path=path, expected="an object", found=shown(value))
    return value


def _list(value: object, path: str) -> Sequence[object]:
    if not isinstance(value, list):
        raise BadRequest(path=path, expected="a list", found=shown(value))
    return value


def _id(value: object, path: str) -> str:
    if not isinstance(value, str) or not 1 <= len(value) <= _LONGEST_ID:
        raise BadRequest(path=path, expected="the id of an entry", found=shown(value))
    return value


def _number(
    values: Mapping[str, object],
    name: str,
    path: str,
    default: int | None,
    *,
    lowest: int,
    highest: int = _LARGEST,
) -> int:
    value = values.get(name, default)
    if type(value) is not int or not lowest <= value <= highest:
        expected = f"a whole number from {lowest} to {highest}"
        raise BadRequest(path=path, expected=expected, found=shown(value))
    return value


def _choice(kind: type[Choice], value: object, path: str) -> Choice:
    if isinstance(value, str) and value in [one.value for one in kind]:
        return kind(value)
    expected = "one of " + ", ".join(one.value for one in kind)
    raise BadRequest(path=path, expected=expected, found=shown(value))
