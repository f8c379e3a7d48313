"""What prints show: tables with clubs and numbers, names in order, badges, certificates."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Prefetch, Q, QuerySet

from engine.profiles import Rules
from tournaments.models import (
    Bye,
    Club,
    Entry,
    EntryPlayer,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Player,
    Tournament,
)
from tournaments.publication import name_in_full
from tournaments.queries.desk_draw import room_of
from tournaments.queries.standings import standings_page
from tournaments.rules import has_partners, rules_of, sides_of

# A name longer than this is set smaller where a print has one place for it.
_LONG, _VERY_LONG, _LONGEST = 22, 40, 64
# So many letters stand on a line of the pairings by name.
_NAME_LINE = 27


@dataclass(frozen=True, slots=True)
class PrintedSeat:
    """Who sits at a table, with what tells people of one name apart."""

    letter: str
    name: str
    folded_name: str
    number: int
    club: str

    @property
    def length(self) -> str:
        return length_of(self.name)


@dataclass(frozen=True, slots=True)
class PrintedSide:
    """A side of a table. `name` is empty where it says no more than the players' names."""

    side: str
    name: str
    seats: tuple[PrintedSeat, ...]

    @property
    def letters(self) -> str:
        """The seats of the side, as they are told on a sheet of paper."""
        return " · ".join(seat.letter for seat in self.seats)


@dataclass(frozen=True, slots=True)
class PrintedTable:
    """A table of a round on paper."""

    pk: int
    number: int
    room: str
    target: int
    is_elimination: bool
    sides: tuple[PrintedSide, ...]

    @property
    def seats(self) -> tuple[PrintedSeat, ...]:
        """Everybody at the table in the order of the seats."""
        found = (seat for side in self.sides for seat in side.seats)
        return tuple(sorted(found, key=lambda seat: seat.letter))

    @property
    def letters(self) -> tuple[str, ...]:
        """The seats of each side."""
        return tuple(side.letters for side in self.sides)


