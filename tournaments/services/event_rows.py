"""Rows from the values of an event file, each value held to its field; nothing is stored here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeVar

from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Model

from engine.errors import shown
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Bye, Entry, Player
from tournaments.services import event_shapes
from tournaments.services.event_file import FIELDS

Row = TypeVar("Row", bound=Model)
# What files written before it was kept do not have; then it is what is usual.
_LATER: Final = frozenset(
    {
        (Bye, "worth"),
        (Player, "full_name"),
        (Player, "full_latin_name"),
        (Entry, "full_name"),
    }
)
_TYPES: tuple[tuple[type[models.Field[Any, Any]], type, str], ...] = (
    (models.BooleanField, bool, "true or false"),
    (models.IntegerField, int, "a whole number"),
    (models.DateField, str, "a moment or a day (ISO 8601)"),
    (models.CharField, str, "a text"),
)


def objects(
    given: Mapping[str, object], name: str, at: str = ""
) -> Iterable[tuple[str, Mapping[str, object]]]:
    """Return each object of a list with its path."""
    path = f"{at}.{name}" if at else name
    for place, one in enumerate(list_at(given.get(name), path)):
        yield f"{path}[{place}]", object_at(one, f"{path}[{place}]")


def row_of(model: type[Row], given: Mapping[str, object], at: str, **fixed: object) -> Row:
    """Return a row, not stored yet, from the fields of the file."""
    values = {
        name: value_of(model, name, given.get(name), f"{at}.{name}")
        for name in FIELDS[model]
        if name in given or (model, name) not in _LATER
    }
    return model(**values, **fixed)


def value_of(model: type[Model], name: str, value: object, at: str) -> Any:
    """Return what a field holds; its own checks and its shape say what it may be."""
    field = model._meta.get_field(name)
    assert isinstance(field, models.Field)
    expected = next((word for kind, _, word in _TYPES if isinstance(field, kind)), "a value")
    if value is not None:
        kind = next((kind for one, kind, _ in _TYPES if isinstance(field, one)), None)
        if kind is not None and type(value) is not kind:
            raise BadRequest(path=at, expected=expected, found=shown(value))
    elif not field.null:
        raise BadRequest(path=at, expected=expected, found="null")
    if value is not None or isinstance(field, models.JSONField):
        event_shapes.check(model, name, value, at)
    if isinstance(field, models.JSONField):
        return value
    if isinstance(field, models.DateTimeField) and value is not None:
        event_shapes.moment(value, at)
    if isinstance(value, str):
        event_shapes.text()(value, at)
    if value == "" and isinstance(field, models.CharField) and (field.blank or field.has_default()):
        return value
    try:
        return field.clean(value, None)
    except ValidationError as error:
        told = "; ".join(error.messages)
        raise BadRequest(path=at, expected=f"{expected} ({told})", found=shown(value)) from None
