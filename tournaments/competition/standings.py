"""Order of entries, and the tie-break that decides between neighbours."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from tournaments.competition.lots import ticket
from tournaments.competition.types import EntryResult, Outcome, Row, TieBreak

# One number a tie-break, less being better; then the entry. The order of keys is the standings.
_Numbers: TypeAlias = tuple[int, ...]
_Key: TypeAlias = tuple[_Numbers, str]
_Column: TypeAlias = dict[str, int]
_WIN, _BYE, _WALKOVER_WIN = Outcome.WIN, Outcome.BYE, Outcome.WALKOVER_WIN


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
    once = Standings(
        results, tie_breaks, target=target, seed=seed, entries=entries, to_correct=False
    )
    return once.rows()


class Standings:
    """The order of entries, kept so that a corrected result costs little.

    What `correct` was told and what all results together give are always the same rows. What a
    correction needs is prepared at once, unless `to_correct` is false: then by the first one.
    """

    def __init__(
        self,
        results: Iterable[EntryResult],
        tie_breaks: Sequence[TieBreak],
        *,
        target: int,
        seed: int = 0,
        entries: Iterable[str] = (),
        to_correct: bool = True,
    ) -> None:
        self._chain = tuple(dict.fromkeys(tie_breaks))
        self._seed = seed
        self._worth = _worths(target)
        # What stands before the direct meetings decides between whom they are counted.
        self._asks_direct = TieBreak.DIRECT in self._chain
        direct = self._chain.index(TieBreak.DIRECT) if self._asks_direct else 0
        self._before_direct = self._chain[:direct]
        # How many results have several opponents; told only where direct meetings are asked for.
        self._crowds = 0
        self._asks_opponents = not {TieBreak.BUCHHOLZ, TieBreak.BUCHHOLZ_CUT1}.isdisjoint(
            self._chain
        )
        by_entry: defaultdict[str, list[EntryResult]] = defaultdict(list)
        for entry in entries:
            by_entry[entry] = []
        for one in results:
            by_entry[one.entry].append(one)
        self._results = dict(by_entry)
        self._count_all()
        if to_correct and self._asks_opponents:
            self._prepare_meetings()

    def __len__(self) -> int:
        return len(self._order)

    def rows(self, start: int = 0, stop: int | None = None) -> tuple[Row, ...]:
        """Return the rows from `start` on, counted from 0, up to but without `stop`."""
        wanted = self._order[start:stop]
        above = self._order[start - 1][0] if start and wanted else None
        place = self._place(wanted[0][0]) if wanted else 1
        names = [(name, 1 if name.less_is_better else -1) for name in self._chain]
        found = []
        for order, (numbers, entry) in enumerate(wanted, start=start + 1):
            decided_by = None
            if above is not None and numbers != above:
                place = order
                decided_by = _first_different(self._chain, numbers, above)
            values = {name: sign * one for (name, sign), one in zip(names, numbers, strict=True)}
            found.append(Row(place, entry, values, decided_by))
            above = numbers
        return tuple(found)

    def correct(
        self, *, taken: Iterable[EntryResult] = (), given: Iterable[EntryResult] = ()
    ) -> frozenset[str]:
        """Take results back and put others in; return the entries whose values changed.

        Raises a ValueError for a result taken back that is not there.
        """
        taken, given = tuple(taken), tuple(given)
        touched = {one.entry for one in (*taken, *given)}
        if not touched <= self._results.keys():
            return self._correct_all(taken, given)
        wins_before = {entry: self._wins[entry] for entry in touched}
        crowded = bool(self._crowds)
        self._put(taken, given)
        if crowded != bool(self._crowds):
            self._count_all()
            return frozenset(self._results)
        for entry in touched:
            self._wins[entry] = _wins(self._results[entry])
        moved = set(touched)
        for entry, before in wins_before.items():
            if self._asks_opponents and self._wins[entry] != before:
                moved |= self._who_met(entry)
        return self._move(moved)

    # --- counting everything -----------------------------------------------------------------

    def _count_all(self) -> None:
        results = self._results
        if self._asks_direct:
            self._crowds = sum(
                [len(one.opponents) > 1 for each in results.values() for one in each]
            )
        self._wins = {entry: _wins(each) for entry, each in results.items()}
        self._met_by: defaultdict[str, set[str]] | None = None
        self._columns: dict[TieBreak, _Column] = {}
        for name in self._chain:
            self._columns[name] = self._column(name)
        columns = [self._columns[name].values() for name in self._chain]
        numbers: Iterable[_Numbers] = zip(*columns, strict=True) if columns else [()] * len(results)
        self._key_of: dict[str, _Key] = {
            entry: (each, entry) for entry, each in zip(results, numbers, strict=True)
        }
        self._order = sorted(self._key_of.values())

    def _column(self, name: TieBreak) -> _Column:
        """Return a number an entry, in the order of the results, less being better."""
        match name:
            case TieBreak.WINS:
                return {entry: -wins for entry, wins in self._wins.items()}
            case TieBreak.LOT:
                return self._lot()
            case TieBreak.DIRECT:
                return self._direct_column()
            case _:
                number = self._number_of(name)
                return {entry: number(each) for entry, each in self._results.items()}

    def _number_of(self, name: TieBreak) -> Callable[[Sequence[EntryResult]], int]:
        """Return what counts the results of one entry, less being better."""
        match name:
            case TieBreak.WINS:
                return lambda results: -_wins(results)
            case TieBreak.BUCHHOLZ:
                return lambda results: -sum(self._opponents_wins(results))
            case TieBreak.BUCHHOLZ_CUT1:
                return lambda results: -_sum_without_lowest(self._opponents_wins(results))
            case _:
                return self._worth[name]

    def _opponents_wins(self, results: Sequence[EntryResult]) -> list[int]:
        wins = self._wins
        return [wins.get(opponent, 0) for one in results for opponent in one.opponents]

    def _lot(self) -> _Column:
        """Return the places drawn.

        Each entry draws from the seed and its own name, so another entry changes the places
        but not who is before whom.
        """
        drawn = sorted(self._results, key=lambda entry: ticket(entry, self._seed))
        place = {entry: number for number, entry in enumerate(drawn, start=1)}
        return {entry: place[entry] for entry in self._results}

    def _who_met(self, entry: str) -> set[str]:
        """Return who has had an entry as opponent."""
        if self._met_by is None:
            self._prepare_meetings()
        assert self._met_by is not None
        return self._met_by[entry]

    def _prepare_meetings(self) -> None:
        self._met_by = defaultdict(set)
        for entry, results in self._results.items():
            for one in results:
                for opponent in one.opponents:
                    self._met_by[opponent].add(entry)

    # --- direct meetings ---------------------------------------------------------------------

    def _prefix(self, entry: str) -> _Numbers:
        return tuple([self._columns[name][entry] for name in self._before_direct])

    def _direct_column(self) -> _Column:
        """Return the wins among those level on all that is asked before the direct meetings."""
        self._levels: defaultdict[_Numbers, set[str]] = defaultdict(set)
        for entry in self._results:
            self._levels[self._prefix(entry)].add(entry)
        column = dict.fromkeys(self._results, 0)
        for level in self._levels.values():
            column |= self._direct(level)
        self._with_direct = {entry for entry, number in column.items() if number}
        return column

    def _direct(self, level: set[str]) -> _Column:
        """Return the wins among those level where all of them have met each other, else nothing.

        Where a table has more than two sides, or partners change, nobody meets anybody alone:
        there is no direct meeting then.
        """
        others = len(level) - 1
        if others < 1 or self._crowds or any(len(self._results[one]) < others for one in level):
            return {}
        wins = dict.fromkeys(level, 0)
        met: set[frozenset[str]] = set()
        for entry in level:
            for one in self._results[entry]:
                for opponent in one.opponents:
                    if opponent in level and opponent != entry:
                        met.add(frozenset((entry, opponent)))
                        wins[entry] -= one.outcome.is_won
        return wins if len(met) == len(level) * others // 2 else {}

    # --- correcting --------------------------------------------------------------------------

    def _correct_all(
        self, taken: Sequence[EntryResult], given: Sequence[EntryResult]
    ) -> frozenset[str]:
        """Count anew: somebody new draws a lot, too, and that moves everybody's."""
        for one in given:
            self._results.setdefault(one.entry, [])
        self._put(taken, given)
        self._count_all()
        return frozenset(self._results)

    def _put(self, taken: Sequence[EntryResult], given: Sequence[EntryResult]) -> None:
        for one in taken:
            self._results[one.entry].remove(one)
        for one in given:
            self._results[one.entry].append(one)
            if self._met_by is not None:
                for opponent in one.opponents:
                    self._met_by[opponent].add(one.entry)
        if self._asks_direct:
            self._crowds += sum(len(one.opponents) > 1 for one in given)
            self._crowds -= sum(len(one.opponents) > 1 for one in taken)

    def _move(self, moved: set[str]) -> frozenset[str]:
        """Bring those whose results or opponents changed to where they belong now."""
        levels: set[_Numbers] = set()
        if self._asks_direct:
            levels = {self._prefix(entry) for entry in moved}
            for entry in moved:
                self._levels[self._prefix(entry)].discard(entry)
        for name in self._chain:
            if name not in (TieBreak.LOT, TieBreak.DIRECT):
                number = self._number_of(name)
                for entry in moved:
                    self._columns[name][entry] = number(self._results[entry])
        if self._asks_direct:
            for entry in moved:
                prefix = self._prefix(entry)
                self._levels[prefix].add(entry)
                levels.add(prefix)
            moved = moved | self._count_direct(levels)
        changed = set()
        for entry in moved:
            before = self._key_of[entry]
            after = (tuple(self._columns[name][entry] for name in self._chain), entry)
            if before != after:
                changed.add(entry)
                self._key_of[entry] = after
                del self._order[bisect_left(self._order, before)]
                insort(self._order, after)
        return frozenset(changed)

    def _count_direct(self, levels: Iterable[_Numbers]) -> set[str]:
        """Count the direct meetings of some levels anew; return whose number changed."""
        column = self._columns[TieBreak.DIRECT]
        changed = set()
        for numbers in levels:
            level = self._levels[numbers]
            found = self._direct(level)
            for entry in (level & self._with_direct) | found.keys():
                number = found.get(entry, 0)
                if column[entry] != number:
                    column[entry] = number
                    changed.add(entry)
                (self._with_direct.add if number else self._with_direct.discard)(entry)
        return changed

    def _place(self, numbers: _Numbers) -> int:
        """Return the place of those with these numbers: of the first of them."""
        return 1 + bisect_left(self._order, (numbers, ""))


