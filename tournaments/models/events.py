"""Tournaments, their officials, rooms, and the log of the desk."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Tournament(models.Model):
    """One event: where and when it is played, and under which frozen rules."""

    class State(models.TextChoices):
        DRAFT = "draft", _("In preparation")
        OPEN = "open", _("Registration open")
        RUNNING = "running", _("Running")
        FINISHED = "finished", _("Finished")

    name = models.CharField(_("name"), max_length=120)
    slug = models.SlugField(_("address"), max_length=80, unique=True)
    venue = models.CharField(_("venue"), max_length=120, blank=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    time_zone = models.CharField(_("time zone"), max_length=64, default="UTC")
    starts_on = models.DateField(_("first day"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    entry_kind = models.CharField(_("who enters"), max_length=10, default="pair")
    players_per_table = models.PositiveSmallIntegerField(_("players at a table"), default=4)
    rules = models.JSONField(_("rules"), help_text=_("Frozen profile, target and options."))
    policies = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("What absences and byes score, and how the desk works."),
    )
    entries_open_at = models.DateTimeField(_("registration opens"), null=True, blank=True)
    entries_close_at = models.DateTimeField(_("registration closes"), null=True, blank=True)
    most_entries = models.PositiveIntegerField(_("most entries"), null=True, blank=True)
    is_private = models.BooleanField(_("only for its officials"), default=False)
    created_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="tournaments_created"
    )
    created_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name = _("tournament")
        verbose_name_plural = _("tournaments")
        ordering = ("-starts_on", "name")
        constraints = [
            models.CheckConstraint(
                condition=Q(state__in=["draft", "open", "running", "finished"]),
                name="tournament_state_known",
            ),
            models.CheckConstraint(
                condition=Q(entry_kind__in=["single", "pair", "team"]),
                name="tournament_entry_kind_known",
            ),
            models.CheckConstraint(
                condition=Q(players_per_table__gte=2, players_per_table__lte=4),
                name="tournament_two_to_four_at_a_table",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class Official(models.Model):
    """A duty somebody has at a tournament. A scorer has it at one table or at all."""

    class Duty(models.TextChoices):
        DIRECTOR = "director", _("Director")
        REFEREE = "referee", _("Referee")
        SCORER = "scorer", _("Scorer")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="officials")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="duties"
    )
    duty = models.CharField(_("duty"), max_length=10, choices=Duty.choices)
    table = models.PositiveIntegerField(_("table"), null=True, blank=True)

    class Meta:
        verbose_name = _("official")
        verbose_name_plural = _("officials")
        constraints = [
            # Two constraints, because SQLite holds two missing tables for different ones.
            models.UniqueConstraint(
                fields=["tournament", "user", "duty"],
                condition=Q(table__isnull=True),
                name="official_duty_once",
            ),
            models.UniqueConstraint(
                fields=["tournament", "user", "duty", "table"], name="official_duty_once_per_table"
            ),
            models.CheckConstraint(
                condition=Q(duty="scorer") | Q(table__isnull=True),
                name="official_table_for_scorers_only",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user} ({self.get_duty_display()})"


class Room(models.Model):
    """A room of the venue with its range of tables."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="rooms")
    name = models.CharField(_("name"), max_length=80)
    first_table = models.PositiveIntegerField(_("first table"))
    last_table = models.PositiveIntegerField(_("last table"))

    class Meta:
        verbose_name = _("room")
        verbose_name_plural = _("rooms")
        ordering = ("first_table",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "name"], name="room_name_once_per_tournament"
            ),
            models.CheckConstraint(
                condition=Q(first_table__gte=1, last_table__gte=F("first_table")),
                name="room_has_tables",
            ),
        ]

    def __str__(self) -> str:
        return self.name


class LogEntry(models.Model):
    """Who did what at the desk, and when."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    act = models.CharField(max_length=40)
    details = models.JSONField(default=dict)
    undone_by = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.SET_NULL, related_name="undoes"
    )

    class Meta:
        ordering = ("-at", "-pk")
