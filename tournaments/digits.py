"""Digits of the reader's language out, digits of any of our languages in."""

from __future__ import annotations

from django.conf import settings
from django.utils.translation import get_language

LATIN = "0123456789"
DIGITS: dict[str, str] = settings.LANGUAGE_DIGITS

_TO_LOCAL = {language: str.maketrans(LATIN, digits) for language, digits in DIGITS.items()}
_TO_LATIN = {ord(digit): LATIN[n] for digits in DIGITS.values() for n, digit in enumerate(digits)}
_MINUS = "\N{MINUS SIGN}"


def local_digits(text: object, language: str | None = None) -> str:
    """Return `text` with its digits as `language`, or the page's language, writes them."""
    code = (language or get_language() or "en").partition("-")[0]
    return str(text).translate(_TO_LOCAL.get(code, {}))


def to_latin_digits(text: str) -> str:
    """Return `text` with Arabic and Persian digits replaced by 0 to 9, ready for `int`."""
    return text.translate(_TO_LATIN)


def signed(number: int, *, plus: bool = True) -> str:
    """Return `number` with its sign in front, in the digits of the page's language."""
    sign = _MINUS if number < 0 else "+" if plus and number > 0 else ""
    return f"{sign}{local_digits(abs(number))}"
