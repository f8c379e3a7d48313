"""People and clubs, known beyond one tournament."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from tournaments.names import folded, shortened
from tournaments.sounds import LONGEST_KEY, sounds_key


class Club(models.Model):
    """A club, café or federation that players belong to."""

    name = models.CharField(_("name"), max_length=120)
    latin_name = models.CharField(_("name in Latin letters"), max_length=120, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    folded_name = models.CharField(max_length=120, editable=False)
    sounds = models.CharField(max_length=LONGEST_KEY, editable=False, default="")

    class Meta:
        verbose_name = _("club")
        verbose_name_plural = _("clubs")
        ordering = ("name", "pk")
        constraints = [
            models.UniqueConstraint("folded_name", "country", name="club_once_per_country"),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        self.folded_name = folded(self.name)
        self.sounds = sounds_key(self.name, self.latin_name)
        super().save(*args, **kwargs)  # type: ignore[arg-type]


class Player(models.Model):
    """A person who plays.

    `folded_name` finds one person behind several spellings, `sounds` behind two scripts.

    `name` and all that is made of it are what everybody may read. Of a minor that is the given
    name and an initial, and `full_name` is what only officials and the player read: a page that
    does not think of it shows the short name.
    """

    name = models.CharField(_("name"), max_length=120)
    latin_name = models.CharField(_("name in Latin letters"), max_length=120, blank=True)
    folded_name = models.CharField(max_length=120, editable=False, db_index=True)
    sounds = models.CharField(max_length=LONGEST_KEY, editable=False, default="")
    number = models.CharField(_("federation number"), max_length=32, blank=True)
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="players",
        verbose_name=_("club"),
    )
    country = models.CharField(_("country"), max_length=2, blank=True)
    full_name = models.CharField(
        _("full name of a minor"),
        max_length=120,
        blank=True,
        help_text=_("Filled for those whose name is shortened for the public."),
    )
    full_latin_name = models.CharField(
        _("full name of a minor in Latin letters"), max_length=120, blank=True
    )
    folded_full_name = models.CharField(
        max_length=120, editable=False, db_index=True, blank=True, default=""
    )
    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="player",
    )

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        ordering = ("name", "pk")
        constraints = [
            models.UniqueConstraint(
                fields=["number"], condition=~Q(number=""), name="player_number_once"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        self.settle_names()
        super().save(*args, **kwargs)  # type: ignore[arg-type]

    @property
    def is_minor(self) -> bool:
        """Is the name shortened for the public?"""
        return bool(self.full_name)

    # Shown to somebody who may read the full name, in place of the short one.
    is_in_full = False

    def show_in_full(self) -> None:
        """Put the full name in the place of the short one, in a row that is only shown."""
        if self.full_name:
            self.name, self.latin_name = self.full_name, self.full_latin_name
            self.is_in_full = True

    @property
    def known_name(self) -> str:
        """The name for officials and for the player."""
        return self.full_name or self.name

    @property
    def known_latin_name(self) -> str:
        return self.full_latin_name or self.latin_name

    def call(self, name: str, latin_name: str = "", *, is_minor: bool) -> None:
        """Give the player a name, shortened for the public where it is that of a minor."""
        self.name, self.latin_name = name, latin_name
        self.full_name, self.full_latin_name = (name, latin_name) if is_minor else ("", "")
        self.settle_names()

    def settle_names(self) -> None:
        """Make all that follows from the names anew; a full name never stands for the public."""
        if self.full_name:
            self.name = shortened(self.full_name)
            self.latin_name = shortened(self.full_latin_name)
        self.folded_full_name = folded(self.full_name)
        self.folded_name = folded(self.name)
        self.sounds = sounds_key(self.name, self.latin_name)


class PlayerSpelling(models.Model):
    """Another way in which a player's name is written; the club it came with, if it had one."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="spellings")
    name = models.CharField(_("name"), max_length=120)
    folded_name = models.CharField(max_length=120, editable=False, db_index=True)
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="+"
    )

    class Meta:
        verbose_name = _("spelling of a player")
        verbose_name_plural = _("spellings of players")
        ordering = ("name", "pk")
        constraints = [
            # Two constraints, because two missing clubs count as different ones.
            models.UniqueConstraint(
                fields=["player", "folded_name"],
                condition=Q(club__isnull=True),
                name="player_spelling_once",
            ),
            models.UniqueConstraint(
                fields=["player", "folded_name", "club"], name="player_spelling_once_per_club"
            ),
        ]

    def __str__(self) -> str:
        return self.name

    def save(self, *args: object, **kwargs: object) -> None:
        self.folded_name = folded(self.name)
        super().save(*args, **kwargs)  # type: ignore[arg-type]


class Rating(models.Model):
    """How strong a player is thought to be, as of the last finished pairing round."""

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="rating")
    mean = models.FloatField(_("mean"))
    deviation = models.FloatField(_("deviation"))
    matches = models.PositiveIntegerField(_("matches"), default=0)

    class Meta:
        ordering = ("-mean",)
