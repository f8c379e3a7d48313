"""What an event gives for infractions where it differs from its profile, its own kinds too."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine import expected
from engine.errors import BadRecord, Phrase
from engine.ladder import LADDERS
from engine.penalties import CARDS, KINDS, PLAIN_MEASURES, Measure, Penalty, Schedule, Steps

MOST_KINDS: Final = 40
MOST_STEPS: Final = 6
MOST_MEASURES: Final = 6
LONGEST_KIND_NAME: Final = 60
MOST_PERCENT: Final = 100
MOST_POINTS: Final = 100_000
# They name an event, or an end, of one round; a schedule knows neither.
NOT_IN_SCHEDULES: Final = ("rewind", "stand")
_LANGUAGE: Final = re.compile(r"[a-z]{2}")
_CODE: Final = re.compile(r"[a-z][a-z0-9_]{0,39}")


@dataclass(frozen=True, slots=True)
class OwnPenalty:
    """What an event gives for one kind: steps as a schedule has them.

    `names` are pairs of a language and a name, for kinds no profile knows. `ladder` is where it
    counts for cards; "" as usual.
    """

    kind: str
    offences: Steps
    deliberate: Steps = ()
    names: tuple[tuple[str, str], ...] = ()
    ladder: str = ""

    @property
    def penalty(self) -> Penalty:
        return Penalty(self.offences, self.deliberate)

    def name(self, language: str) -> str:
        """Return the name in a language, else in another one the event gave, else the code."""
        named = dict(self.names)
        found = named.get(language) or named.get("en") or next(iter(named.values()), "")
        return found or self.kind.replace("_", " ")

    def json(self) -> dict[str, object]:
        written: dict[str, object] = {"offences": _written(self.offences)}
        if self.deliberate:
            written["deliberate"] = _written(self.deliberate)
        if self.names:
            written["names"] = dict(self.names)
        if self.ladder:
            written["ladder"] = self.ladder
        return written


Own = tuple[OwnPenalty, ...]


def extended(schedule: Schedule, own: Sequence[OwnPenalty]) -> Schedule:
    """Return a schedule with an event's own penalties in the place of its, or added."""
    if not own:
        return schedule
    mine = {one.kind: one.penalty for one in own}
    return Schedule(MappingProxyType({**schedule.penalties, **mine}))


def own_json(own: Sequence[OwnPenalty]) -> dict[str, object]:
    """Return what `read_own` reads."""
    return {one.kind: one.json() for one in own}


def read_own(written: object, path: str) -> Own:
    """Read `{"kind": {"offences": [[…]], "deliberate": …, "names": …, "ladder": …}}`.

    Raises BadRecord with the path of what is wrong.
    """
    if not isinstance(written, dict):
        raise BadRecord(path, expected.an_object(), written)
    if len(written) > MOST_KINDS:
        raise BadRecord(path, Phrase("at most %(most)s kinds", most=MOST_KINDS), len(written))
    return tuple(_own(kind, one, f"{path}.{kind}") for kind, one in sorted(written.items()))


def _own(kind: object, written: object, path: str) -> OwnPenalty:
    if not isinstance(kind, str) or not _CODE.fullmatch(kind):
        wanted = Phrase("a code of small letters, digits and _, such as “%(example)s”",
                        example="phone_in_hall")  # fmt: skip
        raise BadRecord(path, wanted, kind)
    if not isinstance(written, dict):
        raise BadRecord(path, expected.an_object(), written)
    keys = ("offences", "deliberate", "names", "ladder")
    for key in written:
        if key not in keys:
            raise BadRecord(path, expected.only_keys(keys), key)
    names = _names(written.get("names", {}), f"{path}.names")
    if kind not in KINDS and not names:
        wanted = Phrase("a name in at least one language, as no rule book has this kind")
        raise BadRecord(f"{path}.names", wanted)
    ladder = written.get("ladder", "")
    if ladder not in ("", *LADDERS):
        raise BadRecord(f"{path}.ladder", expected.one_of(LADDERS), ladder)
    return OwnPenalty(
        kind,
        _steps(written.get("offences"), f"{path}.offences", lowest=1),
        _steps(written.get("deliberate", []), f"{path}.deliberate", lowest=0),
        names,
        str(ladder),
    )


def _names(written: object, path: str) -> tuple[tuple[str, str], ...]:
    if not isinstance(written, dict):
        raise BadRecord(path, expected.an_object(), written)
    for language, name in written.items():
        if not _LANGUAGE.fullmatch(str(language)):
            wanted = Phrase("keys that are two letters for a language, such as en")
            raise BadRecord(path, wanted, language)
        fine = isinstance(name, str) and name.isprintable() and len(name.strip()) > 0
        if not fine or len(name) > LONGEST_KIND_NAME:
            raise BadRecord(f"{path}.{language}", expected.text_of(LONGEST_KIND_NAME), name)
    return tuple(sorted((language, name.strip()) for language, name in written.items()))


def _steps(written: object, path: str, *, lowest: int) -> Steps:
    if not isinstance(written, list) or not lowest <= len(written) <= MOST_STEPS:
        wanted = Phrase("a list of %(lowest)s to %(most)s steps", lowest=lowest, most=MOST_STEPS)
        raise BadRecord(path, wanted, written)
    return tuple(_step(one, f"{path}[{place}]") for place, one in enumerate(written))


def _step(written: object, path: str) -> tuple[Measure, ...]:
    if not isinstance(written, list) or not 1 <= len(written) <= MOST_MEASURES:
        wanted = Phrase("a list of 1 to %(most)s measures", most=MOST_MEASURES)
        raise BadRecord(path, wanted, written)
    step = tuple(_measure(one, f"{path}[{place}]") for place, one in enumerate(written))
    if len({one.name for one in step}) < len(step):
        raise BadRecord(path, Phrase("every measure once"), ", ".join(map(str, step)))
    return step


def _measure(written: object, path: str) -> Measure:
    if isinstance(written, str) and written in PLAIN_MEASURES and written not in NOT_IN_SCHEDULES:
        return Measure(written)
    if isinstance(written, Mapping) and len(written) == 1:
        ((name, value),) = written.items()
        if name == "card" and value in CARDS:
            return Measure("card", value)
        most = {"percent": MOST_PERCENT, "points": MOST_POINTS}.get(name)
        if most is not None:
            if type(value) is not int or not 1 <= value <= most:
                raise BadRecord(f"{path}.{name}", expected.whole_number(1, most), value)
            return Measure(name, value)
    plain = (one for one in PLAIN_MEASURES if one not in NOT_IN_SCHEDULES)
    known = ", ".join((*plain, "percent", "points", "card"))
    raise BadRecord(path, Phrase("a measure: %(known)s", known=known), written)


def _written(steps: Steps) -> list[list[object]]:
    return [[one.json() for one in step] for step in steps]
