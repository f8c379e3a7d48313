"""Requests that make no sense: wrong methods, broken JSON, what is no country, no day, no name."""

from __future__ import annotations

import pytest
from django.urls import URLPattern
from rest_framework.test import APIClient

from tests.factories import EntryFactory, OrganizerFactory, TournamentFactory
from tournaments.errors import base as errors
from tournaments.models import Tournament
from tournaments.services import entries
from tournaments.services.entries import PlayerData
from tournaments.urls import desk as urls_desk

pytestmark = pytest.mark.django_db

NEW = {"name": "Nile Cup", "starts_on": "2026-12-04", "profile": "wdf"}
PARTS = {"slug": "nile", "number": 1, "stage": 1, "pk": 1}


@pytest.fixture
def api():
    client = APIClient()
    client.force_authenticate(OrganizerFactory.create())
    return client


def address(pattern: URLPattern) -> str:
    path = str(pattern.pattern)
    for name, value in PARTS.items():
        kind = "slug" if name == "slug" else "int"
        path = path.replace(f"<{kind}:{name}>", str(value))
    return "/" + path


PAGES = [address(one) for one in urls_desk.urlpatterns if "api/" not in str(one.pattern)]


@pytest.mark.parametrize("method", ["put", "patch", "delete"])
@pytest.mark.parametrize("url", PAGES)
def test_a_page_of_the_desk_is_looked_at_or_sent_and_nothing_else(client, event, url, method):
    EntryFactory.create(tournament=event)
    assert getattr(client, method)(url).status_code == 405


def test_a_method_an_address_does_not_have_is_refused_in_our_words(api):
    answer = api.delete("/api/desk/")
    assert answer.status_code == 405
    assert answer.json()["code"] == "method_not_allowed"
    assert answer.json()["message"] == (
        "DELETE does nothing at this address. Use one of these: GET, POST, HEAD, OPTIONS."
    )


@pytest.mark.parametrize(
    ("sent", "sentence"),
    [
        (b"{", "is no JSON: look at line 1, character 2."),
        (b'{"name": \xff}', "is no JSON. Send one JSON value as UTF-8 text."),
    ],
)
def test_what_is_no_json_is_refused_with_the_place(api, sent, sentence):
    answer = api.post("/api/desk/", sent, content_type="application/json")
    assert (answer.status_code, answer.json()["code"]) == (400, "parse_error")
    assert sentence in answer.json()["message"]


def test_another_kind_of_content_is_told_which_kinds_are_read(api):
    answer = api.post("/api/desk/", "<a/>", content_type="application/xml")
    assert (answer.status_code, answer.json()["code"]) == (415, "unsupported_media_type")
    assert answer.json()["message"].endswith("Send one of these: application/json.")


def test_a_wrong_password_is_told_so():
    client = APIClient(headers={"Authorization": "Basic cm9zYTp3cm9uZw=="})
    answer = client.get("/api/t/")
    assert answer.json()["code"] == "authentication_failed"
    assert answer.json()["message"].startswith("The user name or the password is wrong.")


def test_a_change_without_the_token_of_the_page_is_told_so():
    client = APIClient(enforce_csrf_checks=True)
    client.force_login(OrganizerFactory.create())
    answer = client.post("/api/desk/", NEW)
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert "no valid token" in answer.json()["message"]


@pytest.mark.parametrize("code", ["ZZ", "EU", "1A"])
def test_letters_that_are_no_country_are_refused(api, code):
    answer = api.post("/api/desk/", NEW | {"country": code})
    assert (answer.status_code, answer.json()["code"]) == (409, "bad_country")
    assert f"“{code}” is not the code of a country." in answer.json()["message"]
    with pytest.raises(errors.BadCountry):
        PlayerData("Rosa", country=code).tidied(1)


def test_a_country_in_small_letters_is_that_country(api):
    assert api.post("/api/desk/", NEW | {"country": "eg"}).status_code == 201
    assert Tournament.objects.get().country == "EG"


@pytest.mark.parametrize("day", ["٢٠٢٦-١٢-٠٤", "۲۰۲۶-۱۲-۰۴"])
def test_the_first_day_is_read_in_eastern_digits(api, client, event, day):
    assert api.post("/api/desk/", NEW | {"starts_on": day}).status_code == 201
    sent = {"name": "Nile Cup", "starts_on": day, "time_zone": "Africa/Cairo"}
    assert client.post("/desk/nile/details/", sent).status_code == 302
    days = {one.starts_on.isoformat() for one in Tournament.objects.all()}
    assert days == {"2026-12-04"}


@pytest.mark.parametrize(
    "players",
    [
        (PlayerData("🁣🁣"), PlayerData("Sami")),
        (PlayerData("Rosa", club="♥"), PlayerData("Sami")),
    ],
)
def test_a_name_of_signs_alone_is_refused_for_what_it_is(players):
    tournament = TournamentFactory.create()
    with pytest.raises(errors.NameWithoutLetters) as refused:
        entries.register(tournament, players=players, by=tournament.created_by)
    assert "it has neither a letter nor a digit" in str(refused.value)
    entry = EntryFactory.create(tournament=tournament)
    with pytest.raises(errors.NameWithoutLetters):
        entries.change_entry(entry, club="♥", by=tournament.created_by)
