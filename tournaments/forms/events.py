"""Forms of the director's pages about an event: where, when and by which rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final
from zoneinfo import available_timezones

from django import forms
from django.utils.functional import lazy
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from engine.errors import DominoError
from engine.options import OPTIONS, Option
from engine.profiles import LARGEST_TARGET, PROFILES, TARGETS, Rules
from tournaments.errors import base as errors
from tournaments.errors.base import explain
from tournaments.forms.fields import (
    CountryField,
    DayField,
    PlainForm,
    SuggestingInput,
    WholeNumberField,
    time_zones,
)
from tournaments.rules import has_partners

_translated = lazy(gettext, str)
OWN_TARGET: Final = "other"


class DetailsForm(PlainForm):
    """Where and when an event is played."""

    name = forms.CharField(
        label=_("Name of the event"),
        max_length=120,
        error_messages={"required": _("The event has no name. Enter one.")},
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    venue = forms.CharField(
        label=_("Venue"),
        required=False,
        max_length=120,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    city = forms.CharField(
        label=_("City"),
        required=False,
        max_length=80,
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    country = CountryField(label=_("Country"))
    starts_on = DayField(
        label=_("First day"),
        widget=forms.DateInput(format="%Y-%m-%d", attrs={"type": "date"}),
        error_messages={
            "required": _("The first day is missing. Choose it."),
            "invalid": _("This is not a day. Choose it, or write it like 2026-11-30."),
        },
    )
    time_zone = forms.CharField(
        label=_("Time zone"),
        max_length=64,
        help_text=_("Type a city, for example Cairo, and choose from the list."),
        error_messages={"required": _("The time zone is missing. Choose one from the list.")},
        widget=SuggestingInput(time_zones(), attrs={"dir": "ltr", "autocomplete": "off"}),
    )

    def clean_time_zone(self) -> str:
        """Accept the city alone when it names one zone, as people type it."""
        written: str = self.cleaned_data["time_zone"].strip().replace(" ", "_")
        if written in available_timezones():
            return written
        ends = [name for name in time_zones() if name.casefold().endswith(written.casefold())]
        exact = [one for one in ends if one.rpartition("/")[2].casefold() == written.casefold()]
        found = exact or ends
        if len(found) == 1:
            return found[0]
        raise forms.ValidationError(
            explain(errors.UnknownTimeZone(given=written)), code="unknown_time_zone"
        )


ENTRY_KINDS: Final = (
    ("pair", gettext_noop("Pairs: two partners enter together and stay together")),
    ("single", gettext_noop("Single players: everybody enters alone")),
    ("team", gettext_noop("Teams: two to eight players enter under one name")),
)


class TableRulesForm(PlainForm):
    """The rules a table plays by: profile, target and what differs from the profile."""

    profile = forms.ChoiceField(
        label=_("Rules"),
        choices=[(key, _translated(one.name)) for key, one in PROFILES.items()],
        initial="wdf",
        widget=forms.RadioSelect,
    )
    target = forms.ChoiceField(
        label=_("Target"),
        choices=[
            ("", _("As usual under these rules")),
            *((str(one), str(one)) for one in TARGETS),
            (OWN_TARGET, _("Another number")),
        ],
        required=False,
        widget=forms.RadioSelect,
    )
    own_target = WholeNumberField(
        label=_("Another number of points"),
        required=False,
        min_value=1,
        max_value=LARGEST_TARGET,
        error_messages={"invalid": _("The target is a whole number of points, for example 120.")},
    )

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        for option in OPTIONS:
            self.fields[f"option_{option.name}"] = option_field(option)

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[f"option_{option.name}"] for option in OPTIONS]

    @property
    def options_changed(self) -> bool:
        """Say whether the block of variations is worth opening."""
        return any(field.value() or field.errors for field in self.option_fields)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        wanted = cleaned.get("target") == OWN_TARGET and "own_target" not in self.errors
        if wanted and cleaned.get("own_target") is None:
            self.add_error("own_target", gettext("Enter the number of points of the target."))
        return cleaned

    @property
    def target_points(self) -> int | None:
        chosen = self.cleaned_data.get("target")
        if chosen == OWN_TARGET or (not chosen and self.cleaned_data.get("own_target")):
            return self.cleaned_data.get("own_target")
        return int(chosen) if chosen else None

    @property
    def options(self) -> dict[str, str | int]:
        """Return the rules that differ from the profile."""
        found = {}
        for option in OPTIONS:
            value = self.cleaned_data.get(f"option_{option.name}")
            if value not in (None, ""):
                found[option.name] = value
        return found

    @property
    def rules(self) -> Rules:
        return Rules.of(self.cleaned_data["profile"], self.target_points, self.options)

    def rules_given(self) -> dict[str, Any]:
        """Return the keywords the services take."""
        return {
            "profile": self.cleaned_data["profile"],
            "target": self.target_points,
            "options": self.options,
        }


class RulesForm(TableRulesForm):
    """The rules an event is played under, with who enters and how many share a table."""

    entry_kind = forms.ChoiceField(
        label=_("Who enters"),
        choices=[(kind, _translated(label)) for kind, label in ENTRY_KINDS],
        initial="pair",
        widget=forms.RadioSelect,
    )
    players_per_table = forms.TypedChoiceField(
        label=_("Players at a table"),
        choices=[(n, _translated(text)) for n, text in (
            (4, gettext_noop("four")), (3, gettext_noop("three")), (2, gettext_noop("two")),
        )],
        coerce=int,
        initial=4,
        widget=forms.RadioSelect,
    )  # fmt: skip

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean()
        profile = PROFILES.get(cleaned.get("profile", ""))
        players = cleaned.get("players_per_table")
        if profile is None or players is None:
            return cleaned
        if players not in profile.players:
            refusal = errors.WrongTableSize(found=players, allowed=list(profile.players))
            self.add_error("players_per_table", explain(refusal))
        elif cleaned.get("entry_kind") in ("pair", "team") and not has_partners(
            self.rules, players
        ):
            self.add_error("entry_kind", explain(errors.PartnersNeeded(found=players)))
        return cleaned

    def rules_given(self) -> dict[str, Any]:
        return super().rules_given() | {
            "entry_kind": self.cleaned_data["entry_kind"],
            "players_per_table": self.cleaned_data["players_per_table"],
        }


def rules_initial(frozen: Rules) -> dict[str, Any]:
    """Return how the form shows settled rules: options only where they differ."""
    usual = frozen.of_profile.options
    shown: dict[str, Any] = {
        f"option_{name}": value for name, value in frozen.options.items() if value != usual[name]
    }
    if frozen.target in TARGETS:
        return shown | {"profile": frozen.profile, "target": str(frozen.target)}
    return shown | {
        "profile": frozen.profile,
        "target": OWN_TARGET,
        "own_target": frozen.target,
    }


class TournamentForm(DetailsForm, RulesForm):
    """Everything about a new event on one page."""

    DETAILS = ("name", "venue", "city", "country", "starts_on", "time_zone")

    def given(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self.DETAILS} | self.rules_given()


def option_field(option: Option) -> forms.Field:
    """Return the field of an option; left empty, the profile decides."""
    label = _translated(option.label)
    if not option.choices:
        return WholeNumberField(
            label=label,
            required=False,
            min_value=option.lowest,
            max_value=option.highest,
            widget=forms.TextInput(
                attrs={"inputmode": "numeric", "dir": "ltr", "size": 6}
            ),
        )  # fmt: skip
    numbers = isinstance(option.choices[0][0], int)
    return forms.TypedChoiceField(
        label=label,
        required=False,
        choices=[
            ("", _("As the rules say")),
            *((value, _translated(text)) for value, text in option.choices),
        ],
        coerce=int if numbers else str,
        empty_value=None,
    )


# The field a refusal of a service is about; any other refusal is shown above the form.
_FIELD_OF: Final[Mapping[str, str]] = {
    "name_missing": "name",
    "address_taken": "name",
    "unknown_time_zone": "time_zone",
    "bad_country": "country",
    "wrong_table_size": "players_per_table",
    "partners_needed": "entry_kind",
    "unknown_user": "username",
    "username_taken": "username",
    "bad_username": "username",
    "table_for_scorers_only": "table",
    "bad_table_number": "table",
    "bad_seed": "seed",
    "same_player_twice": "player2",
    "team_name_missing": "name",
    "number_belongs_to_another": "number",
    "name_is_ambiguous": "number",
}


def refuse(form: forms.Form, refusal: DominoError) -> None:
    """Show a refusal at the field it is about, or above the form."""
    field = _FIELD_OF.get(refusal.code, "")
    if field not in form.fields:
        # Where several of a kind are asked for, the first stands for all.
        field += "1"
    form.add_error(field if field in form.fields else None, explain(refusal))
