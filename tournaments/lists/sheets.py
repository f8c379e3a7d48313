"""Bytes of a list as people save it (CSV, text, XLSX) to lines of cells, within limits."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Final
from xml.etree.ElementTree import ParseError

import openpyxl
from django.utils.translation import gettext_noop
from openpyxl.utils.exceptions import InvalidFileException

from engine.errors import DominoError
from tournaments.lists.encodings import ENCODINGS, decoded, encoding_of

MAX_BYTES: Final = 1_000_000
MAX_LINES: Final = 5_000
MAX_ROW: Final = 20_000  # empty lines included
MAX_COLUMNS: Final = 40
MAX_CELL: Final = 500
MAX_UNPACKED: Final = 24_000_000
MAX_PARTS: Final = 500

DELIMITERS: Final = {
    ",": gettext_noop("comma"),
    ";": gettext_noop("semicolon"),
    "\t": gettext_noop("tab"),
}
_INVISIBLE: Final = re.compile("[\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff\u00ad]")
_SPACES: Final = re.compile(r"[\s\u00a0\u2007\u202f]+")


class FileTooLarge(DominoError):
    code = "file_too_large"
    text = gettext_noop(
        "This file has %(size)s kB; at most %(limit)s kB can be read. Remove pictures and"
        " sheets that do not belong to the list, or save it as CSV."
    )


class FileEmpty(DominoError):
    code = "file_empty"
    text = gettext_noop(
        "There is no line with text in this list. Check that you chose the right file and that"
        " the list is on its first sheet."
    )


class FileNotReadable(DominoError):
    code = "file_not_readable"
    text = gettext_noop(
        "“%(name)s” is not a list that can be read. Open it in your spreadsheet program and"
        " save it as XLSX or CSV."
    )


class FileUnpacksTooLarge(DominoError):
    code = "file_unpacks_too_large"
    text = gettext_noop(
        "“%(name)s” unpacks to more than can be read (%(limit)s MB). Copy the list alone into a"
        " new sheet and save that."
    )


class TooManyLines(DominoError):
    code = "too_many_lines"
    text = gettext_noop(
        "The list has more than %(limit)s lines. Split it into several files and import them one"
        " after the other."
    )


class TooManyColumns(DominoError):
    code = "too_many_columns"
    text = gettext_noop(
        "Line %(line)s has more than %(limit)s columns. Keep only the columns with players, club,"
        " country, number and seed."
    )


@dataclass(frozen=True, slots=True)
class Cell:
    """The text of a cell, and what cannot be taken over: `formula`, `error`, `control`, `long`."""

    text: str = ""
    fault: str = ""


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the list under the number the reader sees in the spreadsheet."""

    number: int
    cells: tuple[Cell, ...]


@dataclass(frozen=True, slots=True)
class Sheet:
    """A list as it was read. `encoding` and `delimiter` are empty for a spreadsheet."""

    lines: tuple[Line, ...]
    encoding: str = ""
    delimiter: str = ""

    @property
    def width(self) -> int:
        return max((len(line.cells) for line in self.lines), default=0)

    def as_text(self) -> str:
        """Return the list as text with tabs between the columns, to be corrected by hand."""
        return "\n".join("\t".join(cell.text for cell in line.cells) for line in self.lines)


