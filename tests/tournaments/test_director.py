"""The director's desk through its pages: a new event, who may what, rules, the log."""

from __future__ import annotations

from datetime import date

import pytest

from tests.factories import (
    PASSWORD,
    OfficialFactory,
    OrganizerFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.models import LogEntry, PairingRound, Tournament
from tournaments.words.log import SENTENCES

pytestmark = pytest.mark.django_db

NEW = {
    "name": "Nile Cup",
    "starts_on": "2026-12-04",
    "time_zone": "Africa/Cairo",
    "city": "Cairo",
    "country": "EG",
    "entry_kind": "pair",
    "players_per_table": "4",
    "profile": "wdf",
    "target": "150",
}


def test_the_rules_are_shown_in_words_before_anything_is_created(client, organizer, text):
    response = client.post("/desk/new/", NEW | {"step": "check"})
    assert response.status_code == 200
    assert "The first side to reach 150 points wins the match." in text(response)
    assert not Tournament.objects.exists()


def test_an_event_is_created_and_its_desk_says_what_is_next(client, organizer, text):
    response = client.post("/desk/new/", NEW | {"step": "create"}, follow=True)
    event = Tournament.objects.get()
    assert (event.starts_on, event.time_zone) == (date(2026, 12, 4), "Africa/Cairo")
    assert (event.rules["profile"], event.rules["target"]) == ("wdf", 150)
    assert "Nobody is entered yet." in text(response)
    assert "Add entries" in text(response)


def test_the_creation_sent_twice_makes_one_event(client, organizer):
    for _ in range(2):
        response = client.post("/desk/new/", NEW | {"step": "create"}, follow=True)
        assert response.status_code == 200
    assert Tournament.objects.count() == 1


def test_what_was_typed_can_be_changed_after_the_rules_were_shown(client, organizer, text):
    response = client.post("/desk/new/", NEW | {"step": "change"})
    assert 'value="Nile Cup"' in text(response)
    assert not Tournament.objects.exists()


def test_the_place_is_shown_whole_before_anything_is_created(client, organizer, text):
    page = text(client.post("/desk/new/", NEW | {"venue": "Sea Hall", "step": "check"}))
    for label, value in (("Venue", "Sea Hall"), ("City", "Cairo")):
        assert f"<dt>{label}</dt><dd><bdi>{value}</bdi></dd>" in page
    assert "<dt>Country</dt><dd>Egypt</dd>" in page
    assert "<dt>Venue</dt>" not in text(client.post("/desk/new/", NEW | {"step": "check"}))


def test_any_target_and_every_variation_can_be_chosen(client, organizer):
    more = {"target": "other", "own_target": "١٢٥", "option_round_to": "5", "step": "create"}
    client.post("/desk/new/", NEW | more)
    rules = Tournament.objects.get().rules
    assert rules["target"] == 125
    assert rules["options"]["round_to"] == 5


def test_a_city_is_enough_for_the_time_zone(client, organizer):
    client.post("/desk/new/", NEW | {"time_zone": "tehran", "step": "create"})
    assert Tournament.objects.get().time_zone == "Asia/Tehran"


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": ""}, "The event has no name. Enter one."),
        ({"starts_on": "soon"}, "This is not a day. Choose it, or write it like 2026-11-30."),
        ({"time_zone": "Atlantis"}, "“Atlantis” is not a time zone."),
        ({"target": "other"}, "Enter the number of points of the target."),
        ({"target": "other", "own_target": "many"}, "The target is a whole number of points"),
        ({"players_per_table": "3"}, "These rules are not played by 3 at a table."),
        ({"players_per_table": "2"}, "Pairs and teams need tables of four with partners"),
        ({"profile": "elimination"}, "Pairs and teams need tables of four with partners"),
    ],
)
def test_what_is_wrong_is_said_and_what_was_typed_stays(client, organizer, wrong, sentence, text):
    response = client.post("/desk/new/", NEW | {"step": "create"} | wrong)
    assert response.status_code == 422
    assert sentence in text(response)
    assert 'value="Cairo"' in text(response)
    assert not Tournament.objects.exists()


def test_only_organizers_set_up_events(client):
    client.force_login(UserFactory.create())
    assert client.get("/desk/new/").status_code == 403
    assert client.post("/desk/new/", NEW | {"step": "create"}).status_code == 403
    assert not Tournament.objects.exists()


PAGES = (
    "", "details/", "rules/", "log/", "entries/", "entries/import/", "entries/1/",
    "entries/1/withdraw/", "entries/1/reinstate/", "entries/1/remove/", "officials/",
    "pairings/", "pairings/1/seat/", "pairings/1/1/", "pairings/1/1/seat/", "tables/",
)  # fmt: skip
CHANGES = (
    "details/", "rules/", "open/", "start/", "finish/", "entries/", "entries/import/",
    "entries/1/", "entries/1/withdraw/", "entries/1/reinstate/", "entries/1/remove/",
    "officials/", "officials/account/", "officials/1/remove/", "pairings/round-robin/",
    "pairings/by-hand/", "pairings/1/seat/", "pairings/1/discard/", "pairings/1/1/publish/",
)  # fmt: skip


@pytest.fixture
def whole(event, running):
    """An event with something at every address."""
    running(event)
    stage = StageFactory.create(tournament=event)
    PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    return event


