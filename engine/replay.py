"""A round replayed event by event: what undo, rewind and rulings make of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from engine import expected
from engine.bits import BIT, mask_of
from engine.errors import (
    BadRecord,
    BesideSheet,
    NothingPending,
    Phrase,
    Refusal,
    TileAlreadyPlayed,
    UndoTooFar,
)
from engine.events import (
    PENDING,
    Count,
    Draw,
    Event,
    Infraction,
    Leaves,
    Pass,
    Pending,
    Play,
    Ruling,
    Sheet,
    Show,
    TimeOver,
    Undo,
)
from engine.masks import MATCH_IS_OVER, NONE_PENDING, VOID, Table
from engine.penalties import ENDS_MATCH, NEEDS_TILE, Measure
from engine.profiles import Rules

NOT_ON_A_SHEET: Final = ("stand", "rewind", "lose_round")
# What a rewind takes back; infractions, rulings and all else stay in effect.
AT_THE_TABLE: Final = frozenset({Play, Draw, Pass, Show, Count})


@dataclass(frozen=True, slots=True)
class Offence:
    """An infraction as it stands: `offence` counts the seat's acts of this kind from 1."""

    event: int
    act: Infraction
    offence: int
    measures: tuple[Measure, ...] | Pending


@dataclass(frozen=True, slots=True)
class Shown:
    """A hand shown (`tiles`, a mask) or counted (`pips`) at `event`.

    `held` was its size then, `hand` its tiles (a mask) where the record knew them all.
    """

    event: int
    seat: int
    tiles: int | None
    pips: int
    held: int
    hand: int | None


# What the findings look at: (event, seat, tile or -1, left, right) with the ends before the act.
Act = tuple[int, int, int, int, int]


