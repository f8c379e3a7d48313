"""Rings after a change is stored, so that the stream looks at once.

What changed the stream reads for itself. A ring that is lost costs half a second, no more.
"""

from __future__ import annotations

import logging
import time
from functools import cache
from typing import Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection

CHANNEL: Final = "domino_changed"
_QUIET_SECONDS: Final = 10
_log = logging.getLogger(__name__)
_silent_until = 0.0


def channel() -> str:
    """Return the name sites that share a Redis or a database server are told apart by."""
    return f"{CHANNEL}_{settings.CELERY_TASK_DEFAULT_QUEUE}"


def ring() -> None:
    """Tell the stream to look. Whoever changed something never waits for a bell that is broken."""
    global _silent_until  # noqa: PLW0603
    if not settings.STREAM_URL or time.monotonic() < _silent_until:
        return
    try:
        if settings.REDIS_URL:
            _redis().publish(channel(), "")
        elif connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_notify(%s, '')", [channel()])
    except (redis.RedisError, DatabaseError):
        _silent_until = time.monotonic() + _QUIET_SECONDS
        _log.warning("The stream could not be told of a change. It looks by itself.")


@cache
def _redis() -> redis.Redis:
    """Return the connections of this process; the short time limit is what a change may wait."""
    return redis.Redis.from_url(settings.REDIS_URL, socket_timeout=0.5, socket_connect_timeout=0.5)
