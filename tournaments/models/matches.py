"""Tables of a pairing round: who sits there and what they leave with."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

LONGEST_SUBSTITUTE = 80
# What is long in the round of a match, and seldom asked for at its table: leave it unread.
LONG_IN_ROUND = ("pairing_round__draw", "pairing_round__standings")


class Match(models.Model):
    """One meeting at a table. Its row is the lock for everything that happens there."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Not started")
        PLAYING = "playing", _("Being played")
        CLOSED = "closed", _("Closed")

    pairing_round = models.ForeignKey(
        "tournaments.PairingRound", on_delete=models.CASCADE, related_name="matches"
    )
    table = models.PositiveIntegerField(_("table"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    rules = models.JSONField(
        null=True, blank=True, help_text=_("Rules of this table where they differ.")
    )
    score = models.JSONField(
        default=dict, blank=True, help_text=_("Running points per side, for the list of tables.")
    )
    group = models.CharField(_("group"), max_length=8, blank=True)
    meeting = models.CharField(
        max_length=12, blank=True, help_text=_("The meeting of the bracket that is played here.")
    )
    game = models.PositiveSmallIntegerField(_("game of the meeting"), default=1)
    is_locked = models.BooleanField(_("locked by hand"), default=False)
    extra_seconds = models.PositiveIntegerField(_("extra time in seconds"), default=0)
    opened_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    changed_at = models.DateTimeField(auto_now=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        ordering = ("table",)
        constraints = [
            models.UniqueConstraint(
                fields=["pairing_round", "table"], name="match_table_once_per_pairing_round"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "playing", "closed"]), name="match_state_known"
            ),
            models.CheckConstraint(condition=Q(table__gte=1), name="match_table_from_one"),
        ]

    def __str__(self) -> str:
        return f"{self.pairing_round} / {self.table}"


class MatchSeat(models.Model):
    """Who sat where, and what they left with. A ruling can set partners apart."""

    class Outcome(models.TextChoices):
        WIN = "win", _("Won")
        LOSS = "loss", _("Lost")
        TIE = "tie", _("Level")
        WALKOVER_WIN = "walkover_win", _("Won, opponent absent")
        WALKOVER_LOSS = "walkover_loss", _("Lost, absent")

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="seats")
    pairing_round = models.ForeignKey(
        "tournaments.PairingRound", on_delete=models.CASCADE, related_name="+"
    )
    seat = models.CharField(_("seat"), max_length=1)
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.PROTECT, related_name="seats")
    player = models.ForeignKey("tournaments.Player", on_delete=models.PROTECT, related_name="seats")
    substitute = models.CharField(_("substitute"), max_length=LONGEST_SUBSTITUTE, blank=True)
    outcome = models.CharField(max_length=15, choices=Outcome.choices, blank=True)
    points_for = models.IntegerField(null=True, blank=True)
    points_against = models.IntegerField(null=True, blank=True)
    deducted = models.PositiveIntegerField(default=0)
    rounds_won = models.PositiveSmallIntegerField(default=0)
    called_at = models.DateTimeField(
        _("called to the table at"),
        null=True,
        blank=True,
        help_text=_("Counts until the table plays."),
    )

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ("seat",)
        constraints = [
            models.UniqueConstraint(fields=["match", "seat"], name="seat_once_per_match"),
            models.UniqueConstraint(
                fields=["pairing_round", "player"], name="player_sits_once_per_pairing_round"
            ),
            models.CheckConstraint(
                condition=Q(seat__in=["A", "B", "C", "D"]), name="seat_is_a_to_d"
            ),
            models.CheckConstraint(
                condition=Q(outcome="", points_for__isnull=True, points_against__isnull=True)
                | Q(points_for__isnull=False, points_against__isnull=False) & ~Q(outcome=""),
                name="seat_result_whole_or_absent",
            ),
        ]


class ReportedResult(models.Model):
    """A result somebody handed in that counts only once a second person has confirmed it."""

    match = models.ForeignKey(Match, on_delete=models.CASCADE, related_name="reported")
    seats = models.JSONField(help_text=_("What each seat would leave with."))
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(auto_now_add=True)
    accepted = models.BooleanField(null=True, help_text=_("Empty while nobody has decided."))

    class Meta:
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["match"], condition=Q(accepted__isnull=True), name="one_open_report_a_match"
            ),
        ]
