"""Forms of the director's pages about people: entries, duties, accounts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from django import forms
from django.utils.translation import gettext_lazy as _

from tournaments.digits import local_digits, to_latin_digits
from tournaments.forms.fields import CountryField, PlainForm, SuggestingInput, WholeNumberField
from tournaments.models import Entry, Official
from tournaments.services.entries import LARGEST_TEAM, PlayerData

MOST_PLAYERS: Final[Mapping[str, int]] = {"single": 1, "pair": 2, "team": LARGEST_TEAM}


def _name_field(label: Any, *, required: bool = True) -> forms.CharField:
    return forms.CharField(
        label=label,
        max_length=120,
        required=required,
        error_messages={"required": _("The name is missing. Write the name of the player.")},
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


def _minor_field(label: Any) -> forms.BooleanField:
    return forms.BooleanField(
        label=label,
        required=False,
        help_text=_("Everybody but the officials reads the given name and an initial."),
    )


def _numbered(label: Any, n: int) -> str:
    return str(label) % {"number": local_digits(n)}


def _number_field(label: Any) -> forms.CharField:
    return forms.CharField(
        label=label,
        required=False,
        max_length=32,
        widget=forms.TextInput(attrs={"dir": "ltr", "autocomplete": "off"}),
    )


def _pair_name() -> forms.CharField:
    return forms.CharField(
        label=_("Name of the pair"),
        required=False,
        max_length=250,
        help_text=_("Left empty, the pair bears the names of its players."),
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )


def _team_name() -> forms.CharField:
    return forms.CharField(
        label=_("Name of the team"),
        max_length=250,
        error_messages={"required": _("The team has no name. Write it.")},
        widget=forms.TextInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


def _club_field() -> forms.CharField:
    return forms.CharField(
        label=_("Club"),
        required=False,
        max_length=120,
        widget=SuggestingInput(attrs={"dir": "auto", "autocomplete": "off"}),
    )


def category_field(categories: Iterable[str], *, required: bool = False) -> forms.ChoiceField:
    """Return the choice among an event's categories."""
    return forms.ChoiceField(
        label=_("Category"),
        required=required,
        choices=[("", _("Not said")), *((one, one) for one in categories)],
        error_messages={"required": _("No category is chosen. Choose one.")},
    )


def _suggest_clubs(form: forms.Form, clubs: Iterable[str]) -> None:
    """Fill the list beside the club's field."""
    widget = form.fields["club"].widget
    if isinstance(widget, SuggestingInput):
        widget.suggestions = tuple(clubs)


