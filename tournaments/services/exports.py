"""Lists of an event for spreadsheets and programs: entries, pairings, results, standings.

Names of columns are words of the field in English, the same in every language, so that what
reads one file reads them all.
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from django.db.models import Exists, OuterRef
from openpyxl import Workbook
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE
from openpyxl.styles import Font

from tournaments.models import (
    Absence,
    Appeal,
    Bye,
    Entry,
    EntryPlayer,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.publication import withheld
from tournaments.services.frozen import frozen_of

Cell: TypeAlias = str | int | None
KINDS: Final = ("entries", "pairings", "results", "standings")
FORMATS: Final[Mapping[str, str]] = {
    "csv": "text/csv; charset=utf-8",
    "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
    "json": "application/json",
}
# What a seat of an open table has under the columns of results.
_NO_RESULT: Final[tuple[Cell, ...]] = ("", None, None, 0, 0, 0)
# A spreadsheet would run a text that begins with one of these as a formula.
# Some read the wide signs of East Asian writing like the narrow ones.
_FORMULA: Final = (*"=+-@", *"＝＋－＠", "\t", "\r", "\n")
# A cell of a workbook holds no more; CSV and JSON have the whole.
LONGEST_CELL: Final = 32_767
_BOM: Final = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Sheet:
    """One list: its name, the names of its columns, and a row for each thing."""

    name: str
    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]


def entries_sheet(tournament: Tournament, *, private: bool) -> Sheet:
    """Return who is registered; what only the desk knows is there with `private`."""
    entries = tournament.entries.select_related("club").order_by("number")
    if not private:
        entries = entries.exclude(state=Entry.State.WAITING)
    members: dict[int, list[EntryPlayer]] = {}
    for one in EntryPlayer.objects.filter(tournament=tournament).select_related("player"):
        members.setdefault(one.entry_id, []).append(one)
    columns = ["number", "name", "kind", "seed", "state", "category", "club", "country", "players"]
    desk = ["substitutes", "federation_numbers", "paid", "checked_in_at", "fixed_table"]
    rows: list[tuple[Cell, ...]] = []
    for entry in entries:
        players = [one for one in members.get(entry.pk, []) if not one.on_bench]
        bench = [one for one in members.get(entry.pk, []) if one.on_bench]
        countries = sorted({one.player.country for one in players if one.player.country})
        name = entry.known_name if private else entry.name
        row: list[Cell] = [
            entry.number, name, entry.kind, entry.seed, entry.state, entry.category,
            entry.club.name if entry.club else "", " / ".join(countries),
            " / ".join(
                one.player.known_name if private else one.player.name for one in players
            ),
        ]  # fmt: skip
        if private:
            row += [
                " / ".join(one.player.known_name for one in bench),
                " / ".join(one.player.number for one in players if one.player.number),
                int(entry.paid),
                entry.checked_in_at.isoformat() if entry.checked_in_at else "",
                entry.fixed_table,
            ]
        rows.append(tuple(row))
    return Sheet("entries", tuple(columns + desk if private else columns), tuple(rows))


def pairings_sheet(rounds: Iterable[PairingRound]) -> Sheet:
    """Return who sits where in some rounds; byes and absences have no table."""
    rows = [row[:8] for row in _seat_rows(list(rounds))]
    columns = ("stage", "round", "group", "table", "seat", "entry", "name", "player")
    return Sheet("pairings", columns, tuple(rows))


def results_sheet(rounds: Iterable[PairingRound]) -> Sheet:
    """Return what every seat left some rounds with; an open table has no result yet.

    Nor has one whose result is hidden from the reader.
    """
    columns = ("stage", "round", "group", "table", "seat", "entry", "name", "player")
    taken = (
        *("outcome", "points_for", "points_against", "deducted", "rounds_won"),
        "under_protest",
    )
    return Sheet("results", columns + taken, tuple(_seat_rows(list(rounds))))


def standings_sheet(stage: Stage, pairing_round: PairingRound | None = None) -> Sheet:
    """Return the standings of a stage, now or as they are kept with a round.

    Where results are hidden from the reader they are those kept before the first hidden round.
    """
    is_known = True
    if pairing_round is None:
        pairing_round, is_known = _last_known(stage)
    frozen = frozen_of(pairing_round) if pairing_round is not None else None
    entries = {one.number: one for one in stage.tournament.entries.select_related("club")}
    names: Sequence[str]
    if not is_known:
        names, found = stage.tie_breaks, []
    elif frozen is None:
        names = stage.tie_breaks
        stored = stage.standing_rows.select_related("entry").order_by("group", "order")
        found = [
            (one.group, one.place, one.entry.number, one.played, one.values, one.decided_by)
            for one in stored
        ]
    else:
        names = frozen.tie_breaks
        found = [
            (one.group, one.place, one.entry, one.played, dict(one.values), one.decided_by)
            for one in frozen.rows
            if one.entry in entries
        ]
    fixed = ("stage", "group", "place", "entry", "name", "club", "played")
    columns = (*fixed, *names, "decided_by", "provisional")
    until = {} if pairing_round is None else {"pairing_round__number__lte": pairing_round.number}
    provisional = int(
        Match.objects.filter(
            pairing_round__stage=stage, appeals__state=Appeal.State.FILED, **until
        ).exists()
    )
    rows = []
    for group, place, number, played, values, decided_by in found:
        entry = entries[number]
        club = entry.club.name if entry.club else ""
        counted: list[Cell] = [values.get(name) for name in names]
        rows.append(
            (
                stage.number,
                group,
                place,
                number,
                entry.name,
                club,
                played,
                *counted,
                decided_by,
                provisional,
            )
        )
    return Sheet("standings", columns, tuple(rows))


def _last_known(stage: Stage) -> tuple[PairingRound | None, bool]:
    """Return the round whose kept standings the reader may know, and whether there are any.

    None where the standings of now may be known.
    """
    last = withheld(stage.tournament).last_known(stage)
    later = stage.rounds.exclude(state=PairingRound.State.DRAFT)
    if last is None or not later.filter(number__gt=last).exists():
        return None, True
    known = stage.rounds.filter(number__lte=last).exclude(standings=[]).defer("draw")
    kept = known.order_by("-number").first()
    return kept, kept is not None


def written(sheet: Sheet, kind: str) -> bytes:
    """Return a sheet as a file of one of FORMATS."""
    match kind:
        case "csv":
            return _csv(sheet)
        case "xlsx":
            return _xlsx([sheet])
        case "json":
            return _json(sheet)
        case _:
            raise KeyError(kind)


def workbook(sheets: Iterable[Sheet]) -> bytes:
    """Return several sheets as one XLSX file."""
    return _xlsx(sheets)


def harmless(cell: Cell) -> Cell:
    """Return a cell that no spreadsheet takes for a formula."""
    if isinstance(cell, str) and cell.startswith(_FORMULA):
        return f"'{cell}"
    return cell


def _seat_rows(rounds: Sequence[PairingRound]) -> list[tuple[Cell, ...]]:
    numbers = {one.pk: (one.stage.number, one.number) for one in rounds}
    protests = Appeal.objects.filter(match=OuterRef("match"), state=Appeal.State.FILED)
    seats = MatchSeat.objects.filter(pairing_round__in=numbers).values_list(
        "pairing_round", "match__group", "match__table", "seat", "entry__number", "entry__name",
        "player__name", "outcome", "points_for", "points_against", "deducted", "rounds_won",
        Exists(protests),
    )  # fmt: skip
    unknown = {one.pk for one in rounds if withheld(one.stage.tournament).has(one)}
    rows: list[tuple[Cell, ...]] = [
        (*numbers[row[0]], *row[1:7], *_NO_RESULT)
        if row[0] in unknown
        else (*numbers[row[0]], *row[1:-1], int(row[-1]))
        for row in seats
    ]
    absences = Absence.objects.without_table()
    for things, word in ((Bye.objects.all(), "bye"), (absences, "absent")):
        without = things.filter(pairing_round__in=numbers).values_list(
            "pairing_round", "entry__number", "entry__name"
        )
        rows += [
            (*numbers[at], "", None, "", number, name, "", word, None, None, None, None, 0)
            for at, number, name in without
        ]
    rows.sort(key=lambda row: (row[0], row[1], row[3] is None, row[3] or 0, row[4], row[5]))
    return rows


def _csv(sheet: Sheet) -> bytes:
    text = io.StringIO()
    text.write(_BOM)
    writer = csv.writer(text)
    writer.writerow(sheet.columns)
    writer.writerows([harmless(cell) for cell in row] for row in sheet.rows)
    return text.getvalue().encode("utf-8", "replace")


def _xlsx(sheets: Iterable[Sheet]) -> bytes:
    book = Workbook()
    assert book.active is not None
    book.remove(book.active)
    for sheet in sheets:
        page = book.create_sheet(sheet.name)
        page.append(list(sheet.columns))
        for cell in page[1]:
            cell.font = Font(bold=True)
        page.freeze_panes = "A2"
        for row in sheet.rows:
            page.append([_plain(harmless(cell)) for cell in row])
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


def _plain(cell: Cell) -> Cell:
    """Leave out the signs a workbook cannot hold, and what is longer than its cells."""
    if not isinstance(cell, str):
        return cell
    written = ILLEGAL_CHARACTERS_RE.sub("", cell)
    return written if len(written) <= LONGEST_CELL else written[: LONGEST_CELL - 1] + "…"


def _json(sheet: Sheet) -> bytes:
    rows = [dict(zip(sheet.columns, row, strict=True)) for row in sheet.rows]
    return json.dumps({sheet.name: rows}, ensure_ascii=False, indent=1).encode()
