"""Who is registered for a tournament."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _


class Entry(models.Model):
    """Who is registered: a player, a fixed pair or a team, with a seed.

    `full_name` is filled where `name`, which everybody may read, has the shortened name of a minor.
    """

    class Kind(models.TextChoices):
        SINGLE = "single", _("Single player")
        PAIR = "pair", _("Pair")
        TEAM = "team", _("Team")

    class State(models.TextChoices):
        WAITING = "waiting", _("On the waiting list")
        REGISTERED = "registered", _("Registered")
        WITHDRAWN = "withdrawn", _("Withdrawn")
        DISQUALIFIED = "disqualified", _("Disqualified")

    # Who plays no further round.
    LEFT = (State.WITHDRAWN, State.DISQUALIFIED)

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="entries"
    )
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=250)
    full_name = models.CharField(
        _("name with the full names of minors"), max_length=250, blank=True
    )
    seed = models.PositiveIntegerField(_("seed"))
    club = models.ForeignKey(
        "tournaments.Club", null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.REGISTERED)
    registered_at = models.DateTimeField(auto_now_add=True)
    category = models.CharField(_("category"), max_length=40, blank=True)
    paid = models.BooleanField(_("fee paid"), default=False)
    checked_in_at = models.DateTimeField(_("checked in"), null=True, blank=True)
    check_in_code = models.CharField(max_length=32, blank=True, editable=False)
    fixed_table = models.PositiveIntegerField(_("fixed table"), null=True, blank=True)

    class Meta:
        verbose_name = _("entry")
        verbose_name_plural = _("entries")
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="entry_number_once_per_tournament"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["single", "pair", "team"]), name="entry_kind_known"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["waiting", "registered", "withdrawn", "disqualified"]),
                name="entry_state_known",
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        if self._short and self.name == self.full_name:
            self.name, self._short = self._short, ""
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    # The name everybody may read, kept while the full one stands in its place to be shown.
    _short = ""

    def show_in_full(self) -> None:
        """Put the name with the full names of minors in its place, in a row that is only shown."""
        if self.full_name and not self._short:
            self._short, self.name = self.name, self.full_name

    @property
    def known_name(self) -> str:
        """The name for officials."""
        return self.full_name or self.name


class EntryPlayer(models.Model):
    """A player of an entry; `tournament` is repeated so that nobody enters twice."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="+"
    )
    player = models.ForeignKey(
        "tournaments.Player", on_delete=models.PROTECT, related_name="memberships"
    )
    position = models.PositiveSmallIntegerField()
    on_bench = models.BooleanField(_("substitute"), default=False)

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], name="player_enters_a_tournament_once"
            ),
            models.UniqueConstraint(fields=["entry", "position"], name="entry_position_once"),
        ]
