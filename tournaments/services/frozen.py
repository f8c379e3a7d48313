"""Standings as they were when a round ended: kept with the round, counted anew by a correction."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from itertools import takewhile
from typing import Any, Final

from django.db.models.fields.json import KT
from django.utils import timezone

from tournaments.models import PairingRound, Stage

_DIGEST: Final = KT("standings__digest")


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


Digest = Callable[[int], str]
Count = Callable[[int, Sequence[str]], Sequence[FrozenRow]]


def freeze(stage: Stage, digest: Digest, count: Count) -> bool:
    """Keep the standings after every round that is over, with all the rounds before it.

    What is kept already stays, with the chain of its time, unless its results were corrected.
    `digest` tells the results up to and with a round from any others; `count` returns the rows
    they make under a chain of tie-breaks. Returns whether a round was new or corrected.
    """
    # Only the digests are read of all rounds: the rows of a big event are long.
    rounds = stage.rounds.order_by("number").values_list("pk", "number", "state", _DIGEST)
    over = takewhile(lambda one: one[2] == PairingRound.State.FINISHED, rounds)
    wanted = {pk: told for pk, number, _, kept in over if (told := digest(number)) != kept}
    if not wanted:
        return False
    changed = list(stage.rounds.defer("draw").filter(pk__in=wanted).order_by("number"))
    for pairing_round in changed:
        kept: dict[str, Any] = pairing_round.standings or {}
        chain = kept.get("tie_breaks") or list(stage.tie_breaks)
        rows = count(pairing_round.number, chain)
        pairing_round.standings = {
            "digest": wanted[pairing_round.pk],
            "tie_breaks": chain,
            "rows": [asdict(row) for row in rows],
            "corrections": [*kept.get("corrections", ()), *_correction(kept, rows)],
        }
    PairingRound.objects.bulk_update(changed, ["standings"])
    return True


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
