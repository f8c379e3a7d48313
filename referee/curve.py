"""The score over the rounds of a match as a picture, drawn by the server."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language_bidi

from tournaments.digits import local_digits

WIDTH: Final = 460
HEIGHT: Final = 230
_START, _END, _TOP, _BOTTOM = 44, 20, 16, 34
# Signs beside colours: each side has a shape of its own, and a way of drawing its line.
_SHAPES: Final = (
    "M-5 0a5 5 0 1 0 10 0a5 5 0 1 0-10 0",
    "M-5-5H5V5H-5Z",
    "M0-6L6 5H-6Z",
    "M0-7L7 0L0 7L-7 0Z",
)
_MOST_LABELS: Final = 12


def shape_of(side: int) -> str:
    """Return the outline of a side's sign, around 0, 0."""
    return _SHAPES[side % len(_SHAPES)]


def key_svg(side: int) -> SafeString:
    """Draw the sign of a side with a piece of its line, for the words beside the curve."""
    return format_html(
        '<svg class="curve-key side-{}" viewBox="-16 -8 32 16" aria-hidden="true">'
        '<path class="run" d="M-16 0H16"/><path class="dot" d="{}"/></svg>',
        side + 1,
        shape_of(side),
    )


def curve_svg(totals: Sequence[Sequence[int]], *, target: int, now: int) -> SafeString:
    """Draw the running score: for each side its total before the first round and after each.

    Hidden from screen readers, as a table says the same. `now` is the round (from 1) that is
    looked at; one being played is not in the curve. The rounds go in the direction of reading.
    """
    rounds = max(len(totals[0]) - 1, 1)
    lowest = min(0, *(min(one) for one in totals))
    highest = max(target, *(max(one) for one in totals))
    mirrored = get_language_bidi()

    def across(number: float) -> int:
        x = _START + number * (WIDTH - _START - _END) / rounds
        return round(WIDTH - x if mirrored else x)

    def down(points: int) -> int:
        height = HEIGHT - _TOP - _BOTTOM
        return round(HEIGHT - _BOTTOM - (points - lowest) * height / (highest - lowest))

    every = -(-rounds // _MOST_LABELS)
    numbers = [n for n in range(1, rounds + 1) if n % every == 0 or n == now]
    return format_html(
        '<svg class="curve" viewBox="0 0 {} {}" aria-hidden="true">{}{}{}{}</svg>',
        WIDTH,
        HEIGHT,
        _levels(sorted({lowest, 0, target}), across(0), across(rounds), down, target),
        format_html_join(
            "",
            '<text class="round{}" x="{}" y="{}">{}</text>',
            (
                (" now" if n == now else "", across(n), HEIGHT - 10, local_digits(n))
                for n in numbers
            ),
        ),
        format_html('<path class="here" d="M{} {}V{}"/>', across(now), _TOP, HEIGHT - _BOTTOM)
        if now <= rounds
        else "",
        format_html_join(
            "",
            '<g class="side-{}"><path class="run" d="{}"/>{}</g>',
            (
                (
                    side + 1,
                    "M" + "L".join(f"{across(n)} {down(p)}" for n, p in enumerate(one)),
                    format_html_join(
                        "",
                        '<path class="dot" transform="translate({} {})" d="{}"/>',
                        ((across(n), down(p), shape_of(side)) for n, p in enumerate(one) if n),
                    ),
                )
                for side, one in enumerate(totals)
            ),
        ),
    )


def _levels(
    levels: Sequence[int], start: int, end: int, down: Callable[[int], int], target: int
) -> SafeString:
    # The end of a text is where its direction of reading says, so this serves both.
    label = start + (-8 if start < end else 8)
    return format_html_join(
        "",
        '<path class="level{}" d="M{} {}H{}"/><text class="points" x="{}" y="{}">{}</text>',
        (
            (
                " target" if points == target else "",
                start,
                down(points),
                end,
                label,
                down(points) + 5,
                local_digits(points),
            )
            for points in levels
        ),
    )
