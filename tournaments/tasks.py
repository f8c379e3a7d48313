"""What a worker does after a change has been stored."""

from __future__ import annotations

from celery import shared_task

from tournaments.models import Stage, Tournament
from tournaments.services import ratings, standings


@shared_task
def rebuild_standings(stage_id: int) -> None:
    """Bring the standings of a stage up to date."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is not None:
        standings.rebuild_standings(stage)


@shared_task
def rebuild_ratings(tournament_id: int) -> None:
    """Bring the ratings of the players up to date with the tables of a tournament."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is not None:
        ratings.rebuild_ratings(tournament)
