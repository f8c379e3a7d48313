"""Who plays where: people, tournaments, entries, stages, pairing rounds and matches."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from tournaments.names import folded

LONGEST_SUBSTITUTE = 80


class Club(models.Model):
    """A club, café or federation that players belong to."""

    name = models.CharField(_("name"), max_length=120)
    latin_name = models.CharField(_("name in Latin letters"), max_length=120, blank=True)
    country = models.CharField(_("country"), max_length=2, blank=True)
    city = models.CharField(_("city"), max_length=80, blank=True)
    folded_name = models.CharField(max_length=120, editable=False)

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
        super().save(*args, **kwargs)  # type: ignore[arg-type]


class Player(models.Model):
    """A person who plays. `folded_name` finds one person behind several spellings."""

    name = models.CharField(_("name"), max_length=120)
    latin_name = models.CharField(_("name in Latin letters"), max_length=120, blank=True)
    folded_name = models.CharField(max_length=120, editable=False, db_index=True)
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
        self.folded_name = folded(self.name)
        super().save(*args, **kwargs)  # type: ignore[arg-type]


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


class Entry(models.Model):
    """Who is registered: a player, a fixed pair or a team, with a seed."""

    class Kind(models.TextChoices):
        SINGLE = "single", _("Single player")
        PAIR = "pair", _("Pair")
        TEAM = "team", _("Team")

    class State(models.TextChoices):
        REGISTERED = "registered", _("Registered")
        WITHDRAWN = "withdrawn", _("Withdrawn")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="entries")
    number = models.PositiveIntegerField(_("number"))
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(_("name"), max_length=250)
    seed = models.PositiveIntegerField(_("seed"))
    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.PROTECT, related_name="entries"
    )
    state = models.CharField(max_length=12, choices=State.choices, default=State.REGISTERED)
    registered_at = models.DateTimeField(auto_now_add=True)

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
                condition=Q(state__in=["registered", "withdrawn"]), name="entry_state_known"
            ),
        ]

    def __str__(self) -> str:
        return self.name


class EntryPlayer(models.Model):
    """A player of an entry; `tournament` is repeated so that nobody enters twice."""

    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="members")
    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="+")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="memberships")
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("position",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "player"], name="player_enters_a_tournament_once"
            ),
            models.UniqueConstraint(fields=["entry", "position"], name="entry_position_once"),
        ]


class Stage(models.Model):
    """Part of a tournament with one format."""

    class System(models.TextChoices):
        MANUAL = "manual", _("Pairings by hand")
        ROUND_ROBIN = "round_robin", _("Round robin")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80, blank=True)
    system = models.CharField(_("system"), max_length=20, choices=System.choices)
    state = models.CharField(max_length=10, choices=State.choices, default=State.OPEN)
    tie_breaks = models.JSONField(_("tie-breaks"), default=list)
    seed = models.PositiveIntegerField(
        default=1, help_text=_("Decides what is drawn by lot, so that anybody can repeat it.")
    )

    class Meta:
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(
                fields=["tournament", "number"], name="stage_number_once_per_tournament"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["open", "closed"]), name="stage_state_known"
            ),
            models.CheckConstraint(
                condition=Q(system__in=["manual", "round_robin"]), name="stage_system_known"
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The name it was given, else its system in the reader's language."""
        return self.name or self.get_system_display()


class PairingRound(models.Model):
    """Pairings published together. A draft is invisible to everybody but the directors."""

    class State(models.TextChoices):
        DRAFT = "draft", _("Draft")
        PUBLISHED = "published", _("Published")
        PLAYING = "playing", _("Being played")
        FINISHED = "finished", _("Finished")

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    draw = models.JSONField(
        default=dict, blank=True, help_text=_("Request, answer and seed of the draw.")
    )
    published_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("pairing round")
        verbose_name_plural = _("pairing rounds")
        ordering = ("number",)
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "number"], name="pairing_round_number_once_per_stage"
            ),
            models.CheckConstraint(
                condition=Q(state__in=["draft", "published", "playing", "finished"]),
                name="pairing_round_state_known",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.number}"


class Bye(models.Model):
    """An entry without opponents in a pairing round."""

    pairing_round = models.ForeignKey(PairingRound, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="byes")

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pairing_round", "entry"], name="bye_once_per_pairing_round"
            )
        ]


class Match(models.Model):
    """One meeting at a table. Its row is the lock for everything that happens there."""

    class State(models.TextChoices):
        WAITING = "waiting", _("Not started")
        PLAYING = "playing", _("Being played")
        CLOSED = "closed", _("Closed")

    pairing_round = models.ForeignKey(
        PairingRound, on_delete=models.CASCADE, related_name="matches"
    )
    table = models.PositiveIntegerField(_("table"))
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    rules = models.JSONField(
        null=True, blank=True, help_text=_("Rules of this table where they differ.")
    )
    score = models.JSONField(
        default=dict, blank=True, help_text=_("Running points per side, for the list of tables.")
    )
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
    pairing_round = models.ForeignKey(PairingRound, on_delete=models.CASCADE, related_name="+")
    seat = models.CharField(_("seat"), max_length=1)
    entry = models.ForeignKey(Entry, on_delete=models.PROTECT, related_name="seats")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="seats")
    substitute = models.CharField(_("substitute"), max_length=LONGEST_SUBSTITUTE, blank=True)
    outcome = models.CharField(max_length=15, choices=Outcome.choices, blank=True)
    points_for = models.IntegerField(null=True, blank=True)
    points_against = models.IntegerField(null=True, blank=True)
    deducted = models.PositiveIntegerField(default=0)
    rounds_won = models.PositiveSmallIntegerField(default=0)

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


class StandingRow(models.Model):
    """A row of a stage's standings, rebuilt as a whole after every result."""

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="standing_rows")
    entry = models.ForeignKey(Entry, on_delete=models.CASCADE, related_name="standing_rows")
    order = models.PositiveIntegerField()
    place = models.PositiveIntegerField()
    played = models.PositiveSmallIntegerField(default=0)
    values = models.JSONField(default=dict)
    decided_by = models.CharField(max_length=30, blank=True)

    class Meta:
        ordering = ("order",)
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="standing_once_per_entry"),
            models.CheckConstraint(
                condition=Q(place__lte=F("order")), name="standing_place_not_after_order"
            ),
        ]


class LogEntry(models.Model):
    """Who did what at the desk, and when."""

    tournament = models.ForeignKey(Tournament, on_delete=models.CASCADE, related_name="log")
    at = models.DateTimeField(auto_now_add=True)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    act = models.CharField(max_length=40)
    details = models.JSONField(default=dict)

    class Meta:
        ordering = ("-at", "-pk")
