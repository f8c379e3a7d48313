"""Text that keeps its own direction of reading inside a sentence of another."""

from __future__ import annotations

from typing import Final

LEFT_TO_RIGHT_ISOLATE: Final = "\u2066"
FIRST_STRONG_ISOLATE: Final = "\u2068"
POP_ISOLATE: Final = "\u2069"
_OPENING: Final = frozenset("\u2066\u2067\u2068")


def isolated(text: str) -> str:
    """Return a text apart from what stands around it.

    Marks in it that would end this, or that it leaves open, are put right: whatever a name
    contains, the sentence after it reads as it was written.
    """
    kept: list[str] = []
    depth = 0
    for sign in text:
        if sign == POP_ISOLATE and not depth:
            continue
        depth += (sign in _OPENING) - (sign == POP_ISOLATE)
        kept.append(sign)
    return f"{FIRST_STRONG_ISOLATE}{''.join(kept)}{POP_ISOLATE * depth}{POP_ISOLATE}"
