"""How many entries one connection may make: people enter their club, programs enter more."""

from __future__ import annotations

from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest

from tournaments.errors import entries as entry_errors
from tournaments.models import Tournament

MOST_AN_HOUR: Final = 40
_HOUR: Final = 3600


def count_entry(request: HttpRequest, tournament: Tournament) -> None:
    """Refuse more entries from one connection than people make."""
    key = f"entries:{tournament.pk}:{sender_of(request)}"
    cache.add(key, 0, _HOUR)
    try:
        found = cache.incr(key)
    except ValueError:
        # It ran out between the two.
        return
    if found > MOST_AN_HOUR:
        raise entry_errors.TooManyTries(found=found)


def sender_of(request: HttpRequest) -> str:
    """Return what requests are counted by: the account, otherwise the connection."""
    if request.user.is_authenticated:
        return f"user-{request.user.pk}"
    if settings.BEHIND_PROXY:
        # The last address is the one our own proxy saw; those before it can be made up.
        return request.headers.get("X-Forwarded-For", "").rpartition(",")[2].strip()
    return str(request.META.get("REMOTE_ADDR", ""))
