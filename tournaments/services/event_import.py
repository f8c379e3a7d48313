"""A whole event as one JSON document, read and stored; docs/event-file.md describes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.db import DataError, IntegrityError, models, transaction
from django.db.models import Model
from django.utils.translation import gettext_noop

from engine.errors import BadRecord, DominoError, shown
from engine.profiles import Rules
from tournaments import permissions
from tournaments.competition.reading import list_at, object_at, read
from tournaments.competition.requests_brackets import matches_at
from tournaments.competition.types import BadRequest, TieBreak
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
from tournaments.names import folded
from tournaments.queries import proofs as draw_proofs
from tournaments.services import adjusting, log, ratings, standings
from tournaments.services.event_file import FIELDS, FORMAT, KEY, VERSION, key_of
from tournaments.services.frozen import frozen_of

MOST_BYTES = 200_000_000
_LONGEST_ADDRESS = 70
Row = TypeVar("Row", bound=Model)
# Gets what was written at each table: the match, the value, its path.
StoreRecords = Callable[[Sequence[tuple[Match, object, str]]], None]


class BadEventFile(DominoError):
    code = "bad_event_file"
    text = gettext_noop(
        "This is not the file of an event as it was saved: at %(path)s it should have "
        "%(expected)s, and there is %(found)s. Nothing was imported. Save the event again."
    )


class EventFileIsNewer(DominoError):
    code = "event_file_is_newer"
    text = gettext_noop(
        "This file has version %(found)s of the format; this installation reads up to version "
        "%(known)s. Bring this installation up to date first."
    )


def import_event(content: bytes, *, store_records: StoreRecords, by: User) -> Tournament:
    """Store the event of a file, with `by` as its director; the same event again stores nothing.

    Raises BadEventFile with the path of what is wrong; nothing is stored then.
    """
    permissions.require_may_create_tournament(by)
    if len(content) > MOST_BYTES:
        raise BadEventFile(path="$", expected=f"at most {MOST_BYTES} bytes", found=len(content))
    try:
        document = object_at(read(content), "$")
        _require_format(document)
        with transaction.atomic():
            return _Import(document, by).store(store_records)
    except BadRequest as error:
        raise BadEventFile(**error.params) from None
    except BadRecord as error:
        raise BadEventFile(path=error.path, expected="a sound record", found=error) from None
    except (IntegrityError, DataError, ValueError) as error:
        # What no field can say of itself: twice the same table, a sign no database holds.
        found = str(error).splitlines()[0][:120]
        raise BadEventFile(path="$", expected="rows that fit together", found=found) from None


def _require_format(document: Mapping[str, object]) -> None:
    if document.get("format") != FORMAT:
        raise BadRequest(path="format", expected=FORMAT, found=shown(document.get("format")))
    version = document.get("version")
    if type(version) is not int or version < 1:
        raise BadRequest(path="version", expected="a whole number from 1", found=shown(version))
    if version > VERSION:
        raise EventFileIsNewer(found=version, known=VERSION)
    key = document.get("key")
    if not isinstance(key, str) or not 16 <= len(key) <= 64:
        raise BadRequest(path="key", expected="the key of an event", found=shown(key))


class _Import:
    """One document on its way into the database."""

    def __init__(self, document: Mapping[str, object], by: User) -> None:
        self.document = document
        self.by = by
        self.key = str(document["key"])
        self.matches: dict[int, Match] = {}
        self.records: list[tuple[Match, object, str]] = []

    def store(self, store_records: StoreRecords) -> Tournament:
        # The lock of whoever imports: the same file sent twice at once is stored once.
        User.objects.select_for_update().get(pk=self.by.pk)
        for one in Tournament.objects.only("policies", "created_at", "created_by"):
            if key_of(one) == self.key:
                return one
        self._store_event()
        self._store_people()
        self._store_entries()
        for place, stage in enumerate(list_at(self.document.get("stages"), "stages")):
            self._store_stage(object_at(stage, f"stages[{place}]"), f"stages[{place}]")
        store_records(self.records)
        self._store_log()
        self._require_readable_draws()
        for stage in self.tournament.stages.filter(state=Stage.State.OPEN):
            _fitting(partial(standings.rebuild_standings, stage), "event.policies")
        ratings.schedule_ratings(self.tournament.pk)
        return Tournament.objects.get(pk=self.tournament.pk)

    # --- the event, people, entries ----------------------------------------------------------

    def _store_event(self) -> None:
        given = object_at(self.document.get("event"), "event")
        tournament = _row(Tournament, given, "event", created_by=self.by)
        _require_rules(tournament.rules, "event.rules")
        object_at(tournament.policies, "event.policies")
        tournament.policies = {**tournament.policies, KEY: self.key}
        tournament.slug = _free_address(tournament.slug)
        made_at = tournament.created_at
        tournament.save()
        Tournament.objects.filter(pk=tournament.pk).update(created_at=made_at)
        self.tournament = tournament
        Official.objects.create(tournament=tournament, user=self.by, duty=Official.Duty.DIRECTOR)
        for at, room in _objects(self.document, "rooms"):
            _row(Room, room, at, tournament=tournament).save()

    def _store_people(self) -> None:
        self.clubs = [
            self._club(_row(Club, club, at)) for at, club in _objects(self.document, "clubs")
        ]
        self.players: list[Player] = []
        taken: set[int] = set()
        for at, given in _objects(self.document, "players"):
            club = self._listed(self.clubs, given.get("club"), f"{at}.club")
            player = self._player(_row(Player, given, at, club=club), taken)
            taken.add(player.pk)
            self.players.append(player)

    def _club(self, club: Club) -> Club:
        known = Club.objects.filter(folded_name=folded(club.name), country=club.country).first()
        if known is None:
            club.save()
        return known or club

    def _player(self, player: Player, taken: set[int]) -> Player:
        """Return the one who is known here by number, or by name and club; else a new player."""
        people = Player.objects.exclude(pk__in=taken)
        known = None
        if player.number:
            known = people.filter(number=player.number).first()
        if known is None:
            same = people.filter(
                folded_name=folded(player.name), club=player.club, country=player.country
            )
            # Two federation numbers are two people, whatever their name.
            known = same.filter(number__in={"", player.number}).order_by("pk").first()
        if known is None:
            player.save()
        return known or player

    def _store_entries(self) -> None:
        self.entries: dict[int, Entry] = {}
        moments: dict[int, datetime] = {}
        members: list[EntryPlayer] = []
        for at, given in _objects(self.document, "entries"):
            club = self._listed(self.clubs, given.get("club"), f"{at}.club")
            entry = _row(Entry, given, at, tournament=self.tournament, club=club)
            if entry.number in self.entries:
                raise BadRequest(
                    path=f"{at}.number", expected="a number of its own", found=entry.number
                )
            moments[entry.number] = entry.registered_at
            self.entries[entry.number] = entry
            members += [
                _row(
                    EntryPlayer, one, place, entry=entry, tournament=self.tournament,
                    player=self._person(one, place),
                )
                for place, one in _objects(given, "players", at)
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
        stage = _row(Stage, given, at, tournament=self.tournament, source=source)
        settings = object_at(stage.settings, f"{at}.settings")
        if "bracket" in settings:
            matches_at(settings["bracket"], f"{at}.settings.bracket")
        known = [one.value for one in TieBreak]
        for place, name in enumerate(list_at(stage.tie_breaks, f"{at}.tie_breaks")):
            if name not in known:
                path = f"{at}.tie_breaks[{place}]"
                raise BadRequest(path=path, expected=", ".join(known), found=shown(name))
        stage.save()
        StageEntry.objects.bulk_create(
            self._of_entries(StageEntry, given, "entries", at, stage=stage)
        )
        rows = self._of_entries(StandingRow, given, "standings", at, stage=stage)
        for place, row in enumerate(rows):
            path = f"{at}.standings[{place}].values"
            if any(type(value) is not int for value in object_at(row.values, path).values()):
                raise BadRequest(path=path, expected="whole numbers", found=shown(row.values))
        StandingRow.objects.bulk_create(rows, batch_size=500)
        for path, one in _objects(given, "rounds", at):
            self._store_round(stage, one, path)

    def _store_round(self, stage: Stage, given: Mapping[str, object], at: str) -> None:
        pairing_round = _row(PairingRound, given, at, stage=stage)
        _fitting(partial(frozen_of, pairing_round), f"{at}.standings")
        pairing_round.save()
        byes = self._of_entries(Bye, given, "byes", at, pairing_round=pairing_round)
        Bye.objects.bulk_create(byes)
        absences = self._of_entries(Absence, given, "absences", at, pairing_round=pairing_round)
        Absence.objects.bulk_create(absences)
        listed = list(_objects(given, "matches", at))
        matches = []
        for path, one in listed:
            match = _row(Match, one, path, pairing_round=pairing_round)
            if match.score is not None:
                object_at(match.score, f"{path}.score")
            if match.rules is not None:
                _require_rules(match.rules, f"{path}.rules")
            matches.append(match)
        Match.objects.bulk_create(matches, batch_size=500)
        seats: list[MatchSeat] = []
        for match, (path, one) in zip(matches, listed, strict=True):
            if isinstance(one.get("id"), int):
                self.matches[int(str(one["id"]))] = match
            self.records.append((match, one.get("record", []), f"{path}.record"))
            seats += [
                _row(
                    MatchSeat, seat, place, match=match, pairing_round=pairing_round,
                    entry=self._entry_at(seat.get("entry"), f"{place}.entry"),
                    player=self._person(seat, place),
                )
                for place, seat in _objects(one, "seats", path)
            ]  # fmt: skip
            for place, report in _objects(one, "reported", path):
                _row(ReportedResult, report, place, match=match).save()
        MatchSeat.objects.bulk_create(seats, batch_size=500)

    def _store_log(self) -> None:
        lines: list[LogEntry] = []
        undone: list[tuple[LogEntry, object, str]] = []
        moments = []
        for at, one in _objects(self.document, "log"):
            details = dict(object_at(one.get("details", {}), f"{at}.details"))
            if isinstance(one.get("by"), str):
                details["by_name"] = one["by"]
            # What a line says of a match it says of the one that was stored here.
            told = details.get("match")
            if type(told) is int and told in self.matches:
                details["match"] = self.matches[told].pk
            line = LogEntry(
                tournament=self.tournament,
                act=_value(LogEntry, "act", one.get("act"), f"{at}.act"),
                details=details,
            )
            moments.append(_value(LogEntry, "at", one.get("at"), f"{at}.at"))
            lines.append(line)
            if one.get("undone_by") is not None:
                undone.append((line, one["undone_by"], f"{at}.undone_by"))
        LogEntry.objects.bulk_create(lines, batch_size=500)
        for line, moment in zip(lines, moments, strict=True):
            line.at = moment
        for line, place, at in undone:
            line.undone_by = self._listed(lines, place, at)
        LogEntry.objects.bulk_update(lines, ["at", "undone_by"], batch_size=500)
        officials = [str(one.get("name", "")) for _, one in _objects(self.document, "officials")]
        log.write(self.tournament, "event_imported", by=self.by, officials=officials)

    def _require_readable_draws(self) -> None:
        """Refuse a stored draw that its proof, or the way back to its answer, could not read."""
        rounds = PairingRound.objects.filter(stage__tournament=self.tournament)
        for one in rounds.select_related("stage__tournament").order_by("stage__number", "number"):
            at = f"stages[{one.stage.number}].rounds[{one.number}].draw"
            try:
                _fitting(partial(_read_draw, one), at)
            except BadRequest as error:
                if error.params["path"] == at:
                    raise
                inner = {**error.params, "path": f"{at}: {error.params['path']}"}
                raise BadRequest(**inner) from None

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
            _row(model, one, path, entry=self._entry_at(one.get("entry"), f"{path}.entry"), **fixed)
            for path, one in _objects(given, name, at)
        ]


def _objects(
    given: Mapping[str, object], name: str, at: str = ""
) -> Iterable[tuple[str, Mapping[str, object]]]:
    """Return each object of a list with its path."""
    path = f"{at}.{name}" if at else name
    for place, one in enumerate(list_at(given.get(name), path)):
        yield f"{path}[{place}]", object_at(one, f"{path}[{place}]")


def _row(model: type[Row], given: Mapping[str, object], at: str, **fixed: object) -> Row:
    """Return a row, not stored yet, from the fields of the file."""
    values = {name: _value(model, name, given.get(name), f"{at}.{name}") for name in FIELDS[model]}
    return model(**values, **fixed)


_TYPES: tuple[tuple[type[models.Field[Any, Any]], type, str], ...] = (
    (models.BooleanField, bool, "true or false"),
    (models.IntegerField, int, "a whole number"),
    (models.DateField, str, "a moment or a day (ISO 8601)"),
    (models.CharField, str, "a text"),
)


def _value(model: type[Model], name: str, value: object, at: str) -> Any:
    """Return what a field holds; its own checks say what it may be."""
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    expected = next((word for kind, _, word in _TYPES if isinstance(field, kind)), "a value")
    if value is not None:
        kind = next((kind for one, kind, _ in _TYPES if isinstance(field, one)), None)
        if kind is not None and type(value) is not kind:
            raise BadRequest(path=at, expected=expected, found=shown(value))
    elif not field.null:
        raise BadRequest(path=at, expected=expected, found="null")
    if isinstance(field, models.JSONField):
        return value
    if value == "" and isinstance(field, models.CharField) and (field.blank or field.has_default()):
        return value
    try:
        return field.clean(value, None)
    except ValidationError as error:
        told = "; ".join(error.messages)
        raise BadRequest(path=at, expected=f"{expected} ({told})", found=shown(value)) from None


def _fitting(act: Callable[[], object], at: str) -> None:
    """Do what reads values that have no fields of their own; refuse them where it cannot."""
    try:
        act()
    except (AttributeError, IndexError, KeyError, TypeError, ValueError) as error:
        found = f"{type(error).__name__}: {error}"[:120]
        raise BadRequest(path=at, expected="values an event is saved with", found=found) from None


def _read_draw(pairing_round: PairingRound) -> None:
    object_at(pairing_round.draw, "draw")
    draw_proofs.proof_page(pairing_round)
    if adjusting.has_answer(pairing_round):
        adjusting.answer_of(pairing_round, adjusting.seating_of(pairing_round))


def _require_rules(rules: object, at: str) -> None:
    try:
        Rules.read(object_at(rules, at))
    except DominoError as error:
        raise BadRequest(path=at, expected="frozen rules", found=error) from None


def _free_address(slug: str) -> str:
    address, number = slug, 1
    while Tournament.objects.filter(slug=address).exists():
        number += 1
        address = f"{slug[:_LONGEST_ADDRESS]}-{number}"
    return address
