"""What the results of a stage come to, kept in this process so that one more table costs little.

Nothing here is taken on trust: whoever takes a count compares the version of every table with
the stored one first, and brings in what differs, whoever has changed it in which process.
"""

from __future__ import annotations

from collections import Counter, OrderedDict, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from hashlib import blake2b
from threading import Lock
from typing import NamedTuple

from tournaments.competition.standings import Standings
from tournaments.competition.types import EntryResult, Outcome, Row, TieBreak
from tournaments.services.frozen import FrozenRow

# With more results than these changed at once, everything is counted again.
_FEW = 64


class Member(NamedTuple):
    """The key of an entry, and its group in the stage."""

    pk: int
    group: str


class Table(NamedTuple):
    """A closed table: when it was changed last, and what each of its entries took."""

    version: datetime
    results: tuple[EntryResult, ...]


class Order(NamedTuple):
    """What orders the entries of a stage besides their results, and what their tables mean.

    `rules` are those of the event as they are stored.
    """

    chain: tuple[str, ...]
    target: int
    seed: int
    rules: Mapping[str, object]


class Count:
    """The results of a stage and the order they make, brought up to date table by table."""

    def __init__(self, order: Order, members: Mapping[int, Member]) -> None:
        self.order = order
        self.members = members
        self.tables: dict[int, Table] = {}
        self._rests: Counter[EntryResult] = Counter()
        # By group; a group that is not there has to be counted as a whole.
        self._standings: dict[str, Standings] = {}
        self._rows: dict[str, list[FrozenRow]] = {}
        self._played: Counter[str] = Counter()
        # Of the results up to and with a round, as far as somebody has asked.
        self._digests: dict[int, blake2b] = {}

    def stale(self, versions: Mapping[int, datetime]) -> set[int]:
        """Return the keys of the tables that are kept otherwise than they are stored."""
        kept = self.tables
        found = {
            pk for pk, when in versions.items() if (one := kept.get(pk)) is None or one[0] != when
        }
        return found | (kept.keys() - versions.keys())

    def bring(
        self,
        members: Mapping[int, Member],
        stale: Iterable[int],
        tables: Mapping[int, Table],
        rests: Iterable[EntryResult],
    ) -> None:
        """Put the `tables` in the place of those that are `stale`, and these byes and absences."""
        taken: list[EntryResult] = []
        given: list[EntryResult] = []
        for pk in stale:
            if old := self.tables.pop(pk, None):
                taken += old.results
        for pk, table in tables.items():
            self.tables[pk] = table
            given += table.results
        resting = Counter(rests)
        taken += (self._rests - resting).elements()
        given += (resting - self._rests).elements()
        self._rests = resting
        self._forget_digests(taken, given)
        if members != self.members:
            self.members = members
            self._standings = {}
        elif len(taken) + len(given) > _FEW:
            self._standings = {}
        elif self._standings:
            self._correct(taken, given)

    def rows(self) -> list[FrozenRow]:
        """Return the rows of one group after the other, each from the best-placed down."""
        groups = sorted({one.group for one in self.members.values()}, key=lambda g: (len(g), g))
        if any(group not in self._standings for group in groups):
            self._count_all()
        for group in groups:
            if group not in self._rows:
                kept = self._standings[group]
                self._rows[group] = frozen_rows(group, kept.rows(), self._played)
        return [row for group in groups for row in self._rows[group]]

    def results(self, until: int, after: int = 0) -> list[EntryResult]:
        """Return the results of the rounds up to and with one, `after` another, in order."""
        found = [one for one in self._all() if after < one.round <= until]
        found.sort(key=lambda one: (one.round, one.entry))
        return found

    def is_last(self, number: int) -> bool:
        """Tell whether no later round than this one has a result."""
        return all(one.round <= number for one in self._all())

    def digest(self, number: int) -> str:
        """Return what tells the results up to and with a round from any others."""
        if number not in self._digests:
            before = max((one for one in self._digests if one < number), default=0)
            told = self._digests[before].copy() if before else blake2b(digest_size=12)
            for one in self.results(number, after=before):
                told.update(repr(one).encode())
            self._digests[number] = told
        return self._digests[number].copy().hexdigest()

    def _all(self) -> Iterator[EntryResult]:
        yield from self._rests.elements()
        for pk in sorted(self.tables):
            yield from self.tables[pk].results

    def _count_all(self) -> None:
        entries: defaultdict[str, list[str]] = defaultdict(list)
        for number, member in self.members.items():
            entries[member.group].append(entry_id(number))
        taken: defaultdict[str, list[EntryResult]] = defaultdict(list)
        self._played = Counter()
        for group, one in self._of_members(self._all()):
            taken[group].append(one)
            self._played[one.entry] += is_played(one)
        self._standings = {
            group: Standings(
                taken[group],
                [TieBreak(name) for name in self.order.chain],
                target=self.order.target,
                seed=self.order.seed,
                entries=some,
                to_correct=False,
            )
            for group, some in entries.items()
        }
        self._rows = {}

    def _correct(self, taken: Iterable[EntryResult], given: Iterable[EntryResult]) -> None:
        changes: defaultdict[str, tuple[list[EntryResult], list[EntryResult]]]
        changes = defaultdict(lambda: ([], []))
        for sign, some in ((-1, taken), (1, given)):
            for group, one in self._of_members(some):
                changes[group][sign > 0].append(one)
                self._played[one.entry] += sign * is_played(one)
        for group, (old, new) in changes.items():
            self._standings[group].correct(taken=old, given=new)
            self._rows.pop(group, None)

    def _of_members(self, results: Iterable[EntryResult]) -> Iterator[tuple[str, EntryResult]]:
        for one in results:
            member = self.members.get(int(one.entry))
            if member is not None:
                yield member.group, one

    def _forget_digests(self, *changed: Iterable[EntryResult]) -> None:
        first = min((one.round for some in changed for one in some), default=None)
        if first is not None:
            self._digests = {n: told for n, told in self._digests.items() if n < first}


class Kept:
    """The counts of the stages asked for last. Each is with one thread at a time."""

    def __init__(self, most: int = 8) -> None:
        self._most = most
        self._counts: OrderedDict[int, Count] = OrderedDict()
        self._lock = Lock()

    def take(self, stage: int) -> Count | None:
        """Return the count of a stage, which is not kept any more: who took it gives it back."""
        with self._lock:
            return self._counts.pop(stage, None)

    def give(self, stage: int, count: Count) -> None:
        with self._lock:
            self._counts[stage] = count
            self._counts.move_to_end(stage)
            while len(self._counts) > self._most:
                self._counts.popitem(last=False)


def entry_id(number: int) -> str:
    """Return an entry's number as the id that standings order by."""
    return f"{number:06}"


def is_played(result: EntryResult) -> bool:
    return result.outcome not in (Outcome.BYE, Outcome.ABSENT)


def frozen_rows(group: str, rows: Sequence[Row], played: Mapping[str, int]) -> list[FrozenRow]:
    """Return the rows of a group with the number of matches each entry has played."""
    return [
        FrozenRow(
            entry=int(row.entry),
            group=group,
            place=row.place,
            played=played[row.entry],
            values={str(name): value for name, value in row.values.items()},
            decided_by="" if row.decided_by is None else str(row.decided_by),
        )
        for row in rows
    ]
