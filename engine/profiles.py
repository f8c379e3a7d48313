"""RuleProfile, the four published profiles, and Rules: what one event has settled on.

A profile that has been used is never edited: a changed rule is a new version.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from types import MappingProxyType
from typing import Any, Final, cast

from engine import expected
from engine.errors import BadRecord, Phrase, marked
from engine.options import OPTION, read_options
from engine.own_penalties import Own, extended, own_json, read_own
from engine.penalties import FEMUNDO_SCHEDULE, WDF_SCHEDULE, Schedule

TARGETS: Final = (100, 150, 200)
LARGEST_TARGET: Final = 1_000_000_000


@dataclass(frozen=True, slots=True)
class Article:
    """Where a rule of a profile comes from: the source's section, and what it says in short."""

    subject: str
    source: Phrase


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleProfile:
    """Facts only. The engine reads a profile; a profile never acts."""

    key: str
    version: int = 1
    name: str
    summary: str
    players: tuple[int, ...]
    partnership: bool
    """Four play in two partnerships; otherwise each seat is its own side."""
    elimination: bool = False
    """Points are bad: whoever reaches the target is out, the last one left wins."""
    direction: str
    target: int
    options: Mapping[str, str | int]
    schedule: Schedule
    articles: tuple[Article, ...]


_COMMON: Mapping[str, str | int] = {
    "stock_reserve": 0,
    "round_to": 1,
    "bonus_both_ends": 0,
    "survivors": 1,
    "limit_together": "out",
    "points_to": "deduct",
}

DOMNA = RuleProfile(
    key="domna",
    name=marked("Domna, the Arab café game"),
    summary=marked("2 players or 2 pairs. The winner of a round opens the next. To 100."),
    players=(2, 4),
    partnership=True,
    direction="counter_clockwise",
    target=100,
    options=MappingProxyType(
        {
            **_COMMON,
            "first_opener": "highest_double",
            "next_opener": "winner",
            "opening_tile": "forced",
            "block_winner": "lowest_hand",
            "points_out": "opponents",
            "points_block": "opponents",
            "deduct_from": "total",
        }
    ),
    schedule=WDF_SCHEDULE,
    articles=(
        Article("players", Phrase("domna %(rules)s", rules="1")),
        Article("stock", Phrase("domna %(rules)s", rules="2, 5")),
        Article("first_opener", Phrase("domna %(rules)s", rules="3")),
        Article("opening_tile", Phrase("domna %(rules)s", rules="3")),
        Article("next_opener", Phrase("domna %(rules)s", rules="3")),
        Article("must_play", Phrase("domna %(rules)s", rules="4, 5")),
        Article("block_winner", Phrase("domna %(rules)s", rules="6")),
        Article("points_out", Phrase("domna %(rules)s", rules="7")),
        Article("points_block", Phrase("domna %(rules)s", rules="7")),
        Article("round_to", Phrase("domna %(rules)s", rules="7")),
        Article("target", Phrase("domna %(rules)s", rules="8")),
        Article("penalties", Phrase("wdf %(rules)s (chosen)", rules="1–8")),
    ),
)

ELIMINATION = RuleProfile(
    key="elimination",
    name=marked("Elimination, everyone for themselves"),
    summary=marked(
        "2 to 4 players. Pips left count against you; at 150 you are out. The last one wins."
    ),
    players=(2, 3, 4),
    partnership=False,
    elimination=True,
    direction="clockwise",
    target=150,
    options=MappingProxyType(
        {
            **_COMMON,
            "first_opener": "highest_double",
            "next_opener": "highest_double",
            "opening_tile": "forced",
            "block_winner": "lowest_hand",
            "points_out": "all",
            "points_block": "all",
            "deduct_from": "total",
        }
    ),
    schedule=WDF_SCHEDULE,
    articles=(
        Article("players", Phrase("elimination, set-up")),
        Article("stock", Phrase("elimination, play (3 players: chosen)")),
        Article("first_opener", Phrase("elimination, set-up")),
        Article("opening_tile", Phrase("elimination, play")),
        Article("next_opener", Phrase("elimination, set-up (chosen)")),
        Article("must_play", Phrase("elimination, play")),
        Article("points_out", Phrase("elimination, scoring")),
        Article("points_block", Phrase("elimination, scoring")),
        Article("target", Phrase("elimination, scoring")),
        Article("penalties", Phrase("wdf %(rules)s (chosen)", rules="1–8")),
    ),
)

WDF = RuleProfile(
    key="wdf",
    name=marked("WDF-style tournament rules"),
    summary=marked("2 players or 2 pairs. The highest double opens every round. To 100."),
    players=(2, 4),
    partnership=True,
    direction="clockwise",
    target=100,
    options=MappingProxyType(
        {
            **_COMMON,
            "first_opener": "highest_double",
            "next_opener": "highest_double",
            "opening_tile": "forced",
            "block_winner": "lowest_side",
            "points_out": "opponents",
            "points_block": "difference",
            "deduct_from": "total",
        }
    ),
    schedule=WDF_SCHEDULE,
    articles=(
        Article("players", Phrase("wdf, players and tiles")),
        Article("stock", Phrase("wdf, deal")),
        Article("first_opener", Phrase("wdf, start")),
        Article("opening_tile", Phrase("wdf, start (chosen)")),
        Article("next_opener", Phrase("wdf, start (chosen)")),
        Article("must_play", Phrase("wdf, course of play")),
        Article("block_winner", Phrase("wdf, block (sides: chosen)")),
        Article("points_out", Phrase("wdf, scoring")),
        Article("points_block", Phrase("wdf, block")),
        Article("target", Phrase("wdf, match end")),
        Article("penalties", Phrase("wdf %(rules)s", rules="1–8")),
    ),
)

