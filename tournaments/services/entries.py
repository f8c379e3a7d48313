"""Registers, imports and corrects entries."""

from __future__ import annotations

import secrets
from collections.abc import Sequence
from dataclasses import dataclass

from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import Max

from engine.errors import DominoError
from tournaments import permissions
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.models import Entry, EntryPlayer, LogEntry, Player, Tournament
from tournaments.names import folded, tidy
from tournaments.policies import categories_of, most_substitutes
from tournaments.services import log, waiting_list, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.people import People, PlayerData, lock_people, readable
from tournaments.services.players import joined, named_after_players, own_name, rename
from tournaments.services.traces import keep_made, traced

__all__ = [
    "EntryRow",
    "ImportedRow",
    "PlayerData",
    "change_entry",
    "enter",
    "import_entries",
    "preview_entries",
    "register",
    "remove_entry",
]

LARGEST_SEED = 100_000
LARGEST_TEAM = 8
# How many of an entry sit down at a table; all named after them are substitutes.
PLAYING = {Entry.Kind.SINGLE: 1, Entry.Kind.PAIR: 2, Entry.Kind.TEAM: 2}
_LONGEST_ENTRY_NAME = 250
# No letter or digit that looks like another; twelve of them nobody guesses.
_CODE_LETTERS = "23456789abcdefghjkmnpqrstuvwxyz"
_CODE_LENGTH = 12


@dataclass(frozen=True, slots=True)
class EntryRow:
    """Who enters, as one line of a file says it. `line` is its number there, for messages."""

    line: int
    players: tuple[PlayerData, ...]
    name: str = ""
    club: str = ""
    seed: int | None = None
    category: str = ""


@dataclass(frozen=True, slots=True)
class ImportedRow:
    """What a line leads to: an entry (new, or the one it was before), or the error in it."""

    row: EntryRow
    entry: Entry | None = None
    is_new: bool = False
    error: DominoError | None = None


def register(
    tournament: Tournament,
    *,
    players: Sequence[PlayerData],
    name: str = "",
    club: str = "",
    seed: int | None = None,
    category: str = "",
    by: User,
) -> Entry:
    """Register an entry. Players are found by federation number, else by name and club.

    An event with all its places taken puts the entry on its waiting list.
    """
    permissions.require_director(by, tournament)
    return enter(tournament, EntryRow(1, tuple(players), name, club, seed, category), by=by)


def enter(
    tournament: Tournament, row: EntryRow, *, is_late: bool = False, by: User | None
) -> Entry:
    """Store one entry for whoever may do so: ask that first. `is_late`: play has started."""
    try:
        return _enter(tournament, row, is_late=is_late, by=by)
    except IntegrityError:
        # The same person or club was stored from elsewhere at this moment: now it is found.
        return _enter(tournament, row, is_late=is_late, by=by)


def preview_entries(
    tournament: Tournament, *, rows: Sequence[EntryRow], by: User
) -> tuple[ImportedRow, ...]:
    """Say what importing `rows` would do, line by line. Stores nothing; refuses no line."""
    permissions.require_director(by, tournament)
    _require_open(tournament, by)
    return _List(tournament, rows).read(rows)


def import_entries(
    tournament: Tournament, *, rows: Sequence[EntryRow], by: User
) -> tuple[ImportedRow, ...]:
    """Register all rows or, with ImportRefused (`.lines`), none. Imported twice, entered once."""
    permissions.require_director(by, tournament)
    try:
        return _import(tournament, rows, by=by)
    except IntegrityError:
        return _import(tournament, rows, by=by)


@transaction.atomic
@traced(watches.entry)
def change_entry(
    entry: Entry,
    *,
    name: str = "",
    club: str = "",
    seed: int | None = None,
    category: str = "",
    by: User,
) -> Entry:
    """Correct name, club, seed or category of an entry; what is left empty stays as it is."""
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    entry = Entry.objects.get(pk=entry.pk)
    if tidy(name):
        players = [one.player for one in entry.members.select_related("player")]
        entry.name, entry.full_name = own_name(_entry_name(tidy(name)), players)
    if tidy(club):
        lock_people()
        people = People((), [club])
        entry.club = people.club(readable(club), "")
        people.save()
    if seed is not None:
        entry.seed = _seed(seed)
    if category:
        entry.category = _category(tournament, category)
    entry.save(update_fields=["name", "full_name", "club", "seed", "category"])
    log.write(
        tournament, "entry_changed", by=by, entry=entry.number, name=entry.name, seed=entry.seed
    )
    return entry


@transaction.atomic
@traced(watches.whole_entry)
def remove_entry(entry: Entry, *, by: User) -> None:
    """Delete an entry that was a mistake, as long as registration is open."""
    permissions.require_director(by, entry.tournament)
    tournament = locked(entry.tournament)
    require_not_finished(tournament)
    if tournament.state == Tournament.State.RUNNING:
        raise entry_errors.EntriesStay(
            number=entry.number, entry=entry.name, tournament=tournament.name
        )
    deleted, _ = Entry.objects.filter(pk=entry.pk).delete()
    if deleted:
        log.write(tournament, "entry_removed", by=by, entry=entry.number, name=entry.name)
        waiting_list.move_up(tournament, by=by)


