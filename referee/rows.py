"""Loads the record of a match in as few statements as possible.

An event is stored between two moves at the table, so what is read to check it is written as
plain SQL that SQLite and PostgreSQL share.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache, lru_cache
from operator import attrgetter
from typing import Any, Final
from uuid import UUID, uuid4

import psycopg
from django.db import connection
from django.db.models import Max
from django.utils import timezone

from engine.events import Event, Undo
from engine.notation import format_line
from engine.profiles import Rules
from referee.chain import event_link, fell_link, origin_link, round_link
from referee.errors.records import RoundFellAway
from referee.models import RecordedEvent, RoundRecord
from referee.recorded import Facts, Recorded, Rows, Sitting, StoredRound
from tournaments.models import Match
from tournaments.permissions import Keeper, TableGuest, require_duty_at
from tournaments.rules import rules_of
from tournaments.services.event_file import key_of

# A match is named by one of its rounds, so that finding it takes no statement of its own.
# The lock: from here to the end of the transaction the match is nobody else's, and whoever reads
# along learns that it has changed.
_LOCK: Final = """
    UPDATE tournaments_match SET changed_at = %s
     WHERE id = (SELECT match_id FROM referee_roundrecord WHERE id = %s)
"""
# Lists come as JSON, so that a match with its seats and its whole record is one row: a list of
# rounds each with its lines in one text, a list of seats, the duties of whoever asks.
_LISTS: Final = """
    (SELECT {list}({row}(s.seat, p.name, s.player_id, s.entry_id, e.name, s.substitute))
       FROM tournaments_matchseat s
       JOIN tournaments_player p ON p.id = s.player_id
       JOIN tournaments_entry e ON e.id = s.entry_id
      WHERE s.match_id = m.id),
    (SELECT {list}({row}(
            r.id, r.number, r.opener, CAST(r.hands AS text), CAST(r.stock AS text),
            (SELECT {lines} FROM (SELECT notation FROM referee_recordedevent
                                   WHERE round_id = r.id ORDER BY number) e),
            r.head, CAST(r.former AS text), r.chain))
       FROM referee_roundrecord r
      WHERE r.match_id = m.id)
"""
_RECORD: Final = "SELECT {lists} FROM tournaments_match m WHERE m.id = %s"
# What fills this statement in is places for parameters, as many as there are matches.
_RECORDS: Final = """
    SELECT m.id, {lists} FROM tournaments_match m WHERE m.id IN ({{places}})
"""
# When each event of a round was recorded, in seconds, in the order of the record.
_TIMES: Final = """
    SELECT r.id, (SELECT {list}(e.at) FROM (SELECT {seconds} AS at FROM referee_recordedevent
                                             WHERE round_id = r.id ORDER BY number) e)
      FROM referee_roundrecord r WHERE r.match_id IN ({{places}})
"""
_TABLE: Final = """
    SELECT m.id, m."table", m.state, m.score, m.rules, t.rules, t.entry_kind,
           (SELECT {list}({row}(o.duty, o."table")) FROM tournaments_official o
             WHERE o.tournament_id = t.id AND o.user_id = %s),
           (SELECT h.device FROM referee_tableholder h WHERE h.match_id = m.id),
           {lists}
      FROM referee_roundrecord asked
      JOIN tournaments_match m ON m.id = asked.match_id
      JOIN tournaments_pairinground g ON g.id = m.pairing_round_id
      JOIN tournaments_stage a ON a.id = g.stage_id
      JOIN tournaments_tournament t ON t.id = a.tournament_id
     WHERE asked.id = %s
"""
_SPELLED: Final = {
    "postgresql": {
        "list": "json_agg",
        "row": "json_build_array",
        "lines": "string_agg(e.notation, chr(10))",
        "seconds": "CAST(extract(epoch FROM recorded_at) AS double precision)",
    },
    "sqlite": {
        "list": "json_group_array",
        "row": "json_array",
        "lines": "group_concat(e.notation, char(10))",
        "seconds": "(julianday(recorded_at) - 2440587.5) * 86400.0",
    },
}
_STORE: Final = """
    INSERT INTO referee_recordedevent
           (round_id, number, notation, client_key, recorded_by_id, recorder, recorded_at, chain)
    VALUES (%s, %s, %s, %s, %s, %s, %s, %s)
