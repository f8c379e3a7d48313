"""What changed since the last look, as the channels that hear of it, in three small queries.

The database says so, not whoever made the change: nothing that was stored is ever left out, and
what happens in a draft is told to the officials alone, in this one place.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final

from django.db.models import Max, TextField
from django.db.models.functions import Cast
from django.utils import timezone

from tournaments import channels
from tournaments.freshness import public_acts
from tournaments.models import LogEntry, Match, PairingRound, StandingRow, Tournament
from tournaments.publication import HIDDEN_FROM

# A change is stored a little after the time and the number it carries: so far back is looked.
_BACK: Final = timedelta(seconds=30)
_ROWS_BACK: Final = 5000
_LINES_BACK: Final = 500
_DRAFT: Final = PairingRound.State.DRAFT


class Changes:
    """Remembers what was there at the last look."""

    def __init__(self) -> None:
        self._seen: dict[Hashable, object] = {}
        self._rows = self._lines = 0
        self._has_looked = False

    def look(self) -> set[str]:
        """Return the channels to tell; nothing at the first look, which only remembers."""
        is_first, self._has_looked = not self._has_looked, True
        if is_first:
            self._lines, self._rows = _newest(LogEntry), _newest(StandingRow)
        now: dict[Hashable, object] = {}
        told: set[str] = set()
        for key, value, heard in self._found(timezone.now()):
            now[key] = value
            if self._seen.get(key) != value:
                told.update(heard)
        self._seen = now
        return set() if is_first else told

    def _found(self, now: datetime) -> Iterator[tuple[Hashable, object, Iterable[str]]]:
        yield from self._tables(now)
        yield from self._log()
        yield from self._standings()

    def _tables(self, now: datetime) -> Iterator[tuple[Hashable, object, Iterable[str]]]:
        # What is corrected when an event is over stands in the log.
        running = Match.objects.filter(
            pairing_round__stage__tournament__state=Tournament.State.RUNNING
        )
        for pk, at, pairing_round, state, event, stage, number, since, *score in (
            running.filter(changed_at__gte=now - _BACK)
            .order_by()
            .values_list(
                "pk",
                "changed_at",
                "pairing_round",
                "pairing_round__state",
                "pairing_round__stage__tournament",
                "pairing_round__stage__number",
                "pairing_round__number",
                f"pairing_round__stage__tournament__policies__{HIDDEN_FROM}",
                "state",
                Cast("score", TextField()),
                Max("seats"),
            )
        ):
            if state == _DRAFT:
                yield ("match", pk), at, [channels.officials(event)]
                continue
            # Whoever follows a table hears of its moves; a list of tables shows their scores.
            yield ("match", pk), at, [channels.match(pk), channels.officials(event)]
            if since and (stage, number) >= tuple(since):
                # The lists of strangers tell of this table only whether it is over.
                del score[1]
            lists = [channels.pairing_round(pairing_round), channels.event(event)]
            yield ("score", pk), tuple(score), lists

    def _log(self) -> Iterator[tuple[Hashable, object, Iterable[str]]]:
        newer = LogEntry.objects.filter(pk__gt=self._lines - _LINES_BACK)
        public = set(public_acts(newer).values_list("pk", flat=True))
        for pk, event in newer.order_by().values_list("pk", "tournament"):
            self._lines = max(self._lines, pk)
            heard = {channels.officials(event)}
            if pk in public:
                heard |= {channels.desk(event), channels.event(event)}
            yield ("line", pk), True, heard

    def _standings(self) -> Iterator[tuple[Hashable, object, Iterable[str]]]:
        newer = StandingRow.objects.filter(pk__gt=self._rows - _ROWS_BACK)
        counted = newer.order_by().values("stage__tournament").annotate(newest=Max("pk"))
        for event, newest in counted.values_list("stage__tournament", "newest"):
            self._rows = max(self._rows, newest)
            heard = {channels.standings(event), channels.event(event), channels.officials(event)}
            yield ("rows", event), newest, heard


def _newest(model: type[LogEntry] | type[StandingRow]) -> int:
    return model._default_manager.aggregate(newest=Max("pk"))["newest"] or 0
