"""What an event says about late entries, absences and categories, where it differs from usual."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tournaments.models import Absence, Stage, Tournament

HALF: Final = "half"
# Kinds of absence in the order people ask about them.
KINDS: Final = (Absence.Kind.ABSENT, Absence.Kind.EXCUSED, Absence.Kind.LATE)
LATEST_ROUND: Final = 50
# Once these are drawn, how many rounds there are is known.
_ALL_ROUNDS_KNOWN: Final = (Stage.System.ROUND_ROBIN, Stage.System.GROUPS, Stage.System.SCHEDULE)
MOST_EXCUSED: Final = 50
APPEAL_MINUTES: Final = "appeal_minutes"
MOST_APPEAL_MINUTES: Final = 10_080
MOST_SUBSTITUTES: Final = 6


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
    most_substitutes: int | None = None


def categories_of(tournament: Tournament) -> tuple[str, ...]:
    """Return the categories of an event in the director's order; most events have none."""
    return tuple(tournament.policies.get("categories", ()))


def most_excused(tournament: Tournament) -> int | None:
    """Return how often an entry may be excused in a stage, None for as often as it asks."""
    return tournament.policies.get("most_excused")  # type: ignore[no-any-return]


def most_substitutes(tournament: Tournament) -> int | None:
    """Return how many substitutes an entry may have, None where the event says nothing."""
    return tournament.policies.get("most_substitutes")  # type: ignore[no-any-return]


def appeal_minutes(tournament: Tournament) -> int | None:
    """Return for how many minutes after a result appeals are taken, None without limit."""
    return tournament.policies.get(APPEAL_MINUTES)  # type: ignore[no-any-return]


def late_limit(stage: Stage) -> int | None:
    """Return the last round a late entry may still play from, None without limit.

    Of an odd number of rounds the half is the larger one: of 9 rounds the fifth.
    """
    said = stage.tournament.policies.get("late_entry", HALF)
    if said != HALF:
        return int(said)
    planned = stage.rounds_planned
    if planned is None and stage.system in _ALL_ROUNDS_KNOWN:
        planned = stage.rounds.count() or None
    return None if planned is None else (planned + 1) // 2
