"""Counts from the records for the committee: pauses, passes, infractions by player and pair.

They are counts and no findings: nothing here weighs, ranks or judges.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from referee.recorded import Recorded
from referee.timed_acts import Act, NoPause, Taken, Times, Why, acts_of

FALSE_PASS: Final = "false_pass"  # noqa: S105  (a kind of infraction)
# With fewer pauses than these a median says more about chance than about anybody.
FEWEST: Final = 20

Who = tuple[int, ...]
"""The key of a player, or those of two partners, the smaller first."""


class Place(NamedTuple):
    """Where in the records something stands: rounds and events from 0."""

    match: int
    round: int
    event: int | None


@dataclass(frozen=True, slots=True)
class Pauses:
    """Pauses of one kind in seconds: how many, their middle, what nine in ten stay within.

    `over` of them were longer than the rules allow for such a move.
    """

    count: int
    median: float | None = None
    ninetieth: float | None = None
    over: int = 0

    @property
    def is_enough(self) -> bool:
        """Whether there are enough of them to be set beside those of the field."""
        return self.count >= FEWEST

    @property
    def over_share(self) -> float | None:
        return self.over / self.count if self.count else None

    def apart(self, from_field: Pauses) -> float | None:
        """Return how far the median is from the field's; None where there are too few."""
        if self.median is None or from_field.median is None or not self.is_enough:
            return None
        return self.median - from_field.median


@dataclass(frozen=True, slots=True)
class Indicator:
    """What the records count for a player or a pair."""

    who: Who
    matches: int
    moves: int
    """Tiles laid and drawn, and passes."""
    pauses: Pauses
    forced: Pauses
    """At most one tile fitted."""
    free: Pauses
    """Two tiles or more fitted."""
    passes: int
    proved: tuple[Place, ...]
    """False passes that the record proves and nobody ruled on."""
    ruled: tuple[Place, ...]
    """False passes that were ruled on."""
    infractions: Mapping[str, tuple[Place, ...]]
    """By kind, false passes among them."""

    @property
    def false_passes(self) -> int:
        return len(self.proved) + len(self.ruled)

    @property
    def infraction_count(self) -> int:
        return sum(map(len, self.infractions.values()))


@dataclass(frozen=True, slots=True)
class LeftOut:
    """What the counts do without, and why."""

    rounds: Mapping[Why, int]
    pauses: Mapping[NoPause, int]
    by_substitutes: int
    matches_without_moves: int
    """Played, with a record of score sheets or none at all."""


@dataclass(frozen=True, slots=True)
class Indicators:
    """The counts of an event, and what the field comes to."""

    players: Mapping[Who, Indicator]
    pairs: Mapping[Who, Indicator]
    pair_matches: Mapping[Who, frozenset[int]]
    """At which matches the two of a pair sat together."""
    pauses: Pauses
    forced: Pauses
    free: Pauses
    passes: int
    moves: int
    rounds: int
    """Rounds whose times are used."""
    matches: int
    left_out: LeftOut


@dataclass(slots=True)
class _Tally:
    """What has been counted so far for one player or pair, or for the field."""

    matches: set[int] = field(default_factory=set)
    moves: int = 0
    passes: int = 0
    over: list[int] = field(default_factory=lambda: [0, 0, 0])
    pauses: tuple[list[float], list[float], list[float]] = field(
        default_factory=lambda: ([], [], [])
    )
    """All of them, those of forced moves, those of free ones."""
    proved: list[Place] = field(default_factory=list)
    ruled: list[Place] = field(default_factory=list)
    infractions: dict[str, list[Place]] = field(default_factory=dict)

    def take(self, act: Act) -> None:
        self.moves += 1
        self.passes += act.is_pass
        if act.pause is None:
            return
        late = act.pause > act.allowed
        self.pauses[0].append(act.pause)
        self.over[0] += late
        if act.choices is not None:
            kind = 1 if act.choices <= 1 else 2
            self.pauses[kind].append(act.pause)
            self.over[kind] += late

    def told(self, kind: int) -> Pauses:
        return pauses_of(self.pauses[kind], self.over[kind])

    def indicator(self, who: Who) -> Indicator:
        return Indicator(
            who=who,
            matches=len(self.matches),
            moves=self.moves,
            pauses=self.told(0),
            forced=self.told(1),
            free=self.told(2),
            passes=self.passes,
            proved=tuple(self.proved),
            ruled=tuple(self.ruled),
            infractions={kind: tuple(places) for kind, places in sorted(self.infractions.items())},
        )


