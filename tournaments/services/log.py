"""Writes down who did what at the desk."""

from __future__ import annotations

from django.utils.translation import override

from tournaments.models import LogEntry, Stage, Tournament
from tournaments.permissions import Keeper, TableGuest


def write(tournament: Tournament, act: str, *, by: Keeper | None, **details: object) -> LogEntry:
    """Add a line to the tournament's log, inside the change it tells of.

    A stage is told by its number and its name; one that was given no name by its system, so that
    each reader has it in their own language. A table link is told by its table and its number.
    """
    if isinstance(by, TableGuest):
        details |= {"by_table": by.table, "by_link": by.link}
        by = None
    stage = details.get("stage")
    if isinstance(stage, Stage):
        with override("en"):
            details["stage"] = str(stage.title)
        details.setdefault("stage_number", stage.number)
        if not stage.name:
            details["stage_system"] = str(stage.system)
    return LogEntry.objects.create(tournament=tournament, act=act, by=by, details=details)
