"""The form of a new stage: its system, the settings of that system, and whom it takes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.options import OPTION
from engine.profiles import LARGEST_TARGET
from tournaments.competition.bracket_matches import MEETINGS
from tournaments.competition.survival import MOST_SURVIVORS
from tournaments.digits import local_digits
from tournaments.errors.tables import LARGEST_TABLE
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Stage, Tournament
from tournaments.rules import TIE_BREAK_LABELS, rules_of, tie_break_label, usual_tie_breaks
from tournaments.services.stages import (
    MOST_ROUNDS,
    USUAL_SURVIVORS,
    StagePlan,
    systems_for,
    usual_rounds,
)
from tournaments.services.takes import Takes
from tournaments.words.stages import (
    ORDERS,
    PATTERNS,
    SEPARATE_BY,
    SETTINGS,
    SYSTEM_HELP,
    systems_with,
)

_NO_SOURCE = "0"
MOST_CRITERIA = 6
RAISED_BY = 25
_USUAL_FINALS = (8, 4)


def _best_of() -> list[tuple[int, str]]:
    said = gettext("best of %(games)s")
    return [
        (n, gettext("one game") if n == 1 else said % {"games": local_digits(n)}) for n in MEETINGS
    ]


def _whose_best(stage: Stage) -> str:
    """Return how a choice names those who go on from a stage."""
    if stage.system == Stage.System.ELIMINATION:
        return gettext("Who was left at the tables of %(stage)s")
    return gettext("Who goes on from %(stage)s")


class StageForm(PlainForm):
    """Everything about a new stage on one page; only the settings of its system are read."""

    system = forms.ChoiceField(
        label=_("How it is played"),
        widget=forms.RadioSelect,
        error_messages={"required": _("No way of playing is chosen. Choose one.")},
    )
    source = forms.ChoiceField(label=_("Who plays in it"), widget=forms.RadioSelect, required=False)
    each = WholeNumberField(
        label=_("The best of each group"),
        required=False,
        min_value=1,
        initial=2,
        help_text=_("So many go on from each group; without groups, so many in all."),
    )
    best_next = WholeNumberField(
        label=_("The best of the next place"),
        required=False,
        min_value=0,
        help_text=_("So many more, chosen among all groups."),
    )
    event = forms.ChoiceField(
        label=_("Which of them"),
        choices=[
            ("main", _("These, for the main event")),
            ("second", _("As many of the places after these, for a second event")),
        ],
        required=False,
    )
    rounds = WholeNumberField(label=_("Rounds"), required=False, min_value=1, max_value=MOST_ROUNDS)
    order = forms.ChoiceField(label=_("Who meets whom"), choices=ORDERS, required=False)
    pattern_first = forms.ChoiceField(
        label=_("First round"), choices=PATTERNS, initial="spread", required=False
    )
    pattern_second = forms.ChoiceField(
        label=_("Second round"), choices=PATTERNS, initial="nearest", required=False
    )
    pattern_later = forms.ChoiceField(
        label=_("All later rounds"), choices=PATTERNS, initial="nearest", required=False
    )
    groups = WholeNumberField(label=_("Groups"), required=False, min_value=1)
    group_rounds = WholeNumberField(
        label=_("Rounds of each group"),
        required=False,
        min_value=1,
        max_value=MOST_ROUNDS,
        help_text=_("Left empty, everybody meets everybody in the group."),
    )
    legs = forms.TypedChoiceField(
        label=_("Every two meet"),
        choices=[(1, _("once")), (2, _("twice, there and back"))],
        coerce=int,
        empty_value=None,
        required=False,
    )
    best_of = forms.TypedChoiceField(
        label=_("Meetings before the semifinals"),
        choices=_best_of,
        coerce=int,
        empty_value=None,
        required=False,
    )
    best_of_semifinals = forms.TypedChoiceField(
        label=_("Semifinals"), choices=_best_of, coerce=int, empty_value=None, required=False
    )
    best_of_final = forms.TypedChoiceField(
        label=_("Final"), choices=_best_of, coerce=int, empty_value=None, required=False
    )
    third_place = forms.BooleanField(label=_("A match for third place"), required=False)
    survivors = WholeNumberField(
        label=_("Players who go on from each table"),
        required=False,
        min_value=1,
        max_value=MOST_SURVIVORS,
        initial=USUAL_SURVIVORS,
    )
    limit_together = forms.ChoiceField(
        label=_("When so many reach the limit at once that too few are left"), required=False
    )
    separate_by = forms.ChoiceField(
        label=_("Kept apart where it can be"), choices=SEPARATE_BY, required=False
    )
    name = forms.CharField(
        label=_("Name of the stage"),
        required=False,
        max_length=80,
        help_text=_("Left empty, it is called after its system."),
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    target = WholeNumberField(
        label=_("Points to play to"), required=False, min_value=1, max_value=LARGEST_TARGET
    )
    first_table = WholeNumberField(
        label=_("Number of the first table"),
        required=False,
        min_value=1,
        max_value=LARGEST_TABLE,
        initial=1,
    )

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.tournament = tournament
        rules = rules_of(tournament)
        self.entries = tournament.entries.filter(state="registered").count()
        self.sources = list(tournament.stages.filter(state=Stage.State.CLOSED).order_by("number"))
        fitting = systems_for(tournament)
        together = OPTION["limit_together"]
        self._choose(
            "limit_together", [(str(one), gettext(text)) for one, text in together.choices]
        )
        self.fields["limit_together"].initial = rules.limit_together
        offered = [one for one in SYSTEM_HELP if one in fitting]
        self._choose("system", [(one.value, one.label) for one in offered])
        everybody = gettext("Everybody entered in the event")
        self._choose(
            "source",
            [(_NO_SOURCE, everybody)]
            + [(str(one.number), _whose_best(one) % {"stage": one.title}) for one in self.sources],
        )
        followed = {one.source_id for one in tournament.stages.all()}
        waiting = [one for one in self.sources if one.pk not in followed]
        self.fields["source"].initial = str(waiting[-1].number) if waiting else _NO_SOURCE
        if not any(one.system == Stage.System.GROUPS for one in self.sources):
            self._ask_without_groups()
        self._suggest(waiting[-1] if waiting else None, offered)
        usual = usual_rounds(self.entries)
        self.fields["rounds"].help_text = local_digits(
            gettext("Usual for %(entries)s entries: %(rounds)s. Left empty, it is as usual.")
            % {"entries": self.entries, "rounds": usual}
        )
        if not self.sources:
            self.fields["rounds"].initial = usual
        self.fields["groups"].initial = max(1, round(self.entries / 4))
        self.fields["target"].help_text = local_digits(
            gettext("Left empty: %(target)s, as in the rules of the event.")
            % {"target": rules.target}
        )
        self._add_criteria(usual_tie_breaks(rules))

    def _suggest(self, before: Stage | None, offered: Sequence[Stage.System]) -> None:
        """Choose what most events do after the stage `before`, or at their beginning."""
        usual = Stage.System.SWISS if before is None else Stage.System.KNOCKOUT
        if before is not None and before.system == Stage.System.ELIMINATION:
            usual = Stage.System.ELIMINATION
            # The limit is raised from stage to stage, as in 100, 125, 150.
            limit = before.target or rules_of(self.tournament).target
            self.fields["target"].initial = limit + RAISED_BY
        self.fields["system"].initial = usual if usual in offered else offered[0]

    def _ask_without_groups(self) -> None:
        """Ask only how many go on, as no stage that has been closed had groups."""
        del self.fields["best_next"]
        each = self.fields["each"]
        each.label = gettext("How many go on")
        each.help_text = gettext("The best of its standings.")
        each.initial = next((size for size in _USUAL_FINALS if 2 * size <= self.entries), 2)

    def _choose(self, name: str, choices: Sequence[tuple[str, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = choices

    def _add_criteria(self, usual: Sequence[str]) -> None:
        choices = [("", gettext("nothing more"))]
        choices += [(name, tie_break_label(name)) for name in TIE_BREAK_LABELS]
        for place in range(1, MOST_CRITERIA + 1):
            self.fields[f"criterion_{place}"] = forms.ChoiceField(
                label=local_digits(gettext("Criterion %(place)s") % {"place": place}),
                choices=choices,
                required=False,
                initial=usual[place - 1] if place <= len(usual) else "",
            )

    @property
    def has_groups_before(self) -> bool:
        """Say whether the best of the next place can be asked for."""
        return "best_next" in self.fields

    @property
    def criteria(self) -> list[forms.BoundField]:
        """Return the fields that say what orders the standings, the first asked first."""
        return [self[f"criterion_{place}"] for place in range(1, MOST_CRITERIA + 1)]

    @property
    def system_cards(self) -> list[tuple[Any, str]]:
        """Return the radio of each system with its one line of help."""
        return [
            (radio, gettext(SYSTEM_HELP[Stage.System(str(radio.data["value"]))]))
            for radio in self["system"]
        ]

    @property
    def setting_fields(self) -> list[tuple[forms.BoundField, str]]:
        """Return each setting with the systems that have it, in the order of the form."""
        known = {name for names in SETTINGS.values() for name in names}
        return [(self[name], " ".join(systems_with(name))) for name in self.fields if name in known]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        if cleaned.get("system") == Stage.System.GROUPS and not cleaned.get("groups"):
            self._say_missing("groups", gettext("Say how many groups there are."))
        if self.before is not None and not cleaned.get("each") and not self._survivors_go_on():
            self._say_missing("each", gettext("Say how many go on."))
        seen: dict[str, int] = {}
        for place in range(1, MOST_CRITERIA + 1):
            name = cleaned.get(f"criterion_{place}")
            if name and name in seen:
                said = gettext("Asked as criterion %(place)s already. Choose another one.")
                told = local_digits(said % {"place": seen[name]})
                self.add_error(f"criterion_{place}", told)
            elif name:
                seen[name] = place
        return cleaned

    def _say_missing(self, name: str, text: str) -> None:
        if name not in self.errors:
            self.add_error(name, text)

    def _survivors_go_on(self) -> bool:
        """Tell whether who goes on has been decided at the tables of the stage before."""
        return self.before is not None and self.before.system == Stage.System.ELIMINATION

    @property
    def before(self) -> Stage | None:
        """The closed stage whose qualifiers are taken, None when everybody plays."""
        chosen = self.cleaned_data.get("source")
        return next((one for one in self.sources if str(one.number) == chosen), None)

    @property
    def takes(self) -> Takes | None:
        if self.before is None:
            return None
        each = self.cleaned_data.get("each") or self.before.stage_entries.count()
        second = each if self.cleaned_data.get("event") == "second" else 0
        return Takes(each, self.cleaned_data.get("best_next") or 0, second)

    def plan(self) -> StagePlan:
        """Return the plan of what was filled in, with the settings of its system only."""
        cleaned = self.cleaned_data
        system = Stage.System(cleaned["system"])
        has = SETTINGS[system]
        rounds = [name for name in ("rounds", "group_rounds") if name in has]
        return StagePlan(
            system=system,
            name=cleaned["name"],
            rounds=cleaned[rounds[0]] if rounds else None,
            target=cleaned["target"],
            first_table=cleaned["first_table"] or 1,
            tie_breaks=tuple(cleaned[field.name] for field in self.criteria if cleaned[field.name]),
            draw=self._draw(has),
            takes=self.takes,
            best_of=(
                (
                    cleaned["best_of"] or 1,
                    cleaned["best_of_semifinals"] or 1,
                    cleaned["best_of_final"] or 1,
                )
                if "best_of" in has
                else None
            ),
            limit_together=cleaned["limit_together"] if "limit_together" in has else "",
        )

    def _draw(self, has: Sequence[str]) -> dict[str, object]:
        """Return the settings a request is drawn with."""
        cleaned = self.cleaned_data
        draw: dict[str, object] = {}
        for name in ("order", "groups", "legs", "third_place", "survivors", "separate_by"):
            if name in has and cleaned[name] not in (None, ""):
                draw[name] = cleaned[name]
        if "pattern_first" in has:
            draw["pattern"] = {
                "1": cleaned["pattern_first"] or "spread",
                "2": cleaned["pattern_second"] or "nearest",
                "*": cleaned["pattern_later"] or "nearest",
            }
        return draw

    def typed(self) -> list[tuple[str, str]]:
        """Return what was sent, to be sent again from the page that shows who goes on."""
        return [
            (name, value)
            for name in self.fields
            for value in self.data.getlist(self.add_prefix(name))  # type: ignore[attr-defined]
        ]


class ReopenStageForm(PlainForm):
    """Why a closed stage is opened again."""

    reason = forms.CharField(
        label=_("Why it is opened again"),
        max_length=200,
        help_text=_("It is kept in the log of the event."),
        error_messages={"required": _("The reason is missing. Say in a few words why.")},
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
