"""The engine's tables as the recording page takes them: its own rules run on the same data."""

from __future__ import annotations

import inspect
from typing import Any

from django.utils.translation import gettext

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


def refusal_texts() -> dict[str, str]:
    """Return the sentence of each refusal of the engine, in the reader's language, by its class."""
    return {
        name: gettext(one.text)
        for name, one in inspect.getmembers(errors, inspect.isclass)
        if issubclass(one, Refusal) and one is not Refusal
    }
