"""What taking a decision back changes: what there is now, and what there will be afterwards."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final, Protocol
from zoneinfo import ZoneInfo

from django.apps import apps
from django.db.models import Model
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.translation import gettext, gettext_noop

from tournaments.digits import local_digits
from tournaments.models import LogEntry
from tournaments.rules import rules_of, tie_break_label
from tournaments.words.log_effects import OWN, POLICY_NAMES, POLICY_WORDS, Phrase, profile_phrase


class Told(Protocol):
    """Where the sentences go."""

    def say(self, text: str, **params: object) -> None: ...


# What is told of, with what comes and goes with it and is not told apart.
_WITH: Final[Mapping[str, frozenset[str]]] = {
    "stage": frozenset({"stageentry", "pairinground", "match", "matchseat", "bye", "absence"}),
    "entry": frozenset({"entryplayer", "player", "club", "forbiddenmeeting"}),
    "match": frozenset({"pairinground", "matchseat", "bye"}),
    "absence": frozenset({"pairinground"}),
    "bye": frozenset({"pairinground"}),
    "official": frozenset(),
    "room": frozenset(),
    "player": frozenset({"rating", "club"}),
}
# Columns nobody reads: they follow from others, or are told in another way.
_SILENT: Final = frozenset(
    {
        *("folded_name", "folded_full_name", "check_in_code", "settings", "draw", "standings"),
        *("position", "score"),
    }
)
_ALSO: Final = (("pairinground", "starts_at"), ("pairinground", "minutes"))
_THERE_AND_THEN: Final = gettext_noop(
    "%(what)s, %(field)s: there is now %(now)s; afterwards there will be %(then)s."
)
_THERE_AND_THEN_HERE: Final = gettext_noop(
    "%(field)s: there is now %(now)s; afterwards there will be %(then)s."
)
_GOES: Final = gettext_noop("%(what)s is there now; afterwards it will not be there.")
_COMES: Final = gettext_noop("%(what)s is not there now; afterwards it will be there again.")
_USUAL: Final = Phrase(gettext_noop("what is usual"))
_NOTHING: Final = Phrase(gettext_noop("nothing"))


class _Label:
    """The name of a column in the reader's language; as a sentence begins where it `begins` one."""

    def __init__(self, label: object, begins: bool) -> None:
        self._label, self._begins = label, begins

    def __str__(self) -> str:
        label = gettext(self._label) if isinstance(self._label, str) else str(self._label)
        return capfirst(label) if self._begins else label


def say(line: LogEntry, rows: Mapping[str, Any], told: Told) -> None:
    """Say what putting the rows of a line back will change."""
    own = OWN.get(line.act)
    if own is not None:
        told.say(own, **{"stage": "–", "round": "–", "table": "–", **_details(line)})
        return
    for label, pk, before, _ in rows["changed"]:
        one = apps.get_model(label)._base_manager.filter(pk=pk).first()
        if one is not None:
            _say_changed(line, one, before, told)
    for text, some in ((_GOES, _made(rows)), (_COMES, _gone(rows))):
        listed = list(some)
        models = {str(one._meta.model_name) for one in listed}
        silent = frozenset().union(*(_WITH[name] for name in models & _WITH.keys()))
        for one in listed:
            if one._meta.model_name in _WITH and one._meta.model_name not in silent:
                told.say(text, what=named(one._meta.label_lower, one.pk, one))


def named(label: str, pk: int, one: Model | None) -> Phrase | str:
    """Name a row in words: a table by its number, an entry by its own name and so on."""
    if one is None:
        return Phrase(
            gettext_noop("%(kind)s that is gone"),
            {"kind": apps.get_model(label)._meta.verbose_name},
        )
    match one._meta.model_name:
        case "entry":
            return _phrase(gettext_noop("Entry %(number)s, “%(name)s”"), one, "number", "name")
        case "room":
            text = gettext_noop("Room %(name)s with tables %(first_table)s to %(last_table)s")
            return _phrase(text, one, "name", "first_table", "last_table")
        case "official":
            who, duty = one.user.username, one.get_duty_display()  # type: ignore[attr-defined]
            return Phrase(gettext_noop("%(duty)s: %(who)s"), {"who": who, "duty": duty})
        case "stage":
            stage = one.title  # type: ignore[attr-defined]
            return Phrase(gettext_noop("Stage %(stage)s"), {"stage": stage})
        case "pairinground":
            return Phrase(gettext_noop("Round %(round)s of %(stage)s"), _round(one))
        case "match":
            said = {"table": one.table, **_round(one.pairing_round)}  # type: ignore[attr-defined]
            return Phrase(gettext_noop("Table %(table)s in round %(round)s of %(stage)s"), said)
        case "absence" | "bye" | "stageentry" | "matchseat" | "entryplayer":
            name = one.entry.name  # type: ignore[attr-defined]
            kind = one._meta.verbose_name
            return (
                Phrase(gettext_noop("%(kind)s of “%(name)s”"), {"kind": _kind(one), "name": name})
                if kind
                else name
            )
        case "player":
            return _phrase(gettext_noop("Player %(name)s"), one, "name")
    return str(one._meta.verbose_name)


