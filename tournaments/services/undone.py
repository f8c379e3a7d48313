"""What taking back a decision changes, as sentences and moved places."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from tournaments.services.places import Move


@dataclass(frozen=True, slots=True)
class Effect:
    """One thing that taking back changes, as a sentence for errors.explain."""

    text: str
    params: Mapping[str, object]


@dataclass(slots=True)
class Undone:
    """What taking back changed, or would change."""

    effects: list[Effect] = field(default_factory=list)
    moves: tuple[Move, ...] = ()

    def say(self, text: str, **params: object) -> None:
        self.effects.append(Effect(text, params))
