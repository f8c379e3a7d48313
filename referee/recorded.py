"""The record of a match as values: what its rows say, and what they come to when replayed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from engine.events import Leaves
from engine.match import MatchState
from engine.match import replay as replayed
from engine.notation import parse_line
from engine.profiles import Rules
from engine.record import Record, Round
from engine.seats import Seat, Side
from engine.state import RoundState
from engine.tiles import Tile
from referee.sentences import Names
from tournaments.rules import has_partners, sides_of

# Events are never changed, so a line always means the same.
event_of = lru_cache(maxsize=8192)(parse_line)
tile_of = lru_cache(maxsize=None)(Tile.parse)


@dataclass(frozen=True, slots=True)
class Facts:
    """What the record needs to know of its match; `holder` is the device that keeps it, if any."""

    pk: int
    table: int
    state: str
    entry_kind: str
    rules: Rules
    score: Mapping[str, object]
    holder: str | None = None


@dataclass(frozen=True, slots=True)
class Sitting:
    """Who sits on a seat, and for which entry."""

    seat: str
    name: str
    player: int
    entry: int
    entry_name: str
    substitute: str


@dataclass(frozen=True, slots=True)
class StoredRound:
    """A round as its rows have it. `lines` are its events in notation, `head` its last link.

    `skip` is how many events it had when it fell away and was opened again: they stay in the log
    and are of no other use, so `lines` begins after them.
    """

    pk: int
    number: int
    opener: str
    hands: Mapping[str, Sequence[str]] | None
    stock: Sequence[str] | None
    lines: tuple[str, ...] = ()
    head: str = field(default="", compare=False)
    skip: int = field(default=0, compare=False)

    @property
    def length(self) -> int:
        """How many events are stored, those that fell away among them."""
        return self.skip + len(self.lines)

    def __hash__(self) -> int:
        return hash((self.pk, self.lines))

    def read(self) -> Round:
        """Return the round as the engine reads it."""
        return Round(
            events=tuple(map(event_of, self.lines)),
            hands=None if self.hands is None else hands_of(self.hands),
            stock=None if self.stock is None else tuple(map(tile_of, self.stock)),
            opener=Seat(self.opener) if self.opener else None,
        )

    def extended(self, *lines: str) -> StoredRound:
        """Return the round with more events."""
        return replace(self, lines=(*self.lines, *lines))

    def until(self, count: int) -> StoredRound:
        """Return the round as it was after its first `count` events."""
        return replace(self, lines=self.lines[:count])


@dataclass(frozen=True, slots=True)
class Rows:
    """A match with its record as it is stored, not replayed yet.

    `fallen` are rounds that fell away as the record went back, and were not opened again.
    """

    match: Facts
    sittings: tuple[Sitting, ...]
    rounds: tuple[StoredRound, ...]
    fallen: tuple[StoredRound, ...] = ()

    @property
    def rules(self) -> Rules:
        return self.match.rules

    @property
    def partnership(self) -> bool:
        return has_partners(self.rules, len(self.sittings))

    def number_of(self, round_pk: int) -> int | None:
        """Return the number of a round of this match; None for one that fell away."""
        return next((one.number for one in self.rounds if one.pk == round_pk), None)

    def replayed(self, at: int | None = None) -> Recorded:
        """Replay the record; raises the engine's refusal of it.

        What the rounds before the last one come to is kept, by their value: as long as nobody
        changes them, an event costs the replay of its own round.
        """
        before = _came_to(self.rules, len(self.sittings), self.rounds[:-1])
        if before.rules.schedule != self.rules.schedule:
            before = MatchState(Record(self.rules, len(self.sittings)))
        earlier = before.record.rounds
        record = Record(
            rules=self.rules,
            players=len(self.sittings),
            names={Seat(one.seat): one.name for one in self.sittings},
            rounds=(*earlier, *(one.read() for one in self.rounds[len(earlier) :])),
        )
        return Recorded(self, record, replayed(record, known=before), at)

    def with_round(self, changed: StoredRound) -> Rows:
        """Return the rows with one round changed, or one more."""
        before = self.rounds[: changed.number]
        return replace(self, rounds=(*before, changed, *self.rounds[changed.number + 1 :]))

    def until(self, number: int, count: int) -> Rows:
        """Return the rows as they were after event `count - 1` of round `number`."""
        rounds = (*self.rounds[:number], self.rounds[number].until(count))
        return replace(self, rounds=rounds)

    @property
    def out_of_use(self) -> int:
        """How much of the record fell away: rounds and events that are only in the log."""
        return sum(one.skip for one in self.rounds) + sum(1 + one.skip for one in self.fallen)


@dataclass(frozen=True, slots=True)
class Recorded:
    """A match with its record and what it comes to.

    `at` is the round somebody is working on, the last one unless another is named.
    """

    rows: Rows
    record: Record
    state: MatchState
    at: int | None = None

    @property
    def match(self) -> Facts:
        return self.rows.match

    @property
    def rules(self) -> Rules:
        return self.rows.rules

    @property
    def sittings(self) -> tuple[Sitting, ...]:
        return self.rows.sittings

    @property
    def rounds(self) -> tuple[StoredRound, ...]:
        return self.rows.rounds

    @property
    def players(self) -> int:
        return len(self.sittings)

    @property
    def partnership(self) -> bool:
        return self.rows.partnership

    @property
    def sides(self) -> tuple[Side, ...]:
        return sides_of(self.rules, self.players)

    @property
    def stored(self) -> StoredRound | None:
        """The rows of the round `at`."""
        if self.at is not None:
            return self.rounds[self.at]
        return self.rounds[-1] if self.rounds else None

    @property
    def round(self) -> RoundState | None:
        """The state of the round `at`."""
        stored = self.stored
        return None if stored is None else self.state.rounds[stored.number]

    @property
    def next_number(self) -> int:
        """The number the next event of the round `at` has."""
        return 0 if self.stored is None else len(self.stored.lines)

    @property
    def substitutes(self) -> dict[str, str]:
        """Who holds the seats that were left: a name, or `robot`."""
        held: dict[str, str] = {}
        for stored, one in zip(self.rounds, self.state.rounds, strict=True):
            for number, line in enumerate(stored.lines):
                event = event_of(line) if "leaves" in line else None
                if isinstance(event, Leaves) and one.in_effect[number]:
                    held[event.seat.value] = event.substitute
        return held

    @property
    def names(self) -> Names:
        return Names(tuple((one.seat, one.name) for one in self.sittings), self.rules.own)

    def name(self, seat: str) -> str:
        """Return the player of a seat."""
        return self.names.name(seat)

    def side_name(self, side: str) -> str:
        """Return the players of a side."""
        return self.names.side_name(side)


@lru_cache(maxsize=256)
def _came_to(rules: Rules, players: int, rounds: tuple[StoredRound, ...]) -> MatchState:
    """Return what these rounds come to."""
    return replayed(Record(rules, players, tuple(one.read() for one in rounds)))


def hands_of(written: Mapping[str, Sequence[str]]) -> dict[Seat, tuple[Tile, ...]]:
    """Return hands as values."""
    return {Seat(seat): tuple(map(tile_of, tiles)) for seat, tiles in written.items()}


def written_hands(hands: Mapping[Seat, Sequence[Tile]]) -> dict[str, list[str]]:
    """Return hands as they are stored."""
    return {seat.value: [str(tile) for tile in held] for seat, held in hands.items()}
