"""What sides said of rounds and calls of referees go with the file of an event; secrets do not."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest

from referee.event_file import exported, imported
from referee.models import RoundConfirmation, TableCall, TableHolder, TableLink
from referee.queries import records as queries
from referee.services import calls, confirming, holders, links
from tests.factories import OrganizerFactory
from tests.referee.conftest import sheet, tournament_of
from tests.referee.test_event_file import forget_event
from tournaments.errors.event_files import BadEventFile
from tournaments.models import LogEntry, Match
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db
DEVICES = ("first001.0123456789abcdef0123", "second01.fedcba98765432100123")


@pytest.fixture
def told(opened, referee, director) -> Match:
    """A table with a confirmed, a disputed and a settled word, a closed and an open call."""
    tournament = tournament_of(opened)
    links.set_link_rules(tournament, LinkRules(confirm_rounds=True), by=director)
    sheet(opened, 0, "AC", 20, referee)
    match = queries.matches().get(pk=opened.pk)
    confirming.say_of_round(match, number=0, side="AC", agrees=True, by=referee)
    said = confirming.say_of_round(
        match, number=0, side="BD", agrees=False, word="It was 15 🁣", by=referee
    )
    confirming.settle(said, settlement="Counted again: 20.", by=referee)
    asked = {"kind": "count", "language": "ar", "by": referee}
    call = calls.call_referee(match, note="قطعة", client_key=uuid4(), **asked)
    calls.claim(call, by=referee)
    calls.close(call, outcome="Counted", by=referee)
    calls.call_referee(match, note="", client_key=uuid4(), **asked)
    links.make_link(match, scope="record", client_key=uuid4(), by=referee)
    for device in DEVICES:
        holders.take_over(match, device, by=referee)
    return match


def rows() -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    own = ("pk", "id", "match_id", "client_key", "link_id", "said_by_id", "settled_by_id")
    people = ("called_by_id", "claimed_by_id", "closed_by_id")

    def shown(model: type[RoundConfirmation | TableCall]) -> list[dict[str, Any]]:
        found = model.objects.order_by("pk").values()
        return [
            {name: value for name, value in one.items() if name not in own + people}
            for one in found
        ]

    return shown(RoundConfirmation), shown(TableCall)


def test_words_on_rounds_and_calls_come_back_as_they_were(told):
    before = rows()
    assert (len(before[0]), len(before[1])) == (2, 2)
    content = exported(tournament_of(told))
    forget_event()
    imported(content, by=OrganizerFactory.create())
    assert rows() == before
    match = queries.matches().get()
    assert [one.agrees for one in confirming.words_on(queries.read(match))] == [True, False]


def test_no_secret_is_in_the_file(told):
    link = TableLink.objects.get()
    content = exported(tournament_of(told)).decode()
    assert link.digest not in content
    for device in DEVICES:
        assert device.split(".")[1] not in content
    # Who took the table over is history, by the names of devices that others may know.
    assert '"device": "second01"' in content
    forget_event()
    imported(content.encode(), by=OrganizerFactory.create())
    assert not TableLink.objects.exists()
    assert not TableHolder.objects.exists()
    assert LogEntry.objects.filter(act="table_taken_over").exists()


def test_a_copy_has_calls_and_no_word_on_a_record_chained_anew(told):
    content = exported(tournament_of(told))
    copy = imported(content, copy="1", by=OrganizerFactory.create())
    of_copy = {"match__pairing_round__stage__tournament": copy}
    assert TableCall.objects.filter(**of_copy).count() == 2
    assert not RoundConfirmation.objects.filter(**of_copy).exists()


def test_a_file_from_before_has_neither(told):
    document = json.loads(exported(tournament_of(told)))
    first = document["stages"][0]["rounds"][0]["matches"][0]["record"][0]
    del first["confirmations"], first["calls"]
    forget_event()
    imported(json.dumps(document).encode(), by=OrganizerFactory.create())
    assert rows() == ([], [])


@pytest.mark.parametrize(
    ("member", "name", "value"),
    [
        ("confirmations", "round", -1),
        ("confirmations", "round", True),
        ("confirmations", "side", "X"),
        ("confirmations", "agrees", 1),
        ("confirmations", "word", "x" * 501),
        ("confirmations", "said_at", "yesterday"),
        ("confirmations", "settled_at", 3),
        ("calls", "kind", "party"),
        ("calls", "language", "x" * 11),
        ("calls", "moves", "A 6-6"),
        ("calls", "moves", ["A 6-6"] * 51),
        ("calls", "moves", ["no line"]),
        ("calls", "moves", [{}]),
        ("calls", "closed_at", None),
        ("calls", "note", {}),
    ],
)
def test_what_is_malformed_is_refused_with_its_path(told, member, name, value):
    document = json.loads(exported(tournament_of(told)))
    first = document["stages"][0]["rounds"][0]["matches"][0]["record"][0]
    first[member][0][name] = value
    forget_event()
    with pytest.raises(BadEventFile, match=rf"record\[0\]\.{member}"):
        imported(json.dumps(document).encode(), by=OrganizerFactory.create())
    assert not TableCall.objects.exists()
