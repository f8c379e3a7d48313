"""Whom a stage takes from the one before."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from tournaments.errors import draws as draw_errors
from tournaments.errors import fields as field_errors
from tournaments.models import Stage, StageEntry


@dataclass(frozen=True, slots=True)
class Takes:
    """Whom a stage takes from the one before.

    From groups the first `each` of every group and the `best_next` best of those after them;
    from any other stage its first `each`. With `second` the stage takes the ones after those,
    so that two events can be made of one: A with `second` 0, B with it.
    """

    each: int
    best_next: int = 0
    second: int = 0

    def require_sensible(self) -> None:
        """Refuse fewer than nobody, and nobody at all."""
        for name, lowest, found in (
            ("each", 1, self.each),
            ("best_next", 0, self.best_next),
            ("second", 0, self.second),
        ):
            if found < lowest:
                expected = field_errors.whole_number(lowest, None)
                raise draw_errors.BadStageSetting(setting=name, expected=expected, found=found)


def require_free(source: Stage, numbers: Collection[int]) -> None:
    """Refuse who has gone on from `source` to a stage that is open: nobody sits in two at once."""
    playing = StageEntry.objects.filter(stage__source=source, stage__state=Stage.State.OPEN)
    found = playing.select_related("entry", "stage").order_by("stage__number", "entry__number")
    for one in found:
        if one.entry.number in numbers:
            raise draw_errors.GoneOnAlready(
                entry=one.entry.name, source=source.title, stage=one.stage.title
            )
