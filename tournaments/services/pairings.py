"""Makes stages, seats their rounds and publishes them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User

from tournaments.models import PairingRound, Stage, Tournament


@dataclass(frozen=True, slots=True)
class TableData:
    """A table made by hand. `entries` are entry numbers: pairs as (AC, BD), singles by seat."""

    table: int
    entries: tuple[int, ...]


def make_round_robin(
    tournament: Tournament, *, name: str = "", legs: int = 1, by: User
) -> Stage:
    """Make a stage with all its rounds as drafts. Asked twice, the first one is returned."""
    raise NotImplementedError


def make_manual_stage(tournament: Tournament, *, name: str = "", by: User) -> Stage:
    """Make a stage whose rounds are seated by hand; the open one of that name if there is one."""
    raise NotImplementedError


def save_manual_round(
    stage: Stage,
    *,
    number: int,
    tables: Sequence[TableData],
    byes: Sequence[int] = (),
    by: User,
) -> PairingRound:
    """Seat draft round `number` (an existing draft or the next) anew. `byes`: entry numbers."""
    raise NotImplementedError


def publish(
    pairing_round: PairingRound, *, leave_out: bool = False, by: User
) -> PairingRound:
    """Show a draft to everybody. `leave_out`: entries without table or bye are meant to be."""
    raise NotImplementedError


def discard_stage(stage: Stage, *, by: User) -> None:
    """Throw away a stage nothing of which has been published."""
    raise NotImplementedError
