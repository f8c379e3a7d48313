"""Qualifiers: who goes on from closed groups, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import TypeAlias

from engine.errors import DominoError, counted
from tournaments.competition.seeding import Qualifier
from tournaments.competition.types import Contender

# What a row of the standings is worth beside those of other groups; more is better.
Worth: TypeAlias = tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class GroupRow:
    """A row of a group's standings.

    `values` are the sums the standings are ordered by, the first counting most and more being
    better, out of `matches` matches; what belongs to one group alone, such as direct meetings,
    is left out of them. `lot` parts rows of different groups that are level, less being better.
    """

    entry: str
    matches: int
    values: tuple[int, ...] = ()
    lot: int = 0


@dataclass(frozen=True, slots=True)
class ClosedGroup:
    """A group whose standings change no more: its rows in order, the first having won it."""

    name: str
    rows: tuple[GroupRow, ...]


@dataclass(frozen=True, slots=True)
class Quota:
    """How many of each group go on to the main event, and then to a second one.

    `each` are the first places of every group; `best_next` are the best of those one place
    lower, in all groups together; `second` are the next places of every group, as many as that
    without those already in the main event.
    """

    each: int
    best_next: int = 0
    second: int = 0

    def __post_init__(self) -> None:
        if min(self.each, self.best_next, self.second) < 0:
            raise ValueError(f"expected no number below 0, got {self}")


@dataclass(frozen=True, slots=True)
class Qualified:
    """Who goes on: the entries of the main event and of the second, each ranked from 1."""

    main: tuple[Qualifier, ...]
    second: tuple[Qualifier, ...]


class GroupTooSmall(DominoError):
    code = "group_too_small"
    text, plural = counted(
        "%(needed)s of every group is to go on, but group %(group)s has %(found)s. Let fewer go"
        " on.",
        "%(needed)s of every group are to go on, but group %(group)s has %(found)s. Let fewer "
        "go on.",
    )
    counts = "needed"


class TooFewNext(DominoError):
    code = "too_few_next"
    text, plural = counted(
        "The best in place %(place)s is to go on, but the groups have %(found)s there. Let "
        "fewer go on.",
        "The %(wanted)s best in place %(place)s are to go on, but the groups have %(found)s "
        "there. Let fewer go on.",
    )
    counts = "wanted"


def qualified(groups: Sequence[ClosedGroup], quota: Quota) -> Qualified:
    """Return who goes on, by place in the group, then by record.

    Groups need not be of one size: the record is what an entry had a match on average, compared
    exactly, for each value in turn. Level ones follow their lot, then their name.

    Raises GroupTooSmall or TooFewNext.
    """
    needed = quota.each + quota.second
    for group in groups:
        if len(group.rows) < needed:
            raise GroupTooSmall(group=group.name, needed=needed, found=len(group.rows))
    following = _ordered(groups, quota.each, quota.each + 1)
    if len(following) < quota.best_next:
        raise TooFewNext(wanted=quota.best_next, place=quota.each + 1, found=len(following))
    best = following[: quota.best_next]
    main = _ordered(groups, 0, quota.each) + best
    second = [one for one in _ordered(groups, quota.each, needed) if one not in best]
    return Qualified(_ranked(main), _ranked(second))


@dataclass(frozen=True, slots=True)
class _Placed:
    row: GroupRow
    group: str
    place: int

    @property
    def order(self) -> tuple[int, Worth, int, str]:
        # Nobody has an average of no matches; it is as if all had been drawn at nothing.
        matches = self.row.matches or 1
        worth = tuple(Fraction(-value, matches) for value in self.row.values)
        return self.place, worth, self.row.lot, self.row.entry


def _ordered(groups: Sequence[ClosedGroup], first: int, end: int) -> list[_Placed]:
    """Return who stands at these places, counted from 0, of the groups that have them."""
    found = [
        _Placed(row, group.name, place)
        for group in groups
        for place, row in enumerate(group.rows[first:end], start=first + 1)
    ]
    return sorted(found, key=lambda one: one.order)


def _ranked(placed: Sequence[_Placed]) -> tuple[Qualifier, ...]:
    return tuple(
        Qualifier(Contender(one.row.entry, rank), one.group, one.place)
        for rank, one in enumerate(placed, start=1)
    )
