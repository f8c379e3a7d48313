"""A whole event as one JSON document, read and stored; docs/event-file.md describes it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from hashlib import blake2b
from typing import Any

from django.contrib.auth.models import User
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model

from engine.errors import BadRecord, DominoError, Phrase, shown
from tournaments import permissions
from tournaments.competition.reading import list_at, object_at, read
from tournaments.competition.types import BadRequest
from tournaments.errors.event_files import BadEventFile, EventFileIsNewer
from tournaments.models import (
    Absence,
    Bye,
    Club,
    Entry,
    EntryPlayer,
    ForbiddenMeeting,
    LogEntry,
    Match,
    MatchSeat,
    Official,
    PairingRound,
    Player,
    ReportedResult,
    Room,
    Stage,
    StageEntry,
    StandingRow,
    Tournament,
)
from tournaments.services import event_shapes, log, ratings, standings
from tournaments.services.event_appeals import store_appeals
from tournaments.services.event_consistency import require_consistent
from tournaments.services.event_documents import store_documents
from tournaments.services.event_file import FORMAT, KEY, NOT_IN_FILES, VERSION, key_of
from tournaments.services.event_people import store_spellings, stored_club, stored_player
from tournaments.services.event_readers import kept, text
from tournaments.services.event_rows import Row, objects, row_of, value_of

MOST_BYTES = 200_000_000
_LONGEST_ADDRESS = 70


@dataclass(frozen=True, slots=True)
class Stored:
    """What of a file is stored by now: players in its order, matches by its ids, its log."""

    tournament: Tournament
    players: Sequence[Player]
    matches: Mapping[int, Match]
    line_at: Callable[[object, str], LogEntry | None]


@dataclass(frozen=True, slots=True)
class Doors:
    """What the import needs of what lies above it.

    `store_records` gets what was written at each table: the match, the value, its path.
    `read_back` reads the stored event as its pages do and raises whatever one of them would.
    `store_ledger` gets the cards of the event, an empty list where the file has none.
    """

    store_records: Callable[[Sequence[tuple[Match, object, str]]], None]
    read_back: Callable[[Tournament, User], None]
    store_ledger: Callable[[Stored, object], None]


def import_event(content: bytes, doors: Doors, *, copy: str = "", by: User) -> Tournament:
    """Store the event of a file, with `by` as its director; the same event again stores nothing.

    With `copy`, a text of the caller's, it is stored as an event of its own, once for each text.
    Raises BadEventFile with the path of what is wrong; nothing is stored then.
    """
    permissions.require_may_create_tournament(by)
    document = document_of(content)
    if copy:
        told = f"{document['key']} {copy}"
        document = {**document, "key": blake2b(told.encode(), digest_size=16).hexdigest()}
    with refusing():
        # The lock of whoever imports: the same file sent twice at once is stored once.
        User.objects.select_for_update().get(pk=by.pk)
        known = known_event(document)
        return known or Import(document, by).store(doors)


def document_of(content: bytes) -> Mapping[str, object]:
    """Return the document of a file whose format and version can be read here."""
    if len(content) > MOST_BYTES:
        expected = Phrase("at most %(most)s bytes", most=MOST_BYTES)
        raise BadEventFile(path="$", expected=expected, found=len(content))
    try:
        document = object_at(read(content), "$")
        _require_format(document)
    except BadRequest as error:
        raise BadEventFile(**error.params) from None
    return document


def known_event(document: Mapping[str, object]) -> Tournament | None:
    """Return the event of a file where it is here already."""
    for one in Tournament.objects.only("policies", "created_at", "created_by"):
        if key_of(one) == document["key"]:
            return Tournament.objects.get(pk=one.pk)
    return None


@contextmanager
def refusing() -> Iterator[None]:
    """Store everything or nothing: whatever goes wrong with a file is a bad file."""
    try:
        with transaction.atomic():
            yield
    except BadRequest as error:
        raise BadEventFile(**error.params) from None
    except BadRecord as error:
        expected = Phrase("a sound record")
        raise BadEventFile(path=error.path, expected=expected, found=error) from None
    except BadEventFile:
        raise
    except DominoError as error:
        expected = Phrase("rows that fit together")
        raise BadEventFile(path="$", expected=expected, found=error) from None
    except (IntegrityError, DataError, OverflowError, ValueError) as error:
        # What no field can say of itself: twice the same table, a number no database holds.
        found = str(error).splitlines()[0][:120]
        expected = Phrase("rows that fit together")
        raise BadEventFile(path="$", expected=expected, found=found) from None


def _require_format(document: Mapping[str, object]) -> None:
    if document.get("format") != FORMAT:
        raise BadRequest(path="format", expected=FORMAT, found=shown(document.get("format")))
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise BadRequest(path="version", expected="a whole number from 1", found=shown(version))
    if version > VERSION:
        raise EventFileIsNewer(found=shown(version), known=VERSION)
    key = document.get("key")
    if not isinstance(key, str) or not 16 <= len(key) <= 64 or not key.isalnum():
        raise BadRequest(path="key", expected=Phrase("the key of an event"), found=shown(key))


class Import:
    """One document on its way into the database: as a new event, or `into` one that is emptied."""

    def __init__(
        self, document: Mapping[str, object], by: User, into: Tournament | None = None
    ) -> None:
        self.document = document
        self.by = by
        self.into = into
        self.key = str(document["key"])
        self.matches: dict[int, Match] = {}
        self.rounds: dict[int, PairingRound] = {}
        self.records: list[tuple[Match, object, str]] = []

    def store(self, doors: Doors) -> Tournament:
        """Store it all and read it back as its pages do; the caller has begun a transaction."""
        self._store_event()
        self._store_people()
        self._store_entries()
        for at, given in objects(self.document, "stages"):
            self._store_stage(given, at)
        require_consistent(self.document)
        doors.store_records(self.records)
        self._store_log(doors)
        for stage in self.tournament.stages.filter(state=Stage.State.OPEN):
            _readable(partial(standings.rebuild_standings, stage))
        tournament = Tournament.objects.get(pk=self.tournament.pk)
        _readable(partial(doors.read_back, tournament, self.by))
        ratings.schedule_ratings(tournament.pk)
        return tournament

    # --- the event, people, entries ----------------------------------------------------------

    def _store_event(self) -> None:
        given = object_at(self.document.get("event"), "event")
        tournament = row_of(Tournament, given, "event", created_by=self.by)
        tournament.policies = {**tournament.policies, KEY: self.key}
        made_at = tournament.created_at
        if self.into is None:
            tournament.slug = _free_address(tournament.slug)
            tournament.save()
            director = Official.Duty.DIRECTOR
            Official.objects.create(tournament=tournament, user=self.by, duty=director)
        else:
            # What belongs to this installation stays: the address, who made it, all duties.
            tournament.pk, tournament.slug = self.into.pk, self.into.slug
            tournament.created_by = self.into.created_by
            tournament.save(force_update=True)
        Tournament.objects.filter(pk=tournament.pk).update(created_at=made_at)
        self.tournament = tournament
        for at, room in objects(self.document, "rooms"):
            row_of(Room, room, at, tournament=tournament).save()
        store_documents(tournament, self.document)

    def _store_people(self) -> None:
        self.clubs = [
            stored_club(row_of(Club, club, at)) for at, club in objects(self.document, "clubs")
        ]
        self.players: list[Player] = []
        taken: set[int] = set()
        for at, given in objects(self.document, "players"):
            club = self._listed(self.clubs, given.get("club"), f"{at}.club")
            player = stored_player(row_of(Player, given, at, club=club), taken)
            taken.add(player.pk)
            self.players.append(player)
            store_spellings(player, given, at, club_at=partial(self._listed, self.clubs))

    def _store_entries(self) -> None:
        self.entries: dict[int, Entry] = {}
        moments: dict[int, datetime] = {}
        members: list[EntryPlayer] = []
        for at, given in objects(self.document, "entries"):
            club = self._listed(self.clubs, given.get("club"), f"{at}.club")
            entry = row_of(Entry, given, at, tournament=self.tournament, club=club)
            if entry.number in self.entries:
                raise BadRequest(
                    path=f"{at}.number", expected="a number of its own", found=entry.number
                )
            moments[entry.number] = entry.registered_at
            self.entries[entry.number] = entry
            members += [
                row_of(
                    EntryPlayer, one, place, entry=entry, tournament=self.tournament,
                    player=self._person(one, place),
                )
                for place, one in objects(given, "players", at)
            ]  # fmt: skip
        Entry.objects.bulk_create(self.entries.values(), batch_size=500)
        for number, entry in self.entries.items():
            entry.registered_at = moments[number]
        Entry.objects.bulk_update(self.entries.values(), ["registered_at"], batch_size=500)
        EntryPlayer.objects.bulk_create(members, batch_size=500)
        self._store_forbidden()

    def _store_forbidden(self) -> None:
        for place, pair in enumerate(list_at(self.document.get("forbidden", []), "forbidden")):
            at = f"forbidden[{place}]"
            found = [self._entry_at(one, at) for one in list_at(pair, at)]
            if len(found) != 2:
                raise BadRequest(path=at, expected="two entries", found=len(found))
            one, other = sorted(found, key=lambda entry: entry.pk)
            ForbiddenMeeting.objects.create(tournament=self.tournament, one=one, other=other)

    # --- stages and what was played ----------------------------------------------------------

    def _store_stage(self, given: Mapping[str, object], at: str) -> None:
        before = {one.number: one for one in self.tournament.stages.all()}
        number = given.get("source")
        if number is not None and (type(number) is not int or number not in before):
            expected = "the number of an earlier stage, or null"
            raise BadRequest(path=f"{at}.source", expected=expected, found=shown(number))
        source = before[number] if type(number) is int else None
        stage = row_of(Stage, given, at, tournament=self.tournament, source=source)
        stage.save()
        StageEntry.objects.bulk_create(
            self._of_entries(StageEntry, given, "entries", at, stage=stage)
        )
        rows = self._of_entries(StandingRow, given, "standings", at, stage=stage)
        StandingRow.objects.bulk_create(rows, batch_size=500)
        for path, one in objects(given, "rounds", at):
            self._store_round(stage, one, path)

    def _store_round(self, stage: Stage, given: Mapping[str, object], at: str) -> None:
        pairing_round = row_of(PairingRound, given, at, stage=stage)
        pairing_round.save()
        self._keep_id(self.rounds, given, pairing_round, at)
        byes = self._of_entries(Bye, given, "byes", at, pairing_round=pairing_round)
        Bye.objects.bulk_create(byes)
        absences = self._of_entries(Absence, given, "absences", at, pairing_round=pairing_round)
        Absence.objects.bulk_create(absences)
        listed = list(objects(given, "matches", at))
        matches = []
        for path, one in listed:
            matches.append(row_of(Match, one, path, pairing_round=pairing_round))
        Match.objects.bulk_create(matches, batch_size=500)
        seats: list[MatchSeat] = []
        for match, (path, one) in zip(matches, listed, strict=True):
            self._keep_id(self.matches, one, match, path)
            self.records.append((match, one.get("record", []), f"{path}.record"))
            seats += [
                row_of(
                    MatchSeat, seat, place, match=match, pairing_round=pairing_round,
                    entry=self._entry_at(seat.get("entry"), f"{place}.entry"),
                    player=self._person(seat, place),
                )
                for place, seat in objects(one, "seats", path)
            ]  # fmt: skip
            for place, report in objects(one, "reported", path):
                row_of(ReportedResult, report, place, match=match).save()
        MatchSeat.objects.bulk_create(seats, batch_size=500)

    def _keep_id(
        self, known: dict[int, Any], given: Mapping[str, object], row: Model, at: str
    ) -> None:
        """Remember by what number the log calls a row."""
        number = given.get("id")
        if number is None:
            return
        if type(number) is not int or number in known:
            expected = Phrase("a number of its own")
            raise BadRequest(path=f"{at}.id", expected=expected, found=shown(number))
        known[number] = row

    def _store_log(self, doors: Doors) -> None:
        lines: list[LogEntry] = []
        undone: list[tuple[LogEntry, object, str]] = []
        moments = []
        for at, one in objects(self.document, "log"):
            act = value_of(LogEntry, "act", one.get("act"), f"{at}.act")
            given = object_at(one.get("details", {}), f"{at}.details")
            event_shapes.details(act, given, f"{at}.details")
            details = self._of_here(given)
            if one.get("by") is not None:
                text(200)(one["by"], f"{at}.by")
                details["by_name"] = one["by"]
            line = LogEntry(tournament=self.tournament, act=act, details=details)
            moments.append(value_of(LogEntry, "at", one.get("at"), f"{at}.at"))
            lines.append(line)
            if one.get("undone_by") is not None:
                undone.append((line, one["undone_by"], f"{at}.undone_by"))
        LogEntry.objects.bulk_create(lines, batch_size=500)
        for line, moment in zip(lines, moments, strict=True):
            line.at = moment
        for line, place, at in undone:
            line.undone_by = self._listed(lines, place, at)
        LogEntry.objects.bulk_update(lines, ["at", "undone_by"], batch_size=500)
        store_appeals(
            self.document, self.tournament, matches=self.matches, entry_at=self._entry_at,
            line_at=partial(self._listed, lines),
        )  # fmt: skip
        stored = Stored(self.tournament, self.players, self.matches, partial(self._listed, lines))
        doors.store_ledger(stored, self.document.get("sanctions", []))
        officials = [str(one.get("name", "")) for _, one in objects(self.document, "officials")]
        kept(officials, "officials")
        if self.into is None:
            log.write(self.tournament, "event_imported", by=self.by, officials=officials)

    def _of_here(self, given: Mapping[str, object]) -> dict[str, Any]:
        """Return what a line says, of the tables and rounds that were stored here.

        What it says of a row that the file does not have (any more) is left out: the same number
        may be another row here.
        """
        details: dict[str, Any] = {
            name: one for name, one in given.items() if name not in NOT_IN_FILES
        }
        known: tuple[tuple[str, Mapping[int, Model]], ...] = (
            ("match", self.matches), ("other_match", self.matches),
            ("pairing_round", self.rounds),
        )  # fmt: skip
        for name, rows in known:
            row = rows.get(details.pop(name, None))
            if row is not None:
                details[name] = row.pk
        if "matches" in details:
            found = [self.matches.get(number) for number in details["matches"]]
            details["matches"] = [match.pk for match in found if match is not None]
        return details

    # --- what points elsewhere ---------------------------------------------------------------

    def _listed(self, things: Sequence[Row], place: object, at: str) -> Row | None:
        if place is None:
            return None
        if type(place) is not int or not 0 <= place < len(things):
            expected = f"a place from 0 to {len(things) - 1}, or null"
            raise BadRequest(path=at, expected=expected, found=shown(place))
        return things[place]

    def _person(self, given: Mapping[str, object], at: str) -> Player:
        found = self._listed(self.players, given.get("player"), f"{at}.player")
        if found is None:
            raise BadRequest(path=f"{at}.player", expected="the place of a player", found="null")
        return found

    def _entry_at(self, number: object, at: str) -> Entry:
        if type(number) is not int or number not in self.entries:
            raise BadRequest(path=at, expected="the number of an entry", found=shown(number))
        return self.entries[number]

    def _of_entries(
        self,
        model: type[Row],
        given: Mapping[str, object],
        name: str,
        at: str,
        **fixed: object,
    ) -> list[Row]:
        return [
            row_of(
                model, one, path, entry=self._entry_at(one.get("entry"), f"{path}.entry"), **fixed
            )
            for path, one in objects(given, name, at)
        ]


def _readable(act: Callable[[], object]) -> None:
    """Do what reads the stored event; where it cannot, the file is bad.

    Every value has been held to its shape by then. What no shape has foreseen is caught here, in
    the transaction, and not by whoever opens the page.
    """
    try:
        act()
    except (IntegrityError, DataError, DominoError):
        raise
    except Exception as error:
        found = f"{type(error).__name__}: {error}"[:120]
        expected = Phrase("an event whose pages can be shown")
        raise BadRequest(path="$", expected=expected, found=found) from error


def _free_address(slug: str) -> str:
    address, number = slug, 1
    while Tournament.objects.filter(slug=address).exists():
        number += 1
        address = f"{slug[:_LONGEST_ADDRESS]}-{number}"
    return address
