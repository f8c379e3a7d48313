"""Teams by hand, players corrected, tables closed because somebody is absent."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from rest_framework.test import APIClient

from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Entry, LogEntry, Match, Official, Tournament
from tournaments.services.people import PlayerData
from tournaments.services.players import correct_player

pytestmark = pytest.mark.django_db

WRITTEN = {
    "name": "أحمد علي", "latin_name": "Ahmed Aly", "club": "Olive", "country": "EG", "number": "٧٧",
}  # fmt: skip


@pytest.fixture
def api(organizer):
    client = APIClient()
    client.force_authenticate(organizer)
    return client


@pytest.fixture
def pair(event):
    """An entry that bears the names of its players."""
    players = [PlayerFactory.create(name="Ahmed Ali"), PlayerFactory.create(name="Omar")]
    return EntryFactory.create(tournament=event, players=players, name="Ahmed Ali / Omar")


@pytest.fixture
def waiting(event):
    """A table of a published round that nobody has begun."""
    Tournament.objects.update(state=Tournament.State.RUNNING)
    event.refresh_from_db()
    stage = StageFactory.create(tournament=event)
    return MatchFactory.create(pairing_round=PairingRoundFactory.create(stage=stage))


# --- teams ----------------------------------------------------------------------------------


def test_a_team_is_added_with_its_members(client, event, text):
    Tournament.objects.update(entry_kind=Entry.Kind.TEAM)
    given = {"name": "Nile", "player1": "Rosa", "player2": "Ana", "player4": "Eva", "number4": "9"}
    page = text(client.post("/desk/nile/entries/", given, follow=True))
    assert "Entry 1, “Nile”, is registered." in page
    entry = event.entries.get()
    members = [member.player for member in entry.members.all()]
    assert (entry.kind, [one.name for one in members]) == ("team", ["Rosa", "Ana", "Eva"])
    assert members[2].number == "9"


def test_a_team_without_a_name_is_told_so_at_the_field(client, event, text):
    Tournament.objects.update(entry_kind=Entry.Kind.TEAM)
    response = client.post("/desk/nile/entries/", {"player1": "Rosa", "player2": "Ana"})
    assert response.status_code == 422
    assert "The team has no name. Write it." in text(response)
    assert 'value="Rosa"' in text(response)


def test_a_pair_has_two_places_and_a_team_eight(client, event, text):
    assert "id_player3" not in text(client.get("/desk/nile/entries/"))
    Tournament.objects.update(entry_kind=Entry.Kind.TEAM)
    page = text(client.get("/desk/nile/entries/"))
    assert "id_player8" in page
    assert "id_player9" not in page


def test_an_event_of_teams_needs_partners(client, organizer, text):
    given = {
        "name": "Café", "starts_on": "2026-12-04", "time_zone": "Africa/Cairo",
        "entry_kind": "team", "players_per_table": "4", "profile": "elimination",
    }  # fmt: skip
    assert "Pairs and teams need tables of four" in text(client.post("/desk/new/", given))
    given |= {"profile": "wdf", "step": "create"}
    assert client.post("/desk/new/", given).status_code == 302
    assert Tournament.objects.get(name="Café").entry_kind == "team"


# --- a player -------------------------------------------------------------------------------


def test_a_player_is_corrected_on_a_page(client, event, pair, text):
    player = pair.members.get(position=1).player
    page = text(client.get(f"/desk/nile/entries/{pair.number}/"))
    assert f"/desk/nile/players/{player.pk}/" in page
    assert 'value="Ahmed Ali"' in text(client.get(f"/desk/nile/players/{player.pk}/"))
    response = client.post(f"/desk/nile/players/{player.pk}/", WRITTEN, follow=True)
    assert "The player is saved." in text(response)
    player.refresh_from_db()
    assert (player.name, player.latin_name, player.number) == ("أحمد علي", "Ahmed Aly", "77")
    assert (player.club.name, player.country, player.folded_name) == ("Olive", "EG", "احمد علی")
    pair.refresh_from_db()
    assert pair.name == "أحمد علي / Omar"
    log = LogEntry.objects.get(act="player_corrected")
    assert (log.details["before"], log.details["name"]) == ("Ahmed Ali", "أحمد علي")
    assert "corrected the player Ahmed Ali: أحمد علي" in text(client.get("/desk/nile/log/"))


def test_a_name_of_its_own_stays_with_the_entry(event, pair):
    Entry.objects.update(name="Nile Falcons")
    player = pair.members.get(position=1).player
    correct_player(event, player, written=PlayerData("Ahmad Ali"), by=event.created_by)
    pair.refresh_from_db()
    assert pair.name == "Nile Falcons"


def test_a_number_of_somebody_else_is_refused_at_its_field(client, event, pair, text):
    PlayerFactory.create(name="Lina", number="77")
    player = pair.members.get(position=1).player
    response = client.post(f"/desk/nile/players/{player.pk}/", WRITTEN)
    assert response.status_code == 422
    assert "Federation number 77 belongs to Lina" in text(response)
    assert 'value="Ahmed Aly"' in text(response)
    player.refresh_from_db()
    assert player.name == "Ahmed Ali"


def test_only_a_director_of_an_event_with_the_player_corrects_it(client, event, pair):
    stranger = PlayerFactory.create()
    assert client.get(f"/desk/nile/players/{stranger.pk}/").status_code == 404
    with pytest.raises(PermissionDenied):
        correct_player(event, stranger, written=PlayerData("Eva"), by=event.created_by)
    other = TournamentFactory.create().created_by
    player = pair.members.get(position=1).player
    with pytest.raises(PermissionDenied):
        correct_player(event, player, written=PlayerData("Eva"), by=other)


def test_a_player_is_corrected_through_the_api(api, event, pair):
    player = pair.members.get(position=1).player
    answer = api.put(f"/api/desk/nile/players/{player.pk}/", WRITTEN)
    assert answer.json() == {
        "id": player.pk, "name": "أحمد علي", "latin_name": "Ahmed Aly", "country": "EG",
    }  # fmt: skip
    refused = api.put(f"/api/desk/nile/players/{player.pk}/", WRITTEN | {"country": "ZZ"})
    assert (refused.status_code, refused.json()["code"]) == (409, "bad_country")
    assert api.put("/api/desk/nile/players/0/", WRITTEN).status_code == 404


# --- a walkover -----------------------------------------------------------------------------


def test_a_table_is_closed_because_a_pair_is_absent(client, event, waiting, text):
    first, second = event.entries.order_by("number")
    url = f"/desk/nile/tables/{waiting.pk}/absent/"
    assert url in text(client.get("/desk/nile/tables/"))
    page = text(client.get(url))
    assert first.name in page
    assert second.name in page
    response = client.post(url, {"absent": [second.number]}, follow=True)
    assert "Table 1 is closed: won by those who were present." in text(response)
    waiting.refresh_from_db()
    assert waiting.state == Match.State.CLOSED
    outcomes = dict(waiting.seats.values_list("seat", "outcome"))
    assert outcomes["A"] == outcomes["C"] == "walkover_win"
    assert outcomes["B"] == outcomes["D"] == "walkover_loss"
    assert url not in text(client.get("/desk/nile/tables/"))


def test_nobody_chosen_closes_nothing(client, event, waiting, text):
    response = client.post(f"/desk/nile/tables/{waiting.pk}/absent/", {})
    assert response.status_code == 422
    assert "Nobody is chosen. Choose who did not appear." in text(response)
    waiting.refresh_from_db()
    assert waiting.state == Match.State.WAITING


def test_a_table_where_play_has_begun_has_nobody_absent(client, event, waiting, text):
    Match.objects.update(state=Match.State.PLAYING)
    url = f"/desk/nile/tables/{waiting.pk}/absent/"
    response = client.post(url, {"absent": [event.entries.first().number]})
    assert "Play has begun at table 1" in text(response)


def test_all_absent_is_told_so(client, event, waiting, text):
    url = f"/desk/nile/tables/{waiting.pk}/absent/"
    numbers = [entry.number for entry in event.entries.all()]
    response = client.post(url, {"absent": numbers}, follow=True)
    assert "Table 1 is closed: nobody was present." in text(response)


def test_a_walkover_through_the_api_is_done_once(api, event, waiting):
    url = f"/api/desk/nile/tables/{waiting.pk}/walkover/"
    number = event.entries.first().number
    for _ in range(2):
        answer = api.post(url, {"absent": [number]})
        assert answer.json() == {"id": waiting.pk, "table": 1, "state": "closed"}
    assert LogEntry.objects.filter(act="walkover").count() == 1
    refused = api.post(url, {"absent": [99]})
    assert (refused.status_code, refused.json()["code"]) == (409, "unknown_entry")
    assert api.post(url, {"absent": []}).status_code == 400
    api.force_authenticate(OfficialFactory.create(tournament=event, duty=Official.Duty.SCORER).user)
    assert api.post(url, {"absent": [number]}).status_code == 403
