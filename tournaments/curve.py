"""A curve as SVG: how a figure moved, drawn on the server."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

WIDTH, HEIGHT, MARGIN = 600, 160, 8


@dataclass(frozen=True, slots=True)
class Curve:
    """Points of a line in a box of `WIDTH` by `HEIGHT`, and what its edges stand for."""

    points: str
    last: tuple[float, float]
    lowest: int
    highest: int
    first_value: int
    last_value: int


def curve(values: Sequence[int]) -> Curve | None:
    """Return the curve of values in the order of time; None where there is nothing to see."""
    if len(values) < 2:
        return None
    low, high = min(values), max(values)
    across = (WIDTH - 2 * MARGIN) / (len(values) - 1)
    up = (HEIGHT - 2 * MARGIN) / ((high - low) or 1)
    places = [
        (round(MARGIN + across * at, 1), round(HEIGHT - MARGIN - up * (value - low), 1))
        for at, value in enumerate(values)
    ]
    return Curve(
        points=" ".join(f"{x},{y}" for x, y in places),
        last=places[-1],
        lowest=low,
        highest=high,
        first_value=values[0],
        last_value=values[-1],
    )
