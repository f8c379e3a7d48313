"""The measures to offer for an infraction: the schedule's step first, then what else fits."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext, gettext_noop

from engine.events import PENDING
from engine.penalties import (
    BY_RULING,
    EXPOSE,
    LOSE_TURN,
    MUST_PLAY,
    NEEDS_TILE,
    RETRACT,
    STAND,
    VOID_ROUND,
    WARNING,
    Measure,
    card,
    percent,
)
from engine.profiles import Rules
from engine.seats import Seat
from referee.recorded import Recorded
from referee.sentences import measures_label
from referee.states import Json
from tournaments.digits import local_digits

Measures = tuple[Measure, ...]

ABOUT_TURNS = (RETRACT, STAND, LOSE_TURN, MUST_PLAY, EXPOSE)

_FORTY = (percent(40), card("yellow"))

# What depends on more than the count of offences: profile, kind, measures, and when they apply.
_ALTERNATIVES: dict[str, dict[str, tuple[tuple[Measures, str], ...]]] = {
    "femundo": {
        "misplay": (  # arts. 5, 14
            ((RETRACT, WARNING), gettext_noop("Corrected before anyone else has played")),
            (
                (*_FORTY, VOID_ROUND),
                gettext_noop("Found after four or more further plays"),
            ),
        ),
        "false_pass": (  # arts. 5, 16
            ((*_FORTY, VOID_ROUND), gettext_noop("It exposed further tiles")),
        ),
        "false_block": (  # arts. 5, 6
            ((percent(20), VOID_ROUND), gettext_noop("All four hands were shown")),
        ),
        "disturbed_layout": (  # art. 20
            ((WARNING,), gettext_noop("The line of play could be rebuilt")),
        ),
        "out_of_turn": (  # art. 13
            ((WARNING,), gettext_noop("Only this player could have played")),
        ),
    },
    "wdf": {
        "misplay": (  # no. 1
            (
                (STAND, WARNING),
                gettext_noop("Found several plays later; the referee lets it stand"),
            ),
        ),
        "touch": (  # no. 2
            ((WARNING,), gettext_noop("The touched tile cannot be played")),
        ),
        "disturbed_layout": (  # no. 7
            ((WARNING,), gettext_noop("By mistake, and the line was put right")),
        ),
    },
}
_NO_FAULT: Final = gettext_noop("No fault of this player; nothing is counted")
# When the schedule's own step is for: what the alternatives above are told apart from.
_OTHERWISE: dict[str, dict[str, str]] = {
    "femundo": {
        "misplay": gettext_noop("Found after one to three further plays"),
        "false_pass": gettext_noop("It exposed no further tile"),
        "false_block": gettext_noop("Not all four hands were shown"),
        "disturbed_layout": gettext_noop("The line of play could not be rebuilt"),
        "out_of_turn": gettext_noop("Others could have played as well"),
    },
    "wdf": {
        "misplay": gettext_noop("It is taken back"),
        "touch": gettext_noop("The touched tile can be played"),
        "disturbed_layout": gettext_noop("Not only by mistake, or again"),
    },
}
for _other in ("domna", "elimination"):
    _ALTERNATIVES[_other] = _ALTERNATIVES["wdf"]
    _OTHERWISE[_other] = _OTHERWISE["wdf"]


@dataclass(frozen=True, slots=True)
class Proposal:
    """Measures that can be chosen with one act, and when they apply."""

    measures: Measures
    from_schedule: bool
    when: str

    def json(self) -> Json:
        return {
            "measures": [one.json() for one in self.measures],
            "line": ", ".join(str(one) for one in self.measures),
            "text": local_digits(measures_label(self.measures)),
            "when": self.when,
            "from_schedule": self.from_schedule,
            "needs": needs(self.measures),
        }


@dataclass(frozen=True, slots=True)
class Case:
    """What the measures depend on beside the count; without measures the schedule's step."""

    when: str
    measures: Measures | None = None


def cases(rules: Rules, kind: str) -> tuple[Case, ...]:
    """Return what a referee is asked about a kind, the schedule's own case first.

    A kind whose measures the event sets itself, and most others, depend on the count alone.
    """
    if any(one.kind == kind for one in rules.own):
        return ()
    if kind == BY_RULING:
        return (Case(gettext(_NO_FAULT), (EXPOSE,)),)
    others = _ALTERNATIVES.get(rules.profile, {}).get(kind, ())
    if not others:
        return ()
    found = [Case(gettext(when), measures) for measures, when in others]
    return (Case(gettext(_OTHERWISE[rules.profile][kind])), *found)


def needs(measures: Measures) -> list[str]:
    """Return the fields of the infraction that `measures` cannot do without."""
    names = {one.name for one in measures}
    if "stand" in names:
        return ["tile", "end", "open"]
    return ["tile"] if names & set(NEEDS_TILE) else []


def offence_number(recorded: Recorded, seat: Seat, kind: str) -> int:
    """Return which offence of this kind the seat's next one would be, counted from 1."""
    rows = recorded.state.infractions
    return 1 + sum(one.seat is seat and one.kind == kind for one in rows)


def play_over(recorded: Recorded) -> bool:
    """Say whether nobody plays any more in the round at hand."""
    return recorded.round is not None and recorded.round.play_over


def proposals(
    rules: Rules, kind: str, offence: int, *, deliberate: bool, play_over: bool = False
) -> list[Proposal]:
    """Return the schedule's step, then the alternatives of the rule book, then other steps.

    Once play is over, measures about turns are left out: they no longer have any effect.
    """
    found: list[Proposal] = []
    step = rules.schedule.step(kind, offence, deliberate)
    if step is not None:
        found.append(Proposal(step, True, gettext("By the schedule of penalties")))
    if step is None and kind == BY_RULING:
        found.append(Proposal((EXPOSE,), False, gettext(_NO_FAULT)))
    for measures, when in _ALTERNATIVES.get(rules.profile, {}).get(kind, ()):
        found.append(Proposal(measures, False, gettext(when)))
    penalty = rules.schedule.penalties.get(kind)
    if penalty is not None:
        for number, steps in enumerate(penalty.offences, 1):
            when = gettext("Offence %(number)s in the schedule") % {"number": number}
            found.append(Proposal(steps, True, when))
        on_purpose = gettext("On purpose, in the schedule")
        found += [Proposal(steps, True, on_purpose) for steps in penalty.deliberate]
    once: dict[Measures, Proposal] = {}
    for one in found:
        kept = tuple(each for each in one.measures if not (play_over and each in ABOUT_TURNS))
        if kept or not one.measures:
            once.setdefault(kept, replace(one, measures=kept))
    return list(once.values())


def proposals_for(recorded: Recorded, seat: Seat, kind: str, *, deliberate: bool = False) -> Json:
    """Return the proposals for an infraction of a seat, as JSON."""
    offence = offence_number(recorded, seat, kind)
    found = proposals(
        recorded.rules, kind, offence, deliberate=deliberate, play_over=play_over(recorded)
    )
    return {
        "seat": seat.value,
        "kind": kind,
        "offence": offence,
        "proposals": [one.json() for one in found],
        "pending": PENDING.value,
    }