class RoundReplay:
    """One round as far as its events have been read."""

    __slots__ = (
        "draws",
        "effective",
        "elimination",
        "in_play",
        "lost_match",
        "number",
        "offences",
        "passes",
        "plays",
        "prior",
        "rules",
        "saved",
        "sheet",
        "shown",
        "survivors",
        "table",
        "time_over",
    )

    def __init__(
        self, *, number: int, rules: Rules, table: Table, prior: Mapping[tuple[int, str], int]
    ) -> None:
        """Start round `number`; `prior` counts earlier offences by seat and kind."""
        self.number = number
        self.rules = rules
        self.elimination = rules.elimination
        self.survivors = rules.survivors
        self.table = table
        self.in_play = table.active
        self.prior = prior
        self.offences: list[Offence] = []
        self.lost_match: tuple[int, ...] = ()
        self.sheet: Sheet | None = None
        self.time_over = False
        self.shown: list[Shown] = []
        self.plays: list[int] = []
        self.passes: list[Act] = []
        self.draws: list[Act] = []
        # For every event in effect: its number, whether a rewind leaves it in effect, and the
        # state play was in before it. States are kept only where an undo or a rewind needs them.
        self.effective: list[tuple[int, bool, RoundReplay | None]] = []
        self.saved: dict[int, RoundReplay] | None = None

    # -- the loop -----------------------------------------------------------------------------

    def run(self, events: Sequence[Event]) -> RoundReplay:
        """Apply `events`; raises the refusal of the first that cannot be, with its place."""
        saved: dict[int, RoundReplay] | None = {} if _goes_back(events) else None
        self.saved = saved
        state = self
        number = -1
        try:
            if saved is None:
                play, plays = self.table.play, self.plays
                for number, event in enumerate(events):
                    # Most events are plays: they go straight to the table.
                    if type(event) is Play and self.sheet is None and self.table.turn >= 0:
                        end = 0 if event.end is None else event.end.number
                        play(event.seat.number, event.tile.index, end)
                        plays.append(number)
                    else:
                        APPLY[type(event)](self, number, event)
                self.effective = [(number, True, None) for number in range(len(events))]
                return self
            for number, event in enumerate(events):
                if type(event) is Undo:
                    state = state.undone(number, event.count)
                    continue
                before = saved[number] = state.copied()
                state.effective.append((number, type(event) not in AT_THE_TABLE, before))
                APPLY[type(event)](state, number, event)
        except Refusal as refusal:
            raise refusal.at(self.number, number) from None
        return state

    def copied(self) -> RoundReplay:
        """Return a state that goes on from here on its own."""
        twin = object.__new__(RoundReplay)
        for name in self.__slots__:
            setattr(twin, name, getattr(self, name))
        twin.table = self.table.copy()
        for name in ("offences", "shown", "plays", "passes", "draws", "effective"):
            setattr(twin, name, list(getattr(self, name)))
        return twin

    def undone(self, number: int, count: int) -> RoundReplay:
        """Return the state without the last `count` events in effect, latest first."""
        state = self
        saved = self.saved or {}
        for done in range(count):
            if not state.effective:
                path = self._path(number, "undo")
                wanted = Phrase("at most %(most)s, the events in effect", most=done)
                raise UndoTooFar(path, wanted, count, asked=count, possible=done)
            state = saved[state.effective[-1][0]]
        return state.copied()

    def bad(self, number: int, key: str, wanted: Phrase, found: object = None) -> BadRecord:
        return BadRecord(self._path(number, key), wanted, found)

    def _path(self, number: int, key: str) -> str:
        return f"rounds[{self.number}].events[{number}].{key}"

    # -- acts at the table --------------------------------------------------------------------

    def play(self, number: int, event: Play) -> None:
        self._require_opener(number, "play")
        end = 0 if event.end is None else event.end.number
        self.table.play(event.seat.number, event.tile.index, end)
        self.plays.append(number)

    def draw(self, number: int, event: Draw) -> None:
        self._require_opener(number, "draw")
        table, seat = self.table, event.seat.number
        left, right = table.left, table.right
        tile = table.draw(seat, -1 if event.tile is None else event.tile.index)
        self.draws.append((number, seat, tile, left, right))

    def say_pass(self, number: int, event: Pass) -> None:
        self._require_opener(number, "pass")
        table, seat = self.table, event.seat.number
        left, right = table.left, table.right
        if table.say_pass(seat):
            self.passes.append((number, seat, -1, left, right))

    def show(self, number: int, event: Show) -> None:
        self._require_no_sheet(number, "show")
        seat = self._in_play(number, event.seat.number)
        tiles = mask_of(tile.index for tile in event.tiles)
        for tile in event.tiles:
            if self.table.laid & BIT[tile.index]:
                raise TileAlreadyPlayed(tile=tile)
        pips = sum(tile.pips for tile in event.tiles)
        self._see(number, seat, tiles, pips)

    def count(self, number: int, event: Count) -> None:
        self._require_no_sheet(number, "count")
        seat = self._in_play(number, event.seat.number)
        self._see(number, seat, None, event.pips)

    def _see(self, number: int, seat: int, tiles: int | None, pips: int) -> None:
        table = self.table
        hand = None if table.blind or table.hidden[seat] else table.hands[seat]
        self.shown.append(Shown(number, seat, tiles, pips, table.size(seat), hand))

    def write_sheet(self, number: int, event: Sheet) -> None:
        if self.sheet is not None or self.plays or self.draws or self.passes or self.shown:
            path = self._path(number, "result")
            raise BesideSheet(path, "a round without plays and without another result")
        for offence in self.offences:
            if offence.measures is not PENDING:
                self._require_sheet_allows(number, offence.measures)
        if self.elimination and isinstance(event.points, Mapping):
            for seat in event.points:
                if not self.in_play >> seat.number & 1:
                    raise self.bad(
                        number, "result.points", Phrase("seats still in the match"), seat.value
                    )
        self.sheet = event

    def end_time(self, _number: int, _event: TimeOver) -> None:
        self.time_over = True

    def leave(self, _number: int, _event: Leaves) -> None:
        """A substitute holds the seat: nothing changes for the rules."""

    def undo_nothing(self, number: int, event: Undo) -> None:
        """Undo in a round that keeps no states: there is nothing before it."""
        path = self._path(number, "undo")
        raise UndoTooFar(path, "an event to undo", event.count, asked=event.count, possible=0)

    # -- infractions and rulings --------------------------------------------------------------

    def commit(self, number: int, event: Infraction) -> None:
        seat = event.seat.number
        offence = self.prior.get((seat, event.kind), 0) + 1
        offence += sum(
            1 for one in self.offences if one.act.kind == event.kind and one.act.seat is event.seat
        )
        measures = event.measures
        if measures is None:
            measures = self._scheduled(number, event, offence)
        self.offences.append(Offence(number, event, offence, measures))
        if measures is PENDING:
            self._halt()
        else:
            self._carry_out(number, event, measures)

    def rule(self, number: int, event: Ruling) -> None:
        waiting = [
            place
            for place, offence in enumerate(self.offences)
            if offence.event == event.event and offence.measures is PENDING
        ]
        if not waiting:
            path, asked = self._path(number, "ruling"), event.event
            raise NothingPending(path, "the event of a pending infraction", asked, asked=asked)
        place = waiting[0]
        offence = self.offences[place]
        measures = event.measures
        if measures is None:
            measures = self._scheduled(number, offence.act, offence.offence)
        self.offences[place] = replace(offence, measures=measures)
        self._halt()
        self._carry_out(number, offence.act, measures)

    def _scheduled(self, number: int, act: Infraction, offence: int) -> tuple[Measure, ...]:
        measures = self.rules.schedule.step(act.kind, offence, act.deliberate)
        if measures is None:
            raise self.bad(number, "measures", expected.measures_beyond(act.kind))
        return measures

    def _carry_out(self, number: int, act: Infraction, measures: tuple[Measure, ...]) -> None:
        if self.sheet is not None:
            self._require_sheet_allows(number, measures)
        for measure in measures:
            if measure.name in NEEDS_TILE and act.tile is None:
                raise self.bad(number, "tile", expected.tile_about(measure.name))
        for measure in measures:
            if measure.name == "rewind":
                self._rewind(number, int(measure.value or 0))
        for measure in measures:
            if measure.name == "stand":
                self._halt()
                self._stand(number, act)
            elif measure.name in EFFECT:
                EFFECT[measure.name](self, act)
        self._halt()

    def _rewind(self, number: int, target: int) -> None:
        """Take play back to just before `target`; infractions from there on still count."""
        back: RoundReplay | None = None
        kept: list[tuple[int, bool, RoundReplay | None]] = []
        for event, lasts, before in self.effective:
            if back is None and event == target and event < number:
                back = before
            if back is None:
                kept.append((event, lasts, before))
            elif lasts:
                kept.append((event, lasts, back))
        if back is None:
            raise self.bad(
                number, "measures", Phrase("an earlier event in effect to go back to"), target
            )
        self.table = back.table.copy()
        self.shown = list(back.shown)
        self.plays = list(back.plays)
        self.passes = list(back.passes)
        self.draws = list(back.draws)
        self.effective = kept
        self._halt()

    def _stand(self, number: int, act: Infraction) -> None:
        tile, end, number_open = act.tile, act.end, act.open
        if tile is None or end is None or number_open is None or not tile.has(number_open):
            raise self.bad(
                number, "open", Phrase("the end the tile stays at and its half now open")
            )
        if self.table.left < 0:
            raise self.bad(
                number,
                "measures",
                Phrase("a round that has begun for “%(measure)s”", measure="stand"),
            )
        self.table.play(act.seat.number, tile.index, end.number, number_open)
        self.plays.append(number)

    def _lose_turn(self, act: Infraction) -> None:
        self.table.lose_turn(act.seat.number)

    def _oblige(self, act: Infraction) -> None:
        if act.tile is not None and not self._play_is_over():
            self.table.oblige(act.seat.number, act.tile.index)

    def _expose(self, act: Infraction) -> None:
        if act.tile is not None and not self._play_is_over():
            self.table.expose(act.seat.number, act.tile.index)

    def _void(self, _act: Infraction) -> None:
        self.table.decide(VOID)

    def _lose_round(self, act: Infraction) -> None:
        self.table.decide("lost", act.seat.number)

    def _lose_match(self, act: Infraction) -> None:
        if act.seat.number not in self.lost_match:
            self.lost_match = (*self.lost_match, act.seat.number)

    def _play_is_over(self) -> bool:
        return bool(self.table.ended or self.table.verdict)

    def _halt(self) -> None:
        """Tell the table whether play is stopped: by a pending ruling, or by a lost match."""
        pending = next(
            (one.event for one in self.offences if one.measures is PENDING), NONE_PENDING
        )
        over = bool(self.lost_match)
        if over and self.elimination:
            self.table.decide(VOID)
            left = sum(1 for seat in range(4) if self.in_play >> seat & 1)
            left -= sum(1 for seat in self.lost_match if self.in_play >> seat & 1)
            over = left <= self.survivors
        self.table.halt(MATCH_IS_OVER if over else pending)

    # -- score sheets -------------------------------------------------------------------------

    def _require_no_sheet(self, number: int, key: str) -> None:
        if self.sheet is not None:
            path = self._path(number, key)
            raise BesideSheet(path, Phrase("nothing played or shown beside a score-sheet result"))

    def _require_opener(self, number: int, key: str) -> None:
        self._require_no_sheet(number, key)
        if self.table.turn < 0:
            raise BadRecord(f"rounds[{self.number}].opener", expected.seat_that_opened())

    def _require_sheet_allows(self, number: int, measures: tuple[Measure, ...]) -> None:
        for measure in measures:
            if measure.name in NOT_ON_A_SHEET:
                raise self.bad(
                    number,
                    "measures",
                    Phrase("a measure possible with a score sheet"),
                    measure.name,
                )

    def _in_play(self, number: int, seat: int) -> int:
        if not self.in_play >> seat & 1:
            raise self.bad(number, "seat", expected.seat_in_match(), "ABCD"[seat])
        return seat


