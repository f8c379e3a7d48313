"""What a request for a draw says of seats: where everybody sat, and which tables are kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from itertools import groupby
from typing import Any

from tournaments.competition import seating
from tournaments.models import MatchSeat, PairingRound, Stage
from tournaments.services.draw_requests import Asked


def with_seats(stage: Stage, number: int, asked: Asked) -> Asked:
    """Return the request without those at locked tables, and with what its seats depend on."""
    locked = MatchSeat.objects.filter(
        pairing_round__stage=stage, pairing_round__number=number, match__is_locked=True
    ).values_list("entry__number", "match__table")
    kept = {str(entry) for entry, _ in locked}
    listed: Any = asked.request["entries"]
    request = asked.request | {"entries": [one for one in listed if one["id"] not in kept]}
    taken = sorted({table - stage.first_table + 1 for _, table in locked})
    if taken:
        request["taken"] = taken
    before = _where_they_sat(stage, number)
    request["seated"] = {one: before[one] for one in asked.entries if one in before}
    return replace(asked, request=request)


def tables_of(
    request: Mapping[str, object], answer: Mapping[str, object]
) -> list[Mapping[str, Any]]:
    """Return the tables of an answer with their seats. Where lots gave the seats, they stay."""
    tables: Any = answer["tables"]
    if tables and "seats" in tables[0]:
        return list(tables)
    return [one.json() for one in seating.seated(request, answer)]


def _where_they_sat(stage: Stage, number: int) -> Mapping[str, list[list[object]]]:
    """Return seat and table of each entry in all rounds of the event so far, in order."""
    rows = (
        MatchSeat.objects.filter(pairing_round__stage__tournament=stage.tournament_id)
        .exclude(pairing_round__state=PairingRound.State.DRAFT)
        .exclude(pairing_round__stage=stage, pairing_round__number__gte=number)
        .order_by("pairing_round__stage__number", "pairing_round__number", "match", "seat")
        .values_list("match", "entry__number", "seat", "match__table")
    )
    found: defaultdict[str, list[list[object]]] = defaultdict(list)
    for _, at_table in groupby(rows, key=lambda row: row[0]):
        # A pair has two seats of one side: the first says where it sat.
        first: dict[int, list[object]] = {}
        for _, entry, seat, table in at_table:
            first.setdefault(entry, [seat, table])
        for entry, sat in first.items():
            found[str(entry)].append(sat)
    return found
