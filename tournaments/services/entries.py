"""Registers, imports and withdraws entries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import transaction

from engine.errors import DominoError
from tournaments.models import Entry, Tournament


@dataclass(frozen=True, slots=True)
class PlayerData:
    """A player as written on a form or in a file. `club` and `country` may be unknown."""

    name: str
    latin_name: str = ""
    club: str = ""
    country: str = ""
    number: str = ""


@dataclass(frozen=True, slots=True)
class EntryRow:
    """A line of a file: who enters. `line` is its number in the file, for messages."""

    line: int
    players: tuple[PlayerData, ...]
    name: str = ""
    club: str = ""
    seed: int | None = None


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """What a line leads to: an entry (new, or the one it was before), or the error in it."""

    row: EntryRow
    entry: Entry | None = None
    is_new: bool = False
    error: DominoError | None = None


def register(
    tournament: Tournament,
    *,
    players: Sequence[PlayerData],
    name: str = "",
    club: str = "",
    seed: int | None = None,
    by: User,
) -> Entry:
    """Register an entry. Players are found by federation number, else by name and club."""
    raise NotImplementedError


def preview_entries(
    tournament: Tournament, *, rows: Sequence[EntryRow], by: User
) -> tuple[ImportedRow, ...]:
    """Say what importing `rows` would do, line by line; stores nothing, never refuses a line."""
    raise NotImplementedError


def import_entries(
    tournament: Tournament, *, rows: Sequence[EntryRow], by: User
) -> tuple[ImportedRow, ...]:
    """Register all rows or, with ImportRefused (`.lines`), none. Imported twice, entered once."""
    raise NotImplementedError


def change_entry(
    entry: Entry, *, name: str = "", club: str = "", seed: int | None = None, by: User
) -> Entry:
    """Correct the name, club or seed of an entry."""
    raise NotImplementedError


def withdraw(entry: Entry, *, by: User) -> Entry:
    """Take an entry out of later rounds. Asked twice, it is withdrawn once."""
    raise NotImplementedError


def reinstate(entry: Entry, *, by: User) -> Entry:
    """Let a withdrawn entry return."""
    raise NotImplementedError
