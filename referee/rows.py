"""Loads the record of a match in as few statements as possible.

An event is stored between two moves at the table, so what is read to check it is written as
plain SQL that SQLite and PostgreSQL share.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import Any, Final
from uuid import UUID

from django.contrib.auth.models import User
from django.db import connection
from django.utils import timezone

from engine.profiles import Rules
from referee.models import RecordedEvent, RoundRecord
from referee.recorded import Facts, Recorded, Rows, Sitting, StoredRound
from tournaments.models import Match
from tournaments.permissions import require_duty_at
from tournaments.rules import rules_of

_SEATS: Final = """
    SELECT s.seat, p.name, s.player_id, s.entry_id, e.name, s.substitute
      FROM tournaments_matchseat s
      JOIN tournaments_player p ON p.id = s.player_id
      JOIN tournaments_entry e ON e.id = s.entry_id
     WHERE s.match_id = %s
  ORDER BY s.seat
"""
_EVENTS: Final = """
    SELECT r.id, r.number, r.opener, r.hands, r.stock, e.notation
      FROM referee_roundrecord r
 LEFT JOIN referee_recordedevent e ON e.round_id = r.id
     WHERE r.match_id = %s
  ORDER BY r.number, e.number
"""
# The match of a round, with who sits there and the duties of whoever asks (one row for each
# seat and duty). The row of the match is locked until the change is stored.
_TABLE: Final = """
    SELECT m.id, m."table", m.state, m.rules, m.score, t.rules, t.entry_kind, o.duty, o."table",
           s.seat, p.name, s.player_id, s.entry_id, e.name, s.substitute
      FROM referee_roundrecord r
      JOIN tournaments_match m ON m.id = r.match_id
      JOIN tournaments_pairinground g ON g.id = m.pairing_round_id
      JOIN tournaments_stage a ON a.id = g.stage_id
      JOIN tournaments_tournament t ON t.id = a.tournament_id
      JOIN tournaments_matchseat s ON s.match_id = m.id
      JOIN tournaments_player p ON p.id = s.player_id
      JOIN tournaments_entry e ON e.id = s.entry_id
 LEFT JOIN tournaments_official o ON o.tournament_id = t.id AND o.user_id = %s
     WHERE r.id = %s
  ORDER BY s.seat
"""
_LOCK: Final = " FOR UPDATE OF m"
_STORE: Final = """
    INSERT INTO referee_recordedevent
           (round_id, number, notation, client_key, recorded_by_id, recorded_at)
    VALUES (%s, %s, %s, %s, %s, %s)
"""
_TOUCH: Final = "UPDATE tournaments_match SET changed_at = %s WHERE id = %s"
_KEY: Final = RecordedEvent._meta.get_field("client_key")


def _selected(statement: str, *asked: int) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, asked)
        found: list[tuple[Any, ...]] = cursor.fetchall()
    return found


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
    sittings = tuple(Sitting(*row) for row in _selected(_SEATS, match.pk))
    return Rows(facts, sittings, _rounds(match.pk))


def locked_rows(round_pk: int, *, by: User) -> Rows:
    """Lock the match of a round for `by`, who must be allowed to record it, and load its record."""
    lock = _LOCK if connection.features.has_select_for_update_of else ""
    found = _selected(_TABLE + lock, by.pk, round_pk)
    if not found:
        raise RoundRecord.DoesNotExist
    pk, table, state, own_rules, score, rules, entry_kind = found[0][:7]
    require_duty_at(by, table=table, duties=[row[7:9] for row in found if row[7]])
    facts = Facts(
        pk=pk,
        table=table,
        state=state,
        entry_kind=entry_kind,
        rules=Rules.read(_json(own_rules) or _json(rules)),
        score=_json(score),
    )
    sittings = {row[9]: Sitting(*row[9:]) for row in found}
    return Rows(facts, tuple(sittings.values()), _rounds(pk))


def store(round_pk: int, events: Iterable[tuple[int, str, UUID]], *, by: User) -> None:
    """Add events to a round: each with its number, its line and its key."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        for number, line, key in events:
            told = _KEY.get_db_prep_value(key, connection)
            cursor.execute(_STORE, (round_pk, number, line, told, by.pk, now))


def touch(match_pk: int) -> None:
    """Say that the match has changed, to whoever reads along."""
    now = connection.ops.adapt_datetimefield_value(timezone.now())
    with connection.cursor() as cursor:
        cursor.execute(_TOUCH, (now, match_pk))


def read(match: Match, *, round_pk: int | None = None) -> Recorded:
    """Load and replay the record of a match."""
    rows = rows_of(match)
    return rows.replayed(None if round_pk is None else rows.number_of(round_pk))


def _json(stored: str | None) -> Any:
    return None if stored is None else json.loads(stored)


def _rounds(match_pk: int) -> tuple[StoredRound, ...]:
    return tuple(_grouped(_selected(_EVENTS, match_pk)))


def _grouped(rows: Sequence[tuple[Any, ...]]) -> Iterable[StoredRound]:
    """Yield a round for each run of rows of the same round."""
    start = 0
    for place, row in enumerate(rows, 1):
        if place < len(rows) and rows[place][0] == row[0]:
            continue
        pk, number, opener, hands, stock, _ = row
        lines = tuple(one[5] for one in rows[start:place] if one[5] is not None)
        yield StoredRound(pk, number, opener, _json(hands), _json(stock), lines)
        start = place