def _goes_back(events: Sequence[Event]) -> bool:
    """Is there an undo or a rewind among `events`?"""
    kinds = set(map(type, events))
    if Undo in kinds:
        return True
    if Infraction not in kinds and Ruling not in kinds:
        return False
    return any(
        measure.name == "rewind"
        for event in events
        if isinstance(event, Infraction | Ruling) and isinstance(event.measures, tuple)
        for measure in event.measures
    )


APPLY: Final[Mapping[type, Callable[..., None]]] = {
    Play: RoundReplay.play,
    Draw: RoundReplay.draw,
    Pass: RoundReplay.say_pass,
    Infraction: RoundReplay.commit,
    Ruling: RoundReplay.rule,
    Show: RoundReplay.show,
    Count: RoundReplay.count,
    Sheet: RoundReplay.write_sheet,
    TimeOver: RoundReplay.end_time,
    Leaves: RoundReplay.leave,
    Undo: RoundReplay.undo_nothing,
}

EFFECT: Final[Mapping[str, Callable[[RoundReplay, Infraction], None]]] = {
    "lose_turn": RoundReplay._lose_turn,
    "must_play": RoundReplay._oblige,
    "expose": RoundReplay._expose,
    "void_round": RoundReplay._void,
    "lose_round": RoundReplay._lose_round,
    **dict.fromkeys(ENDS_MATCH, RoundReplay._lose_match),
}
