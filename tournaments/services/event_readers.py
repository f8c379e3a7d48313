"""Small readers that shapes of stored JSON are put together from; each names the path it refuses.

A reader gets a value and its path in the file. It returns nothing: the value is kept as it is, or
BadRequest says where it is wrong, what was found and what was expected.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Final, TypeAlias

from engine.errors import Phrase, shown
from tournaments.competition.reading import LARGEST, list_at, object_at
from tournaments.competition.types import BadRequest

Reader: TypeAlias = Callable[[object, str], None]

LONGEST_TEXT: Final = 2000
# What nobody reads by its name is kept, as long as it is no burden.
MOST_KEPT: Final = 500_000
DEEPEST_KEPT: Final = 12
_LONGEST_KEY: Final = 200


def refused(path: str, expected: object, found: object) -> BadRequest:
    """Return the refusal of a value at a path."""
    return BadRequest(path=path, expected=expected, found=shown(found))


def whole(lowest: int = 0, highest: int = LARGEST) -> Reader:
    """Read a whole number from `lowest` to `highest`."""

    def reader(value: object, path: str) -> None:
        if type(value) is not int or not lowest <= value <= highest:
            expected = Phrase(
                "a whole number from %(lowest)s to %(highest)s", lowest=lowest, highest=highest
            )
            raise refused(path, expected, value)

    return reader


def text(longest: int = LONGEST_TEXT, *, shortest: int = 0) -> Reader:
    """Read a text of at most `longest` characters that a database can keep."""

    def reader(value: object, path: str) -> None:
        if not isinstance(value, str) or not shortest <= len(value) <= longest:
            expected = Phrase("a text of at most %(longest)s characters", longest=longest)
            raise refused(path, expected, value)
        _require_storable(value, path)

    return reader


def flag(value: object, path: str) -> None:
    """Read true or false."""
    if not isinstance(value, bool):
        raise refused(path, Phrase("true or false"), value)


def moment(value: object, path: str) -> None:
    """Read a moment with its time zone."""
    read = None
    if isinstance(value, str):
        try:
            read = datetime.fromisoformat(value)
        except ValueError:
            read = None
    # Shown in any zone, a moment must not leave the years a calendar has.
    if read is None or read.tzinfo is None or not 1900 <= read.year <= 2200:
        raise refused(path, Phrase("a moment with its time zone (ISO 8601)"), value)


def one_of(names: Collection[str]) -> Reader:
    """Read one of some words."""

    def reader(value: object, path: str) -> None:
        if not isinstance(value, str) or value not in names:
            known = ", ".join(name or "“”" for name in names)
            raise refused(path, Phrase("one of %(names)s", names=known), value)

    return reader


def entry_id(value: object, path: str) -> None:
    """Read the id of an entry as requests and answers of draws have it: its number as text."""
    if not isinstance(value, str) or not value.isdecimal() or not value.isascii():
        raise refused(path, Phrase("the number of an entry as text"), value)
    if not 1 <= len(value) <= 10:
        raise refused(path, Phrase("the number of an entry as text"), value)


def optional(reader: Reader) -> Reader:
    """Read what may be null."""

    def or_null(value: object, path: str) -> None:
        if value is not None:
            reader(value, path)

    return or_null


def either(*readers: Reader) -> Reader:
    """Read what any of some readers takes; the last one says what was expected."""

    def reader(value: object, path: str) -> None:
        for one in readers[:-1]:
            try:
                one(value, path)
            except BadRequest:
                continue
            return
        readers[-1](value, path)

    return reader


def items(reader: Reader, *, least: int = 0, most: int = 100_000) -> Reader:
    """Read a list of `least` to `most` values of one shape."""

    def of_list(value: object, path: str) -> None:
        found = list_at(value, path)
        if not least <= len(found) <= most:
            expected = Phrase("a list of %(least)s to %(most)s", least=least, most=most)
            raise BadRequest(path=path, expected=expected, found=len(found))
        for place, one in enumerate(found):
            reader(one, f"{path}[{place}]")

    return of_list


def row(*readers: Reader) -> Reader:
    """Read a list that has one value for each reader."""

    def of_row(value: object, path: str) -> None:
        found = list_at(value, path)
        if len(found) != len(readers):
            expected = Phrase("a list of %(least)s to %(most)s", least=len(readers),
                              most=len(readers))  # fmt: skip
            raise BadRequest(path=path, expected=expected, found=len(found))
        for place, (reader, one) in enumerate(zip(readers, found, strict=True)):
            reader(one, f"{path}[{place}]")

    return of_row


def record(
    needed: Mapping[str, Reader] | None = None,
    may: Mapping[str, Reader] | None = None,
    *,
    more: Reader | None = None,
) -> Reader:
    """Read an object of keys it needs and keys it may have; `more` reads what else it has."""
    needed, may = needed or {}, may or {}
    known = {**may, **needed}

    def of_record(value: object, path: str) -> None:
        given = object_at(value, path)
        for name in needed:
            if name not in given:
                raise refused(f"{path}.{name}", Phrase("a value"), None)
        for name, one in given.items():
            reader = known.get(name, more)
            if reader is None:
                expected = Phrase("only %(names)s", names=", ".join(known))
                raise refused(path, expected, name)
            _require_key(name, path)
            reader(one, f"{path}.{name}")

    return of_record


def mapping(key: Reader, reader: Reader, *, most: int = 100_000) -> Reader:
    """Read an object whose keys and values each have one shape."""

    def of_mapping(value: object, path: str) -> None:
        given = object_at(value, path)
        if len(given) > most:
            expected = Phrase("an object with at most %(most)s members", most=most)
            raise BadRequest(path=path, expected=expected, found=len(given))
        for name, one in given.items():
            key(name, path)
            reader(one, f"{path}.{name}")

    return of_mapping


def kept(value: object, path: str, depth: int = 0) -> None:
    """Read what is kept though nothing here reads it: of bounded depth, length and numbers."""
    if depth == 0 and len(json.dumps(value)) > MOST_KEPT:
        expected = Phrase("at most %(most)s characters", most=MOST_KEPT)
        raise refused(path, expected, value)
    if depth > DEEPEST_KEPT:
        raise refused(path, Phrase("values nested less deeply"), value)
    match value:
        case None | bool():
            return
        case int():
            whole(-LARGEST * 1000, LARGEST * 1000)(value, path)
        case float():
            if not -1e15 < value < 1e15:
                raise refused(path, Phrase("a number"), value)
        case str():
            text(MOST_KEPT)(value, path)
        case list():
            for place, one in enumerate(value):
                kept(one, f"{path}[{place}]", depth + 1)
        case dict():
            for name, one in value.items():
                _require_key(name, path)
                kept(one, f"{path}.{name}", depth + 1)
        case _:
            raise refused(path, Phrase("a value"), value)


def _require_key(name: str, path: str) -> None:
    if len(name) > _LONGEST_KEY:
        raise refused(path, Phrase("a shorter name"), name)
    _require_storable(name, path)


def _require_storable(value: str, path: str) -> None:
    """Refuse the signs that PostgreSQL keeps in no text and no JSON: NUL and half a character."""
    if "\0" in value or any("\ud800" <= sign <= "\udfff" for sign in value):
        raise refused(path, Phrase("a text without signs that cannot be stored"), value)
