"""DominoError and every refusal the engine can give.

The engine marks sentences for translation and never translates: whoever shows an error to a
person fills `text` in the reader's language with `params`.
"""

from __future__ import annotations

from collections.abc import Mapping


def marked(text: str) -> str:
    """Return `text` unchanged; the name tells the translation tools to collect it."""
    return text


class DominoError(Exception):
    """Something a person can understand and put right.

    `code` is for programs, `text` is for people, `params` fills `text`.
    """

    code: str = "error"
    text: str = marked("This cannot be done.")

    def __init__(self, **params: object) -> None:
        self.params: Mapping[str, object] = params
        super().__init__()

    def __str__(self) -> str:
        return self.text % self.params
