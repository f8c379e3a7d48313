"""Players are called to their table: once, by those who may, heard wherever people look."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse
from rest_framework.test import APIClient

from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.errors import calls as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import LogEntry, Match, MatchSeat, Official, PairingRound, Tournament
from tournaments.queries.player_calls import called_in
from tournaments.services.player_calls import call_players, clear_calls

pytestmark = pytest.mark.django_db

NAMES = ("Rosa", "Lin", "Omar", "سارة")


@pytest.fixture
def match() -> Match:
    tournament = TournamentFactory.create(slug="nile", state=Tournament.State.RUNNING)
    stage = StageFactory.create(tournament=tournament)
    pairing_round = PairingRoundFactory.create(stage=stage)
    players = [PlayerFactory.create(name=name) for name in NAMES]
    entries = [
        EntryFactory.create(tournament=tournament, players=players[:2]),
        EntryFactory.create(tournament=tournament, players=players[2:]),
    ]
    found: Match = MatchFactory.create(pairing_round=pairing_round, entries=entries, table=12)
    return found


@pytest.fixture
def director(match):
    return match.pairing_round.stage.tournament.created_by


def letters(match: Match) -> str:
    called = MatchSeat.objects.filter(match=match, called_at__isnull=False)
    return "".join(called.order_by("seat").values_list("seat", flat=True))


def test_everybody_is_called_once_and_the_log_says_who(match, director):
    first = [seat.called_at for seat in call_players(match, by=director)]
    again = [seat.called_at for seat in call_players(match, by=director)]
    assert len(first) == 4
    assert again == first
    assert LogEntry.objects.filter(act="players_called").count() == 1
    assert LogEntry.objects.get(act="players_called").details["players"] == [
        seat.player.name for seat in match.seats.order_by("seat").select_related("player")
    ]


def test_some_seats_are_called_and_taken_back(match, director):
    call_players(match, seats=("A", "C"), by=director)
    call_players(match, seats=("A", "B"), by=director)
    assert letters(match) == "ABC"
    clear_calls(match, seats=("B",), by=director)
    clear_calls(match, seats=("B",), by=director)
    assert letters(match) == "AC"
    assert LogEntry.objects.filter(act="players_not_called").count() == 1
    clear_calls(match, by=director)
    assert letters(match) == ""


@pytest.mark.parametrize("state", [Match.State.PLAYING, Match.State.CLOSED])
def test_a_table_that_plays_calls_nobody_any_more(match, director, state):
    call_players(match, by=director)
    Match.objects.update(state=state)
    assert called_in(match.pairing_round.stage.tournament) == ()
    with pytest.raises(errors.NobodyToCall) as refused:
        call_players(match, by=director)
    assert "table 12" in explain(refused.value)


def test_a_seat_that_is_not_there_is_refused_with_those_that_are(match, director):
    with pytest.raises(errors.NoSuchSeatToCall) as refused:
        call_players(match, seats=("E",), by=director)
    assert "A, B, C, D" in explain(refused.value)
    assert letters(match) == ""


def test_nobody_is_called_to_a_table_of_a_draft(match, director):
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    with pytest.raises(table_errors.RoundNotPublished):
        call_players(match, by=director)


@pytest.mark.parametrize("duty", [None, Official.Duty.SCORER])
def test_only_directors_and_referees_call(match, duty):
    user = UserFactory.create()
    if duty:
        tournament = match.pairing_round.stage.tournament
        OfficialFactory.create(tournament=tournament, user=user, duty=duty)
    for service in (call_players, clear_calls):
        with pytest.raises(PermissionDenied):
            service(match, by=user)


def test_the_page_of_the_event_the_round_and_the_search_say_so(match, director, client):
    call_players(match, seats=("A", "D"), by=director)
    a, d = (match.seats.get(seat=seat).player.name for seat in "AD")
    for address in ("/t/nile/", "/t/nile/rounds/1/1/", f"/t/nile/?q={a}"):
        page = client.get(address).content.decode()
        assert "Called to their table" in page
        assert page.count("(Called)") == 2
        assert a in page
        assert d in page
        # Those who hear the page hear it, too.
        assert "Please come to table 12:" in page
    by_name = client.get("/t/nile/rounds/1/1/?by=name").content.decode()
    assert by_name.count('<span class="chip warn">Called</span>') == 2
    Match.objects.update(state=Match.State.PLAYING)
    page = client.get("/t/nile/").content.decode()
    assert "Called to their table" not in page
    assert "(Called)" not in page


def test_a_page_that_is_open_hears_of_a_call(match, director, client):
    before = client.get("/t/nile/", headers={"Part": "1"})["ETag"]
    call_players(match, by=director)
    after = client.get("/t/nile/", headers={"Part": "1", "If-None-Match": before})
    assert after.status_code == 200
    assert "Called to their table" in after.content.decode()


def test_the_badge_of_an_entry_tells_its_players(match, director, client):
    seat = match.seats.select_related("entry").get(seat="A")
    seat.entry.check_in_code = "KM4P7R2X"
    seat.entry.save()
    address = reverse("tournaments:code", args=["KM4P7R2X"])
    assert "Called to their table" not in client.get(address).content.decode()
    call_players(match, seats=("A",), by=director)
    assert "Called to their table" in client.get(address).content.decode()


def test_the_longest_waiting_stands_first(match, director):
    other = MatchFactory.create(pairing_round=match.pairing_round, table=3)
    call_players(other, by=director)
    call_players(match, by=director)
    tournament = match.pairing_round.stage.tournament
    assert [one.match.table for one in called_in(tournament)] == [3, 12]
    earlier = match.seats.filter(called_at__isnull=False).first()
    earlier.called_at -= timedelta(minutes=5)
    earlier.save()
    assert [one.match.table for one in called_in(tournament)] == [12, 3]


def test_the_desk_calls_and_takes_back_on_its_page(match, director, client):
    client.force_login(director)
    address = reverse("tournaments:director_calls", args=["nile"])
    sent = client.post(address, {"table": "١٢", "seats": ["A"], "act": "call"}, follow=True)
    assert "The players are called to table 12." in sent.content.decode()
    assert letters(match) == "A"
    client.post(address, {"table": "12", "act": "clear"})
    assert letters(match) == ""
    unknown = client.post(address, {"table": "99", "act": "call"})
    assert unknown.status_code == 422
    assert "No round that is published has a table 99." in unknown.content.decode()


def test_a_stranger_reaches_neither_door(match, client):
    stranger = UserFactory.create()
    client.force_login(stranger)
    page = reverse("tournaments:director_calls", args=["nile"])
    assert client.post(page, {"table": "12", "act": "call"}).status_code == 403
    api = APIClient()
    api.force_authenticate(stranger)
    door = reverse("tournaments:api_desk_player_calls", args=["nile", match.pk])
    assert api.put(door, {}).status_code == 403
    assert letters(match) == ""


def test_the_api_does_the_same(match):
    tournament = match.pairing_round.stage.tournament
    referee = OfficialFactory.create(tournament=tournament, duty=Official.Duty.REFEREE).user
    api = APIClient()
    api.force_authenticate(referee)
    door = reverse("tournaments:api_desk_player_calls", args=["nile", match.pk])
    told = api.put(door, {"seats": ["B"]}).json()
    assert [one["seat"] for one in told] == ["B"]
    assert api.delete(door).json() == []
    refused = api.put(door, {"seats": ["X"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "no_such_seat_to_call")
