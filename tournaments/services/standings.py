"""Rebuilds the standings of a stage from the results at its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import groupby
from typing import NamedTuple

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


_COLUMNS = (
    "match", "pairing_round__number", "seat", "entry__number", "outcome", "points_for",
    "points_against", "deducted", "rounds_won",
)  # fmt: skip


@transaction.atomic
def rebuild_standings(stage: Stage) -> None:
    """Replace the rows of the stage's standings. Run twice or at once, the rows are the same.

    A closed stage keeps the rows it was closed with.
    """
    # The stage's row is the lock: a later run waits, and then reads what this one stored.
    stage = Stage.objects.select_for_update().get(pk=stage.pk)
    if stage.state == Stage.State.CLOSED:
        return
    results = results_of(stage, rules_of(stage.tournament))
    members = _members(stage)
    pks = {number: member.pk for number, member in members.items()}
    StandingRow.objects.filter(stage=stage).delete()
    StandingRow.objects.bulk_create(
        StandingRow(
            stage=stage,
            entry_id=pks[row.entry],
            group=row.group,
            order=order,
            place=row.place,
            played=row.played,
            values=row.values,
            decided_by=row.decided_by,
        )
        for _, rows in groupby(_places(stage, results, members), key=lambda row: row.group)
        for order, row in enumerate(rows, start=1)
    )
    # In a bracket who is still in is best, whatever was won: there are no rows to keep.
    in_bracket = stage.system in brackets.BRACKETS

    def count(some: Sequence[EntryResult], chain: Sequence[str]) -> Sequence[FrozenRow]:
        return [] if in_bracket else _rows(stage, some, chain, members)

    if freeze(stage, results, count):
        ratings.schedule_ratings(stage.tournament_id)


def ordered_entries(stage: Stage, results: Sequence[EntryResult]) -> list[int]:
    """Return the numbers of the entries of a stage from the best-placed down."""
    return [row.entry for row in _rows(stage, results, stage.tie_breaks, _members(stage))]


def results_of(stage: Stage, rules: Rules) -> list[EntryResult]:
    """Return what each entry took from each round: the tables closed so far, byes, absences.

    A bye or an absence counts from the first tile of its round.
    """
    begun = Q(pairing_round__stage=stage) & Q(
        pairing_round__state__in=[PairingRound.State.PLAYING, PairingRound.State.FINISHED]
    )
    if stage.target is not None:
        # Byes and absences are worth what the tables of their stage play for.
        rules = replace(rules, target=stage.target)
    for_, against = bye_points(stage.tournament, rules)
    results = [
        EntryResult(number, entry_id(entry), Outcome.BYE, points_for=for_, points_against=against)
        for number, entry in Bye.objects.filter(begun).values_list(
            "pairing_round__number", "entry__number"
        )
    ]
    for number, entry, kind in Absence.objects.filter(begun).values_list(
        "pairing_round__number", "entry__number", "kind"
    ):
        for_, against = absence_points(stage.tournament, rules, kind)
        results.append(
            EntryResult(
                number, entry_id(entry), Outcome.ABSENT, points_for=for_, points_against=against
            )
        )
    own_rules = Match.objects.filter(pairing_round__stage=stage, rules__isnull=False)
    rules_at = {
        match: Rules.read(written)
        for match, written in own_rules.values_list("pk", "rules")
        if written
    }
    seats = MatchSeat.objects.filter(
        pairing_round__stage=stage, match__state=Match.State.CLOSED
    ).order_by("match", "seat")
    # Rows, not models: a stage of a thousand matches is read after every one of them.
    rows = (_Seat(*row) for row in seats.values_list(*_COLUMNS))
    for match, table in groupby(rows, key=lambda seat: seat.match):
        results += _at_table(list(table), rules_at.get(match, rules))
    return results


def absence_points(tournament: Tournament, rules: Rules, kind: str) -> tuple[int, int]:
    """Return what an absence scores, for and against: nothing to the target unless the event
    says otherwise for this kind of absence. It is never a win.
    """
    said = tournament.policies.get("absences", {}).get(kind)
    if said is not None:
        return int(said[0]), int(said[1])
    return walkover_points(rules, present=False)


def bye_points(tournament: Tournament, rules: Rules) -> tuple[int, int]:
    """Return what a bye scores, for and against: the target and half of it, or what the event says.

    In `elimination` points are bad and nobody has any for: half the limit against.
    """
    said = tournament.policies.get("bye")
    if said is not None:
        return int(said[0]), int(said[1])
    return (0 if rules.elimination else rules.target, rules.target // 2)


def walkover_points(rules: Rules, *, present: bool) -> tuple[int, int]:
    """Return what a walkover scores, for and against: half the target to 0, or 0 to target."""
    if not present:
        return (0, rules.target)
    return (0 if rules.elimination else rules.target // 2, 0)


def entry_id(number: int) -> str:
    """Return an entry's number as the id that standings order by."""
    return f"{number:06}"


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


