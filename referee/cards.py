"""The warnings and cards a player has in an event by now, and what one more would make.

What is on the ledger stands here, and what the records say that is not on it yet: at the table
nobody waits until a table is closed and the ledger follows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import count

from django.db.models import Q

from engine.ladder import SEVERITIES, Held, Numbers, gravest, next_cards
from referee.models import Sanction
from referee.rows import records_of
from referee.sanction_sources import Found, found_in, in_record, key_of
from referee.sentences import kind_label
from tournaments.models import LONG_IN_ROUND, Match, Tournament


@dataclass(frozen=True, slots=True)
class Card:
    """A warning or a card: the round and table it was given at (0: at none), and what for."""

    severity: str
    ladder: str
    round: int
    table: int
    why: str


def cards_of(player: int, tournament: Tournament, *, but: int = 0) -> tuple[Card, ...]:
    """Return what a player has, the first first, leaving out table `but`.

    What has come to a further card, was dropped, taken back or corrected away, is none.
    """
    sat_at = Match.objects.filter(
        Q(seats__player=player) | Q(sanctions__player=player),
        pairing_round__stage__tournament=tournament,
    ).exclude(pk=but)
    tables = sat_at.select_related("pairing_round__stage__tournament").defer(*LONG_IN_ROUND)
    matches = {one.pk: one for one in tables.distinct()}
    rows = list(tournament.sanctions.filter(player=player).exclude(match=but).order_by("given_at"))
    known = {key_of(row) for row in rows}
    held = [
        _card(row.severity, row.ladder, matches.get(row.match_id or 0), row.kind)
        for row in rows
        if row.severity in SEVERITIES
        and row.counted_in_id is None
        and row.state != Sanction.State.DROPPED
    ]
    held += [
        _card(one.severity, one.ladder, matches[one.match], one.kind)
        for one in _found(tournament, matches)
        if one.player == player and one.severity in SEVERITIES and one.key not in known
    ]
    return tuple(sorted(held, key=lambda one: (one.round, one.table)))


def made_of(cards: Sequence[Card], numbers: Numbers) -> str:
    """Return the gravest card that several come to by the event's ladder; "" for none."""
    held = [Held(key, one.severity, one.ladder) for key, one in enumerate(cards)]
    fresh = count(len(held))
    while climbed := next_cards(held, numbers):
        used = {key for one in climbed for key in one.of}
        held = [one for one in held if one.key not in used]
        held += [Held(next(fresh), one.severity, one.ladder) for one in climbed]
    return gravest(one.severity for one in held)


def _found(tournament: Tournament, matches: dict[int, Match]) -> list[Found]:
    """Return what the tables stand for, those still in play by what their records say so far."""
    in_play = [one for one in matches.values() if one.state == Match.State.PLAYING]
    found = {one.key: one for one in found_in(tournament, list(matches))}
    for recorded in records_of(in_play).values() if in_play else ():
        found |= {one.key: one for one in in_record(tournament, recorded, 0)}
    return list(found.values())


def _card(severity: str, ladder: str, match: Match | None, kind: str) -> Card:
    at = (match.pairing_round.number, match.table) if match is not None else (0, 0)
    return Card(str(severity), str(ladder), *at, kind_label(kind))
