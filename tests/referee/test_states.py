"""What everybody may read of a match, and what the state tells a page."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.events import Sheet
from engine.match import score
from engine.reading import read_record
from referee.models import RoundRecord
from referee.services import records as services
from tests import factories
from tests.referee.conftest import Door, MakeMatch, referee_of, tournament_of, write
from tournaments.models import Match, Official

pytestmark = pytest.mark.django_db

HANDS = {
    "A": ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0"],
    "B": ["3-1", "3-2", "3-3", "4-0", "4-1", "4-2", "4-3"],
    "C": ["4-4", "5-0", "5-1", "5-2", "5-3", "5-4", "5-5"],
    "D": ["6-0", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"],
}


# --- what is public --------------------------------------------------------------------------


def test_everybody_reads_the_match_sheet(
    client: Client, record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B 6-3", "C! touch 5-1 -> warning # lifted it"], referee)
    response = client.get(f"/matches/{record.match_id}/")
    assert response.status_code == 200
    sheet = response.context["sheet"]
    assert [one.line for one in sheet.rounds[0].events][:2] == ["A 6-6", "B 6-3"]
    assert sheet.rounds[0].events[2].infraction["label"] == "Touched tile"
    assert "Rosa" in response.content.decode()


def test_everybody_reads_the_record_as_a_document(
    client: Client, record: RoundRecord, referee: User
) -> None:
    recorded = write(record, ["A 6-6", "B 6-3", "time over"], referee)
    response = client.get(f"/api/matches/{record.match_id}/record/")
    assert "attachment" in response.headers["Content-Disposition"]
    document = response.json()
    assert document["names"]["A"] == "Rosa"
    assert score(read_record(document)) == recorded.state.answer()
    lines = client.get(f"/api/matches/{record.match_id}/lines/")
    assert lines.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert "A 6-6\nB 6-3\ntime over\n" in lines.content.decode()


def test_hands_of_a_round_in_play_are_for_those_who_record(
    client: Client, opened: Match, referee: User
) -> None:
    services.open_round(opened, number=0, hands=HANDS, by=referee)
    address = f"/api/matches/{opened.pk}/"
    assert client.get(address).json()["live"]["round"]["hands"] is None
    assert client.get(f"{address}record/").json()["rounds"] == []
    assert "5-4" not in client.get(f"{address}lines/").content.decode()
    client.force_login(referee)
    assert client.get(address).json()["live"]["round"]["hands"]["D"] == HANDS["D"]
    assert client.get(f"{address}record/").json()["rounds"][0]["hands"] == HANDS


def test_tiles_drawn_in_a_round_in_play_are_for_those_who_record(
    client: Client, make_match: MakeMatch
) -> None:
    match = make_match("domna", entry_kind="single", players=2)
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)
    write(record, ["A 6-6", "B draws 3-1"], referee)
    addresses = [f"/api/matches/{match.pk}/{path}" for path in ("", "record/", "lines/")]
    for address in [*addresses, f"/matches/{match.pk}/"]:
        text = client.get(address).content.decode()
        assert "draws 3-1" not in text
        assert "three-one" not in text
        assert '"draw":"3-1"' not in text
    client.force_login(referee)
    assert "draws 3-1" in client.get(addresses[0]).content.decode()


def test_a_second_device_reads_along(client: Client, record: RoundRecord, referee: User) -> None:
    address = f"/api/matches/{record.match_id}/"
    first = client.get(address)
    etag = first.headers["ETag"]
    assert client.get(address, headers={"If-None-Match": etag}).status_code == 304
    write(record, "A 6-6", referee)
    second = client.get(address, headers={"If-None-Match": etag})
    assert second.status_code == 200
    live = second.json()["live"]
    assert live["round"]["ends"] == [6, 6]
    assert live["last_sentence"].endswith("is to play.")


def test_reading_along_costs_few_queries(
    client: Client, record: RoundRecord, referee: User, django_assert_max_num_queries: Any
) -> None:
    write(record, ["A 6-6", "B 6-3", "C pass", "D pass"], referee)
    with django_assert_max_num_queries(5):
        client.get(f"/api/matches/{record.match_id}/")


def test_storing_an_event_costs_few_queries(
    client: Client, record: RoundRecord, referee: User, django_assert_max_num_queries: Any
) -> None:
    client.force_login(referee)
    write(record, ["A 6-6", "B 6-3"], referee)
    with django_assert_max_num_queries(12):
        Door("api", client).event(record, number=2, line="C pass")


# --- the state -------------------------------------------------------------------------------


def test_the_state_tells_all_that_a_page_needs(
    client: Client, record: RoundRecord, referee: User
) -> None:
    client.force_login(referee)
    write(record, ["A 6-6", "B 6-3 right", "C! touch 3-1"], referee)
    answer = client.get(f"/api/matches/{record.match_id}/").json()
    table, live = answer["table"], answer["live"]
    assert table["seats"][0]["player"]["name"] == "Rosa"
    assert table["side_names"]["AC"] == "Rosa / Omar"
    assert table["may"] == {"record": True, "reopen": False}
    now = live["round"]
    assert (now["turn"], now["ends"], now["next_number"]) == ("C", [6, 3], 3)
    assert now["must"] == {"C": ["3-1"]}
    assert [one["tile"] for one in now["line"]] == ["6-6", "6-3"]
    assert now["tiles"][0]["ends"] != []
    assert now["tiles"][-1]["ends"] == []
    assert len(now["tiles"]) == 26
    assert now["undo"]["line"] == "C! touch 3-1"
    assert live["offences"] == {"C": {"touch": 1}}
    assert live["infractions"][0]["measures"] == [
        {"value": "must_play", "label": "The tile must be played"}
    ]


def test_the_state_between_rounds_says_who_opens(
    client: Client, opened: Match, referee: User
) -> None:
    client.force_login(referee)
    services.record_sheet(opened, number=0, sheet=Sheet("AC", 20, "out"), by=referee)
    live = client.get(f"/api/matches/{opened.pk}/").json()["live"]
    assert live["next_round"]["ask"] is True
    assert live["next_round"]["rule"] == "Who holds the highest double? That seat opens."
    assert live["rounds"][0]["sentence"] == "Round 1: Out, \u2068Rosa / Omar\u2069, 20 points."
    assert live["can_close"] is False
    services.record_sheet(opened, number=1, sheet=Sheet("AC", 80, "out"), by=referee)
    live = client.get(f"/api/matches/{opened.pk}/").json()["live"]
    assert live["next_round"] is None
    assert live["can_close"] is True
    assert live["winner_name"] == "Rosa / Omar"


def test_a_false_pass_is_shown_with_its_proof(
    client: Client, record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B pass", "C 6-2", "D 2-1", "A 1-0", "B 6-3"], referee)
    live = client.get(f"/api/matches/{record.match_id}/").json()["live"]
    assert live["findings"][0]["kind"] == "false_pass"
    assert live["findings"][0]["seat"] == "B"
    assert "6-3 was in hand: played at event 5" in live["findings"][0]["proof"]


def test_proposals_follow_the_count_of_offences(
    client: Client, record: RoundRecord, referee: User
) -> None:
    client.force_login(referee)
    address = f"/api/matches/{record.match_id}/proposals/"
    first = client.get(address, {"seat": "B", "kind": "delay"}).json()
    assert (first["offence"], first["proposals"][0]["line"]) == (1, "warning")
    write(record, ["A 6-6", "B! delay"], referee)
    second = client.get(address, {"seat": "B", "kind": "delay"}).json()
    assert (second["offence"], second["proposals"][0]["line"]) == (2, "lose_turn")
    meant = client.get(address, {"seat": "B", "kind": "signaling", "deliberate": "true"}).json()
    assert meant["proposals"][0]["line"] == "disqualify"
    assert client.get(address, {"seat": "E", "kind": "delay"}).status_code == 400


def test_what_a_rule_book_says_beside_the_count_is_offered_too(
    client: Client, make_match: MakeMatch
) -> None:
    match = make_match("femundo")
    client.force_login(referee_of(match))
    address = f"/api/matches/{match.pk}/proposals/"
    offered = client.get(address, {"seat": "A", "kind": "misplay"}).json()["proposals"]
    assert [one["line"] for one in offered] == [
        "percent 40, card yellow, expose",
        "retract, warning",
        "percent 40, card yellow, void_round",
        "lose_match, card black",
    ]
    assert offered[0]["needs"] == ["tile"]


# --- the API's fields ------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"event": "A 6-6"}, "number"),
        ({"number": -1, "event": "A 6-6"}, "number"),
        ({"number": 0}, "event"),
        ({"number": 0, "event": "A 9-9"}, "event"),
        ({"number": 0, "event": {"seat": "A", "play": "9-9"}}, "event"),
        ({"number": 0, "event": ["A"]}, "event"),
        ({"number": 0, "event": 7}, "event"),
        ({"number": 0, "event": "A 6-6", "client_key": "x"}, "client_key"),
        ({"number": 0, "event": "A! delay # " + "x" * 100_000}, "event"),
    ],
)
def test_a_wrong_field_is_named(
    client: Client, record: RoundRecord, referee: User, body: dict[str, Any], field: str
) -> None:
    client.force_login(referee)
    response = client.post(
        f"/api/rounds/{record.pk}/events/", body, content_type="application/json"
    )
    assert response.status_code == 400
    assert [one["field"] for one in response.json()["errors"]] == [field]


def test_an_event_may_be_json(client: Client, record: RoundRecord, referee: User) -> None:
    client.force_login(referee)
    body = {"number": 0, "event": {"seat": "A", "play": "6-6"}, "client_key": str(uuid4())}
    response = client.post(
        f"/api/rounds/{record.pk}/events/", body, content_type="application/json"
    )
    assert response.status_code == 201
    assert response.json()["number"] == 0
    assert response.json()["changes"]["last_sentence"] == (
        "\u2068Rosa\u2069 opens with double six. \u2068Lin\u2069 is to play."
    )


def test_known_hands_come_through_the_api(client: Client, opened: Match, referee: User) -> None:
    client.force_login(referee)
    response = client.post(
        f"/api/matches/{opened.pk}/rounds/",
        {"number": 0, "hands": HANDS},
        content_type="application/json",
    )
    assert response.status_code == 201
    assert response.json()["live"]["round"]["turn"] == "D"


def test_the_schema_describes_the_api(client: Client, db: None) -> None:
    schema = client.get("/api/schema/", headers={"Accept": "application/json"}).json()
    assert "/api/rounds/{id}/events/" in schema["paths"] or (
        "/api/rounds/{pk}/events/" in schema["paths"]
    )


# --- my tables -------------------------------------------------------------------------------


def test_my_tables_are_those_i_may_record(client: Client, match: Match, referee: User) -> None:
    tournament = tournament_of(match)
    other = factories.MatchFactory.create(pairing_round=match.pairing_round)
    scorer = factories.OfficialFactory.create(
        tournament=tournament, duty=Official.Duty.SCORER, table=other.table
    ).user
    address = f"/tables/{tournament.slug}/"
    client.force_login(referee)
    assert [one["table"] for one in client.get(address).context["tables"]] == [1, 2]
    client.force_login(scorer)
    assert [one["table"] for one in client.get(address).context["tables"]] == [2]
