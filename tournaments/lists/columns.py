"""What each column of a list holds, from its heading in any of our languages or its content."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from django.utils.translation import gettext_noop

from tournaments.countries import country_code
from tournaments.digits import to_latin_digits
from tournaments.lists.sheets import Line, Sheet
from tournaments.names import folded

PLAYER_1, PLAYER_2, BOTH = "player1", "player2", "both"
NAME, CLUB, COUNTRY, SEED = "name", "club", "country", "seed"
NUMBER_1, NUMBER_2 = "number1", "number2"
LATIN_1, LATIN_2 = "latin1", "latin2"
MINOR_1, MINOR_2 = "minor1", "minor2"
IGNORED = ""

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

# Headings as people write them, by what they mean. A heading may end in 1 or 2.
_HEADINGS: Final[Mapping[str, tuple[str, ...]]] = {
    "player": (
        "player",
        "players",
        "player name",
        "name of player",
        "full name",
        "participant",
        "p",
        "jugador",
        "jugadora",
        "jugadores",
        "nombre del jugador",
        "nombre y apellidos",
        "nombre completo",
        "atleta",
        "لاعب",
        "اللاعب",
        "اللاعبين",
        "اسم اللاعب",
        "اسم لاعب",
        "الاسم الكامل",
        "المشارك",
        "بازیکن",
        "نام بازیکن",
        "اسم بازیکن",
        "نام و نام خانوادگی",
        "نام خانوادگی",
        "شرکت کننده",
    ),
    PLAYER_1: (
        "first player",
        "player a",
        "primer jugador",
        "jugador a",
        "اللاعب الأول",
        "اسم اللاعب الأول",
        "لاعب أول",
        "بازیکن اول",
        "نام بازیکن اول",
        "نفر اول",
    ),
    PLAYER_2: (
        "second player",
        "player b",
        "partner",
        "segundo jugador",
        "jugador b",
        "compañero",
        "compañera",
        "اللاعب الثاني",
        "اسم اللاعب الثاني",
        "لاعب ثاني",
        "الشريك",
        "شريك",
        "الزميل",
        "زميله",
        "بازیکن دوم",
        "نام بازیکن دوم",
        "نفر دوم",
        "یار",
        "هم تیمی",
        "شریک",
    ),
    NAME: (
        "pair",
        "pair name",
        "name of the pair",
        "team",
        "team name",
        "couple",
        "pareja",
        "nombre de la pareja",
        "equipo",
        "nombre del equipo",
        "الزوج",
        "اسم الزوج",
        "الثنائي",
        "اسم الثنائي",
        "الفريق",
        "اسم الفريق",
        "فريق",
        "زوج",
        "نام زوج",
        "تیم",
        "نام تیم",
        "گروه",
        "نام گروه",
    ),
    "bare name": ("name", "nombre", "الاسم", "اسم", "نام"),
    CLUB: (
        "club",
        "club name",
        "café",
        "federation club",
        "nombre del club",
        "peña",
        "النادي",
        "نادي",
        "اسم النادي",
        "المقهى",
        "باشگاه",
        "نام باشگاه",
        "قهوه خانه",
    ),
    COUNTRY: (
        "country",
        "nation",
        "nationality",
        "federation",
        "country code",
        "fed",
        "país",
        "nación",
        "nacionalidad",
        "federación",
        "الدولة",
        "دولة",
        "البلد",
        "بلد",
        "الجنسية",
        "الاتحاد",
        "کشور",
        "ملیت",
        "فدراسیون",
    ),
    "number": (
        "federation number",
        "member number",
        "membership number",
        "player number",
        "licence",
        "license",
        "id",
        "player id",
        "card number",
        "número de federado",
        "número de jugador",
        "número de carnet",
        "carnet",
        "licencia",
        "cédula",
        "رقم العضوية",
        "رقم اللاعب",
        "رقم الاتحاد",
        "رقم البطاقة",
        "رقم القيد",
        "شماره عضویت",
        "شماره بازیکن",
        "کد عضویت",
        "شماره کارت",
        "کد بازیکن",
    ),
    "bare number": ("number", "número", "numero", "الرقم", "رقم", "شماره", "کد"),
    "latin": (
        "latin name",
        "name in latin letters",
        "latin",
        "english name",
        "name in english",
        "player in latin letters",
        "latin player",
        "nombre latino",
        "nombre en letras latinas",
        "nombre en alfabeto latino",
        "الاسم اللاتيني",
        "الاسم باللاتينية",
        "الاسم بالإنجليزية",
        "الاسم بالحروف اللاتينية",
        "الاسم الإنجليزي",
        "نام لاتین",
        "نام انگلیسی",
        "نام به لاتین",
        "نام به انگلیسی",
        "نام با حروف لاتین",
    ),
    "minor": (
        "minor",
        "is minor",
        "under 18",
        "u18",
        "junior",
        "player is a minor",
        "menor",
        "menor de edad",
        "قاصر",
        "دون 18",
        "تحت 18",
        "خردسال",
        "زیر 18 سال",
        "mineur",
        "mineure",
        "menor de idade",
    ),
    SEED: (
        "seed",
        "seeding",
        "cabeza de serie",
        "siembra",
        "preclasificación",
        "التصنيف",
        "تصنيف",
        "المصنف",
        "سید",
        "سیدبندی",
        "رده",
        "رتبه",
    ),
    IGNORED: (
        "no",
        "nr",
        "n",
        "nº",
        "n°",
        "row",
        "line",
        "fila",
        "م",
        "مسلسل",
        "تسلسل",
        "ردیف",
        "ر",
    ),
}
_MEANINGS: Final = {
    folded(heading): meaning for meaning, headings in _HEADINGS.items() for heading in headings
}
_ENDS_IN_ONE_OR_TWO: Final = re.compile(r"^(.*?) ?([12])$")
# What stands between two players in one cell, the surest first.
_BETWEEN_PLAYERS: Final = (
    re.compile(r"\s*[/\\&+؛|]\s*"),
    re.compile(r"\s+[-–—]\s+|\s*،\s*"),
    re.compile(r"\s+(?:and|y|و)\s+"),
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
    if plain in _MEANINGS:
        return _MEANINGS[plain], ""
    found = _ENDS_IN_ONE_OR_TWO.match(plain)
    if found is not None and found[1] in _MEANINGS:
        return _MEANINGS[found[1]], found[2]
    middle = re.match(r"^(.*) ([12])( .*)$", plain)
    if middle is not None and middle[1] + middle[3] in _MEANINGS:
        return _MEANINGS[middle[1] + middle[3]], middle[2]
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
