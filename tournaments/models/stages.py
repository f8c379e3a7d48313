"""Stages of a tournament and their pairing rounds."""

from __future__ import annotations

from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from tournaments.models.matches import MatchSeat


class Stage(models.Model):
    """Part of a tournament with one format."""

    class System(models.TextChoices):
        MANUAL = "manual", _("Pairings by hand")
        ROUND_ROBIN = "round_robin", _("Round robin")
        SWISS = "swiss", _("Swiss system")
        ROTATING = "rotating", _("Individuals with changing partners")
        SCHEDULE = "schedule", _("Individuals with changing partners, all rounds drawn before")
        TEAMS_OF_FOUR = "teams_of_four", _("Teams of four at different tables")
        GROUPS = "groups", _("Groups")
        KNOCKOUT = "knockout", _("Knockout")
        DOUBLE_ELIMINATION = "double_elimination", _("Knockout with a second chance")
        ELIMINATION = "elimination", _("Tables that send the best on")

    class State(models.TextChoices):
        OPEN = "open", _("Open")
        CLOSED = "closed", _("Closed")

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="stages"
    )
    number = models.PositiveSmallIntegerField()
    name = models.CharField(_("name"), max_length=80, blank=True)
    system = models.CharField(_("system"), max_length=20, choices=System.choices)
    settings = models.JSONField(
        default=dict,
        blank=True,
        help_text=_("How the system draws: order, pattern, groups and so on."),
    )
    rounds_planned = models.PositiveSmallIntegerField(_("pairing rounds"), null=True, blank=True)
    target = models.PositiveIntegerField(_("points to play to"), null=True, blank=True)
    first_table = models.PositiveIntegerField(_("first table"), default=1)
    source = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.PROTECT, related_name="stages_after"
    )
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
                condition=Q(
                    system__in=[
                        "manual",
                        "round_robin",
                        "swiss",
                        "rotating",
                        "schedule",
                        "teams_of_four",
                        "groups",
                        "knockout",
                        "double_elimination",
                        "elimination",
                    ]
                ),
                name="stage_system_known",
            ),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The name it was given, else its system in the reader's language."""
        return self.name or self.get_system_display()


class StageEntry(models.Model):
    """An entry that plays in a stage: its seed there, its group, and its rounds.

    `from_round` is the first pairing round it is drawn for, later than 1 for a late entry;
    `until_round` the last one, once it has left.
    """

    stage = models.ForeignKey(Stage, on_delete=models.CASCADE, related_name="stage_entries")
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.PROTECT, related_name="stage_entries"
    )
    seed = models.PositiveIntegerField(_("seed"))
    group = models.CharField(_("group"), max_length=8, blank=True)
    from_round = models.PositiveSmallIntegerField(default=1)
    until_round = models.PositiveSmallIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("seed", "pk")
        constraints = [
            models.UniqueConstraint(fields=["stage", "entry"], name="stage_entry_once"),
        ]


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
    starts_at = models.DateTimeField(_("starts"), null=True, blank=True)
    minutes = models.PositiveSmallIntegerField(_("minutes"), null=True, blank=True)
    standings = models.JSONField(
        default=list, blank=True, help_text=_("The standings as they were when the round ended.")
    )

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
    """An entry without opponents in a pairing round: it was there, nobody was left to meet.

    How it came about (`kind`) and what it is worth are two things. Whoever has had one, of any
    kind and any worth, is drawn for another only after those who have had fewer.
    """

    class Kind(models.TextChoices):
        DRAWN = "drawn", _("Drawn")
        ASKED = "asked", _("Asked for")

    class Worth(models.TextChoices):
        FULL = "full", _("As a win")
        HALF = "half", _("Half the points")
        NONE = "none", _("No points")

    # The kinds that count when it is decided who rests next.
    HAD = (Kind.DRAWN, Kind.ASKED)

    pairing_round = models.ForeignKey(PairingRound, on_delete=models.CASCADE, related_name="byes")
    entry = models.ForeignKey("tournaments.Entry", on_delete=models.PROTECT, related_name="byes")

    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.DRAWN)
    worth = models.CharField(max_length=10, choices=Worth.choices, default=Worth.FULL)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pairing_round", "entry"], name="bye_once_per_pairing_round"
            ),
            models.CheckConstraint(
                condition=Q(worth__in=["full", "half", "none"]), name="bye_worth_known"
            ),
        ]


class AbsenceQuerySet(models.QuerySet["Absence"]):
    """Absences of pairing rounds."""

    def without_table(self) -> AbsenceQuerySet:
        """Leave out those who have a table in their round: its result says what they took."""
        seated = MatchSeat.objects.filter(
            pairing_round=OuterRef("pairing_round"), entry=OuterRef("entry")
        )
        return self.exclude(Exists(seated))


class Absence(models.Model):
    """An entry that is not there for a pairing round; unlike a bye it is nobody's good luck.

    Where the whole stage is drawn at once it keeps its tables, and the one of this round becomes
    a walkover when the round is published.
    """

    class Kind(models.TextChoices):
        ABSENT = "absent", _("Absent")
        EXCUSED = "excused", _("Excused")
        LATE = "late", _("Not entered yet")

    pairing_round = models.ForeignKey(
        PairingRound, on_delete=models.CASCADE, related_name="absences"
    )
    entry = models.ForeignKey(
        "tournaments.Entry", on_delete=models.PROTECT, related_name="absences"
    )
    kind = models.CharField(max_length=10, choices=Kind.choices, default=Kind.ABSENT)

    objects = AbsenceQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["pairing_round", "entry"], name="absence_once_per_pairing_round"
            ),
            models.CheckConstraint(
                condition=Q(kind__in=["absent", "excused", "late"]), name="absence_kind_known"
            ),
        ]


class ForbiddenMeeting(models.Model):
    """Two entries that the director does not want to meet."""

    tournament = models.ForeignKey(
        "tournaments.Tournament", on_delete=models.CASCADE, related_name="forbidden_meetings"
    )
    one = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")
    other = models.ForeignKey("tournaments.Entry", on_delete=models.CASCADE, related_name="+")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["one", "other"], name="meeting_forbidden_once"),
            # The lower key first, so that a meeting has one way to be written.
            models.CheckConstraint(
                condition=Q(one__lt=F("other")), name="forbidden_meeting_in_order"
            ),
        ]
