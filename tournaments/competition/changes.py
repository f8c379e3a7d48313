"""Changes of a drawn round by hand: what they make of it, what that costs, and how grave it is."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import IntEnum, StrEnum
from itertools import combinations

from engine.errors import DominoError, counted, marked
from tournaments.competition.reading import list_at
from tournaments.competition.requests_swiss import pairs_at
from tournaments.competition.types import BadRequest, Contender, Pairing

# From so many wins apart a table is no longer one of neighbours.
GRAVE_GAP = 2


class NotInRound(DominoError):
    code = "not_in_round"
    text = marked("Entry %(entry)s has neither a table nor a bye in this round. Choose another.")


class NoSuchTable(DominoError):
    code = "no_such_table"
    text = marked("There is no table %(table)s in this round. Choose one that is listed.")


class SameTwice(DominoError):
    code = "same_twice"
    text = marked("Entry %(entry)s cannot change places with itself. Pick somebody else.")


class NotResting(DominoError):
    code = "not_resting"
    text = marked(
        "Entry %(entry)s has no bye in this round. Only entries with a bye get a new table."
    )


class DoesNotFillTable(DominoError):
    code = "does_not_fill_table"
    text, plural = counted(
        "A table here is for %(needed)s, but %(found)s was picked. Pick as many as it has.",
        "A table here is for %(needed)s, but %(found)s were picked. Pick as many as it has.",
    )
    counts = "found"


class Act(StrEnum):
    """What a director does to a round by hand."""

    SWAP = "swap"
    RENUMBER = "renumber"
    REST = "rest"
    SEAT = "seat"


@dataclass(frozen=True, slots=True)
class Change:
    """One change: two `entries` swapped (or those that get a table), or a `table`'s `number`."""

    act: Act
    entries: tuple[str, ...] = ()
    table: int = 0
    number: int = 0


@dataclass(frozen=True, slots=True)
class Seating:
    """Who sits where in a round, and who rests."""

    tables: tuple[Pairing, ...]
    byes: tuple[str, ...]

    @property
    def entries(self) -> tuple[str, ...]:
        return tuple(one for table in self.tables for one in table.entries) + self.byes

    def fingerprint(self) -> str:
        """Return a short text that another seating does not have."""
        written = repr(
            (
                sorted((one.table, sorted(one.sides.items())) for one in self.tables),
                sorted(self.byes),
            )
        )
        return hashlib.sha256(written.encode("utf-8", "surrogatepass")).hexdigest()[:16]


class Kind(StrEnum):
    """What can be wrong with a table or a bye."""

    FORBIDDEN = "forbidden"
    REPEATED_PARTNER = "repeated_partner"
    REMATCH = "rematch"
    BYE_AGAIN = "bye_again"
    REPEATED_OPPONENT = "repeated_opponent"
    SAME_CLUB = "same_club"
    WIN_GAP = "win_gap"


class Gravity(IntEnum):
    """How grave a blemish is."""

    NONE = 0
    SLIGHT = 1
    GRAVE = 2
    FORBIDDEN = 3


_GRAVITY = {
    Kind.FORBIDDEN: Gravity.FORBIDDEN,
    Kind.REPEATED_PARTNER: Gravity.GRAVE,
    Kind.REMATCH: Gravity.GRAVE,
    Kind.BYE_AGAIN: Gravity.GRAVE,
    Kind.REPEATED_OPPONENT: Gravity.SLIGHT,
    Kind.SAME_CLUB: Gravity.SLIGHT,
    Kind.WIN_GAP: Gravity.SLIGHT,
}


@dataclass(frozen=True, slots=True)
class Blemish:
    """Something a draw would rather not have. `amount`: how often before, or how many wins."""

    kind: Kind
    entries: tuple[str, ...]
    amount: int = 1

    @property
    def gravity(self) -> Gravity:
        if self.kind is Kind.WIN_GAP and self.amount >= GRAVE_GAP:
            return Gravity.GRAVE
        return _GRAVITY[self.kind]


@dataclass(frozen=True, slots=True)
class Cost:
    """What a change brings, and what it takes away."""

    worse: tuple[Blemish, ...]
    better: tuple[Blemish, ...]

    @property
    def gravity(self) -> Gravity:
        return max((one.gravity for one in self.worse), default=Gravity.NONE)


