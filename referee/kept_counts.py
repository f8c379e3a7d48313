"""What matches came to, kept in this process as long as nothing about their records changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Mapping
from threading import Lock
from typing import Final, Generic, TypeVar

V = TypeVar("V")
T = TypeVar("T")

MOST: Final = 4000
# So many matches are read and replayed at once.
AT_ONCE: Final = 400


class KeptCounts(Generic[V, T]):
    """Counts by the key of their match, each with the version of the match it was made of."""

    def __init__(self) -> None:
        self._kept: OrderedDict[int, tuple[V, T]] = OrderedDict()
        self._lock = Lock()

    def counted(
        self, versions: Mapping[int, V], count: Callable[[list[int]], Mapping[int, T]]
    ) -> dict[int, T]:
        """Return the count of every match; `count` makes those that are not kept as they are."""
        with self._lock:
            found = {
                pk: kept[1]
                for pk, version in versions.items()
                if (kept := self._kept.get(pk)) is not None and kept[0] == version
            }
        stale = [pk for pk in versions if pk not in found]
        for start in range(0, len(stale), AT_ONCE):
            found |= count(stale[start : start + AT_ONCE])
        with self._lock:
            for pk in stale:
                self._kept[pk] = (versions[pk], found[pk])
                self._kept.move_to_end(pk)
            while len(self._kept) > MOST:
                self._kept.popitem(last=False)
        return found
