"""The sentences of the frameworks about bad input, to show that nobody is ever told them."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterator
from functools import cache
from typing import Any

from django.core import validators
from django.forms import fields as form_fields
from django.forms import models as form_models
from django.utils import translation
from django.utils.functional import Promise
from rest_framework import exceptions, fields, serializers

MODULES = (form_fields, form_models, fields, serializers, validators, exceptions)
PLACEHOLDER = re.compile(r"\\\{[^}]*\}")
# Each form of a plural in any of our languages is that of one of these.
NUMBERS = (1, 2, 3, 11, 100)


class Anything(dict[str, int]):
    """Fills any placeholder with the same number."""

    def __init__(self, number: int) -> None:
        super().__init__()
        self.number = number

    def __missing__(self, name: str) -> int:
        return self.number


def _messages(told: Any) -> Iterator[Any]:
    """Yield every sentence of a class, as it is marked."""
    for holder in ("default_error_messages", "messages"):
        found = getattr(told, holder, {})
        yield from found.values() if isinstance(found, dict) else ()
    for holder in ("message", "default_detail"):
        found = getattr(told, holder, None)
        # A lazy sentence with plural forms is no text yet.
        if isinstance(found, str | Promise):
            yield found


def _filled(marked: Any) -> Iterator[str]:
    for number in NUMBERS:
        try:
            text = str(marked % Anything(number))
        except (TypeError, ValueError, KeyError):
            yield re.escape(str(marked))
        else:
            yield re.escape(text).replace(str(number), ".*")


@cache
def patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Return what matches each of them in a language and in English, however it is filled."""
    found = set()
    for code in (language, "en"):
        with translation.override(code):
            for module in MODULES:
                for _name, told in inspect.getmembers(module, inspect.isclass):
                    for one in _messages(told):
                        found |= {PLACEHOLDER.sub(".*", text) for text in _filled(one)}
    return tuple(re.compile(text, re.DOTALL) for text in found if len(text) > 4)


def told_by_the_framework(message: str, language: str) -> bool:
    """Say whether a sentence, behind the name of its field, is one of the frameworks'."""
    bare = message.replace("\u2068", "").replace("\u2069", "")
    ends = [bare, *(bare[at.end() :] for at in re.finditer(": ", bare))]
    return any(one.fullmatch(end) for one in patterns(language) for end in ends)