class _List:
    """A list of rows read against what the tournament and the player index already hold."""

    def __init__(
        self,
        tournament: Tournament,
        rows: Sequence[EntryRow],
        *,
        is_late: bool = False,
        may_shorten: bool = True,
    ) -> None:
        self.tournament = tournament
        # Nobody from outside says of somebody known how the name is written everywhere.
        self._may_shorten = may_shorten
        self._places = None if is_late else waiting_list.free_places(tournament)
        self.people = People(
            [player for row in rows for player in row.players], [row.club for row in rows]
        )
        self.entries: list[tuple[Entry, tuple[Player, ...]]] = []
        self._minors: list[Player] = []
        self._lines: dict[int, int] = {}
        self._members: dict[int, set[int]] = {}
        self._line_ups: dict[int, set[int]] = {}
        # By identity: a player made from this list has no key yet.
        self._entered: dict[int, Entry] = {}
        members = EntryPlayer.objects.filter(tournament=tournament).select_related("entry")
        self._stored = {member.player_id: member.entry for member in members}
        for member in members:
            self._members.setdefault(member.entry_id, set()).add(member.player_id)
            if not member.on_bench:
                self._line_ups.setdefault(member.entry_id, set()).add(member.player_id)
        highest = tournament.entries.aggregate(highest=Max("number"))["highest"] or 0
        self._next = highest + 1

    def read(self, rows: Sequence[EntryRow]) -> tuple[ImportedRow, ...]:
        """Return what each row leads to; the same entry as before counts as unchanged."""
        return tuple(self._read(row) for row in rows)

    def _read(self, row: EntryRow) -> ImportedRow:
        try:
            players = self.players(row)
            before = self._entry_before(players)
            if before is not None:
                return ImportedRow(row, before)
            return ImportedRow(row, self.add(row, players), is_new=True)
        except DominoError as error:
            return ImportedRow(row, error=error)

    def players(self, row: EntryRow) -> tuple[Player, ...]:
        _require_number_of_players(self.tournament, row)
        written = [one.tidied(position) for position, one in enumerate(row.players, start=1)]
        # Everything about the line is checked before anybody new is made from it.
        _entry_name(tidy(row.name))
        readable(row.club)
        _seed(1 if row.seed is None else row.seed)
        _category(self.tournament, row.category)
        if self.tournament.entry_kind == Entry.Kind.TEAM and not tidy(row.name):
            raise errors.TeamNameMissing
        players: list[Player] = []
        for one in written:
            player = self.people.player(one, is_entered=self._is_entered)
            if any(player is other for other in players):
                raise errors.SamePlayerTwice(player=player.name)
            players.append(player)
            if one.is_minor and not player.is_minor and self._may_shorten:
                player.call(player.name, player.latin_name, is_minor=True)
                self._minors.append(player)
        return tuple(players)

    def add(self, row: EntryRow, players: tuple[Player, ...]) -> Entry:
        """Make the entry of a row, or refuse it because a player is entered already."""
        for player in players:
            self._require_not_entered(player, row, players)
        # Known players come each with an object of their club, new ones share one without key.
        clubs = {player.club_id or id(player.club): player.club for player in players}
        club = self.people.club(readable(row.club), players[0].country)
        if club is None and len(clubs) == 1:
            club = players[0].club
        given = tidy(row.name)
        name, full_name = own_name(given, players) if given else joined(players)
        entry = Entry(
            tournament=self.tournament,
            number=self._next,
            kind=self.tournament.entry_kind,
            name=name,
            full_name=full_name,
            seed=self._next if row.seed is None else row.seed,
            club=club,
            state=self._state(),
            category=_category(self.tournament, row.category),
            check_in_code=new_code(),
        )
        self._next += 1
        self._lines[id(entry)] = row.line
        self.entries.append((entry, players))
        for player in players:
            self._entered[id(player)] = entry
        return entry

    def _state(self) -> Entry.State:
        """Take one of the places that are left."""
        if self._places is None:
            return Entry.State.REGISTERED
        self._places -= 1
        return Entry.State.REGISTERED if self._places >= 0 else Entry.State.WAITING

    def save(self) -> None:
        """Store the entries made from the list, and whoever is new in it.

        Who is known and said to be a minor is called by the short name from now on, everywhere.
        """
        named = [entry for one in self._minors for entry in named_after_players(one)]
        for player in self._minors:
            player.save()
        rename(named)
        self.people.save()
        Entry.objects.bulk_create([entry for entry, _ in self.entries])
        EntryPlayer.objects.bulk_create(
            EntryPlayer(
                entry=entry,
                tournament=self.tournament,
                player=player,
                position=position,
                on_bench=position > PLAYING[Entry.Kind(entry.kind)],
            )
            for entry, players in self.entries
            for position, player in enumerate(players, start=1)
        )

    def keep(self, line: LogEntry) -> None:
        """Let the log keep who was stored, for the way back."""
        members = EntryPlayer.objects.filter(entry__in=[entry for entry, _ in self.entries])
        made = [*(entry for entry, _ in self.entries), *members, *self.people.made]
        keep_made(line, made, self.people.numbered)

    def _is_entered(self, player: Player) -> bool:
        return player.pk in self._stored or id(player) in self._entered

    def _entry_before(self, players: tuple[Player, ...]) -> Entry | None:
        """Return the stored entry of exactly these players, substitutes named or not."""
        keys = {player.pk for player in players}
        entry = self._stored.get(players[0].pk)
        if entry is None:
            return None
        line_up, everybody = self._line_ups.get(entry.pk, set()), self._members[entry.pk]
        if not line_up <= keys <= everybody:
            return None
        if entry.state in Entry.LEFT:
            return None
        return entry

    def _require_not_entered(
        self, player: Player, row: EntryRow, players: tuple[Player, ...]
    ) -> None:
        entry = self._stored.get(player.pk) if player.pk else None
        entry = entry or self._entered.get(id(player))
        if entry is None:
            return
        line = self._lines.get(id(entry))
        if line is not None and all(self._entered.get(id(one)) is entry for one in players):
            raise errors.LineRepeated(first=line, line=row.line)
        refusal = errors.EnteredAndWithdrawn if entry.state in Entry.LEFT else errors.AlreadyEntered
        raise refusal(player=player.name, number=entry.number, entry=entry.name)


