"""Knockout: who loses is out."""

from __future__ import annotations

from collections.abc import Sequence

from tournaments.competition.bracket_matches import (
    BracketMatch,
    Coming,
    Drawing,
    Part,
    entering,
    first_round,
    lengths,
)
from tournaments.competition.seeding import Seed, slots


def knockout(
    seeds: Sequence[Seed], *, third_place: bool = False, best_of: int | Sequence[int] = 1
) -> tuple[BracketMatch, ...]:
    """Return the matches for two or more seeds, the best first.

    `best_of` is one number for all, or one for each round from the first to the final; raises
    BestOfRounds. The match for third place is as long as the final, stands before it, and needs
    two who lost a semifinal: with 2 or 3 entries there is none.
    """
    places = slots(seeds)
    coming = entering(places)
    number = first_round(places)
    rounds = len(places).bit_length() - 1
    long = lengths(best_of, rounds)
    drawing = Drawing()
    losers: list[Coming] = [None, None]
    for matches in long[:-1]:
        coming, losers = drawing.meetings(Part.WINNERS, number, coming, best_of=matches)
        number += 1
    if third_place:
        drawing.meeting("T1", Part.THIRD_PLACE, number, *losers, best_of=long[-1])
    drawing.meeting("F1", Part.FINAL, number, *coming, best_of=long[-1])
    return tuple(drawing.matches)