def _kind(one: Model) -> Phrase:
    kinds = {
        "absence": gettext_noop("Absence"),
        "bye": gettext_noop("Bye"),
        "stageentry": gettext_noop("Place in a stage"),
        "matchseat": gettext_noop("Seat"),
        "entryplayer": gettext_noop("Place in the line-up"),
    }
    return Phrase(kinds[str(one._meta.model_name)])


def _phrase(text: str, one: Model, *names: str) -> Phrase:
    return Phrase(text, {name: getattr(one, name) for name in names})


def _round(one: Any) -> dict[str, object]:
    return {"round": one.number, "stage": one.stage.title}


def _details(line: LogEntry) -> dict[str, object]:
    stage = line.details.get("stage_number")
    found = line.tournament.stages.filter(number=stage).first() if stage else None
    return {**line.details, **({"stage": found.title} if found else {})}


def _made(rows: Mapping[str, Any]) -> Iterable[Model]:
    for label, pks in rows["made"].items():
        yield from apps.get_model(label)._base_manager.filter(pk__in=pks)


def _gone(rows: Mapping[str, Any]) -> Iterable[Model]:
    for label, row in rows["gone"]:
        model = apps.get_model(label)
        names = {field.attname for field in model._meta.concrete_fields}
        yield model(**{name: value for name, value in row.items() if name in names | {"pk"}})


def _say_changed(line: LogEntry, one: Model, before: Mapping[str, Any], told: Told) -> None:
    model = one._meta.model_name
    here = model == "tournament"
    for name, then in before.items():
        if name in _SILENT or not (here or model in _WITH or (model, name) in _ALSO):
            continue
        field = next(f for f in one._meta.concrete_fields if f.attname == name)
        now = getattr(one, name)
        pairs: Iterable[tuple[object, object, object]] = [(field.verbose_name, now, then)]
        if name == "policies":
            names = [key for key in {**now, **then} if now.get(key) != then.get(key)]
            pairs = [(POLICY_NAMES.get(key, key), now.get(key), then.get(key)) for key in names]
        for label, present, later in pairs:
            said = {
                "field": _Label(label, here),
                "now": _value(line, field, present),
                "then": _value(line, field, later),
            }
            if here:
                told.say(_THERE_AND_THEN_HERE, **said)
            else:
                what = named(one._meta.label_lower, one.pk, one)
                told.say(_THERE_AND_THEN, what=what, **said)


def _value(line: LogEntry, field: Any, value: Any) -> object:
    """Return what a column holds as its readers have it."""
    if isinstance(value, bool):
        return Phrase(gettext_noop("yes") if value else gettext_noop("no"))
    if value is None or value in ("", [], {}):
        return _USUAL if field.attname == "policies" else _NOTHING
    if field.attname == "rules":
        return profile_phrase(rules_of_json(line, value))
    if field.attname == "tie_breaks":
        return [tie_break_label(one) for one in value]
    if field.is_relation:
        found = field.related_model._base_manager.filter(pk=value).first()
        return str(found) if found is not None else _NOTHING
    if field.choices:
        return dict(field.flatchoices).get(value, value)
    if field.get_internal_type() == "DateTimeField":
        moment = value if isinstance(value, datetime) else datetime.fromisoformat(value)
        there = timezone.localtime(moment, ZoneInfo(line.tournament.time_zone))
        return local_digits(date_format(there, "SHORT_DATETIME_FORMAT"))
    if field.get_internal_type() == "DateField":
        return local_digits(date_format(field.to_python(value), "DATE_FORMAT"))
    if isinstance(value, str) and value in POLICY_WORDS and field.attname == "policies":
        return Phrase(POLICY_WORDS[value])
    if isinstance(value, dict):
        return [Phrase("%(name)s: %(value)s", {"name": one, "value": value[one]}) for one in value]
    return value


def rules_of_json(line: LogEntry, value: Mapping[str, Any]) -> Any:
    """Return frozen rules as they are read from an event."""
    event = line.tournament
    event.rules = dict(value)
    return rules_of(event)
