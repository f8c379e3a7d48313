"""What the director of an event hands out beside its pages: invitations, schedules, maps."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

LONGEST_TITLE = 120
LONGEST_LINK = 500
LARGEST_FILE = 2 * 2**20


class EventDocument(models.Model):
    """A PDF file, or a link to a page elsewhere. The file is kept here: it is small."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="documents"
    )
    title = models.CharField(_("title"), max_length=LONGEST_TITLE)
    link = models.CharField(_("link"), max_length=LONGEST_LINK, blank=True)
    content = models.BinaryField(null=True, blank=True)
    size = models.PositiveIntegerField(default=0)
    digest = models.CharField(max_length=64, blank=True)
    added_at = models.DateTimeField(default=timezone.now)
    added_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("document")
        verbose_name_plural = _("documents")
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "title"], name="document_title_once_per_tournament"
            ),
            models.CheckConstraint(
                condition=Q(link="", size__gt=0, content__isnull=False)
                | ~Q(link="") & Q(size=0, content__isnull=True),
                name="document_is_a_file_or_a_link",
            ),
        ]

    def __str__(self) -> str:
        return self.title
