"""Forms of the director's pages about people: entries, duties, accounts."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.digits import to_latin_digits
from tournaments.fields import CountryField, SuggestingInput, WholeNumberField
from tournaments.models import Entry, Official
from tournaments.services.entries import PlayerData


def _name_field(label: Any, *, required: bool = True) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=120,
        required=required,
        error_messages={"required": _("The name is missing. Write the name of the player.")},
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


class EntryForm(forms.Form):
    """One entry by hand. What is seldom needed stands in `more_fields`."""

    player1 = _name_field(_("Player 1"))
    player2 = _name_field(_("Player 2"))
    club = forms.CharField(
        label=_("Club"),
        required=False,
        max_length=120,
        widget=SuggestingInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    country = CountryField(label=_("Country"))
    seed = WholeNumberField(
        label=_("Seed"),
        required=False,
        min_value=1,
        max_value=100_000,
        help_text=_("Left empty, the newest entry has the last seed."),
        error_messages={"invalid": _("A seed is a whole number, 1 for the strongest.")},
    )
    name = forms.CharField(
        label=_("Name of the pair"),
        required=False,
        max_length=250,
        help_text=_("Left empty, the pair bears the names of its players."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    number1 = forms.CharField(label=_("Number of player 1"), required=False, max_length=32)
    number2 = forms.CharField(label=_("Number of player 2"), required=False, max_length=32)
    latin1 = _name_field(_("Player 1 in Latin letters"), required=False)
    latin2 = _name_field(_("Player 2 in Latin letters"), required=False)

    FIRST = ("player1", "player2", "club")

    def __init__(self, *given: Any, kind: str, clubs: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(*given, **settings)
        self.kind = kind
        if kind == Entry.Kind.SINGLE:
            for one in ("player2", "number2", "latin2", "name"):
                del self.fields[one]
            self.fields["player1"].label = _("Player")
            self.fields["number1"].label = _("Federation number")
            self.fields["latin1"].label = _("Name in Latin letters")
        widget = self.fields["club"].widget
        if isinstance(widget, SuggestingInput):
            widget.suggestions = tuple(clubs)

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.FIRST if name in self.fields]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name not in self.FIRST]

    @property
    def more_is_used(self) -> bool:
        return any(field.value() or field.errors for field in self.more_fields)

    def entry(self) -> dict[str, Any]:
        """Return the keywords of the service."""
        cleaned = self.cleaned_data
        players = tuple(
            PlayerData(
                name=cleaned[f"player{n}"],
                latin_name=cleaned[f"latin{n}"],
                club=cleaned["club"],
                country=cleaned["country"],
                number=to_latin_digits(cleaned[f"number{n}"]),
            )
            for n in (1, 2)
            if f"player{n}" in self.fields
        )
        return {
            "players": players,
            "name": cleaned.get("name", ""),
            "club": cleaned["club"],
            "seed": cleaned["seed"],
        }


class EntryChangeForm(forms.Form):
    """What can be corrected about an entry."""

    name = forms.CharField(
        label=_("Name of the entry"),
        max_length=250,
        error_messages={"required": _("The entry has no name. Write one.")},
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    club = forms.CharField(
        label=_("Club"),
        required=False,
        max_length=120,
        widget=SuggestingInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    seed = WholeNumberField(
        label=_("Seed"),
        min_value=1,
        max_value=100_000,
        error_messages={"required": _("The seed is missing. Write a number, 1 for the strongest.")},
    )

    def __init__(self, *given: Any, clubs: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(*given, **settings)
        widget = self.fields["club"].widget
        if isinstance(widget, SuggestingInput):
            widget.suggestions = tuple(clubs)


class DutyForm(forms.Form):
    """What somebody does at an event."""

    username = forms.CharField(
        label=_("User name"),
        max_length=150,
        error_messages={"required": _("The user name is missing. Write it.")},
        widget=forms.TextInput(
            attrs={"dir": "ltr", "autocomplete": "off", "autocapitalize": "none"}
        ),
    )
    duty = forms.ChoiceField(
        label=_("Duty"), choices=Official.Duty.choices, initial=Official.Duty.REFEREE
    )
    table = WholeNumberField(
        label=_("Table"),
        required=False,
        min_value=1,
        help_text=_("For a scorer of one table only."),
    )


class AccountForm(DutyForm):
    """A new account for somebody who has none yet."""

    full_name = forms.CharField(
        label=_("Name"),
        required=False,
        max_length=150,
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )
    field_order = ("full_name", "username", "duty", "table")
