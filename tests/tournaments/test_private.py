"""Situation 49: a private event is not there for anybody without a duty, at any address."""

from __future__ import annotations

import pytest
from django.urls import get_resolver, reverse
from rest_framework.test import APIClient

from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    StandingRowFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments import permissions
from tournaments.models import Tournament
from tournaments.services import registration
from tournaments.services.registration import RegistrationRules

pytestmark = pytest.mark.django_db


@pytest.fixture
def secret():
    tournament = TournamentFactory.create(
        slug="secret", name="Secret Cup", is_private=True, state=Tournament.State.RUNNING
    )
    EntryFactory.create(tournament=tournament, check_in_code="abcdefgh2345")
    match = MatchFactory.create(pairing_round__stage__tournament=tournament)
    StandingRowFactory.create(stage=match.pairing_round.stage, entry=tournament.entries.first())
    return tournament


def addresses_of_events():
    """Return every address of the site that names an event by its slug, or its tables."""
    match = MatchFactory._meta.model.objects.get()
    player = match.seats.first().player
    known = {
        "slug": "secret", "stage": 1, "number": 1, "pk": match.pk, "code": "abcdefgh2345",
        "kind": "standings", "form": "csv", "entry": 1, "keep": player.pk, "gone": player.pk,
        "round_number": 1, "table": 1, "event": 1, "match": match.pk,
    }  # fmt: skip
    found = {}
    for space in ("tournaments", "referee"):
        resolver = get_resolver().namespace_dict[space][1]
        for name, ways in resolver.reverse_dict.lists():
            names = ways[0][0][0][1]
            if not isinstance(name, str) or not {"slug", "pk", "code"} & set(names):
                continue
            if set(names) <= set(known):
                found[name] = reverse(f"{space}:{name}", kwargs={one: known[one] for one in names})
    return found


def test_situation_49_no_address_tells_a_stranger_of_a_private_event(client, secret):
    addresses = addresses_of_events()
    assert len(addresses) > 40
    client.force_login(UserFactory.create())
    told = {}
    for name, address in addresses.items():
        if name == "player":
            continue
        response = client.get(address)
        if response.status_code not in (404, 403, 405) or b"Secret" in response.content:
            told[name] = response.status_code
    assert told == {}


def test_situation_49_lists_and_searches_leave_a_private_event_out(client, secret):
    for address in ("/", "/?q=Secret", "/api/t/", "/api/schema/"):
        assert b"Secret Cup" not in client.get(address).content
        assert b"secret/" not in client.get(address).content


def test_situation_49_a_player_of_it_is_shown_without_it(client, secret):
    player = secret.entries.first().members.get(position=1).player
    response = client.get(f"/players/{player.pk}/")
    assert b"Secret Cup" not in response.content
    assert response.status_code in (200, 404)


def test_its_officials_see_it(client, secret):
    scorer = OfficialFactory.create(tournament=secret, duty="scorer").user
    client.force_login(scorer)
    assert client.get("/t/secret/").status_code == 200
    assert b"Secret Cup" in client.get("/").content
    assert client.get("/c/abcdefgh2345/").status_code == 200
    api = APIClient()
    api.force_authenticate(scorer)
    assert api.get("/api/t/secret/").status_code == 200
    assert secret in permissions.visible_tournaments(scorer)


def test_the_desk_hides_an_event_and_shows_it_again(client):
    tournament = TournamentFactory.create(slug="secret", name="Secret Cup")
    client.force_login(tournament.created_by)
    client.post("/desk/secret/registration/", {"form": "registration", "is_private": "on"})
    client.logout()
    assert client.get("/t/secret/").status_code == 404
    registration.set_registration(tournament, RegistrationRules(), by=tournament.created_by)
    assert client.get("/t/secret/").status_code == 200
