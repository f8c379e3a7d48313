"""The acts of a recorded match with the time each took, and what about them cannot be used."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import pairwise
from typing import Final

from engine.bits import BIT, FITTING, HIGH, LOW, mask_of
from engine.events import PENDING, Leaves
from engine.masks import RIGHT
from engine.replay import RoundReplay
from engine.scoring import Ended
from engine.state import RoundState
from engine.tiles import HAND_SIZE
from referee.recorded import Recorded, StoredRound, event_of
from tournaments.policies_moves import MoveTime

# Whoever waits longer has been interrupted: a call, a break, a word with the referee.
LONGEST_PAUSE: Final = 300.0
# A device that sends later counts back from its own clock: so much may be wrong with the line.
GOES_BACK: Final = -1.0
# Nobody lays a tile within a second of the one before, half of a round through.
TYPED_WITHIN: Final = 1.0
FEWEST_TO_TELL: Final = 6


class Why(StrEnum):
    """Why the times of a round cannot be used."""

    SHEET = "sheet"
    """Recorded from a score sheet: no moves."""
    TOGETHER = "together"
    """Several moves were stored at one moment, or the clock went back."""
    TYPED = "typed"
    """Entered faster than anybody plays."""
    LATER = "later"
    """Entered after the time of the round, or after the match had been closed."""


class NoPause(StrEnum):
    """Why a single pause is left out of a round whose times can be used."""

    FIRST = "first"
    """Nothing came before it, or the same seat went on."""
    INTERRUPTED = "interrupted"
    """Something else was recorded in between: an infraction, a ruling, a slip of the pen."""
    LONG = "long"
    """Longer than anybody thinks."""


@dataclass(frozen=True, slots=True)
class Act:
    """A tile laid, drawn or a pass, as it stands in the record.

    `choices` are the tiles in hand that fitted, None where the hand never became known;
    `pause` are the seconds since the act before, None where that says nothing.
    """

    round: int
    event: int
    seat: str
    is_pass: bool
    pause: float | None
    choices: int | None
    allowed: int


@dataclass(slots=True)
class Taken:
    """What a match gives: its acts, and how many rounds and pauses were left out, and why."""

    acts: list[Act] = field(default_factory=list)
    rounds: Counter[Why] = field(default_factory=Counter)
    used: int = 0
    pauses: Counter[NoPause] = field(default_factory=Counter)
    by_substitutes: int = 0
    held: dict[tuple[int, str], int] = field(default_factory=dict)
    """By round and seat: from which event on a substitute held it."""

    def is_held(self, number: int, seat: str, event: int | None) -> bool:
        """Say whether a substitute held the seat at an event of round `number`."""
        since = self.held.get((number, seat))
        return since is not None and (event or 0) >= since


# (event, seat, is it a pass, choices, is it the last one and blocks)
_Raw = tuple[int, int, bool, int | None, bool]
Times = Sequence[float]


def acts_of(
    recorded: Recorded,
    times: Mapping[int, Times],
    *,
    allowed: MoveTime,
    until: float | None = None,
) -> Taken:
    """Return the acts of a match that are in effect.

    `times` has, by the key of a round, when each of its events was recorded at the table, in
    seconds; what began later than `until` was not recorded while it was played. `allowed` says how
    long a move may take.
    """
    taken = Taken()
    held: set[int] = set()
    for stored, one in zip(recorded.rounds, recorded.state.rounds, strict=True):
        acts = list(_acts(stored, one))
        left = _left(stored, one, held)
        taken.held |= {(stored.number, "ABCD"[seat]): since for seat, since in left.items()}
        if one.from_sheet:
            taken.rounds[Why.SHEET] += 1
        elif acts:
            at = times[stored.pk][stored.skip :]
            why = _unusable(acts, at, until)
            if why is None:
                taken.used += 1
            else:
                taken.rounds[why] += 1
            _take(taken, stored.number, acts, at, left, usable=why is None, allowed=allowed)
        held |= left.keys()
    return taken


def _take(
    taken: Taken,
    number: int,
    acts: Sequence[_Raw],
    at: Times,
    left: Mapping[int, int],
    *,
    usable: bool,
    allowed: MoveTime,
) -> None:
    before: _Raw | None = None
    for raw in acts:
        event, seat, is_pass, choices, blocks = raw
        if seat in left and event >= left[seat]:
            taken.by_substitutes += 1
        else:
            pause: float | None = None
            if usable:
                said = _pause(before, raw, at)
                if isinstance(said, NoPause):
                    taken.pauses[said] += 1
                else:
                    pause = said
            most = _most(allowed, choices, is_pass=is_pass, blocks=blocks)
            taken.acts.append(Act(number, event, "ABCD"[seat], is_pass, pause, choices, most))
        before = raw


def _pause(before: _Raw | None, act: _Raw, at: Times) -> float | NoPause:
    if before is None or before[1] == act[1]:
        return NoPause.FIRST
    if before[0] != act[0] - 1:
        return NoPause.INTERRUPTED
    pause = at[act[0]] - at[before[0]]
    return NoPause.LONG if pause > LONGEST_PAUSE else max(pause, 0.0)


def _most(allowed: MoveTime, choices: int | None, *, is_pass: bool, blocks: bool) -> int:
    """Return how many seconds a move may take; one whose choices are not known, as with several."""
    if allowed.by_choices is None:
        return allowed.seconds
    one_choice, more_choices, blocking = allowed.by_choices
    if blocks:
        return blocking
    forced = is_pass or (choices is not None and choices <= 1)
    return one_choice if forced else more_choices


def _unusable(acts: Sequence[_Raw], at: Times, until: float | None) -> Why | None:
    """Say why the times of a round are not those of the table, None where they are."""
    moments = [at[one[0]] for one in acts]
    if until is not None and moments[0] > until:
        return Why.LATER
    between = [after - one for one, after in pairwise(moments)]
    if any(pause == 0 or pause < GOES_BACK for pause in between):
        return Why.TOGETHER
    quick = sum(1 for pause in between if pause < TYPED_WITHIN)
    if len(between) >= FEWEST_TO_TELL and quick * 2 >= len(between):
        return Why.TYPED
    return None


def _left(stored: StoredRound, one: RoundState, held: set[int]) -> dict[int, int]:
    """Return from which event on a substitute held each seat of this round."""
    left = dict.fromkeys(held, 0)
    for number, line in enumerate(stored.lines):
        event = event_of(line) if "leaves" in line else None
        if isinstance(event, Leaves) and one.in_effect[number]:
            left.setdefault(event.seat.number, number)
    return left


# -- what was in hand -------------------------------------------------------------------------


def _acts(stored: StoredRound, one: RoundState) -> Iterator[_Raw]:
    """Yield plays, passes and draws in effect in their order."""
    replay = one.replayed
    line = replay.table.line
    plays = dict(zip(replay.plays, line, strict=True))
    others = {act[0]: act for act in (*replay.passes, *replay.draws)}
    passes = {act[0] for act in replay.passes}
    hands = _hands(stored, one)
    bound = _bound(replay)
    last = replay.plays[-1] if replay.plays and one.ended is Ended.BLOCKED else -1
    left = right = -1
    for event in sorted((*plays, *others)):
        if event in plays:
            tile, seat, end, opened, _ = plays[event]
        else:
            _, seat, tile, _, _ = others[event]
        choices = None
        hand = hands[seat]
        if hand is not None and left >= 0 and event <= bound.get(seat, event):
            choices = (hand & FITTING[left][right]).bit_count()
        yield event, seat, event in passes, choices, event == last
        if event in plays:
            if left < 0:
                left, right = HIGH[tile], LOW[tile]
            elif end == RIGHT:
                right = opened
            else:
                left = opened
        if hand is None or event in passes:
            continue
        hands[seat] = hand & ~BIT[tile] if event in plays else hand | BIT[tile]


def _bound(replay: RoundReplay) -> dict[int, int]:
    """Return after which event a seat no longer chose freely among its tiles, if ever."""
    found: dict[int, int] = {}
    for offence in replay.offences:
        if offence.measures is PENDING:
            continue
        if any(one.name in ("must_play", "expose") for one in offence.measures):
            found.setdefault(offence.act.seat.number, offence.event)
    return found


def _hands(stored: StoredRound, one: RoundState) -> list[int | None]:
    """Return the hands as dealt, as masks: recorded, or known afterwards from what was seen."""
    replay = one.replayed
    hands: list[int | None] = [None, None, None, None]
    unseen = {seat for _, seat, tile, _, _ in replay.draws if tile < 0}
    if one.written.hands is not None:
        for seat, tiles in one.written.hands.items():
            hands[seat.number] = mask_of(tile.index for tile in tiles)
    else:
        for seat in one.seats:
            hands[seat.number] = _proved(replay, seat.number)
    return [None if seat in unseen else hand for seat, hand in enumerate(hands)]


def _proved(replay: RoundReplay, seat: int) -> int | None:
    """Return the seven tiles a seat was dealt, where it laid or showed all of them."""
    seen = mask_of(tile for tile, who, *_ in replay.table.line if who == seat)
    for shown in replay.shown:
        if shown.seat == seat and shown.tiles is not None:
            seen |= shown.tiles
    drawn = mask_of(tile for _, who, tile, _, _ in replay.draws if who == seat and tile >= 0)
    dealt = seen & ~drawn
    return dealt if dealt.bit_count() == HAND_SIZE else None
