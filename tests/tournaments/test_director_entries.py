"""Entries and officials on the director's pages."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from tests.factories import (
    ClubFactory,
    EntryFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.models import Entry, Official

pytestmark = pytest.mark.django_db


def test_a_pair_is_added_by_hand(client, event, text):
    given = {"player1": "Rosa Paz", "player2": "Ana Ruiz", "club": "Sol", "seed": "٣"}
    response = client.post("/desk/nile/entries/", given, follow=True)
    entry = event.entries.get()
    assert (entry.name, entry.club.name, entry.seed) == ("Rosa Paz / Ana Ruiz", "Sol", 3)
    assert "Entry 1, “Rosa Paz / Ana Ruiz”, is registered." in text(response)


def test_the_same_pair_twice_is_refused_with_its_entry(client, event, text):
    given = {"player1": "Rosa Paz", "player2": "Ana Ruiz"}
    client.post("/desk/nile/entries/", given)
    response = client.post("/desk/nile/entries/", given)
    assert response.status_code == 422
    assert "Rosa Paz is already registered, in entry 1" in text(response)
    assert 'value="Ana Ruiz"' in text(response)
    assert event.entries.count() == 1


def test_a_missing_partner_is_named_at_its_field(client, event, text):
    response = client.post("/desk/nile/entries/", {"player1": "Rosa Paz"})
    assert response.status_code == 422
    assert "Player 2: The name is missing." in text(response).replace("</a>", "")
    assert 'value="Rosa Paz"' in text(response)


def test_clubs_are_suggested(client, event, text):
    ClubFactory.create(name="نادي النيل")
    assert '<option value="نادي النيل">' in text(client.get("/desk/nile/entries/"))


def test_an_entry_among_many_is_found_by_a_part_of_its_name_or_its_number(client, event, text):
    EntryFactory.create_batch(21, tournament=event)
    EntryFactory.create(tournament=event, name="أحمد علي / محمد حسن")
    page = text(client.get("/desk/nile/entries/", {"q": "احمد"}))
    assert "أحمد علي" in page
    assert "Entry 3" not in page
    assert "Entry 3" in text(client.get("/desk/nile/entries/", {"q": "٣"}))
    assert "Nobody found." in text(client.get("/desk/nile/entries/", {"q": "nobody"}))


def test_many_entries_are_shown_page_by_page(client, event, text):
    EntryFactory.create_batch(101, tournament=event, players=[])
    assert "Entry 101" not in text(client.get("/desk/nile/entries/"))
    assert "Entry 101" in text(client.get("/desk/nile/entries/", {"page": "2"}))


def test_single_players_have_one_name(client, organizer, text):
    TournamentFactory.create(
        created_by=organizer, slug="solo", entry_kind="single", players_per_table=2
    )
    page = text(client.get("/desk/solo/entries/"))
    assert "player2" not in page
    client.post("/desk/solo/entries/", {"player1": "Rosa"})
    assert Entry.objects.get().name == "Rosa"


def test_an_entry_is_corrected(client, event):
    EntryFactory.create(tournament=event)
    client.post("/desk/nile/entries/1/", {"name": "The Foxes", "club": "Sol", "seed": "9"})
    entry = event.entries.get()
    assert (entry.name, entry.seed) == ("The Foxes", 9)


def test_a_withdrawal_is_asked_about_first_and_can_be_taken_back(client, event, text):
    EntryFactory.create(tournament=event)
    assert "plays no further round" in text(client.get("/desk/nile/entries/1/withdraw/"))
    assert event.entries.get().state == Entry.State.REGISTERED
    for _ in range(2):
        client.post("/desk/nile/entries/1/withdraw/")
    assert event.entries.get().state == Entry.State.WITHDRAWN
    client.post("/desk/nile/entries/1/reinstate/")
    assert event.entries.get().state == Entry.State.REGISTERED


def test_an_entry_made_by_mistake_is_removed_once(client, event):
    EntryFactory.create(tournament=event)
    for _ in range(2):
        assert client.post("/desk/nile/entries/1/remove/").status_code == 302
    assert not event.entries.exists()


def test_after_the_start_nobody_is_added(client, event, text, running):
    running(event)
    response = client.post("/desk/nile/entries/", {"player1": "Rosa Paz", "player2": "Ana Ruiz"})
    assert response.status_code == 422
    assert "Registration for Nile Cup is closed" in text(response)


def test_a_duty_is_given_by_user_name_and_taken_away(client, event):
    UserFactory.create(username="omar")
    for _ in range(2):
        client.post("/desk/nile/officials/", {"username": "omar", "duty": "scorer", "table": "٢"})
    official = event.officials.get(user__username="omar")
    assert (official.duty, official.table) == ("scorer", 2)
    for _ in range(2):
        client.post(f"/desk/nile/officials/{official.pk}/remove/")
    assert not event.officials.filter(user__username="omar").exists()


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"username": "nobody", "duty": "referee"}, "Nobody signs in as “nobody”."),
        ({"username": "omar", "duty": "referee", "table": "2"}, "Only a scorer is bound to a"),
        ({"username": "", "duty": "referee"}, "The user name is missing. Write it."),
    ],
)
def test_a_duty_that_cannot_be_given_says_why(client, event, given, sentence, text):
    UserFactory.create(username="omar")
    response = client.post("/desk/nile/officials/", given)
    assert response.status_code == 422
    assert sentence in text(response)


def test_the_last_director_stays(client, event, text):
    official = event.officials.get()
    response = client.post(f"/desk/nile/officials/{official.pk}/remove/")
    assert response.status_code == 422
    assert "is the only director of Nile Cup" in text(response)


def test_a_new_account_shows_its_password_once(client, event, text):
    given = {"username": "omar", "full_name": "Omar Said", "duty": "referee"}
    page = client.post("/desk/nile/officials/account/", given, follow=True)
    account = User.objects.get(username="omar")
    password = page.context["new_account"]["password"]
    assert account.check_password(password)
    assert password in text(page)
    assert password not in text(client.get("/desk/nile/officials/"))
    assert event.officials.filter(user=account, duty=Official.Duty.REFEREE).exists()


def test_the_account_form_sent_twice_still_shows_the_password(client, event):
    given = {"username": "omar", "duty": "referee"}
    client.post("/desk/nile/officials/account/", given)
    page = client.post("/desk/nile/officials/account/", given, follow=True)
    assert User.objects.get(username="omar").check_password(page.context["new_account"]["password"])


@pytest.mark.parametrize(
    ("username", "sentence"),
    [
        ("Taken", "Somebody already signs in as “Taken”."),
        ("two words", "“two words” cannot be a user name."),
    ],
)
def test_an_account_that_cannot_be_made_says_why(client, event, username, sentence, text):
    UserFactory.create(username="taken")
    given = {"username": username, "duty": "referee"}
    response = client.post("/desk/nile/officials/account/", given)
    assert response.status_code == 422
    assert sentence in text(response)
