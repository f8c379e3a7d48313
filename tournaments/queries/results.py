"""What the pages about results show: what is missing, what waits, what was typed last."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments.models import (
    LONG_IN_ROUND,
    LogEntry,
    PairingRound,
    ReportedResult,
    Stage,
    Tournament,
)
from tournaments.queries import events as queries
from tournaments.queries.events import SideLine, TableLine
from tournaments.services.brackets import undecided_games

LAST_SHOWN = 8
# The lines of the log that closed a table.
CLOSING_ACTS = (
    "result",
    "walkover",
    "table_left",
    "result_corrected",
    "result_put_back",
    "all_lose",
)


@dataclass(frozen=True, slots=True)
class LastEntry:
    """A result that was stored: the line of the log, and the table as it stands now."""

    entry: LogEntry
    line: TableLine
    is_open_again: bool


@dataclass(frozen=True, slots=True)
class Waiting:
    """A report that a second person has to check."""

    report: ReportedResult
    line: TableLine


@dataclass(frozen=True, slots=True)
class ResultsPage:
    """A round as the desk that types its sheets sees it."""

    tournament: Tournament
    pairing_round: PairingRound
    rounds: tuple[PairingRound, ...]
    """The published rounds that are not finished, this one too."""
    lines: tuple[TableLine, ...]
    waiting: tuple[Waiting, ...]
    last: tuple[LastEntry, ...]
    same_sheets: tuple[tuple[int, ...], ...]
    """Tables of which the sheets say exactly the same."""
    undecided: tuple[TableLine, ...]
    """Tables of a bracket that both sides lost: the desk has to say who goes on."""

    @property
    def missing(self) -> tuple[TableLine, ...]:
        """The tables nobody has typed a result of."""
        reported = {one.report.match_id for one in self.waiting}
        return tuple(
            line for line in self.lines if not line.is_closed and line.match.pk not in reported
        )

    @property
    def stored(self) -> int:
        return sum(line.is_closed for line in self.lines)

    def line(self, table: int) -> TableLine | None:
        return next((one for one in self.lines if one.match.table == table), None)

    @property
    def names(self) -> dict[str, dict[str, object]]:
        """Who plays at each table, for the script that shows it while the number is typed."""
        return {
            str(line.match.table): {
                "sides": [side_name(side) for side in line.sides],
                "closed": line.is_closed,
            }
            for line in self.lines
        }


def side_name(side: SideLine) -> str:
    """Return the entries of a side in one line."""
    return " · ".join(entry.name for entry in side.entries)


def current_round(tournament: Tournament) -> PairingRound | None:
    """Return the round results are typed for: the first one that is not finished, else the last."""
    published = (
        PairingRound.objects.filter(stage__tournament=tournament)
        .exclude(state=PairingRound.State.DRAFT)
        .select_related("stage__tournament")
        .defer("draw", "standings")
        .order_by("stage__number", "number")
    )
    open_round = published.exclude(state=PairingRound.State.FINISHED).first()
    return open_round or published.last()


def results_page(pairing_round: PairingRound) -> ResultsPage:
    """Return a published round for the page where its results are typed."""
    tournament = pairing_round.stage.tournament
    lines = queries.table_lines(pairing_round.matches.all(), tournament)
    by_match = {line.match.pk: line for line in lines}
    open_rounds = (
        PairingRound.objects.filter(stage__tournament=tournament)
        .exclude(state__in=[PairingRound.State.DRAFT, PairingRound.State.FINISHED])
        .select_related("stage")
        .defer("draw", "standings")
        .order_by("stage__number", "number")
    )
    waiting = ReportedResult.objects.filter(
        match__in=list(by_match), accepted__isnull=True
    ).select_related("by", "match__pairing_round__stage__tournament")
    waiting = waiting.defer(*(f"match__{name}" for name in LONG_IN_ROUND))
    return ResultsPage(
        tournament=tournament,
        pairing_round=pairing_round,
        rounds=tuple({one.pk: one for one in [*open_rounds, pairing_round]}.values()),
        lines=lines,
        waiting=tuple(
            Waiting(one, by_match[one.match_id]) for one in waiting.order_by("match__table")
        ),
        last=_last_entries(tournament, by_match),
        same_sheets=same_sheets(lines),
        undecided=undecided(lines, pairing_round.stage),
    )


def undecided(lines: Sequence[TableLine], stage: Stage) -> tuple[TableLine, ...]:
    """Return the tables that both sides lost and of which nobody has said who goes on."""
    lost = [line for line in lines if line.lost_by_both]
    # Asked only where there is any: it reads the whole bracket.
    waiting = undecided_games(stage) if lost else []
    return tuple(line for line in lost if line.match.pk in waiting)


def table_line(pairing_round: PairingRound, table: int) -> TableLine | None:
    """Return one table of a round without reading the others, None where there is none."""
    found = pairing_round.matches.filter(table=table).select_related("pairing_round__stage")
    return next(iter(queries.table_lines(found, pairing_round.stage.tournament)), None)


def same_sheets(lines: tuple[TableLine, ...]) -> tuple[tuple[int, ...], ...]:
    """Return groups of closed tables with one score, their rounds too where those are known.

    A sheet typed for the wrong table is an exact copy of another one.
    """
    groups: dict[tuple[object, ...], list[int]] = {}
    for line in lines:
        if line.is_closed and not _is_walkover(line):
            score = tuple((side.side, side.points) for side in line.sides)
            rounds = tuple(line.match.score.get("rounds", ()))
            groups.setdefault((score, str(rounds)), []).append(line.match.table)
    return tuple(tuple(tables) for tables in groups.values() if len(tables) > 1)


def _is_walkover(line: TableLine) -> bool:
    return any(side.outcome.startswith("walkover") for side in line.sides)


def _last_entries(tournament: Tournament, by_match: dict[int, TableLine]) -> tuple[LastEntry, ...]:
    found = tournament.log.filter(
        act__in=CLOSING_ACTS, details__match__in=list(by_match), undone_by__isnull=True
    ).select_related("by")
    shown: dict[int, LastEntry] = {}
    for entry in found[: 3 * LAST_SHOWN]:
        pk = int(entry.details["match"])
        line = by_match[pk]
        shown.setdefault(pk, LastEntry(entry, line, not line.is_closed))
    return tuple(list(shown.values())[:LAST_SHOWN])
