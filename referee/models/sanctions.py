"""The ledger of an event: warnings and cards of everybody who is accredited there."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from engine.ladder import SEVERITIES
from tournaments.models import LogEntry, Match, Player, Tournament

LONGEST_NAME = 120
LONGEST_NOTE = 500


class Sanction(models.Model):
    """One warning or card, proposed by the system or given by hand, then confirmed or dropped.

    A sanction from a record names its infraction by `match`, `attempt` (how often the match had
    been played again), `round` and `event` (from 0, as in the record), so that it is there once
    however often the record is read. `counted_in` is the card this one and others came to.
    """

    class Function(models.TextChoices):
        PLAYER = "player", _("Player")
        OFFICIAL = "official", _("Official")
        CAPTAIN = "captain", _("Captain")
        COACH = "coach", _("Coach")
        SPECTATOR = "spectator", _("Spectator")
        OTHER = "other", _("Other accredited person")

    class Ladder(models.TextChoices):
        PLAY = "play", _("Play")
        DISCIPLINE = "discipline", _("Discipline")

    class Severity(models.TextChoices):
        WARNING = "warning", _("Warning")
        YELLOW = "yellow", _("Yellow card")
        RED = "red", _("Red card")
        BLACK = "black", _("Black card")
        MATCH = "match", _("Match lost")

    class Source(models.TextChoices):
        RECORD = "record", _("From the record")
        ABSENCE = "absence", _("Did not appear")
        LADDER = "ladder", _("By the ladder of cards")
        HAND = "hand", _("Given by hand")

    class State(models.TextChoices):
        PROPOSED = "proposed", _("Proposed")
        CONFIRMED = "confirmed", _("Confirmed")
        DROPPED = "dropped", _("Dropped")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="sanctions")
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.CASCADE, related_name="sanctions"
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME, blank=True)
    function = models.CharField(_("function"), max_length=10, choices=Function.choices)
    kind = models.CharField(_("kind"), max_length=40, blank=True)
    ladder = models.CharField(_("counted as"), max_length=10, choices=Ladder.choices)
    severity = models.CharField(_("sanction"), max_length=10, choices=Severity.choices)
    source = models.CharField(max_length=10, choices=Source.choices)
    match = models.ForeignKey(
        Match, null=True, blank=True, on_delete=models.SET_NULL, related_name="sanctions"
    )
    attempt = models.PositiveSmallIntegerField(default=0)
    round = models.PositiveSmallIntegerField(null=True, blank=True)
    event = models.PositiveIntegerField(null=True, blank=True)
    in_record = models.BooleanField(
        default=False, help_text=_("The record itself lets the match be lost.")
    )
    counted_in = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="made_of"
    )
    note = models.CharField(_("note"), max_length=LONGEST_NOTE, blank=True)
    client_key = models.UUIDField(null=True, blank=True)
    given_at = models.DateTimeField(default=timezone.now)
    state = models.CharField(max_length=10, choices=State.choices, default=State.PROPOSED)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    decided_at = models.DateTimeField(null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=LONGEST_NOTE, blank=True)
    asks = models.BooleanField(
        default=False, help_text=_("Confirmed, but what it stood on is gone: somebody decides.")
    )
    stands = models.BooleanField(
        default=False, help_text=_("Kept by decision although what it stood on is gone.")
    )
    effect_log = models.ForeignKey(
        LogEntry, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )

    class Meta:
        verbose_name = _("sanction")
        verbose_name_plural = _("sanctions")
        ordering = ("given_at", "pk")
        constraints = [
            models.CheckConstraint(
                condition=Q(severity__in=[*SEVERITIES, "match"]), name="sanction_severity_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["proposed", "confirmed", "dropped"]),
                name="sanction_state_known",
            ),
            models.CheckConstraint(
                condition=Q(source__in=["record", "absence", "ladder", "hand"]),
                name="sanction_source_known",
            ),
            models.CheckConstraint(
                condition=Q(ladder__in=["play", "discipline"]), name="sanction_ladder_known"
            ),
            # A player is known by the account of the event, everybody else by name and function.
            models.CheckConstraint(
                condition=Q(player__isnull=False, name="", function="player")
                | (Q(player__isnull=True) & ~Q(name="") & ~Q(function="player")),
                name="sanction_of_somebody",
            ),
            models.UniqueConstraint(
                fields=["match", "attempt", "round", "event", "player", "kind", "severity"],
                condition=Q(source="record"),
                name="sanction_once_per_infraction",
            ),
            models.UniqueConstraint(
                fields=["match", "attempt", "player"],
                condition=Q(source="absence"),
                name="sanction_once_per_absence",
            ),
            models.UniqueConstraint(fields=["client_key"], name="sanction_client_key_once"),
        ]
        indexes = [
            models.Index(fields=["tournament", "player"], name="sanctions_of_a_player"),
        ]
