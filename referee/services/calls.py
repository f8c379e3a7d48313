"""A table calls a referee; referees claim the call, pass it on, close it."""

from __future__ import annotations

from typing import Final
from uuid import UUID

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext

from referee.errors.links import CallIsClaimed, CallIsOver, UnknownCall
from referee.errors.records import ReasonNeeded
from referee.models import TableCall
from referee.models.links import LONGEST_WORD
from referee.rows import read
from tournaments.errors.base import TextTooLong
from tournaments.models import Match
from tournaments.permissions import (
    TableGuest,
    Visitor,
    is_guest_of,
    may_record,
    require_referee,
)
from tournaments.services import results

# How many of the last lines of the record a call carries.
MOVES_CARRIED: Final = 12
Kind = TableCall.Kind


def may_call(user: Visitor, match: Match) -> bool:
    """Whether `user` may call a referee to a table: whoever records it or has a link of it."""
    return is_guest_of(user, match) or may_record(user, match)


@transaction.atomic
def call_referee(
    match: Match, *, kind: str, note: str = "", language: str, client_key: UUID, by: Visitor
) -> TableCall:
    """Call a referee to a table. A table has one open call; called again, it is the same one.

    The same `client_key` again answers with the call it made, even if that is closed by now.
    """
    if not may_call(by, match):
        raise PermissionDenied(gettext("Only those at this table may call a referee to it."))
    if kind not in Kind.values:
        raise UnknownCall(found=kind[:40], known=", ".join(Kind.values))
    note = _short(note)
    match = results.locked_match(match)
    sent = TableCall.objects.filter(match=match, client_key=client_key).first()
    known = sent or TableCall.objects.filter(match=match, closed_at=None).first()
    if known is not None:
        return known
    recorded = read(match)
    moves = list(recorded.rounds[-1].lines[-MOVES_CARRIED:]) if recorded.rounds else []
    call = TableCall.objects.create(
        match=match,
        kind=kind,
        note=note,
        language=language[:10],
        moves=moves,
        client_key=client_key,
        called_by=by if isinstance(by, User) else None,
        link_id=by.link if isinstance(by, TableGuest) else None,
    )
    match.save(update_fields=["changed_at"])
    keeper = by if isinstance(by, User | TableGuest) else None
    results.write_log(match, "referee_called", by=keeper, kind=kind, call=call.pk)
    return call


def _short(text: str) -> str:
    text = text.strip()
    if len(text) > LONGEST_WORD:
        raise TextTooLong(given=text[:20], found=len(text), limit=LONGEST_WORD)
    return text


def _open(call: TableCall, by: User) -> tuple[Match, TableCall]:
    """Lock the table of a call for a referee and return the call as it is now, still open."""
    require_referee(by, call.match.pairing_round.stage.tournament)
    match = results.locked_match(call.match)
    call = TableCall.objects.select_related("claimed_by").get(pk=call.pk)
    if call.closed_at is not None:
        raise CallIsOver(table=match.table)
    return match, call


@transaction.atomic
def claim(call: TableCall, *, by: User) -> TableCall:
    """Say that `by` goes to the table. Whoever did so before keeps it until it is passed on."""
    match, call = _open(call, by)
    if call.claimed_by == by:
        return call
    if call.claimed_by is not None and call.escalated_at is None:
        raise CallIsClaimed(table=match.table, who=call.claimed_by.username)
    call.claimed_by, call.claimed_at = by, timezone.now()
    call.save(update_fields=["claimed_by", "claimed_at"])
    match.save(update_fields=["changed_at"])
    results.write_log(match, "call_claimed", by=by, call=call.pk)
    return call


@transaction.atomic
def escalate(call: TableCall, *, by: User) -> TableCall:
    """Pass a call on to the director: it is marked, and anybody may claim it anew."""
    match, call = _open(call, by)
    if call.escalated_at is not None:
        return call
    call.escalated_at, call.claimed_by, call.claimed_at = timezone.now(), None, None
    call.save(update_fields=["escalated_at", "claimed_by", "claimed_at"])
    match.save(update_fields=["changed_at"])
    results.write_log(match, "call_escalated", by=by, call=call.pk)
    return call


@transaction.atomic
def close(call: TableCall, *, outcome: str, by: User) -> TableCall:
    """Close a call with what came of it. Closed twice with the same words, it is closed once."""
    outcome = _short(outcome)
    require_referee(by, call.match.pairing_round.stage.tournament)
    if not outcome:
        raise ReasonNeeded
    results.locked_match(call.match)
    now = TableCall.objects.get(pk=call.pk)
    if now.closed_at is not None and (now.outcome, now.closed_by) == (outcome, by):
        return now
    match, call = _open(call, by)
    call.closed_at, call.closed_by, call.outcome = timezone.now(), by, outcome
    call.save(update_fields=["closed_at", "closed_by", "outcome"])
    match.save(update_fields=["changed_at"])
    results.write_log(match, "call_closed", by=by, call=call.pk, outcome=outcome)
    return call
