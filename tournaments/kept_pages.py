"""What the page of an event or a round shows, kept for the next strangers who search in it.

In the minute after a round is published everybody types three letters of their name. What the page
shows but for the scores is then the same for all: it is read once in each process, and a search
reads only the tables it finds.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from threading import Lock
from time import monotonic
from typing import Any, Final, NamedTuple, TypeVar

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.utils.translation import get_language

from tournaments.freshness import Seen

_MOST: Final = 12
Page = TypeVar("Page")


class _Kept(NamedTuple):
    page: Any
    until: float


_pages: OrderedDict[tuple[object, ...], _Kept] = OrderedDict()
_locks: dict[tuple[object, ...], Lock] = {}
_one_at_a_time: Final = Lock()


def for_search(request: HttpRequest, seen: Seen, make: Callable[[], Page]) -> tuple[Page, bool]:
    """Return the page that is searched in, and whether its scores may be a minute old.

    The last of the facts are the scores: all else in the page is as the facts say.
    """
    if not settings.PAGE_COPY_SECONDS or request.user.__class__ is not AnonymousUser:
        return make(), False
    key = (get_language(), *seen.facts[:-1])
    if (found := _found(key)) is not None:
        return found.page, True
    with _one_at_a_time:
        lock = _locks.setdefault(key, Lock())
    # Who comes meanwhile waits for the page instead of making it as well.
    with lock:
        if (found := _found(key)) is not None:
            return found.page, True
        try:
            page = make()
            _keep(key, page)
        finally:
            _locks.pop(key, None)
    return page, False


def _found(key: tuple[object, ...]) -> _Kept | None:
    found = _pages.get(key)
    return found if found is not None and monotonic() < found.until else None


def _keep(key: tuple[object, ...], page: Any) -> None:
    with _one_at_a_time:
        _pages[key] = _Kept(page, monotonic() + settings.PAGE_COPY_SECONDS)
        _pages.move_to_end(key)
        while len(_pages) > _MOST:
            _pages.popitem(last=False)


def forget() -> None:
    """Forget every page: what a test has stored is not another's."""
    with _one_at_a_time:
        _pages.clear()
        _locks.clear()
