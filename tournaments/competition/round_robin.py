"""Full schedule of a round robin: every two entries meet once in a leg."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.errors import DominoError, marked
from tournaments.competition.seating import by_table
from tournaments.competition.types import (
    Contender,
    ContenderTwice,
    RankTwice,
    ScheduledRound,
    TooFewContenders,
    TooManyContenders,
)

LARGEST_FIELD = 1000
LARGEST_LEGS = 10


class ForbiddenInRoundRobin(DominoError):
    code = "forbidden_in_round_robin"
    text = marked(
        "Everybody meets everybody here, but %(one)s and %(other)s must not meet: in round "
        "%(round)s they do. Allow this meeting, or draw by another system."
    )


def schedule(
    contenders: Iterable[Contender],
    *,
    legs: int = 1,
    rounds: int | None = None,
    forbidden: Iterable[tuple[str, str]] = (),
) -> tuple[ScheduledRound, ...]:
    """Return all rounds or the first `rounds`, each with its tables in order of the best rank.

    The entries stand on a ring; in a round those meet whose places add up to the same number.
    With an even number the last one stands in the middle and meets whoever would be left over.
    Along the ring each entry is side AC against the half that follows it, so no entry has a
    side more than once oftener than the other; each leg turns the sides of the one before.

    Raises ForbiddenInRoundRobin where two of `forbidden` would meet in these rounds.
    """
    ranked = by_rank(contenders)
    if len(ranked) < 2:
        raise TooFewContenders(needed=2, found=len(ranked))
    if len(ranked) > LARGEST_FIELD:
        raise TooManyContenders(found=len(ranked), limit=LARGEST_FIELD)
    if not 1 <= legs <= LARGEST_LEGS:
        raise ValueError(f"expected 1 to {LARGEST_LEGS} legs, got {legs}")
    ring = len(ranked) - 1 + len(ranked) % 2
    asked = legs * ring if rounds is None else min(rounds, legs * ring)
    found = tuple(_round(ranked, ring, number) for number in range(1, asked + 1))
    _require_allowed(found, {frozenset(two) for two in forbidden})
    return found


def _require_allowed(rounds: Iterable[ScheduledRound], forbidden: set[frozenset[str]]) -> None:
    if not forbidden:
        return
    for one in rounds:
        for table in one.tables:
            if frozenset(table.entries) in forbidden:
                first, second = table.entries
                raise ForbiddenInRoundRobin(one=first, other=second, round=one.number)


def _round(ranked: Sequence[Contender], ring: int, number: int) -> ScheduledRound:
    leg, turn = divmod(number - 1, ring)
    meetings, resting = _meetings(len(ranked), ring, turn)
    return ScheduledRound(
        number=number,
        tables=by_table(
            [(ranked[b], ranked[a]) if leg % 2 else (ranked[a], ranked[b]) for a, b in meetings]
        ),
        byes=tuple(ranked[one].id for one in resting),
    )


def by_rank(contenders: Iterable[Contender]) -> Sequence[Contender]:
    """Return the entries from the best rank down; refuses an entry or a rank given twice."""
    ranked = sorted(contenders, key=lambda one: (one.rank, one.id))
    ids: set[str] = set()
    for one in ranked:
        if one.id in ids:
            raise ContenderTwice(entry=one.id)
        ids.add(one.id)
    for one, other in pairwise(ranked):
        if one.rank == other.rank:
            raise RankTwice(one=one.id, other=other.id, rank=one.rank)
    return ranked


def _meetings(field: int, ring: int, turn: int) -> tuple[list[tuple[int, int]], tuple[int, ...]]:
    """Return who meets as (AC, BD), and who rests, as places in the ranking."""
    meetings = []
    resting: tuple[int, ...] = ()
    for place in range(ring):
        across = (turn - place) % ring
        if across == place:
            if field == ring:
                resting = (place,)
            else:
                # The entry in the middle has each side in every other meeting.
                middle = ring
                meetings.append((place, middle) if place % 2 else (middle, place))
        elif place < across:
            ahead = across - place
            meetings.append((place, across) if ahead <= ring // 2 else (across, place))
    return meetings, resting
