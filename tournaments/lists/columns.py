"""What each column of a list holds, from its heading in any of our languages or its content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from typing import Final

from django.conf import settings
from django.utils.translation import gettext, gettext_noop, override

from tournaments.countries import country_code
from tournaments.digits import to_latin_digits
from tournaments.lists.headings import (
    BOTH,
    CLUB,
    COUNTRY,
    HEADINGS,
    IGNORED,
    LATIN_1,
    LATIN_2,
    MINOR_1,
    MINOR_2,
    NAME,
    NUMBER_1,
    NUMBER_2,
    PLAYER_1,
    PLAYER_2,
    SEED,
)
from tournaments.lists.sheets import Line, Sheet
from tournaments.names import folded

LABELS_OF_A_PAIR: Final[Mapping[str, str]] = {
    IGNORED: gettext_noop("not used"),
    PLAYER_1: gettext_noop("Player 1"),
    PLAYER_2: gettext_noop("Player 2"),
    BOTH: gettext_noop("Both players"),
    NAME: gettext_noop("Name of the pair"),
    CLUB: gettext_noop("Club"),
    COUNTRY: gettext_noop("Country"),
    SEED: gettext_noop("Seed"),
    NUMBER_1: gettext_noop("Number of player 1"),
    NUMBER_2: gettext_noop("Number of player 2"),
    LATIN_1: gettext_noop("Player 1 in Latin letters"),
    LATIN_2: gettext_noop("Player 2 in Latin letters"),
    MINOR_1: gettext_noop("Player 1 is a minor"),
    MINOR_2: gettext_noop("Player 2 is a minor"),
}
LABELS_OF_ONE: Final[Mapping[str, str]] = {
    IGNORED: gettext_noop("not used"),
    PLAYER_1: gettext_noop("Player"),
    CLUB: gettext_noop("Club"),
    COUNTRY: gettext_noop("Country"),
    SEED: gettext_noop("Seed"),
    NUMBER_1: gettext_noop("Federation number"),
    LATIN_1: gettext_noop("Name in Latin letters"),
    MINOR_1: gettext_noop("Minor"),
}


@cache
def _meanings() -> Mapping[str, str]:
    """Return what headings mean: as people write them, and as this site calls its columns.

    A language that is new to the site brings the second with its catalog.
    """
    known: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with override(language):
            known |= {folded(gettext(label)): _MEANT[field] for field, label in _OWN.items()}
    written = {folded(one): meaning for meaning, words in HEADINGS.items() for one in words}
    return known | written


_ENDS_IN_ONE_OR_TWO: Final = re.compile(r"^(.*?) ?([12])$")
# The names this site has for columns that lists bring, and what each means without its number.
_OWN: Final = {
    field: LABELS_OF_ONE[field]
    for field in (PLAYER_1, CLUB, COUNTRY, SEED, NUMBER_1, LATIN_1, MINOR_1)
} | {NAME: LABELS_OF_A_PAIR[NAME]}
_MEANT: Final = {
    PLAYER_1: "player",
    NUMBER_1: "number",
    LATIN_1: "latin",
    MINOR_1: "minor",
} | {field: field for field in (CLUB, COUNTRY, SEED, NAME)}
# What stands between two players in one cell, the surest first.
_BETWEEN_PLAYERS: Final = (
    re.compile(r"\s*[/\\&+؛|]\s*"),
    re.compile(r"\s+[-–—]\s+|\s*،\s*"),
    re.compile(r"\s+(?:and|y|et|e|و)\s+"),
)


# What stands in the column of minors for somebody who is none.
_NOT: Final = frozenset(("", "0", "no", "n", "false", "adult", "لا", "خیر", "نه", "não", "non"))


def is_minor(text: str) -> bool:
    """Say whether a cell of the column of minors says yes: anything but nothing or a no."""
    return folded(to_latin_digits(text)) not in {folded(one) for one in _NOT}


def labels_for(kind: str) -> Mapping[str, str]:
    """Return what a column may hold, with its name, for entries of `kind`."""
    return LABELS_OF_ONE if kind == "single" else LABELS_OF_A_PAIR


def both_players(text: str) -> tuple[str, str]:
    """Split “Rosa Paz / Ana Ruiz”; the second is empty when nothing stands between two names."""
    for between in _BETWEEN_PLAYERS:
        first, *others = between.split(text, maxsplit=1)
        if others:
            return first, others[0]
    return text, ""


def recognised(sheet: Sheet, kind: str) -> tuple[tuple[str, ...], Line | None]:
    """Return what each column holds, and the line with the headings if there is one."""
    first = sheet.lines[0]
    meanings = [_meaning(cell.text) for cell in first.cells]
    if any(meaning for meaning in meanings):
        fields = _from_headings(meanings, kind)
        fields += [IGNORED] * (sheet.width - len(fields))
        return tuple(fields), first
    return tuple(_from_content(sheet.lines, sheet.width, kind)), None


def _meaning(heading: str) -> tuple[str, str] | None:
    """Return what a heading means and the 1 or 2 it ends in."""
    plain = folded(to_latin_digits(heading))
    if not plain and heading.strip(" ") in {"#", "№"}:
        return IGNORED, ""
    if plain in _meanings():
        return _meanings()[plain], ""
    found = _ENDS_IN_ONE_OR_TWO.match(plain)
    if found is not None and found[1] in _meanings():
        return _meanings()[found[1]], found[2]
    middle = re.match(r"^(.*) ([12])( .*)$", plain)
    if middle is not None and middle[1] + middle[3] in _meanings():
        return _meanings()[middle[1] + middle[3]], middle[2]
    return None


def _from_headings(meanings: Sequence[tuple[str, str] | None], kind: str) -> list[str]:
    fields: list[str] = []
    has_players = any(
        meaning is not None and meaning[0] in {"player", PLAYER_1} for meaning in meanings
    )
    for meaning in meanings:
        field = IGNORED if meaning is None else _field(*meaning, kind, has_players, fields)
        fields.append(IGNORED if field in fields else field)
    if kind != "single" and PLAYER_2 not in fields and PLAYER_1 in fields:
        fields[fields.index(PLAYER_1)] = BOTH
    return fields


def _field(word: str, number: str, kind: str, has_players: bool, so_far: Sequence[str]) -> str:
    """Return the field a heading stands for in a list of entries of `kind`."""
    if kind == "single":
        if number == "2" or word == PLAYER_2:
            return IGNORED
        plain = {
            "player": PLAYER_1,
            "bare name": PLAYER_1,
            "number": NUMBER_1,
            "bare number": NUMBER_1,
            "latin": LATIN_1,
            "minor": MINOR_1,
            NAME: IGNORED if has_players else PLAYER_1,
        }
        return plain.get(word, word)
    if word in {"player", "number", "latin", "minor"}:
        return word + (number or ("2" if word + "1" in so_far else "1"))
    if word == "bare name":
        if number:
            return "player" + number
        return NAME if has_players else BOTH
    if word == "bare number":
        return "number" + number if number else IGNORED
    if word == NAME:
        return NAME if has_players else BOTH
    return word


def _from_content(lines: Sequence[Line], width: int, kind: str) -> list[str]:
    """Guess: players first, then what looks like a country, a seed, a club."""
    needed = [PLAYER_1] if kind == "single" else [PLAYER_1, PLAYER_2]
    fields: list[str] = []
    for column in range(width):
        texts = [line.cells[column].text for line in lines if column < len(line.cells)]
        texts = [text for text in texts if text]
        if all(to_latin_digits(text).isdecimal() for text in texts):
            field = SEED if texts and not needed and SEED not in fields else IGNORED
        elif needed:
            field = needed.pop(0)
        elif all(country_code(text) for text in texts):
            field = COUNTRY
        else:
            field = CLUB
        fields.append(IGNORED if field in fields else field)
    if needed == [PLAYER_2] and PLAYER_1 in fields:
        fields[fields.index(PLAYER_1)] = BOTH
    return fields