@dataclass(frozen=True, slots=True)
class PrintedName:
    """Where somebody sits."""

    name: str
    table: int
    seat: str
    folded_name: str

    @property
    def lines(self) -> int:
        """How many lines the name takes at most in a column of its print."""
        return -(-len(self.name) // _NAME_LINE) or 1


@dataclass(frozen=True, slots=True)
class NameSheet:
    """A sheet of names in their order, in columns."""

    columns: tuple[tuple[PrintedName, ...], ...]

    @property
    def first(self) -> PrintedName:
        return self.columns[0][0]

    @property
    def last(self) -> PrintedName:
        return self.columns[-1][-1]


@dataclass(frozen=True, slots=True)
class Badge:
    """What somebody wears. `code` is what is read at the door, empty while none was given."""

    name: str
    latin_name: str
    club: str
    country: str
    entry: int
    entry_name: str
    code: str

    @property
    def length(self) -> str:
        return length_of(self.name)


@dataclass(frozen=True, slots=True)
class Certificate:
    """A place and who took it."""

    place: int
    is_shared: bool
    of: int
    names: tuple[str, ...]
    entry_name: str
    club: str


def length_of(name: str) -> str:
    """Say how long a name is on paper, for a size that lets it fit."""
    if len(name) > _LONGEST:
        return "longest"
    if len(name) > _VERY_LONG:
        return "very-long"
    return "long" if len(name) > _LONG else ""


def printed_tables(
    pairing_round: PairingRound, *, first: int | None = None, last: int | None = None
) -> tuple[PrintedTable, ...]:
    """Return the tables of a round by number, all or from `first` to `last`, in three queries."""
    tournament = pairing_round.stage.tournament
    within = Q()
    if first is not None:
        within &= Q(table__gte=first)
    if last is not None:
        within &= Q(table__lte=last)
    seats = MatchSeat.objects.select_related("entry__club", "player__club").order_by("seat")
    matches = pairing_round.matches.filter(within).prefetch_related(Prefetch("seats", seats))
    rooms = list(tournament.rooms.all())
    frozen = rules_of(tournament)
    return tuple(
        _table(
            match,
            room_of(rooms, match.table),
            Rules.read(match.rules) if match.rules else frozen,
        )
        for match in matches.order_by("table")
    )


def _table(match: Match, room: str, rules: Rules) -> PrintedTable:
    found = {seat.seat: seat for seat in match.seats.all()}
    return PrintedTable(
        pk=match.pk,
        number=match.table,
        room=room,
        target=rules.target,
        is_elimination=rules.elimination,
        sides=tuple(
            _side(side, [found[one] for one in side if one in found])
            for side in sides_of(rules, len(found))
        ),
    )


def _side(side: str, seats: list[MatchSeat]) -> PrintedSide:
    name = " / ".join(dict.fromkeys(seat.entry.name for seat in seats))
    plain = sorted(name.split(" / ")) == sorted(seat.player.name for seat in seats)
    return PrintedSide(
        side=side,
        name="" if plain or len(seats) == 1 else name,
        seats=tuple(
            PrintedSeat(
                letter=seat.seat,
                name=seat.player.name,
                folded_name=seat.player.folded_name,
                number=seat.entry.number,
                club=_club(seat.player.club or seat.entry.club),
            )
            for seat in seats
        ),
    )


def _club(club: Club | None) -> str:
    return club.name if club is not None else ""


def printed_names(tables: Iterable[PrintedTable]) -> tuple[PrintedName, ...]:
    """Return who sits where, by name."""
    names = [
        PrintedName(seat.name, table.number, seat.letter, seat.folded_name)
        for table in tables
        for seat in table.seats
    ]
    return tuple(sorted(names, key=lambda one: (one.folded_name, one.table)))


def name_sheets(names: Sequence[PrintedName], *, lines: int, head: int) -> tuple[NameSheet, ...]:
    """Lay names on sheets of two columns, from top to bottom; each column takes so many lines.

    A print that flows by itself takes twice as long, and its sheets do not tell whose names
    they carry. On the first one, `head` lines are taken by its head.
    """
    sheets: list[NameSheet] = []
    rest = list(names)
    while rest:
        most = lines if sheets else lines - head
        left = sum(one.lines for one in rest)
        if left <= 2 * most:
            # The last sheet: both columns are about as long.
            most = min(most, (left + max(one.lines for one in rest)) // 2)
        columns = tuple(column for column in (_column(rest, most), _column(rest, most)) if column)
        sheets.append(NameSheet(columns))
    return tuple(sheets)


def _column(rest: list[PrintedName], most: int) -> tuple[PrintedName, ...]:
    """Take from the rest what fills a column: always something."""
    used = count = 0
    while count < len(rest) and (not count or used + rest[count].lines <= most):
        used += rest[count].lines
        count += 1
    column = tuple(rest[:count])
    del rest[:count]
    return column


def without_opponents(pairing_round: PairingRound) -> tuple[str, ...]:
    """Return the names of the entries that have a bye."""
    byes = Bye.objects.filter(pairing_round=pairing_round).order_by("entry__number")
    return tuple(byes.values_list("entry__name", flat=True))


def plays_in_pairs(tournament: Tournament) -> bool:
    """Say whether two and two play together at a table of this event."""
    return has_partners(rules_of(tournament), tournament.players_per_table)


def registered(tournament: Tournament) -> QuerySet[Entry]:
    """Return the entries that play, by number."""
    return tournament.entries.filter(state=Entry.State.REGISTERED).order_by("number")


def badges(
    tournament: Tournament, *, first: int | None = None, last: int | None = None
) -> tuple[Badge, ...]:
    """Return a badge for every player of the entries from `first` to `last`, by number."""
    members = EntryPlayer.objects.filter(
        entry__tournament=tournament, entry__state=Entry.State.REGISTERED
    ).select_related("entry__club", "player__club")
    if first is not None:
        members = members.filter(entry__number__gte=first)
    if last is not None:
        members = members.filter(entry__number__lte=last)
    return tuple(
        Badge(
            name=one.player.name,
            latin_name=_other_name(one.player),
            club=_club(one.player.club or one.entry.club),
            country=one.player.country,
            entry=one.entry.number,
            entry_name=one.entry.name if one.entry.kind == Entry.Kind.TEAM else "",
            code=one.entry.check_in_code,
        )
        for one in members.order_by("entry__number", "position")
    )


def _other_name(player: Player) -> str:
    return player.latin_name if player.latin_name != player.name else ""


def certificates(tournament: Tournament, *, best: int) -> tuple[Certificate, ...]:
    """Return the first `best` places of the latest stage; places that are shared come whole."""
    page = standings_page(tournament)
    rows = [row for row in page.rows if row.place <= best]
    members = EntryPlayer.objects.filter(
        entry__in=[row.entry.pk for row in rows], on_bench=False
    ).select_related("player")
    found = list(members.order_by("position"))
    # Given into the hands of a minor, not hung on a wall.
    name_in_full(tournament, [one.player for one in found])
    names: dict[int, list[str]] = {}
    for one in found:
        names.setdefault(one.entry_id, []).append(one.player.name)
    return tuple(
        Certificate(
            place=row.place,
            is_shared=row.is_shared,
            of=len(page.rows),
            names=tuple(names.get(row.entry.pk, ())) or (row.entry.name,),
            entry_name=_team_name(row.entry.name, names.get(row.entry.pk, [])),
            club=_club(row.entry.club),
        )
        for row in rows
    )


def _team_name(name: str, players: list[str]) -> str:
    return "" if sorted(name.split(" / ")) == sorted(players) else name


def times_printed(
    tournament: Tournament, kind: str, pairing_round: PairingRound | None = None
) -> int:
    """Return how often officials noted that they printed this."""
    marks = LogEntry.objects.filter(tournament=tournament, act="printed", details__print_kind=kind)
    if pairing_round is not None:
        marks = marks.filter(
            details__stage_number=pairing_round.stage.number, details__round=pairing_round.number
        )
    return marks.count()
