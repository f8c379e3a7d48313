"""A list of entries before it is imported: what each line says and what is wrong with it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from django.utils.translation import gettext_noop
from openpyxl.utils import get_column_letter

from tournaments.errors.base import Sentence
from tournaments.lists import columns
from tournaments.lists.lines import Column, LineReader, Problem
from tournaments.lists.sheets import Line, read_sheet
from tournaments.services.entries import EntryRow, ImportedRow

READ, NEW, ENTERED, WRONG = "read", "new", "entered", "wrong"
FILE_NAME_SHOWN: Final = 80


@dataclass(frozen=True, slots=True)
class PreviewRow:
    """A line of the list: what it would enter, its problems, and whether it is new."""

    entry: EntryRow
    status: str = READ
    problems: tuple[Sentence, ...] = ()

    @property
    def line(self) -> int:
        return self.entry.line


@dataclass(frozen=True, slots=True)
class Preview:
    """What an import would do. Nothing has been stored."""

    rows: tuple[PreviewRow, ...]
    columns: tuple[Column, ...]
    encoding: str
    delimiter: str
    text: str
    problems: tuple[Problem, ...] = ()

    def having(self, status: str) -> tuple[PreviewRow, ...]:
        return tuple(row for row in self.rows if row.status == status)

    @property
    def wrong(self) -> tuple[PreviewRow, ...]:
        return self.having(WRONG)

    @property
    def readable(self) -> tuple[EntryRow, ...]:
        """The lines without problems, ready for the service."""
        return tuple(row.entry for row in self.rows if row.status != WRONG)

    def compared(self, found: Sequence[ImportedRow]) -> Preview:
        """Return the preview with what the stored entries say about each readable line."""
        by_line = {one.row.line: one for one in found}
        return replace(self, rows=tuple(_compared(row, by_line) for row in self.rows))


def preview(
    content: bytes,
    name: str,
    *,
    kind: str,
    encoding: str = "",
    fields: Sequence[str] = (),
) -> Preview:
    """Read a list of entries of `kind`; `encoding` and `fields` override what was recognised.

    Raises a refusal when the file as a whole cannot be read.
    """
    sheet = read_sheet(content, name[-FILE_NAME_SHOWN:], encoding=encoding)
    found, heading = columns.recognised(sheet, kind)
    allowed = columns.labels_for(kind)
    chosen = found
    if len(fields) == sheet.width and all(field in allowed for field in fields):
        chosen = tuple(fields)
    shown = tuple(
        Column(get_column_letter(n + 1), _heading(heading, n), field)
        for n, field in enumerate(chosen)
    )
    lines = [line for line in sheet.lines if line is not heading]
    problems = tuple(_of_the_list(shown, lines))
    reader = LineReader(shown, kind)
    rows = () if problems else tuple(map(_row, map(reader.read, lines)))
    return Preview(rows, shown, sheet.encoding, sheet.delimiter, sheet.as_text(), problems)


def _row(read: tuple[EntryRow, tuple[Problem, ...]]) -> PreviewRow:
    entry, problems = read
    return PreviewRow(entry, WRONG if problems else READ, problems)


def _compared(row: PreviewRow, found: Mapping[int, ImportedRow]) -> PreviewRow:
    one = found.get(row.line)
    if row.status == WRONG or one is None:
        return row
    if one.error is not None:
        return replace(row, status=WRONG, problems=(one.error,))
    return replace(row, status=NEW if one.is_new else ENTERED)


def _heading(heading: Line | None, column: int) -> str:
    if heading is None or column >= len(heading.cells):
        return ""
    return heading.cells[column].text


def _of_the_list(shown: Sequence[Column], lines: Sequence[Line]) -> list[Problem]:
    """Return what is wrong with the list rather than with one of its lines."""
    fields = [column.field for column in shown]
    problems = []
    if columns.PLAYER_1 not in fields and columns.BOTH not in fields:
        problems.append(
            Problem(
                "no_player_column",
                gettext_noop(
                    "No column was recognised as the players. Choose it in the list of columns."
                ),
            )
        )
    for field in sorted({one for one in fields if one and fields.count(one) > 1}):
        twice = tuple(column.label for column in shown if column.field == field)
        problems.append(
            Problem(
                "column_twice",
                gettext_noop("The columns %(columns)s are set to hold the same. Keep one of them."),
                {"columns": twice},
            )
        )
    if not lines:
        problems.append(
            Problem(
                "only_headings",
                gettext_noop("The list has headings and no entry. Add a line for each entry."),
            )
        )
    return problems
