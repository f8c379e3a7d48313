"""What pages and the API show of table links, holders, confirmed rounds and calls."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db.models import F, QuerySet
from django.urls import reverse
from django.utils import timezone

from engine.errors import DominoError
from engine.notation import parse_line
from referee.models import RoundConfirmation, TableCall, TableLink
from referee.recorded import Recorded
from referee.rows import read
from referee.sentences import sentence
from referee.services import confirming, links
from referee.services.confirming import Word
from referee.services.holders import holder_json
from tournaments.models import LONG_IN_ROUND, Match, PairingRound, Tournament
from tournaments.policies_links import link_rules

Json = dict[str, Any]
CALLS_SHOWN = 50


def hall_json(match: Match, recorded: Recorded) -> Json:
    """Return what the recording page shows of devices, confirmed rounds and the open call."""
    tournament = match.pairing_round.stage.tournament
    confirms = link_rules(tournament).confirm_rounds
    words = confirming.words_on(recorded) if confirms else []
    return {
        "holder": holder_json(match),
        "confirms": confirms,
        "said": [word_json(one, recorded) for one in words],
        "call": open_call_json(match),
        "rounds_page": reverse("referee:confirm", args=[match.pk]),
    }


def word_json(one: Word, recorded: Recorded) -> Json:
    """Return what a side says of a round."""
    return {
        "round": one.round,
        "side": one.side,
        "name": recorded.side_name(one.side),
        "agrees": one.agrees,
        "disputed": one.disputed,
        "word": one.word,
        "settled": one.settled,
        "id": one.pk,
    }


def open_call_json(match: Match) -> Json | None:
    """Return the open call of a table, None where it has none; see `queries.matches`."""
    pk = getattr(match, "open_call", None)
    if pk is None:
        return None
    call = TableCall.objects.select_related("claimed_by").filter(pk=pk).first()
    return None if call is None else call_json(call)


def call_json(call: TableCall) -> Json:
    """Return a call as the API has it."""
    who = call.claimed_by
    return {
        "id": call.pk,
        "match": call.match_id,
        "kind": call.kind,
        "note": call.note,
        "language": call.language,
        "moves": call.moves,
        "called_at": call.called_at.isoformat(),
        "claimed_by": (who.get_full_name() or who.username) if who else None,
        "claimed_at": call.claimed_at.isoformat() if call.claimed_at else None,
        "escalated_at": call.escalated_at.isoformat() if call.escalated_at else None,
        "closed_at": call.closed_at.isoformat() if call.closed_at else None,
        "outcome": call.outcome,
    }


def calls_of(tournament: Tournament) -> QuerySet[TableCall]:
    """Return the calls of an event with their tables."""
    long = [f"match__{name}" for name in LONG_IN_ROUND]
    return (
        TableCall.objects.filter(match__pairing_round__stage__tournament=tournament)
        .select_related("match__pairing_round__stage__tournament", "claimed_by", "closed_by")
        .defer(*long)
    )


def open_calls(tournament: Tournament) -> QuerySet[TableCall]:
    """Return the calls nobody has closed, those passed on to the director first."""
    found = calls_of(tournament).filter(closed_at=None)
    return found.order_by(F("escalated_at").asc(nulls_last=True), "called_at", "pk")


@dataclass(frozen=True, slots=True)
class CallLine:
    """A call on the referees' page: with its last moves as sentences, and how long it took."""

    call: TableCall
    moves: list[str]
    waited: int


def call_lines(calls: Iterable[TableCall]) -> list[CallLine]:
    """Return calls as referees see them. Minutes waited count until the call was claimed."""
    now = timezone.now()
    lines = []
    for call in calls:
        names = read(call.match).names
        until = call.claimed_at or call.closed_at or now
        waited = int((until - call.called_at).total_seconds() // 60)
        lines.append(CallLine(call, _told(call.moves, names), waited))
    return lines


def _told(moves: Iterable[str], names: Any) -> list[str]:
    told = []
    for line in moves:
        try:
            told.append(sentence(parse_line(line), names))
        except DominoError:
            told.append(line)
    return told


@dataclass(frozen=True, slots=True)
class LinkLine:
    """A link on the referees' page."""

    link: TableLink
    works: bool
    side_name: str


@dataclass(frozen=True, slots=True)
class TableLinks:
    """A table of a round with its links."""

    match: Match
    sides: list[tuple[str, str]]
    links: list[LinkLine]


def published_rounds(tournament: Tournament) -> QuerySet[PairingRound]:
    """Return the rounds whose tables may have links, the latest first."""
    return (
        PairingRound.objects.filter(stage__tournament=tournament)
        .exclude(state=PairingRound.State.DRAFT)
        .select_related("stage__tournament")
        .defer("draw", "standings")
        .order_by("-stage__number", "-number")
    )


def tables_with_links(pairing_round: PairingRound) -> list[TableLinks]:
    """Return the tables of a round with the links they have, revoked ones left out."""
    tables = (
        pairing_round.matches.select_related("pairing_round__stage__tournament")
        .defer(*LONG_IN_ROUND)
        .prefetch_related("seats__entry", "seats__player", "links")
        .order_by("table")
    )
    found = []
    for match in tables:
        sides = side_names(match)
        named = dict(sides)
        lines = []
        for link in match.links.all():
            if link.revoked_at is None:
                link.match = match
                lines.append(LinkLine(link, links.works(link), named.get(link.side, link.side)))
        found.append(TableLinks(match, sides, lines))
    return found


def side_names(match: Match) -> list[tuple[str, str]]:
    """Return the sides of a table as the record names them, each with who they are."""
    seats = {one.seat: one for one in match.seats.all()}
    named = []
    for side in links.sides_of(match):
        entries = dict.fromkeys(seats[letter].entry.name for letter in side)
        named.append((side, " · ".join(entries)))
    return named


@dataclass(frozen=True, slots=True)
class RoundSaid:
    """A finished round on the page where sides confirm, and what they say of it."""

    number: int
    sentence: str
    head: str
    points: list[tuple[str, int]]
    words: list[Json]


def rounds_said(recorded: Recorded, told: Iterable[Json]) -> list[RoundSaid]:
    """Return the finished rounds of a match, the latest first; `told` are their lines."""
    words = [word_json(one, recorded) for one in confirming.words_on(recorded)]
    found = []
    for line in told:
        number = line["number"]
        mine = [one for one in words if one["round"] == number]
        if mine:
            points = [(recorded.side_name(side), count) for side, count in line["points"].items()]
            head = recorded.rounds[number].head
            found.append(RoundSaid(number, line["sentence"], head, points, mine))
    return found[::-1]


def disputes_of(tournament: Tournament) -> list[RoundConfirmation]:
    """Return the disputes of an event that nobody has settled, the oldest first."""
    rows = RoundConfirmation.objects.filter(
        match__pairing_round__stage__tournament=tournament
    ).select_related("match")
    latest = {(one.match_id, one.round, one.side): one for one in rows.order_by("pk")}
    return [one for one in latest.values() if not one.agrees and one.settled_at is None]
