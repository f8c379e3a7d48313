"""Rebuilds the standings of a stage from the results at its tables."""

from __future__ import annotations

from tournaments.models import Stage


def rebuild_standings(stage: Stage) -> None:
    """Replace the rows of the stage's standings. Run twice or at once, the rows are the same."""
    raise NotImplementedError
