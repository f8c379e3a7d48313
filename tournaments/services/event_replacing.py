"""Puts an event of this installation back to what a file says, and tells what that replaces.

Accounts, passwords and duties are not in files: they stay as they are here.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.contrib.auth.models import User

from tournaments.errors.event_files import FileOfAnotherEvent
from tournaments.models import Entry, ForbiddenMeeting, LogEntry, PairingRound, Tournament
from tournaments.services.erasing import allow_erasing
from tournaments.services.event_file import key_of
from tournaments.services.event_import import Doors, Import, refusing

Json = Mapping[str, Any]
_RESULT = ("seat", "entry", "outcome", "points_for", "points_against", "deducted")
_IMPORTED = ("event_imported", "event_restored")


@dataclass(frozen=True, slots=True)
class ReplacedEntry:
    """An entry that is other here than in the file; an empty name is not there."""

    number: int
    here: str
    in_file: str


@dataclass(frozen=True, slots=True)
class ReplacedRound:
    """A pairing round that is other here than in the file; an empty state is not there."""

    stage: int
    number: int
    here: str
    in_file: str

    @property
    def said_here(self) -> str:
        """The state here in the reader's language, "" where the round is not there."""
        return _said(self.here)

    @property
    def said_in_file(self) -> str:
        """The state in the file in the reader's language, "" where the round is not there."""
        return _said(self.in_file)


@dataclass(frozen=True, slots=True)
class ReplacedResult:
    """A table whose result or record is other here; results as `100–42`, empty while open."""

    stage: int
    round: int
    table: int
    here: str
    in_file: str


@dataclass(frozen=True, slots=True)
class ReplacedLine:
    """What was done here and is not in the log of the file."""

    at: str
    by: str
    act: str


@dataclass(frozen=True, slots=True)
class Replaced:
    """What is here and would be replaced by what a file says."""

    entries: tuple[ReplacedEntry, ...]
    rounds: tuple[ReplacedRound, ...]
    results: tuple[ReplacedResult, ...]
    log: tuple[ReplacedLine, ...]
    others: tuple[str, ...]
    """Parts of the event that are other in other ways, by their names in the file."""

    def __bool__(self) -> bool:
        return bool(self.entries or self.rounds or self.results or self.log or self.others)


def replaced(here: Json, in_file: Json) -> Replaced:
    """Return what two documents of one event differ in, as the one who restores has to know it."""
    return Replaced(
        entries=tuple(_entries(here, in_file)),
        rounds=tuple(_rounds(here, in_file)),
        results=tuple(_results(here, in_file)),
        log=tuple(_log(here, in_file)),
        others=tuple(
            name
            for name in ("event", "rooms", "documents", "forbidden", "appeals", "sanctions")
            # A file from before there were documents says nothing of them.
            if (name in in_file or name != "documents")
            and _part(here, name) != _part(in_file, name)
        ),
    )


def require_same_event(tournament: Tournament, document: Json) -> None:
    """Refuse the file of another event."""
    if document["key"] != key_of(tournament):
        event = document.get("event")
        found = event.get("name") if isinstance(event, dict) else None
        raise FileOfAnotherEvent(found=str(found)[:80], event=tournament.name)


def replace_event(tournament: Tournament, document: Json, doors: Doors, *, by: User) -> Tournament:
    """Make a locked event what a document says; the caller has asked who may, and logs it.

    Everything or nothing: raises BadEventFile with the path of what is wrong.
    """
    require_same_event(tournament, document)
    codes = {
        (number, name): code
        for number, name, code in tournament.entries.values_list("number", "name", "check_in_code")
        if code
    }
    with refusing():
        with allow_erasing(f"event {tournament.slug} is put back to a file; it is kept as a file"):
            _empty(tournament)
        restored = Import(document, by, into=tournament).store(doors)
        entries = [one for one in restored.entries.all() if (one.number, one.name) in codes]
        for one in entries:
            # A code that is printed goes on opening the page of its entry.
            one.check_in_code = codes[one.number, one.name]
        Entry.objects.bulk_update(entries, ["check_in_code"], batch_size=500)
    return restored


def _empty(tournament: Tournament) -> None:
    """Remove what a file brings; what belongs to this installation stays."""
    for stage in tournament.stages.order_by("-number"):
        stage.rounds.all().delete()
        stage.delete()
    ForbiddenMeeting.objects.filter(tournament=tournament).delete()
    tournament.entries.all().delete()
    tournament.rooms.all().delete()
    LogEntry.objects.filter(tournament=tournament).delete()


# --- what differs ------------------------------------------------------------------------------


