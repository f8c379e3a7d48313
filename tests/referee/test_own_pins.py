"""Players choose the PIN of their entry at the table, once, before their first sheet."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.test import Client

from referee.errors.signing import (
    BadPin,
    PinIsSet,
    PinsByDesk,
    PinTooLate,
    SeatOfOthers,
    SheetChanged,
)
from referee.models import SidePin, Signature
from referee.queries import records as queries
from referee.services import links, signing
from referee.services.own_pins import choose_pin
from referee.services.signing import Seen, seen_in
from tests.referee.conftest import sheet, write
from tournaments.models import LogEntry, Match
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db
DRAWN = [[10, 10, 200, 80, 300, 20, 400, 90, 500, 30, 600, 100, 700, 40, 800, 90]]


@pytest.fixture
def table(opened, director) -> Match:
    """A table whose players record it and confirm its rounds."""
    tournament = opened.pairing_round.stage.tournament
    rules = LinkRules(players_record=True, confirm_rounds=True)
    links.set_link_rules(tournament, rules, by=director)
    return queries.matches().get(pk=opened.pk)


def link(table, referee, scope="confirm", **more):
    if scope == "confirm":
        more.setdefault("side", "BD")
    return links.make_link(table, scope=scope, client_key=uuid4(), by=referee, **more)


def guest(table, referee, scope="confirm", **more):
    return links.guest(link(table, referee, scope, **more).link)


def over(table, referee):
    sheet(table, 0, "AC", 100, referee)


def test_a_pair_chooses_its_pin_by_its_own_link_and_signs_with_it(table, referee):
    choose_pin(table, seat="B", pin="٤٧١١", by=guest(table, referee))
    over(table, referee)
    assert signing.sign(table, side="BD", how="pin", pin="4711", by=referee).how == "pin"
    assert LogEntry.objects.get(act="pin_chosen").details["name"]
    assert "4711" not in str(LogEntry.objects.get(act="pin_chosen").details)


def test_it_is_chosen_once_and_the_desk_gives_another(table, referee):
    pair = guest(table, referee)
    choose_pin(table, seat="B", pin="4711", by=pair)
    with pytest.raises(PinIsSet, match="asks the desk for another"):
        choose_pin(table, seat="D", pin="1234", by=pair)
    signing.set_pin(table.seats.get(seat="B").entry, pin="9999", by=referee)
    over(table, referee)
    assert signing.sign(table, side="BD", how="pin", pin="9999", by=referee).how == "pin"


def test_after_a_first_sheet_it_is_set_at_the_desk(table, referee):
    over(table, referee)
    signing.sign(table, side="BD", how="drawn", strokes=DRAWN, by=referee)
    with pytest.raises(PinTooLate, match="set at the desk now"):
        choose_pin(table, seat="B", pin="4711", by=guest(table, referee))
    # What the others signed binds nobody.
    made = choose_pin(table, seat="A", pin="4711", by=guest(table, referee, side="AC"))
    assert made.entry == table.seats.get(seat="A").entry


def test_the_side_of_a_link_chooses_for_itself_alone(table, referee):
    with pytest.raises(SeatOfOthers, match=r"for B, D only, not for “A”"):
        choose_pin(table, seat="A", pin="4711", by=guest(table, referee))
    assert not SidePin.objects.exists()


def test_players_who_record_choose_for_either_side(table, referee):
    players = guest(table, referee, "record", for_players=True)
    for seat in "AB":
        choose_pin(table, seat=seat, pin="4711", by=players)
    assert SidePin.objects.count() == 2


def test_nobody_else_chooses_one(table, referee, director, make_match, stranger):
    reader = guest(table, referee, "read")
    elsewhere = guest(table, referee)
    for by in (referee, director, stranger, reader):
        with pytest.raises(PinsByDesk):
            choose_pin(table, seat="B", pin="4711", by=by)
    other = queries.matches().get(pk=make_match().pk)
    with pytest.raises(PinsByDesk):
        choose_pin(other, seat="B", pin="4711", by=elsewhere)
    tournament = table.pairing_round.stage.tournament
    links.set_link_rules(tournament, LinkRules(confirm_rounds=True), by=director)
    with pytest.raises(PinsByDesk):
        choose_pin(queries.matches().get(pk=table.pk), seat="B", pin="4711", by=elsewhere)
    assert not SidePin.objects.exists()


@pytest.mark.parametrize("pin", ["", "1", "12a4", "1234567", "🁣🁣🁣🁣"])
def test_what_is_no_pin_is_refused(table, referee, pin):
    with pytest.raises(BadPin):
        choose_pin(table, seat="B", pin=pin, by=guest(table, referee))


def test_the_page_takes_it_and_says_when_it_is_too_late(table, referee):
    client = Client()
    client.get(f"/l/{link(table, referee).token}/")
    address = f"/matches/{table.pk}/pin/"
    assert address in client.get(f"/matches/{table.pk}/confirm/").content.decode()
    assert client.get(address).status_code == 200
    assert client.post(address, {"seat": "A", "pin": "4711"}).status_code == 422
    assert client.post(address, {"seat": "B", "pin": "4711"}).status_code == 302
    again = client.post(address, {"seat": "B", "pin": "4711"})
    assert again.status_code == 422
    assert "has a PIN already" in again.content.decode()
    assert "4711" not in again.content.decode()
    assert Client().get(address).status_code == 302


def test_the_api_takes_it_and_refuses_with_a_code(table, referee):
    client = Client()
    client.get(f"/l/{link(table, referee).token}/")
    address = f"/api/matches/{table.pk}/pin/"
    said = {"seat": "B", "pin": "4711"}
    assert client.post(address, said, content_type="application/json").status_code == 204
    again = client.post(address, said, content_type="application/json")
    assert (again.status_code, again.json()["code"]) == (409, "pin_is_set")
    assert client.post(address, {}, content_type="application/json").status_code == 400
    assert Client().post(address, said, content_type="application/json").status_code in (401, 403)


# --- what a side saw when it signed ----------------------------------------------------------


def test_a_word_on_a_record_that_went_on_is_refused(table, referee):
    over(table, referee)
    seen = seen_in(queries.read(table))
    assert seen == Seen(1, 1, {"AC": 100, "BD": 0})
    write(table.records.get(), "B! table_talk -> warning", referee)
    with pytest.raises(SheetChanged, match=r"has changed since side BD looked at it"):
        signing.sign(table, side="BD", how="drawn", strokes=DRAWN, seen=seen, by=referee)
    assert not Signature.objects.exists()
    now = seen_in(queries.read(table))
    signed = signing.sign(table, side="BD", how="drawn", strokes=DRAWN, seen=now, by=referee)
    assert signed.side == "BD"


@pytest.mark.parametrize("seen", [{"rounds": 1, "events": 9, "totals": {"AC": 100, "BD": 0}}])
def test_the_api_answers_with_the_code_of_a_changed_sheet(table, referee, client, seen):
    over(table, referee)
    client.force_login(referee)
    said = {"side": "AC", "how": "drawn", "strokes": DRAWN}
    address = f"/api/matches/{table.pk}/sign/"
    answer = client.post(address, {**said, "seen": seen}, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (409, "sheet_changed")
    broken = client.post(
        address, {**said, "seen": {"rounds": "x"}}, content_type="application/json"
    )
    assert broken.status_code == 400
    right = seen | {"events": 1}
    done = client.post(address, {**said, "seen": right}, content_type="application/json")
    assert done.status_code == 201
