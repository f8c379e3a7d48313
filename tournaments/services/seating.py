"""Puts entries at the tables of a pairing round: matches, seats and byes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tournaments.models import Bye, Entry, Match, MatchSeat, PairingRound, Tournament
from tournaments.rules import entry_seats, rules_of


@dataclass(frozen=True, slots=True)
class Table:
    """A table with its entries: pairs and teams as (AC, BD), single players by seat.

    `rules` are written only where they differ from the event's.
    """

    number: int
    entries: Sequence[Entry]
    group: str = ""
    meeting: str = ""
    game: int = 1
    rules: dict[str, object] | None = None


Seated = tuple[PairingRound, Sequence[Table], Sequence[Entry]]


def seat(tournament: Tournament, rounds: Iterable[Seated]) -> None:
    """Store the tables of rounds: (round, tables, byes). As many statements for any field."""
    byes: list[Bye] = []
    seated: list[tuple[Match, Table]] = []
    for pairing_round, tables, resting in rounds:
        byes += [Bye(pairing_round=pairing_round, entry=entry) for entry in resting]
        seated += [
            (
                Match(
                    pairing_round=pairing_round,
                    table=one.number,
                    group=one.group,
                    meeting=one.meeting,
                    game=one.game,
                    rules=one.rules,
                ),
                one,
            )
            for one in tables
        ]
    Bye.objects.bulk_create(byes)
    Match.objects.bulk_create(match for match, _ in seated)
    take_seats(tournament, seated)


def take_seats(tournament: Tournament, seated: Iterable[tuple[Match, Table]]) -> None:
    """Write who sits where at stored matches that have no seats."""
    rules = rules_of(tournament)
    members: dict[int, list[int]] = {}
    for entry, player in (
        tournament.entries.order_by("members__position")
        .filter(members__isnull=False, members__on_bench=False)
        .values_list("pk", "members__player")
    ):
        members.setdefault(entry, []).append(player)
    MatchSeat.objects.bulk_create(
        MatchSeat(
            match=match,
            pairing_round=match.pairing_round,
            seat=letter,
            entry=entry,
            player_id=player,
        )
        for match, table in seated
        for entry, letters in zip(
            table.entries,
            entry_seats(rules, tournament.entry_kind, _players(tournament, table.entries)),
            strict=True,
        )
        for letter, player in zip(letters, members[entry.pk], strict=False)
    )


def _players(tournament: Tournament, entries: Sequence[Entry]) -> int:
    single = tournament.entry_kind == Entry.Kind.SINGLE
    return len(entries) if single else tournament.players_per_table
