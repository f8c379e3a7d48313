"""Robots that play the demo's matches at the table, through the referee's services.

They know their hands; the record need not. Chance comes from a seed, so the demo is the same
on every machine. Now and then somebody touches a tile, dawdles, talks or plays out of turn.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random

from django.contrib.auth.models import User

from engine.events import PENDING, Event, Infraction, Leaves, Pass, Play, Show, TimeOver
from engine.robot import deal, propose
from engine.seats import Seat
from engine.state import RoundState
from engine.tiles import Tile
from referee import services
from referee.models import RoundRecord
from referee.recorded import Recorded, read
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
        """Deal and play a round, or its first `most_acts` acts."""
        record, recorded = self._start()
        if time_over:
            recorded = self._append(record, recorded, TimeOver())
        for _ in range(most_acts):
            now = recorded.state.rounds[-1]
            if now.turn is None:
                break
            recorded = self._act(record, recorded, now)
        now = recorded.state.rounds[-1]
        if now.play_over and not self.open_hands:
            recorded = self._show(record, recorded, now)
        return recorded

    def leave(self, seat: Seat) -> Recorded:
        """The player of `seat` leaves, a robot holds the seat from here."""
        record = RoundRecord.objects.filter(match=self.match).latest("number")
        return self._append(record, self.read(), Leaves(seat, "robot"))

    def stop(self, seat: Seat, kind: str, note: str) -> Recorded:
        """The referee stops the table over something `seat` did and has not ruled yet."""
        record = RoundRecord.objects.filter(match=self.match).latest("number")
        act = Infraction(seat, kind, measures=PENDING, note=note)
        return self._append(record, self.read(), act)

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

    def _act(self, record: RoundRecord, recorded: Recorded, now: RoundState) -> Recorded:
        seat = now.turn
        assert seat is not None
        if self.trouble and self.rng.randrange(TROUBLE) == 0:
            recorded = self._go_wrong(record, recorded, now, seat)
            now = recorded.state.rounds[-1]
            if now.turn is not seat:
                return recorded
        event = propose(now, seat, self.hands[seat])
        if isinstance(event, Play):
            self.hands[seat].remove(event.tile)
        elif not isinstance(event, Pass):
            self.hands[seat].append(self.stock.pop(0))
        return self._append(record, recorded, event)

    def _go_wrong(
        self, record: RoundRecord, recorded: Recorded, now: RoundState, seat: Seat
    ) -> Recorded:
        """Let somebody err; the schedule rules on it."""
        others = [one for one in now.seats if one is not seat and self.hands[one]]
        kind = self.rng.choice(["touch", "delay", "table_talk", "out_of_turn"])
        if kind == "touch" and len(self.hands[seat]) > 1 and now.ends is not None:
            tile = self.rng.choice(self.hands[seat])
            return self._append(record, recorded, Infraction(seat, kind, tile))
        if kind == "out_of_turn" and others:
            other = self.rng.choice(others)
            tile = self.rng.choice(self.hands[other])
            return self._append(record, recorded, Infraction(other, kind, tile))
        said = "delay" if kind == "delay" else "table_talk"
        return self._append(record, recorded, Infraction(seat, said))

    def _show(self, record: RoundRecord, recorded: Recorded, now: RoundState) -> Recorded:
        """Turn up the tiles left, as a referee has them shown."""
        for seat in now.seats:
            if self.hands[seat] and now.ended != "void":
                shown = Show(seat, tuple(self.hands[seat]))
                recorded = self._append(record, recorded, shown)
        return recorded

    def _append(self, record: RoundRecord, recorded: Recorded, event: Event) -> Recorded:
        number = len(recorded.state.rounds[-1].written.events)
        return services.append_event(record, number=number, event=event, by=self.by)
