"""The doors of a table: what both say, who is let in, what is public."""

from __future__ import annotations

import json
from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.test import Client

from referee.models import RecordedEvent, RoundRecord
from tests.referee.conftest import Door, MakeMatch, director_of, referee_of, write
from tournaments.models import Match, PairingRound

pytestmark = pytest.mark.django_db


@pytest.fixture
def at_table(door: Door, client: Client, referee: User) -> Door:
    """A door with the referee signed in."""
    client.force_login(referee)
    return door


def said(response: Any) -> str:
    text: str = response.content.decode()
    return json.loads(text)["message"] if text.startswith("{") else text


# --- both doors ------------------------------------------------------------------------------


def test_an_event_is_stored_through_both_doors(at_table: Door, record: RoundRecord) -> None:
    response = at_table.event(record, number=0, line="A 6-6")
    assert response.status_code == at_table.done
    assert record.events.get().notation == "A 6-6"


def test_eastern_digits_are_read_through_both_doors(at_table: Door, record: RoundRecord) -> None:
    assert at_table.event(record, number=0, line="A ٦-٦").status_code == at_table.done
    assert at_table.event(record, number=1, line="B ۶۳").status_code == at_table.done
    assert [one.notation for one in record.events.all()] == ["A 6-6", "B 6-3"]


def test_each_event_sent_three_times_is_stored_once(at_table: Door, record: RoundRecord) -> None:
    for number, line in enumerate(["A 6-6", "B 6-3", "C pass", "undo 1"]):
        key = uuid4()
        answers = [at_table.event(record, number=number, line=line, key=key) for _ in range(3)]
        assert {one.status_code for one in answers} == {at_table.done}
        assert len({one.content for one in answers}) == 1
    assert record.events.count() == 4


@pytest.mark.parametrize(
    ("before", "line", "code", "sentence"),
    [
        (["A 6-6"], "B 5-4", "misplay", "5-4 does not fit: the ends are 6 and 6."),
        (["A 6-6"], "C 6-4", "out_of_turn", "but it is the turn of seat B."),
        ([], "A 5-4", "wrong_opening_tile", "it must be opened with 6-6."),
        (["A 6-6"], "B 6-6", "tile_already_played", "6-6 already lies on the table."),
        (["A 6-6", "B 6-3"], "C 6-3", "tile_already_played", "6-3 already lies on the table."),
        ([], "A pass", "false_pass", "cannot pass before the first tile"),
        (["A 6-6"], "B draws ?", "improper_draw", "no tile of the stock may be drawn"),
        (["A 6-6", "B 6-3"], "C pass\nD 6-3", "bad_notation", "cannot be read at"),
        (["A 6-6", "B 6-3 right"], "C 6-3", "tile_already_played", "already lies"),
        (["A 6-6", "B 6-3 right", "C 3-1"], "D 6-1", "end_required", "fits both ends, 6 and 1."),
        (["A 6-6", "B! signaling -> pending"], "B 6-3", "ruling_pending", "awaits its ruling"),
        (["A 6-6", "B! touch 6-3"], "B 6-4", "must_play", "must play 6-3"),
        (["A 6-6", "B! table_talk -> void_round"], "B 6-3", "round_over", "This round is over"),
        (["result AC 30 out"], "A 6-6", "bad_record", "not both. Undo one of them"),
        (["A 6-6"], "undo 5", "bad_record", "5 events cannot be undone"),
        (["A 6-6"], "B! expose_myself", "bad_record", "measures, as the schedule has no"),
        (["A! signaling deliberate"], "A 6-6", "match_over", "close the match"),
    ],
)
def test_a_refusal_says_why_and_stores_nothing(
    at_table: Door,
    record: RoundRecord,
    referee: User,
    before: list[str],
    line: str,
    code: str,
    sentence: str,
) -> None:
    if before:
        write(record, before, referee)
    response = at_table.event(record, number=len(before), line=line)
    text = response.content.decode()
    if code == "bad_notation":
        assert response.status_code == (422 if at_table.kind == "page" else 400)
        assert sentence in text
    else:
        assert response.status_code == at_table.refused
        assert sentence in said(response).replace("&#x27;", "'")
        if at_table.kind == "api":
            assert response.json()["code"] == code
        else:
            assert response.context["refused"]["code"] == code
            assert response.context["typed"] == line
    assert record.events.count() == len(before)


