"""Where do I sit: tables, seats and entries found by a few letters of a name."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tournaments.digits import to_latin_digits
from tournaments.models import Entry, Match, MatchSeat, Player
from tournaments.names import folded
from tournaments.queries.events import EntryLine, PairingsPage, TableLine, table_lines
from tournaments.queries.spellings import publicly_spelled
from tournaments.sounds import sounds_like, spoken_words


@dataclass(frozen=True, slots=True)
class SeatLine:
    """A player's place in a pairing round: with whom, and against whom."""

    match: Match
    seat: MatchSeat
    partners: tuple[Player, ...]
    opponents: tuple[Player, ...]


class Wanted:
    """What somebody typed into a search box; empty finds everything."""

    def __init__(self, typed: str) -> None:
        self.folded = folded(to_latin_digits(typed))
        self._heard = spoken_words(self.folded)
        self._otherwise: set[int] | None = None

    def __bool__(self) -> bool:
        return bool(self.folded)

    def names(self, player: Player) -> bool:
        return (
            self.folded in player.folded_name
            or (player.is_in_full and self.folded in player.folded_full_name)
            or self.spells(player.latin_name)
            or player.pk in self._known_otherwise()
            or (bool(self._heard) and sounds_like(player.sounds, self._heard))
        )

    def _known_otherwise(self) -> set[int]:
        """Return the players who are known by another spelling that was typed; asked once."""
        if self._otherwise is None:
            spelled = publicly_spelled(self.folded)
            self._otherwise = set(spelled.values_list("player", flat=True))
        return self._otherwise

    def spells(self, name: str) -> bool:
        return bool(name) and self.folded in folded(name)

    def is_number(self, number: int) -> bool:
        return self.folded == str(number)


def tables_naming(tables: Iterable[TableLine], typed: str) -> tuple[TableLine, ...]:
    """Return the tables where somebody of that name sits, or the table of that number."""
    wanted = Wanted(typed)
    return tuple(
        table
        for table in tables
        if not wanted
        or wanted.is_number(table.match.table)
        or any(_sits(seat, wanted) for side in table.sides for seat in side.seats)
    )


def tables_anew(page: PairingsPage, tables: Iterable[TableLine]) -> tuple[TableLine, ...]:
    """Return some tables of a page that was read a while ago as they stand now."""
    wanted = [table.match.pk for table in tables]
    return table_lines(Match.objects.filter(pk__in=wanted), page.tournament) if wanted else ()


def seat_lines(tables: Iterable[TableLine], typed: str) -> tuple[SeatLine, ...]:
    """Return who sits where, by name, of those whose name, entry or table was typed."""
    wanted = Wanted(typed)
    lines = [
        SeatLine(
            table.match,
            seat,
            partners=tuple(one.player for one in side.seats if one is not seat),
            opponents=tuple(
                one.player for other in table.sides if other is not side for one in other.seats
            ),
        )
        for table in tables
        for side in table.sides
        for seat in side.seats
        if not wanted or wanted.is_number(table.match.table) or _sits(seat, wanted)
    ]
    return tuple(sorted(lines, key=lambda line: line.seat.player.folded_name))


def byes_naming(entries: Iterable[Entry], typed: str) -> tuple[Entry, ...]:
    """Return the entries without opponents that carry that name."""
    wanted = Wanted(typed)
    return tuple(one for one in entries if not wanted or wanted.spells(one.name))


def entries_naming(lines: Iterable[EntryLine], typed: str) -> tuple[EntryLine, ...]:
    """Return the entries of that name, number or club, or with a player of that name."""
    wanted = Wanted(typed)
    return tuple(
        line
        for line in lines
        if not wanted
        or wanted.is_number(line.entry.number)
        or wanted.spells(line.entry.name)
        or any(wanted.names(player) for player in line.players)
        or (line.club is not None and wanted.spells(line.club.name))
    )


def _sits(seat: MatchSeat, wanted: Wanted) -> bool:
    return wanted.names(seat.player) or wanted.spells(seat.entry.name)
