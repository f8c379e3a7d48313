"""Counts from the records for the committee: pauses, passes, infractions by player and pair.

They are counts and no findings: nothing here weighs, ranks or judges.
"""

from __future__ import annotations

from array import array
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from engine.penalties import BY_RULING
from referee.recorded import Recorded
from referee.timed_acts import Act, NoPause, Times, Why, acts_of
from tournaments.policies_moves import MoveTime

FALSE_PASS: Final = "false_pass"  # noqa: S105  (a kind of infraction)
# With fewer pauses than these a median says more about chance than about anybody.
FEWEST: Final = 20
_UNKNOWN, _FORCED, _FREE = range(3)

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
class Tally:
    """What has been counted so far: at a seat of a match, or of everything somebody played.

    `pauses` are those of moves that are not known to be either, of forced and of free ones.
    """

    moves: int = 0
    passes: int = 0
    pauses: tuple[array[float], ...] = field(
        default_factory=lambda: (array("d"), array("d"), array("d"))
    )
    over: list[int] = field(default_factory=lambda: [0, 0, 0])
    proved: list[Place] = field(default_factory=list)
    ruled: list[Place] = field(default_factory=list)
    infractions: dict[str, list[Place]] = field(default_factory=dict)

    def take(self, act: Act) -> None:
        """Count one act."""
        self.moves += 1
        self.passes += act.is_pass
        if act.pause is not None:
            kind = _UNKNOWN if act.choices is None else _FORCED if act.choices <= 1 else _FREE
            self.pauses[kind].append(act.pause)
            self.over[kind] += act.pause > act.allowed

    def add(self, other: Tally) -> None:
        """Count all that another one counts."""
        self.moves += other.moves
        self.passes += other.passes
        for kind, more in enumerate(other.pauses):
            self.pauses[kind].extend(more)
            self.over[kind] += other.over[kind]
        self.proved += other.proved
        self.ruled += other.ruled
        for name, places in other.infractions.items():
            self.infractions.setdefault(name, []).extend(places)

    def told(self, *kinds: int) -> Pauses:
        """Return what the pauses of some kinds come to."""
        found: list[float] = []
        for kind in kinds:
            found += self.pauses[kind]
        return pauses_of(found, sum(self.over[kind] for kind in kinds))

    def indicator(self, who: Who, matches: int) -> Indicator:
        """Return what this comes to for somebody."""
        return Indicator(
            who=who,
            matches=matches,
            moves=self.moves,
            pauses=self.told(_UNKNOWN, _FORCED, _FREE),
            forced=self.told(_FORCED),
            free=self.told(_FREE),
            passes=self.passes,
            proved=tuple(sorted(self.proved)),
            ruled=tuple(sorted(self.ruled)),
            infractions={
                kind: tuple(sorted(places)) for kind, places in sorted(self.infractions.items())
            },
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


@dataclass(frozen=True, slots=True)
class MatchCount:
    """What one match gives. Seats, not players: who sat there is known where it is added up."""

    match: int
    seats: Mapping[str, Tally]
    pairs: tuple[str, ...]
    """The sides of two seats."""
    rounds: Mapping[Why, int]
    pauses: Mapping[NoPause, int]
    used: int
    by_substitutes: int

    @property
    def has_moves(self) -> bool:
        return self.by_substitutes > 0 or any(one.moves for one in self.seats.values())


def count_match(
    recorded: Recorded,
    times: Mapping[int, Times],
    *,
    allowed: MoveTime,
    until: float | None = None,
) -> MatchCount:
    """Count a match that was played; see `acts_of` for the times."""
    taken = acts_of(recorded, times, allowed=allowed, until=until)
    seats = {one.seat: Tally() for one in recorded.sittings}
    for act in taken.acts:
        seats[act.seat].take(act)
    match = recorded.match.pk
    for found in recorded.state.findings:
        by_substitute = taken.is_held(found.round, found.seat.value, found.event)
        if found.kind == FALSE_PASS and not by_substitute:
            seats[found.seat.value].proved.append(Place(match, found.round, found.event))
    for row in recorded.state.infractions:
        if row.kind == BY_RULING or taken.is_held(row.round, row.seat.value, row.event):
            continue
        place = Place(match, row.round, row.event)
        seats[row.seat.value].infractions.setdefault(row.kind, []).append(place)
        if row.kind == FALSE_PASS:
            seats[row.seat.value].ruled.append(place)
    return MatchCount(
        match=match,
        seats=seats,
        pairs=tuple(side for side in recorded.sides if len(side) == 2),
        rounds=dict(taken.rounds),
        pauses=dict(taken.pauses),
        used=taken.used,
        by_substitutes=taken.by_substitutes,
    )


def added_up(counts: Iterable[MatchCount], seated: Mapping[int, Mapping[str, int]]) -> Indicators:
    """Return what matches come to; `seated` has, by match and seat, the key of who sat there."""
    players: dict[Who, Tally] = {}
    pairs: dict[Who, Tally] = {}
    at: dict[Who, set[int]] = {}
    rounds: Counter[Why] = Counter()
    pauses: Counter[NoPause] = Counter()
    whole = Tally()
    matches = without = used = by_substitutes = 0

    def add(tallies: dict[Who, Tally], who: Who, tally: Tally, match: int) -> None:
        tallies.setdefault(who, Tally()).add(tally)
        at.setdefault(who, set()).add(match)

    for count in counts:
        sat = seated[count.match]
        for seat, tally in count.seats.items():
            add(players, (sat[seat],), tally, count.match)
            whole.add(tally)
        for side in count.pairs:
            pair = tuple(sorted(sat[seat] for seat in side))
            for seat in side:
                add(pairs, pair, count.seats[seat], count.match)
        rounds.update(count.rounds)
        pauses.update(count.pauses)
        matches += 1
        without += not count.has_moves
        used += count.used
        by_substitutes += count.by_substitutes
    return Indicators(
        players={who: tally.indicator(who, len(at[who])) for who, tally in players.items()},
        pairs={who: tally.indicator(who, len(at[who])) for who, tally in pairs.items()},
        pair_matches={who: frozenset(at[who]) for who in pairs},
        pauses=whole.told(_UNKNOWN, _FORCED, _FREE),
        forced=whole.told(_FORCED),
        free=whole.told(_FREE),
        passes=whole.passes,
        moves=whole.moves,
        rounds=used,
        matches=matches,
        left_out=LeftOut(
            rounds=dict(rounds),
            pauses=dict(pauses),
            by_substitutes=by_substitutes,
            matches_without_moves=without,
        ),
    )
