"""Standings counted again from the stored tables, byes and absences, by arithmetic of its own."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence

from referee.rehearsal.event import SeatRow, absences_of, byes_of, require, seats_of
from tournaments.models import PairingRound, Stage

WON = {"win", "walkover_win"}
# What is counted here, in the order in which it decides.
BRACKETS = {"knockout", "double_elimination"}
COUNTED = ("wins", "difference", "points_for")
Worth = tuple[int, int, int]


def check(stage: Stage) -> None:
    """Check values, order and places of the stored rows against what the tables say."""
    stage = Stage.objects.select_related("tournament").get(pk=stage.pk)
    counted = count(stage)
    rows = list(stage.standing_rows.select_related("entry").order_by("group", "order"))
    members = set(stage.stage_entries.values_list("entry__number", flat=True))
    listed = {row.entry.number for row in rows}
    require(listed == members, "standings list every entry once", at=stage, found=listed ^ members)
    above: tuple[str, int, Worth] | None = None
    for row in rows:
        worth = counted.get(row.entry.number, (0, 0, 0))
        for name, value in zip(COUNTED, worth, strict=True):
            stored = row.values.get(name, value)
            require(
                stored == value,
                f"{name} are those of the tables",
                at=f"{stage}, entry {row.entry.number}",
                found=f"{stored} instead of {value}",
            )
        if stage.system in BRACKETS:
            # Who is still in stands above who is out, whatever was won.
            continue
        if above is not None and above[0] == row.group:
            _in_order(stage, above, (row.group, row.place, worth), row.decided_by)
        else:
            require(row.place == 1, "the first row has place 1", at=stage, found=row.place)
        above = (row.group, row.place, worth)


def _in_order(
    stage: Stage, above: tuple[str, int, Worth], row: tuple[str, int, Worth], decided_by: str
) -> None:
    used = [number for number, name in enumerate(COUNTED) if name in stage.tie_breaks]
    before, after = ([one[2][number] for number in used] for one in (above, row))
    require(before >= after, "the better one stands above", at=stage, found=(above, row))
    first = next((n for n, (a, b) in enumerate(zip(before, after, strict=True)) if a != b), None)
    if first is not None:
        name = COUNTED[used[first]]
        require(decided_by == name, "what decides is named", at=stage, found=decided_by)
    elif "lot" in stage.tie_breaks:
        require(decided_by == "lot", "who is level is parted by lot", at=stage, found=decided_by)
    else:
        require(above[1] == row[1], "who is level shares a place", at=stage, found=row[1])


def count(stage: Stage) -> dict[int, Worth]:
    """Return wins, difference and points for of every entry that has played, rested or missed."""
    target = stage.target or int(stage.tournament.rules["target"])
    points_are_bad = stage.tournament.rules["profile"] == "elimination"
    begun = set(
        stage.rounds.filter(
            state__in=[PairingRound.State.PLAYING, PairingRound.State.FINISHED]
        ).values_list("number", flat=True)
    )
    wins: Counter[int] = Counter()
    for_: Counter[int] = Counter()
    against: Counter[int] = Counter()
    for number in begun:
        for entry in byes_of(stage).get(number, ()):
            wins[entry] += 1
            for_[entry] += 0 if points_are_bad else target
            against[entry] += target // 2
        for entry in absences_of(stage).get(number, ()):
            against[entry] += target
    for taken in _taken(seats_of(stage)):
        wins[taken.entry] += taken.outcome in WON
        for_[taken.entry] += taken.points_for or 0
        against[taken.entry] += taken.points_against or 0
    return {
        entry: (wins[entry], for_[entry] - against[entry], for_[entry])
        for entry in {*wins, *for_, *against}
    }


def _taken(rows: Sequence[SeatRow]) -> list[SeatRow]:
    """Return one seat for each entry and closed table: of partners the one that took less."""
    found: dict[tuple[int, int], SeatRow] = {}
    for row in rows:
        if row.state != "closed":
            continue
        other = found.get((row.match, row.entry))
        if other is None or _less(row, other):
            found[row.match, row.entry] = row
    return list(found.values())


def _less(one: SeatRow, other: SeatRow) -> bool:
    worth = [
        (row.outcome in WON, (row.points_for or 0) - (row.points_against or 0))
        for row in (one, other)
    ]
    return worth[0] < worth[1]


def written(stage: Stage) -> str:
    """Return the standings of a stage as text, to compare it byte by byte."""
    rows = stage.standing_rows.order_by("group", "order").values(
        "pk", "entry", "group", "order", "place", "played", "values", "decided_by"
    )
    return json.dumps(list(rows), sort_keys=True)
