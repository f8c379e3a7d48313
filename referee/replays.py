"""Lets an abandoned match be played again; its first record is kept in the log of the event."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from referee import queries
from referee.models import RoundRecord
from tournaments.models import Appeal, Match
from tournaments.permissions import require_director, require_may_decide
from tournaments.services import corrections, results


@transaction.atomic
def replay_match(match: Match, *, reason: str, appeal: Appeal | None = None, by: User) -> Match:
    """Void what was played at a table and let it start anew; a director's act, with its reason.

    One result counts: the new one. The old record is in the log, whole. With an `appeal` about
    this match, whoever decides that appeal does it.
    """
    if appeal is None:
        require_director(by, match.pairing_round.stage.tournament)
    else:
        require_may_decide(by, appeal)
    match = results.locked_match(match)
    records = RoundRecord.objects.filter(match=match)
    attempt = queries.document(match, by) if records.exists() else {}
    match = corrections.restart(match, reason=reason, attempt=attempt, appeal=appeal, by=by)
    records.delete()
    return match
