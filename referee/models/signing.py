"""How the two sides of a table accept its sheet."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Entry, Match

LONGEST_REASON = 500


class SidePin(models.Model):
    """The secret digits of an entry, hashed: whoever types them signs for its side.

    `failures` counts wrong digits since the last right ones; after too many of them nobody is
    asked before `locked_until`.
    """

    entry = models.OneToOneField(Entry, on_delete=models.CASCADE, related_name="sign_pin")
    digest = models.CharField(max_length=128)
    set_at = models.DateTimeField(default=timezone.now)
    set_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    failures = models.PositiveSmallIntegerField(default=0)
    locked_until = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("PIN of a side")
        verbose_name_plural = _("PINs of sides")


class Signature(models.Model):
    """One side's word on a sheet: accepted by a drawn name or by PIN, or not signed, and why.

    It covers `head`, what the chained record came to, and `result`, what each seat was to leave
    with. Rows are kept: a later signature of the side, or a match opened again, supersedes them.
    `strokes` are lists of x, y, x, y …, from 0 to 1000 across and 0 to 400 down.
    """

    class How(models.TextChoices):
        DRAWN = "drawn", _("Name drawn")
        PIN = "pin", _("By PIN")
        REFUSED = "refused", _("Refuses to sign")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="signatures")
    side = models.CharField(_("side"), max_length=2)
    how = models.CharField(max_length=10, choices=How.choices)
    strokes = models.JSONField(null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=LONGEST_REASON, blank=True)
    head = models.CharField(max_length=64)
    result = models.JSONField()
    code = models.CharField(_("control code"), max_length=16, db_index=True)
    signed_at = models.DateTimeField(default=timezone.now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    superseded_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("signature")
        verbose_name_plural = _("signatures")
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(
                condition=Q(how__in=["drawn", "pin", "refused"]), name="signature_how_known"
            ),
            models.UniqueConstraint(
                fields=["match", "side"],
                condition=Q(superseded_at__isnull=True),
                name="one_standing_signature_a_side",
            ),
        ]
