"""Lots: drawn from a seed, so that anybody can draw them again."""

from __future__ import annotations

import hashlib
from collections.abc import Callable

_MASK = (1 << 64) - 1


def ticket(entry: str, *drawn_for: int) -> tuple[bytes, str]:
    """Return what an entry draws; the lowest ticket is first.

    It comes from the numbers it is drawn for, such as the seed, and the entry's own name, so
    another entry changes the places but not who is before whom.
    """
    written = "\0".join([*map(str, drawn_for), entry]).encode("utf-8", "surrogatepass")
    return hashlib.sha256(written).digest(), entry


def dice(seed: int) -> Callable[[int], int]:
    """Return dice that throw a number below the one asked for, the same throws for a seed.

    For searches that try something at random; what a player may get is drawn by `ticket`.
    """
    state = (seed * 2654435761 + 88172645463325252) & _MASK or 1

    def throw(below: int) -> int:
        nonlocal state
        state ^= state << 13 & _MASK
        state ^= state >> 7
        state ^= state << 17 & _MASK
        return (state >> 11) % below

    return throw
