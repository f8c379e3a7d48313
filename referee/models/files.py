"""Event files that are kept with their event."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.models import Tournament


class KeptFile(models.Model):
    """The file of an event that is kept with it: sent to be restored, or what a restore replaced.

    `content` is compressed; `digest` is the SHA-256 of the file itself.
    """

    class Why(models.TextChoices):
        SENT = "sent", _("Sent to be restored")
        REPLACED = "replaced", _("Replaced by a restore")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="kept_files")
    why = models.CharField(max_length=10, choices=Why.choices)
    made_at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    content = models.BinaryField()
    digest = models.CharField(max_length=64)
    size = models.PositiveIntegerField(_("size in bytes"))

    class Meta:
        verbose_name = _("kept file of an event")
        verbose_name_plural = _("kept files of events")
        ordering = ("-pk",)
        constraints = [
            models.CheckConstraint(
                condition=Q(why__in=["sent", "replaced"]), name="kept_file_why_known"
            ),
            models.UniqueConstraint(
                fields=["tournament", "digest"],
                condition=Q(why="sent"),
                name="sent_file_once_an_event",
            ),
        ]
