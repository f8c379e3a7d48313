"""Rebuilds the standings of a stage from the results at its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Q

from engine.profiles import Rules
from tournaments.competition.standings import standings
from tournaments.competition.types import EntryResult, Outcome, TieBreak
from tournaments.models import (
    Absence,
    Bye,
    Entry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.rules import rules_of, sides_of
from tournaments.services import brackets, ratings
from tournaments.services.counts import (
    Count,
    Kept,
    Member,
    Order,
    Table,
    entry_id,
    frozen_rows,
    is_played,
)
from tournaments.services.frozen import FrozenRow, freeze

# What parts neighbours of a bracket's standings, or not: who is out earlier stands lower.
BRACKET, BRACKET_LEVEL = "bracket", "bracket_level"


class _Seat(NamedTuple):
    """What one seat of a closed match left with."""

    match: int
    round: int
    seat: str
    entry: int
    outcome: str
    points_for: int
    points_against: int
    deducted: int
    rounds_won: int
    changed_at: datetime


_COLUMNS = (
    "match", "pairing_round__number", "seat", "entry__number", "outcome", "points_for",
    "points_against", "deducted", "rounds_won", "match__changed_at",
)  # fmt: skip
_WRITTEN = ("group", "order", "place", "played", "values", "decided_by")
_SHORT = 200


# The counts of this process. Every rebuild compares them with what is stored before it uses them.
_kept = Kept()


@transaction.atomic
def rebuild_standings(stage: Stage, kept: Kept = _kept) -> None:
    """Bring the rows of the stage's standings to what its results say.

    Run twice or at once, the rows are the same; only those that changed are written. A closed
    stage keeps the rows it was closed with. `kept` are the counts to go on from.
    """
    # The stage's row is the lock: a later run waits, and then reads what this one stored.
    stage = (
        Stage.objects.select_for_update(of=("self",)).select_related("tournament").get(pk=stage.pk)
    )
    if stage.state == Stage.State.CLOSED:
        return
    count = _brought_up(stage, kept.take(stage.pk))
    rows = count.rows()
    _store(stage, _placed(stage, rows), count.members)
    # In a bracket who is still in is best, whatever was won: there are no rows to keep.
    in_bracket = stage.system in brackets.BRACKETS

    def count_until(number: int, chain: Sequence[str]) -> Sequence[FrozenRow]:
        if in_bracket:
            return []
        if tuple(chain) == count.order.chain and count.is_last(number):
            return rows
        return _rows(stage, count.results(number), chain, count.members)

    is_new = freeze(stage, count.digest, count_until)
    kept.give(stage.pk, count)
    if is_new:
        ratings.schedule_ratings(stage.tournament_id)


def _brought_up(stage: Stage, count: Count | None) -> Count:
    """Return a count of the stage as it is stored now, going on from an earlier one."""
    rules = rules_of(stage.tournament)
    members = _members(stage)
    target = stage.target or rules.target
    order = Order(tuple(stage.tie_breaks), target, stage.seed, stage.tournament.rules)
    if count is None or count.order != order:
        count = Count(order, members)
    closed = Match.objects.filter(pairing_round__stage=stage, state=Match.State.CLOSED)
    stale = count.stale(dict(closed.order_by().values_list("pk", "changed_at")))
    tables = _tables(stage, rules, stale) if stale else {}
    count.bring(members, stale, tables, _rests(stage, rules))
    return count


def _store(stage: Stage, rows: Iterable[FrozenRow], members: Mapping[int, Member]) -> None:
    """Write the rows that are not stored like this, and remove those of nobody in the stage."""
    wanted = {
        members[row.entry].pk: (
            row.group, order, row.place, row.played, dict(row.values), row.decided_by,
        )
        for _, group in groupby(rows, key=lambda row: row.group)
        for order, row in enumerate(group, start=1)
    }  # fmt: skip
    stored = StandingRow.objects.filter(stage=stage)
    found = {
        entry: tuple(values) for entry, *values in stored.order_by().values_list("entry", *_WRITTEN)
    }
    gone = found.keys() - wanted.keys()
    other = [entry for entry, values in wanted.items() if found.get(entry) != values]
    if gone and not other:
        other = list(wanted)[:1]
    # Rows are made anew: the newest key tells a page that the standings have changed.
    stored.filter(entry__in=[*gone, *other]).delete()
    StandingRow.objects.bulk_create(
        StandingRow(stage=stage, entry_id=entry, **dict(zip(_WRITTEN, wanted[entry], strict=True)))
        for entry in other
    )


def ordered_entries(stage: Stage, results: Sequence[EntryResult]) -> list[int]:
    """Return the numbers of the entries of a stage from the best-placed down."""
    return [row.entry for row in _rows(stage, results, stage.tie_breaks, _members(stage))]


def results_of(stage: Stage, rules: Rules) -> list[EntryResult]:
    """Return what each entry took from each round: the tables closed so far, byes, absences.

    A bye or an absence counts from the first tile of its round.
    """
    results = _rests(stage, rules)
    for table in _tables(stage, rules).values():
        results += table.results
    return results


def _rests(stage: Stage, rules: Rules) -> list[EntryResult]:
    """Return what byes and absences are worth; they count from the first tile of their round."""
    begun = Q(pairing_round__stage=stage) & Q(
        pairing_round__state__in=[PairingRound.State.PLAYING, PairingRound.State.FINISHED]
    )
    if stage.target is not None:
        # Byes and absences are worth what the tables of their stage play for.
        rules = replace(rules, target=stage.target)
    results = []
    for number, entry, worth in Bye.objects.filter(begun).values_list(
        "pairing_round__number", "entry__number", "worth"
    ):
        for_, against = bye_points(stage.tournament, rules, worth)
        # To the count a bye that is no win is what an absence is: points, and nobody met.
        outcome = Outcome.BYE if worth == Bye.Worth.FULL else Outcome.ABSENT
        results.append(
            EntryResult(number, entry_id(entry), outcome, points_for=for_, points_against=against)
        )
    for number, entry, kind in (
        Absence.objects.filter(begun)
        .without_table()
        .values_list("pairing_round__number", "entry__number", "kind")
    ):
        for_, against = absence_points(stage.tournament, rules, kind)
        results.append(
            EntryResult(
                number, entry_id(entry), Outcome.ABSENT, points_for=for_, points_against=against
            )
        )
    return results


def _tables(stage: Stage, rules: Rules, some: Collection[int] | None = None) -> dict[int, Table]:
    """Return the closed tables of a stage, or `some` of them by key, each with its results."""
    with_rules = Match.objects.filter(pairing_round__stage=stage, rules__isnull=False)
    seats = MatchSeat.objects.filter(pairing_round__stage=stage, match__state=Match.State.CLOSED)
    # A long list costs more than the tables it would leave out.
    if some is not None and len(some) <= _SHORT:
        with_rules, seats = with_rules.filter(pk__in=some), seats.filter(match__in=some)
    own = with_rules.order_by().values_list("pk", "rules")
    rules_at = {match: Rules.read(written) for match, written in own if written}
    tables = {}
    # Rows, not models: a stage of a thousand matches is read at once.
    rows = (_Seat(*row) for row in seats.order_by("match", "seat").values_list(*_COLUMNS))
    for match, group in groupby(rows, key=lambda seat: seat.match):
        if some is None or match in some:
            table = list(group)
            results = tuple(_at_table(table, rules_at.get(match, rules)))
            tables[match] = Table(table[0].changed_at, results)
    return tables


def absence_points(tournament: Tournament, rules: Rules, kind: str) -> tuple[int, int]:
    """Return what an absence scores, for and against: nothing to the target unless the event
    says otherwise for this kind of absence. It is never a win.
    """
    said = tournament.policies.get("absences", {}).get(kind)
    if said is not None:
        return int(said[0]), int(said[1])
    return walkover_points(rules, present=False)


def bye_points(
    tournament: Tournament, rules: Rules, worth: str = Bye.Worth.FULL
) -> tuple[int, int]:
    """Return what a bye scores, for and against: the target and half of it, or what the event says.

    One of half the points scores half the target for and against, one without points nothing. In
    `elimination` points are bad and nobody has any for: half the limit against.
    """
    if worth == Bye.Worth.HALF:
        return rules.target // 2, rules.target // 2
    if worth == Bye.Worth.NONE:
        return 0, 0
    said = tournament.policies.get("bye")
    if said is not None:
        return int(said[0]), int(said[1])
    return (0 if rules.elimination else rules.target, rules.target // 2)


def walkover_points(rules: Rules, *, present: bool) -> tuple[int, int]:
    """Return what a walkover scores, for and against: half the target to 0, or 0 to target."""
    if not present:
        return (0, rules.target)
    return (0 if rules.elimination else rules.target // 2, 0)


def _at_table(table: list[_Seat], rules: Rules) -> Iterable[EntryResult]:
    """Return a result for each entry of a table.

    A ruling can set partners apart. A pair stands for both, so it takes the worse of the two.
    """
    side_of = {letter: side for side in sides_of(rules, len(table)) for letter in side}
    by_entry: defaultdict[int, list[_Seat]] = defaultdict(list)
    for seat in table:
        by_entry[seat.entry].append(seat)
    for number, seats in by_entry.items():
        side = side_of[seats[0].seat]
        opponents = {one.entry for one in table if side_of[one.seat] != side}
        worst = min(seats, key=_standing_of)
        yield EntryResult(
            round=worst.round,
            entry=entry_id(number),
            outcome=Outcome(worst.outcome),
            opponents=tuple(entry_id(one) for one in sorted(opponents)),
            points_for=worst.points_for,
            points_against=worst.points_against,
            rounds_won=max(one.rounds_won for one in seats),
            # What falls on both partners is written at both seats, and counts once.
            penalty=max(one.deducted for one in seats),
        )


def at_table(
    number: int, entries: Mapping[str, int], seats: Mapping[str, Mapping[str, Any]], rules: Rules
) -> Iterable[EntryResult]:
    """Return a result for each entry of a table of round `number` from what its seats would take.

    `entries` are their numbers by seat; `seats` is written as a report keeps it.
    """
    # Nothing is kept of these: their version is never compared.
    changed_at = datetime.min.replace(tzinfo=UTC)
    rows = [
        _Seat(0, number, letter, entries[letter], changed_at=changed_at, **seats[letter])
        for letter in sorted(seats)
    ]
    return _at_table(rows, rules)


def _standing_of(seat: _Seat) -> tuple[bool, int, str]:
    return Outcome(seat.outcome).is_won, seat.points_for - seat.points_against, seat.seat


def _placed(stage: Stage, rows: Sequence[FrozenRow]) -> Sequence[FrozenRow]:
    """Return the rows of a stage; in a bracket those who are out stand below those still in."""
    bracket = brackets.bracket_of(stage) if stage.system in brackets.BRACKETS else None
    if bracket is None:
        return rows
    places = {int(entry): place for entry, place in bracket.places.items()}
    placed: list[FrozenRow] = []
    by_place = sorted(rows, key=lambda row: places.get(row.entry, 1))
    for _, level in groupby(by_place, key=lambda row: places.get(row.entry, 1)):
        first = len(placed) + 1
        for row in level:
            decided_by = BRACKET_LEVEL if len(placed) >= first else BRACKET if first > 1 else ""
            placed.append(replace(row, place=first, decided_by=decided_by))
    return placed


def _rows(
    stage: Stage,
    results: Sequence[EntryResult],
    tie_breaks: Sequence[str],
    members: Mapping[int, Member],
) -> list[FrozenRow]:
    """Return the rows of each group, of the whole stage where it has none."""
    rules = rules_of(stage.tournament)
    by_group: defaultdict[str, list[str]] = defaultdict(list)
    for number, one in members.items():
        by_group[one.group].append(entry_id(number))
    taken: defaultdict[str, list[EntryResult]] = defaultdict(list)
    played: defaultdict[str, int] = defaultdict(int)
    for result in results:
        member = members.get(int(result.entry))
        if member is not None:
            taken[member.group].append(result)
            played[result.entry] += is_played(result)
    chain = [TieBreak(name) for name in tie_breaks]
    return [
        row
        for group, entries in sorted(by_group.items(), key=lambda item: (len(item[0]), item[0]))
        for row in frozen_rows(
            group,
            standings(
                taken[group],
                chain,
                target=stage.target or rules.target,
                seed=stage.seed,
                entries=entries,
            ),
            played,
        )
    ]


def _members(stage: Stage) -> dict[int, Member]:
    """Return the entries of a stage by number.

    A stage that keeps no list of its entries has those seated in its published rounds.
    """
    # In teams of four the group of an entry is its team, and all stand in one table.
    grouped = stage.system == Stage.System.GROUPS
    listed = stage.stage_entries.values_list("entry__number", "entry", "group")
    if members := {n: Member(pk, group if grouped else "") for n, pk, group in listed}:
        return members
    published = stage.rounds.exclude(state=PairingRound.State.DRAFT)
    seated = Q(pk__in=MatchSeat.objects.filter(pairing_round__in=published).values("entry"))
    resting = Q(pk__in=Bye.objects.filter(pairing_round__in=published).values("entry"))
    found = Entry.objects.filter(seated | resting).values_list("number", "pk")
    return {number: Member(pk, "") for number, pk in found}
