"""What belongs where a record is refused: the phrases several readers share.

What a program has to write stands in them untranslated, as a parameter.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from engine.errors import Phrase


def an_object() -> Phrase:
    return Phrase("an object")


def one_of(choices: Iterable[object]) -> Phrase:
    return Phrase("one of %(choices)s", choices=_joined(choices))


def either(one: str, other: str) -> Phrase:
    return Phrase("%(one)s or %(other)s", one=one, other=other)


def only_keys(keys: Iterable[str]) -> Phrase:
    return Phrase("only the keys %(keys)s", keys=_joined(keys))


def whole_number(lowest: int, highest: int) -> Phrase:
    return Phrase("a whole number from %(lowest)s to %(highest)s", lowest=lowest, highest=highest)


def text_of(most: int) -> Phrase:
    return Phrase("text of at most %(most)s characters", most=most)


def table_of(sizes: Sequence[int], profile: str) -> Phrase:
    """Return how many may share a table under a profile."""
    *others, last = sizes
    if not others:
        return Phrase("%(one)s under %(profile)s", one=last, profile=profile)
    return Phrase(
        "%(one)s or %(other)s under %(profile)s",
        one=_joined(others),
        other=last,
        profile=profile,
    )


def seat_of(seats: Iterable[str]) -> Phrase:
    return Phrase("a seat of %(seats)s", seats=_joined(seats))


def seat_in_match() -> Phrase:
    return Phrase("a seat still in the match")


def seat_that_opened() -> Phrase:
    return Phrase("the seat that opened")


def tile() -> Phrase:
    return Phrase("a tile such as %(example)s", example="6-3")


def tile_about(measure: str) -> Phrase:
    return Phrase("the tile that “%(measure)s” is about", measure=measure)


def measures_beyond(kind: str) -> Phrase:
    """Return that a kind the schedule does not know needs its measures written."""
    return Phrase("measures, as the schedule has no “%(kind)s”", kind=kind)


def _joined(values: Iterable[object]) -> str:
    return ", ".join(map(str, values))
