"""Writes down who did what at the desk."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.utils.translation import override

from tournaments.models import LogEntry, Stage, Tournament


def write(tournament: Tournament, act: str, *, by: User | None, **details: object) -> LogEntry:
    """Add a line to the tournament's log, inside the change it tells of.

    A stage is told by its number and its name; one that was given no name by its system, so that
    each reader has it in their own language.
    """
    stage = details.get("stage")
    if isinstance(stage, Stage):
        with override("en"):
            details["stage"] = str(stage.title)
        details.setdefault("stage_number", stage.number)
        if not stage.name:
            details["stage_system"] = str(stage.system)
    return LogEntry.objects.create(tournament=tournament, act=act, by=by, details=details)