def _first_different(
    chain: Sequence[TieBreak], numbers: _Numbers, above: _Numbers
) -> TieBreak | None:
    for name, mine, its in zip(chain, numbers, above, strict=True):
        if mine != its:
            return name
    return None


def _sum_without_lowest(numbers: Sequence[int]) -> int:
    return sum(numbers) - min(numbers, default=0)


def _wins(results: Iterable[EntryResult]) -> int:
    # By identity: to hash a member of an enumeration takes most of the time of a big event.
    won = 0
    for one in results:
        outcome = one.outcome
        if outcome is _WIN or outcome is _BYE or outcome is _WALKOVER_WIN:
            won += 1
    return won


def _worths(target: int) -> Mapping[TieBreak, Callable[[Sequence[EntryResult]], int]]:
    """Return what each tie-break that needs only an entry's own results sums, less is better."""
    return {
        TieBreak.DIFFERENCE: lambda results: sum(
            [one.points_against - one.points_for for one in results]
        ),
        TieBreak.DIFFERENCE_CAPPED: lambda results: sum(
            [min(one.points_against, target) - min(one.points_for, target) for one in results]
        ),
        TieBreak.POINTS_FOR: lambda results: -sum([one.points_for for one in results]),
        TieBreak.ROUNDS_WON: lambda results: -sum([one.rounds_won for one in results]),
        TieBreak.FEWEST_PENALTY_POINTS: lambda results: sum([one.penalty for one in results]),
    }
