"""Forms of the ledger of cards: giving, dropping, the ladder's numbers, own penalties."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final
from uuid import uuid4

from django import forms
from django.conf import settings as project
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from engine.errors import DominoError
from engine.ladder import MOST_OF_ONE, SEVERITIES, Numbers
from engine.own_penalties import LONGEST_KIND_NAME, OwnPenalty
from engine.penalties import KINDS, Penalty, Steps
from engine.profiles import Rules
from referee.forms.records import read_measures
from referee.models import Sanction
from referee.models.sanctions import LONGEST_NAME, LONGEST_NOTE
from tournaments.errors.base import explain
from tournaments.forms.fields import PlainForm, WholeNumberField
from tournaments.models import Match
from tournaments.policies_cards import TO_EVERYBODY, TO_OFFICIALS
from tournaments.words.rules import kind_name

_WORDS: Final = {"dir": "auto"}
_LTR: Final = {"dir": "ltr"}


def _severities() -> list[tuple[str, Any]]:
    return [(one.value, one.label) for one in Sanction.Severity if one.value in SEVERITIES]


class GiveForm(PlainForm):
    """Whom, what, what for: a player of the event, or anyone accredited by name."""

    client_key = forms.UUIDField(widget=forms.HiddenInput)
    player = forms.TypedChoiceField(
        label=_("Player"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("A player of this event. Left empty for anyone else."),
    )
    name = forms.CharField(
        label=_("Name of somebody else"),
        max_length=LONGEST_NAME,
        required=False,
        help_text=_("An official, captain, coach or spectator; no account is needed."),
        widget=forms.TextInput(attrs=_WORDS),
    )
    function = forms.ChoiceField(label=_("Function of somebody else"), required=False)
    severity = forms.ChoiceField(label=_("Sanction"), choices=_severities)
    kind = forms.ChoiceField(label=_("Kind of infraction"), required=False)
    ladder = forms.ChoiceField(
        label=_("Counted as"),
        required=False,
        choices=[("", _("As usual for the kind")), *Sanction.Ladder.choices],
    )
    match = forms.TypedChoiceField(
        label=_("Table"),
        coerce=int,
        empty_value=None,
        required=False,
        help_text=_("Where it happened. Only a director sanctions away from every table."),
    )
    note = forms.CharField(
        label=_("What for"),
        max_length=LONGEST_NOTE,
        error_messages={"required": _("The note is missing. Write what the sanction is for.")},
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )

    def __init__(
        self,
        *args: Any,
        players: Iterable[tuple[int, str, str]],
        kinds: Iterable[tuple[str, str]],
        tables: Iterable[Match],
        **settings: Any,
    ) -> None:
        settings["initial"] = {"client_key": uuid4(), **(settings.get("initial") or {})}
        super().__init__(*args, **settings)
        self._choose("player", [(pk, f"{name} · {entry}") for pk, name, entry in players])
        others = [one for one in Sanction.Function if one != Sanction.Function.PLAYER]
        self._choose("function", [(one.value, one.label) for one in others])
        self._choose("kind", kinds)
        told = gettext("Round %(round)s, table %(table)s")
        self._choose(
            "match",
            [
                (one.pk, told % {"round": one.pairing_round.number, "table": one.table})
                for one in tables
            ],
        )

    def _choose(self, name: str, choices: Iterable[tuple[Any, Any]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "–"), *choices]


class DropForm(PlainForm):
    """Why a card is not given."""

    reason = forms.CharField(
        label=_("Why it is not given"),
        max_length=LONGEST_NOTE,
        error_messages={"required": _("The reason is missing. Write why the card is not given.")},
        widget=forms.TextInput(attrs=_WORDS),
    )


def _number(label: Any, help_text: Any) -> WholeNumberField:
    return WholeNumberField(
        label=label, help_text=help_text, min_value=0, max_value=MOST_OF_ONE, required=True
    )


class CardRulesForm(PlainForm):
    """What makes the next card, and who sees the cards."""

    warnings = _number(_("Warnings for a yellow card"), _("0 where warnings come to no card."))
    yellows = _number(_("Yellow cards for a red one"), _("0 where they come to none."))
    red_and_yellow = forms.BooleanField(
        label=_("A red card and another card make a black one"), required=False
    )
    infractions = _number(
        _("Punished infractions that lose a match"),
        _("By one player in one match; only warnings are not counted. 0 for never."),
    )
    apart = forms.BooleanField(label=_("Play and conduct are counted apart"), required=False)
    shown = forms.ChoiceField(
        label=_("Who sees the cards"),
        widget=forms.RadioSelect,
        choices=[
            (TO_OFFICIALS, _("Officials of the event")),
            (TO_EVERYBODY, _("Everybody: confirmed cards of players, without notes")),
        ],
    )

    def numbers(self) -> dict[str, object]:
        """Return what `set_card_rules` takes."""
        return {name: one for name, one in self.cleaned_data.items() if name != "shown"}

    @staticmethod
    def of(numbers: Numbers, *, is_public: bool) -> dict[str, object]:
        """Return the initial values."""
        said = {name: getattr(numbers, name) for name in Numbers.__slots__}
        return {**said, "shown": TO_EVERYBODY if is_public else TO_OFFICIALS}


class StepsField(forms.CharField):
    """Steps of measures in notation: a line an offence, with commas between the measures."""

    widget = forms.Textarea

    def __init__(self, **settings: Any) -> None:
        settings.setdefault("widget", forms.Textarea(attrs={"rows": 4, **_LTR}))
        super().__init__(**settings)

    def clean(self, value: Any) -> list[list[Any]]:
        text = super().clean(value)
        lines = [re.sub(r"^\s*\d+[.)]\s*", "", one) for one in text.splitlines()]
        steps = []
        for line in lines:
            if not line.strip():
                continue
            try:
                steps.append([one.json() for one in read_measures([line])])
            except DominoError as error:
                raise ValidationError(explain(error), code="unreadable") from None
        return steps


def steps_in_lines(steps: Steps) -> str:
    """Return steps as `StepsField` reads them."""
    return "\n".join(", ".join(str(one) for one in step) for step in steps)


class OwnPenaltyForm(PlainForm):
    """One kind of infraction: its code, its names, its steps, where it counts."""

    kind = forms.RegexField(
        r"^[a-z][a-z0-9_]{0,39}$",
        label=_("Code"),
        help_text=_("Small letters, digits and _, such as phone_in_hall. Records use it."),
        error_messages={
            "invalid": _("Use small letters a to z, digits and _, such as phone_in_hall."),
            "required": _("The code is missing. Write one, such as phone_in_hall."),
        },
        widget=forms.TextInput(attrs={**_LTR, "autocapitalize": "none", "spellcheck": "false"}),
    )
    offences = StepsField(
        label=_("What it costs, a line for each offence"),
        help_text=_("Measures with commas between them; the last line repeats."),
        error_messages={
            "required": _("The measures are missing. Write at least one line, such as: warning")
        },
    )
    deliberate = StepsField(
        label=_("On purpose, a line for each offence"),
        required=False,
        help_text=_("Left empty where purpose makes no difference."),
    )
    ladder = forms.ChoiceField(
        label=_("Counted as"),
        required=False,
        choices=[("", _("As usual for the kind")), *Sanction.Ladder.choices],
    )

    def __init__(self, *args: Any, fixed: str = "", **settings: Any) -> None:
        super().__init__(*args, **settings)
        self.fixed = fixed
        if fixed:
            del self.fields["kind"]
        for language, name in project.LANGUAGES:
            self.fields[f"name_{language}"] = forms.CharField(
                label=gettext("Name (%(language)s)") % {"language": name},
                max_length=LONGEST_KIND_NAME,
                required=False,
                widget=forms.TextInput(attrs={"lang": language, "dir": "auto"}),
            )
        names = [f"name_{one}" for one, _name in project.LANGUAGES]
        self.order_fields(["kind", *names, "offences", "deliberate", "ladder"])

    def clean(self) -> dict[str, Any]:
        said = super().clean() or self.cleaned_data
        if self.code and self.code not in KINDS and not self.names():
            self.add_error(
                "name_en",
                ValidationError(
                    gettext(
                        "No rule book has this kind, so it needs a name in at least one language."
                    ),
                    code="unnamed",
                ),
            )
        return said

    @property
    def code(self) -> str:
        return self.fixed or str(self.cleaned_data.get("kind", ""))

    def names(self) -> dict[str, str]:
        """Return the names that were given, by language."""
        codes = [one for one, _name in project.LANGUAGES]
        said = {one: self.cleaned_data.get(f"name_{one}", "").strip() for one in codes}
        return {language: name for language, name in said.items() if name}

    def penalty(self) -> dict[str, object]:
        """Return the kind as `set_own_penalties` takes it."""
        said = self.cleaned_data
        given = {
            "offences": said["offences"],
            "deliberate": said["deliberate"],
            "names": self.names(),
            "ladder": said["ladder"],
        }
        return {name: value for name, value in given.items() if value}

    @staticmethod
    def of(penalty: Penalty | None, own: OwnPenalty | None) -> dict[str, object]:
        """Return the initial values: what the event says, or the book it begins from."""
        said = own.penalty if own is not None else penalty
        initial: dict[str, object] = {}
        if said is not None:
            initial["offences"] = steps_in_lines(said.offences)
            initial["deliberate"] = steps_in_lines(said.deliberate)
        if own is not None:
            initial |= {f"name_{language}": name for language, name in own.names}
            initial["ladder"] = own.ladder
        return initial


def kind_choices(rules: Rules) -> list[tuple[str, str]]:
    """Return every kind of an event with its name in the reader's language."""
    kinds: Mapping[str, None] = dict.fromkeys((*KINDS, *(one.kind for one in rules.own)))
    return [(kind, kind_name(kind, rules.own)) for kind in kinds]
