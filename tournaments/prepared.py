"""Long prints: a worker sets them while a page says so; kept for minutes, for whoever asked.

Nothing of an event changes by it. A file is found only under the address it was asked at and by
the same person, whose right to it is asked again each time.
"""

from __future__ import annotations

import logging
import re
from enum import Enum
from hashlib import blake2b
from typing import Final

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.utils import timezone
from kombu.exceptions import OperationalError

from tournaments import pdf

_logger = logging.getLogger(__name__)

# Named, not imported: tasks are a door and stand above.
SET_PRINT: Final = "tournaments.tasks.set_print"
# A page shorter than this is set in a second or two, while its reader waits.
LONG: Final = 250_000
KEPT_SECONDS: Final = 600
# After so long the page sets it itself: no worker began, or the one that did was stopped.
PATIENCE_SECONDS: Final = 30
LONGEST_SECONDS: Final = 300

_KEY: Final = re.compile("[0-9a-f]{32}")


class State(Enum):
    """How far a print is."""

    UNKNOWN = "unknown"
    WAITING = "waiting"
    READY = "ready"
    FAILED = "failed"


def is_for_a_worker(html: str) -> bool:
    """Say whether a print takes so long that a worker sets it, where there is one."""
    return bool(settings.REDIS_URL) and len(html) > LONG


def ask(html: str, *, owner: str) -> str:
    """Have a print set, once however often it is asked; return its key, empty without broker."""
    key = blake2b(f"{owner}\n{html}".encode(), digest_size=16).hexdigest()
    asked = {"owner": owner, "at": timezone.now().timestamp()}
    if not cache.add(_name(key, "asked"), asked, KEPT_SECONDS):
        return key
    cache.set(_name(key, "html"), html, KEPT_SECONDS)
    try:
        current_app.signature(SET_PRINT, args=[key]).delay()
    except OperationalError:
        _logger.exception("No broker: a print is set by its page.")
        cache.delete_many([_name(key, "asked"), _name(key, "html")])
        return ""
    return key


def set_asked(key: str) -> None:
    """Set a print that was asked for; what goes wrong is left to its page, which sets it anew."""
    html = cache.get(_name(key, "html"))
    if html is None or cache.get(_name(key, "file")) is not None:
        return
    cache.set(_name(key, "begun"), True, KEPT_SECONDS)
    content = b""
    try:
        content = pdf.as_pdf(html)
    finally:
        cache.set(_name(key, "file"), content, KEPT_SECONDS)
        cache.delete(_name(key, "html"))


def look(key: str, *, owner: str) -> tuple[State, bytes]:
    """Return how far a print is, and the file once it is ready."""
    if not _KEY.fullmatch(key):
        return State.UNKNOWN, b""
    asked = cache.get(_name(key, "asked"))
    if asked is None or asked["owner"] != owner:
        return State.UNKNOWN, b""
    content = cache.get(_name(key, "file"))
    if content:
        return State.READY, content
    waited = timezone.now().timestamp() - asked["at"]
    has_begun = cache.get(_name(key, "begun")) is not None
    is_over = content is not None or waited > (LONGEST_SECONDS if has_begun else PATIENCE_SECONDS)
    return (State.FAILED if is_over else State.WAITING), b""


def _name(key: str, part: str) -> str:
    return f"print:{key}:{part}"
