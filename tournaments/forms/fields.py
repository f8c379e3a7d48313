"""Fields of forms for readers of several languages: numbers, countries, suggestions."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from functools import cache
from typing import Any
from zoneinfo import available_timezones

from django import forms
from django.forms.renderers import BaseRenderer
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from tournaments.countries import country_names
from tournaments.digits import local_digits, to_latin_digits


class WholeNumberField(forms.IntegerField):
    """A whole number in digits of any of our languages; keyboards of phones show digits."""

    widget = forms.TextInput

    def __init__(self, **settings: Any) -> None:
        settings.setdefault(
            "widget", forms.TextInput(attrs={"inputmode": "numeric", "dir": "ltr", "size": 6})
        )
        super().__init__(**settings)

    def to_python(self, value: object) -> int | None:
        if isinstance(value, str):
            value = to_latin_digits(value.strip())
        return super().to_python(value)

    def prepare_value(self, value: object) -> object:
        return local_digits(value) if isinstance(value, int) else value


class DayField(forms.DateField):
    """A day, chosen or written like 2026-11-30, in digits of any of our languages."""

    def to_python(self, value: Any) -> date | None:
        if isinstance(value, str):
            value = to_latin_digits(value.strip())
        return super().to_python(value)


class CountryField(forms.ChoiceField):
    """A country by its name in the reader's language."""

    def __init__(self, **settings: Any) -> None:
        super().__init__(choices=lazy(_country_choices, list)(), required=False, **settings)


class SuggestingInput(forms.TextInput):
    """A text field whose suggestions stand in a `<datalist>` beside it."""

    def __init__(self, suggestions: Iterable[str] = (), **settings: Any) -> None:
        super().__init__(**settings)
        self.suggestions = tuple(suggestions)

    def render(
        self,
        name: str,
        value: Any,
        attrs: dict[str, Any] | None = None,
        renderer: BaseRenderer | None = None,
    ) -> SafeString:
        list_id = f"{(attrs or {}).get('id', name)}_suggestions"
        field = super().render(name, value, {**(attrs or {}), "list": list_id}, renderer)
        options = format_html_join("", '<option value="{}">', ((one,) for one in self.suggestions))
        return format_html('{}<datalist id="{}">{}</datalist>', field, list_id, options)


def _country_choices() -> list[tuple[str, str]]:
    names = country_names((get_language() or "en").partition("-")[0])
    return [("", gettext("Not said")), *names.items()]


@cache
def time_zones() -> tuple[str, ...]:
    """Return the names of time zones that are places, in order."""
    return tuple(
        sorted(
            name
            for name in available_timezones()
            if "/" in name and not name.startswith(("Etc/", "SystemV/", "US/", "posix", "right"))
        )
    )
