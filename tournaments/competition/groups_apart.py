"""Groups in which nobody is with an entry he must not meet: some change places."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from engine.errors import DominoError, marked
from tournaments.competition.types import Contender, SeparateBy

# How often somebody is given a group before it is said that no groups were found.
TRIES = 20_000
# How many entries a refusal names.
NAMED = 12


class ForbiddenInGroup(DominoError):
    code = "forbidden_in_group"
    text = marked(
        "No groups were found in which nobody is with an entry he must not meet: too many "
        "meetings of %(entries)s are forbidden. Allow some of them, or make more groups."
    )


def kept_apart(
    ranked: Sequence[Contender],
    groups: Sequence[int],
    *,
    count: int,
    separate_by: SeparateBy | None,
    forbidden: Iterable[tuple[str, str]],
) -> list[int]:
    """Return the group, of `count`, of each entry, no two of `forbidden` being in one.

    `groups` are the groups by the snake, which are kept where they can be. Who has to go changes
    places with the entry of his row of the snake, into the group where his club and that of the
    other are fewest, and others of a row do so where that parts club-mates. Only where rows
    leave no way, places are changed with the nearest entry of another row. Raises
    ForbiddenInGroup.
    """
    apart = _Apart(ranked, groups, count, separate_by, forbidden)
    if not apart.tied or apart.is_settled():
        return list(groups)
    if apart.given(rows=True):
        apart.exchange_in_rows()
        apart.spread_clubs()
    elif not apart.given(rows=False) or not apart.exchange_with_nearest():
        most = sorted(apart.tied, key=lambda one: (-len(apart.barred[one]), one))[:NAMED]
        raise ForbiddenInGroup(entries=", ".join(ranked[one].id for one in sorted(most)))
    return apart.groups


class _Apart:
    """Groups by place in the ranking; `tied` are those with somebody they must not meet."""

    def __init__(
        self,
        ranked: Sequence[Contender],
        groups: Sequence[int],
        count: int,
        separate_by: SeparateBy | None,
        forbidden: Iterable[tuple[str, str]],
    ) -> None:
        self.groups = list(groups)
        self.count = count
        # Who has no club is a club of his own.
        clubs = [separate_by.of(one) if separate_by else "" for one in ranked]
        self.club = [name or str(n) for n, name in enumerate(clubs)]
        self.members = Counter(zip(groups, self.club, strict=True))
        place = {one.id: n for n, one in enumerate(ranked)}
        self.barred: defaultdict[int, set[int]] = defaultdict(set)
        for one, other in forbidden:
            if one in place and other in place:
                self.barred[place[one]].add(place[other])
                self.barred[place[other]].add(place[one])
        self.tied = sorted(self.barred, key=lambda one: (-len(self.barred[one]), one))
        self.wanted: dict[int, int] = {}

    def is_settled(self) -> bool:
        return all(
            self.groups[one] != self.groups[other]
            for one in self.tied
            for other in self.barred[one]
        )

    def given(self, *, rows: bool) -> bool:
        """Give all who are tied a group, with `rows` no two of a row the same.

        Tell whether that was found; where somebody can have none, those before try the next.
        """
        self.wanted = {}
        choices: list[Iterator[int]] = [self._choices(0)]
        for _ in range(TRIES):
            one = self.tied[len(choices) - 1]
            self.wanted.pop(one, None)
            group = next((to for to in choices[-1] if self._is_free(one, to, rows=rows)), None)
            if group is not None:
                self.wanted[one] = group
                if len(choices) == len(self.tied):
                    return True
                choices.append(self._choices(len(choices)))
            elif len(choices) > 1:
                choices.pop()
            else:
                return False
        return False

    def _choices(self, n: int) -> Iterator[int]:
        one = self.tied[n]
        return iter(sorted(range(self.count), key=lambda to: self._cost(one, to)))

    def _is_free(self, one: int, group: int, *, rows: bool) -> bool:
        if any(self.wanted.get(other) == group for other in self.barred[one]):
            return False
        row = one // self.count
        return not rows or all(
            self.wanted.get(other) != group
            for other in range(row * self.count, (row + 1) * self.count)
        )

    def _cost(self, one: int, group: int) -> tuple[int, int, int]:
        """Return how many more club-mates would be together, first those who stay."""
        here = self.groups[one]
        if group == here:
            return 0, 0, group
        more = self.members[group, self.club[one]] - self.members[here, self.club[one]] + 1
        other = self._of_row(one // self.count, group)
        if other is not None and self.club[other] != self.club[one]:
            club = self.club[other]
            more += self.members[here, club] - self.members[group, club] + 1
        return 1, more, group

    def _of_row(self, row: int, group: int) -> int | None:
        places = range(row * self.count, min((row + 1) * self.count, len(self.groups)))
        return next((one for one in places if self.groups[one] == group), None)

    def exchange_in_rows(self) -> None:
        for one, group in self.wanted.items():
            other = self._of_row(one // self.count, group)
            if other is not None:
                self.groups[other] = self.groups[one]
            self.groups[one] = group

    def spread_clubs(self) -> None:
        """Exchange neighbours of a row as long as that parts club-mates."""
        self.members = Counter(zip(self.groups, self.club, strict=True))
        gained = True
        while gained:
            gained = False
            for start in range(0, len(self.groups), self.count):
                row = range(start, min(start + self.count, len(self.groups)))
                for one, other in combinations(row, 2):
                    if self._parts_club_mates(one, other) and self._may_exchange(one, other):
                        self._exchange(one, other)
                        gained = True

    def _parts_club_mates(self, one: int, other: int) -> bool:
        if self.club[one] == self.club[other]:
            return False
        here, there = self.groups[one], self.groups[other]
        mates = self.members
        now = mates[here, self.club[one]] + mates[there, self.club[other]] - 2
        return mates[there, self.club[one]] + mates[here, self.club[other]] < now

    def _may_exchange(self, one: int, other: int) -> bool:
        here, there = self.groups[one], self.groups[other]
        return all(self.groups[barred] != there for barred in self.barred.get(one, ())) and all(
            self.groups[barred] != here for barred in self.barred.get(other, ())
        )

    def _exchange(self, one: int, other: int) -> None:
        here, there = self.groups[one], self.groups[other]
        self.members.subtract([(here, self.club[one]), (there, self.club[other])])
        self.members.update([(there, self.club[one]), (here, self.club[other])])
        self.groups[one], self.groups[other] = there, here

    def exchange_with_nearest(self) -> bool:
        """Exchange with those who are not tied; tell whether there were enough of them."""
        for one, group in self.wanted.items():
            if self.groups[one] == group:
                continue
            free = [
                other
                for other, its in enumerate(self.groups)
                if its == group and other not in self.wanted
            ]
            if not free:
                return False
            other = min(free, key=lambda other: (abs(other - one), other))
            self.groups[one], self.groups[other] = group, self.groups[one]
        return True
