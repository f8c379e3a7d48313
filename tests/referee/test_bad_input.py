"""Bad input at a table, through both doors: a sentence and a code, nothing lost or leaked."""

from __future__ import annotations

import re
import time
from collections.abc import Sequence
from html import unescape
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from engine.notation import parse_line
from referee.models import RecordedEvent, RoundRecord, TableCall, TableLink
from referee.queries import records as queries
from referee.services import calls, confirming, links, signing
from referee.services import records as services
from referee.verifying import altered_rows
from tests.referee.conftest import Door, MakeMatch, director_of, referee_of, sheet, write
from tournaments.models import Match, Player
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db

JSON = "application/json"
LONG = "ن" * 100_000
# It turns what follows around, ends the isolation it stands in, opens others and leaves them open.
OVERRIDES = "Ro\u2069\u202esa\u2067 🁣\u2066 x"
SENTENCE = re.compile(r"\S.{8,}[.:!?](\s|$)", re.DOTALL)


@pytest.fixture
def signed_in(client: Client, referee) -> Client:
    client.force_login(referee)
    return client


def said(answer: Any) -> str:
    """Return the sentence of a refusal, of the page or of the API."""
    if answer["Content-Type"].startswith(JSON):
        told = answer.json()
        assert set(told) >= {"code", "message"}
        return str(told["message"])
    text = unescape(re.sub(r"<[^>]+>", " ", answer.content.decode()))
    assert "Traceback" not in text
    return text


# --- an event for a round that is over -------------------------------------------------------


def test_an_event_for_a_closed_table_says_so_and_stays_typed(
    door: Door, signed_in, opened, referee
):
    sheet(opened, 0, "AC", 100, referee)
    record = opened.records.get()
    services.close_match(opened, by=referee)
    answer = door.event(record, number=1, line="A! delay -> warning # typed with care")
    assert answer.status_code == door.refused
    assert f"Table {opened.table} is closed" in said(answer)
    if door.kind == "page":
        assert "A! delay -> warning # typed with care" in unescape(answer.content.decode())
    else:
        assert answer.json()["code"] == "match_already_closed"
    assert record.events.count() == 1


@pytest.mark.parametrize(("line", "code"), [("A 6-6", "round_over"), ("A pass", "round_over")])
def test_a_move_for_an_earlier_round_is_refused_by_its_name(
    door: Door, signed_in, opened, referee, line, code
):
    first = services.open_round(opened, number=0, opener="A", by=referee)
    write(first, ["A 6-6", "B! signaling -> void_round"], referee)
    sheet(opened, 1, "BD", 20, referee)
    answer = door.event(first, number=2, line=line)
    assert answer.status_code == door.refused
    assert SENTENCE.search(said(answer))
    if door.kind == "api":
        assert answer.json()["code"] == code
    assert [one.events.count() for one in opened.records.order_by("number")] == [2, 1]


def test_an_event_for_a_round_that_never_was_is_not_found(door: Door, signed_in, record):
    nowhere = RoundRecord(pk=record.pk + 1000)
    assert door.event(nowhere, number=0, line="A 6-6").status_code == 404
    assert not RecordedEvent.objects.exists()


# --- a record of a thousand events -----------------------------------------------------------


def _thousand() -> Sequence[str]:
    lines = ["A 6-6"]
    for number in range(499):
        lines += ["undo 1", "A 6-6" if number % 2 else "A! delay -> warning # slow"][:1]
        lines += ["A 6-6"]
    return lines[:999]


@pytest.fixture
def long_record(record, referee):
    services.append_events(
        record.pk, number=0, events=[parse_line(one) for one in _thousand()], by=referee
    )
    return record


def test_a_record_of_a_thousand_events_stays_quick_and_light(long_record, signed_in):
    assert long_record.events.count() == 999
    begun = time.process_time()
    answer = signed_in.post(
        f"/api/rounds/{long_record.pk}/events/",
        {"number": 999, "event": "B 6-3", "client_key": str(uuid4())},
        content_type=JSON,
    )
    spent = time.process_time() - begun
    assert answer.status_code == 201
    # What the event changed, not all the record.
    assert len(answer.content) < 40_000
    assert spent < 1.5
    begun = time.process_time()
    page = signed_in.get(f"/matches/{long_record.match_id}/record/")
    assert page.status_code == 200
    assert len(page.content) < 1_000_000
    assert time.process_time() - begun < 3
    sheet_page = Client().get(f"/matches/{long_record.match_id}/")
    assert len(sheet_page.content) < 1_000_000
    assert list(altered_rows()) == []


