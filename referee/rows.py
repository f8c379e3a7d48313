"""Loads the record of a match in as few statements as possible.

An event is stored between two moves at the table, so what is read to check it is written as
plain SQL that SQLite and PostgreSQL share.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import lru_cache
from typing import Any, Final
from uuid import UUID

import psycopg
from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from engine.profiles import Rules
from referee.models import RecordedEvent, RoundRecord
from referee.recorded import Facts, Recorded, Rows, Sitting, StoredRound
from tournaments.models import Match
from tournaments.permissions import require_duty_at
from tournaments.rules import rules_of

# A match is named by one of its rounds, so that finding it takes no statement of its own.
# The lock: from here to the end of the transaction the match is nobody else's, and whoever reads
# along learns that it has changed.
_LOCK: Final = """
    UPDATE tournaments_match SET changed_at = %s
     WHERE id = (SELECT match_id FROM referee_roundrecord WHERE id = %s)
"""
# The match of a round with who sits there and the duties of whoever asks: a row for each seat and
# duty.
_TABLE: Final = """
    SELECT m.id, m."table", m.state, m.rules, m.score, t.rules, t.entry_kind, o.duty, o."table",
           s.seat, p.name, s.player_id, s.entry_id, e.name, s.substitute
      FROM referee_roundrecord r
      JOIN tournaments_match m ON m.id = r.match_id
      JOIN tournaments_pairinground g ON g.id = m.pairing_round_id
      JOIN tournaments_stage a ON a.id = g.stage_id
      JOIN tournaments_tournament t ON t.id = a.tournament_id
 LEFT JOIN tournaments_official o ON o.tournament_id = t.id AND o.user_id = %s
 LEFT JOIN tournaments_matchseat s ON s.match_id = m.id
 LEFT JOIN tournaments_player p ON p.id = s.player_id
 LEFT JOIN tournaments_entry e ON e.id = s.entry_id
     WHERE r.id = %s
  ORDER BY s.seat
"""
_SEATS: Final = """
    SELECT s.seat, p.name, s.player_id, s.entry_id, e.name, s.substitute
      FROM tournaments_matchseat s
      JOIN tournaments_player p ON p.id = s.player_id
      JOIN tournaments_entry e ON e.id = s.entry_id
     WHERE s.match_id = %s
  ORDER BY s.seat
"""
# A row for each round, its lines in one text: a match of three hundred events is ten rows.
_ROUNDS: Final = """
    SELECT r.id, r.number, r.opener, r.hands, r.stock,
           (SELECT {joined} FROM (SELECT notation FROM referee_recordedevent
                                   WHERE round_id = r.id ORDER BY number) e)
      FROM referee_roundrecord r
     WHERE r.match_id = {match}
  ORDER BY r.number
"""
_JOINED: Final = {
    "postgresql": "string_agg(e.notation, chr(10))",
    "sqlite": "group_concat(e.notation, char(10))",
}
_MATCH_OF_ROUND: Final = "(SELECT match_id FROM referee_roundrecord WHERE id = %s)"
_STORE: Final = """
    INSERT INTO referee_recordedevent
           (round_id, number, notation, client_key, recorded_by_id, recorded_at)
    VALUES (%s, %s, %s, %s, %s, %s)
"""
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
    facts = Facts(
        pk=match.pk,
        table=match.table,
        state=match.state,
        entry_kind=match.pairing_round.stage.tournament.entry_kind,
        rules=rules_of(match),
        score=match.score,
    )
    with _cursor() as cursor:
        cursor.execute(_SEATS, [match.pk])
        sittings = tuple(Sitting(*one) for one in cursor.fetchall())
        cursor.execute(_rounds("%s"), [match.pk])
        return Rows(facts, sittings, tuple(map(_round, cursor.fetchall())))


def locked_rows(round_pk: int, *, by: User) -> Rows:
    """Lock the match of a round for `by`, who must be allowed to record it, and load its record."""
    with _cursor() as cursor:
        cursor.execute(_LOCK, [_now(), round_pk])
        if not cursor.rowcount:
            raise RoundRecord.DoesNotExist
        cursor.execute(_TABLE, [by.pk, round_pk])
        rows = cursor.fetchall()
        cursor.execute(_rounds(_MATCH_OF_ROUND), [round_pk])
        rounds = cursor.fetchall()
    pk, table, state, own_rules, score, rules, entry_kind = rows[0][:7]
    require_duty_at(by, table=table, duties=[one[7:9] for one in rows if one[7] is not None])
    facts = Facts(
        pk=pk,
        table=table,
        state=state,
        entry_kind=entry_kind,
        rules=_rules(own_rules, rules),
        score=_json(score),
    )
    seats = {one[9]: Sitting(*one[9:]) for one in rows if one[9] is not None}
    return Rows(facts, tuple(seats.values()), tuple(map(_round, rounds)))


def _now() -> Any:
    return connection.ops.adapt_datetimefield_value(timezone.now())


def store(round_pk: int, events: Iterable[tuple[int, str, UUID]], *, by: User) -> None:
    """Add events to a round: each with its number, its line and its key."""
    now = _now()
    with _cursor() as cursor:
        for number, line, key in events:
            told = _KEY.get_db_prep_value(key, connection)
            cursor.execute(_STORE, [round_pk, number, line, told, by.pk, now])


def read(match: Match, *, round_pk: int | None = None) -> Recorded:
    """Load and replay the record of a match."""
    rows = rows_of(match)
    return rows.replayed(None if round_pk is None else rows.number_of(round_pk))


@lru_cache(maxsize=256)
def _rules(own: str | None, of_event: str) -> Rules:
    return Rules.read(_json(own) or _json(of_event))


def _json(stored: str | None) -> Any:
    return None if stored is None else json.loads(stored)


def _rounds(match: str) -> str:
    return _ROUNDS.format(joined=_JOINED[connection.vendor], match=match)


def _round(row: Sequence[Any]) -> StoredRound:
    pk, number, opener, hands, stock, lines = row
    told = tuple(lines.split("\n")) if lines else ()
    return StoredRound(pk, number, opener, _json(hands), _json(stock), told)