def _part(document: Json, name: str) -> object:
    part = document.get(name)
    if name == "event" and isinstance(part, dict):
        # An event keeps its address.
        return {key: value for key, value in part.items() if key != "slug"}
    return part or []


def _objects(value: object) -> list[Json]:
    return [one for one in value if isinstance(one, dict)] if isinstance(value, list) else []


def _entries(here: Json, in_file: Json) -> Iterable[ReplacedEntry]:
    mine, theirs = _people(here), _people(in_file)
    for number in sorted(mine.keys() | theirs.keys(), key=str):
        one, other = mine.get(number), theirs.get(number)
        if one != other:
            yield ReplacedEntry(
                int(str(number)) if str(number).isdecimal() else 0,
                str(one[0]) if one else "",
                str(other[0]) if other else "",
            )


def _people(document: Json) -> dict[object, tuple[object, ...]]:
    """Return each entry with all that the file says of it; players by name, not by place."""
    players = [one.get("name") for one in _objects(document.get("players"))]
    clubs = [one.get("name") for one in _objects(document.get("clubs"))]

    def named(names: list[Any], place: object) -> object:
        return names[place] if type(place) is int and 0 <= place < len(names) else None

    found: dict[object, tuple[object, ...]] = {}
    for one in _objects(document.get("entries")):
        rest = {key: one[key] for key in one if key not in ("players", "club")}
        members = [
            (named(players, each.get("player")), each.get("position"), each.get("on_bench"))
            for each in _objects(one.get("players"))
        ]
        found[str(one.get("number"))] = (
            one.get("name"), rest, members, named(clubs, one.get("club")),
        )  # fmt: skip
    return found


def _all_rounds(document: Json) -> dict[tuple[int, int], Json]:
    return {
        (_whole(stage.get("number")), _whole(one.get("number"))): one
        for stage in _objects(document.get("stages"))
        for one in _objects(stage.get("rounds"))
    }


def _whole(value: object) -> int:
    return value if type(value) is int else 0


def _rounds(here: Json, in_file: Json) -> Iterable[ReplacedRound]:
    mine, theirs = _all_rounds(here), _all_rounds(in_file)
    for key in sorted(mine.keys() | theirs.keys()):
        one, other = mine.get(key, {}), theirs.get(key, {})
        if one.get("state") != other.get("state") or _seated(one) != _seated(other):
            yield ReplacedRound(*key, str(one.get("state", "")), str(other.get("state", "")))


def _said(state: str) -> str:
    known = state in PairingRound.State.values
    return str(PairingRound.State(state).label) if known else state


def _seated(one: Json) -> list[object]:
    """Return who sits where in a round, who rests and who is away."""
    tables = [
        (match.get("table"), [(each.get("seat"), each.get("entry"))
                              for each in _objects(match.get("seats"))])
        for match in _objects(one.get("matches"))
    ]  # fmt: skip
    return [tables, one.get("byes") or [], one.get("absences") or []]


def _results(here: Json, in_file: Json) -> Iterable[ReplacedResult]:
    mine, theirs = _tables(here), _tables(in_file)
    for key in sorted(mine.keys() | theirs.keys()):
        one, other = mine.get(key), theirs.get(key)
        if one != other:
            yield ReplacedResult(*key, one[0] if one else "", other[0] if other else "")


def _tables(document: Json) -> dict[tuple[int, int, int], tuple[str, object]]:
    """Return each table that has a result or a record: the score in short, and all of it."""
    found: dict[tuple[int, int, int], tuple[str, object]] = {}
    for (stage, number), one in _all_rounds(document).items():
        for match in _objects(one.get("matches")):
            seats = _objects(match.get("seats"))
            record = match.get("record") or []
            if record or any(seat.get("outcome") for seat in seats):
                whole = [[seat.get(name) for name in _RESULT] for seat in seats]
                key = (stage, number, _whole(match.get("table")))
                found[key] = (_score(seats), [whole, record, match.get("reported")])
    return found


def _score(seats: list[Json]) -> str:
    first = seats[0] if seats else {}
    if first.get("points_for") is None:
        return ""
    return f"{first.get('points_for')}–{first.get('points_against')}"


def _log(here: Json, in_file: Json) -> Iterable[ReplacedLine]:
    known = {(line.get("at"), line.get("act")) for line in _objects(in_file.get("log"))}
    for line in _objects(here.get("log")):
        if (line.get("at"), line.get("act")) not in known and line.get("act") not in _IMPORTED:
            yield ReplacedLine(str(line.get("at")), str(line.get("by") or ""), str(line.get("act")))
