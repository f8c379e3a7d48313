"""The engine's tables as the recording page takes them: its own rules run on the same data."""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

from babel import Locale
from django.utils.translation import get_language, gettext, ngettext

from engine import errors
from engine.errors import Refusal
from engine.options import OPTIONS
from engine.penalties import Schedule, Steps
from engine.profiles import PROFILES, Rules

Json = dict[str, Any]


def tables() -> Json:
    """Return every profile and option, as `static/referee/rules/reading.js` reads documents."""
    return {
        "profiles": {
            one.key: {
                "profile": one.key,
                "version": one.version,
                "players": list(one.players),
                "partnership": one.partnership,
                "elimination": one.elimination,
                "target": one.target,
                "options": dict(one.options),
                "schedule": schedule_table(one.schedule),
            }
            for one in PROFILES.values()
        },
        "options": {
            one.name: {
                "choices": [value for value, _ in one.choices],
                "lowest": one.lowest,
                "highest": one.highest,
            }
            for one in OPTIONS
        },
    }


def rules_table(rules: Rules) -> Json:
    """Return the settled rules of one table, as `static/referee/rules/match.js` takes them."""
    return {
        "profile": rules.profile,
        "elimination": rules.elimination,
        "target": rules.target,
        "options": rules.options,
        "schedule": schedule_table(rules.schedule),
    }


def schedule_table(schedule: Schedule) -> dict[str, dict[str, list[list[Any]]]]:
    """Return kind of infraction to its steps, measures written as in the record."""
    return {
        kind: {"offences": _steps(one.offences), "deliberate": _steps(one.deliberate)}
        for kind, one in schedule.penalties.items()
    }


def _steps(steps: Steps) -> list[list[str | dict[str, Any]]]:
    return [[measure.json() for measure in step] for step in steps]


# Far enough to meet every category of number a language counts small amounts by.
_FURTHEST = 120


@cache
def _categories(language: str) -> dict[str, int]:
    """Return how the page counts in a language (`Intl.PluralRules`): a number of each category."""
    category = Locale.parse(language, sep="-").plural_form
    first: dict[str, int] = {}
    for number in (1, 2, 0, *range(3, _FURTHEST)):
        first.setdefault(category(number), number)
    return first


def refusal_texts() -> dict[str, str]:
    """Return the sentence of each refusal of the engine, in the reader's language, by its class.

    One that counts is there once a category of number: `MustDraw.one`, `MustDraw.other`; its name
    by itself says which of the values that fill it is counted.
    """
    texts: dict[str, str] = {}
    categories = _categories(get_language() or "en")
    for name, one in inspect.getmembers(errors, inspect.isclass):
        if not issubclass(one, Refusal) or one is Refusal:
            continue
        if not one.plural:
            texts[name] = gettext(one.text)
            continue
        texts[name] = one.counts
        for category, number in categories.items():
            texts[f"{name}.{category}"] = ngettext(one.text, one.plural, number)
    return texts
