"""The file of a whole event, with the records its referees kept."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.contrib.auth.models import User

from engine.errors import DominoError, shown
from engine.notation import parse_line
from referee import event_file_chain, event_file_hall, event_file_signatures
from referee.event_file_sanctions import ledger_json, store_ledger
from referee.event_reading import read_back
from referee.models import (
    RecordedEvent,
    RoundConfirmation,
    RoundRecord,
    Signature,
    TableCall,
)
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Match, Tournament
from tournaments.services import event_file, event_import, event_readers, event_shapes


def exported(tournament: Tournament) -> bytes:
    """Return the file of an event: everything another installation needs to go on with it."""
    document = event_file.event_json(tournament, _records(tournament), ledger_json)
    return json.dumps(document, ensure_ascii=False, indent=1).encode()


def imported(content: bytes, *, copy: str = "", by: User) -> Tournament:
    """Store the event of a file; the same event again is stored once.

    With `copy` it becomes an event of its own, once for each such text.
    """
    return event_import.import_event(content, DOORS, copy=copy, by=by)


def _records(tournament: Tournament) -> dict[int, object]:
    """Return the rounds recorded at each match, as the file has them."""
    of_round: defaultdict[int, list[dict[str, object]]] = defaultdict(list)
    events = RecordedEvent.objects.filter(
        round__match__pairing_round__stage__tournament=tournament
    ).order_by("round", "number")
    for one in events:
        of_round[one.round_id].append(
            {
                "notation": one.notation,
                "client_key": str(one.client_key),
                "recorded_at": one.recorded_at.isoformat(),
                "recorder": one.recorder,
                "chain": one.chain,
            }
        )
    rounds = RoundRecord.objects.filter(match__pairing_round__stage__tournament=tournament)
    of_match: defaultdict[int, list[dict[str, object]]] = defaultdict(list)
    signed = event_file_signatures.written(tournament)
    hall = event_file_hall.written(tournament)
    for each in rounds.order_by("match", "number"):
        of_match[each.match_id].append(
            {
                "number": each.number,
                "opener": each.opener,
                "hands": each.hands,
                "stock": each.stock,
                "started_at": each.started_at.isoformat(),
                **event_file_chain.written(each),
                **({} if each.number else {"signatures": signed.get(each.match_id, [])}),
                **({} if each.number else hall.get(each.match_id, {})),
                "events": of_round[each.pk],
            }
        )
    return dict(of_match)


def _store(records: Sequence[tuple[Match, object, str]]) -> None:
    """Store what was written at the tables; the names of those who wrote it are not kept."""
    all_rounds: list[RoundRecord] = []
    all_events: list[RecordedEvent] = []
    first: dict[int, Mapping[str, object]] = {}
    chained: list[tuple[Match, str, list[RoundRecord], list[RecordedEvent]]] = []
    for match, value, at in records:
        rounds: list[RoundRecord] = []
        events: list[RecordedEvent] = []
        for place, one in enumerate(list_at(value, at)):
            path = f"{at}[{place}]"
            given = object_at(one, path)
            record = _round(match, given, path)
            if record.number != place:
                expected = "the rounds in order, numbered from 0"
                raise BadRequest(path=f"{path}.number", expected=expected, found=record.number)
            rounds.append(record)
            if not place:
                first[match.pk] = given
            for number, event in enumerate(list_at(given.get("events"), f"{path}.events")):
                line = object_at(event, f"{path}.events[{number}]")
                events.append(_event(record, number, line, f"{path}.events[{number}]"))
        chained.append((match, at, rounds, events))
        all_rounds += rounds
        all_events += events
    others = _with_own_keys(all_events)
    signatures: list[Signature] = []
    said_of_rounds: list[RoundConfirmation] = []
    calls: list[TableCall] = []
    for match, at, rounds, events in chained:
        anew = any(one.client_key in others for one in events)
        given, path = first.get(match.pk, {}), f"{at}[0]"
        said = event_file_signatures.read(match, given.get("signatures", []), f"{path}.signatures")
        confirmed = event_file_hall.confirmations(
            match, given.get("confirmations", []), f"{path}.confirmations"
        )
        calls += event_file_hall.calls(match, given.get("calls", []), f"{path}.calls")
        # What was signed is the chained record: of one that is chained anew nobody signed any.
        if event_file_chain.link(match, rounds, events, anew=anew, at=at):
            signatures += said
            said_of_rounds += confirmed
    RoundRecord.objects.bulk_create(all_rounds, batch_size=500)
    RecordedEvent.objects.bulk_create(all_events, batch_size=500)
    Signature.objects.bulk_create(signatures, batch_size=500)
    RoundConfirmation.objects.bulk_create(said_of_rounds, batch_size=500)
    TableCall.objects.bulk_create(calls, batch_size=500)


def _round(match: Match, given: Mapping[str, object], at: str) -> RoundRecord:
    number, opener = given.get("number"), given.get("opener")
    if type(number) is not int or not 0 <= number <= 32_767:
        expected = "the number of a round, from 0"
        raise BadRequest(path=f"{at}.number", expected=expected, found=shown(number))
    if not isinstance(opener, str) or opener not in ("", "A", "B", "C", "D"):
        raise BadRequest(path=f"{at}.opener", expected="a seat, or nothing", found=shown(opener))
    hands: Any = given.get("hands")
    event_shapes.hands(hands, f"{at}.hands")
    stock: Any = given.get("stock")
    event_shapes.stock(stock, f"{at}.stock")
    record = RoundRecord(
        match=match, number=number, opener=opener, hands=hands, stock=stock,
        started_at=_moment(given, "started_at", at),
    )  # fmt: skip
    event_file_chain.read(record, given, at)
    return record


def _event(record: RoundRecord, number: int, given: Mapping[str, object], at: str) -> RecordedEvent:
    notation = given.get("notation")
    event_readers.text(event_readers.LONGEST_TEXT)(notation, f"{at}.notation")
    if not isinstance(notation, str):
        expected = "a line of notation"
        raise BadRequest(path=f"{at}.notation", expected=expected, found=shown(notation))
    try:
        parse_line(notation)
    except DominoError as error:
        raise BadRequest(
            path=f"{at}.notation", expected="a line of notation", found=error
        ) from None
    try:
        key = UUID(str(given.get("client_key")))
    except ValueError:
        found = shown(given.get("client_key"))
        raise BadRequest(path=f"{at}.client_key", expected="a UUID", found=found) from None
    event = RecordedEvent(
        round=record, number=number, notation=notation, client_key=key,
        recorded_at=_moment(given, "recorded_at", at),
    )  # fmt: skip
    event_file_chain.read_event(event, given, at)
    return event


def _moment(given: Mapping[str, object], name: str, at: str) -> datetime:
    written = given.get(name)
    event_readers.moment(written, f"{at}.{name}")
    return datetime.fromisoformat(str(written))


def _with_own_keys(events: Sequence[RecordedEvent]) -> set[UUID]:
    """Give an event another key where this installation knows its key from elsewhere.

    Return the keys that were given.
    """
    keys = [one.client_key for one in events]
    known: set[UUID] = set()
    for start in range(0, len(keys), 500):
        some = RecordedEvent.objects.filter(client_key__in=keys[start : start + 500])
        known |= set(some.values_list("client_key", flat=True))
    given: set[UUID] = set()
    for one in events:
        if one.client_key in known:
            one.client_key = uuid4()
            given.add(one.client_key)
        known.add(one.client_key)
    return given


DOORS = event_import.Doors(store_records=_store, read_back=read_back, store_ledger=store_ledger)
