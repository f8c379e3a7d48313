"""What nobody may see is not there, and what cannot be stored is refused in words."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from referee.models import RoundRecord
from tests.referee.conftest import Door, MakeMatch, director_of, referee_of, write
from tournaments.models import PairingRound

pytestmark = pytest.mark.django_db


def test_officials_do_not_record_what_they_may_not_see(
    make_match: MakeMatch, client: Client
) -> None:
    match = make_match(round_state=PairingRound.State.DRAFT)
    client.force_login(referee_of(match))
    assert client.get(f"/matches/{match.pk}/record/").status_code == 404
    for act in ("open", "seats", "rounds", "close", "reopen"):
        assert client.post(f"/matches/{match.pk}/{act}/").status_code == 404
    client.force_login(director_of(match))
    assert client.get(f"/matches/{match.pk}/record/").status_code == 200


@pytest.mark.parametrize(
    "event",
    [
        '"A leaves x\\u0000y"',
        '"A! delay -> warning # \\ud800"',
        '{"seat": "A", "infraction": "delay", "note": "\\u0000"}',
        '{"\\udfff": 1}',
        "[" * 100_000 + "]" * 100_000,
    ],
)
def test_text_that_cannot_be_stored_or_shown_is_refused(
    client: Client, record: RoundRecord, referee: User, event: str
) -> None:
    client.force_login(referee)
    response = client.post(
        f"/api/rounds/{record.pk}/events/",
        f'{{"number": 0, "event": {event}}}',
        content_type="application/json",
    )
    assert response.status_code == 400
    assert response.json()["message"].endswith(".")
    assert not record.events.exists()


def test_text_with_other_escapes_is_read(
    client: Client, record: RoundRecord, referee: User
) -> None:
    client.force_login(referee)
    sent = '{"number": 0, "event": "A! delay -> warning # \\u0639 \\ud83c\\udc63"}'
    response = client.post(
        f"/api/rounds/{record.pk}/events/", sent, content_type="application/json"
    )
    assert response.status_code == 201
    assert record.events.get().notation.endswith("# ع 🁣")


def test_a_score_sheet_for_a_round_with_events_shows_them(
    client: Client, record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6"], referee)
    client.force_login(referee)
    response = client.post(
        f"/api/matches/{record.match_id}/rounds/",
        {"number": 0, "result": {"winner": "AC", "points": 20, "ended": "out"}},
        content_type="application/json",
    )
    assert response.status_code == 409
    assert response.json()["code"] == "record_moved_on"
    assert [one["line"] for one in response.json()["since"]] == ["A 6-6"]


@pytest.mark.parametrize("line", ["result A 110 out", "result A A=0 B=9 C=9 D=9 out"])
def test_a_score_sheet_of_other_sides_than_the_tables_is_refused(
    door: Door, client: Client, record: RoundRecord, referee: User, line: str
) -> None:
    client.force_login(referee)
    assert door.event(record, number=0, line=line).status_code == door.refused
    assert not record.events.exists()


def test_a_substitute_has_a_name_that_fits(
    door: Door, client: Client, record: RoundRecord, referee: User
) -> None:
    client.force_login(referee)
    long = door.event(record, number=0, line="A leaves " + "x" * 81)
    assert long.status_code == door.refused
    assert "is too long" in long.content.decode()
    assert door.event(record, number=0, line="A leaves " + "x" * 80).status_code == door.done


def test_what_was_written_is_shown_again_where_it_is_refused(
    client: Client, record: RoundRecord, referee: User
) -> None:
    client.force_login(referee)
    write(record, ["A 6-6"], referee)
    early = client.post(f"/matches/{record.match_id}/close/", {"reason": "The hall closes"})
    assert early.status_code == 422
    assert "The hall closes" in early.content.decode()
    long = "Zoraida " * 12
    left = client.post(
        f"/rounds/{record.pk}/events/",
        {"number": 1, "what": "leaves", "seat": "A", "substitute": long},
    )
    assert long.strip() in left.content.decode()
    unread = client.post(
        f"/rounds/{record.pk}/events/",
        {
            "number": 1,
            "what": "infraction",
            "seat": "A",
            "kind": "delay",
            "choice": "other",
            "measures": "hang him",
            "note": "Slow for minutes",
        },
    )
    assert "Slow for minutes" in unread.content.decode()
