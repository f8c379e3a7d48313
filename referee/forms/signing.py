"""What sides, the desk and readers of paper type: a PIN, a reason, a control code."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from referee.models.signing import LONGEST_REASON
from tournaments.digits import local_digits
from tournaments.forms.fields import PlainForm
from tournaments.models import Entry, MatchSeat

_DIGITS = {"inputmode": "numeric", "autocomplete": "off", "dir": "ltr", "size": 8}


class PinForm(PlainForm):
    """A side signs by its PIN."""

    how = forms.CharField(widget=forms.HiddenInput, initial="pin", max_length=10)
    side = forms.CharField(widget=forms.HiddenInput, max_length=10)
    pin = forms.CharField(
        label=gettext_lazy("PIN of the side"),
        max_length=20,
        widget=forms.PasswordInput(attrs=_DIGITS),
    )


class RefusingForm(PlainForm):
    """A side does not sign; the referee notes why."""

    how = forms.CharField(widget=forms.HiddenInput, initial="refused", max_length=10)
    side = forms.CharField(widget=forms.HiddenInput, max_length=10)
    reason = forms.CharField(
        label=gettext_lazy("Why the side refuses to sign"), max_length=LONGEST_REASON, strip=True
    )


class SetPinForm(PlainForm):
    """The desk sets the PIN of an entry, as its players choose it."""

    entry = forms.ChoiceField(label=gettext_lazy("Entry"))
    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        help_text=gettext_lazy("4 to 6 digits, typed by the players themselves."),
        max_length=20,
        widget=forms.PasswordInput(attrs=_DIGITS),
    )

    def __init__(self, *args: Any, entries: list[Entry], **settings: Any) -> None:
        super().__init__(*args, **settings)
        field = self.fields["entry"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [
            (str(one.number), f"{local_digits(one.number)} · {one.name}") for one in entries
        ]


class OwnPinForm(PlainForm):
    """Players choose the PIN of their entry, at the seat where one of them sits."""

    seat = forms.ChoiceField(label=gettext_lazy("Where do you sit?"))
    pin = forms.CharField(
        label=gettext_lazy("PIN"),
        help_text=gettext_lazy("4 to 6 digits that only your side knows."),
        max_length=20,
        widget=forms.PasswordInput(attrs=_DIGITS),
    )

    def __init__(self, *args: Any, seats: list[MatchSeat], **settings: Any) -> None:
        super().__init__(*args, **settings)
        field = self.fields["seat"]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [(one.seat, f"{one.seat} · {one.player.name}") for one in seats]


class CodeForm(PlainForm):
    """A control code from paper."""

    code = forms.CharField(
        label=gettext_lazy("Control code"),
        max_length=60,
        widget=forms.TextInput(
            attrs={"dir": "ltr", "autocapitalize": "characters", "autocomplete": "off"}
        ),
    )
