"""Double elimination: who loses twice is out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

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


def double_elimination(
    seeds: Sequence[Seed], *, best_of: int | Sequence[int] = 1
) -> tuple[BracketMatch, ...]:
    """Return the matches for two or more seeds, the best first.

    Who loses in the winners' bracket goes to the losers' bracket, whose rounds are by turns one
    among those already there and one against those who come down. Its winner is side BD of the
    final. The second final is conditional.

    `best_of` is one number for all, or one for each round of the winners' bracket and one for
    the finals; a round of the losers' bracket is as long as the one of the winners' bracket
    whose losers came down last. Raises BestOfRounds.
    """
    places = slots(seeds)
    rounds = len(places).bit_length() - 1
    long = lengths(best_of, rounds + 1)
    first = first_round(places)
    drawing = Drawing()
    coming, down = drawing.meetings(Part.WINNERS, first, entering(places), best_of=long[0])
    left = _crossed(down, 1)
    number = first
    for n, matches in enumerate(long[1:-1], start=2):
        left, _ = drawing.meetings(Part.LOSERS, number, left, best_of=long[n - 2])
        coming, down = drawing.meetings(Part.WINNERS, first + n - 1, coming, best_of=matches)
        opposite = zip(_crossed(down, n), left, strict=True)
        sides = [side for two in opposite for side in two]
        left, _ = drawing.meetings(Part.LOSERS, number + 1, sides, best_of=matches)
        number += 2
    _finals(drawing, (coming[0], left[0]), first + rounds, best_of=long[-1])
    return tuple(drawing.matches)


def _crossed(down: Sequence[Coming], round_: int) -> list[Coming]:
    """Return those who come down from the winners' bracket in the order they are met.

    Who comes down may have beaten somebody who came down earlier from below him in the winners'
    bracket, so each round comes down turned otherwise. `mask` tells, a binary digit for each
    step from the whole losers' bracket to its halves, quarters and so on, where the two parts
    change places. Two entries come from below each other by the same steps; they stay apart
    from the first digit on in which the masks of their rounds differ. The masks of rounds 1, 2,
    3, 4, 5 begin with 000, 100, 010, 110, 001, the numbers from 0 read from the last digit, and
    as many numbers cannot differ earlier.
    """
    digits = len(down).bit_length() - 1
    mask = sum((round_ - 1 >> digit & 1) << (digits - 1 - digit) for digit in range(digits))
    return [down[place ^ mask] for place in range(len(down))]


def _finals(drawing: Drawing, sides: tuple[Coming, Coming], round_: int, *, best_of: int) -> None:
    again = drawing.meeting("F1", Part.FINAL, round_, *sides, best_of=best_of)
    drawing.meeting("F2", Part.FINAL, round_ + 1, *again, best_of=best_of)
    drawing.matches[-1] = replace(drawing.matches[-1], conditional=True)
