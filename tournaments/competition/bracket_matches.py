"""Matches of a bracket: who meets whom, by name, by winning or by losing another match.

Names say where a match stands. `W1.2` is the second from the top in round 1 of the winners'
bracket, whose sides are the winners of `W0.3` and `W0.4`; round 0 is the one in which only some
play, when the number of entries is not a power of two. `L` is the losers' bracket, `F1` and `F2`
are the final and the second final, `T1` the match for third place. Where a side has a bye there
is no match, and no other match takes its number.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TypeAlias

from engine.errors import DominoError, counted

# How many matches a meeting may be best of.
MEETINGS = (1, 3, 5)
SIDES = ("AC", "BD")


class Part(StrEnum):
    """A part of a bracket."""

    WINNERS = "winners"
    LOSERS = "losers"
    FINAL = "final"
    THIRD_PLACE = "third_place"


class By(StrEnum):
    """How a side comes to a match."""

    ENTRY = "entry"
    WINNER = "winner"
    LOSER = "loser"


@dataclass(frozen=True, slots=True)
class Source:
    """Where a side comes from: `name` is that of an entry, or of an earlier match."""

    by: By
    name: str

    def json(self) -> dict[str, str]:
        return {str(self.by): self.name}


@dataclass(frozen=True, slots=True)
class BracketMatch:
    """One meeting. A conditional one is played when side AC of the first final loses that."""

    name: str
    part: Part
    round: int
    sides: Mapping[str, Source]
    best_of: int = 1
    conditional: bool = False

    def json(self) -> dict[str, object]:
        written: dict[str, object] = {
            "match": self.name,
            "bracket": str(self.part),
            "round": self.round,
            **{side: source.json() for side, source in self.sides.items()},
            "best_of": self.best_of,
        }
        return written | {"conditional": True} if self.conditional else written


class BestOfRounds(DominoError):
    code = "best_of_rounds"
    text, plural = counted(
        "Best of is given for %(found)s round, but the bracket has %(rounds)s. Give one number "
        "for all, or one a round from the first to the final.",
        "Best of is given for %(found)s rounds, but the bracket has %(rounds)s. Give one number"
        " for all, or one a round from the first to the final.",
    )
    counts = "found"


def lengths(best_of: int | Sequence[int], rounds: int) -> Sequence[int]:
    """Return what each round is best of; raises BestOfRounds if they are not as many."""
    if isinstance(best_of, int):
        return [best_of] * rounds
    if len(best_of) != rounds:
        raise BestOfRounds(found=len(best_of), rounds=rounds)
    return best_of


# A side that nobody will ever take is None: opposite it is a bye.
Coming: TypeAlias = Source | None


class Drawing:
    """Matches as they are added: every one after those it depends on."""

    def __init__(self) -> None:
        self.matches: list[BracketMatch] = []

    def meeting(
        self, name: str, part: Part, round_: int, ac: Coming, bd: Coming, *, best_of: int
    ) -> tuple[Coming, Coming]:
        """Return who comes out of a meeting as winner and as loser.

        With a bye no match is added: the one side there is goes on, and nobody loses.
        """
        if ac is None or bd is None:
            return ac or bd, None
        sides = dict(zip(SIDES, (ac, bd), strict=True))
        self.matches.append(BracketMatch(name, part, round_, sides, best_of))
        return Source(By.WINNER, name), Source(By.LOSER, name)

    def meetings(
        self, part: Part, round_: int, coming: Sequence[Coming], *, best_of: int
    ) -> tuple[list[Coming], list[Coming]]:
        """Let neighbours meet in one round, and return its winners and losers from the top."""
        letter = part[0].upper()
        out = [
            self.meeting(f"{letter}{round_}.{n}", part, round_, ac, bd, best_of=best_of)
            for n, (ac, bd) in enumerate(zip(coming[::2], coming[1::2], strict=True), start=1)
        ]
        return [winner for winner, _ in out], [loser for _, loser in out]


def entering(slots: Sequence[str | None]) -> list[Coming]:
    """Return who comes to the first round, from the top, and None opposite a bye."""
    return [None if one is None else Source(By.ENTRY, one) for one in slots]


def first_round(slots: Sequence[str | None]) -> int:
    """Return the number of the first round: 0 if only some play it."""
    return 0 if None in slots else 1
