"""The record of a match as it was written at the table."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from tournaments.models import Match


class RoundRecord(models.Model):
    """One round (deal) of a match: who opened, and the hands where they are known.

    `number` counts from 0, as in the record format. `hands` and `stock` are kept in that
    format (seat to list of tiles; list of tiles). The rest chains the record; see `referee.chain`.
    """

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="records")
    number = models.PositiveSmallIntegerField(_("number"))
    opener = models.CharField(_("opener"), max_length=1, blank=True)
    hands = models.JSONField(null=True, blank=True)
    stock = models.JSONField(null=True, blank=True)
    started_at = models.DateTimeField(default=timezone.now)
    origin = models.CharField(
        max_length=100, blank=True, help_text=_("Which match the record begins with: round 0 only.")
    )
    follows = models.PositiveIntegerField(
        default=0, help_text=_("How many events the round before had when this one was opened.")
    )
    former = models.JSONField(
        default=list,
        blank=True,
        help_text=_("How the round was opened before, where events stand from then."),
    )
    chain = models.CharField(max_length=64, default="", help_text=_("The link of the opening."))
    head = models.CharField(max_length=64, default="", help_text=_("The link of what came last."))
    length = models.PositiveIntegerField(default=0, help_text=_("How many events were recorded."))

    class Meta:
        verbose_name = _("round")
        verbose_name_plural = _("rounds")
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="round_number_once_per_match"),
            models.CheckConstraint(
                condition=Q(opener__in=["", "A", "B", "C", "D"]), name="round_opener_is_a_to_d"
            ),
        ]


class RecordedEvent(models.Model):
    """One event of a round, as one line of notation. Rows are added, never changed.

    `number` is the event's place in the record, from 0. `client_key` is chosen by the device
    that sent it: the same key sent again stores nothing and answers the same. `chain` is its
    link, see `referee.chain`; `recorder` is the number of the account that recorded it, which
    stays when the account is deleted; below zero it is that of the table link. `recorded_at` is
    when it was recorded at the table, also where a device sent it later. The database refuses to
    change or delete a row.
    """

    round = models.ForeignKey(RoundRecord, on_delete=models.CASCADE, related_name="events")
    number = models.PositiveIntegerField(_("number"))
    notation = models.TextField(_("notation"))
    client_key = models.UUIDField(_("client key"))
    recorded_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    recorded_at = models.DateTimeField(default=timezone.now)
    recorder = models.BigIntegerField(null=True)
    chain = models.CharField(max_length=64, default="")

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="event_number_once_per_round"),
            models.UniqueConstraint(fields=["client_key"], name="event_client_key_once"),
        ]
