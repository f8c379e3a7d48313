"""What the page and the API show of groups: standings, and who did what against whom."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.models import Entry, Stage
from tournaments.queries.appeals import Protest
from tournaments.queries.brackets import published_tables
from tournaments.queries.events import TableLine, table_lines
from tournaments.queries.standings import StandingLine, standings_page
from tournaments.words.standings import StandingColumn


@dataclass(frozen=True, slots=True)
class CrossResult:
    """One closed table of two entries, seen by the first: points for and against."""

    points_for: int
    points_against: int
    is_won: bool
    is_protested: bool


@dataclass(frozen=True, slots=True)
class CrossCell:
    """All that has happened between two entries; `is_self` where a row meets its own column."""

    other: Entry
    is_self: bool
    results: tuple[CrossResult, ...]


@dataclass(frozen=True, slots=True)
class CrossRow:
    entry: Entry
    cells: tuple[CrossCell, ...]


@dataclass(frozen=True, slots=True)
class GroupLine:
    """A group: its standings, and its cross-table in the same order."""

    name: str
    standings: tuple[StandingLine, ...]
    cross: tuple[CrossRow, ...]


@dataclass(frozen=True, slots=True)
class GroupsPage:
    stage: Stage
    columns: tuple[StandingColumn, ...]
    protests: tuple[Protest, ...]
    groups: tuple[GroupLine, ...]


def groups_page(stage: Stage) -> GroupsPage:
    """Return the groups of a stage; what a draft holds is not among it."""
    page = standings_page(stage.tournament, stage=stage)
    standings = {group.name: group.rows for group in page.groups}
    members: defaultdict[str, list[Entry]] = defaultdict(list)
    for one in stage.stage_entries.exclude(group="").select_related("entry"):
        members[one.group].append(one.entry)
    met = _met(table_lines(published_tables(stage), stage.tournament))
    return GroupsPage(
        stage=stage,
        columns=page.columns,
        protests=page.protests,
        groups=tuple(
            GroupLine(
                name,
                standings.get(name, ()),
                _cross([row.entry for row in standings.get(name, ())] or members[name], met),
            )
            for name in sorted(members, key=lambda name: (len(name), name))
        ),
    )


_Met = Mapping[tuple[int, int], list[CrossResult]]


def _met(tables: tuple[TableLine, ...]) -> _Met:
    """Return the results of every two entries, in the order of the rounds."""
    found: defaultdict[tuple[int, int], list[CrossResult]] = defaultdict(list)
    closed = [one for one in tables if one.is_closed and not one.is_hidden]
    for table in sorted(closed, key=lambda one: one.match.pairing_round.number):
        for side, other in (table.sides, table.sides[::-1]):
            for entry in side.entries:
                for opponent in other.entries:
                    found[entry.pk, opponent.pk].append(
                        CrossResult(
                            side.points or 0, other.points or 0, side.is_winner, table.is_protested
                        )
                    )
    return found


def _cross(entries: list[Entry], met: _Met) -> tuple[CrossRow, ...]:
    return tuple(
        CrossRow(
            entry,
            tuple(
                CrossCell(other, entry == other, tuple(met.get((entry.pk, other.pk), ())))
                for other in entries
            ),
        )
        for entry in entries
    )
