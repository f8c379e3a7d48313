"""What an event says about late entries, absences and categories, where it differs from usual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournaments.models import Absence, Stage, Tournament

HALF: Final = "half"
# Kinds of absence in the order people ask about them.
KINDS: Final = (Absence.Kind.ABSENT, Absence.Kind.EXCUSED, Absence.Kind.LATE)
LATEST_ROUND: Final = 50
MOST_EXCUSED: Final = 50


@dataclass(frozen=True, slots=True)
class Policies:
    """What an event says; None is what is usual.

    `bye` and `absences` are points for and against. `late_entry` is the last round a late entry
    may still be drawn for, HALF for half of the rounds, 0 for no late entries.
    """

    bye: tuple[int, int] | None = None
    absences: tuple[tuple[str, tuple[int, int]], ...] = ()
    most_excused: int | None = None
    late_entry: int | str = HALF


def categories_of(tournament: Tournament) -> tuple[str, ...]:
    """Return the categories of an event in the director's order; most events have none."""
    return tuple(tournament.policies.get("categories", ()))


def most_excused(tournament: Tournament) -> int | None:
    """Return how often an entry may be excused in a stage, None for as often as it asks."""
    return tournament.policies.get("most_excused")  # type: ignore[no-any-return]


def late_limit(stage: Stage) -> int | None:
    """Return the last round a late entry may still play from, None without limit.

    Of an odd number of rounds the half is the larger one: of 9 rounds the fifth.
    """
    said = stage.tournament.policies.get("late_entry", HALF)
    if said != HALF:
        return int(said)
    planned = stage.rounds_planned
    return None if planned is None else (planned + 1) // 2
