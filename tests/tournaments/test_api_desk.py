"""The director's API: the same acts and the same refusals as the pages of the desk."""

from __future__ import annotations

import base64

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from tests.factories import EntryFactory, OrganizerFactory, TournamentFactory, UserFactory
from tournaments.models import Entry, Official, PairingRound, Tournament

pytestmark = pytest.mark.django_db

NEW = {
    "name": "Nile Cup", "starts_on": "2026-12-04", "time_zone": "Africa/Cairo", "country": "EG",
    "profile": "domna", "target": 120, "options": {"round_to": 5},
}  # fmt: skip
PAIR = {"players": [{"name": "Rosa Paz", "club": "Sol"}, {"name": "Ana Ruiz", "club": "Sol"}]}


@pytest.fixture
def api():
    return APIClient()


@pytest.fixture
def event(api):
    user = OrganizerFactory.create()
    api.force_authenticate(user)
    return TournamentFactory.create(created_by=user, slug="nile", name="Nile Cup")


def test_an_event_is_created_with_its_rules(api):
    api.force_authenticate(OrganizerFactory.create())
    answer = api.post("/api/desk/", NEW)
    assert answer.status_code == 201
    event = Tournament.objects.get(slug=answer.json()["slug"])
    assert event.rules["target"] == 120
    assert event.rules["options"]["round_to"] == 5
    assert [one["slug"] for one in api.get("/api/desk/").json()] == [event.slug]


def test_fields_that_are_wrong_are_named(api):
    api.force_authenticate(OrganizerFactory.create())
    answer = api.post("/api/desk/", NEW | {"starts_on": "soon", "profile": "chess"})
    assert answer.status_code == 400
    assert {one["field"] for one in answer.json()["errors"]} == {"starts_on", "profile"}


def test_a_refusal_has_a_code_and_a_sentence(api):
    api.force_authenticate(OrganizerFactory.create())
    answer = api.post("/api/desk/", NEW | {"time_zone": "Atlantis"})
    assert answer.status_code == 409
    assert answer.json()["code"] == "unknown_time_zone"
    assert "Atlantis" in answer.json()["message"]


def test_an_unknown_option_is_refused(api):
    api.force_authenticate(OrganizerFactory.create())
    answer = api.post("/api/desk/", NEW | {"options": {"colour": "red"}})
    assert answer.status_code == 400
    assert answer.json()["code"] == "bad_record"


def test_an_event_runs_through_the_api(api, event):
    for players in (["Rosa", "Ana"], ["Eva", "Pia"], ["Ida", "Lea"]):
        given = {"players": [{"name": name} for name in players]}
        assert api.post("/api/desk/nile/entries/", given).status_code == 201
    assert api.post("/api/desk/nile/start/").json()["state"] == "running"
    stage = api.post("/api/desk/nile/stages/", {"system": "round_robin"}).json()
    assert len(stage["rounds"]) == 3
    published = api.post("/api/desk/nile/stages/1/rounds/1/publish/", {})
    assert published.json() == {"stage": 1, "number": 1, "state": "published"}
    refused = api.post("/api/desk/nile/finish/")
    assert (refused.status_code, refused.json()["code"]) == (409, "tables_still_open")


def test_a_round_is_seated_by_hand(api, event):
    EntryFactory.create_batch(3, tournament=event)
    api.post("/api/desk/nile/start/")
    api.post("/api/desk/nile/stages/", {"system": "manual"})
    given = {"tables": [{"table": 1, "entries": [3, 1]}], "byes": [2]}
    answer = api.put("/api/desk/nile/stages/1/rounds/1/", given)
    assert answer.json()["state"] == "draft"
    assert PairingRound.objects.get().byes.get().entry.number == 2
    wrong = api.put("/api/desk/nile/stages/1/rounds/1/", {"tables": [{"table": 1}]})
    assert wrong.status_code == 400
    assert api.delete("/api/desk/nile/stages/1/").status_code == 204


def test_an_entry_is_corrected_withdrawn_and_let_back(api, event):
    api.post("/api/desk/nile/entries/", PAIR)
    assert api.post("/api/desk/nile/entries/", PAIR).json()["code"] == "already_entered"
    changed = api.patch("/api/desk/nile/entries/1/", {"name": "The Foxes"})
    assert (changed.json()["name"], changed.json()["club"]) == ("The Foxes", "Sol")
    assert api.post("/api/desk/nile/entries/1/withdraw/").json()["state"] == "withdrawn"
    assert api.post("/api/desk/nile/entries/1/reinstate/").json()["state"] == "registered"
    assert api.delete("/api/desk/nile/entries/1/").status_code == 204
    assert api.delete("/api/desk/nile/entries/1/").status_code == 404


