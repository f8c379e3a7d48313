"""Pages and API of who plays: settings, late entries, absences, substitutes, two scripts."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.factories import EntryFactory, PlayerFactory, TournamentFactory
from tests.tournaments.test_attendance import played, swiss
from tournaments.models import Absence, Entry, Tournament
from tournaments.services import draws

pytestmark = pytest.mark.django_db

PAIR = {"player1": "Rosa Haddad", "player2": "Sami Nasser", "club": "Olive"}


@pytest.fixture
def stage(client):
    """A Swiss stage of five rounds whose first is played; its director is signed in."""
    found = swiss(pairs=6, rounds=5)
    Tournament.objects.filter(pk=found.tournament_id).update(slug="nile")
    found.tournament.refresh_from_db()
    played(found, 1)
    client.force_login(found.tournament.created_by)
    return found


@pytest.fixture
def api(stage):
    client = APIClient()
    client.force_authenticate(stage.tournament.created_by)
    return client


# --- settings -------------------------------------------------------------------------------


def test_registration_is_set_on_the_clock_of_the_event(client, event, text):
    given = {
        "form": "registration", "opens_at": "2026-04-01T10:00", "closes_at": "2026-04-20T18:00",
        "most_entries": "٦٤", "categories": "Women\nJuniors\nWomen",
    }  # fmt: skip
    assert client.post("/desk/nile/registration/", given).status_code == 302
    event.refresh_from_db()
    assert event.entries_open_at.isoformat() == "2026-04-01T08:00:00+00:00"
    assert (event.most_entries, event.policies["categories"]) == (64, ["Women", "Juniors"])
    page = text(client.get("/desk/nile/registration/"))
    assert 'value="2026-04-20T18:00"' in page
    assert "(Africa/Cairo)" in page or "Registration is closed." in page


def test_what_is_wrong_in_the_settings_is_said_and_kept(client, event, text):
    given = {
        "form": "registration", "opens_at": "2026-04-20T10:00", "closes_at": "2026-04-01T10:00",
    }  # fmt: skip
    response = client.post("/desk/nile/registration/", given)
    assert response.status_code == 422
    assert "before it opens on" in text(response)
    assert 'value="2026-04-20T10:00"' in text(response)
    response = client.post("/desk/nile/registration/", {"form": "registration", "opens_at": "soon"})
    assert "This is no day and time." in text(response)


def test_what_is_missed_is_set_and_said_in_words(client, stage, text):
    page = text(client.get("/desk/nile/registration/"))
    assert "0 points for, 100 against, no win" in page
    assert "Late entries to Swiss system: until round 3 is drawn." in page
    given = {
        "form": "policies", "policies-excused_for": "50", "policies-excused_against": "50",
        "policies-late": "until", "policies-late_until": "4", "policies-most_excused": "1",
    }  # fmt: skip
    assert client.post("/desk/nile/registration/", given).status_code == 302
    page = text(client.get("/desk/nile/registration/"))
    assert "50 points for, 50 against, no win" in page
    assert "until round 4 is drawn" in page
    policies = Tournament.objects.get(slug="nile").policies
    assert policies["absences"] == {"excused": [50, 50]}
    assert "bye" not in policies
    half = {"form": "policies", "policies-bye_for": "50", "policies-late": "until"}
    wrong = text(client.post("/desk/nile/registration/", half))
    assert "Fill in both numbers, or leave both empty." in wrong
    assert "The round is missing. Write its number." in wrong


# --- late entries, absences, substitutes -----------------------------------------------------


def test_a_late_entry_is_made_where_entries_are_made(client, stage, text):
    page = text(client.get("/desk/nile/entries/"))
    assert "Late entries to Swiss system: until round 3 is drawn." in page
    assert "Each round before counts 0 points for and 100 against, and is no win." in page
    client.post("/desk/nile/entries/", PAIR | {"here": "on"})
    entry = stage.tournament.entries.get(number=7)
    assert stage.stage_entries.get(entry=entry).from_round == 2
    assert entry.checked_in_at is not None
    assert Absence.objects.get(entry=entry).kind == "late"


def test_an_entry_that_waited_joins_a_running_stage_from_its_page(client, stage, text):
    entry = EntryFactory.create(tournament=stage.tournament, state=Entry.State.WAITING)
    assert "Let it play in “Swiss system”" in text(client.get("/desk/nile/entries/7/"))
    done = text(client.post("/desk/nile/entries/7/join/1/", follow=True))
    assert f"“{entry.name}” plays in Swiss system from round 2 on." in done
    entry.refresh_from_db()
    assert entry.state == "registered"


def test_when_late_entries_are_over_the_page_says_so(client, stage, text):
    played(stage, 2, 3)
    page = text(client.get("/desk/nile/entries/"))
    assert "Swiss system takes no more entries." in page
    assert "id_player1" not in page


def test_absences_are_noted_changed_and_taken_back_on_a_page(client, stage, text):
    given = {"entry": "3", "number": "2", "kind": "absent"}
    assert client.post("/desk/nile/absences/1/", given).status_code == 302
    absence = Absence.objects.get()
    client.post(f"/desk/nile/absences/change/{absence.pk}/", {"kind": "excused"})
    assert Absence.objects.get().kind == "excused"
    page = text(client.get("/desk/nile/absences/1/"))
    assert "Noted absences" in page
    client.post(f"/desk/nile/absences/change/{absence.pk}/", {"kind": ""})
    assert not Absence.objects.exists()
    wrong = client.post("/desk/nile/absences/1/", given | {"number": "9"})
    assert wrong.status_code == 422
    assert "from 1 to 5" in text(wrong)


def test_a_substitute_is_added_and_put_in_on_a_page(client, stage, text):
    drawn = draws.draw_round(stage, number=2, by=stage.tournament.created_by)
    entry = stage.tournament.entries.get(number=1)
    client.post("/desk/nile/entries/1/substitutes/", {"form": "add", "name": "Lina Aziz"})
    lina = entry.members.get(on_bench=True).player
    out = entry.members.get(position=1).player
    given = {"form": "change", "out": out.pk, "into": lina.pk, "number": "2"}
    assert client.post("/desk/nile/entries/1/substitutes/", given).status_code == 302
    seats = entry.seats.filter(pairing_round=drawn)
    assert not seats.exists() or seats.filter(player=lina).exists()
    assert "On the bench" in text(client.get("/desk/nile/entries/1/substitutes/"))
    wrong = client.post("/desk/nile/entries/1/substitutes/", {"form": "add", "name": "—"})
    assert wrong.status_code == 422


# --- the API --------------------------------------------------------------------------------


def test_the_api_does_what_the_pages_do(api, stage):
    desk = "/api/desk/nile/"
    assert api.post(f"{desk}entries/1/check-in/").json()["checked_in_at"]
    assert api.delete(f"{desk}entries/1/check-in/").json()["checked_in_at"] is None
    assert api.put(f"{desk}entries/1/paid/", {"paid": True}, format="json").json()["paid"]
    assert len(api.get(f"{desk}check-in/").json()) == 6
    assert api.get(f"{desk}absent/").json() == []
    refused = api.post(f"{desk}absent/", {"count": 0}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "nobody_is_missing")
    players = [{"name": "Rosa Haddad"}, {"name": "Sami Nasser"}]
    late = api.post(f"{desk}stages/1/late/", {"players": players}, format="json")
    assert (late.status_code, late.json()["number"]) == (201, 7)
    absence = f"{desk}stages/1/rounds/2/absences/7/"
    assert api.put(absence, {"kind": "excused"}, format="json").json() == {"kind": "excused"}
    assert api.delete(absence).status_code == 204
    bench = api.post(f"{desk}entries/7/substitutes/", {"name": "Lina Aziz"}, format="json").json()
    out = stage.tournament.entries.get(number=7).members.get(position=1).player_id
    given = {"out": out, "into": bench["player"], "round": 2}
    members = api.put(f"{desk}entries/7/substitutes/", given, format="json").json()
    assert [one["on_bench"] for one in members] == [False, False, True]
    policies = {"late_entry": "0", "absences": {"absent": [0, 50]}, "reason": "As announced"}
    said = api.put(f"{desk}policies/", policies, format="json").json()
    assert said["late"][0]["is_open"] is False
    for hostile in ("51", "9" * 5000):
        refused = api.put(f"{desk}policies/", {"late_entry": hostile}, format="json")
        assert (refused.status_code, "0 to 50" in str(refused.json())) == (400, True)
    hours = {"most_entries": 40, "categories": ["Women"]}
    assert api.put(f"{desk}registration/", hours, format="json").json()["most_entries"] == 40
    assert api.post(f"{desk}entries/7/admit/").json()["state"] == "registered"


def test_the_api_lets_an_account_enter_itself_within_the_hours(event, organizer):
    stranger = APIClient()
    given = {"players": [{"name": "Rosa Haddad"}, {"name": "Sami Nasser", "number": "9"}]}
    address = "/api/t/nile/registration/"
    assert stranger.get(address).json()["window"] == "open"
    assert stranger.post(address, given, format="json").status_code in (401, 403)
    stranger.force_authenticate(organizer)
    made = stranger.post(address, given, format="json")
    entry = event.entries.get()
    assert (made.status_code, made.json()["check_in_code"]) == (201, entry.check_in_code)
    assert not entry.members.filter(player__number="9").exists()
    Tournament.objects.update(state=Tournament.State.RUNNING)
    refused = stranger.post(address, given, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "registration_is_closed")


def test_the_api_makes_one_player_of_two(api, stage):
    entry = stage.tournament.entries.get(number=1)
    keep = entry.members.get(position=1).player
    gone = PlayerFactory.create(name="Somebody else", country="EG")
    given = {"keep": keep.pk, "gone": gone.pk}
    answer = api.post("/api/desk/nile/players/merge/", given, format="json").json()
    assert (answer["gone"], answer["tables"]) == ("Somebody else", 0)
    assert PlayerFactory._meta.model.objects.filter(pk=gone.pk).exists()
    api.post("/api/desk/nile/players/merge/", given | {"confirm": True}, format="json")
    assert not PlayerFactory._meta.model.objects.filter(pk=gone.pk).exists()


# --- situations of names --------------------------------------------------------------------


def test_situation_43_a_name_in_two_scripts_is_isolated_wherever_it_is_shown(client, text):
    name = "Mariam Yousef (مريم يوسف)"
    tournament = TournamentFactory.create(slug="nile")
    players = [PlayerFactory.create(name=name, club=None), PlayerFactory.create(name="Ana")]
    entry = EntryFactory.create(
        tournament=tournament, players=players, name=name, check_in_code="abcdefgh2345"
    )
    client.force_login(tournament.created_by)
    pages = (
        "/t/nile/entries/", "/desk/nile/entries/", "/desk/nile/check-in/",
        "/desk/nile/check-in/codes/", "/desk/nile/check-in/absent/", "/c/abcdefgh2345/",
        "/desk/nile/entries/1/", "/desk/nile/entries/1/substitutes/",
    )  # fmt: skip
    for language in ("en", "ar"):
        client.cookies["django_language"] = language
        for address in pages:
            assert f"<bdi>{name}</bdi>" in text(client.get(address)), (address, language)
    assert entry.name == name


@pytest.mark.parametrize("encoding", ["cp1256", "utf-16", "utf-8-sig"])
def test_situation_45_a_list_in_an_old_encoding_shows_mariam_before_it_is_imported(
    client, event, text, encoding
):
    lines = "Player 1;Player 2\nمريم;سلمى\n".encode(encoding)
    from django.core.files.uploadedfile import SimpleUploadedFile

    sent = {"file": SimpleUploadedFile("list.csv", lines)}
    page = text(client.post("/desk/nile/entries/import/", sent))
    assert "مريم" in page
    assert "سلمى" in page
    assert not event.entries.exists()