@transaction.atomic
def _enter(tournament: Tournament, row: EntryRow, *, is_late: bool, by: User | None) -> Entry:
    tournament = locked(tournament)
    if is_late:
        require_not_finished(tournament)
    else:
        _require_open(tournament, by)
    lock_people()
    listed = _List(tournament, [row], is_late=is_late, may_shorten=by is not None)
    entry = listed.add(row, listed.players(row))
    listed.save()
    act = "entry_registered" if by is not None else "entry_registered_itself"
    line = log.write(tournament, act, by=by, entry=entry.number, name=entry.name, state=entry.state)
    listed.keep(line)
    return entry


@transaction.atomic
def _import(
    tournament: Tournament, rows: Sequence[EntryRow], *, by: User
) -> tuple[ImportedRow, ...]:
    tournament = locked(tournament)
    _require_open(tournament, by)
    lock_people()
    listed = _List(tournament, rows)
    imported = listed.read(rows)
    wrong = [(one.row.line, one.error) for one in imported if one.error is not None]
    if wrong:
        raise errors.ImportRefused(lines=wrong)
    listed.save()
    if listed.entries:
        numbers = [entry.number for entry, _ in listed.entries]
        listed.keep(log.write(tournament, "entries_imported", by=by, entries=numbers))
    return imported


def _require_open(tournament: Tournament, by: User | None) -> None:
    """Refuse an entry once play has started, and say what whoever asks can do."""
    require_not_finished(tournament)
    if tournament.state != Tournament.State.RUNNING:
        return
    if by is not None and permissions.is_director(by, tournament):
        raise entry_errors.EntriesAreClosed(tournament=tournament.name)
    raise errors.RegistrationIsClosed(tournament=tournament.name)


def _require_number_of_players(tournament: Tournament, row: EntryRow) -> None:
    found = len(row.players)
    names = [tidy(one.name) for one in row.players] or ["–"]
    match tournament.entry_kind:
        case Entry.Kind.SINGLE if found != 1:
            raise errors.SingleNeedsOne(found=found, names=names)
        case Entry.Kind.PAIR if found != 2:
            raise errors.PairNeedsTwo(found=found, names=names)
        case Entry.Kind.TEAM if not 2 <= found <= LARGEST_TEAM:
            raise errors.TeamNeedsTwoToEight(found=found, names=names)
        case Entry.Kind.TEAM:
            most = largest_bench(tournament)
            if found > PLAYING[Entry.Kind.TEAM] + most:
                raise entry_errors.TooManyForTeam(
                    found=found, names=names, playing=PLAYING[Entry.Kind.TEAM], most=most
                )


def _entry_name(name: str) -> str:
    if len(name) > _LONGEST_ENTRY_NAME or len(folded(name)) > _LONGEST_ENTRY_NAME:
        raise errors.TextTooLong(given=name[:20], found=len(name), limit=_LONGEST_ENTRY_NAME)
    return name


def largest_bench(tournament: Tournament) -> int:
    """Return how many substitutes a pair or a team may have: what the event says, else six."""
    said = most_substitutes(tournament)
    return LARGEST_TEAM - PLAYING[Entry.Kind.PAIR] if said is None else said


def new_code() -> str:
    """Return a code nobody guesses, by which one entry is checked in."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))


def _category(tournament: Tournament, given: str) -> str:
    """Return one of the event's categories; an event without any has none."""
    category = tidy(given)
    known = categories_of(tournament)
    if not category or category in known:
        return category
    raise entry_errors.UnknownCategory(given=category[:40], known=list(known) or ["–"])


def _seed(seed: int) -> int:
    if not 1 <= seed <= LARGEST_SEED:
        raise errors.BadSeed(found=seed, limit=LARGEST_SEED)
    return seed
