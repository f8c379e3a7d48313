"""Where each penalty of a schedule comes from: the article, or that this product chose it."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from engine.errors import Phrase
from engine.ladder import CHOSEN
from engine.penalties import BY_RULING
from engine.profiles import Rules

OF_EVENT: Final = Phrase("a rule of this event")

# The eight infractions of the source, by their numbers; signals are told there with remarks.
_WDF: Final[Mapping[str, str]] = MappingProxyType(
    {
        "misplay": "1",
        "touch": "2",
        "delay": "3",
        "out_of_turn": "4",
        "signaling": "5",
        "coaching": "5",
        "table_talk": "6",
        "disturbed_layout": "7",
        "disobedience": "8",
    }
)
_FEMUNDO: Final[Mapping[str, str]] = MappingProxyType(
    {
        "misplay": "5, 14",
        "touch": "18",
        "delay": "11",
        "out_of_turn": "13",
        "signaling": "24",
        "coaching": "24",
        "table_talk": "25",
        "procedure": "8–10, 15, 19, 23",
        "disturbed_layout": "20",
        "disobedience": "29",
        "false_pass": "5, 14, 16",
        "false_block": "5, 6",
        "wrong_opener": "12",
        "exposed_tile": "17",
        "overdraw": "6",
        "late": "7",
        BY_RULING: "6, 14",
    }
)


def article_of_penalty(rules: Rules, kind: str) -> Phrase:
    """Return where what the rules give for a kind of infraction comes from."""
    if any(one.kind == kind for one in rules.own):
        return OF_EVENT
    if rules.profile == "femundo":
        found = _FEMUNDO.get(kind)
        return CHOSEN if found is None else Phrase("femundo %(rules)s", rules=found)
    found = _WDF.get(kind)
    if found is None:
        return CHOSEN
    # The other sources name no penalties, so they were given those of this one.
    if rules.profile == "wdf":
        return Phrase("wdf %(rules)s", rules=found)
    return Phrase("wdf %(rules)s (chosen)", rules=found)
