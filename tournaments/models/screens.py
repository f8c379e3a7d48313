"""The screens of a hall: what each of them shows now, and the address it is reached by."""

from __future__ import annotations

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

LONGEST_MESSAGE = 200
LONGEST_NAME = 40
SECONDS = (5, 60)
MOST_PARTS = 9


class Screen(models.Model):
    """A screen of an event, such as the projector in the hall.

    Whoever knows `key` sees it: the computer in the hall has no account. It is kept as it is, not
    as a digest, so that the desk can read it out again; it opens nothing but what the public may
    see, and the desk gives the screen another one at any time. Several screens share a long list:
    each shows its `part` of `parts`.
    """

    class Shows(models.TextChoices):
        TABLES = "tables", _("Pairings by table")
        NAMES = "names", _("Pairings by name")
        STANDINGS = "standings", _("Standings")
        CLOCK = "clock", _("Clock")
        BRACKET = "bracket", _("Bracket")
        CALLS = "calls", _("Calls")
        FEATURED = "featured", _("Featured table")
        MESSAGE = "message", _("Message")
        BLACK = "black", _("Black")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="screens"
    )
    name = models.CharField(_("name"), max_length=LONGEST_NAME)
    key = models.CharField(max_length=32, unique=True)
    shows = models.CharField(_("shows"), max_length=10, choices=Shows.choices, default=Shows.TABLES)
    stage = models.ForeignKey(
        "tournaments.Stage",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="+",
        verbose_name=_("stage"),
        help_text=_("Empty: the stage that is being played."),
    )
    table = models.PositiveIntegerField(_("table"), default=1, validators=[MinValueValidator(1)])
    message = models.CharField(_("message"), max_length=LONGEST_MESSAGE, blank=True)
    language = models.CharField(_("language"), max_length=10)
    second_language = models.CharField(_("second language, in turn"), max_length=10, blank=True)
    seconds = models.PositiveSmallIntegerField(
        _("seconds a page is shown"),
        default=10,
        validators=[MinValueValidator(SECONDS[0]), MaxValueValidator(SECONDS[1])],
    )
    part = models.PositiveSmallIntegerField(_("part"), default=1)
    parts = models.PositiveSmallIntegerField(_("parts"), default=1)
    is_light = models.BooleanField(_("dark letters on white"), default=False)
    rings = models.BooleanField(_("rings when the time is over"), default=False)

    class Meta:
        verbose_name = _("screen")
        verbose_name_plural = _("screens")
        ordering = ("pk",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "name"], name="screen_name_once_per_tournament"
            ),
            models.UniqueConstraint(
                fields=["tournament"], condition=Q(rings=True), name="one_screen_rings"
            ),
            models.CheckConstraint(
                condition=Q(
                    shows__in=[
                        "tables",
                        "names",
                        "standings",
                        "clock",
                        "bracket",
                        "calls",
                        "featured",
                        "message",
                        "black",
                    ]
                ),
                name="screen_shows_something_known",
            ),
            models.CheckConstraint(
                condition=Q(part__gte=1, part__lte=F("parts")), name="screen_part_is_one_of_parts"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages it is shown in, one after the other."""
        return tuple(one for one in (self.language, self.second_language) if one)
