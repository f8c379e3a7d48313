"""A table calls a referee; referees claim the call, pass it on, close it."""

from __future__ import annotations

from typing import Any
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.db import IntegrityError, transaction
from django.test import Client

from referee.errors.links import CallIsClaimed, CallIsOver, UnknownCall
from referee.errors.records import ReasonNeeded
from referee.models import TableCall
from referee.queries import links as queries_links
from referee.services import calls, links
from tests.factories import OfficialFactory
from tests.referee.conftest import write
from tournaments.errors.base import TextTooLong
from tournaments.models import LogEntry

pytestmark = pytest.mark.django_db


def call(match, by, **more):
    given: dict[str, Any] = {"kind": "ruling", "language": "ar", "client_key": uuid4(), **more}
    return calls.call_referee(match, **given, by=by)


@pytest.fixture
def open_call(record, referee):
    return call(record.match, referee)


@pytest.fixture
def lin(record):
    return OfficialFactory.create(tournament=record.match.pairing_round.stage.tournament).user


def guest_of(match, referee, scope="read"):
    made = links.make_link(match, scope=scope, client_key=uuid4(), by=referee)
    client = Client()
    client.get(f"/l/{made.token}/")
    return client, links.guest(made.link)


def test_a_call_carries_the_last_moves_and_the_language(record, referee):
    write(record, ["A 6-6", "B 6-3"], referee)
    made = call(record.match, referee)
    assert made.moves == ["A 6-6", "B 6-3"]
    assert made.language == "ar"
    assert LogEntry.objects.get(act="referee_called").details["kind"] == "ruling"


def test_a_table_that_calls_again_has_one_call(open_call, referee):
    assert call(open_call.match, referee, kind="other").pk == open_call.pk
    assert TableCall.objects.count() == 1


def test_a_call_sent_again_after_it_was_closed_is_not_made_anew(record, referee):
    key = uuid4()
    made = call(record.match, referee, client_key=key)
    calls.close(made, outcome="done", by=referee)
    assert call(record.match, referee, client_key=key).pk == made.pk


def test_the_database_keeps_one_open_call_a_table(open_call):
    with pytest.raises(IntegrityError), transaction.atomic():
        TableCall.objects.create(match=open_call.match, kind="other", client_key=uuid4())


def test_whoever_has_a_link_of_the_table_calls(record, referee):
    _, guest = guest_of(record.match, referee)
    made = call(record.match, guest)
    assert (made.called_by, made.link_id) == (None, guest.link)
    assert LogEntry.objects.get(act="referee_called").details["by_table"] == 1


def test_a_guest_of_another_table_does_not_call_here(make_match, record, referee):
    _, guest = guest_of(record.match, referee)
    with pytest.raises(PermissionDenied):
        call(make_match(), guest)


def test_a_stranger_does_not_call(record, stranger):
    with pytest.raises(PermissionDenied):
        call(record.match, stranger)


def test_a_kind_nobody_knows_is_refused(record, referee):
    with pytest.raises(UnknownCall):
        call(record.match, referee, kind="pizza")


def test_a_note_of_100_kilobytes_is_refused(record, referee):
    with pytest.raises(TextTooLong):
        call(record.match, referee, note="x" * 100_000)


def test_a_claimed_call_is_not_claimed_by_another_until_it_is_passed_on(open_call, referee, lin):
    calls.claim(open_call, by=referee)
    with pytest.raises(CallIsClaimed):
        calls.claim(open_call, by=lin)
    passed = calls.escalate(open_call, by=referee)
    assert passed.claimed_by is None
    assert calls.claim(open_call, by=lin).claimed_by == lin


def test_every_step_is_logged_once_and_keeps_its_time(open_call, referee):
    for _ in range(2):
        calls.claim(open_call, by=referee)
    for _ in range(2):
        calls.close(open_call, outcome="Ruled", by=referee)
    done = TableCall.objects.get()
    assert done.claimed_at
    assert done.closed_at
    assert done.called_at <= done.claimed_at <= done.closed_at
    acts = LogEntry.objects.filter(act__in=["call_claimed", "call_closed"])
    assert sorted(acts.values_list("act", flat=True)) == ["call_claimed", "call_closed"]


def test_a_call_is_closed_with_words(open_call, referee):
    with pytest.raises(ReasonNeeded):
        calls.close(open_call, outcome=" ", by=referee)


