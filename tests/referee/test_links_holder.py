"""One device keeps a table's record; others read along, or take it over."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from engine.notation import parse_line
from referee.errors.links import NoDevice, PlayersDoNotRule, TableHeld
from referee.models import RecordedEvent, TableHolder
from referee.services import holders, links
from referee.services import records as services
from tournaments.models import LogEntry, Match
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db

ONE = f"one.{uuid4()}"
TWO = f"two.{uuid4()}"


def append(record, number, line, device, by, key=None):
    event = parse_line(line)
    return services.append_event(
        record, number=number, event=event, client_key=key, device=device, by=by
    )


def sent(client, record, number, line, device, key=None):
    body = {"number": number, "event": line, "client_key": str(key or uuid4())}
    headers = {holders.HEADER: device} if device else {}
    return client.post(
        f"/api/rounds/{record.pk}/events/", body, content_type="application/json", headers=headers
    )


def lines():
    return list(RecordedEvent.objects.order_by("number").values_list("notation", flat=True))


def test_the_first_event_takes_a_table_nobody_holds(record, referee):
    append(record, 0, "A 6-6", ONE, referee)
    held = TableHolder.objects.get()
    assert (held.device, held.user) == (ONE, referee)


def test_another_device_is_refused_and_nothing_is_stored(record, referee):
    append(record, 0, "A 6-6", ONE, referee)
    with pytest.raises(TableHeld):
        append(record, 1, "B 6-5", TWO, referee)
    assert lines() == ["A 6-6"]


def test_an_event_stored_before_is_answered_also_to_the_device_that_lost_the_table(record, referee):
    key = uuid4()
    append(record, 0, "A 6-6", ONE, referee, key)
    holders.take_over(record.match, TWO, by=referee)
    append(record, 0, "A 6-6", ONE, referee, key)
    assert lines() == ["A 6-6"]


def test_a_refusal_says_who_holds_the_table_and_no_secret(record, referee, client):
    client.force_login(referee)
    sent(client, record, 0, "A 6-6", ONE)
    answer = sent(client, record, 1, "B 6-5", TWO)
    assert answer.status_code == 409
    told = answer.json()
    assert told["code"] == "table_held"
    assert told["holder"]["device"] == "one"
    assert told["holder"]["who"] == referee.username
    assert ONE not in answer.content.decode()


def test_a_device_without_a_key_records_only_where_nobody_holds_the_table(record, referee, client):
    client.force_login(referee)
    assert sent(client, record, 0, "A 6-6", "").status_code == 201
    assert not TableHolder.objects.exists()
    sent(client, record, 1, "B 6-5", ONE)
    assert sent(client, record, 2, "C 6-4", "").status_code == 409


def test_taking_over_is_logged_and_the_first_device_is_refused_then(record, referee):
    append(record, 0, "A 6-6", ONE, referee)
    holders.take_over(record.match, TWO, by=referee)
    line = LogEntry.objects.get(act="table_taken_over")
    assert (line.details["before"], line.details["device"]) == ("one", "two")
    append(record, 1, "B 6-5", TWO, referee)
    with pytest.raises(TableHeld):
        append(record, 2, "C 6-4", ONE, referee)


def test_taking_over_twice_is_logged_once(record, referee):
    append(record, 0, "A 6-6", ONE, referee)
    for _ in range(2):
        holders.take_over(record.match, TWO, by=referee)
    assert LogEntry.objects.filter(act="table_taken_over").count() == 1


def test_taking_over_tells_whoever_reads_along(record, referee, client):
    client.force_login(referee)
    append(record, 0, "A 6-6", ONE, referee)
    address = f"/api/matches/{record.match_id}/"
    first = client.get(address, headers={holders.HEADER: ONE})
    holders.take_over(record.match, TWO, by=referee)
    again = client.get(address, headers={"If-None-Match": first.headers["ETag"]})
    assert again.status_code == 200
    assert again.json()["hall"]["holder"]["device"] == "two"


def test_the_public_is_not_told_who_holds_a_table(record, referee):
    append(record, 0, "A 6-6", ONE, referee)
    assert "hall" not in Client().get(f"/api/matches/{record.match_id}/").json()


def test_without_the_setting_every_device_records(record, referee, director):
    tournament = record.match.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(one_holder=False), by=director)
    append(record, 0, "A 6-6", ONE, referee)
    append(record, 1, "B 6-5", TWO, referee)
    assert lines() == ["A 6-6", "B 6-5"]


@pytest.mark.parametrize("act", ["rounds", "close", "seats"])
def test_no_other_change_of_a_held_table_comes_from_another_device(act, record, referee, client):
    client.force_login(referee)
    append(record, 0, "A 6-6", ONE, referee)
    players = dict(record.match.seats.values_list("seat", "player"))
    body = {"rounds": {"number": 1, "opener": "A"}, "close": {"reason": "x"}, "seats": players}
    answer = client.post(
        f"/api/matches/{record.match_id}/{act}/",
        body[act],
        content_type="application/json",
        headers={holders.HEADER: TWO},
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "table_held")


@pytest.mark.parametrize(
    "device", ["x", "no-dot-" + "a" * 30, "a.short", "é." + "a" * 30, "a." + "b" * 90]
)
def test_a_key_that_is_none_is_refused(device):
    with pytest.raises(NoDevice):
        holders.device_named(device)


def test_holding_costs_no_statement_more_for_an_event(
    record, referee, client, django_assert_num_queries
):
    append(record, 0, "A 6-6", ONE, referee)
    with CaptureQueriesContext(connection) as plain:
        append(record, 1, "B 6-5", None, referee)
    with django_assert_num_queries(len(plain)):
        append(record, 2, "C 5-4", ONE, referee)


def test_a_page_without_scripts_sets_a_table_free(record, referee, client):
    client.force_login(referee)
    append(record, 0, "A 6-6", ONE, referee)
    assert (
        "Another device records this table"
        in client.get(f"/matches/{record.match_id}/record/").content.decode()
    )
    client.post(f"/matches/{record.match_id}/holder/")
    assert not TableHolder.objects.exists()
    client.post(
        f"/rounds/{record.pk}/events/",
        {"what": "line", "line": "B 6-5", "number": 1, "client_key": str(uuid4())},
    )
    assert [one[:5] for one in lines()] == ["A 6-6", "B 6-5"]


def test_a_stranger_takes_nothing_over(record, referee, stranger, client):
    append(record, 0, "A 6-6", ONE, referee)
    client.force_login(stranger)
    answer = client.post(f"/api/matches/{record.match_id}/holder/", headers={holders.HEADER: TWO})
    assert answer.status_code == 403
    assert TableHolder.objects.get().device == ONE


def test_a_thousand_events_of_a_device_that_lost_the_table_are_refused_as_one(record, referee):
    append(record, 0, "A 6-6", ONE, referee)
    holders.take_over(record.match, TWO, by=referee)
    events = [parse_line("B 6-5")] * 1000
    with pytest.raises(TableHeld):
        services.append_events(
            record.pk,
            number=1,
            events=events,
            client_keys=[uuid4() for _ in events],
            device=ONE,
            by=referee,
        )
    assert lines() == ["A 6-6"]


# --- players record their own table ----------------------------------------------------------


@pytest.fixture
def player(record, referee, director):
    tournament = record.match.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(players_record=True), by=director)
    made = links.make_link(
        record.match, scope="record", for_players=True, client_key=uuid4(), by=referee
    )
    return links.guest(made.link)


def test_players_record_what_is_played(record, player):
    append(record, 0, "A 6-6", ONE, player)
    assert lines() == ["A 6-6"]


def test_players_do_not_rule(record, player, referee):
    append(record, 0, "A 6-6", ONE, player)
    with pytest.raises(PlayersDoNotRule):
        append(record, 1, "B! touch 6-5 -> warning", ONE, player)


def test_players_do_not_take_a_ruling_back(record, player, referee):
    append(record, 0, "A 6-6", ONE, player)
    append(record, 1, "B! touch 6-5 -> warning", None, referee)
    with pytest.raises(PlayersDoNotRule):
        append(record, 2, "undo 1", ONE, player)


def test_players_take_their_own_slip_back(record, player):
    append(record, 0, "A 6-6", ONE, player)
    append(record, 1, "undo 1", ONE, player)
    assert lines() == ["A 6-6", "undo 1"]


def test_a_guest_closes_no_match_early(record, player):
    with pytest.raises(PermissionDenied):
        services.close_match(record.match, reason="tired", by=player)
    assert Match.objects.get().state == "playing"
