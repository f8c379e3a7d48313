"""What a page may hear of: channels of the stream, and the signed list of those a page was given.

A channel says only that something changed. The page then asks for it again and is answered by the
same policy as ever; so the list needs no secrets, only proof that this site gave it out.
"""

from __future__ import annotations

import time
from collections.abc import Iterable
from typing import Final

from django.conf import settings
from django.http import HttpResponse
from django.utils.crypto import constant_time_compare, salted_hmac

HEADER: Final = "Stream"
# A page that is open longer is told a new list whenever it asks for its part.
SECONDS: Final = 15 * 60
MOST: Final = 8
_SALT: Final = "tournaments.channels"
_LETTERS: Final = "0123456789abcdefghijklmnopqrstuvwxyz"


def event(tournament: int) -> str:
    """Everything the public may see of an event."""
    return f"e{tournament}"


def desk(tournament: int) -> str:
    """The desk's acts that the public may see."""
    return f"d{tournament}"


def officials(tournament: int) -> str:
    """Everything at an event, drafts as well: for its officials."""
    return f"o{tournament}"


def standings(tournament: int) -> str:
    return f"s{tournament}"


def pairing_round(pk: int) -> str:
    """What happens at the tables of a round."""
    return f"r{pk}"


def match(pk: int) -> str:
    return f"m{pk}"


def signed(channels: Iterable[str], *, now: float | None = None) -> str:
    """Write down that whoever holds this may hear `channels`, for a quarter of an hour."""
    until = int(time.time() if now is None else now) + SECONDS
    told = ".".join((*channels, _written(until)))
    return f"{told}.{_signature(told)}"


def heard(token: str, *, now: float | None = None) -> tuple[tuple[str, ...], float] | None:
    """Return the channels of a token and when it was given; None where it is wrong or over."""
    told, _, signature = token.rpartition(".")
    *channels, until = told.split(".")
    if not 0 < len(channels) <= MOST or not constant_time_compare(signature, _signature(told)):
        return None
    seconds = int(until, 36)
    if seconds < (time.time() if now is None else now):
        return None
    return tuple(channels), float(seconds - SECONDS)


def let_hear(response: HttpResponse, channels: Iterable[str]) -> None:
    """Tell a page where it hears of changes; nothing where this site has no stream."""
    if settings.STREAM_URL:
        response.headers[HEADER] = f"{settings.STREAM_URL}?k={signed(channels)}"


def _signature(told: str) -> str:
    return salted_hmac(_SALT, told, algorithm="sha256").hexdigest()[:32]


def _written(number: int) -> str:
    digits = ""
    while number:
        number, digit = divmod(number, 36)
        digits = _LETTERS[digit] + digits
    return digits