def test_a_closed_call_is_neither_claimed_nor_passed_on(open_call, referee, lin):
    calls.close(open_call, outcome="Ruled", by=referee)
    with pytest.raises(CallIsOver):
        calls.claim(open_call, by=lin)
    with pytest.raises(CallIsOver):
        calls.escalate(open_call, by=lin)


def test_calls_passed_on_stand_first(make_match, open_call, referee, lin):
    tournament = open_call.match.pairing_round.stage.tournament
    other = open_call.match.pairing_round.matches.create(table=9)
    later = call(other, referee)
    calls.escalate(later, by=referee)
    assert list(queries_links.open_calls(tournament)) == [later, open_call]


def test_referees_see_claim_and_close_calls_on_their_page(record, referee, client):
    write(record, ["A 6-6"], referee)
    made = call(record.match, referee, note="قطعة 🎲")
    client.force_login(referee)
    slug = record.match.pairing_round.stage.tournament.slug
    page = client.get(f"/calls/{slug}/").content.decode()
    assert "A ruling is needed" in page
    assert "قطعة 🎲" in page
    assert "opens" in page or "plays" in page
    assert "1</span>" in client.get(f"/tables/{slug}/").content.decode()
    client.post(f"/calls/{made.pk}/claim/")
    refused = client.post(f"/calls/{made.pk}/close/", {"outcome": ""})
    assert refused.status_code == 422
    client.post(f"/calls/{made.pk}/close/", {"outcome": "Ruled: a touch"})
    assert TableCall.objects.get().outcome == "Ruled: a touch"
    assert "Ruled: a touch" in client.get(f"/calls/{slug}/").content.decode()


def test_a_refused_claim_says_why_on_the_page(open_call, referee, lin, client):
    calls.claim(open_call, by=referee)
    client.force_login(lin)
    answer = client.post(f"/calls/{open_call.pk}/claim/")
    assert answer.status_code == 422
    assert "goes to table" in answer.content.decode()


def test_a_table_calls_from_a_page_without_scripts(record, referee):
    client, _ = guest_of(record.match, referee)
    page = client.get(f"/matches/{record.match_id}/call/")
    key = page.context["form"].initial["client_key"]
    sent = {"kind": "count", "note": "", "client_key": str(key)}
    assert client.post(f"/matches/{record.match_id}/call/", sent).status_code == 302
    assert "has been called" in client.get(f"/matches/{record.match_id}/call/").content.decode()


@pytest.mark.parametrize("sent", [{}, {"kind": "pizza"}, {"kind": "other", "note": "x" * 600}])
def test_a_call_that_is_not_whole_is_shown_again_with_what_was_typed(sent, record, referee):
    client, _ = guest_of(record.match, referee)
    sent = {"client_key": str(uuid4())} | sent
    answer = client.post(f"/matches/{record.match_id}/call/", sent)
    assert answer.status_code == 422
    assert sent.get("note", "") in answer.content.decode()


def test_the_api_calls_lists_and_changes(record, referee, client):
    guest, _ = guest_of(record.match, referee)
    key = str(uuid4())
    address = f"/api/matches/{record.match_id}/call/"
    body = {"kind": "other", "client_key": key}
    first = guest.post(address, body, content_type="application/json")
    assert first.status_code == 201
    client.force_login(referee)
    slug = record.match.pairing_round.stage.tournament.slug
    listed = client.get(f"/api/desk/{slug}/calls/").json()
    assert [one["id"] for one in listed] == [first.json()["id"]]
    hall = client.get(f"/api/matches/{record.match_id}/").json()["hall"]
    assert hall["call"]["id"] == listed[0]["id"]
    claimed = client.post(f"/api/calls/{listed[0]['id']}/claim/").json()
    assert claimed["claimed_by"] == referee.username
    closed = client.post(
        f"/api/calls/{listed[0]['id']}/close/",
        {"outcome": "done"},
        content_type="application/json",
    )
    assert closed.json()["closed_at"]
    again = client.post(f"/api/calls/{listed[0]['id']}/claim/")
    assert (again.status_code, again.json()["code"]) == (409, "call_is_over")


def test_strangers_see_no_calls(open_call, stranger, client):
    client.force_login(stranger)
    slug = open_call.match.pairing_round.stage.tournament.slug
    assert client.get(f"/calls/{slug}/").status_code == 403
    assert client.post(f"/calls/{open_call.pk}/claim/").status_code == 403
    assert client.get(f"/api/desk/{slug}/calls/").status_code == 403