def _standing_of(seat: _Seat) -> tuple[bool, int, str]:
    return Outcome(seat.outcome).is_won, seat.points_for - seat.points_against, seat.seat


def _places(
    stage: Stage, results: Sequence[EntryResult], members: Mapping[int, _Member]
) -> list[FrozenRow]:
    """Return the rows of a stage; in a bracket those who are out stand below those still in."""
    rows = _rows(stage, results, stage.tie_breaks, members)
    bracket = brackets.bracket_of(stage) if stage.system in brackets.BRACKETS else None
    if bracket is None:
        return rows
    places = {int(entry): place for entry, place in bracket.places.items()}
    rows.sort(key=lambda row: places.get(row.entry, 1))
    placed: list[FrozenRow] = []
    for _, level in groupby(rows, key=lambda row: places.get(row.entry, 1)):
        first = len(placed) + 1
        for row in level:
            decided_by = BRACKET_LEVEL if len(placed) >= first else BRACKET if first > 1 else ""
            placed.append(replace(row, place=first, decided_by=decided_by))
    return placed


def _rows(
    stage: Stage,
    results: Sequence[EntryResult],
    tie_breaks: Sequence[str],
    members: Mapping[int, _Member],
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
            played[result.entry] += result.outcome not in (Outcome.BYE, Outcome.ABSENT)
    chain = [TieBreak(name) for name in tie_breaks]
    return [
        FrozenRow(
            entry=int(row.entry),
            group=group,
            place=row.place,
            played=played[row.entry],
            values={str(name): value for name, value in row.values.items()},
            decided_by="" if row.decided_by is None else str(row.decided_by),
        )
        for group, entries in sorted(by_group.items(), key=lambda item: (len(item[0]), item[0]))
        for row in standings(
            taken[group],
            chain,
            target=stage.target or rules.target,
            seed=stage.seed,
            entries=entries,
        )
    ]


class _Member(NamedTuple):
    """The key of an entry, and its group in the stage."""

    pk: int
    group: str


def _members(stage: Stage) -> dict[int, _Member]:
    """Return the entries of a stage by number.

    A stage that keeps no list of its entries has those seated in its published rounds.
    """
    # In teams of four the group of an entry is its team, and all stand in one table.
    grouped = stage.system == Stage.System.GROUPS
    listed = stage.stage_entries.values_list("entry__number", "entry", "group")
    if members := {n: _Member(pk, group if grouped else "") for n, pk, group in listed}:
        return members
    published = stage.rounds.exclude(state=PairingRound.State.DRAFT)
    seated = Q(pk__in=MatchSeat.objects.filter(pairing_round__in=published).values("entry"))
    resting = Q(pk__in=Bye.objects.filter(pairing_round__in=published).values("entry"))
    found = Entry.objects.filter(seated | resting).values_list("number", "pk")
    return {number: _Member(pk, "") for number, pk in found}