def test_a_file_is_looked_at_then_imported_and_doubles_nobody(api, event):
    content = "اللاعب 1,اللاعب 2\nأحمد علي,محمد حسن\n".encode("cp1256")
    for expected in ({"new": 1, "unchanged": 0}, {"new": 0, "unchanged": 1}):
        file = SimpleUploadedFile("pairs.csv", content)
        seen = api.post("/api/desk/nile/import/preview/", {"file": file}, format="multipart").json()
        assert seen["encoding"] == "windows-1256"
        assert seen["rows"][0]["players"] == ["أحمد علي", "محمد حسن"]
        done = api.post("/api/desk/nile/import/", {"list": seen["list"]})
        assert done.json() == expected | {"left_out": 0}
    assert Entry.objects.count() == 1


def test_a_wrong_line_is_told_and_nothing_is_stored(api, event):
    sent = {"text": "Player 1,Player 2\nRosa,\nEva,Pia"}
    seen = api.post("/api/desk/nile/import/preview/", sent).json()
    assert [row["status"] for row in seen["rows"]] == ["wrong", "new"]
    assert seen["rows"][0]["problems"][0]["code"] == "one_player"
    refused = api.post("/api/desk/nile/import/", {"list": seen["list"]})
    assert (refused.status_code, refused.json()["code"]) == (409, "lines_are_wrong")
    assert not Entry.objects.exists()
    done = api.post("/api/desk/nile/import/", {"list": seen["list"], "leave_out": True})
    assert done.json() == {"new": 1, "unchanged": 0, "left_out": 1}


def test_without_a_list_there_is_nothing_to_look_at(api, event):
    answer = api.post("/api/desk/nile/import/preview/", {})
    assert (answer.status_code, answer.json()["code"]) == (409, "list_missing")


def test_officials_are_named_and_taken_away(api, event):
    UserFactory.create(username="omar")
    added = api.post("/api/desk/nile/officials/", {"username": "omar", "duty": "referee"}).json()
    assert [one["username"] for one in api.get("/api/desk/nile/officials/").json()][1:] == ["omar"]
    for _ in range(2):
        assert api.delete(f"/api/desk/nile/officials/{added['id']}/").status_code == 204
    made = api.post("/api/desk/nile/accounts/", {"username": "hoda", "duty": "scorer"})
    account = Official.objects.get(user__username="hoda").user
    assert account.check_password(made.json()["password"])


def test_details_and_rules_are_changed(api, event):
    given = {"name": "Delta Cup", "starts_on": "2026-12-05", "time_zone": "Africa/Cairo"}
    assert api.put("/api/desk/nile/details/", given).json()["name"] == "Delta Cup"
    changed = api.put("/api/desk/nile/rules/", {"profile": "femundo"}).json()
    assert changed["rules"]["profile"] == "femundo"
    assert api.post("/api/desk/nile/open/").json()["state"] == "open"


CHANGES = [
    ("post", "open/"), ("post", "start/"), ("post", "finish/"), ("post", "entries/"),
    ("patch", "entries/1/"), ("delete", "entries/1/"), ("post", "entries/1/withdraw/"),
    ("post", "entries/1/reinstate/"), ("post", "import/preview/"), ("post", "import/"),
    ("get", "officials/"), ("post", "officials/"), ("delete", "officials/1/"),
    ("post", "accounts/"), ("post", "stages/"), ("delete", "stages/1/"),
    ("put", "stages/1/rounds/1/"), ("post", "stages/1/rounds/1/publish/"),
    ("put", "details/"), ("put", "rules/"),
]  # fmt: skip
WHOLE = PAIR | NEW | {
    "username": "omar", "duty": "referee", "system": "manual", "tables": [], "text": "Rosa / Ana",
    "list": "x",
}  # fmt: skip


@pytest.mark.parametrize(("method", "address"), CHANGES)
def test_a_stranger_is_refused_everywhere(api, event, method, address):
    EntryFactory.create(tournament=event)
    for user, statuses in ((UserFactory.create(), {403}), (None, {401, 403})):
        api.force_authenticate(user)
        given = {key: value for key, value in WHOLE.items() if key != "name"}
        answer = getattr(api, method)(f"/api/desk/nile/{address}", given | {"name": "Nile"})
        assert answer.status_code in statuses
        assert set(answer.json()) == {"code", "message"}
    event.refresh_from_db()
    assert event.entries.get().state == Entry.State.REGISTERED
    assert event.officials.count() == 1


def test_an_event_in_preparation_is_not_there_for_a_stranger(api, event):
    event.state = Tournament.State.DRAFT
    event.save()
    api.force_authenticate(UserFactory.create())
    assert api.post("/api/desk/nile/start/").status_code == 404


def test_a_table_no_hall_has_is_refused(api, event):
    UserFactory.create(username="huda")
    for table in (10_000, 2**31 - 1):
        answer = api.post(
            "/api/desk/nile/officials/", {"username": "huda", "duty": "scorer", "table": table}
        )
        assert answer.status_code == 409
        assert answer.json()["code"] == "bad_table_number"


def test_a_name_no_database_can_hold_is_nobodys(api):
    api.credentials(HTTP_AUTHORIZATION="Basic " + base64.b64encode(b"ro\0sa:secret").decode())
    answer = api.get("/api/t/")
    assert answer.status_code == 403
    assert answer.json()["code"] == "authentication_failed"
