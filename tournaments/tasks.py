"""What a worker does after a change has been stored."""

from __future__ import annotations

from celery import shared_task
from celery.exceptions import SoftTimeLimitExceeded
from django.contrib.auth.models import User

from tournaments import prepared
from tournaments.bell import ring
from tournaments.errors.adjusting import DrawTookTooLong
from tournaments.models import Stage, Tournament
from tournaments.services import asked_draws, ratings, standings


@shared_task
def rebuild_standings(stage_id: int) -> None:
    """Bring the standings of a stage up to date."""
    stage = Stage.objects.filter(pk=stage_id).first()
    if stage is not None:
        standings.rebuild_standings(stage)
        ring()


@shared_task
def rebuild_ratings(tournament_id: int) -> None:
    """Bring the ratings of the players up to date with the tables of a tournament."""
    tournament = Tournament.objects.filter(pk=tournament_id).first()
    if tournament is not None:
        ratings.rebuild_ratings(tournament)


@shared_task(soft_time_limit=asked_draws.SECONDS)
def draw_round(
    stage_id: int, number: int, user_id: int, reason: str = "", provisional: bool = False
) -> None:
    """Draw a round for a desk; what goes wrong, too long a search as well, stands on its page."""
    stage = Stage.objects.select_related("tournament").filter(pk=stage_id).first()
    user = User.objects.filter(pk=user_id, is_active=True).first()
    if stage is None or user is None:
        return
    try:
        asked_draws.draw_or_note(
            stage, number=number, reason=reason, provisional=provisional, by=user
        )
    except SoftTimeLimitExceeded:
        late = DrawTookTooLong(seconds=asked_draws.seconds_for(stage))
        asked_draws.note_failure(stage, number, late, by=user)


@shared_task
def set_print(key: str) -> None:
    """Set a long print as PDF for the page that waits for it."""
    prepared.set_asked(key)
