"""One line of a list of entries: its cells to an entry, and a sentence for what is wrong."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from django.utils.translation import gettext_noop

from tournaments.countries import country_code
from tournaments.digits import to_latin_digits
from tournaments.lists import columns
from tournaments.lists.sheets import Cell, Line
from tournaments.names import folded
from tournaments.services.entries import EntryRow, PlayerData

LONGEST: Final[Mapping[str, int]] = {
    columns.NUMBER_1: 32,
    columns.NUMBER_2: 32,
    columns.NAME: 250,
    columns.BOTH: 250,
}
USUALLY_LONGEST: Final = 120
LARGEST_SEED: Final = 100_000
_NOTHING: Final = Cell()


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong on a line, as a whole sentence with its remedy."""

    code: str
    text: str
    params: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the list: its letter, its heading if it has one, and what it holds."""

    letter: str
    heading: str
    field: str

    @property
    def label(self) -> str:
        return self.heading or self.letter


FORMULA = gettext_noop(
    "Line %(line)s, column %(column)s: there is a formula without a stored value. Replace it by"
    " its value (copy, then paste values only)."
)
ERROR_VALUE = gettext_noop(
    "Line %(line)s, column %(column)s: the spreadsheet shows the error %(found)s. Correct the cell."
)
CONTROL = gettext_noop(
    "Line %(line)s, column %(column)s: “%(found)s” has signs that no name has. Choose another"
    " encoding above, or type the cell again."
)
TOO_LONG = gettext_noop(
    "Line %(line)s, column %(column)s: “%(found)s” is too long. At most %(limit)s signs are kept;"
    " shorten it."
)
NO_LETTERS = gettext_noop(
    "Line %(line)s, column %(column)s: “%(found)s” is no name. Write the name of the player."
)
NO_PLAYER = gettext_noop("Line %(line)s: column %(column)s is empty. Write the name of the player.")
NO_PLAYERS = gettext_noop(
    "Line %(line)s has no player. Write the names of both players, or remove the line."
)
PARTNER_MISSING = gettext_noop(
    "Line %(line)s names only %(player)s. A pair is two players: write the other one in column"
    " %(column)s."
)
NOT_TWO_IN_ONE = gettext_noop(
    "Line %(line)s, column %(column)s: “%(found)s” is one player. Write both players of the pair"
    " with a slash between them, for example “Rosa / Ana”."
)
SAME_PLAYER = gettext_noop(
    "Line %(line)s names %(player)s twice. A pair is two different players: correct one name."
)
TWICE_IN_LIST = gettext_noop(
    "Line %(line)s: %(player)s is already on line %(first)s. Remove one of the two; if they are"
    " two people, give each a federation number."
)
NUMBER_TWICE = gettext_noop(
    "Line %(line)s: number %(number)s stands with %(player)s here and with %(other)s on line"
    " %(first)s. A number belongs to one person: correct one of them."
)
UNKNOWN_COUNTRY = gettext_noop(
    "Line %(line)s, column %(column)s: “%(found)s” is no country we know. Write its name or its"
    " two letters, for example EG, IR, ES."
)
SEED_NO_NUMBER = gettext_noop(
    "Line %(line)s, column %(column)s: the seed “%(found)s” is no whole number from 1 to"
    " %(limit)s. Correct it or leave it empty."
)


class LineReader:
    """Reads the lines of one list in order; remembers who stood on which line."""

    def __init__(self, shown: Sequence[Column], kind: str) -> None:
        self.kind = kind
        self.columns = {column.field: (n, column) for n, column in enumerate(shown)}
        self.named: dict[tuple[str, str], int] = {}
        self.numbered: dict[str, tuple[str, int]] = {}

    def read(self, line: Line) -> tuple[EntryRow, tuple[Problem, ...]]:
        """Return the entry of a line and what is wrong with it."""
        problems = self._faults(line)
        club = self._text(line, columns.CLUB)
        country = self._country(line, problems)
        players = self._players(line, club, country, problems)
        row = EntryRow(
            line=line.number,
            players=players,
            name=self._text(line, columns.NAME),
            club=club,
            seed=self._seed(line, problems),
        )
        if not problems:
            problems = self._repeats(row)
        return row, tuple(problems)

    def _cell(self, line: Line, name: str) -> Cell:
        if name not in self.columns:
            return _NOTHING
        number = self.columns[name][0]
        return line.cells[number] if number < len(line.cells) else _NOTHING

    def _text(self, line: Line, name: str) -> str:
        return self._cell(line, name).text

    def _label(self, name: str) -> str:
        return self.columns[name][1].label if name in self.columns else ""

    def _faults(self, line: Line) -> list[Problem]:
        """Return what is wrong with the cells themselves."""
        problems = []
        for name in self.columns:
            cell, where = self._cell(line, name), self._where(line, name)
            limit = LONGEST.get(name, USUALLY_LONGEST)
            if not name:
                continue
            if cell.fault == "formula":
                problems.append(Problem("formula", FORMULA, where))
            elif cell.fault == "error":
                problems.append(Problem("error_value", ERROR_VALUE, where))
            elif cell.fault == "control":
                problems.append(Problem("control_characters", CONTROL, where))
            elif cell.fault == "long" or len(cell.text) > limit:
                shown = {**where, "found": cell.text[:40] + "…", "limit": limit}
                problems.append(Problem("text_too_long", TOO_LONG, shown))
            elif name in _PLAYERS and cell.text and not folded(cell.text):
                problems.append(Problem("no_letters", NO_LETTERS, where))
        return problems

    def _where(self, line: Line, name: str) -> dict[str, object]:
        return {
            "line": line.number,
            "column": self._label(name),
            "found": self._text(line, name),
        }

    def _country(self, line: Line, problems: list[Problem]) -> str:
        written = self._text(line, columns.COUNTRY)
        code = country_code(written) if written else ""
        if code is None:
            where = self._where(line, columns.COUNTRY)
            problems.append(Problem("unknown_country", UNKNOWN_COUNTRY, where))
        return code or ""

    def _seed(self, line: Line, problems: list[Problem]) -> int | None:
        written = to_latin_digits(self._text(line, columns.SEED))
        if not written:
            return None
        if written.isdecimal() and len(written) <= 6 and 1 <= int(written) <= LARGEST_SEED:
            return int(written)
        where = self._where(line, columns.SEED) | {"limit": LARGEST_SEED}
        problems.append(Problem("seed_no_number", SEED_NO_NUMBER, where))
        return None

    def _players(
        self, line: Line, club: str, country: str, problems: list[Problem]
    ) -> tuple[PlayerData, ...]:
        names = [self._text(line, columns.PLAYER_1), self._text(line, columns.PLAYER_2)]
        if columns.BOTH in self.columns:
            names = list(columns.both_players(self._text(line, columns.BOTH)))
        if self.kind == "single":
            names = names[:1]
        if not problems:
            problems += self._missing(line, names)
        numbers = (columns.NUMBER_1, columns.NUMBER_2)
        latin = (columns.LATIN_1, columns.LATIN_2)
        minors = (columns.MINOR_1, columns.MINOR_2)
        return tuple(
            PlayerData(
                name=name,
                latin_name=self._text(line, latin[n]),
                club=club,
                country=country,
                number=to_latin_digits(self._text(line, numbers[n])),
                is_minor=columns.is_minor(self._text(line, minors[n])),
            )
            for n, name in enumerate(names)
            if name
        )

    def _missing(self, line: Line, names: Sequence[str]) -> list[Problem]:
        if all(names):
            return []
        if self.kind == "single":
            where = {"line": line.number, "column": self._label(columns.PLAYER_1)}
            return [Problem("no_player", NO_PLAYER, where)]
        if not any(names):
            return [Problem("no_players", NO_PLAYERS, {"line": line.number})]
        if columns.BOTH in self.columns:
            where = self._where(line, columns.BOTH)
            return [Problem("one_player", NOT_TWO_IN_ONE, where)]
        empty = columns.PLAYER_1 if not names[0] else columns.PLAYER_2
        where = {
            "line": line.number,
            "player": names[0] or names[1],
            "column": self._label(empty),
        }
        return [Problem("one_player", PARTNER_MISSING, where)]

    def _repeats(self, row: EntryRow) -> list[Problem]:
        """Return who stands on an earlier line too, then remember this one."""
        problems = []
        seen: set[tuple[str, str]] = set()
        for player in row.players:
            person = _person(player)
            where = {"line": row.line, "player": player.name}
            other, first = self.numbered.get(player.number.casefold(), ("", 0))
            if person in seen:
                problems.append(Problem("same_player", SAME_PLAYER, where))
            elif first and folded(other) != folded(player.name):
                problems.append(
                    Problem(
                        "number_twice",
                        NUMBER_TWICE,
                        {
                            **where,
                            "number": player.number,
                            "other": other,
                            "first": first,
                        },
                    )
                )
            elif person in self.named:
                problems.append(
                    Problem(
                        "twice_in_list",
                        TWICE_IN_LIST,
                        {
                            **where,
                            "first": self.named[person],
                        },
                    )
                )
            seen.add(person)
        if not problems:
            for player in row.players:
                self.named[_person(player)] = row.line
                if player.number:
                    self.numbered[player.number.casefold()] = (player.name, row.line)
        return problems


_PLAYERS: Final = (columns.PLAYER_1, columns.PLAYER_2, columns.BOTH)


def _person(player: PlayerData) -> tuple[str, str]:
    """Return what tells a person from others: the number, else name and club."""
    if player.number:
        return "number", player.number.casefold()
    return folded(player.name), folded(player.club)
