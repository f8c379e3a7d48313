"""What the competition code works on: entries, tables, byes and results, as plain values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from engine.errors import DominoError, marked


class Outcome(StrEnum):
    """How a pairing round ended for one entry."""

    WIN = "win"
    LOSS = "loss"
    TIE = "tie"
    BYE = "bye"
    WALKOVER_WIN = "walkover_win"
    WALKOVER_LOSS = "walkover_loss"
    ABSENT = "absent"

    @property
    def is_won(self) -> bool:
        return self in _WON


_WON = frozenset({Outcome.WIN, Outcome.BYE, Outcome.WALKOVER_WIN})


class TieBreak(StrEnum):
    """What orders entries; several are asked one after the other."""

    WINS = "wins"
    DIFFERENCE = "difference"
    DIFFERENCE_CAPPED = "difference_capped"
    POINTS_FOR = "points_for"
    DIRECT = "direct"
    BUCHHOLZ = "buchholz"
    BUCHHOLZ_CUT1 = "buchholz_cut1"
    ROUNDS_WON = "rounds_won"
    FEWEST_PENALTY_POINTS = "fewest_penalty_points"
    LOT = "lot"

    @property
    def less_is_better(self) -> bool:
        return self in (TieBreak.FEWEST_PENALTY_POINTS, TieBreak.LOT)


@dataclass(frozen=True, slots=True)
class Contender:
    """An entry that is paired. `rank` is its place in the standings, or its seed.

    `wins` and `byes` are those of the rounds before; `club` and `country` are empty if unknown.
    """

    id: str
    rank: int
    wins: int = 0
    byes: int = 0
    club: str = ""
    country: str = ""


class SeparateBy(StrEnum):
    """What entries have in common that are kept apart where it costs nothing."""

    CLUB = "club"
    COUNTRY = "country"

    def of(self, contender: Contender) -> str:
        """Return the contender's club or country, empty if unknown."""
        return contender.club if self is SeparateBy.CLUB else contender.country


@dataclass(frozen=True, slots=True)
class Pairing:
    """One table of a pairing round: the entries of each side, in seat order."""

    table: int
    sides: Mapping[str, tuple[str, ...]]

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(entry for side in self.sides.values() for entry in side)

    def json(self) -> dict[str, object]:
        return {"table": self.table} | {side: list(ids) for side, ids in self.sides.items()}


@dataclass(frozen=True, slots=True)
class ScheduledRound:
    """One pairing round of a schedule."""

    number: int
    tables: tuple[Pairing, ...]
    byes: tuple[str, ...]

    def json(self) -> dict[str, object]:
        return {
            "round": self.number,
            "tables": [table.json() for table in self.tables],
            "byes": list(self.byes),
        }


@dataclass(frozen=True, slots=True)
class EntryResult:
    """What one entry took from one pairing round. The sides of a table need not mirror."""

    round: int
    entry: str
    outcome: Outcome
    opponents: tuple[str, ...] = ()
    points_for: int = 0
    points_against: int = 0
    rounds_won: int = 0
    penalty: int = 0


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the standings. `decided_by` parts it from the row above."""

    place: int
    entry: str
    values: Mapping[TieBreak, int]
    decided_by: TieBreak | None

    def json(self) -> dict[str, object]:
        return {
            "place": self.place,
            "entry": self.entry,
            "values": {str(name): value for name, value in self.values.items()},
            "decided_by": None if self.decided_by is None else str(self.decided_by),
        }


class BadRequest(DominoError):
    """A request that is malformed: what is wrong, and where."""

    code = "bad_request"
    text = marked("The request cannot be read at %(path)s: expected %(expected)s, found %(found)s.")


class TooFewContenders(DominoError):
    code = "too_few_contenders"
    text = marked(
        "There are too few entries for a draw: %(found)s found, at least %(needed)s needed. "
        "Register more, or give a bye to those who are there."
    )


class ContenderTwice(DominoError):
    code = "contender_twice"
    text = marked("Entry %(entry)s is listed twice. List each entry once.")


class RankTwice(DominoError):
    code = "rank_twice"
    text = marked(
        "Entries %(one)s and %(other)s have the same rank, %(rank)s. Give every entry its own."
    )


class TooManyContenders(DominoError):
    code = "too_many_contenders"
    text = marked(
        "A round robin of %(found)s entries is too long: %(limit)s are the most. Make groups."
    )


class ResultTwice(DominoError):
    code = "result_twice"
    text = marked(
        "Entry %(entry)s has two results in round %(round)s. Give one result an entry and round."
    )


class UnknownSystem(DominoError):
    code = "unknown_system"
    text = marked("No system of pairing is called %(found)s here. Choose one of: %(known)s.")
