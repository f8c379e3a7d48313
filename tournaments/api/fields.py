"""Fields that cannot be read: where each stands, its code, and a sentence of our own.

The framework says that a value is wrong; what was found and what belongs there is said here, from
the field and the value themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rest_framework import serializers, status
from rest_framework.exceptions import APIException, ErrorDetail, ValidationError

from engine.errors import DominoError, Phrase
from tournaments.errors import fields as field_errors
from tournaments.errors.base import TextTooLong, apart, explain

_MISSING = object()
_NOTHING = frozenset({"required", "null", "blank", "no_name"})
_OUT_OF_RANGE = frozenset({"min_value", "max_value", "max_string_length", "overflow"})
_UNSTORABLE = frozenset({"null_characters_not_allowed", "surrogate_characters_not_allowed"})
# What else the framework says about a value of the wrong kind; any other code is our own.
_WRONG = frozenset(
    {
        "invalid",
        "not_a_list",
        "not_a_dict",
        "date",
        "datetime",
        "make_aware",
        "invalid_unicode",
        "not_a_string",
    }
)


@dataclass(frozen=True, slots=True)
class Problem:
    """One field that cannot be read; `field` is its path, such as `players[0].name`."""

    field: str
    code: str
    message: str

    def json(self) -> dict[str, str]:
        return {"field": self.field, "code": self.code, "message": self.message}


class FieldsRefused(APIException):
    """What was sent has fields that cannot be read; `problems` has one for each."""

    status_code = status.HTTP_400_BAD_REQUEST

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__()
        self.problems = tuple(problems)


def read_as(shape: serializers.Serializer[Any], sent: object) -> dict[str, Any]:
    """Return what was sent as `shape` describes it; raises `FieldsRefused`."""
    try:
        read: dict[str, Any] = shape.run_validation(sent)
    except ValidationError as refused:
        raise FieldsRefused(list(problems(refused.detail, shape, sent))) from None
    return read


def problems(
    errors: object, field: Any = None, sent: object = _MISSING, path: str = ""
) -> Iterator[Problem]:
    """Yield what the framework found wrong with `sent`, read by `field`, in our sentences."""
    if isinstance(errors, Mapping):
        for name, inner in errors.items():
            if name == "non_field_errors":
                yield from problems(inner, field, sent, path)
            else:
                yield from problems(inner, *_inside(field, sent, path, name))
    elif isinstance(errors, list | tuple):
        for place, one in enumerate(errors):
            if isinstance(one, ErrorDetail | str):
                yield _problem(one, field, sent, path)
            else:
                yield from problems(one, *_inside(field, sent, path, place))


def _inside(field: Any, sent: Any, path: str, name: Any) -> tuple[Any, Any, str]:
    """Return the field, the value and the path of one part of what was sent."""
    child = getattr(field, "child", None)
    if child is None:
        child = getattr(field, "fields", {}).get(name)
    if isinstance(sent, Mapping):
        value = sent.get(name, _MISSING)
    elif isinstance(sent, list | tuple) and isinstance(name, int) and name < len(sent):
        value = sent[name]
    else:
        value = _MISSING
    if isinstance(name, int):
        return child, value, f"{path}[{name}]"
    return child, value, f"{path}.{name}" if path else str(name)


def _problem(detail: ErrorDetail | str, field: Any, sent: Any, path: str) -> Problem:
    code = getattr(detail, "code", "invalid")
    refusal = _refusal(code, field, sent)
    said = str(detail) if refusal is None else explain(refusal)
    if path:
        # The name of a field is the same in every language, and keeps its direction.
        said = f"{apart(path)}: {said}"
    return Problem(path, code if refusal is None else refusal.code, said)


def _refusal(code: str, field: Any, sent: Any) -> DominoError | None:
    """Return our refusal for what the framework calls `code`; None where it is ours already."""
    if field is None:
        return None
    if code in _NOTHING or (code == "empty" and not isinstance(field, serializers.FileField)):
        return field_errors.FieldMissing(expected=expected(field))
    if code == "empty":
        return field_errors.FileIsEmpty(name=getattr(sent, "name", ""))
    if code in _UNSTORABLE:
        return field_errors.UnstorableText()
    if code == "invalid_choice":
        return field_errors.NotAChoice(found=sent, choices=_choices(field))
    if code in _OUT_OF_RANGE:
        return field_errors.NumberOutOfRange(found=sent, expected=expected(field))
    if code in ("min_length", "max_length"):
        return _wrong_length(code, field, sent)
    if code in _WRONG:
        return field_errors.WrongValue(found=sent, expected=expected(field))
    return None


def _wrong_length(code: str, field: Any, sent: Any) -> DominoError | None:
    longest, shortest = _limit(field, "max_length"), _limit(field, "min_length")
    if isinstance(sent, str) and code == "max_length" and longest is not None:
        return TextTooLong(given=sent[:30], found=len(sent), limit=longest)
    if isinstance(sent, str) and shortest is not None:
        return field_errors.TextTooShort(given=sent, limit=shortest)
    if isinstance(sent, list) and code == "max_length" and longest is not None:
        return field_errors.TooManyGiven(found=len(sent), limit=longest)
    if isinstance(sent, list) and shortest is not None:
        return field_errors.TooFewGiven(found=len(sent), limit=shortest)
    return field_errors.WrongValue(found=sent, expected=expected(field))


def _limit(field: Any, name: str) -> int | None:
    found = getattr(field, name, None)
    return found if isinstance(found, int) else None


def _choices(field: Any) -> list[str]:
    return [str(one) for one in field.choices if one != ""]


def expected(field: Any) -> Phrase:
    """Return what belongs into a field of the API, as a phrase."""
    match field:
        case serializers.ChoiceField():
            return Phrase("one of %(choices)s", choices=_choices(field))
        case serializers.BooleanField():
            return Phrase("true or false")
        case serializers.IntegerField():
            return field_errors.whole_number(field.min_value, field.max_value)
        case serializers.DateTimeField():
            return field_errors.moment("2026-11-30T18:00:00Z")
        case serializers.DateField():
            return field_errors.day()
        case serializers.UUIDField():
            return field_errors.key()
        case serializers.SlugField():
            return Phrase("Latin letters, digits, hyphens and underscores")
        case serializers.RegexField():
            return Phrase("a word of small Latin letters, digits and underscores")
        case serializers.FileField():
            return Phrase("a file")
        case serializers.CharField():
            return field_errors.text_of(_limit(field, "max_length"))
        case serializers.ListField() | serializers.ListSerializer():
            return Phrase("a list")
        case _:
            return Phrase("an object with named fields")
