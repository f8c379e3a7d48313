"""Groups of equal strength: a snake through the ranks, club-mates apart, all play all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from engine.errors import DominoError, counted
from tournaments.competition.groups_apart import kept_apart
from tournaments.competition.round_robin import by_rank, schedule
from tournaments.competition.types import Contender, ScheduledRound, SeparateBy


class TooManyGroups(DominoError):
    code = "too_many_groups"
    text, plural = counted(
        "For %(groups)s group there are too few entries: %(found)s found, at least %(needed)s "
        "needed. Register more.",
        "For %(groups)s groups there are too few entries: %(found)s found, at least %(needed)s "
        "needed. Make fewer groups, or register more.",
    )
    counts = "groups"


@dataclass(frozen=True, slots=True)
class Group:
    """One group: its entries from the best rank down, and all its pairing rounds."""

    name: str
    entries: tuple[str, ...]
    rounds: tuple[ScheduledRound, ...]

    def json(self) -> dict[str, object]:
        return {
            "group": self.name,
            "entries": list(self.entries),
            "rounds": [one.json() for one in self.rounds],
        }


def draw(
    contenders: Iterable[Contender],
    *,
    groups: int,
    legs: int = 1,
    rounds: int | None = None,
    separate_by: SeparateBy | None = None,
    forbidden: Iterable[tuple[str, str]] = (),
) -> tuple[Group, ...]:
    """Return `groups` groups, named from 1, whose sizes differ by 1 at most.

    Groups too large to play all their rounds end after the first `rounds`. Two of `forbidden`
    are never in one group. Raises TooManyGroups if one would have fewer than 2 entries,
    TooManyContenders if one is too long for a round robin, and ForbiddenInGroup.
    """
    ranked = by_rank(contenders)
    if groups < 1:
        raise ValueError(f"expected 1 group or more, got {groups}")
    if len(ranked) < 2 * groups:
        raise TooManyGroups(groups=groups, needed=2 * groups, found=len(ranked))
    members: list[list[Contender]] = [[] for _ in range(groups)]
    found = kept_apart(
        ranked,
        assigned(ranked, groups, separate_by),
        count=groups,
        separate_by=separate_by,
        forbidden=forbidden,
    )
    for one, group in zip(ranked, found, strict=True):
        members[group].append(one)
    return tuple(
        Group(str(n), tuple(one.id for one in some), schedule(some, legs=legs, rounds=rounds))
        for n, some in enumerate(members, start=1)
    )


def assigned(
    ranked: Sequence[Contender], groups: int, separate_by: SeparateBy | None = None
) -> list[int]:
    """Return the group, from 0, of each entry, given from the best rank down.

    A row of the snake is as many neighbours in rank as there are groups, one for each; the last
    row may be shorter. `separate_by` names what is kept apart (empty: nothing): entries change
    places inside their row only, and every two groups have as many of one club, give or take
    one, which is the fewest pairs of club-mates there can be.

    Rows are one side of a graph, clubs the other, entries the lines between them and groups
    their colours: a club of more entries than there are groups is cut into parts of that many,
    and then no row and no part has a colour twice (König: as many colours as the most lines at
    a point are enough).
    """
    colours = _Colours()
    seen: defaultdict[str, int] = defaultdict(int)
    for n, one in enumerate(ranked):
        row, place = divmod(n, groups)
        name = separate_by.of(one) if separate_by else ""
        # An entry without a club is a club of its own.
        part = ("", n) if not name else (name, seen[name] // groups)
        seen[name] += 1
        wanted = groups - 1 - place if row % 2 else place
        colours.give(n, row, part, wanted, groups)
    return [colours.of[n] for n in range(len(ranked))]


class _Colours:
    """Lines between rows and parts of clubs, of which no two of a colour meet in a point."""

    def __init__(self) -> None:
        self.of: dict[int, int] = {}
        self._ends: dict[int, tuple[object, object]] = {}
        # At each point, the line of each colour.
        self._at: defaultdict[object, dict[int, int]] = defaultdict(dict)

    def give(self, line: int, row: int, part: tuple[str, int], wanted: int, count: int) -> None:
        """Colour a line, as wanted if both its ends allow it."""
        self._ends[line] = row, part
        here, there = self._free(row, wanted, count), self._free(part, wanted, count)
        both = [one for one in here if one in there]
        if not both:
            # Neighbours in the row change their places before those of better rows do.
            self._swap(row, there[0], here[0])
        self._colour(line, both[0] if both else there[0])

    def _free(self, point: object, wanted: int, count: int) -> list[int]:
        """Return the colours no line has at a point, the one wanted first."""
        taken = self._at[point]
        order = (wanted, *(one for one in range(count) if one != wanted))
        return [one for one in order if one not in taken]

    def _swap(self, start: object, one: int, other: int) -> None:
        """Exchange two colours along the path that leaves a row by colour `one`.

        It comes to every part of a club by `one`, so it never comes to one where `one` is free.
        """
        path = []
        point, colour = start, one
        while colour in self._at[point]:
            line = self._at[point][colour]
            path.append((line, colour))
            point = next(end for end in self._ends[line] if end != point)
            colour = one + other - colour
        for line, colour in path:
            for end in self._ends[line]:
                del self._at[end][colour]
        for line, colour in path:
            self._colour(line, one + other - colour)

    def _colour(self, line: int, colour: int) -> None:
        self.of[line] = colour
        for end in self._ends[line]:
            self._at[end][colour] = line
