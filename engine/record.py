"""Record and Round: a match as it was written down, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from engine.events import Event
from engine.profiles import Rules
from engine.seats import Seat, Side, seats_at, sides
from engine.tiles import Tile

FORMAT: Final = "domino-record"
VERSION: Final = 1

# Bounds that no match played by people reaches; past them a document is refused unread.
MOST_BYTES: Final = 16 * 1024 * 1024
MOST_ROUNDS: Final = 5_000
MOST_EVENTS: Final = 1_000
MOST_EVENTS_IN_ALL: Final = 100_000
LONGEST_NOTE: Final = 2_000
LONGEST_NAME: Final = 200
LARGEST_NUMBER: Final = 1_000_000_000
LONGEST_KIND: Final = 100


@dataclass(frozen=True, slots=True)
class Round:
    """One deal as it was written down. `hands` and `stock` only where they are known."""

    events: tuple[Event, ...] = ()
    hands: Mapping[Seat, tuple[Tile, ...]] | None = None
    stock: tuple[Tile, ...] | None = None
    opener: Seat | None = None


@dataclass(frozen=True, slots=True)
class Record:
    """A match: its rules, who plays, and its rounds."""

    rules: Rules
    players: int
    rounds: tuple[Round, ...] = ()
    names: Mapping[Seat, str] = field(default_factory=dict)

    @property
    def partnership(self) -> bool:
        return self.players == 4 and self.rules.of_profile.partnership

    @property
    def seats(self) -> tuple[Seat, ...]:
        return seats_at(self.players)

    @property
    def sides(self) -> tuple[Side, ...]:
        return sides(self.players, self.partnership)
