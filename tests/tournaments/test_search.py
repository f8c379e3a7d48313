"""Search: players, clubs and events in any script, and nothing a stranger may not know of."""

from __future__ import annotations

import pytest
from django.urls import reverse

from tests import factories
from tournaments.models import Club, Entry, Player, Tournament
from tournaments.queries.search import SHOWN

pytestmark = pytest.mark.django_db


def entered(name: str, *, latin_name: str = "", club: Club | None = None, **event) -> Player:
    """Return a player who is in an event."""
    tournament = factories.TournamentFactory.create(**{"state": Tournament.State.RUNNING} | event)
    entry = factories.EntryFactory.create(tournament=tournament)
    player = factories.PlayerFactory.create(name=name, latin_name=latin_name, club=club)
    factories.EntryPlayerFactory.create(entry=entry, player=player, position=9)
    return player


def asked(client, typed: str) -> dict:
    return client.get(reverse("tournaments:api_search"), {"q": typed}).json()


def names(found: list[dict]) -> list[str]:
    return [one["name"] for one in found]


@pytest.mark.parametrize(
    "typed", ["محمود", "محمود الشرقاوی", "mahmoud", "el sharqawi", "Elsharkawy", "شرقاوي محمود"]
)
def test_a_player_is_found_in_every_script_and_spelling(client, typed):
    entered("محمود الشرقاوي")
    entered("Winston Blackwood")
    assert names(asked(client, typed)["players"]) == ["محمود الشرقاوي"]


def test_accents_and_case_do_not_matter_and_the_name_as_typed_comes_first(client):
    entered("Joaquín Báez")
    entered("Joaquina Baezana")
    entered("يواكين باييز", latin_name="Joaquin Baez")
    found = names(asked(client, "joaquin baez")["players"])
    assert set(found) == {"Joaquín Báez", "Joaquina Baezana", "يواكين باييز"}
    assert found[-1] == "Joaquina Baezana"


def test_clubs_and_events_are_found(client):
    club = factories.ClubFactory.create(name="نادي ضفاف النيل")
    entered("Hala", club=club)
    factories.TournamentFactory.create(
        name="جام یاران تازه", city="Tehran", state=Tournament.State.OPEN
    )
    assert names(asked(client, "ضفاف")["clubs"]) == ["نادي ضفاف النيل"]
    assert names(asked(client, "tehran")["events"]) == ["جام یاران تازه"]
    assert names(asked(client, "yaran")["events"]) == ["جام یاران تازه"]


@pytest.mark.parametrize(
    "event", [{"is_private": True}, {"state": Tournament.State.DRAFT}], ids=["private", "draft"]
)
def test_what_a_stranger_may_not_know_of_is_not_found(client, event):
    club = factories.ClubFactory.create(name="Secret Club")
    player = entered("Secret Player", club=club, **event)
    tournament = Tournament.objects.get()
    Tournament.objects.update(name="Secret Event")
    found = asked(client, "secret")
    assert (found["events"], found["players"], found["clubs"]) == ([], [], [])
    assert client.get(reverse("tournaments:club", args=[club.pk])).status_code == 404
    assert client.get(reverse("tournaments:player", args=[player.pk])).status_code == 404
    client.force_login(factories.OfficialFactory.create(tournament=tournament).user)
    found = asked(client, "secret")
    assert names(found["players"]) == ["Secret Player"]
    assert names(found["clubs"]) == ["Secret Club"]
    assert names(found["events"]) == ["Secret Event"]
    assert client.get(reverse("tournaments:club", args=[club.pk])).status_code == 200


def test_who_waits_for_a_place_or_is_in_no_event_is_not_found(client):
    waiting = entered("Waiting Wendy")
    Entry.objects.filter(members__player=waiting).update(state=Entry.State.WAITING)
    factories.PlayerFactory.create(name="Nowhere Ned")
    assert asked(client, "w")["players"] == []


def test_the_page_says_what_was_found_or_that_nothing_was(client):
    player = entered("Nelson Paniagua")
    page = client.get(reverse("tournaments:search"), {"q": "nelson"}).content.decode()
    assert reverse("tournaments:player", args=[player.pk]) in page
    nothing = client.get(reverse("tournaments:search"), {"q": "<b>zzz</b>"}).content.decode()
    assert "Nothing is called" in nothing
    assert "<b>zzz</b>" not in nothing
    assert "Nothing is called" not in client.get(reverse("tournaments:search")).content.decode()


def test_more_than_are_shown_is_said(client):
    event = factories.TournamentFactory.create(state=Tournament.State.RUNNING)
    entry = factories.EntryFactory.create(tournament=event)
    for place in range(SHOWN + 1):
        player = factories.PlayerFactory.create(name=f"Zoran {place}")
        factories.EntryPlayerFactory.create(entry=entry, player=player, position=place + 5)
    found = asked(client, "zoran")
    assert (len(found["players"]), found["more"]) == (SHOWN, ["players"])
    page = client.get(reverse("tournaments:search"), {"q": "zoran"}).content.decode()
    assert "There are more" in page


@pytest.mark.parametrize("typed", ["", "   ", "★", "%", "_", "a" * 5000, "\u202e\u0000x", "٣"])
def test_whatever_is_typed_is_answered(client, typed):
    entered("Somebody")
    assert client.get(reverse("tournaments:search"), {"q": typed}).status_code == 200
    assert client.get(reverse("tournaments:api_search"), {"q": typed}).status_code == 200


def test_a_search_asks_the_same_number_of_queries_whatever_it_finds(
    client, django_assert_max_num_queries
):
    club = factories.ClubFactory.create(name="Ana")
    for _ in range(12):
        entered("Ana", club=club)
    with django_assert_max_num_queries(10):
        client.get(reverse("tournaments:search"), {"q": "ana"})
    with django_assert_max_num_queries(8):
        client.get(reverse("tournaments:club", args=[club.pk]))


def test_the_table_is_found_by_a_name_in_another_script(client):
    pairing_round = factories.PairingRoundFactory.create(stage__tournament__state="running")
    match = factories.MatchFactory.create(pairing_round=pairing_round, table=7)
    seat = match.seats.get(seat="A")
    seat.player.name = "محمود الشرقاوي"
    seat.player.save()
    stage = pairing_round.stage
    address = reverse(
        "tournaments:pairings", args=[stage.tournament.slug, stage.number, pairing_round.number]
    )
    sits = client.get(address, {"q": "sharqawi"}).content.decode()
    assert "محمود الشرقاوي" in sits
    assert "محمود الشرقاوي" not in client.get(address, {"q": "blackwood"}).content.decode()
