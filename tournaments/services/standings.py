"""Rebuilds the standings of a stage from the results at its tables."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from itertools import groupby
from typing import NamedTuple

from django.db import transaction
from django.db.models import Q

from engine.profiles import Rules
from tournaments.competition.standings import standings
from tournaments.competition.types import EntryResult, Outcome, TieBreak
from tournaments.models import Bye, Entry, Match, MatchSeat, PairingRound, Stage, StandingRow
from tournaments.rules import rules_of, sides_of


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
    """Replace the rows of the stage's standings. Run twice or at once, the rows are the same."""
    # The stage's row is the lock: a later run waits, and then reads what this one stored.
    stage = Stage.objects.select_for_update().get(pk=stage.pk)
    rules = rules_of(stage.tournament)
    results = results_of(stage, rules)
    numbers = _entries(stage)
    rows = standings(
        results,
        [TieBreak(name) for name in stage.tie_breaks],
        target=rules.target,
        seed=stage.seed,
        entries=[entry_id(number) for number in numbers],
    )
    played: defaultdict[str, int] = defaultdict(int)
    for one in results:
        played[one.entry] += one.outcome is not Outcome.BYE
    StandingRow.objects.filter(stage=stage).delete()
    StandingRow.objects.bulk_create(
        StandingRow(
            stage=stage,
            entry_id=numbers[int(row.entry)],
            order=order,
            place=row.place,
            played=played[row.entry],
            values={str(name): value for name, value in row.values.items()},
            decided_by="" if row.decided_by is None else str(row.decided_by),
        )
        for order, row in enumerate(rows, start=1)
    )


def results_of(stage: Stage, rules: Rules) -> list[EntryResult]:
    """Return what each entry took from each round: the tables closed so far, and the byes.

    A bye counts from the first tile of its round.
    """
    for_, against = bye_points(rules)
    byes = Bye.objects.filter(
        pairing_round__stage=stage,
        pairing_round__state__in=[PairingRound.State.PLAYING, PairingRound.State.FINISHED],
    )
    results = [
        EntryResult(
            round=round_number,
            entry=entry_id(entry),
            outcome=Outcome.BYE,
            points_for=for_,
            points_against=against,
        )
        for round_number, entry in byes.values_list("pairing_round__number", "entry__number")
    ]
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


def bye_points(rules: Rules) -> tuple[int, int]:
    """Return what a bye scores, for and against: the target and half of it.

    In `elimination` points are bad and nobody has any for: half the limit against.
    """
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


def _entries(stage: Stage) -> dict[int, int]:
    """Return number -> key of the entries that play in the published rounds of a stage."""
    published = stage.rounds.exclude(state=PairingRound.State.DRAFT)
    seated = Q(pk__in=MatchSeat.objects.filter(pairing_round__in=published).values("entry"))
    resting = Q(pk__in=Bye.objects.filter(pairing_round__in=published).values("entry"))
    return dict(Entry.objects.filter(seated | resting).values_list("number", "pk"))
