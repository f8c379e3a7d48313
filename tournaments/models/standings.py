"""Standings and ratings, rebuilt from results."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q


class StandingRow(models.Model):
    """A row of a stage's standings, brought up to date after every result."""

    stage = models.ForeignKey(
        "tournaments.Stage", on_delete=models.CASCADE, related_name="standing_rows"
    )
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.CASCADE, related_name="standing_rows"
    )
    group = models.CharField(max_length=8, blank=True)
    order = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    played = models.PositiveSmallIntegerField(default=0)
    values = models.JSONField(default=dict)
    decided_by = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ("order",)
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="standing_once_per_entry"),
            models.CheckConstraint(
                condition=Q(place__lte=F("order")), name="standing_place_not_after_order"
            ),
        ]


class RatingChange(models.Model):
    """What a finished match did to the rating of a player."""

    player = models.ForeignKey(
        "tournaments.Player", on_delete=models.CASCADE, related_name="rating_changes"
    )
    match = models.ForeignKey(
        "tournaments.Match", on_delete=models.CASCADE, related_name="rating_changes"
    )
    mean_before = models.FloatField()
    deviation_before = models.FloatField()
    mean = models.FloatField()
    deviation = models.FloatField()

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=["player", "match"], name="rating_changes_once_a_match"),
        ]