def read_sheet(content: bytes, name: str, *, encoding: str = "") -> Sheet:
    """Read a file; `encoding` overrides what was recognised."""
    if len(content) > MAX_BYTES:
        raise FileTooLarge(size=len(content) // 1000, limit=MAX_BYTES // 1000)
    if content.startswith(b"PK\x03\x04"):
        sheet = Sheet(_bounded(_spreadsheet_lines(content, name)))
    elif content.startswith((b"\xd0\xcf\x11\xe0", b"%PDF", b"\x89PNG", b"\xff\xd8\xff", b"{\\rtf")):
        raise FileNotReadable(name=name)
    else:
        sheet = _text_sheet(content, name, encoding)
    if not sheet.lines:
        raise FileEmpty
    return sheet


def cleaned(text: str) -> Cell:
    """Return the text without invisible marks and doubled spaces, and what is wrong with it."""
    text = _SPACES.sub(" ", _INVISIBLE.sub("", text)).strip()
    if len(text) > MAX_CELL:
        return Cell(text[:40] + "…", "long")
    if any(
        unicodedata.category(one) in {"Cc", "Cs", "Co", "Cn"} or one == "\ufffd" for one in text
    ):
        shown = "".join(
            "\ufffd" if unicodedata.category(one) in {"Cc", "Cs", "Co", "Cn"} else one
            for one in text
        )
        return Cell(shown, "control")
    return Cell(unicodedata.normalize("NFC", text))


def _bounded(rows: Iterable[tuple[int, list[Cell]]]) -> tuple[Line, ...]:
    lines: list[Line] = []
    for number, cells in rows:
        while cells and not cells[-1].text and not cells[-1].fault:
            cells.pop()
        if not cells:
            continue
        if len(cells) > MAX_COLUMNS:
            raise TooManyColumns(line=number, limit=MAX_COLUMNS)
        if len(lines) == MAX_LINES:
            raise TooManyLines(limit=MAX_LINES)
        lines.append(Line(number, tuple(cells)))
    return tuple(lines)


def _text_sheet(content: bytes, name: str, encoding: str) -> Sheet:
    if encoding not in ENCODINGS:
        encoding = encoding_of(content)
    text = decoded(content, encoding)
    if text.count("\x00") > len(text) // 4:
        raise FileNotReadable(name=name)
    delimiter = _delimiter(text)
    return Sheet(_bounded(_text_lines(text, delimiter)), encoding, delimiter)


def _text_lines(text: str, delimiter: str) -> Iterator[tuple[int, list[Cell]]]:
    """Return the numbered lines. A quote that is never closed ends with its own line."""
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    if len(lines) > MAX_ROW:
        raise TooManyLines(limit=MAX_LINES)
    for number, line in enumerate(lines, start=1):
        if number == 1 and line.casefold().startswith("sep="):
            continue
        yield number, [cleaned(cell) for cell in _split(line, delimiter)]


def _split(line: str, delimiter: str) -> list[str]:
    """Split one line; a name in quotes may hold the delimiter."""
    if line.count('"') % 2:
        return line.replace('"', "").split(delimiter)
    try:
        return next(csv.reader([line.replace("\x00", "\ufffd")], delimiter=delimiter), [])
    except csv.Error:
        return line.split(delimiter)


def _delimiter(text: str) -> str:
    """Return what splits the first lines most evenly."""
    lines = [line for line in text.splitlines()[:50] if line.strip()]
    if lines and lines[0].casefold().startswith("sep=") and lines[0][4:5] in DELIMITERS:
        return lines[0][4:5]

    def evenness(delimiter: str) -> tuple[int, int]:
        widths = [len(_split(line, delimiter)) for line in lines]
        split = [width for width in widths if width > 1]
        return (max((split.count(width) for width in set(split)), default=0), sum(split))

    return max(DELIMITERS, key=evenness)


def _spreadsheet_lines(content: bytes, name: str) -> Iterator[tuple[int, list[Cell]]]:
    """Return the lines of the first sheet: stored values, never a formula's calculation."""
    try:
        _require_modest(content, name)
        with _workbook(content, values=True) as shown, _workbook(content, values=False) as written:
            yield from _spreadsheet_rows(shown, written)
    except DominoError:
        raise
    except (
        zipfile.BadZipFile,
        InvalidFileException,
        ParseError,
        KeyError,
        ValueError,
        TypeError,
        AttributeError,
        IndexError,
        OSError,
        EOFError,
        NotImplementedError,
        OverflowError,
        RuntimeError,
        zipfile.LargeZipFile,
    ) as error:
        raise FileNotReadable(name=name) from error


@contextmanager
def _workbook(content: bytes, *, values: bool) -> Iterator[Any]:
    workbook = openpyxl.load_workbook(
        io.BytesIO(content), read_only=True, data_only=values, keep_links=False
    )
    try:
        yield workbook
    finally:
        workbook.close()


def _require_modest(content: bytes, name: str) -> None:
    """Refuse an archive that unpacks to too much, before anything is unpacked.

    The sizes it claims are enforced while reading: no part yields more than it claims.
    """
    with zipfile.ZipFile(io.BytesIO(content)) as archive:
        parts = archive.infolist()
        if len(parts) > MAX_PARTS or sum(part.file_size for part in parts) > MAX_UNPACKED:
            raise FileUnpacksTooLarge(name=name, limit=MAX_UNPACKED // 1_000_000)
        if "xl/workbook.xml" not in {part.filename for part in parts}:
            raise FileNotReadable(name=name)


def _spreadsheet_rows(shown: Any, written: Any) -> Iterator[tuple[int, list[Cell]]]:
    if not shown.worksheets:
        raise FileEmpty
    value_sheet, source_sheet = shown.worksheets[0], written.worksheets[0]
    for sheet in (value_sheet, source_sheet):
        sheet.reset_dimensions()
    rows = zip(
        value_sheet.iter_rows(max_row=MAX_ROW + 1, max_col=MAX_COLUMNS + 1),
        source_sheet.iter_rows(max_row=MAX_ROW + 1, max_col=MAX_COLUMNS + 1),
        strict=False,
    )
    for number, (values, sources) in enumerate(rows, start=1):
        if number > MAX_ROW:
            raise TooManyLines(limit=MAX_LINES)
        yield (
            number,
            [
                _spreadsheet_cell(value, source)
                for value, source in zip(values, sources, strict=False)
            ],
        )


def _spreadsheet_cell(value: Any, source: Any) -> Cell:
    if value.value is None:
        return Cell("", "formula" if source.data_type == "f" else "")
    if value.data_type == "e":
        return Cell(str(value.value), "error")
    if isinstance(value.value, float) and value.value.is_integer():
        return cleaned(str(int(value.value)))
    return cleaned(str(value.value))