def test_after_a_thousand_events_the_next_is_refused_and_the_round_still_ends(
    long_record, door: Door, signed_in, referee
):
    write(long_record, ["B 6-3"], referee)
    answer = door.event(long_record, number=1000, line="C 3-1")
    assert answer.status_code == door.refused
    assert "1000 events" in said(answer).replace(",", "")
    assert long_record.events.count() == 1000


# --- notes and reasons of 100 kB -------------------------------------------------------------


def test_a_note_of_100_kilobytes_is_refused_and_stays_typed(signed_in, record):
    answer = signed_in.post(
        f"/rounds/{record.pk}/events/",
        {"number": 0, "what": "infraction", "seat": "A", "kind": "delay", "choice": "warning",
         "note": LONG},
    )  # fmt: skip
    assert answer.status_code == 422
    assert LONG in answer.content.decode()
    assert not record.events.exists()


@pytest.mark.parametrize("event", [
    {"seat": "A", "infraction": "delay", "measures": ["warning"], "note": LONG},
    f"A! delay -> warning # {LONG}",
    {"seat": "A", "leaves": LONG},
])  # fmt: skip
def test_text_of_100_kilobytes_in_an_event_is_refused_by_the_api(signed_in, record, event):
    answer = signed_in.post(
        f"/api/rounds/{record.pk}/events/", {"number": 0, "event": event}, content_type=JSON
    )
    assert answer.status_code in (400, 409)
    told = answer.json()
    assert told["code"]
    assert SENTENCE.search(told["message"])
    assert len(answer.content) < 60_000
    assert not record.events.exists()


def test_every_field_for_words_at_a_table_has_an_end(signed_in, opened, referee, director):
    sheet(opened, 0, "AC", 20, referee)
    tournament = opened.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(confirm_rounds=True), by=director)
    key = str(uuid4())
    posts: list[tuple[str, dict[str, object]]] = [
        ("call", {"kind": "ruling", "note": LONG, "client_key": key}),
        ("confirm", {"number": 0, "side": "AC", "agrees": False, "word": LONG}),
        ("sign", {"side": "AC", "how": "refused", "reason": LONG}),
        ("sign", {"side": LONG, "how": LONG, "pin": LONG}),
        ("score", {"totals": {"AC": 60, "BD": 2}, "reason": LONG}),
        ("close", {"reason": LONG}),
    ]
    for name, fields in posts:
        api = signed_in.post(f"/api/matches/{opened.pk}/{name}/", fields, content_type=JSON)
        assert api.status_code in (400, 409), name
        assert SENTENCE.search(str(api.json())), name
        plain = {one: ("" if value is False else value) for one, value in fields.items()}
        plain |= {"points_AC": "60", "points_BD": "2"}
        page = signed_in.post(f"/matches/{opened.pk}/{name}/", plain)
        assert page.status_code == 422, name
        assert "Traceback" not in page.content.decode()
    assert not TableCall.objects.exists()
    assert opened.records.count() == 1


# --- names and notes that turn the line around -----------------------------------------------


@pytest.fixture
def turned(record, referee):
    Player.objects.filter(seats__match=record.match_id).update(name=OVERRIDES)
    write(record, ["A 6-6", f"B! table_talk -> warning # {OVERRIDES}"], referee)
    return record


def balanced(text: str) -> bool:
    """Say whether every isolation that is opened is closed again, and none that was not."""
    depth = 0
    for sign in text:
        depth += (sign in "\u2066\u2067\u2068") - (sign == "\u2069")
        if depth < 0:
            return False
    return not depth


def test_a_name_full_of_marks_ends_where_it_ends(turned, signed_in):
    told = signed_in.get(f"/api/matches/{turned.match_id}/").json()["live"]
    sentences = [one["sentence"] for one in told["round"]["events"]]
    assert len(sentences) == 2
    for one in sentences:
        # The note is the end of its sentence and is a referee's own.
        assert balanced(one.split("🁣")[0] + one.split("🁣")[-1]) or balanced(one)
    assert balanced(sentences[0])