def test_what_may_have_happened_at_the_table_is_asked(
    at_table: Door, record: RoundRecord, referee: User
) -> None:
    write(record, "A 6-6", referee)
    response = at_table.event(record, number=1, line="B 5-4")
    if at_table.kind == "api":
        answer = response.json()
        assert answer["as_infraction"] == "misplay"
        assert answer["proposals"][0]["line"] == "retract, warning"
        assert answer["state"]["round"]["turn"] == "B"
    else:
        refused = response.context["refused"]
        assert refused["as_infraction"] == "misplay"
        assert refused["proposals"][0]["line"] == "retract, warning"
        form = refused["infraction_form"]
        assert form.initial == {
            "seat": "B",
            "kind": "misplay",
            "tile": form.initial["tile"],
            "end": None,
        }


def test_a_slip_that_is_no_infraction_is_not_asked_about(
    at_table: Door, record: RoundRecord, referee: User
) -> None:
    write(record, "A 6-6", referee)
    response = at_table.event(record, number=1, line="B 6-6")
    if at_table.kind == "api":
        assert response.json()["as_infraction"] is None
        assert "proposals" not in response.json()
    else:
        assert response.context["refused"]["as_infraction"] is None


def test_somebody_recorded_meanwhile(at_table: Door, record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B 6-3"], referee)
    response = at_table.event(record, number=1, line="B 6-4")
    assert response.status_code == at_table.refused
    if at_table.kind == "api":
        answer = response.json()
        assert answer["code"] == "record_moved_on"
        since = answer["since"]
        assert answer["state"]["round"]["next_number"] == 2
    else:
        since = response.context["moved_on"]
        assert response.context["typed"] == "B 6-4"
    assert [(one["number"], one["line"]) for one in since] == [(1, "B 6-3")]


@pytest.mark.parametrize(
    ("state", "sentence", "code"),
    [
        ("waiting", "has not been opened", "match_not_open"),
        ("closed", "is closed", "match_already_closed"),
    ],
)
def test_a_table_that_is_not_in_play_is_refused(
    at_table: Door, match: Match, record: RoundRecord, state: str, sentence: str, code: str
) -> None:
    Match.objects.filter(pk=match.pk).update(state=state)
    response = at_table.event(record, number=0, line="A 6-6")
    assert response.status_code == at_table.refused
    assert sentence in said(response)
    response = at_table.post(f"/matches/{match.pk}/rounds/", number=1, opener="A")
    assert response.status_code == at_table.refused
    assert sentence in said(response)


def test_a_table_is_played_through_both_doors(at_table: Door, match: Match, director: User) -> None:
    address = f"/matches/{match.pk}"
    players = {one.seat: one.player_id for one in match.seats.all()}
    swapped = {"A": players["C"], "B": players["B"], "C": players["A"], "D": players["D"]}
    done = at_table.done
    assert at_table.post(f"{address}/seats/", **swapped).status_code == done
    assert match.seats.get(seat="A").player.name == "Omar"
    for _ in range(2):
        assert at_table.post(f"{address}/open/").status_code == done
    for _ in range(2):
        assert at_table.post(f"{address}/rounds/", number=0, opener="A").status_code == done
    record = match.records.get()
    for number, line in enumerate(["A 6-6", "B 6-3", "undo 1", "B 6-4", "undo 2"]):
        assert at_table.event(record, number=number, line=line).status_code == done
    assert at_table.event(record, number=5, line="result AC 101 out").status_code == done
    for _ in range(2):
        assert at_table.post(f"{address}/close/").status_code == done
    assert match.seats.get(seat="C").points_for == 101
    at_table.client.force_login(director)
    assert at_table.post(f"{address}/reopen/", reason="Misread.").status_code == done
    match.refresh_from_db()
    assert match.state == Match.State.PLAYING


def test_a_whole_round_comes_from_a_score_sheet(at_table: Door, opened: Match) -> None:
    address = f"/matches/{opened.pk}/rounds/"
    key = str(uuid4())
    for _ in range(3):
        if at_table.kind == "page":
            response = at_table.post(
                address, number=0, sheet=1, winner="BD", points="٢٣", ended="out", client_key=key
            )
        else:
            result = {"winner": "BD", "points": 23, "ended": "out"}
            response = at_table.post(address, number=0, result=result, client_key=key)
        assert response.status_code == at_table.done
    assert RecordedEvent.objects.get().notation == "result BD 23 out"


@pytest.mark.parametrize(
    ("path", "fields", "code", "sentence"),
    [
        ("rounds", {"number": 0}, "opener_needed", "Say which seat plays the first tile"),
        ("rounds", {"number": 3, "opener": "A"}, "round_moved_on", "the next round is 1"),
        ("close", {}, "match_not_over", "no side has won yet"),
        ("seats", dict.fromkeys("ABCD", 1), "seats_do_not_fit", "Give every player a seat"),
    ],
)
def test_other_refusals_say_why_through_both_doors(
    at_table: Door, opened: Match, path: str, fields: dict[str, Any], code: str, sentence: str
) -> None:
    response = at_table.post(f"/matches/{opened.pk}/{path}/", **fields)
    assert response.status_code == at_table.refused
    assert sentence in said(response)
    if at_table.kind == "api":
        assert response.json()["code"] == code
    else:
        assert response.context["refused"]["code"] == code


# --- who is let in ---------------------------------------------------------------------------

CHANGES = [
    ("open", {}),
    ("seats", dict.fromkeys("ABCD", 1)),
    ("rounds", {"number": 1, "opener": "A"}),
    ("close", {}),
    ("reopen", {"reason": "x"}),
]


@pytest.mark.parametrize(("path", "fields"), CHANGES)
def test_a_stranger_is_refused_by_both_doors(
    door: Door, record: RoundRecord, stranger: User, path: str, fields: dict[str, Any]
) -> None:
    address = f"/matches/{record.match_id}/{path}/"
    response = door.post(address, **fields)
    assert response.status_code == (302 if door.kind == "page" else 403)
    if door.kind == "page":
        assert response.headers["Location"].startswith("/login/")
    door.client.force_login(stranger)
    assert door.post(address, **fields).status_code == 403


def test_a_stranger_records_nothing(door: Door, record: RoundRecord, stranger: User) -> None:
    door.client.force_login(stranger)
    response = door.event(record, number=0, line="A 6-6")
    assert response.status_code == 403
    assert not record.events.exists()
    for address in (
        f"/matches/{record.match_id}/record/",
        f"/rounds/{record.pk}/infraction/",
        f"/api/matches/{record.match_id}/proposals/?seat=A&kind=touch",
    ):
        assert door.client.get(address).status_code == 403


def test_a_referee_does_not_reopen(at_table: Door, record: RoundRecord) -> None:
    response = at_table.post(f"/matches/{record.match_id}/reopen/", reason="x")
    assert response.status_code == 403


def test_what_is_not_there_is_not_found(at_table: Door, db: None) -> None:
    assert at_table.post("/matches/99999/open/").status_code == 404
    assert at_table.post("/rounds/99999/events/", number=0, line="p", event="p").status_code in (
        400,
        404,
    )
    assert at_table.client.get("/api/matches/99999/").status_code == 404


def test_a_draft_is_there_for_nobody_but_the_directors(
    make_match: MakeMatch, client: Client, stranger: User
) -> None:
    match = make_match(round_state=PairingRound.State.DRAFT)
    addresses = [
        f"/matches/{match.pk}/",
        *(f"/api/matches/{match.pk}/{path}" for path in ("", "record/", "lines/")),
    ]
    for user in (None, stranger, referee_of(match)):
        if user is not None:
            client.force_login(user)
        assert {client.get(one).status_code for one in addresses} == {404}
    client.force_login(director_of(match))
    assert {client.get(one).status_code for one in addresses} == {200}
