"""Appeals: a side asks for a review of what happened at a table, with its evidence frozen."""

from __future__ import annotations

from uuid import uuid4

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _


class Appeal(models.Model):
    """One appeal about one match. While it is `filed`, the result there is under protest.

    `evidence` is what the table had when it was filed and never changes; `evidence_hash` is the
    SHA-256 of it, written as services.appeals.hash_of says. `changed` is what a decision did.
    """

    class State(models.TextChoices):
        FILED = "filed", _("Not decided yet")
        UPHELD = "upheld", _("Upheld")
        REJECTED = "rejected", _("Rejected")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    class Effect(models.TextChoices):
        NONE = "none", _("The result stands")
        CORRECTED = "corrected", _("The result is corrected")
        REPLAY = "replay", _("The match is played again")
        WALKOVER = "walkover", _("The match is won without play")

    class Fee(models.TextChoices):
        NONE = "", _("No fee")
        DEPOSITED = "deposited", _("Deposited")
        RETURNED = "returned", _("Returned")
        KEPT = "kept", _("Kept")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="appeals"
    )
    match = models.ForeignKey("tournaments.Match", on_delete=models.CASCADE, related_name="appeals")
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.PROTECT, related_name="appeals")
    number = models.PositiveIntegerField(_("number"))
    client_key = models.UUIDField(_("client key"), default=uuid4, unique=True)
    state = models.CharField(max_length=10, choices=State.choices, default=State.FILED)
    filed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    on_behalf_of = models.CharField(_("made by"), max_length=80, blank=True)
    filed_at = models.DateTimeField(default=timezone.now)
    late_reason = models.CharField(max_length=200, blank=True)
    grounds = models.TextField(_("grounds"))
    fee = models.CharField(_("fee"), max_length=40, blank=True)
    fee_state = models.CharField(max_length=10, choices=Fee.choices, default="", blank=True)
    evidence = models.JSONField(default=dict)
    evidence_hash = models.CharField(max_length=64)
    effect = models.CharField(max_length=10, choices=Effect.choices, default=Effect.NONE)
    reasons = models.TextField(_("reasons"), blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    changed = models.JSONField(default=dict, blank=True)
    effect_log = models.ForeignKey(
        "tournaments.LogEntry", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("appeal")
        verbose_name_plural = _("appeals")
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="appeal_number_once_per_event"
            ),
            models.UniqueConstraint(
                fields=["match", "entry"],
                condition=Q(state="filed"),
                name="one_open_appeal_a_side",
            ),
            models.CheckConstraint(
                condition=Q(state__in=["filed", "upheld", "rejected", "withdrawn"]),
                name="appeal_state_known",
            ),
            models.CheckConstraint(
                condition=Q(state="upheld") | Q(effect="none"), name="appeal_effect_if_upheld"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.tournament} / {self.number}"


class PanelMember(models.Model):
    """Somebody who decides an appeal; those with an account may write the decision down."""

    appeal = models.ForeignKey(Appeal, on_delete=models.CASCADE, related_name="panel")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    name = models.CharField(_("name"), max_length=80)

    class Meta:
        verbose_name = _("panel member")
        verbose_name_plural = _("panel members")
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(fields=["appeal", "name"], name="panel_name_once_an_appeal"),
        ]

    def __str__(self) -> str:
        return self.name
