"""Records what each seat took from a match, and follows up: round, byes, standings."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

from django.contrib.auth.models import User

from tournaments.models import Entry, Match


@dataclass(frozen=True, slots=True)
class SeatResult:
    """What one seat leaves with.

    `points_for` and `points_against` are what counts in the standings, deductions already taken
    off; `deducted` are the penalty points among them. `outcome` is a MatchSeat.Outcome.
    """

    points_for: int
    points_against: int
    outcome: str
    deducted: int = 0
    rounds_won: int = 0


def start_match(match: Match, *, by: User) -> Match:
    """Play begins at a table (and in its pairing round). Asked twice, it began the first time."""
    raise NotImplementedError


def record_result(match: Match, *, seats: Mapping[str, SeatResult], by: User) -> Match:
    """Write one result per seat ("A" to "D") and close the match; the same again does nothing.

    A closed match with another result is refused: the director reopens it first.
    """
    raise NotImplementedError


def record_walkover(match: Match, *, absent: Collection[Entry], by: User) -> Match:
    """Close a match nobody could play: the absent lose 0 to target, those present win half."""
    raise NotImplementedError


def reopen_match(match: Match, *, by: User) -> Match:
    """Take the result back for a correction; a director's act."""
    raise NotImplementedError
