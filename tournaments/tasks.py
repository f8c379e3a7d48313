"""What a worker does after a change has been stored."""

from __future__ import annotations

from celery import shared_task

from tournaments.models import Stage
from tournaments.services import standings


@shared_task
def rebuild_standings(stage_id: int) -> None:
    """Bring the standings of a stage up to date."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is not None:
        standings.rebuild_standings(stage)
