"""Forms and fields for readers of several languages: own words, numbers, countries."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Iterator
from datetime import date
from functools import cache
from typing import Any, Final
from zoneinfo import available_timezones

from django import forms
from django.core import validators
from django.core.exceptions import ValidationError
from django.forms.renderers import BaseRenderer
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from engine.errors import DominoError, Phrase
from tournaments.countries import country_names
from tournaments.digits import local_digits, to_latin_digits
from tournaments.errors import fields as field_errors
from tournaments.errors.base import TextTooLong, explain


class OwnWords:
    """Says what is wrong with a field of a form itself: what was found, and what to do.

    A sentence a field brings along for itself stays; the framework's own are never shown.
    """

    fields: dict[str, forms.Field]

    def add_error(self, field: str | None, error: Any) -> None:
        of_one_field = isinstance(error, ValidationError) and not hasattr(error, "error_dict")
        if field in self.fields and of_one_field:
            bound = self[field]  # type: ignore[index]
            error = ValidationError([_in_own_words(one, bound) for one in error.error_list])
        super().add_error(field, error)  # type: ignore[misc]


class PlainForm(OwnWords, forms.Form):
    """A form of the project."""


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


# What a moment looks like where a form asks for one.
_MOMENT: Final = "2026-11-30 18:00"


def _framework_sentences() -> Iterator[Any]:
    """Yield every sentence the framework has for bad input, as it is marked."""
    for module in (forms.fields, forms.models):
        for _name, told in inspect.getmembers(module, inspect.isclass):
            yield from getattr(told, "default_error_messages", {}).values()
    for _name, told in inspect.getmembers(validators, inspect.isclass):
        yield getattr(told, "message", None)


# Whether a sentence is the framework's is told by the very object it marked.
_NOT_OURS: Final = {id(one): one for one in _framework_sentences() if one is not None}


def _in_own_words(error: ValidationError, bound: forms.BoundField) -> ValidationError:
    # This one the framework marks only as it says it.
    if id(error.message) not in _NOT_OURS and error.code != "ambiguous_timezone":
        return error
    refusal = _refusal(error, bound)
    return ValidationError(explain(refusal), code=refusal.code)


def _refusal(error: ValidationError, bound: forms.BoundField) -> DominoError:
    """Return our refusal for what the framework found wrong with a field."""
    field, sent, code = bound.field, bound.data, error.code
    if isinstance(field, forms.FileField):
        return _refused_file(field, sent, code)
    if code == "required":
        return _missing(field)
    if code in ("invalid_choice", "invalid_list"):
        params = error.params or {}
        return field_errors.NotOnTheList(found=params.get("value", sent))
    if code == "ambiguous_timezone":
        return field_errors.ClocksChange(found=sent)
    if code == "null_characters_not_allowed":
        return field_errors.UnstorableText()
    if code in ("min_value", "max_value", "step_size"):
        return field_errors.NumberOutOfRange(found=sent, expected=expected(field))
    text, limit = str(sent), getattr(field, code, None) if code else None
    if code == "max_length" and isinstance(limit, int):
        return TextTooLong(given=text[:30], found=len(text), limit=limit)
    if code == "min_length" and isinstance(limit, int):
        return field_errors.TextTooShort(given=text, limit=limit)
    return field_errors.WrongValue(found=sent, expected=expected(field))


def _missing(field: forms.Field) -> DominoError:
    if isinstance(field, forms.ChoiceField | forms.ModelChoiceField):
        return field_errors.NothingChosen()
    if isinstance(field, forms.BooleanField):
        return field_errors.NotTicked()
    return field_errors.FieldMissing(expected=expected(field))


def _refused_file(field: forms.FileField, sent: Any, code: str | None) -> DominoError:
    name = str(getattr(sent, "name", ""))
    if code == "empty":
        return field_errors.FileIsEmpty(name=name)
    if code == "max_length" and field.max_length is not None:
        return TextTooLong(given=name[:30], found=len(name), limit=field.max_length)
    return field_errors.FieldMissing(expected=expected(field))


def expected(field: forms.Field) -> Phrase:
    """Return what belongs into a field, as a phrase."""
    match field:
        case forms.IntegerField():
            return field_errors.whole_number(_number(field.min_value), _number(field.max_value))
        case forms.DateTimeField():
            return field_errors.moment(_MOMENT)
        case forms.DateField():
            return field_errors.day()
        case forms.FileField():
            return Phrase("a file")
        case forms.UUIDField():
            return field_errors.key()
        case forms.CharField():
            return field_errors.text_of(field.max_length)
        case _:
            return Phrase("a value that fits")


def _number(limit: object) -> int | None:
    # A limit may be worked out when the form is read; then it is not told.
    return limit if isinstance(limit, int) else None


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
