"""Forms about who plays: entering oneself, on site and late, hours, fees, absences, substitutes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from zoneinfo import ZoneInfo

from django import forms
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from tournaments.digits import local_digits, to_latin_digits
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.forms.people import EntryForm, PlayerForm, category_field
from tournaments.models import Absence, Bye, Entry, EntryPlayer, Stage, Tournament
from tournaments.policies import (
    HALF,
    KINDS,
    LATEST_ROUND,
    MOST_EXCUSED,
    MOST_SUBSTITUTES,
    Policies,
    categories_of,
)
from tournaments.services.registration import RegistrationRules

MOMENT: Final = "%Y-%m-%dT%H:%M"
UNTIL: Final = "until"
NEVER: Final = "never"
ALWAYS: Final = "always"


class MomentField(forms.DateTimeField):
    """A day and time on the clock of the event, in digits of any of our languages."""

    zone: ZoneInfo = ZoneInfo("UTC")

    def __init__(self, **settings: Any) -> None:
        super().__init__(
            required=False,
            input_formats=[MOMENT, "%Y-%m-%d %H:%M"],
            widget=forms.DateTimeInput(format=MOMENT, attrs={"type": "datetime-local"}),
            error_messages={
                "invalid": _(
                    "This is no day and time. Choose it, or write it like 2026-11-30 18:00."
                )
            },
            **settings,
        )

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, datetime):
            return timezone.localtime(value, self.zone).strftime(MOMENT)
        return value

    def to_python(self, value: Any) -> datetime | None:
        if isinstance(value, str):
            value = to_latin_digits(value.strip())
        with timezone.override(self.zone):
            return super().to_python(value)


class SelfEntryForm(EntryForm):
    """An entry by its players themselves: what they know and the desk needs."""

    # People do not see it; a program that fills in every field does not know.
    website = forms.CharField(
        required=False,
        label=_("Leave this empty"),
        widget=forms.TextInput(attrs={"autocomplete": "off", "tabindex": "-1"}),
    )

    def __init__(self, *given: Any, categories: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(*given, **settings)
        for name in ("seed", *self._named("number")):
            del self.fields[name]
        if chosen := tuple(categories):
            self.fields["category"] = category_field(chosen, required=True)
            self.first.append("category")
        self.first += ["country", *self._named("minor")]
        self.order_fields(self.first)

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [one for one in super().more_fields if one.name != "website"]

    @property
    def is_by_a_program(self) -> bool:
        return bool(self.cleaned_data.get("website"))

    def entry(self) -> dict[str, Any]:
        """Return the keywords of services.registration.enter_oneself."""
        for n in self.places:
            self.cleaned_data[f"number{n}"] = ""
        self.cleaned_data["seed"] = None
        given = super().entry()
        del given["seed"]
        return given


class OnSiteForm(EntryForm):
    """An entry at the desk: whoever stands there can be checked in and pay at once."""

    here = forms.BooleanField(label=_("They are here"), required=False)
    paid = forms.BooleanField(label=_("The fee is paid"), required=False)

    def __init__(self, *given: Any, **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.first += ["here", "paid"]

    def wait_for_names(self) -> None:
        """Let whoever types go on with the next entry, without a hand on the mouse."""
        self[self.first_fields[0].name].field.widget.attrs["autofocus"] = True


class LateEntryForm(OnSiteForm):
    """An entry while a stage is being played."""

    def __init__(self, *given: Any, stages: Sequence[Stage], **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.fields["stage"] = forms.ChoiceField(
            label=_("Plays in"),
            choices=[(str(one.number), one.title) for one in stages],
            error_messages={"required": _("No stage is chosen. Choose one.")},
        )
        if len(stages) > 1:
            self.first = ["stage", *self.first]
        else:
            self.fields["stage"].required = False
            self.fields["stage"].widget = forms.HiddenInput()
            self.initial.setdefault("stage", str(stages[0].number))
        self.order_fields(self.first)


class RegistrationForm(PlainForm):
    """Hours of registration, places, categories, and who sees the event."""

    opens_at = MomentField(
        label=_("Registration opens"),
        help_text=_("Left empty, players can enter as soon as the event is shown to everybody."),
    )
    closes_at = MomentField(
        label=_("Registration closes"),
        help_text=_("Left empty, players can enter until the event starts."),
    )
    most_entries = WholeNumberField(
        label=_("Most entries"),
        required=False,
        min_value=2,
        max_value=100_000,
        help_text=_(
            "Whoever enters after that waits; when somebody withdraws, the first of them moves up."
        ),
    )
    categories = forms.CharField(
        label=_("Categories"),
        required=False,
        help_text=_("One on each line, for example Women or Juniors."),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )
    is_private = forms.BooleanField(
        label=_("Only for its officials"),
        required=False,
        help_text=_(
            "Nobody else finds the event, neither in lists and searches nor by its address."
        ),
    )

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        settings.setdefault(
            "initial",
            {
                "opens_at": tournament.entries_open_at,
                "closes_at": tournament.entries_close_at,
                "most_entries": tournament.most_entries,
                "categories": "\n".join(categories_of(tournament)),
                "is_private": tournament.is_private,
            },
        )
        super().__init__(*given, **settings)
        for field in self.fields.values():
            if isinstance(field, MomentField):
                field.zone = ZoneInfo(tournament.time_zone)

    def rules(self) -> RegistrationRules:
        """Return what services.registration.set_registration takes."""
        cleaned = self.cleaned_data
        return RegistrationRules(
            opens_at=cleaned["opens_at"],
            closes_at=cleaned["closes_at"],
            most_entries=cleaned["most_entries"],
            categories=tuple(cleaned["categories"].splitlines()),
            is_private=cleaned["is_private"],
        )


def _points(label: Any) -> WholeNumberField:
    return WholeNumberField(label=label, required=False, min_value=0)


class PoliciesForm(PlainForm):
    """What byes and absences score, and how long somebody can enter late."""

    bye_for = _points(_("A bye: points for"))
    bye_against = _points(_("A bye: points against"))
    absent_for = _points(_("Absent: points for"))
    absent_against = _points(_("Absent: points against"))
    excused_for = _points(_("Excused: points for"))
    excused_against = _points(_("Excused: points against"))
    late_for = _points(_("Not entered yet: points for"))
    late_against = _points(_("Not entered yet: points against"))
    most_excused = WholeNumberField(
        label=_("How often an entry can be excused in a stage"),
        required=False,
        min_value=0,
        max_value=MOST_EXCUSED,
        help_text=_("Left empty, as often as it asks."),
    )
    late = forms.ChoiceField(
        label=_("Late entries"),
        choices=[
            (HALF, _("Until half of the rounds are drawn (usual)")),
            (UNTIL, _("Until the round with this number is drawn")),
            (ALWAYS, _("As long as rounds are drawn")),
            (NEVER, _("None once play has started")),
        ],
        widget=forms.RadioSelect,
    )
    late_until = WholeNumberField(
        label=_("Last round for late entries"),
        required=False,
        min_value=1,
        max_value=LATEST_ROUND,
    )

    most_substitutes = WholeNumberField(
        label=_("Substitutes of an entry"),
        required=False,
        min_value=0,
        max_value=MOST_SUBSTITUTES,
        help_text=_("The most a pair or a team may have. Left empty, six."),
    )

    reason = forms.CharField(
        label=_("Reason"),
        required=False,
        max_length=200,
        help_text=_(
            "Needed only when published rounds already count byes or absences: their points "
            "change with this. It is kept in the log of the event."
        ),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )

    def __init__(self, *given: Any, tournament: Tournament, **settings: Any) -> None:
        settings.setdefault("initial", _policies_initial(tournament))
        super().__init__(*given, **settings)
        if tournament.entry_kind == Entry.Kind.SINGLE:
            del self.fields["most_substitutes"]

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or self.cleaned_data
        for name in ("bye", *KINDS):
            pair = [f"{name}_for", f"{name}_against"]
            if any(one in self.errors for one in pair):
                continue
            if (cleaned.get(pair[0]) is None) != (cleaned.get(pair[1]) is None):
                missing = pair[0] if cleaned.get(pair[0]) is None else pair[1]
                self.add_error(missing, gettext("Fill in both numbers, or leave both empty."))
        if cleaned.get("late") == UNTIL and cleaned.get("late_until") is None:
            self.add_error("late_until", gettext("The round is missing. Write its number."))
        return cleaned

    @property
    def point_fields(self) -> list[tuple[forms.BoundField, forms.BoundField]]:
        return [(self[f"{name}_for"], self[f"{name}_against"]) for name in ("bye", *KINDS)]

    @property
    def late_fields(self) -> list[forms.BoundField]:
        names = ("most_excused", "late", "late_until", "most_substitutes", "reason")
        return [self[name] for name in names if name in self.fields]

    def policies(self) -> Policies:
        """Return what services.registration.set_policies takes."""
        cleaned = self.cleaned_data
        ways: dict[str, int | str] = {NEVER: 0, ALWAYS: LATEST_ROUND, HALF: HALF}
        late = ways.get(cleaned["late"], cleaned["late_until"])
        said = {kind: self._pair(kind) for kind in KINDS}
        return Policies(
            bye=self._pair("bye"),
            absences=tuple((kind.value, pair) for kind, pair in said.items() if pair is not None),
            most_excused=cleaned["most_excused"],
            late_entry=late,
            most_substitutes=cleaned.get("most_substitutes"),
        )

    def _pair(self, name: str) -> tuple[int, int] | None:
        for_, against = self.cleaned_data[f"{name}_for"], self.cleaned_data[f"{name}_against"]
        return None if for_ is None else (for_, against)


def _policies_initial(tournament: Tournament) -> dict[str, Any]:
    policies = tournament.policies
    late = policies.get("late_entry", HALF)
    initial: dict[str, Any] = {
        name: policies.get(name) for name in ("most_excused", "most_substitutes")
    }
    pairs = {"bye": policies.get("bye"), **policies.get("absences", {})}
    for name, pair in pairs.items():
        if pair is not None:
            initial[f"{name}_for"], initial[f"{name}_against"] = pair
    words = {HALF: HALF, 0: NEVER, LATEST_ROUND: ALWAYS}
    initial["late"] = words.get(late, UNTIL)
    if initial["late"] == UNTIL:
        initial["late_until"] = late
    return initial


class AbsenceForm(PlainForm):
    """Who is not there for which round."""

    entry = forms.TypedChoiceField(
        label=_("Entry"),
        coerce=int,
        error_messages={"required": _("No entry is chosen. Choose one from the list.")},
    )
    number = WholeNumberField(
        label=_("Pairing round"),
        min_value=1,
        error_messages={"required": _("The round is missing. Write its number.")},
    )
    kind = forms.ChoiceField(
        label=_("Why"),
        choices=[(one.value, one.label) for one in KINDS if one != Absence.Kind.LATE],
        initial=Absence.Kind.ABSENT,
        widget=forms.RadioSelect,
    )

    def __init__(self, *given: Any, entries: Iterable[Entry], **settings: Any) -> None:
        super().__init__(*given, **settings)
        field = self.fields["entry"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            ("", _("Choose")),
            *((one.number, f"{local_digits(one.number)} · {one.name}") for one in entries),
        ]


class ByeForm(AbsenceForm):
    """Who rests in which round, and what that is worth."""

    worth = forms.ChoiceField(
        label=_("What it is worth"),
        choices=Bye.Worth.choices,
        initial=Bye.Worth.FULL,
        widget=forms.RadioSelect,
    )

    def __init__(self, *given: Any, worths: Iterable[tuple[str, str]], **settings: Any) -> None:
        super().__init__(*given, **settings)
        del self.fields["kind"]
        field = self.fields["worth"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = list(worths)


class SubstituteForm(PlayerForm):
    """A player for the bench."""


class ExchangeForm(PlainForm):
    """Who comes out, who goes in, from which round on."""

    out = forms.ChoiceField(label=_("Comes out"))
    into = forms.ChoiceField(label=_("Goes in"))
    number = WholeNumberField(
        label=_("From round"),
        min_value=1,
        initial=1,
        help_text=_("A table in play goes on with whoever sits there."),
        error_messages={"required": _("The round is missing. Write its number.")},
    )

    def __init__(self, *given: Any, members: Sequence[EntryPlayer], **settings: Any) -> None:
        super().__init__(*given, **settings)
        for name, on_bench in (("out", False), ("into", True)):
            field = self.fields[name]
            assert isinstance(field, forms.ChoiceField)
            field.choices = [
                (str(one.player_id), one.player.name) for one in members if one.on_bench == on_bench
            ]


class CountForm(PlainForm):
    """How many entries a change concerns, typed by who makes it."""

    typed = WholeNumberField(
        label=_("Number of entries"),
        min_value=0,
        error_messages={"required": _("The number of entries is missing. Type it to go on.")},
    )
