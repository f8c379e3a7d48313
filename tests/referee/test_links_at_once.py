"""Several devices and people at one table at one moment."""

from __future__ import annotations

from functools import partial
from uuid import uuid4

import pytest

from engine.notation import parse_line
from referee.models import TableCall, TableHolder, TableLink
from referee.services import calls, holders, links
from referee.services import records as services
from tests.referee.test_at_once import at_once, codes
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db(transaction=True)


def device(number):
    return f"d{number}.{uuid4()}"


def test_of_four_devices_one_takes_the_table(record, referee):
    event = parse_line("A 6-6")
    append = partial(services.append_event, record, number=0, event=event, by=referee)
    acts = [partial(append, device=device(number)) for number in range(4)]
    answers = at_once(*acts)
    assert codes(answers) == ["table_held"] * 3
    assert record.events.count() == 1
    assert TableHolder.objects.count() == 1


def test_taken_over_by_four_at_once_one_holds_it_in_the_end(record, referee):
    keys = [device(number) for number in range(4)]
    match = record.match
    at_once(*[lambda key=key: holders.take_over(match, key, by=referee) for key in keys])
    assert TableHolder.objects.get().device in keys
    assert LogEntry.objects.filter(act="table_taken_over").count() == 3


def test_a_call_made_by_four_at_once_is_one_call(record, referee):
    call = partial(calls.call_referee, record.match, kind="other", language="en", by=referee)
    acts = [partial(call, client_key=uuid4()) for _ in range(4)]
    assert codes(at_once(*acts)) == []
    assert TableCall.objects.count() == 1


def test_a_link_asked_for_by_four_at_once_is_one_link(record, referee):
    key = uuid4()
    acts = [lambda: links.make_link(record.match, scope="record", client_key=key, by=referee)] * 4
    assert codes(at_once(*acts)) == []
    assert TableLink.objects.count() == 1
