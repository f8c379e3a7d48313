"""Several people at one table at one moment, each on a connection of their own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import TypeVar
from uuid import UUID, uuid4

import pytest
from django.contrib.auth.models import User
from django.db import connection

from engine.errors import DominoError
from engine.notation import parse_line
from referee.models import RecordedEvent, RoundRecord
from referee.services import records as services
from tests.referee.conftest import director_of, write
from tournaments.models import Match

pytestmark = pytest.mark.django_db(transaction=True)

Answer = TypeVar("Answer")


def at_once(*acts: Callable[[], Answer]) -> list[Answer | DominoError]:
    """Do all of `acts` at the same moment, each in a thread with its own connection."""
    start = Barrier(len(acts))

    def run(act: Callable[[], Answer]) -> Answer | DominoError:
        try:
            connection.ensure_connection()
            start.wait(timeout=30)
            return act()
        except DominoError as error:
            return error
        finally:
            connection.close()

    with ThreadPoolExecutor(len(acts)) as pool:
        return list(pool.map(run, acts))


def sending(
    record: RoundRecord, by: User, line: str, number: int, key: UUID | None = None
) -> Callable[[], object]:
    event = parse_line(line)
    return lambda: services.append_event(record, number=number, event=event, client_key=key, by=by)


def codes(answers: Sequence[object]) -> list[str]:
    return sorted(one.code for one in answers if isinstance(one, DominoError))


def test_of_four_referees_with_the_same_number_one_stores(
    record: RoundRecord, referee: User
) -> None:
    write(record, "A 6-6", referee)
    lines = ["B 6-5", "B 6-4", "B 6-3", "B pass"]
    answers = at_once(*(sending(record, referee, line, 1) for line in lines))
    assert codes(answers) == ["record_moved_on"] * 3
    assert [one.number for one in record.events.all()] == [0, 1]


def test_one_event_sent_by_four_at_once_is_stored_once(record: RoundRecord, referee: User) -> None:
    key = uuid4()
    answers = at_once(*[sending(record, referee, "A 6-6", 0, key)] * 4)
    assert codes(answers) == []
    assert record.events.count() == 1


def test_a_round_started_by_four_at_once_is_one_round(opened: Match, referee: User) -> None:
    answers = at_once(*[lambda: services.open_round(opened, number=0, opener="A", by=referee)] * 4)
    assert codes(answers) == []
    assert opened.records.count() == 1


def test_one_key_at_two_tables_stands_for_one_event(
    opened: Match, record: RoundRecord, referee: User
) -> None:
    other = Match.objects.create(
        pairing_round=opened.pairing_round, table=77, state=Match.State.PLAYING
    )
    elsewhere = RoundRecord.objects.create(match=other, number=0, opener="A")
    key = uuid4()
    RecordedEvent.objects.create(
        round=elsewhere, number=0, notation="B 6-6", client_key=key, recorded_by=referee
    )
    answers = at_once(*[sending(record, referee, "A 6-6", 0, key)] * 2)
    assert codes(answers) == ["client_key_used"] * 2
    assert not record.events.exists()


def test_a_match_closed_by_two_at_once_is_closed_once(opened: Match, referee: User) -> None:
    record = services.open_round(opened, number=0, opener="A", by=referee)
    write(record, "result AC 100 out", referee)
    director = director_of(opened)
    answers = at_once(
        lambda: services.close_match(opened, by=referee),
        lambda: services.close_match(opened, by=director),
    )
    assert codes(answers) == []
    opened.refresh_from_db()
    assert opened.state == Match.State.CLOSED


def test_a_table_closed_while_somebody_records_stays_whole(opened: Match, referee: User) -> None:
    record = services.open_round(opened, number=0, opener="A", by=referee)
    write(record, "result AC 100 out", referee)
    answers = at_once(
        lambda: services.close_match(opened, by=referee),
        sending(record, referee, "B! delay", 1),
    )
    opened.refresh_from_db()
    assert opened.state == Match.State.CLOSED
    assert codes(answers) in ([], ["match_already_closed"])
