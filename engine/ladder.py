"""The ladder of warnings and cards over an event: what several of them come to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine.errors import Phrase, marked

SEVERITIES: Final = ("warning", "yellow", "red", "black")
"""From the lightest to the gravest."""
LADDERS: Final = ("play", "discipline")
"""Counted apart (femundo 29): faults of play, and faults of conduct."""
MOST_OF_ONE: Final = 20
"""More of one kind than these no event asks for before the next card."""

LADDER_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {"play": marked("Play"), "discipline": marked("Discipline")}
)
SEVERITY_LABELS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "warning": marked("Warning"),
        "yellow": marked("Yellow card"),
        "red": marked("Red card"),
        "black": marked("Black card"),
        "match": marked("Match lost"),
    }
)
# What is conduct by default; everything else is a fault of play. Femundo 24, 25 and 29 name them.
DISCIPLINE_KINDS: Final = frozenset({"signaling", "coaching", "table_talk", "disobedience"})
# Signals are given by one partner and read by the other.
BETWEEN_PARTNERS: Final = frozenset({"signaling", "coaching"})


@dataclass(frozen=True, slots=True)
class Rung:
    """So many sanctions (`of`, the lightest first) come to one more, `makes`."""

    of: tuple[str, ...]
    makes: str


@dataclass(frozen=True, slots=True)
class Numbers:
    """What an event counts; 0 switches a rung off.

    `warnings`: so many make a yellow card. `yellows`: so many make a red one. `red_and_yellow`:
    whether these make a black card (then two red ones do as well). `infractions`: so many
    punished by more than a warning lose the match they happened in (femundo 28). `apart`: play and
    discipline are counted apart.
    """

    warnings: int = 2
    yellows: int = 2
    red_and_yellow: bool = True
    infractions: int = 0
    apart: bool = True

    def __post_init__(self) -> None:
        for count, lowest in ((self.warnings, 2), (self.yellows, 2), (self.infractions, 2)):
            if count != 0 and not lowest <= count <= MOST_OF_ONE:
                raise ValueError(f"expected 0, or {lowest} to {MOST_OF_ONE}, got {count}")

    def rungs(self) -> tuple[Rung, ...]:
        """Return the rungs, the gravest first: who has red and yellow gets black, not red."""
        found = []
        if self.red_and_yellow:
            found += [Rung(("red", "red"), "black"), Rung(("yellow", "red"), "black")]
        if self.yellows:
            found.append(Rung(("yellow",) * self.yellows, "red"))
        if self.warnings:
            found.append(Rung(("warning",) * self.warnings, "yellow"))
        return tuple(found)


_USUAL: Final = Numbers()
_NUMBERS: Final[Mapping[str, Numbers]] = MappingProxyType({"femundo": Numbers(infractions=2)})
# Only femundo has cards in its book; what other events count is this product's default.
_ARTICLES: Final[Mapping[str, Phrase]] = MappingProxyType(
    {"femundo": Phrase("femundo %(rules)s", rules="29")}
)
CHOSEN: Final = Phrase("no article of the source (chosen)")
INFRACTIONS_ARTICLE: Final = Phrase("femundo %(rules)s", rules="28")


def numbers_of(profile: str) -> Numbers:
    """Return what the rule book of a profile counts."""
    return _NUMBERS.get(profile, _USUAL)


def article_of(profile: str) -> Phrase:
    """Return where a profile's ladder comes from."""
    return _ARTICLES.get(profile, CHOSEN)


def ladder_of(kind: str) -> str:
    """Return on which ladder a kind of infraction counts unless the event says otherwise."""
    return "discipline" if kind in DISCIPLINE_KINDS else "play"


def gravest(severities: Iterable[str]) -> str:
    """Return the gravest of several; "" for none."""
    return max(severities, key=SEVERITIES.index, default="")


@dataclass(frozen=True, slots=True)
class Held:
    """A sanction somebody has that has not come to a further one yet."""

    key: int
    severity: str
    ladder: str


@dataclass(frozen=True, slots=True)
class Next:
    """A card that several sanctions come to; `of` are their keys."""

    severity: str
    ladder: str
    of: tuple[int, ...]


def next_cards(held: Sequence[Held], numbers: Numbers) -> tuple[Next, ...]:
    """Return the cards that what one person holds comes to, the gravest first.

    Each sanction counts for one card at most, the earliest first. A card that is proposed here
    counts for a further one only once it is held itself, that is, once somebody has confirmed it.
    """
    ladders = LADDERS if numbers.apart else ("",)
    found: list[Next] = []
    for ladder in ladders:
        left = [one for one in held if ladder in ("", one.ladder)]
        for rung in numbers.rungs():
            while (taken := _taken(left, rung)) is not None:
                # Counted together, the card is where the last of them stands.
                found.append(Next(rung.makes, taken[-1].ladder, tuple(one.key for one in taken)))
                left = [one for one in left if one not in taken]
    return tuple(sorted(found, key=lambda one: -SEVERITIES.index(one.severity)))


def _taken(left: Sequence[Held], rung: Rung) -> tuple[Held, ...] | None:
    """Return the earliest sanctions that make up a rung, in their order; None where they do not."""
    wanted = Counter(rung.of)
    taken = []
    for one in left:
        if wanted[one.severity]:
            wanted[one.severity] -= 1
            taken.append(one)
    return tuple(taken) if not wanted.total() else None
