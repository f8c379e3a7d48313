"""An event of robots in play: who plays how well, what has happened, what was seen of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date
from random import Random
from time import perf_counter
from typing import Any

from django.contrib.auth.models import Permission, User
from django.db import connection

from tournaments.models import Absence, Bye, Entry, MatchSeat, PairingRound, Stage, Tournament
from tournaments.services import entries, lifecycle
from tournaments.services.entries import EntryRow
from tournaments.services.people import PlayerData

FIRST_DAY = date(2026, 5, 1)
CLUBS = 7
TEAM = 4


class BrokenLaw(Exception):
    """Something is not as it must be; what it says names the law and where it was broken."""


def require(holds: bool, law: str, *, at: object = "", found: object = "") -> None:
    """Raise BrokenLaw unless the law holds. `at` says where, `found` what was there instead."""
    if not holds:
        where = f" ({at})" if str(at) else ""
        raise BrokenLaw(f"{law}{where}: found {found}")


@dataclass(slots=True)
class Counted:
    """How many statements the database was sent."""

    statements: int = 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.statements += 1
        return execute(sql, params, many, context)


@dataclass(slots=True)
class Rehearsal:
    """One event, its director, the chance that moves its robots, and what was seen of it.

    `acts` counts what the desk was asked to do, by the name the log has for it. `expected` are
    absences, byes asked for and late entries: (round, entry) to what is meant to stand there.
    """

    event: Tournament
    director: User
    chance: Random
    size: int
    teams: bool = False
    skill: dict[int, float] = field(default_factory=dict)
    seen: Counter[str] = field(default_factory=Counter)
    acts: Counter[str] = field(default_factory=Counter)
    asked: dict[tuple[int, int], str] = field(default_factory=dict)
    frozen: dict[int, str] = field(default_factory=dict)
    statements: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)

    @contextmanager
    def measured(self) -> Iterator[None]:
        """Note the time and the statements of a round's draw and publication."""
        counted = Counted()
        began = perf_counter()
        with connection.execute_wrapper(counted):
            yield
        self.seconds.append(perf_counter() - began)
        self.statements.append(counted.statements)

    def club_of(self, number: int) -> str:
        """Return the club of an entry, in teams of four its team; who comes late is a new one."""
        if not self.teams:
            return f"Club {number % CLUBS + 1}"
        teams = -(-self.size // TEAM)
        return f"Club {number % teams + 1 if number <= self.size else number}"

    def entry(self, number: int) -> Entry:
        return self.event.entries.get(number=number)

    def picked(self, numbers: Sequence[int], count: int) -> list[int]:
        """Return some of these entries, by chance."""
        return self.chance.sample(sorted(numbers), min(count, len(numbers)))

    def wins(self, one: Sequence[int], other: Sequence[int]) -> bool:
        """Say whether the entries of one side beat those of the other; the better often do."""
        better = sum(map(self.strength, one)) - sum(map(self.strength, other))
        return self.chance.gauss(0, 1) < better

    def strength(self, number: int) -> float:
        if number not in self.skill:
            self.skill[number] = self.chance.gauss(0, 1)
        return self.skill[number]


def director_of(name: str) -> User:
    """Return an account that may set up events and has no password."""
    user, _ = User.objects.get_or_create(username=name)
    user.user_permissions.add(
        Permission.objects.get(codename="add_tournament", content_type__app_label="tournaments")
    )
    return user


def make_event(
    name: str,
    size: int,
    chance: Random,
    *,
    kind: str,
    profile: str,
    target: int,
    teams: bool = False,
) -> Rehearsal:
    """Set up an event with `size` entries from a few clubs, and start it."""
    director = director_of("rehearsal")
    event = lifecycle.create_tournament(
        name=name,
        starts_on=FIRST_DAY,
        profile=profile,
        target=target,
        entry_kind=kind,
        by=director,
    )
    play = Rehearsal(event, director, chance, size, teams)
    lifecycle.open_registration(event, by=director)
    rows = [
        EntryRow(number, tuple(players_of(event, number)), club=play.club_of(number))
        for number in range(1, size + 1)
    ]
    entries.import_entries(event, rows=rows, by=director)
    play.event = lifecycle.start(event, by=director)
    return play


def players_of(event: Tournament, number: int) -> list[PlayerData]:
    """Return the invented players of an entry, new people in every event."""
    count = 1 if event.entry_kind == Entry.Kind.SINGLE else 2
    return [
        PlayerData(f"Robot {event.pk}-{number}{'ab'[place] if count > 1 else ''}")
        for place in range(count)
    ]


@dataclass(frozen=True, slots=True)
class SeatRow:
    """One seat as it is stored."""

    match: int
    table: int
    state: str
    meeting: str
    group: str
    seat: str
    entry: int
    player: int
    outcome: str
    points_for: int | None
    points_against: int | None
    deducted: int
    round: int


def seats_of(stage: Stage, *, round_number: int | None = None) -> list[SeatRow]:
    """Return the stored seats of a stage, of one of its rounds where asked."""
    rows = MatchSeat.objects.filter(match__pairing_round__stage=stage)
    if round_number is not None:
        rows = rows.filter(match__pairing_round__number=round_number)
    return [
        SeatRow(*row)
        for row in rows.order_by(
            "match__pairing_round__number", "match__table", "seat"
        ).values_list(
            "match_id",
            "match__table",
            "match__state",
            "match__meeting",
            "match__group",
            "seat",
            "entry__number",
            "player_id",
            "outcome",
            "points_for",
            "points_against",
            "deducted",
            "match__pairing_round__number",
        )
    ]


def tables_of(rows: Sequence[SeatRow]) -> dict[tuple[int, int], list[SeatRow]]:
    """Return the seats of each table, by round and table."""
    found: dict[tuple[int, int], list[SeatRow]] = {}
    for row in rows:
        found.setdefault((row.round, row.table), []).append(row)
    return found


def sides_at(table: Sequence[SeatRow]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the entries of the two sides: at A and C, and at B and D."""
    one, other = (
        tuple(dict.fromkeys(row.entry for row in table if row.seat in letters))
        for letters in ("AC", "BD")
    )
    return one, other


def byes_of(stage: Stage, kind: str = "") -> dict[int, list[int]]:
    """Return who had the bye in each round, of one kind where asked."""
    rows = Bye.objects.filter(pairing_round__stage=stage)
    found: dict[int, list[int]] = {}
    for number, entry in (rows.filter(kind=kind) if kind else rows).values_list(
        "pairing_round__number", "entry__number"
    ):
        found.setdefault(number, []).append(entry)
    return found


def absences_of(stage: Stage) -> dict[int, list[int]]:
    """Return who was absent in each round and has no table there, which would be a walkover."""
    found: dict[int, list[int]] = {}
    for number, entry in (
        Absence.objects.filter(pairing_round__stage=stage)
        .without_table()
        .values_list("pairing_round__number", "entry__number")
    ):
        found.setdefault(number, []).append(entry)
    return found


def published_rounds(stage: Stage) -> list[int]:
    """Return the numbers of the rounds that have been published."""
    rounds = stage.rounds.exclude(state=PairingRound.State.DRAFT).order_by("number")
    return list(rounds.values_list("number", flat=True))
