"""JSON as the API reads it: only what every database and every answer can hold."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import IO, Any

from django.utils.translation import gettext
from rest_framework.exceptions import ParseError
from rest_framework.parsers import JSONParser


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
            raise ParseError(
                gettext("The JSON is nested too deeply. Send the fields without further levels.")
            ) from None
        if b"\\u" in sent and not _is_plain(read):
            raise ParseError(
                gettext(
                    "The text holds a character that cannot be stored: half a character or a zero"
                    " character. Leave it out."
                )
            )
        return read


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
