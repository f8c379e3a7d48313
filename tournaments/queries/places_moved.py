"""How the first places of a stage moved from round to round, as lines and as a table."""

from __future__ import annotations

from dataclasses import dataclass

from tournaments.models import Entry, PairingRound, Stage
from tournaments.publication import withheld
from tournaments.services.frozen import FrozenRow, frozen_of

SHOWN = 10
"""Entries with a line: more lines cannot be followed."""
WIDTH, ROW, MARGIN = 400, 26, 20
_DEEPEST = 24
"""Places that have a height of their own; further down a line runs along the edge."""


@dataclass(frozen=True, slots=True)
class Dot:
    """Where a line is after a round."""

    x: str
    y: int
    place: int


@dataclass(frozen=True, slots=True)
class PlaceLine:
    """The places of an entry after each round; None where it had none yet."""

    entry: Entry
    places: tuple[int | None, ...]
    dots: tuple[Dot, ...]

    @property
    def points(self) -> str:
        return " ".join(f"{dot.x},{dot.y}" for dot in self.dots)

    @property
    def last(self) -> Dot:
        return self.dots[-1]


@dataclass(frozen=True, slots=True)
class PlacesMoved:
    """`columns` are the rounds with the x of each; the drawing is `width` by `height`."""

    columns: tuple[tuple[int, str], ...]
    lines: tuple[PlaceLine, ...]
    width: int
    height: int


def places_moved(stage: Stage, *, from_right: bool) -> PlacesMoved | None:
    """Return the lines of the first places, None where two rounds are not over yet.

    Groups are standings of their own: only a stage without them has lines. `from_right` puts the
    first round at the right, where Arabic and Persian begin to read.
    """
    over = PairingRound.objects.filter(stage=stage, state=PairingRound.State.FINISHED)
    over = over.exclude(withheld(stage.tournament).rounds())
    found = [(one.number, frozen_of(one)) for one in over.defer("draw").order_by("number")]
    rounds = [(number, frozen.rows) for number, frozen in found if frozen is not None]
    if len(rounds) < 2 or any(row.group for _, rows in rounds for row in rows):
        return None
    first = [row.entry for row in rounds[-1][1][:SHOWN]]
    entries = stage.tournament.entries.filter(number__in=first)
    by_number = {one.number: one for one in entries}
    places = [_places(rows) for _, rows in rounds]
    deepest = min(
        _DEEPEST, max(after[number] for after in places for number in first if number in after)
    )
    across = (WIDTH - 2 * MARGIN) / (len(rounds) - 1)
    # As text: a template would write a number by the reader's language.
    xs = [f"{MARGIN + across * at:.1f}" for at in range(len(rounds))]
    if from_right:
        xs.reverse()
    return PlacesMoved(
        columns=tuple((number, x) for (number, _), x in zip(rounds, xs, strict=True)),
        lines=tuple(
            _line(by_number[number], [after.get(number) for after in places], xs, deepest)
            for number in first
            if number in by_number
        ),
        width=WIDTH,
        height=2 * MARGIN + ROW * (deepest - 1),
    )


def _places(rows: tuple[FrozenRow, ...]) -> dict[int, int]:
    return {row.entry: row.place for row in rows}


def _line(entry: Entry, places: list[int | None], xs: list[str], deepest: int) -> PlaceLine:
    dots = tuple(
        Dot(x, MARGIN + ROW * (min(place, deepest) - 1), place)
        for place, x in zip(places, xs, strict=True)
        if place is not None
    )
    return PlaceLine(entry, tuple(places), dots)
