"""Takes back that an appeal was filed, withdrawn or decided."""

from __future__ import annotations

from collections.abc import Callable

from django.contrib.auth.models import User
from django.utils.translation import gettext_noop

from tournaments.errors import appeals as appeal_errors
from tournaments.errors import scores as score_errors
from tournaments.models import Appeal, LogEntry, Match
from tournaments.services import appeals

# Says what changes, as a sentence for errors.explain and what fills it.
Say = Callable[..., None]


def require_not_by_appeal(entry: LogEntry) -> None:
    """Refuse to take back alone what a decision on an appeal did to a result."""
    found = Appeal.objects.filter(effect_log=entry).first()
    if found is not None:
        raise appeal_errors.DecidedOnAppeal(number=found.number)


def unfiled(entry: LogEntry, say: Say, *, by: User) -> None:
    """Withdraw an appeal that was filed by mistake; its evidence stays."""
    appeal, match = _appeal(entry)
    appeals.require_open(appeal)
    say(
        gettext_noop("Appeal %(number)s about table %(table)s is withdrawn."),
        number=appeal.number,
        table=match.table,
    )
    appeals.close(appeal, Appeal.State.WITHDRAWN, appeal.fee_state, by=by)
    match.save(update_fields=["changed_at"])


def undecided_again(entry: LogEntry, say: Say) -> LogEntry | None:
    """Let an appeal wait for its decision again.

    Returns the line of the log that tells what the decision did to the result, to take back too.
    """
    appeal, match = _appeal(entry)
    acts = LogEntry.objects.filter(
        tournament=entry.tournament_id,
        act__in=("appeal_decided", "appeal_withdrawn"),
        details__appeal=appeal.number,
    )
    again = match.appeals.filter(entry=appeal.entry_id, state=Appeal.State.FILED)
    is_last = acts.order_by("-pk").values_list("pk", flat=True).first() == entry.pk
    if not is_last or appeal.state == Appeal.State.FILED or again.exists():
        raise score_errors.ChangedSince(table=match.table)
    line = appeal.effect_log
    say(
        gettext_noop("Appeal %(number)s about table %(table)s waits for its decision again."),
        number=appeal.number,
        table=match.table,
    )
    appeals.open_again(appeal, match)
    return line if line is not None and line.undone_by_id is None else None


def _appeal(entry: LogEntry) -> tuple[Appeal, Match]:
    found = entry.tournament.appeals.filter(number=entry.details.get("appeal")).first()
    if found is None:
        raise score_errors.ChangedSince(table=entry.details.get("table", "–"))
    return appeals.locked_appeal(found)