FEMUNDO = RuleProfile(
    key="femundo",
    name=marked("World federation (FEMUNDO), 2025 regulation"),
    summary=marked(
        "2 pairs. The opening goes round the table; all hands count. To 200, or 40 minutes."
    ),
    players=(4,),
    partnership=True,
    direction="counter_clockwise",
    target=200,
    options=MappingProxyType(
        {
            **_COMMON,
            "first_opener": "lot",
            "next_opener": "rotates",
            "opening_tile": "free",
            "block_winner": "lowest_side",
            "points_out": "all",
            "points_block": "all",
            "deduct_from": "result",
        }
    ),
    schedule=FEMUNDO_SCHEDULE,
    articles=(
        Article("players", Phrase("femundo %(rules)s", rules="2")),
        Article("first_opener", Phrase("femundo %(rules)s", rules="6")),
        Article("next_opener", Phrase("femundo %(rules)s", rules="6, 12")),
        Article("must_play", Phrase("femundo %(rules)s", rules="15, 16")),
        Article("block_winner", Phrase("femundo %(rules)s", rules="6")),
        Article("points_out", Phrase("femundo %(rules)s", rules="6")),
        Article("points_block", Phrase("femundo %(rules)s", rules="6")),
        Article("target", Phrase("femundo %(rules)s", rules="6")),
        Article("penalties", Phrase("femundo %(rules)s", rules="5–29")),
    ),
)

PROFILES: Final[Mapping[str, RuleProfile]] = MappingProxyType(
    {one.key: one for one in (WDF, DOMNA, FEMUNDO, ELIMINATION)}
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """A profile with its target and options settled, as an event freezes them."""

    profile: str
    version: int
    target: int
    first_opener: str
    next_opener: str
    opening_tile: str
    stock_reserve: int
    block_winner: str
    points_out: str
    points_block: str
    round_to: int
    bonus_both_ends: int
    survivors: int
    limit_together: str
    points_to: str
    deduct_from: str
    own: Own = ()
    """The event's own penalties; no part of a record, which then writes its measures out."""
    schedule: Schedule = field(repr=False, compare=False)

    @classmethod
    def of(
        cls,
        profile: str,
        target: int | None = None,
        options: Mapping[str, str | int] | None = None,
        own: Own = (),
    ) -> Rules:
        """Return the rules of `profile` with what an organizer changed; raises BadRecord."""
        given = {"profile": profile, "target": target, "options": dict(options or {})}
        return cls.read(given).with_own(own)

    def with_own(self, own: Own) -> Rules:
        """Return the rules with these as the event's own penalties, and no others."""
        return replace(self, own=own, schedule=extended(self.of_profile.schedule, own))

    @classmethod
    def read(cls, written: object, path: str = "rules") -> Rules:
        """Read `{"profile": …, "target": …, "options": {…}}`, also frozen; raises BadRecord.

        Only frozen rules, which have a `version`, may have `penalties` of the event's own.
        """
        if not isinstance(written, dict):
            wanted = Phrase("an object such as %(example)s", example='{"profile": "wdf"}')
            raise BadRecord(path, wanted, written)
        frozen = ("penalties",) if "version" in written else ()
        for key in written:
            if key not in ("profile", "version", "target", "options", *frozen):
                raise BadRecord(path, expected.only_keys(("profile", "target", "options")), key)
        key = written.get("profile")
        profile = PROFILES.get(key) if isinstance(key, str) else None
        if profile is None:
            raise BadRecord(f"{path}.profile", expected.one_of(PROFILES), key)
        if written.get("version", profile.version) != profile.version:
            raise BadRecord(f"{path}.version", str(profile.version), written["version"])
        target = written.get("target")
        if target is None:
            target = profile.target
        if type(target) is not int or not 1 <= target <= LARGEST_TARGET:
            raise BadRecord(f"{path}.target", Phrase("a whole number of points from 1"), target)
        options = read_options(written.get("options"), f"{path}.options")
        settled = {**profile.options, **options}
        own = read_own(written.get("penalties", {}), f"{path}.penalties")
        return cls(
            profile=profile.key,
            version=profile.version,
            target=target,
            own=own,
            schedule=extended(profile.schedule, own),
            **cast("dict[str, Any]", settled),
        )

    @property
    def of_profile(self) -> RuleProfile:
        return PROFILES[self.profile]

    @property
    def elimination(self) -> bool:
        return self.of_profile.elimination

    @property
    def options(self) -> dict[str, str | int]:
        """Every option with its settled value."""
        return {one.name: getattr(self, one.name) for one in fields(self) if one.name in OPTION}

    def json(self) -> dict[str, object]:
        """Return the record's `rules`: the options only where they differ from the profile."""
        usual = self.of_profile.options
        changed = {name: value for name, value in self.options.items() if usual[name] != value}
        written: dict[str, object] = {"profile": self.profile, "target": self.target}
        if changed:
            written["options"] = changed
        return written

    def frozen_json(self) -> dict[str, object]:
        """Return everything settled, for storing with an event."""
        frozen: dict[str, object] = {
            "profile": self.profile,
            "version": self.version,
            "target": self.target,
            "options": self.options,
        }
        if self.own:
            frozen["penalties"] = own_json(self.own)
        return frozen

    def percent(self, share: int) -> int:
        """Return `share` per cent of the target in points, rounded down."""
        return self.target * share // 100
