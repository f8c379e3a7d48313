"""How long a move may take: what the rules of a table say, unless the event says otherwise."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.profiles import Rules
from tournaments.policies_links import rules_said

LONGEST_MOVE: Final = 600
# Where a rule book names no times, an event may still time a move.
_USUAL: Final = 15


@dataclass(frozen=True, slots=True)
class MoveTime:
    """Seconds for a move: the same for each, or by how many tiles fit.

    `by_choices` has the seconds to pass or with one tile that fits, with several, and for a move
    that blocks.
    """

    seconds: int = _USUAL
    by_choices: tuple[int, int, int] | None = None

    def json(self) -> dict[str, Any]:
        return {"seconds": self.seconds, "by_choices": self.by_choices}


# femundo 11.
_OF_PROFILE: Final = {"femundo": MoveTime(by_choices=(5, 20, 60))}


def move_time(rules: Rules, policies: dict[str, Any]) -> MoveTime:
    """Return how long a move may take at a table with these rules, in an event with these."""
    own = rules_said(policies).move_seconds
    if 0 < own <= LONGEST_MOVE:
        return MoveTime(seconds=own)
    return _OF_PROFILE.get(rules.profile, MoveTime())
