"""Robots that play the demo's matches at the table, through the referee's services.

They know their hands; the record need not. Chance comes from a seed, so the demo is the same
on every machine. Now and then somebody touches a tile, dawdles, talks or plays out of turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from random import Random

from django.contrib.auth.models import User

from engine.events import PENDING, Draw, Event, Infraction, Leaves, Play, Show, TimeOver
from engine.match import replay
from engine.robot import deal, propose
from engine.seats import Seat
from engine.state import RoundState
from engine.tiles import Tile
from referee.models import RoundRecord
from referee.recorded import Recorded
from referee.rows import read
from referee.services import records as services
from tournaments.models import Match

MOST_ROUNDS = 60
# One act in so many goes wrong at a table.
TROUBLE = 45


@dataclass(slots=True)
class DemoTable:
    """A table where robots play. `open_hands`: the record knows the hands, else it is blind."""

    match: Match
    rng: Random
    by: User
    open_hands: bool = False
    trouble: bool = True
    hands: dict[Seat, list[Tile]] = field(default_factory=dict)
    stock: list[Tile] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    recorded: Recorded = field(init=False)

    def play_match(self, *, most_rounds: int = MOST_ROUNDS) -> Recorded:
        """Play until somebody has won, or `most_rounds` are played."""
        services.open_match(self.match, by=self.by)
        recorded = self.read()
        while not recorded.state.over and len(recorded.rounds) < most_rounds:
            recorded = self.play_round()
        return recorded

    def finish(self) -> None:
        """Play to the end and close the match."""
        self.play_match()
        services.close_match(self.match, by=self.by)

    def read(self) -> Recorded:
        match = Match.objects.select_related("pairing_round__stage__tournament").get(
            pk=self.match.pk
        )
        return read(match)

    def play_round(self, *, most_acts: int = 500, time_over: bool = False) -> Recorded:
        """Deal and play a round, or its first `most_acts` acts, and record it."""
        record, self.recorded = self._start()
        self.events = []
        if time_over:
            self._add(TimeOver())
        for _ in range(most_acts):
            now = self._now()
            if now.turn is None:
                break
            self._act(now)
        now = self._now()
        if now.play_over and not self.open_hands:
            self._show(now)
        return services.append_events(record.pk, number=0, events=self.events, by=self.by)

    def leave(self, seat: Seat) -> None:
        """The player of `seat` leaves, a robot holds the seat from here."""
        self._record(Leaves(seat, "robot"))

    def stop(self, seat: Seat, kind: str, note: str) -> None:
        """The referee stops the table over something `seat` did and has not ruled yet."""
        self._record(Infraction(seat, kind, measures=PENDING, note=note))

    def _record(self, event: Event) -> None:
        record = RoundRecord.objects.filter(match=self.match).latest("number")
        services.append_event(record, number=record.events.count(), event=event, by=self.by)

    def _start(self) -> tuple[RoundRecord, Recorded]:
        recorded = self.read()
        state = recorded.state
        hands, stock = deal(self.rng, recorded.players)
        out = [
            tile for seat, tiles in hands.items() if seat not in state.in_match for tile in tiles
        ]
        self.hands = {
            seat: list(tiles) if seat in state.in_match else [] for seat, tiles in hands.items()
        }
        self.stock = [*stock, *out]
        opening = state.next_opener({seat: tuple(held) for seat, held in self.hands.items()})
        opener = opening.seat or self.rng.choice(state.in_match)
        written: Mapping[str, list[str | Tile]] | None = None
        if self.open_hands:
            written = {seat.value: list(held) for seat, held in self.hands.items()}
        record = services.open_round(
            self.match,
            number=len(recorded.rounds),
            opener="" if self.open_hands and opening.seat else opener.value,
            hands=written,
            stock=list(self.stock) if self.open_hands else None,
            by=self.by,
        )
        return record, self.read()

    def _now(self) -> RoundState:
        """Return the round as it stands with what has happened at the table so far."""
        record = self.recorded.record
        *before, last = record.rounds
        written = replace(record, rounds=(*before, replace(last, events=tuple(self.events))))
        return replay(written).rounds[-1]

    def _add(self, event: Event) -> None:
        self.events.append(event)

    def _act(self, now: RoundState) -> None:
        seat = now.turn
        assert seat is not None
        if self.trouble and self.rng.randrange(TROUBLE) == 0:
            self._go_wrong(now, seat)
            now = self._now()
            if now.turn is not seat:
                return
        event = propose(now, seat, self.hands[seat])
        if isinstance(event, Play):
            self.hands[seat].remove(event.tile)
        elif isinstance(event, Draw):
            self.hands[seat].append(self.stock.pop(0))
        self._add(event)

    def _go_wrong(self, now: RoundState, seat: Seat) -> None:
        """Let somebody err; the schedule rules on it."""
        others = [one for one in now.seats if one is not seat and self.hands[one]]
        kind = self.rng.choice(["touch", "delay", "table_talk", "out_of_turn"])
        if kind == "touch" and len(self.hands[seat]) > 1 and now.ends is not None:
            self._add(Infraction(seat, kind, self.rng.choice(self.hands[seat])))
        elif kind == "out_of_turn" and others:
            other = self.rng.choice(others)
            self._add(Infraction(other, kind, self.rng.choice(self.hands[other])))
        else:
            self._add(Infraction(seat, "delay" if kind == "delay" else "table_talk"))

    def _show(self, now: RoundState) -> None:
        """Turn up the tiles left, as a referee has them shown."""
        for seat in now.seats:
            if self.hands[seat] and now.ended != "void":
                self._add(Show(seat, tuple(self.hands[seat])))