class Facts:
    """What is known of the entries of a round: wins, byes, clubs, and who met whom."""

    def __init__(
        self,
        contenders: Iterable[Contender],
        *,
        met: Iterable[Sequence[str]] = (),
        partnered: Iterable[Sequence[str]] = (),
        forbidden: Iterable[Sequence[str]] = (),
        partners_change: bool = False,
    ) -> None:
        self.known = {one.id: one for one in contenders}
        self.met = Counter(_two(*pair[:2]) for pair in met)
        self.partnered = Counter(_two(*pair[:2]) for pair in partnered)
        self.forbidden = {_two(*pair[:2]) for pair in forbidden}
        self.partners_change = partners_change

    @classmethod
    def of(cls, request: Mapping[str, object], contenders: Iterable[Contender]) -> Facts:
        """Return what a request for a draw says."""
        return cls(
            contenders,
            met=_rows(request, "met"),
            partnered=_rows(request, "partnered"),
            forbidden=pairs_at(request, "forbidden"),
            partners_change="partnered" in request,
        )

    def blemishes(self, seating: Seating) -> tuple[Blemish, ...]:
        """Return all that is wrong with a seating, the gravest first."""
        found = [one for table in seating.tables for one in self.of_table(table)]
        found += [
            Blemish(Kind.BYE_AGAIN, (one,), self.known[one].byes)
            for one in seating.byes
            if one in self.known and self.known[one].byes
        ]
        return tuple(sorted(found, key=lambda one: -one.gravity))

    def of_table(self, table: Pairing) -> list[Blemish]:
        """Return what is wrong with one table."""
        side_of = {one: side for side, ids in table.sides.items() for one in ids}
        found: list[Blemish] = []
        for one, other in combinations(table.entries, 2):
            two = _two(one, other)
            partners = side_of[one] == side_of[other]
            if two in self.forbidden:
                found.append(Blemish(Kind.FORBIDDEN, two))
            if partners and self.partnered[two]:
                found.append(Blemish(Kind.REPEATED_PARTNER, two, self.partnered[two]))
            if not partners and self.met[two]:
                kind = Kind.REPEATED_OPPONENT if self.partners_change else Kind.REMATCH
                found.append(Blemish(kind, two, self.met[two]))
            if not partners and self._club(one) and self._club(one) == self._club(other):
                found.append(Blemish(Kind.SAME_CLUB, two))
        wins = [self.known[one].wins for one in table.entries if one in self.known]
        if wins and max(wins) > min(wins):
            entries = tuple(sorted(table.entries))
            found.append(Blemish(Kind.WIN_GAP, entries, max(wins) - min(wins)))
        return found

    def cost(self, before: Seating, after: Seating) -> Cost:
        """Return what a change from one seating to another costs."""
        old, new = Counter(self.blemishes(before)), Counter(self.blemishes(after))
        return Cost(tuple((new - old).elements()), tuple((old - new).elements()))

    def _club(self, entry: str) -> str:
        return self.known[entry].club if entry in self.known else ""


def changed(seating: Seating, change: Change, *, sides: Mapping[str, int]) -> Seating:
    """Return the seating after a change.

    `sides` says which sides a new table has, and how many entries each of them. Raises
    NotInRound, NoSuchTable, SameTwice, NotResting, DoesNotFillTable, or BadRequest for a swap of
    other than two.
    """
    match change.act:
        case Act.SWAP:
            if len(change.entries) != 2:
                found = str(len(change.entries))
                raise BadRequest(path="entries", expected="two entries", found=found)
            return _swapped(seating, *change.entries)
        case Act.RENUMBER:
            return _renumbered(seating, change.table, change.number)
        case Act.REST:
            return _at_rest(seating, change.table)
        case Act.SEAT:
            return _seated(seating, change, sides)


def _swapped(seating: Seating, one: str, other: str) -> Seating:
    for entry in (one, other):
        if entry not in seating.entries:
            raise NotInRound(entry=entry)
    if one == other:
        raise SameTwice(entry=one)
    now = {one: other, other: one}
    return Seating(
        tuple(
            replace(
                table,
                sides={
                    side: tuple(now.get(entry, entry) for entry in ids)
                    for side, ids in table.sides.items()
                },
            )
            for table in seating.tables
        ),
        tuple(now.get(entry, entry) for entry in seating.byes),
    )


def _renumbered(seating: Seating, table: int, number: int) -> Seating:
    """Give a table another number; whoever has that one gets the old one."""
    _table(seating, table)
    now = {table: number, number: table}
    moved = [replace(one, table=now.get(one.table, one.table)) for one in seating.tables]
    return Seating(tuple(sorted(moved, key=lambda one: one.table)), seating.byes)


def _at_rest(seating: Seating, table: int) -> Seating:
    gone = _table(seating, table)
    left = tuple(one for one in seating.tables if one is not gone)
    return Seating(left, seating.byes + gone.entries)


def _seated(seating: Seating, change: Change, sides: Mapping[str, int]) -> Seating:
    for entry in change.entries:
        if entry not in seating.byes:
            raise NotResting(entry=entry)
    needed = sum(sides.values())
    if len(set(change.entries)) != needed:
        raise DoesNotFillTable(needed=needed, found=len(set(change.entries)))
    waiting = list(change.entries)
    seated = {}
    for name, places in sides.items():
        seated[name], waiting = tuple(waiting[:places]), waiting[places:]
    taken = {one.table for one in seating.tables}
    number = change.number or max(taken, default=0) + 1
    while number in taken:
        number += 1
    tables = sorted([*seating.tables, Pairing(number, seated)], key=lambda one: one.table)
    resting = tuple(one for one in seating.byes if one not in change.entries)
    return Seating(tuple(tables), resting)


def _table(seating: Seating, number: int) -> Pairing:
    for one in seating.tables:
        if one.table == number:
            return one
    raise NoSuchTable(table=number)


def _two(one: str, other: str) -> tuple[str, str]:
    return (one, other) if one < other else (other, one)


def _rows(request: Mapping[str, object], name: str) -> list[Sequence[str]]:
    """Return the rows of a list of meetings; the round that may stand third does not matter."""
    rows: list[Sequence[str]] = []
    for n, row in enumerate(list_at(request.get(name) or [], name)):
        items = [str(item) for item in list_at(row, f"{name}[{n}]")]
        if len(items) < 2:
            raise BadRequest(path=f"{name}[{n}]", expected="two entries", found=f"{len(items)}")
        rows.append(items)
    return rows
