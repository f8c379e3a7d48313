"""How a table is reached without an account, who keeps its record, and whom it calls."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Match

LONGEST_DEVICE = 80
LONGEST_WORD = 500


class TableLink(models.Model):
    """A secret address that opens one match to whoever has it; only its digest is kept.

    `side` is the side that confirms, as in the record ("AC", "BD", or one seat). With
    `for_players` it is in the hands of players, who record and do not rule. Rows are kept: events
    name the link they came by.
    """

    class Scope(models.TextChoices):
        RECORD = "record", _("Records the table")
        CONFIRM = "confirm", _("Confirms the rounds of a side")
        READ = "read", _("Reads along")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="links")
    digest = models.CharField(max_length=64, unique=True)
    scope = models.CharField(max_length=10, choices=Scope.choices)
    side = models.CharField(max_length=2, blank=True)
    for_players = models.BooleanField(default=False)
    made_at = models.DateTimeField(default=timezone.now)
    made_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("table link")
        verbose_name_plural = _("table links")
        ordering = ("pk",)
        constraints = [
            models.CheckConstraint(
                condition=Q(scope__in=["record", "read"], side="")
                | (Q(scope="confirm") & ~Q(side="")),
                name="table_link_scope_known",
            ),
        ]


class TableHolder(models.Model):
    """The one device that keeps the record of a match; without a row none does yet.

    The part of `device` before the dot is its name, which others may know; the rest is its
    secret.
    """

    match = models.OneToOneField(Match, on_delete=models.CASCADE, related_name="holder")
    device = models.CharField(max_length=LONGEST_DEVICE)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(TableLink, null=True, on_delete=models.SET_NULL, related_name="+")
    since = models.DateTimeField(default=timezone.now)
    seen_at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name = _("holder of a table")
        verbose_name_plural = _("holders of tables")


class RoundConfirmation(models.Model):
    """What a side says of a finished round: that it is right, or what is wrong with it.

    It covers `head`, what the round's chained record came to; a round changed since is to be
    confirmed again. A dispute stays until a referee settles it.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="confirmations")
    round = models.PositiveSmallIntegerField(_("round"))
    side = models.CharField(max_length=2)
    head = models.CharField(max_length=64)
    agrees = models.BooleanField()
    word = models.CharField(_("what is wrong"), max_length=LONGEST_WORD, blank=True)
    said_at = models.DateTimeField(default=timezone.now)
    said_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(TableLink, null=True, on_delete=models.SET_NULL, related_name="+")
    settled_at = models.DateTimeField(null=True, blank=True)
    settled_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    settlement = models.CharField(max_length=LONGEST_WORD, blank=True)

    class Meta:
        verbose_name = _("confirmation of a round")
        verbose_name_plural = _("confirmations of rounds")
        ordering = ("round", "pk")


class TableCall(models.Model):
    """A table asks for a referee. `moves` are the last lines of its record at that moment."""

    class Kind(models.TextChoices):
        RULING = "ruling", _("A ruling is needed")
        COUNT = "count", _("The points are disputed")
        CONDUCT = "conduct", _("Conduct at the table")
        RECORD = "record", _("Help with the record")
        OTHER = "other", _("Something else")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="calls")
    kind = models.CharField(_("what about"), max_length=10, choices=Kind.choices)
    language = models.CharField(max_length=10)
    note = models.CharField(_("note"), max_length=LONGEST_WORD, blank=True)
    moves = models.JSONField(default=list)
    client_key = models.UUIDField(unique=True)
    called_at = models.DateTimeField(default=timezone.now)
    called_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    link = models.ForeignKey(TableLink, null=True, on_delete=models.SET_NULL, related_name="+")
    claimed_at = models.DateTimeField(null=True, blank=True)
    claimed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    escalated_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    closed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    outcome = models.CharField(_("what came of it"), max_length=LONGEST_WORD, blank=True)

    class Meta:
        verbose_name = _("referee call")
        verbose_name_plural = _("referee calls")
        ordering = ("called_at", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(closed_at__isnull=True), name="one_open_call_a_table"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["ruling", "count", "conduct", "record", "other"]),
                name="call_kind_known",
            ),
        ]
