"""Writes down who did what at the desk."""

from __future__ import annotations

from django.contrib.auth.models import User

from tournaments.models import LogEntry, Tournament


def write(tournament: Tournament, act: str, *, by: User | None, **details: object) -> LogEntry:
    """Add a line to the tournament's log, inside the change it tells of."""
    return LogEntry.objects.create(tournament=tournament, act=act, by=by, details=details)