@pytest.mark.parametrize("page", PAGES)
def test_every_page_opens_for_its_director(client, whole, page):
    assert client.get(f"/desk/nile/{page}").status_code == 200


@pytest.mark.parametrize("page", PAGES)
def test_no_page_opens_for_a_stranger_or_the_referee(client, whole, page):
    for user in (UserFactory.create(), OfficialFactory.create(tournament=whole).user):
        client.force_login(user)
        assert client.get(f"/desk/nile/{page}").status_code == 403
    client.logout()
    response = client.get(f"/desk/nile/{page}")
    assert response.status_code == 302
    assert response.url.startswith("/login/")


@pytest.mark.parametrize("page", CHANGES)
def test_no_stranger_changes_anything(client, whole, page):
    client.force_login(UserFactory.create())
    before = LogEntry.objects.count()
    assert client.post(f"/desk/nile/{page}", {"name": "x"}).status_code == 403
    assert LogEntry.objects.count() == before


def test_an_event_in_preparation_does_not_exist_for_strangers(client, event):
    event.state = Tournament.State.DRAFT
    event.save()
    client.force_login(UserFactory.create())
    assert client.get("/desk/nile/").status_code == 404


def test_my_desk_lists_my_events_only(client, event, text):
    TournamentFactory.create(name="Somebody else's")
    page = text(client.get("/desk/"))
    assert "Nile Cup" in page
    assert "Somebody else's" not in page


def test_details_are_corrected(client, event):
    given = {"name": "Delta Cup", "starts_on": "2026-12-05", "time_zone": "Africa/Cairo"}
    assert client.post("/desk/nile/details/", given).status_code == 302
    event.refresh_from_db()
    assert event.name == "Delta Cup"


def test_rules_are_shown_in_words_before_they_change(client, event, text):
    given = {key: NEW[key] for key in ("entry_kind", "players_per_table")} | {"profile": "domna"}
    page = client.post("/desk/nile/rules/", given | {"step": "check"})
    assert "opened by the winner of the round before" in text(page)
    event.refresh_from_db()
    assert event.rules["profile"] == "wdf"
    client.post("/desk/nile/rules/", given | {"step": "save"})
    event.refresh_from_db()
    assert event.rules["profile"] == "domna"


def test_rules_of_a_published_event_stay(client, event, text):
    PairingRoundFactory.create(stage__tournament=event)
    given = {key: NEW[key] for key in ("entry_kind", "players_per_table")} | {"profile": "domna"}
    response = client.post("/desk/nile/rules/", given | {"step": "save"})
    assert response.status_code == 422
    assert "The rules of Nile Cup cannot change any more" in text(response)


def test_every_act_of_a_day_is_told_in_a_sentence(client, event, text):
    client.post("/desk/nile/entries/", {"player1": "Rosa Paz", "player2": "Ana Ruiz"})
    client.post("/desk/nile/entries/", {"player1": "Eva Gil", "player2": "Pia Roa"})
    client.post("/desk/nile/start/")
    client.post("/desk/nile/pairings/round-robin/")
    client.post("/desk/nile/pairings/1/1/publish/")
    client.post("/desk/nile/entries/1/withdraw/")
    acts = set(event.log.values_list("act", flat=True))
    assert acts <= set(SENTENCES)
    who = event.created_by.username
    page = text(client.get("/desk/nile/log/"))
    assert f"{who} registered entry 1, Rosa Paz / Ana Ruiz" in page
    assert f"{who} published round 1 of Round robin" in page
    assert f"{who} withdrew entry 1, Rosa Paz / Ana Ruiz" in page


def test_signing_in_leads_back_to_the_desk(client, event):
    client.logout()
    event.created_by.username = "laila"
    event.created_by.save()
    response = client.post("/login/?next=/desk/nile/", {"username": "laila", "password": PASSWORD})
    assert response.url == "/desk/nile/"


def signed_in(client, user):
    """Sign in from no page in particular and return the address that opens."""
    given = {"username": user.username, "password": PASSWORD, "next": ""}
    return client.post("/login/", given).url


def test_a_director_and_an_organizer_land_on_the_desk(client, event):
    client.logout()
    director = OfficialFactory.create(tournament=event, duty="director").user
    for user in (director, OrganizerFactory.create()):
        assert signed_in(client, user) == "/desk/"
        assert 'href="/desk/"' in client.get("/").content.decode()
        client.logout()


def test_a_referee_lands_on_the_tables_of_the_one_event(client, event):
    client.logout()
    referee = OfficialFactory.create(tournament=event).user
    over = TournamentFactory.create(state=Tournament.State.FINISHED)
    OfficialFactory.create(tournament=over, user=referee)
    assert signed_in(client, referee) == "/tables/nile/"
    assert 'href="/desk/"' not in client.get("/").content.decode()


def test_everybody_else_lands_on_the_events(client, event):
    client.logout()
    referee = OfficialFactory.create(tournament=event).user
    OfficialFactory.create(user=referee)
    assert signed_in(client, referee) == "/"
    client.logout()
    referee.duties.all().delete()
    assert signed_in(client, referee) == "/"
    assert 'href="/desk/"' not in client.get("/").content.decode()
    client.logout()
    assert 'href="/login/"' in client.get("/").content.decode()
