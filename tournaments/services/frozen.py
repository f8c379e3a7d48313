"""Standings as they were when a round ended: kept with the round, counted anew by a correction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from typing import Any

from django.utils import timezone

from tournaments.competition.types import EntryResult
from tournaments.models import PairingRound, Stage


@dataclass(frozen=True, slots=True)
class FrozenRow:
    """A row of the standings after a round; `entry` is the number of the entry."""

    entry: int
    group: str
    place: int
    played: int
    values: Mapping[str, int]
    decided_by: str


@dataclass(frozen=True, slots=True)
class FrozenMove:
    """An entry whose place after a round was changed by a correction; 0 for no place."""

    entry: int
    before: int
    after: int


@dataclass(frozen=True, slots=True)
class Frozen:
    """The standings after a round, the chain that ordered them, and what corrections moved.

    `corrections` gives, for each time the results were corrected, when (ISO 8601) and who moved.
    """

    tie_breaks: tuple[str, ...]
    rows: tuple[FrozenRow, ...]
    corrections: tuple[tuple[str, tuple[FrozenMove, ...]], ...]


Count = Callable[[Sequence[EntryResult], Sequence[str]], Sequence[FrozenRow]]


def freeze(stage: Stage, results: Iterable[EntryResult], count: Count) -> bool:
    """Keep the standings after every round that is over, with all the rounds before it.

    What is kept already stays, with the chain of its time, unless its results were corrected.
    `count` returns the rows that some results make under a chain of tie-breaks. Returns whether
    a round was new or corrected.
    """
    rounds = list(stage.rounds.defer("draw").order_by("number"))
    ordered = sorted(results, key=lambda one: (one.round, one.entry))
    told = blake2b(digest_size=12)
    at = 0
    changed = []
    for pairing_round in rounds:
        if pairing_round.state != PairingRound.State.FINISHED:
            break
        while at < len(ordered) and ordered[at].round <= pairing_round.number:
            told.update(repr(ordered[at]).encode())
            at += 1
        digest = told.copy().hexdigest()
        kept: dict[str, Any] = pairing_round.standings or {}
        if kept.get("digest") == digest:
            continue
        chain = kept.get("tie_breaks") or list(stage.tie_breaks)
        rows = count(ordered[:at], chain)
        pairing_round.standings = {
            "digest": digest,
            "tie_breaks": chain,
            "rows": [asdict(row) for row in rows],
            "corrections": [*kept.get("corrections", ()), *_correction(kept, rows)],
        }
        changed.append(pairing_round)
    PairingRound.objects.bulk_update(changed, ["standings"])
    return bool(changed)


def frozen_of(pairing_round: PairingRound) -> Frozen | None:
    """Return the standings kept with a round, None where it is not over or of a bracket."""
    kept: dict[str, Any] = pairing_round.standings
    if not kept or not kept["rows"]:
        return None
    return Frozen(
        tie_breaks=tuple(kept["tie_breaks"]),
        rows=tuple(FrozenRow(**row) for row in kept["rows"]),
        corrections=tuple(
            (one["at"], tuple(FrozenMove(*move) for move in one["moves"]))
            for one in kept["corrections"]
        ),
    )


def _correction(kept: Mapping[str, Any], rows: Iterable[FrozenRow]) -> list[dict[str, object]]:
    """Return what a correction moved, as it is kept; nothing where nothing was kept before."""
    if not kept:
        return []
    before = {row["entry"]: row["place"] for row in kept["rows"]}
    after = {row.entry: row.place for row in rows}
    moves = [
        [entry, before.get(entry, 0), after.get(entry, 0)]
        for entry in sorted(before.keys() | after.keys(), key=lambda one: after.get(one, 0))
        if before.get(entry, 0) != after.get(entry, 0)
    ]
    return [{"at": timezone.now().isoformat(timespec="seconds"), "moves": moves}]
