"""The indicators as a list for spreadsheets and programs, for the committee alone."""

from __future__ import annotations

from typing import Final

from referee.queries.indicators import IndicatorsPage, Line
from tournaments.services.exports import Cell, Sheet

_COLUMNS: Final = (
    *("players", "clubs", "matches", "moves", "passes"),
    *("pauses", "pause_median", "pause_ninetieth", "pauses_over", "pause_from_field"),
    *("forced", "forced_median", "forced_from_field"),
    *("free", "free_median", "free_from_field"),
    *("false_passes_proved", "false_passes_ruled", "infractions", "by_kind"),
    *("warnings", "yellow", "red", "black"),
)


def indicators_sheet(page: IndicatorsPage) -> Sheet:
    """Return the lines of a page as a list; a dash is too few to say."""
    return Sheet("indicators", _COLUMNS, tuple(map(_row, page.lines)))


def _row(line: Line) -> tuple[Cell, ...]:
    own = line.own
    kinds = (f"{kind} {len(places)}" for kind, places in own.infractions.items())
    return (
        line.name, " / ".join(line.clubs), own.matches, own.moves, own.passes,
        own.pauses.count, plain(own.pauses.median), plain(own.pauses.ninetieth), own.pauses.over,
        plain(line.pauses_apart),
        own.forced.count, plain(own.forced.median), plain(line.forced_apart),
        own.free.count, plain(own.free.median), plain(line.free_apart),
        len(own.proved), len(own.ruled), own.infraction_count, ", ".join(kinds),
        *(line.cards.get(severity, 0) for severity in ("warning", "yellow", "red", "black")),
    )  # fmt: skip


def plain(seconds: float | None) -> str:
    """Write seconds with one decimal, the same in every language; empty where not known."""
    return "" if seconds is None else f"{seconds:.1f}"
