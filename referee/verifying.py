"""Computes every chain of records again and names each row that is not as it was stored."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any, Final

from django.db import transaction
from django.db.models import F, Max, Q, QuerySet

from referee import chain
from referee.chain import Fault, LinkedEvent, LinkedRound, What
from referee.models import RecordedEvent, RoundRecord, Signature
from tournaments.models import Match, Tournament
from tournaments.services.event_file import key_of

_OF_ROUND: Final = (
    "match_id", "number", "opener", "hands", "stock", "started_at", "origin", "follows", "former",
    "chain", "head", "length",
)  # fmt: skip
_OF_EVENT: Final = (
    "round__match_id", "round__number", "number", "notation", "client_key", "recorded_at",
    "recorder", "chain",
)  # fmt: skip
_AT_ONCE: Final = 2000


class Beside(StrEnum):
    """What can be wrong beside the chain itself."""

    RECORDER_CHANGED = "recorder_changed"
    MOVED = "moved"
    SIGNED_OTHERWISE = "signed_otherwise"


@dataclass(frozen=True, slots=True)
class Altered:
    """A row of a match that is not as it was stored; rounds and events are counted from 0."""

    match: int
    table: int
    stage: int
    pairing_round: int
    event_name: str
    round: int | None
    number: int | None
    what: What | Beside


def altered_rows(tournament: Tournament | None = None) -> Iterator[Altered]:
    """Yield what was altered, missing or inserted in the records of an event, or of all events.

    Reads in a stream. A match with a fault is read once more under its lock, so that one that is
    being recorded meanwhile is never named.
    """
    for match, rounds in _records(_rounds(tournament), _events(tournament)):
        if chain.faults(rounds):
            yield from _confirmed(match)
    yield from _moved(tournament)
    yield from _other_recorders(tournament)
    yield from _signed_otherwise(tournament)


def counted(tournament: Tournament | None = None) -> tuple[int, int]:
    """Return how many rounds and how many events of records there are to look at."""
    return _rounds(tournament).count(), _events(tournament).count()


def linked_rounds(match: int) -> list[LinkedRound]:
    """Return the rounds of a match as their rows have them."""
    found = _records(
        RoundRecord.objects.filter(match=match), RecordedEvent.objects.filter(round__match=match)
    )
    return next((rounds for _, rounds in found), [])


def head_of(match: int) -> str:
    """Return what the chained record of a match comes to; empty where there is no record."""
    heads = list(
        RoundRecord.objects.filter(match=match).order_by("number").values_list("head", flat=True)
    )
    return chain.match_head(heads) if heads else ""


def _rounds(tournament: Tournament | None) -> QuerySet[RoundRecord]:
    found = RoundRecord.objects.all()
    if tournament is not None:
        found = found.filter(match__pairing_round__stage__tournament=tournament)
    return found


def _events(tournament: Tournament | None) -> QuerySet[RecordedEvent]:
    found = RecordedEvent.objects.all()
    if tournament is not None:
        found = found.filter(round__match__pairing_round__stage__tournament=tournament)
    return found


def _records(
    rounds: QuerySet[RoundRecord], events: QuerySet[RecordedEvent]
) -> Iterator[tuple[int, list[LinkedRound]]]:
    """Yield each match with its rounds, in order, each with its events."""
    listed = rounds.order_by("match_id", "number").values_list(*_OF_ROUND)
    told = events.order_by("round__match_id", "round__number", "number").values_list(*_OF_EVENT)
    by_round = groupby(told.iterator(_AT_ONCE), key=lambda row: (row[0], row[1]))
    waiting = next(by_round, None)
    for match, some in groupby(listed.iterator(_AT_ONCE), key=lambda row: row[0]):
        found: list[LinkedRound] = []
        for row in some:
            here: list[LinkedEvent] = []
            # Events of a round that came after the rounds were read are passed over.
            while waiting is not None and waiting[0] < (match, row[1]):
                waiting = next(by_round, None)
            if waiting is not None and waiting[0] == (match, row[1]):
                here = [LinkedEvent(*one[2:]) for one in waiting[1]]
                waiting = next(by_round, None)
            facts: Any = (*row[1:], here)
            found.append(LinkedRound(*facts))
        yield match, found


def _confirmed(match: int) -> list[Altered]:
    with transaction.atomic():
        Match.objects.select_for_update().filter(pk=match).first()
        found = chain.faults(linked_rounds(match))
    return list(_named(match, found))


def _named(match: int, found: Iterable[Fault]) -> Iterator[Altered]:
    place = _place(match)
    for one in found:
        yield Altered(**place, round=one.round, number=one.event, what=one.what)


def _place(match: int) -> dict[str, Any]:
    one = Match.objects.select_related("pairing_round__stage__tournament").get(pk=match)
    stage = one.pairing_round.stage
    return {
        "match": match,
        "table": one.table,
        "stage": stage.number,
        "pairing_round": one.pairing_round.number,
        "event_name": stage.tournament.slug,
    }


def _moved(tournament: Tournament | None) -> Iterator[Altered]:
    """Yield records that were begun in another event, stage or pairing round."""
    begun = (
        _rounds(tournament)
        .exclude(origin="")
        .select_related("match__pairing_round__stage__tournament")
    )
    keys: dict[int, str] = {}
    for one in begun.iterator(_AT_ONCE):
        pairing_round = one.match.pairing_round
        event = pairing_round.stage.tournament
        if event.pk not in keys:
            keys[event.pk] = key_of(event)
        here = [keys[event.pk], str(pairing_round.stage.number), str(pairing_round.number)]
        if one.origin.split("/")[:3] != here:
            yield Altered(**_place(one.match_id), round=one.number, number=None, what=Beside.MOVED)


def _other_recorders(tournament: Tournament | None) -> Iterator[Altered]:
    """Yield events that name another account than the one that recorded them.

    A deleted account leaves none; whoever it was stays in `recorder`.
    """
    others = _events(tournament).filter(
        Q(recorder__isnull=True) | ~Q(recorder=F("recorded_by_id")), recorded_by__isnull=False
    )
    for match, number, event in others.order_by("pk").values_list(
        "round__match_id", "round__number", "number"
    ):
        yield Altered(**_place(match), round=number, number=event, what=Beside.RECORDER_CHANGED)


def _signed_otherwise(tournament: Tournament | None) -> Iterator[Altered]:
    """Yield matches with a standing signature of another record, though nothing came after it."""
    standing = Signature.objects.filter(superseded_at__isnull=True)
    if tournament is not None:
        standing = standing.filter(match__pairing_round__stage__tournament=tournament)
    told = standing.order_by("match", "pk").values_list("match_id", "head", "signed_at")
    for match, some in groupby(told.iterator(_AT_ONCE), key=lambda row: row[0]):
        head = head_of(match)
        last = RecordedEvent.objects.filter(round__match=match).aggregate(at=Max("recorded_at"))
        if any(
            signed != head and (last["at"] is None or last["at"] <= at) for _, signed, at in some
        ):
            yield Altered(**_place(match), round=None, number=None, what=Beside.SIGNED_OTHERWISE)