def pauses_of(pauses: Iterable[float], over: int = 0) -> Pauses:
    """Return what pauses come to.

    The ninetieth per cent is the smallest pause that at least nine in ten do not exceed.
    """
    found = sorted(pauses)
    count = len(found)
    if not count:
        return Pauses(0)
    middle = (found[(count - 1) // 2] + found[count // 2]) / 2
    return Pauses(count, middle, found[-(-9 * count // 10) - 1], over)


class Counting:
    """Counts the matches of an event one after the other."""

    def __init__(self) -> None:
        self._players: dict[Who, _Tally] = {}
        self._pairs: dict[Who, _Tally] = {}
        self._field = _Tally()
        self._rounds: Counter[Why] = Counter()
        self._pauses: Counter[NoPause] = Counter()
        self._used = self._matches = self._without = self._by_substitutes = 0

    def add(
        self, recorded: Recorded, times: Mapping[int, Times], *, until: float | None = None
    ) -> None:
        """Count a match that was played; see `acts_of` for the times."""
        taken = acts_of(recorded, times, until=until)
        self._matches += 1
        self._rounds += taken.rounds
        self._pauses += taken.pauses
        self._used += taken.used
        self._by_substitutes += taken.by_substitutes
        if not taken.acts:
            self._without += 1
        at_seat = self._seated(recorded)
        for tallies in at_seat.values():
            for tally in tallies:
                tally.matches.add(recorded.match.pk)
        self._take(taken, at_seat)
        self._take_faults(recorded, taken, at_seat)

    def _take(self, taken: Taken, at_seat: Mapping[str, Sequence[_Tally]]) -> None:
        for act in taken.acts:
            self._field.take(act)
            for tally in at_seat[act.seat]:
                tally.take(act)

    def _take_faults(
        self, recorded: Recorded, taken: Taken, at_seat: Mapping[str, Sequence[_Tally]]
    ) -> None:
        match = recorded.match.pk
        for found in recorded.state.findings:
            by_substitute = taken.is_held(found.round, found.seat.value, found.event)
            if found.kind == FALSE_PASS and not by_substitute:
                for tally in at_seat[found.seat.value]:
                    tally.proved.append(Place(match, found.round, found.event))
        for row in recorded.state.infractions:
            if taken.is_held(row.round, row.seat.value, row.event):
                continue
            place = Place(match, row.round, row.event)
            for tally in at_seat[row.seat.value]:
                insort(tally.infractions.setdefault(row.kind, []), place)
                if row.kind == FALSE_PASS:
                    tally.ruled.append(place)

    def _seated(self, recorded: Recorded) -> dict[str, list[_Tally]]:
        """Return for each seat the tallies that grow with it."""
        players = {one.seat: one.player for one in recorded.sittings}
        at_seat = {
            seat: [self._players.setdefault((player,), _Tally())]
            for seat, player in players.items()
        }
        for side in recorded.sides:
            if len(side) == 2:
                pair = tuple(sorted(players[seat] for seat in side))
                shared = self._pairs.setdefault(pair, _Tally())
                for seat in side:
                    at_seat[seat].append(shared)
        return at_seat

    def done(self) -> Indicators:
        """Return what all matches come to."""
        whole = self._field
        return Indicators(
            players={who: tally.indicator(who) for who, tally in self._players.items()},
            pairs={who: tally.indicator(who) for who, tally in self._pairs.items()},
            pair_matches={who: frozenset(tally.matches) for who, tally in self._pairs.items()},
            pauses=whole.told(0),
            forced=whole.told(1),
            free=whole.told(2),
            passes=whole.passes,
            moves=whole.moves,
            rounds=self._used,
            matches=self._matches,
            left_out=LeftOut(
                rounds=dict(self._rounds),
                pauses=dict(self._pauses),
                by_substitutes=self._by_substitutes,
                matches_without_moves=self._without,
            ),
        )