def test_marks_and_emoji_are_kept_as_they_were_written(turned, signed_in):
    assert turned.events.get(number=1).notation.endswith(OVERRIDES)
    document = signed_in.get(f"/api/matches/{turned.match_id}/record/").json()
    assert document["rounds"][0]["events"][1]["note"] == OVERRIDES
    for address in (f"/matches/{turned.match_id}/", f"/matches/{turned.match_id}/record/"):
        page = signed_in.get(address)
        assert page.status_code == 200
        assert "🁣" in page.content.decode()


@pytest.mark.parametrize("note", ["<script>alert(1)</script>", "</script><b>", '"><img src=x>'])
def test_markup_in_a_note_is_only_text(record, referee, signed_in, note):
    write(record, [f"A! delay -> warning # {note}"], referee)
    calls.call_referee(
        record.match, kind="other", note=note, language="en", client_key=uuid4(), by=referee
    )
    slug = record.match.pairing_round.stage.tournament.slug
    for address in (
        f"/matches/{record.match_id}/", f"/matches/{record.match_id}/record/", f"/calls/{slug}/",
        f"/matches/{record.match_id}/plays/",
    ):  # fmt: skip
        assert note not in signed_in.get(address).content.decode(), address


# --- links that open nothing -----------------------------------------------------------------


@pytest.mark.parametrize("how", ["expired", "revoked", "foreign", "guessed", "read only"])
def test_no_change_comes_by_a_link_that_does_not_open_the_table(
    make_match: MakeMatch, how: str, match, referee
):
    target: Match = match
    scope = "read" if how == "read only" else "record"
    made = links.make_link(match, scope=scope, client_key=uuid4(), by=referee)
    guest = Client()
    token = "z" * 32 if how == "guessed" else made.token
    guest.get(f"/l/{token}/")
    if how == "expired":
        TableLink.objects.update(expires_at=timezone.now())
    elif how == "revoked":
        links.revoke_link(made.link, by=referee)
    elif how == "foreign":
        target = make_match()
    boss = director_of(target)
    services.open_match(target, by=boss)
    record = services.open_round(target, number=0, opener="A", by=boss)
    names = [one.player.name for one in target.seats.all()]
    event = {"number": 0, "event": "A 6-6", "client_key": str(uuid4())}
    answers = [
        guest.post(f"/api/rounds/{record.pk}/events/", event, content_type=JSON),
        guest.post(f"/api/matches/{target.pk}/score/", {"totals": {}}, content_type=JSON),
        guest.post(f"/api/matches/{target.pk}/sign/", {"side": "AC"}, content_type=JSON),
        guest.post(f"/api/matches/{target.pk}/holder/", content_type=JSON),
        guest.post(f"/api/matches/{target.pk}/rounds/", {"number": 1}, content_type=JSON),
    ]
    for answer in answers:
        assert answer.status_code in (401, 403, 404)
        told = answer.json()
        assert told["code"]
        assert SENTENCE.search(told["message"])
        assert not any(name in answer.content.decode() for name in names)
    page = guest.post(f"/rounds/{record.pk}/events/", event)
    assert page.status_code in (302, 403, 404, 410)
    assert not any(name in page.content.decode() for name in names)
    assert not RecordedEvent.objects.exists()
    assert queries.read(queries.matches().get(pk=target.pk)).round is not None


def test_a_side_link_of_another_table_confirms_nothing_here(make_match, opened, referee, director):
    tournament = opened.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(confirm_rounds=True), by=director)
    made = links.make_link(
        Match.objects.select_related("pairing_round__stage__tournament").get(pk=opened.pk),
        scope="confirm", side="AC", client_key=uuid4(), by=referee,
    )  # fmt: skip
    other = make_match()
    boss = referee_of(other)
    services.open_match(other, by=boss)
    sheet(other, 0, "AC", 20, boss)
    guest = Client()
    guest.get(f"/l/{made.token}/")
    said_there = {"number": 0, "side": "AC", "agrees": True}
    answer = guest.post(f"/api/matches/{other.pk}/confirm/", said_there, content_type=JSON)
    assert answer.status_code in (401, 403, 404)
    assert not confirming.words_on(queries.read(other))[0].agrees
    assert not signing.Signature.objects.exists()