"""
_KEEP_HEAD: Final = "UPDATE referee_roundrecord SET head = %s, length = %s WHERE id = %s"
# The last of several events and the end of the chain in one exchange, where one statement may.
_STORE_AND_KEEP: Final = f"WITH stored AS ({_STORE}) {_KEEP_HEAD}"
_KEY: Final = RecordedEvent._meta.get_field("client_key")


@contextmanager
def _cursor() -> Iterator[Any]:
    """Yield a cursor whose statements PostgreSQL plans once, for all who use this connection.

    Django's own cursors fill the parameters in themselves, so their statements are never kept.
    """
    connection.ensure_connection()
    if connection.vendor == "postgresql":
        connection.connection.prepare_threshold = 0
        with connection.wrap_database_errors, psycopg.Cursor(connection.connection) as kept:
            yield kept
    else:
        with connection.cursor() as cursor:
            yield cursor


def rows_of(match: Match) -> Rows:
    """Load the record of `match`, which comes with its pairing round, stage and tournament."""
    with _cursor() as cursor:
        cursor.execute(_spelled(_RECORD), [match.pk])
        return _rows(_facts(match), *cursor.fetchone())


def _facts(match: Match) -> Facts:
    return Facts(
        pk=match.pk,
        table=match.table,
        state=match.state,
        entry_kind=match.pairing_round.stage.tournament.entry_kind,
        rules=rules_of(match),
        score=match.score,
    )


def records_of(matches: Sequence[Match]) -> dict[int, Recorded]:
    """Load and replay the records of several matches, by their keys, in one statement.

    Each comes with its pairing round, stage and tournament.
    """
    if not matches:
        return {}
    facts = {match.pk: _facts(match) for match in matches}
    asked = _spelled(_RECORDS).format(places=", ".join(["%s"] * len(facts)))
    with _cursor() as cursor:
        cursor.execute(asked, list(facts))
        found = cursor.fetchall()
    return {pk: _rows(facts[pk], *lists).replayed() for pk, *lists in found}


def times_of(matches: Sequence[Match]) -> dict[int, list[float]]:
    """Return when every event was recorded at its table, in seconds, by the keys of the rounds."""
    if not matches:
        return {}
    asked = _spelled(_TIMES).format(places=", ".join(["%s"] * len(matches)))
    with _cursor() as cursor:
        cursor.execute(asked, [match.pk for match in matches])
        return {pk: _json(times) for pk, times in cursor.fetchall()}


def locked_rows(round_pk: int, *, by: Keeper) -> Rows:
    """Lock the match of a round for `by`, who must be allowed to record it, and load its record."""
    with _cursor() as cursor:
        cursor.execute(_LOCK, [_now(), round_pk])
        if not cursor.rowcount:
            raise RoundRecord.DoesNotExist
        cursor.execute(_spelled(_TABLE), [by.pk, round_pk])
        pk, table, state, score, own_rules, rules, entry_kind, duties, *rest = cursor.fetchone()
    require_duty_at(by, match=pk, table=table, duties=_json(duties))
    holder, *lists = rest
    facts = Facts(pk, table, state, entry_kind, _rules(own_rules, rules), _json(score), holder)
    return _rows(facts, *lists)


def _rows(facts: Facts, seats: object, rounds: object) -> Rows:
    sittings = sorted((Sitting(*one) for one in _json(seats)), key=lambda one: one.seat)
    record: list[StoredRound] = []
    fallen: list[StoredRound] = []
    for one in _json(rounds):
        stored, has_fallen = _round(*one)
        (fallen if has_fallen else record).append(stored)
    by_number = attrgetter("number")
    return Rows(
        facts,
        tuple(sittings),
        tuple(sorted(record, key=by_number)),
        tuple(sorted(fallen, key=by_number)),
    )


def _round(
    pk: int,
    number: int,
    opener: str,
    hands: str | None,
    stock: str | None,
    lines: str | None,
    head: str,
    former: str,
    chain: str,
) -> tuple[StoredRound, bool]:
    """Return a round and whether it fell away, not to be opened again so far."""
    told = tuple(lines.split("\n")) if lines else ()
    skip = 0 if former == "[]" else _skipped(former)
    held = _object(hands), _object(stock)
    return StoredRound(pk, number, opener, *held, told[skip:], head, skip), bool(skip) and not chain


def _skipped(former: object) -> int:
    """Return how many events of a round fell away, from how it was opened before."""
    return max((way["until"] for way in _json(former) if way.get("fell")), default=0)


@cache
def _spelled(statement: str) -> str:
    """Return a statement with the functions of this database."""
    functions = _SPELLED[connection.vendor]
    return statement.format(lists=_LISTS.format(**functions), **functions)


def _moment(at: datetime) -> Any:
    return connection.ops.adapt_datetimefield_value(at)


def _now() -> Any:
    return _moment(timezone.now())


def store(
    stored: StoredRound,
    events: Sequence[tuple[int, str, UUID]],
    *,
    by: Keeper,
    age: timedelta = timedelta(0),
) -> None:
    """Add events to a round as it was loaded: each with its number, its line and its key.

    `age` is how long ago they were recorded at the table: a device without a network sends late.
    Its clock may have jumped meanwhile, so nothing comes before what is stored already.
    """
    at = timezone.now()
    if age:
        latest = _latest(stored)
        at = at - age if latest is None else min(at, max(at - age, latest))
    head = stored.head
    recorder = -by.link if isinstance(by, TableGuest) else by.pk
    together = connection.vendor == "postgresql"
    with _cursor() as cursor:
        for number, line, key in events:
            told = _KEY.get_db_prep_value(key, connection)
            place = stored.skip + number
            head = event_link(head, stored.number, place, line, key, at, recorder)
            row = [stored.pk, place, line, told, by.pk, recorder, _moment(at), head]
            kept = [head, place + 1, stored.pk]
            is_last = (number, line, key) == events[-1]
            if is_last and together:
                cursor.execute(_STORE_AND_KEEP, [*row, *kept])
            else:
                cursor.execute(_STORE, row)
            if is_last and not together:
                cursor.execute(_KEEP_HEAD, kept)


def _latest(stored: StoredRound) -> datetime | None:
    """Return when the last event of the match was recorded; a round has no age of its own."""
    events = RecordedEvent.objects.filter(round__match__records=stored.pk)
    latest: datetime | None = events.aggregate(latest=Max("recorded_at"))["latest"]
    return latest


def store_round(match: Match, rows: Rows, asked: StoredRound) -> RoundRecord:
    """Store how a round is opened, linked to what the loaded rows of the locked match end with.

    A round that has events is opened anew by a link of its own; how it was opened before is kept.
    """
    found = RoundRecord.objects.filter(match=match, number=asked.number).first()
    record = found or RoundRecord(match=match, number=asked.number)
    loaded = next((one for one in (*rows.rounds, *rows.fallen) if one.pk == record.pk), None)
    if loaded is not None and loaded.lines:
        before = loaded.head
        record.former = [*record.former, {"until": loaded.length, **_opening_of(record)}]
    elif loaded is not None and loaded.skip:
        before = fell_link(_link_of(record, loaded.skip - 1))
    elif asked.number:
        before = rows.rounds[asked.number - 1].head
        record.follows = rows.rounds[asked.number - 1].length
    else:
        record.origin = record.origin or origin_of(match)
        before = origin_link(record.origin)
    record.opener = asked.opener
    record.hands, record.stock = asked.hands, asked.stock
    record.chain = record.head = round_link(
        before, record.number, asked.opener, asked.hands, asked.stock, record.started_at
    )
    record.save()
    return record


def number_now(event: RecordedEvent) -> int:
    """Return the number of a stored event in its round as it is now; refused if it fell away."""
    record = event.round
    skip = _skipped(record.former)
    if event.number < skip:
        raise RoundFellAway(number=record.number + 1)
    return event.number - skip


def how_many_known(
    stored: StoredRound, number: int, sent: Sequence[tuple[Event, str, UUID]]
) -> int:
    """Return how many of the events, from the first on, are stored already as they were sent."""
    later = RecordedEvent.objects.filter(round=stored.pk, number__gte=stored.skip + number)
    rows = list(later.order_by("number").values_list("client_key", "notation")[: len(sent)])
    known = 0
    while known < len(rows) and rows[known] == (sent[known][2], sent[known][1]):
        known += 1
    return known


def _opening_of(record: RoundRecord) -> dict[str, Any]:
    return {"opener": record.opener, "hands": record.hands, "stock": record.stock}


def _link_of(record: RoundRecord, number: int) -> str:
    """Return the link of a stored event."""
    return record.events.values_list("chain", flat=True).get(number=number)


def drop_round(stored: StoredRound, *, effective: int, by: Keeper, key: UUID | None = None) -> None:
    """Let a round fall away: its events lose their effect and stay in the log.

    `effective` is how many undos take back all that is in effect in it. A round of which nothing
    was recorded leaves nothing behind.
    """
    if not stored.length:
        RoundRecord.objects.filter(pk=stored.pk).delete()
        return
    if effective:
        line = format_line(Undo(effective))
        store(stored, [(len(stored.lines), line, key or uuid4())], by=by)
    record = RoundRecord.objects.get(pk=stored.pk)
    last = record.former[-1] if record.former else {"until": 0}
    if last["until"] < record.length:
        last = {"until": record.length, **_opening_of(record)}
        record.former = [*record.former, last]
    last["fell"] = True
    record.opener, record.hands, record.stock, record.chain = "", None, None, ""
    record.head = fell_link(_link_of(record, record.length - 1))
    record.save()


def origin_of(match: Match) -> str:
    """Return what the chain of a match begins with: its event, stage, round and own number."""
    stage = match.pairing_round.stage
    key = key_of(stage.tournament)
    return f"{key}/{stage.number}/{match.pairing_round.number}/{match.pk}"


def read(match: Match, *, round_pk: int | None = None) -> Recorded:
    """Load and replay the record of a match."""
    rows = rows_of(match)
    return rows.replayed(None if round_pk is None else rows.number_of(round_pk))


@lru_cache(maxsize=256)
def _rules(own: str | None, of_event: str) -> Rules:
    return Rules.read(_object(own) or _object(of_event))


def _json(stored: Any) -> Any:
    """Return a list or an object that came as JSON; nothing is no list."""
    if stored is None:
        return []
    return json.loads(stored) if isinstance(stored, str) else stored


def _object(stored: str | None) -> Any:
    return None if stored is None else json.loads(stored)
