"""The other tables of an event for spreadsheets and programs, all for its desk."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final

from django.utils.translation import override

from tournaments.competition.types import TieBreak
from tournaments.models import (
    Absence,
    Appeal,
    Bye,
    EntryPlayer,
    Match,
    PairingRound,
    RatingChange,
    ReportedResult,
    Tournament,
)
from tournaments.services.exports import Cell, Sheet
from tournaments.services.frozen import frozen_of

_IN_EVENT: Final = "pairing_round__stage__tournament"


def players_sheet(tournament: Tournament) -> Sheet:
    """Return everybody who is in an entry, with their federation number and club."""
    members = EntryPlayer.objects.filter(tournament=tournament).select_related(
        "player__club", "entry"
    )
    columns = (
        "entry", "position", "name", "latin_name", "federation_number", "club", "country",
        "substitute",
    )  # fmt: skip
    return Sheet("players", columns, tuple(
        (
            one.entry.number, one.position, one.player.known_name, one.player.known_latin_name,
            one.player.number, one.player.club.name if one.player.club else "",
            one.player.country, int(one.on_bench),
        )
        for one in members.order_by("entry__number", "position")
    ))  # fmt: skip


def clubs_sheet(tournament: Tournament) -> Sheet:
    """Return the clubs of the entries and players, with how many entries each has."""
    found: dict[int, tuple[Any, set[int]]] = {}
    members = EntryPlayer.objects.filter(tournament=tournament).select_related(
        "player__club", "entry__club"
    )
    for one in members:
        for club in (one.player.club, one.entry.club):
            if club is not None:
                found.setdefault(club.pk, (club, set()))[1].add(one.entry_id)
    rows: list[tuple[Cell, ...]] = [
        (club.name, club.latin_name, club.country, club.city, len(entries))
        for club, entries in sorted(found.values(), key=lambda one: one[0].name)
    ]
    return Sheet("clubs", ("name", "latin_name", "country", "city", "entries"), tuple(rows))


def rounds_sheet(tournament: Tournament) -> Sheet:
    """Return the pairing rounds of all stages, with how many tables, byes and absences."""
    columns = (
        "stage", "stage_name", "system", "round", "state", "published_at", "starts_at", "minutes",
        "tables", "closed", "byes", "absences",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = []
    for one in _rounds(tournament):
        states = list(one.matches.values_list("state", flat=True))
        rows.append((
            one.stage.number, one.stage.name, one.stage.system, one.number, one.state,
            _moment(one.published_at), _moment(one.starts_at), one.minutes, len(states),
            states.count(Match.State.CLOSED), one.byes.count(), one.absences.count(),
        ))  # fmt: skip
    return Sheet("rounds", columns, tuple(rows))


def tables_sheet(tournament: Tournament) -> Sheet:
    """Return every table with its state, times, extra time and rules of its own."""
    matches = Match.objects.filter(**{_IN_EVENT: tournament}).select_related(
        "pairing_round__stage"
    ).defer("pairing_round__draw", "pairing_round__standings").order_by(
        "pairing_round__stage__number", "pairing_round__number", "table"
    )  # fmt: skip
    columns = (
        "stage", "round", "group", "meeting", "game", "table", "state", "opened_at", "closed_at",
        "extra_seconds", "locked", "rules", "running_score",
    )  # fmt: skip
    return Sheet("tables", columns, tuple(
        (
            one.pairing_round.stage.number, one.pairing_round.number, one.group, one.meeting,
            one.game, one.table, one.state, _moment(one.opened_at), _moment(one.closed_at),
            one.extra_seconds, int(one.is_locked), _json(one.rules), _json(one.score),
        )
        for one in matches
    ))  # fmt: skip


def without_table_sheet(tournament: Tournament) -> Sheet:
    """Return the byes with their worth, and the absences."""
    rows: list[tuple[Cell, ...]] = []
    for thing, what in ((Bye, "bye"), (Absence, "absence")):
        found = thing.objects.filter(**{_IN_EVENT: tournament}).select_related(
            "entry", "pairing_round__stage"
        )
        rows += [
            (
                one.pairing_round.stage.number, one.pairing_round.number, one.entry.number,
                one.entry.name, what, one.kind, getattr(one, "worth", ""),
            )
            for one in found.defer("pairing_round__draw", "pairing_round__standings")
        ]  # fmt: skip
    columns = ("stage", "round", "entry", "name", "what", "kind", "worth")
    return Sheet("byes and absences", columns, tuple(sorted(rows, key=lambda row: row[:3])))


def standings_after_sheet(tournament: Tournament) -> Sheet:
    """Return the standings as they are kept with every round that is over."""
    names = [one.value for one in TieBreak]
    entries = {one.number: one.name for one in tournament.entries.all()}
    rows: list[tuple[Cell, ...]] = []
    for one in _rounds(tournament, standings=True):
        frozen = frozen_of(one)
        for row in frozen.rows if frozen is not None else ():
            counted = [row.values.get(name) for name in names]
            rows.append((
                one.stage.number, one.number, row.group, row.place, row.entry,
                entries.get(row.entry, ""), row.played, *counted, row.decided_by,
            ))  # fmt: skip
    columns = ("stage", "round", "group", "place", "entry", "name", "played", *names, "decided_by")
    return Sheet("standings after rounds", columns, tuple(rows))


def log_sheet(tournament: Tournament) -> Sheet:
    """Return the log from its beginning: who did what when, and what was taken back."""
    lines = list(tournament.log.select_related("by").order_by("pk"))
    places = {one.pk: place for place, one in enumerate(lines, start=1)}
    return Sheet("log", ("line", "at", "by", "act", "details", "taken_back_by_line"), tuple(
        (
            places[one.pk], _moment(one.at),
            one.by.username if one.by else str(one.details.get("by_name", "")), one.act,
            _json({key: value for key, value in one.details.items() if key != "way_back"}),
            places.get(one.undone_by_id or 0),
        )
        for one in lines
    ))  # fmt: skip


def ratings_sheet(tournament: Tournament) -> Sheet:
    """Return what the tables of the event did to the ratings of its players, in thousandths."""
    changes = RatingChange.objects.filter(
        match__pairing_round__stage__tournament=tournament
    ).values_list(
        "match__pairing_round__stage__number", "match__pairing_round__number", "match__table",
        "player__name", "player__number", "mean_before", "deviation_before", "mean", "deviation",
    ).order_by("pk")  # fmt: skip
    columns = (
        "stage", "round", "table", "name", "federation_number", "mean_before_thousandths",
        "deviation_before_thousandths", "mean_thousandths", "deviation_thousandths",
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (*row[:5], *(round(1000 * one) for one in row[5:])) for row in changes
    ]
    return Sheet("ratings", columns, tuple(rows))


def check_in_sheet(tournament: Tournament) -> Sheet:
    """Return who is here, since when, and who has paid."""
    entries = tournament.entries.order_by("number")
    columns = ("entry", "name", "state", "checked_in_at", "paid", "registered_at")
    return Sheet("check-in", columns, tuple(
        (one.number, one.name, one.state, _moment(one.checked_in_at), int(one.paid),
         _moment(one.registered_at))
        for one in entries
    ))  # fmt: skip


def reported_sheet(tournament: Tournament) -> Sheet:
    """Return the results that waited for a second check, and what became of them."""
    found = ReportedResult.objects.filter(match__pairing_round__stage__tournament=tournament)
    columns = ("stage", "round", "table", "by", "at", "accepted", "seats")
    return Sheet("reported results", columns, tuple(
        (
            one.match.pairing_round.stage.number, one.match.pairing_round.number, one.match.table,
            one.by.username if one.by else "", _moment(one.at),
            "" if one.accepted is None else int(one.accepted), _json(one.seats),
        )
        for one in found.select_related("by", "match__pairing_round__stage").order_by("pk")
    ))  # fmt: skip


def draws_sheet(tournament: Tournament) -> Sheet:
    """Return the draws: seed, version, what was asked and what was answered."""
    columns = ("stage", "round", "seed", "version", "request", "answer")
    return Sheet("draws", columns, tuple(
        (
            one.stage.number, one.number, one.draw.get("seed"), one.draw.get("version"),
            _json(one.draw.get("request")), _json(one.draw.get("answer")),
        )
        for one in _rounds(tournament, draw=True)
        if one.draw
    ))  # fmt: skip


def appeals_sheet(tournament: Tournament) -> Sheet:
    """Return the appeals with what was decided."""
    columns = (
        "number", "stage", "round", "table", "entry", "name", "filed_at", "grounds", "state",
        "effect", "decided_at", "reasons", "fee", "fee_state",
    )  # fmt: skip
    found = Appeal.objects.filter(tournament=tournament).select_related(
        "entry", "match__pairing_round__stage"
    )
    return Sheet("appeals", columns, tuple(
        (
            one.number, one.match.pairing_round.stage.number, one.match.pairing_round.number,
            one.match.table, one.entry.number, one.entry.name, _moment(one.filed_at), one.grounds,
            one.state, one.effect, _moment(one.decided_at), one.reasons, one.fee, one.fee_state,
        )
        for one in found.order_by("number")
    ))  # fmt: skip


SHEETS: Final[Mapping[str, Callable[[Tournament], Sheet]]] = {
    "players": players_sheet,
    "clubs": clubs_sheet,
    "rounds": rounds_sheet,
    "tables": tables_sheet,
    "missing": without_table_sheet,
    "after": standings_after_sheet,
    "check-in": check_in_sheet,
    "reported": reported_sheet,
    "appeals": appeals_sheet,
    "ratings": ratings_sheet,
    "draws": draws_sheet,
    "log": log_sheet,
}


def desk_sheet(tournament: Tournament, kind: str) -> Sheet:
    """Return one of SHEETS. Its words are English, whoever asks, like the names of columns."""
    with override("en"):
        return SHEETS[kind](tournament)


def _rounds(
    tournament: Tournament, *, draw: bool = False, standings: bool = False
) -> list[PairingRound]:
    left = [name for name, wanted in (("draw", draw), ("standings", standings)) if not wanted]
    rounds = PairingRound.objects.filter(stage__tournament=tournament).select_related("stage")
    return list(rounds.defer(*left).order_by("stage__number", "number"))


def _moment(moment: datetime | None) -> str:
    return moment.isoformat() if moment is not None else ""


def _json(value: object) -> str:
    return "" if value in (None, {}, []) else json.dumps(value, ensure_ascii=False)
