"""Measures, the penalty schedules of the profiles, and which step of them applies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from engine.errors import marked

CARDS = ("yellow", "red", "black")
WHOLE_NUMBER_MEASURES = ("rewind", "points", "percent")
PLAIN_MEASURES = (
    "warning",
    "formal_warning",
    "retract",
    "stand",
    "lose_turn",
    "must_play",
    "expose",
    "void_round",
    "lose_round",
    "lose_match",
    "disqualify",
)
NEEDS_TILE = ("must_play", "expose", "stand")
ENDS_MATCH = ("lose_match", "disqualify")


@dataclass(frozen=True, slots=True)
class Measure:
    """One consequence of a ruling.

    `value` is the event to go back to (`rewind`), points, per cent of the target, or the colour
    of a card; None for the others.
    """

    name: str
    value: int | str | None = None

    def __post_init__(self) -> None:
        if self.name in PLAIN_MEASURES:
            known = self.value is None
        elif self.name in WHOLE_NUMBER_MEASURES:
            known = isinstance(self.value, int) and not isinstance(self.value, bool)
            known = known and int(self.value or 0) >= 0
        else:
            known = self.name == "card" and self.value in CARDS
        if not known:
            raise ValueError(f"no such measure: {self.name} {self.value}")

    def json(self) -> str | dict[str, int | str]:
        return self.name if self.value is None else {self.name: self.value}

    def __str__(self) -> str:
        return self.name if self.value is None else f"{self.name} {self.value}"


Steps = tuple[tuple[Measure, ...], ...]


@dataclass(frozen=True, slots=True)
class Penalty:
    """What a schedule gives for one kind: a step an offence, the last one repeating.

    `deliberate` steps take their place for an act on purpose, where there are any.
    """

    offences: Steps
    deliberate: Steps = ()

    def step(self, offence: int, deliberate: bool) -> tuple[Measure, ...]:
        """Return the measures for the `offence`-th offence of a seat, counted from 1."""
        steps = self.deliberate if deliberate and self.deliberate else self.offences
        return steps[min(offence, len(steps)) - 1]


@dataclass(frozen=True, slots=True)
class Schedule:
    """Kind of infraction to penalty."""

    penalties: Mapping[str, Penalty] = field(default_factory=lambda: MappingProxyType({}))

    def step(self, kind: str, offence: int, deliberate: bool) -> tuple[Measure, ...] | None:
        """Return the measures the schedule gives, None for a kind it does not know."""
        penalty = self.penalties.get(kind)
        return None if penalty is None else penalty.step(offence, deliberate)


def percent(share: int) -> Measure:
    return Measure("percent", share)


def card(colour: str) -> Measure:
    return Measure("card", colour)


WARNING = Measure("warning")
FORMAL_WARNING = Measure("formal_warning")
RETRACT = Measure("retract")
STAND = Measure("stand")
LOSE_TURN = Measure("lose_turn")
MUST_PLAY = Measure("must_play")
EXPOSE = Measure("expose")
VOID_ROUND = Measure("void_round")
LOSE_ROUND = Measure("lose_round")
LOSE_MATCH = Measure("lose_match")
DISQUALIFY = Measure("disqualify")


def _penalty(*offences: tuple[Measure, ...], deliberate: Steps = ()) -> Penalty:
    return Penalty(offences, deliberate)


_RETRACTED = _penalty((RETRACT, WARNING), (RETRACT, percent(10)))
_WARNED_10 = _penalty((WARNING,), (percent(10),))
_SEVERE = _penalty((FORMAL_WARNING, percent(20)), (DISQUALIFY,))

# The source (WDF-style rules, "infractions and penalties", nos. 1 to 8) names the measures and no
# numbers: 10 % of the target for a repeat, 20 % for a severe act are this product's defaults.
WDF_SCHEDULE = Schedule(
    MappingProxyType(
        {
            "misplay": _penalty(  # no. 1
                (RETRACT, WARNING), (RETRACT, LOSE_TURN), (RETRACT, LOSE_TURN, percent(10))
            ),
            "touch": _penalty(  # no. 2
                (MUST_PLAY,), (MUST_PLAY, WARNING), (MUST_PLAY, percent(10))
            ),
            "delay": _penalty((WARNING,), (LOSE_TURN,), (LOSE_TURN, percent(10))),  # no. 3
            "out_of_turn": _penalty(  # no. 4
                (RETRACT, LOSE_TURN), (RETRACT, LOSE_TURN, percent(10))
            ),
            "signaling": Penalty(_SEVERE.offences, ((DISQUALIFY,),)),  # no. 5
            "table_talk": _penalty((WARNING,), (percent(10),), (LOSE_ROUND,)),  # no. 6
            "disturbed_layout": Penalty(  # no. 7
                _WARNED_10.offences, ((percent(20),), (LOSE_ROUND,))
            ),
            "disobedience": _penalty(  # no. 8
                (FORMAL_WARNING,), (FORMAL_WARNING, percent(20)), (DISQUALIFY,)
            ),
            "false_pass": _RETRACTED,
            "improper_draw": _RETRACTED,
            "wrong_opener": _RETRACTED,
            "wrong_opening_tile": _RETRACTED,
            "exposed_tile": _WARNED_10,
            "late": _penalty((WARNING,), (LOSE_MATCH,)),
            "must_play": _RETRACTED,
            "must_draw": _RETRACTED,
            "wrong_hand_size": _WARNED_10,
            "overdraw": _penalty((WARNING, VOID_ROUND), (percent(10), VOID_ROUND)),
            "false_block": _WARNED_10,
            "procedure": _WARNED_10,
            "coaching": _SEVERE,
        }
    )
)

_FORTY_YELLOW = (percent(40), card("yellow"))
_BLACK = (DISQUALIFY, card("black"))
_LOST_BLACK = ((LOSE_MATCH, card("black")),)
_TWENTY = _penalty((percent(20),))
_WARNED_20 = _penalty((WARNING,), (percent(20),))
_RETRACTED_20 = _penalty((RETRACT, percent(20)))

FEMUNDO_SCHEDULE = Schedule(
    MappingProxyType(
        {
            "misplay": Penalty(((*_FORTY_YELLOW, EXPOSE),), _LOST_BLACK),  # arts. 5, 14
            "touch": _penalty((percent(20), EXPOSE)),  # art. 18
            "delay": Penalty(_WARNED_20.offences, ((LOSE_MATCH,),)),  # art. 11
            "out_of_turn": _penalty((percent(20), EXPOSE)),  # art. 13
            "signaling": _penalty(_BLACK),  # art. 24
            "coaching": _penalty(_FORTY_YELLOW, (DISQUALIFY,)),  # art. 24
            "table_talk": _WARNED_20,  # art. 25
            "procedure": _WARNED_20,  # arts. 8 to 10, 15, 19, 23
            "disturbed_layout": _TWENTY,  # art. 20
            "disobedience": _penalty(_BLACK),  # art. 29
            "false_pass": Penalty((_FORTY_YELLOW,), _LOST_BLACK),  # arts. 14, 16
            "false_block": _TWENTY,  # art. 6
            "wrong_opener": _TWENTY,  # art. 12
            "exposed_tile": _penalty((WARNING, EXPOSE), (percent(20), EXPOSE)),  # art. 17
            "overdraw": _penalty((percent(20), VOID_ROUND)),  # art. 6
            "late": _penalty((LOSE_MATCH, card("yellow"))),  # art. 7
            "must_play": _RETRACTED_20,
            "must_draw": _RETRACTED_20,
            "improper_draw": _RETRACTED_20,
            "wrong_opening_tile": _RETRACTED_20,
            "wrong_hand_size": _TWENTY,
        }
    )
)

# No fault: a ruling on somebody else, or on all of a caller, lays it face up (femundo 6, 14).
BY_RULING: Final = "exposed_by_ruling"

KINDS: Mapping[str, str] = MappingProxyType(
    {
        "misplay": marked("Misplay"),
        "touch": marked("Touched tile"),
        "delay": marked("Delay"),
        "out_of_turn": marked("Out of turn"),
        "signaling": marked("Signals to the partner"),
        "table_talk": marked("Table talk"),
        "disturbed_layout": marked("Disturbed layout"),
        "disobedience": marked("Disobeying the referee"),
        "false_pass": marked("False pass"),
        "improper_draw": marked("Improper draw"),
        "wrong_opener": marked("Wrong opener"),
        "wrong_opening_tile": marked("Wrong opening tile"),
        "exposed_tile": marked("Exposed tile"),
        "late": marked("Late at the table"),
        "must_play": marked("Obliged tile not played"),
        "must_draw": marked("Passed instead of drawing"),
        "wrong_hand_size": marked("Wrong number of tiles"),
        "overdraw": marked("Too many tiles taken"),
        "false_block": marked("False call of a block"),
        "procedure": marked("Breach of procedure"),
        "coaching": marked("Gestures or remarks about play"),
        "count_mismatch": marked("Wrong count"),
        BY_RULING: marked("Tile exposed by a ruling"),
    }
)

MEASURE_LABELS: Mapping[str, str] = MappingProxyType(
    {
        "warning": marked("Warning"),
        "formal_warning": marked("Formal warning"),
        "retract": marked("The act is taken back"),
        "stand": marked("The tile stays as laid"),
        "rewind": marked("Play goes back to event %(value)s"),
        "lose_turn": marked("Turn lost"),
        "must_play": marked("The tile must be played"),
        "expose": marked("The tile lies face up and must be played"),
        "points": marked("%(value)s points"),
        "percent": marked("%(value)s %% of the target"),
        "card": marked("Card: %(value)s"),
        "void_round": marked("The round is void"),
        "lose_round": marked("Round lost"),
        "lose_match": marked("Match lost"),
        "disqualify": marked("Disqualified from the event"),
    }
)

CARD_LABELS: Mapping[str, str] = MappingProxyType(
    {"yellow": marked("Yellow card"), "red": marked("Red card"), "black": marked("Black card")}
)
