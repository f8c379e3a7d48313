"""Reads the values of a request, and says at which path one is malformed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from enum import StrEnum
from typing import TypeAlias, TypeVar

from engine.errors import shown
from tournaments.competition.types import BadRequest, Contender, SeparateBy

Answer: TypeAlias = dict[str, object]
Choice = TypeVar("Choice", bound=StrEnum)

# Larger numbers are mistakes; the limit keeps sums printable.
LARGEST = 10**9
LONGEST_ID = 200


def read(text: str | bytes) -> object:
    """Return the JSON value of a text; raises BadRequest whatever is wrong with it."""
    try:
        value: object = json.loads(text)
    except (ValueError, RecursionError):
        # Not JSON, not UTF-8, a number without end, or nested without end.
        raise BadRequest(path="$", expected="a JSON document", found="something else") from None
    return value


def contenders_at(asked: Mapping[str, object]) -> list[Contender]:
    """Return the entries of a request; without ranks they rank as they are listed."""
    found = []
    for n, one in enumerate(list_at(asked.get("entries"), "entries")):
        path = f"entries[{n}]"
        entry = object_at(one, path)
        found.append(
            Contender(
                id=id_at(entry.get("id"), f"{path}.id"),
                rank=number_at(entry, "rank", f"{path}.rank", n + 1, lowest=1),
                wins=number_at(entry, "wins", f"{path}.wins", 0, lowest=0),
                byes=number_at(entry, "byes", f"{path}.byes", 0, lowest=0),
                club=text_at(entry, "club", f"{path}.club"),
                country=text_at(entry, "country", f"{path}.country"),
            )
        )
    return found


def separation_at(asked: Mapping[str, object]) -> SeparateBy | None:
    """Return what keeps entries apart; nothing and null say that nothing does."""
    value = asked.get("separate_by")
    return None if value is None else choice_at(SeparateBy, value, "separate_by")


def object_at(value: object, path: str) -> Mapping[str, object]:
    """Return a JSON object."""
    if not isinstance(value, dict):
        raise BadRequest(path=path, expected="an object", found=shown(value))
    return value


def list_at(value: object, path: str) -> Sequence[object]:
    """Return a JSON list."""
    if not isinstance(value, list):
        raise BadRequest(path=path, expected="a list", found=shown(value))
    return value


def id_at(value: object, path: str) -> str:
    """Return the id of an entry."""
    if not isinstance(value, str) or not 1 <= len(value) <= LONGEST_ID:
        raise BadRequest(path=path, expected="the id of an entry", found=shown(value))
    return value


def text_at(values: Mapping[str, object], name: str, path: str) -> str:
    """Return an optional text; nothing and null are empty."""
    value = values.get(name)
    if value is None:
        return ""
    if not isinstance(value, str) or len(value) > LONGEST_ID:
        raise BadRequest(path=path, expected="a name or null", found=shown(value))
    return value


def number_at(
    values: Mapping[str, object],
    name: str,
    path: str,
    default: int | None,
    *,
    lowest: int,
    highest: int = LARGEST,
) -> int:
    """Return a whole number; `default` None means it must be there."""
    value = values.get(name, default)
    if type(value) is not int or not lowest <= value <= highest:
        expected = f"a whole number from {lowest} to {highest}"
        raise BadRequest(path=path, expected=expected, found=shown(value))
    return value


def choice_at(kind: type[Choice], value: object, path: str) -> Choice:
    """Return the one of `kind` that has this name."""
    if isinstance(value, str) and value in [one.value for one in kind]:
        return kind(value)
    expected = "one of " + ", ".join(one.value for one in kind)
    raise BadRequest(path=path, expected=expected, found=shown(value))
