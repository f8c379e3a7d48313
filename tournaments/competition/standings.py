"""Order of entries, and the tie-break that decides between neighbours."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import groupby
from typing import TypeAlias

from tournaments.competition.lots import ticket
from tournaments.competition.types import EntryResult, Outcome, Row, TieBreak

# More is always better in here; what the page calls "less is better" is kept below zero.
Values: TypeAlias = dict[str, int]


def standings(
    results: Iterable[EntryResult],
    tie_breaks: Sequence[TieBreak],
    *,
    target: int,
    seed: int = 0,
    entries: Iterable[str] = (),
) -> tuple[Row, ...]:
    """Return the rows in order; entries level on everything share a place, 1 2 2 4.

    `entries` are those to list even without a result.
    """
    table = _Table(results, entries, target=target, seed=seed)
    columns: dict[TieBreak, Values] = {}
    # Entries level on everything so far, the best group first.
    groups: list[list[str]] = [sorted(table.entries)] if table.entries else []
    for name in tie_breaks:
        values = table.direct(groups) if name is TieBreak.DIRECT else table.values(name)
        columns[name] = values
        groups = [part for group in groups for part in _parted(group, values)]
    return tuple(_rows(groups, columns, tie_breaks))


def _parted(group: list[str], values: Values) -> Iterable[list[str]]:
    """Part entries that were level by one more value; within a part the order stays."""
    if len(group) == 1:
        return [group]
    ordered = sorted(group, key=lambda entry: -values[entry])
    return [list(part) for _, part in groupby(ordered, key=lambda entry: values[entry])]


def _rows(
    groups: list[list[str]], columns: Mapping[TieBreak, Values], tie_breaks: Sequence[TieBreak]
) -> Iterable[Row]:
    place = 1
    above: str | None = None
    for group in groups:
        decided_by = None
        if above is not None:
            first = group[0]
            decided_by = next(
                name for name in tie_breaks if columns[name][first] != columns[name][above]
            )
        for entry in group:
            shown = {
                name: -values[entry] if name.less_is_better else values[entry]
                for name, values in columns.items()
            }
            yield Row(place, entry, shown, decided_by)
            decided_by = None
        place += len(group)
        above = group[0]


class _Table:
    """The results by entry, and the value of every tie-break."""

    def __init__(
        self, results: Iterable[EntryResult], entries: Iterable[str], *, target: int, seed: int
    ) -> None:
        self.results: defaultdict[str, list[EntryResult]] = defaultdict(list)
        for entry in entries:
            self.results[entry] = []
        for one in results:
            self.results[one.entry].append(one)
        self.entries = tuple(self.results)
        self._target = target
        self._seed = seed
        self._wins: Values | None = None

    def values(self, name: TieBreak) -> Values:
        """Return one value an entry, more being better."""
        match name:
            case TieBreak.WINS:
                return self.wins()
            case TieBreak.BUCHHOLZ:
                return {entry: sum(scores) for entry, scores in self._opponents_wins().items()}
            case TieBreak.BUCHHOLZ_CUT1:
                return {
                    entry: sum(scores) - min(scores, default=0)
                    for entry, scores in self._opponents_wins().items()
                }
            case TieBreak.LOT:
                return self._lot()
            case _:
                return self._sums(_VALUE[name](self._target))

    def wins(self) -> Values:
        if self._wins is None:
            won = frozenset(one for one in Outcome if one.is_won)
            self._wins = {
                entry: sum(1 for one in results if one.outcome in won)
                for entry, results in self.results.items()
            }
        return self._wins

    def direct(self, groups: Iterable[list[str]]) -> Values:
        """Return the wins within each group whose members have all met each other.

        Where a table has more than two sides, or partners change, nobody meets anybody alone:
        there is no direct meeting then.
        """
        values = dict.fromkeys(self.entries, 0)
        if any(len(one.opponents) > 1 for results in self.results.values() for one in results):
            return values
        for group in groups:
            if len(group) > 1:
                values |= self._wins_within(frozenset(group))
        return values

    def _wins_within(self, group: frozenset[str]) -> Values:
        wins = dict.fromkeys(group, 0)
        pairs = len(group) * (len(group) - 1) // 2
        if sum(len(self.results[entry]) for entry in group) < pairs:
            return wins
        met: set[frozenset[str]] = set()
        for entry in group:
            for one in self.results[entry]:
                for opponent in one.opponents:
                    if opponent in group and opponent != entry:
                        met.add(frozenset((entry, opponent)))
                        wins[entry] += one.outcome.is_won
        return wins if len(met) == pairs else dict.fromkeys(group, 0)

    def _opponents_wins(self) -> dict[str, list[int]]:
        wins = self.wins()
        return {
            entry: [wins.get(opponent, 0) for one in results for opponent in one.opponents]
            for entry, results in self.results.items()
        }

    def _sums(self, value: Callable[[EntryResult], int]) -> Values:
        return {entry: sum(map(value, results)) for entry, results in self.results.items()}

    def _lot(self) -> Values:
        """Return the places drawn, below zero: less is better.

        Each entry draws from the seed and its own name, so another entry changes the places
        but not who is before whom.
        """

        drawn = sorted(self.entries, key=lambda entry: ticket(entry, self._seed))
        return {entry: -place for place, entry in enumerate(drawn, start=1)}


def _difference(_: int) -> Callable[[EntryResult], int]:
    return lambda one: one.points_for - one.points_against


def _difference_capped(target: int) -> Callable[[EntryResult], int]:
    return lambda one: min(one.points_for, target) - min(one.points_against, target)


_VALUE: Mapping[TieBreak, Callable[[int], Callable[[EntryResult], int]]] = {
    TieBreak.DIFFERENCE: _difference,
    TieBreak.DIFFERENCE_CAPPED: _difference_capped,
    TieBreak.POINTS_FOR: lambda _: lambda one: one.points_for,
    TieBreak.ROUNDS_WON: lambda _: lambda one: one.rounds_won,
    TieBreak.FEWEST_PENALTY_POINTS: lambda _: lambda one: -one.penalty,
}