class EntryForm(PlainForm):
    """One entry by hand. What is seldom needed stands in `more_fields`."""

    club = _club_field()
    country = CountryField(label=_("Country"))
    seed = WholeNumberField(
        label=_("Seed"),
        required=False,
        min_value=1,
        max_value=100_000,
        help_text=_("Left empty, the newest entry has the last seed."),
        error_messages={"invalid": _("A seed is a whole number, 1 for the strongest.")},
    )

    def __init__(
        self,
        *given: Any,
        kind: str,
        bench: int | None = None,
        clubs: Iterable[str] = (),
        categories: Iterable[str] = (),
        **settings: Any,
    ) -> None:
        super().__init__(*given, **settings)
        most = MOST_PLAYERS[kind]
        if kind == Entry.Kind.TEAM and bench is not None:
            most = 2 + bench
        self.places = range(1, most + 1)
        if chosen := tuple(categories):
            self.fields["category"] = category_field(chosen)
        if kind == Entry.Kind.SINGLE:
            self._ask_for_one()
        else:
            self._ask_for_several(kind)
        self.first = [
            *(["name"] if kind == Entry.Kind.TEAM else []),
            *self._named("player"),
            "club",
            *(["category"] if "category" in self.fields else []),
        ]
        self.order_fields(self.first)
        _suggest_clubs(self, clubs)

    def _ask_for_one(self) -> None:
        self.fields["player1"] = _name_field(_("Player"))
        self.fields["number1"] = _number_field(_("Federation number"))
        self.fields["latin1"] = _name_field(_("Name in Latin letters"), required=False)
        self.fields["minor1"] = _minor_field(_("A minor: shorten the name in public"))

    def _ask_for_several(self, kind: str) -> None:
        """Ask for two players; a team may have more, but needs a name of its own."""
        self.fields["name"] = _team_name() if kind == Entry.Kind.TEAM else _pair_name()
        for n in self.places:
            label = _numbered(_("Player %(number)s"), n)
            self.fields[f"player{n}"] = _name_field(label, required=n <= 2)
        for n in self.places:
            self.fields[f"number{n}"] = _number_field(
                _numbered(_("Number of player %(number)s"), n)
            )
        for n in self.places:
            label = _numbered(_("Player %(number)s in Latin letters"), n)
            self.fields[f"latin{n}"] = _name_field(label, required=False)
        for n in self.places:
            label = _numbered(_("Player %(number)s is a minor: shorten the name in public"), n)
            self.fields[f"minor{n}"] = _minor_field(label)

    def _named(self, what: str) -> list[str]:
        return [f"{what}{n}" for n in self.places]

    @property
    def first_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.first]

    @property
    def more_fields(self) -> list[forms.BoundField]:
        return [
            self[name]
            for name in self.fields
            if name not in self.first and not self[name].is_hidden
        ]

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
                is_minor=cleaned[f"minor{n}"],
            )
            for n in self.places
            if cleaned[f"player{n}"]
        )
        return {
            "players": players,
            "name": cleaned.get("name", ""),
            "club": cleaned["club"],
            "seed": cleaned["seed"],
            "category": cleaned.get("category", ""),
        }


class PlayerForm(PlainForm):
    """What is known of a player."""

    name = _name_field(_("Name"))
    latin_name = _name_field(_("Name in Latin letters"), required=False)
    club = _club_field()
    country = CountryField(label=_("Country"))
    number = _number_field(_("Federation number"))
    is_minor = _minor_field(_("A minor: shorten the name in public"))

    def __init__(self, *given: Any, clubs: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(*given, **settings)
        _suggest_clubs(self, clubs)

    def written(self) -> PlayerData:
        """Return the player as the service takes it."""
        fields = ("name", "latin_name", "club", "country", "number", "is_minor")
        return PlayerData(**{name: self.cleaned_data[name] for name in fields})


class CorrectedPlayerForm(PlayerForm):
    """What is known of a player, with the other ways the name is written."""

    other_names = forms.CharField(
        label=_("Also written"),
        required=False,
        help_text=_("One on each line. Lists and searches find the person by these, too."),
        widget=forms.Textarea(attrs={"rows": 3, "dir": "auto"}),
    )

    def spellings(self) -> list[str]:
        """Return the other ways the name is written."""
        return str(self.cleaned_data["other_names"]).splitlines()


class EntryChangeForm(PlainForm):
    """What can be corrected about an entry."""

    name = forms.CharField(
        label=_("Name of the entry"),
        max_length=250,
        error_messages={"required": _("The entry has no name. Write one.")},
        widget=forms.TextInput(attrs={"dir": "auto"}),
    )
    club = _club_field()
    seed = WholeNumberField(
        label=_("Seed"),
        min_value=1,
        max_value=100_000,
        error_messages={"required": _("The seed is missing. Write a number, 1 for the strongest.")},
    )

    def __init__(
        self,
        *given: Any,
        clubs: Iterable[str] = (),
        categories: Iterable[str] = (),
        **settings: Any,
    ) -> None:
        super().__init__(*given, **settings)
        if chosen := tuple(categories):
            self.fields["category"] = category_field(chosen)
        _suggest_clubs(self, clubs)


class DutyForm(PlainForm):
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
