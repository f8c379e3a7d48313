"""Four players with real hands, and the ways in which their match gets recorded.

`Table` is what the players need: the state after every act, and somebody who records. `Paper`
records with the engine alone; `tests/browser/referees.py` has those who use the page.
"""

from __future__ import annotations

import random
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import Enum

from engine.events import Event, Infraction, Pass, Play, Show
from engine.match import MatchState, replay
from engine.notation import format_line
from engine.penalties import WARNING
from engine.profiles import Rules
from engine.record import Record, Round
from engine.robot import deal, propose
from engine.seats import SEATS, Seat
from engine.state import RoundState
from engine.tiles import TILES, Tile

Hands = Mapping[Seat, Sequence[Tile]]


class Incident(Enum):
    """What goes wrong at the table in a round."""

    OUT_OF_TURN = "out_of_turn"
    TOUCH = "touch"
    FALSE_PASS = "false_pass"


class Table(ABC):
    """A match at a table, seen by the players."""

    @property
    @abstractmethod
    def state(self) -> MatchState:
        """The match as it stands in the record."""

    @property
    def round(self) -> RoundState:
        return self.state.rounds[-1]

    @abstractmethod
    def sit_down(self) -> None: ...

    @abstractmethod
    def start_round(self, opener: Seat) -> None: ...

    @abstractmethod
    def record(self, event: Event) -> None: ...

    @abstractmethod
    def rule_on_finding(self) -> None: ...

    @abstractmethod
    def close(self) -> None: ...


class Paper(Table):
    """The same match recorded by the engine alone, to know what must come out."""

    def __init__(self, rules: Rules) -> None:
        self._record = Record(rules, players=4)

    @property
    def state(self) -> MatchState:
        return replay(self._record)

    def sit_down(self) -> None:
        pass

    def start_round(self, opener: Seat) -> None:
        self._record = replace(self._record, rounds=(*self._record.rounds, Round(opener=opener)))

    def record(self, event: Event) -> None:
        *before, last = self._record.rounds
        last = replace(last, events=(*last.events, event))
        self._record = replace(self._record, rounds=(*before, last))

    def rule_on_finding(self) -> None:
        finding = self.state.findings[-1]
        # The schedule's "taken back" has no effect once play is over; the page leaves it out.
        self.record(Infraction(finding.seat, finding.kind, measures=(WARNING,)))

    def close(self) -> None:
        pass


def dealt(seed: int) -> Hands:
    """Deal seven tiles to everybody."""
    tiles = list(TILES)
    random.Random(seed).shuffle(tiles)
    return {seat: tiles[7 * place : 7 * place + 7] for place, seat in enumerate(SEATS)}


def holder_of_highest_double(hands: Hands) -> Seat:
    """Say who opens, as the players see it."""
    return max(
        SEATS, key=lambda seat: max((t.high for t in hands[seat] if t.is_double), default=-1)
    )


def play_match(table: Table, deals: Sequence[tuple[int, Incident]]) -> None:
    """Play a whole match: one deal a round, one incident in each."""
    table.sit_down()
    for seed, incident in deals:
        hands = dealt(seed)
        table.start_round(holder_of_highest_double(hands))
        play_round(table, hands, incident)
    table.close()


def play_round(table: Table, hands: Hands, incident: Incident) -> None:
    """Play one round to its end, show the hands, and have what was found ruled on."""
    happened = False
    while table.round.turn is not None:
        event = None if happened else _going_wrong(incident, table.round, hands)
        happened = happened or event is not None
        table.record(event or _next_act(table.round, hands))
    left = {seat: _held(table.round, hands, seat) for seat in table.round.needs_hands}
    for seat, tiles in left.items():
        table.record(Show(seat, tuple(tiles)))
    if incident is Incident.FALSE_PASS:
        table.rule_on_finding()


def _going_wrong(incident: Incident, state: RoundState, hands: Hands) -> Event | None:
    turn = state.turn
    if turn is None or len(state.line) < 6 or len(state.line) > 18:
        return None
    fitting = _fitting(state, hands, turn)
    match incident:
        case Incident.OUT_OF_TURN:
            return Infraction(SEATS[(SEATS.index(turn) + 2) % 4], "out_of_turn")
        case Incident.TOUCH if len(fitting) > 1:
            return Infraction(turn, "touch", fitting[-1])
        case Incident.FALSE_PASS if fitting:
            return Pass(turn)
    return None


def _next_act(state: RoundState, hands: Hands) -> Event:
    turn = state.turn
    assert turn is not None
    if not state.line:
        return Play(turn, state.first_tile or _held(state, hands, turn)[0])
    fitting = _fitting(state, hands, turn)
    obliged = [tile for tile in state.must.get(turn, ()) if tile in fitting]
    if not fitting:
        return Pass(turn)
    tile = (obliged or fitting)[0]
    ends = state.playable(tile)
    return Play(turn, tile, ends[0] if len(ends) > 1 else None)


def _held(state: RoundState, hands: Hands, seat: Seat) -> list[Tile]:
    laid = {one.tile for one in state.line}
    return sorted(
        (tile for tile in hands[seat] if tile not in laid),
        key=lambda tile: (tile.pips, tile.high),
        reverse=True,
    )


def _fitting(state: RoundState, hands: Hands, seat: Seat) -> list[Tile]:
    """What the seat can play, the heaviest first."""
    return [tile for tile in _held(state, hands, seat) if state.playable(tile)]


def played_out(seed: int) -> tuple[list[str], dict[str, list[Tile]]]:
    """Let robots play a round to its end: its lines, and the tiles each seat still holds."""
    hands, _ = deal(random.Random(seed), 4)
    rules = Rules.of("femundo", 200)
    events: list[Event] = []
    while True:
        record = Record(rules, 4, (Round(events=tuple(events), hands=hands, opener=Seat.A),))
        one = replay(record).rounds[0]
        held = one.hands
        assert held is not None
        if one.turn is None:
            left = {seat.value: list(some) for seat, some in held.items() if some}
            return [format_line(event) for event in events], left
        events.append(propose(one, one.turn))


def first_acts() -> tuple[Seat, list[Event], Hands]:
    """Return who opens a long round under `wdf`, its plays and passes, and what is left of it.

    The acts are as somebody taps them who sees no hands.
    """
    hands, _ = deal(random.Random(9), 4)
    rules = Rules.of("wdf", 300)
    acts: list[Event] = []
    while True:
        one = replay(Record(rules, 4, (Round(events=tuple(acts), hands=hands),))).rounds[0]
        assert one.hands is not None
        if one.turn is None:
            assert one.opener is not None
            return one.opener, acts, one.hands
        act = propose(one, one.turn)
        if isinstance(act, Play) and one.ends is not None and one.ends[0] == one.ends[1]:
            # Where both ends show one number nobody is asked.
            act = Play(act.seat, act.tile)
        acts.append(act)
