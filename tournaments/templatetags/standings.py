"""Rows of standings in HTML, written at once: a big event has hundreds of them on one page."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import get_language, gettext

from tournaments.digits import local_digits, signed
from tournaments.queries.standings import StandingLine
from tournaments.words.standings import StandingColumn

register = template.Library()

_SIGNED = ("difference", "difference_capped")


@register.simple_tag
def standing_rows(rows: Sequence[StandingLine], slug: str) -> SafeString:
    """Write the rows of a table of standings; each says why it is below the one above."""
    # The address of entry 0 is that of every other one but for its number.
    stem = reverse("tournaments:entry", args=[slug, 0]).removesuffix("0/")
    shared = gettext("shared")
    return mark_safe("".join(_row(row, stem, shared) for row in rows))  # noqa: S308


@register.simple_tag
def place_cell(place: int, is_shared: bool) -> SafeString:
    return mark_safe(_place(place, gettext("shared") if is_shared else ""))  # noqa: S308


@register.simple_tag
def value_cells(columns: Sequence[StandingColumn], values: Sequence[int]) -> SafeString:
    """Write a cell for each value, under the columns."""
    cells = [
        _value(column.name, value, is_first=not at, is_deciding=False)
        for at, (column, value) in enumerate(zip(columns, values, strict=True))
    ]
    return mark_safe("".join(cells))  # noqa: S308


def _row(row: StandingLine, stem: str, shared: str) -> str:
    entry = row.entry
    club = f' <span class="small"><bdi>{_safe(entry.club.name)}</bdi></span>' if entry.club else ""
    cells = [
        _value(one.name, one.value, is_first=not at, is_deciding=one.is_deciding)
        for at, one in enumerate(row.values)
    ]
    leader = ' class="leader"' if row.place == 1 else ""
    return (
        f"<tr{leader}>{_place(row.place, shared if row.is_shared else '')}"
        f'<th scope="row" class="entry"><a href="{stem}{entry.number}/"><bdi>{_safe(entry.name)}'
        f"</bdi></a>{club}{_why(row)}</th>{''.join(cells)}"
        f'<td class="num">{local_digits(row.played)}</td></tr>'
    )


def _why(row: StandingLine) -> str:
    """Write why a row is below the one above; what both have in common opens under it."""
    if not row.reason:
        return ""
    if not row.level:
        return f' <span class="small reason">{_safe(row.reason)}</span>'
    return (
        f'<details class="why small" id="why-{row.entry.number}"><summary>'
        f"{_safe(row.reason)}</summary><p>{_safe(row.level)}</p></details>"
    )


def _place(place: int, shared: str) -> str:
    mark = (
        f'<span class="visually-hidden"> ({_safe(shared)})</span><span aria-hidden="true">=</span>'
        if shared
        else ""
    )
    return f'<td class="place">{local_digits(place)}{mark}</td>'


def _value(name: str, value: int, *, is_first: bool, is_deciding: bool) -> str:
    shown = _number(value, name in _SIGNED, get_language())
    kinds = f"num{' points' if is_first else ''}{' deciding' if is_deciding else ''}"
    return f'<td class="{kinds}"><bdi dir="ltr">{shown}</bdi></td>'


@lru_cache(maxsize=4096)
def _number(value: int, plus: bool, language: str | None) -> str:
    """Write a number as `language`, the page's, does: few numbers fill a page of many rows."""
    return signed(value, plus=plus)


def _safe(text: str) -> str:
    return str(conditional_escape(text))
