"""A whole match replayed: who opens each round, the running score, and when it is over."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from engine import expected
from engine.bits import mask_of
from engine.errors import (
    AfterUnfinished,
    BadRecord,
    MatchOver,
    Phrase,
    Refusal,
    RulingPending,
    marked,
)
from engine.events import PENDING, Sheet
from engine.findings import Finding, Opening, best_opening_tile, findings
from engine.masks import Table
from engine.penalties import Measure
from engine.record import Record, Round
from engine.replay import RoundReplay
from engine.scoring import Ended, Outcome, Sides, outcome
from engine.seats import SEATS, Seat, Side
from engine.state import RoundState
from engine.tiles import HAND_SIZE, SET_SIZE, TILES, Tile

BY_DOUBLE: Final = "highest_double"
BY_LOT: Final = "lot"
SAME: Final = "same"
WINNER: Final = "winner"
ROTATES: Final = "rotates"
DOUBLE_SIX: Final = SET_SIZE - 1

OPENING_RULES: Final = {
    BY_DOUBLE: marked("Who holds the highest double? That seat opens."),
    BY_LOT: marked("Draw lots: who opens this round?"),
    SAME: marked("The round before was void: the same seat opens again."),
    WINNER: marked("The winner of the round before opens."),
    ROTATES: marked("The opening goes on by one seat."),
}


@dataclass(frozen=True, slots=True)
class NextOpener:
    """Who opens the next round: `seat` where the rules decide it, else the referee is asked.

    `rule` is the sentence to show; `first_tile` the only tile that may open, None for any.
    """

    seat: Seat | None
    rule: str
    first_tile: Tile | None = None

    @property
    def required(self) -> bool:
        """Has the referee to say who opens?"""
        return self.seat is None


@dataclass(frozen=True, slots=True)
class InfractionRow:
    """One infraction of the match with what came of it."""

    round: int
    event: int
    seat: Seat
    kind: str
    offence: int
    measures: tuple[Measure, ...] | None
    """None while the ruling is pending."""

    def json(self) -> dict[str, object]:
        measures = (
            "pending" if self.measures is None else [measure.json() for measure in self.measures]
        )
        return {
            "round": self.round,
            "event": self.event,
            "seat": self.seat.value,
            "kind": self.kind,
            "offence": self.offence,
            "measures": measures,
        }


@dataclass(frozen=True, slots=True)
class _Before:
    """What the next opening depends on."""

    rule: str
    opener: int
    opens_next: int
    void: bool
    sheet: bool


class MatchState:
    """A match as far as its record goes. Read it; it never changes."""

    def __init__(self, record: Record, *, known: MatchState | None = None) -> None:
        """Replay `record`; raises the first Refusal with its place.

        `known` is the state of the same match after its first rounds; the replay goes on there.
        """
        self.record = record
        self.rules = record.rules
        self.sides = Sides.named(record.sides)
        self.rounds: list[RoundState] = []
        self.findings: list[Finding] = []
        self.over = False
        # A round whose score sheet was undone and that has no opener yet: at a table it is
        # asked for before play, as a document it is not whole.
        self.missing_opener: int | None = None
        self._winner = -1
        self._seats = [seat.number for seat in record.seats]
        self._points = [0] * len(record.sides)
        self._awards = [0] * len(record.sides)
        self._deductions = [0, 0, 0, 0]
        self._prior: dict[tuple[int, str], int] = {}
        self._time_over = False
        self._one_more = False  # Too many reached the limit at once and play on.
        self._lost_side = -1
        self._before: _Before | None = None
        if known is not None:
            self._go_on_from(known)
        for number in range(len(self.rounds), len(record.rounds)):
            self._add(number, record.rounds[number])

    # -- what it says -------------------------------------------------------------------------

    @property
    def totals(self) -> dict[Side, int]:
        """The running score: points and awards, less deductions where they count in it."""
        return dict(zip(self.record.sides, self._totals(), strict=True))

    @property
    def deductions(self) -> dict[Seat, int]:
        """Points taken from each seat, whether from the running score or from the result."""
        return {seat: self._deductions[seat.number] for seat in self.record.seats}

    @property
    def winner(self) -> Side | None:
        return self.record.sides[self._winner] if self._winner >= 0 else None

    @property
    def infractions(self) -> list[InfractionRow]:
        return [
            InfractionRow(
                one.number,
                offence.event,
                offence.act.seat,
                offence.act.kind,
                offence.offence,
                None if offence.measures is PENDING else tuple(offence.measures),
            )
            for one in self.rounds
            for offence in one.replayed.offences
        ]

    @property
    def in_match(self) -> tuple[Seat, ...]:
        """The seats still playing; all of them but in `elimination`."""
        return tuple(SEATS[seat] for seat in self._seats)

    @property
    def time_over(self) -> bool:
        return self._time_over

    def answer(self) -> dict[str, object]:
        """Return the answer of spec/record.md."""
        return {
            "rounds": [one.json() for one in self.rounds],
            "totals": self.totals,
            "deductions": {seat.value: points for seat, points in self.deductions.items()},
            "winner": self.winner,
            "over": self.over,
            "infractions": [one.json() for one in self.infractions],
            "findings": [one.json() for one in self.findings],
        }

    def next_opener(self, hands: Mapping[Seat, Sequence[Tile]] | None = None) -> NextOpener:
        """Return who opens the next round, dealt `hands` where they are known."""
        masks: list[int] | None = None
        if hands is not None:
            masks = [0, 0, 0, 0]
            for seat, tiles in hands.items():
                masks[seat.number] = mask_of(tile.index for tile in tiles)
        rule, decided = self._decided(masks)
        forced = self._forced(rule, decided, masks)
        return NextOpener(
            None if decided < 0 else SEATS[decided],
            OPENING_RULES[rule],
            None if forced < 0 else TILES[forced],
        )

    # -- replaying ----------------------------------------------------------------------------

    def _go_on_from(self, known: MatchState) -> None:
        """Take over what `known` came to. What it holds is shared, what grows is copied."""
        self.rounds = known.rounds.copy()
        self.findings = known.findings.copy()
        self.over = known.over
        self.missing_opener = known.missing_opener
        self._winner = known._winner
        self._seats = known._seats.copy()
        self._points = known._points.copy()
        self._awards = known._awards.copy()
        self._deductions = known._deductions.copy()
        self._prior = known._prior.copy()
        self._time_over = known._time_over
        self._one_more = known._one_more
        self._lost_side = known._lost_side
        self._before = known._before

    def _add(self, number: int, one: Round) -> None:
        self._require_ready(number)
        hands = self._hands(number, one)
        rule, decided = self._decided(hands)
        opener = decided if one.opener is None else one.opener.number
        if opener >= 0 and opener not in self._seats:
            raise _bad(number, "opener", expected.seat_in_match(), SEATS[opener].value)
        if opener < 0 and not any(type(event) is Sheet for event in one.events):
            raise _bad(
                number, "opener", Phrase("the seat that opened, which the rules do not decide")
            )
        forced = self._forced(rule, decided, hands) if opener == decided or decided < 0 else -1
        table = Table(
            seats=tuple(self._seats),
            opener=opener,
            hands=hands,
            order=None if one.stock is None else tuple(tile.index for tile in one.stock),
            reserve=self.rules.stock_reserve,
            first_tile=forced,
        )
        replay = RoundReplay(number=number, rules=self.rules, table=table, prior=self._prior)
        replay = replay.run(one.events)
        if replay.sheet is not None and one.opener is None:
            opener = -1  # A score sheet need not say who opened, and the answer then does not.
        elif opener < 0 and self.missing_opener is None:
            self.missing_opener = number
        result = outcome(replay, self.rules, self.sides, opener)
        opening = Opening(
            opener,
            decided,
            rule == BY_DOUBLE,
            self._may_force(rule),
            None if hands is None else tuple(hands),
        )
        self.findings.extend(findings(replay, opening))
        self.rounds.append(RoundState(number, one, replay, result, opener, forced, self.sides))
        self._count(replay, result)
        self._before = _Before(
            rule,
            opener,
            result.opens_next,
            result.ended is Ended.VOID,
            replay.sheet is not None,
        )
        self._end(replay, result)

    def _require_ready(self, number: int) -> None:
        """Refuse a round after an unfinished one, after the end, or with a ruling open."""
        if not self.rounds:
            return
        last = self.rounds[-1]
        refusal: Refusal
        if last.ended is Ended.UNFINISHED and not self.over:
            refusal = AfterUnfinished(f"rounds[{number}]", "no round after an unfinished one")
        elif self.over:
            refusal = MatchOver()
        elif last.pending:
            refusal = RulingPending(pending=last.pending[0])
        else:
            return
        raise refusal.at(number, None)

    def _hands(self, number: int, one: Round) -> list[int] | None:
        if one.hands is None:
            return None
        hands = [0, 0, 0, 0]
        for seat, tiles in one.hands.items():
            hands[seat.number] = mask_of(tile.index for tile in tiles)
            if hands[seat.number] and seat.number not in self._seats:
                raise _bad(
                    number, f"hands.{seat}", Phrase("no tiles, as this seat is out of the match")
                )
        return hands

    def _decided(self, hands: Sequence[int] | None) -> tuple[str, int]:
        """Return the rule that says who opens, and the seat (-1 where it does not decide)."""
        before = self._before
        rules = self.rules
        if before is None:
            rule = rules.first_opener
        elif before.void:
            rule = BY_DOUBLE if before.rule == BY_DOUBLE else SAME
        else:
            rule = rules.next_opener
        if rule == BY_DOUBLE:
            best = -1 if hands is None else best_opening_tile(sum(hands))
            return rule, next(
                (seat for seat in self._seats if best >= 0 and hands and hands[seat] >> best & 1),
                -1,
            )
        if rule == BY_LOT or before is None or before.sheet or before.opener < 0:
            return rule, -1
        if rule == SAME:
            return rule, self._in_match_from(before.opener)
        if rule == WINNER and before.opens_next >= 0:
            return rule, self._in_match_from(before.opens_next)
        return rule, self._in_match_from((before.opener + 1) % self.record.players)

    def _in_match_from(self, seat: int) -> int:
        """Return `seat`, or the first after it that is still in the match."""
        while seat not in self._seats:
            seat = (seat + 1) % self.record.players
        return seat

    def _may_force(self, rule: str) -> bool:
        return rule == BY_DOUBLE and self.rules.opening_tile == "forced"

    def _forced(self, rule: str, decided: int, hands: Sequence[int] | None) -> int:
        """Return the only tile that may open, -1 for any or not known."""
        if not self._may_force(rule):
            return -1
        if hands is not None:
            return best_opening_tile(hands[decided]) if decided >= 0 else -1
        return DOUBLE_SIX if HAND_SIZE * len(self._seats) == SET_SIZE else -1

    # -- score and end ------------------------------------------------------------------------

    def _count(self, replay: RoundReplay, result: Outcome) -> None:
        for side, points in enumerate(result.points):
            self._points[side] += points
        rules = self.rules
        award = rules.points_to == "award" and not rules.elimination
        for offence in replay.offences:
            seat = offence.act.seat.number
            key = (seat, offence.act.kind)
            self._prior[key] = self._prior.get(key, 0) + 1
            if offence.measures is PENDING:
                continue
            for measure in offence.measures:
                if measure.name == "points":
                    points = int(measure.value or 0)
                elif measure.name == "percent":
                    points = rules.percent(int(measure.value or 0))
                else:
                    continue
                if award:
                    self._awards[self.sides.other(self.sides.of[seat])] += points
                else:
                    self._deductions[seat] += points

    def _totals(self) -> list[int]:
        if self._lost_side >= 0:
            return [
                0 if side == self._lost_side else self.rules.target
                for side in range(len(self._points))
            ]
        totals = [one + other for one, other in zip(self._points, self._awards, strict=True)]
        if self.rules.deduct_from == "total":
            sign = 1 if self.rules.elimination else -1
            for seat in self.record.seats:
                side = self.sides.of[seat.number]
                totals[side] += sign * self._deductions[seat.number]
        return totals

    def _end(self, replay: RoundReplay, result: Outcome) -> None:
        self._time_over = self._time_over or replay.time_over
        if self.rules.elimination:
            self._end_elimination(replay, result)
            return
        if replay.lost_match:
            self._lost_side = self.sides.of[replay.lost_match[0]]
            self._over(result.winner)
            return
        if not result.finished:
            return
        totals = self._totals()
        if totals[0] == totals[1]:
            return
        if max(totals) >= self.rules.target or self._time_over:
            self._over(0 if totals[0] > totals[1] else 1)

    def _end_elimination(self, replay: RoundReplay, result: Outcome) -> None:
        rules = self.rules
        if replay.lost_match:
            self._seats = [seat for seat in self._seats if seat not in replay.lost_match]
            if len(self._seats) <= rules.survivors:
                self._over(self._seats[0] if len(self._seats) == 1 else -1)
        if replay.lost_match or not result.finished:
            return
        totals = self._totals()
        reached = [seat for seat in self._seats if totals[seat] >= rules.target]
        lowest = min(totals[seat] for seat in self._seats)
        too_few = len(self._seats) - len(reached) < rules.survivors
        if rules.limit_together == "play_on" and (too_few or self._one_more):
            self._play_one_more(totals)
            return
        if len(reached) == len(self._seats):
            # All who are left reach the limit in one round: the lowest total stays.
            self._seats = [seat for seat in self._seats if totals[seat] == lowest]
        else:
            self._seats = [seat for seat in self._seats if seat not in reached]
        leaders = [seat for seat in self._seats if totals[seat] == lowest]
        if len(self._seats) <= rules.survivors:
            self._over(self._seats[0] if len(self._seats) == 1 else -1)
        elif self._time_over and len(leaders) == 1:
            self._over(leaders[0])

    def _play_one_more(self, totals: Sequence[int]) -> None:
        """Let those who reached the limit at once play on; then the lowest totals stay."""
        ranked = sorted(totals[seat] for seat in self._seats)
        last_in, first_out = ranked[self.rules.survivors - 1 :][:2]
        if (self._one_more or self._time_over) and last_in < first_out:
            self._seats = [seat for seat in self._seats if totals[seat] <= last_in]
            self._over(self._seats[0] if len(self._seats) == 1 else -1)
        self._one_more = True

    def _over(self, winner: int) -> None:
        self.over = True
        self._winner = winner


def _bad(number: int, key: str, wanted: Phrase, found: object = None) -> BadRecord:
    path = f"rounds[{number}]" + (f".{key}" if key else "")
    refusal = BadRecord(path, wanted, found)
    refusal.at(number, None)
    return refusal


def replay(record: Record, *, known: MatchState | None = None) -> MatchState:
    """Return the match as far as `record` goes; raises the first Refusal, with its place.

    `known` may be the state of the same record after its first rounds, to go on from there.
    """
    return MatchState(record, known=known)


def score(record: Record) -> dict[str, object]:
    """Return the answer of spec/record.md to `record`; raises Refusal."""
    state = MatchState(record)
    if state.missing_opener is not None:
        raise _bad(state.missing_opener, "opener", expected.seat_that_opened())
    return state.answer()
