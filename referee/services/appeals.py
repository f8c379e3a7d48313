"""Appeals about a recorded match: its events are frozen with it, a replay takes them away."""

from __future__ import annotations

from typing import Any

from django.contrib.auth.models import User

from engine.notation import format_record
from referee.models import RoundRecord
from referee.rows import read
from referee.services import replays
from tournaments.models import Appeal, Match
from tournaments.services import appeal_decisions, appeals
from tournaments.services.appeal_decisions import Verdict


def file_appeal(match: Match, *, by: User, **said: Any) -> Appeal:
    """File an appeal with the record of the match; see services.appeals.file_appeal."""
    return appeals.file_appeal(match, **said, read_record=record_of, by=by)


def decide_appeal(appeal: Appeal, verdict: Verdict, *, by: User) -> Appeal:
    """Decide an appeal; a match that is played again loses its record to the log."""
    return appeal_decisions.decide_appeal(appeal, verdict, replay=replays.replay_match, by=by)


def preview(appeal: Appeal, verdict: Verdict, *, by: User) -> Appeal:
    """Return what a decision would leave behind, changing nothing."""
    return appeal_decisions.preview(appeal, verdict, replay=replays.replay_match, by=by)


def record_of(match: Match) -> dict[str, object]:
    """Return everything written at a table: each event as it is stored, and all in notation.

    Empty where nobody kept a record.
    """
    rounds = RoundRecord.objects.filter(match=match).order_by("number").prefetch_related("events")
    written = [
        {
            "number": one.number,
            "opener": one.opener,
            "hands": one.hands,
            "stock": one.stock,
            "started_at": one.started_at.isoformat(),
            "events": [
                {
                    "number": event.number,
                    "notation": event.notation,
                    "recorded_at": event.recorded_at.isoformat(),
                }
                for event in one.events.all()
            ],
        }
        for one in rounds
    ]
    if not written:
        return {}
    return {"rounds": written, "lines": format_record(read(match).record)}
