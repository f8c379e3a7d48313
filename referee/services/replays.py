"""Lets an abandoned match be played again; its first record is kept in the log of the event."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from referee.models import RecordedEvent, RoundRecord, Signature
from referee.queries import records as queries
from referee.services.signing import supersede
from tournaments.models import Appeal, Match
from tournaments.permissions import require_director, require_may_decide
from tournaments.services import corrections, followers, results, watches
from tournaments.services.erasing import allow_erasing
from tournaments.services.traces import Watching, traced


def _watched(match: Match, **_: object) -> Watching:
    """Watch the table and its whole record, so that the replay can be taken back."""
    events = RecordedEvent.objects.filter(round__match=match)
    signatures = Signature.objects.filter(match=match)
    return [*watches.table(match), RoundRecord.objects.filter(match=match), events, signatures]


@transaction.atomic
@traced(_watched)
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
    supersede(match)
    with allow_erasing(f"match {match.pk} is played again; its record is in the log"):
        records.delete()
    followers.tables_changed(match.pairing_round.stage.tournament, [match.pk], by=by)
    return match
