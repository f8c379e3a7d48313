"""JSON as the API reads it: only what every database and every answer can hold."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


class Unreadable(ParseError):
    """What was sent cannot be read; the sentence is ours, in the reader's language."""


class PlainJSONParser(JSONParser):
    """JSON, but no nesting without end, no half of a character and no NUL."""

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        sent = stream.read()
        try:
            read: Any = super().parse(io.BytesIO(sent), media_type, dict(parser_context or {}))
        except RecursionError:
            raise Unreadable(
                gettext("The JSON is nested too deeply. Send the fields without further levels.")
            ) from None
        except ParseError as error:
            raise Unreadable(_place_of(error.__context__)) from None
        if b"\\u" in sent and not _is_plain(read):
            raise Unreadable(
                gettext(
                    "The text holds a character that cannot be stored: half a character or a zero"
                    " character. Leave it out."
                )
            )
        return read


def _place_of(fault: BaseException | None) -> str:
    """Return the sentence about text that is no JSON, with the place where that shows."""
    if not isinstance(fault, json.JSONDecodeError):
        return gettext("What was sent is no JSON. Send one JSON value as UTF-8 text.")
    said = gettext(
        "What was sent is no JSON: look at line %(line)s, character %(character)s. Send one JSON"
        " value."
    )
    return said % {"line": fault.lineno, "character": fault.colno}


def _is_plain(read: object) -> bool:
    """Say whether all text of a JSON value can be stored and shown."""
    match read:
        case str():
            return not any(one == "\0" or "\ud800" <= one <= "\udfff" for one in read)
        case list():
            return all(map(_is_plain, read))
        case dict():
            return all(_is_plain(name) and _is_plain(value) for name, value in read.items())
        case _:
            return True
