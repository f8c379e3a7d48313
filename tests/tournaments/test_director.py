"""The director's desk through its pages: an event from its creation to published rounds."""

from __future__ import annotations

from datetime import date
from html import unescape

import pytest
from django.contrib.auth.models import User

from tests.factories import (
    PASSWORD,
    ClubFactory,
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    OrganizerFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.log_words import SENTENCES, log_lines
from tournaments.models import Entry, LogEntry, Match, Official, PairingRound, Stage, Tournament

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


@pytest.fixture
def organizer(client):
    user = OrganizerFactory.create()
    client.force_login(user)
    return user


@pytest.fixture
def event(organizer):
    return TournamentFactory.create(created_by=organizer, slug="nile", name="Nile Cup")


def running(event, pairs=4):
    EntryFactory.create_batch(pairs, tournament=event)
    event.state = Tournament.State.RUNNING
    event.save()
    return event


def text(response) -> str:
    return unescape(response.content.decode())


# --- a new event ----------------------------------------------------------------------------


def test_the_rules_are_shown_in_words_before_anything_is_created(client, organizer):
    response = client.post("/desk/new/", NEW | {"step": "check"})
    assert response.status_code == 200
    assert "The first side to reach 150 points wins the match." in text(response)
    assert not Tournament.objects.exists()


def test_an_event_is_created_and_its_desk_says_what_is_next(client, organizer):
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


def test_what_was_typed_can_be_changed_after_the_rules_were_shown(client, organizer):
    response = client.post("/desk/new/", NEW | {"step": "change"})
    assert 'value="Nile Cup"' in text(response)
    assert not Tournament.objects.exists()


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
def test_what_is_wrong_is_said_and_what_was_typed_stays(client, organizer, wrong, sentence):
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


# --- who may ----------------------------------------------------------------------------------

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
def whole(event):
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


def test_my_desk_lists_my_events_only(client, event):
    TournamentFactory.create(name="Somebody else's")
    page = text(client.get("/desk/"))
    assert "Nile Cup" in page
    assert "Somebody else's" not in page


# --- details and rules ------------------------------------------------------------------------


def test_details_are_corrected(client, event):
    given = {"name": "Delta Cup", "starts_on": "2026-12-05", "time_zone": "Africa/Cairo"}
    assert client.post("/desk/nile/details/", given).status_code == 302
    event.refresh_from_db()
    assert event.name == "Delta Cup"


def test_rules_are_shown_in_words_before_they_change(client, event):
    given = {key: NEW[key] for key in ("entry_kind", "players_per_table")} | {"profile": "domna"}
    page = client.post("/desk/nile/rules/", given | {"step": "check"})
    assert "opened by the winner of the round before" in text(page)
    event.refresh_from_db()
    assert event.rules["profile"] == "wdf"
    client.post("/desk/nile/rules/", given | {"step": "save"})
    event.refresh_from_db()
    assert event.rules["profile"] == "domna"


def test_rules_of_a_published_event_stay(client, event):
    PairingRoundFactory.create(stage__tournament=event)
    given = {key: NEW[key] for key in ("entry_kind", "players_per_table")} | {"profile": "domna"}
    response = client.post("/desk/nile/rules/", given | {"step": "save"})
    assert response.status_code == 422
    assert "The rules of Nile Cup cannot change any more" in text(response)


# --- entries ----------------------------------------------------------------------------------


def test_a_pair_is_added_by_hand(client, event):
    given = {"player1": "Rosa Paz", "player2": "Ana Ruiz", "club": "Sol", "seed": "٣"}
    response = client.post("/desk/nile/entries/", given, follow=True)
    entry = event.entries.get()
    assert (entry.name, entry.club.name, entry.seed) == ("Rosa Paz / Ana Ruiz", "Sol", 3)
    assert "Entry 1, “Rosa Paz / Ana Ruiz”, is registered." in text(response)


def test_the_same_pair_twice_is_refused_with_its_entry(client, event):
    given = {"player1": "Rosa Paz", "player2": "Ana Ruiz"}
    client.post("/desk/nile/entries/", given)
    response = client.post("/desk/nile/entries/", given)
    assert response.status_code == 422
    assert "Rosa Paz is already registered, in entry 1" in text(response)
    assert 'value="Ana Ruiz"' in text(response)
    assert event.entries.count() == 1


def test_a_missing_partner_is_named_at_its_field(client, event):
    response = client.post("/desk/nile/entries/", {"player1": "Rosa Paz"})
    assert response.status_code == 422
    assert "Player 2: The name is missing." in text(response).replace("</a>", "")
    assert 'value="Rosa Paz"' in text(response)


def test_clubs_are_suggested(client, event):
    ClubFactory.create(name="نادي النيل")
    assert '<option value="نادي النيل">' in text(client.get("/desk/nile/entries/"))


def test_single_players_have_one_name(client, organizer):
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


def test_a_withdrawal_is_asked_about_first_and_can_be_taken_back(client, event):
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


def test_after_the_start_nobody_is_added(client, event):
    running(event)
    response = client.post("/desk/nile/entries/", {"player1": "Rosa Paz", "player2": "Ana Ruiz"})
    assert response.status_code == 422
    assert "Registration for Nile Cup is closed" in text(response)


# --- officials --------------------------------------------------------------------------------


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
def test_a_duty_that_cannot_be_given_says_why(client, event, given, sentence):
    UserFactory.create(username="omar")
    response = client.post("/desk/nile/officials/", given)
    assert response.status_code == 422
    assert sentence in text(response)


def test_the_last_director_stays(client, event):
    official = event.officials.get()
    response = client.post(f"/desk/nile/officials/{official.pk}/remove/")
    assert response.status_code == 422
    assert "is the only director of Nile Cup" in text(response)


def test_a_new_account_shows_its_password_once(client, event):
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
def test_an_account_that_cannot_be_made_says_why(client, event, username, sentence):
    UserFactory.create(username="taken")
    given = {"username": username, "duty": "referee"}
    response = client.post("/desk/nile/officials/account/", given)
    assert response.status_code == 422
    assert sentence in text(response)


# --- pairings and play ------------------------------------------------------------------------


def test_the_next_step_leads_from_the_entries_to_the_end(client, event):
    def said() -> str:
        return client.get("/desk/nile/").context["next"].label

    assert said() == "Add entries"
    EntryFactory.create_batch(4, tournament=event)
    assert said() == "Close registration and start"
    client.post("/desk/nile/start/")
    assert said() == "Make the pairings"
    client.post("/desk/nile/pairings/round-robin/")
    assert said() == "Publish round 1"
    client.post("/desk/nile/pairings/1/1/publish/")
    assert said() == "See the tables"
    Match.objects.update(state=Match.State.CLOSED)
    PairingRound.objects.exclude(number=1).delete()
    assert said() == "Finish the event"
    client.post("/desk/nile/finish/")
    assert said() == "See the standings"


def test_registration_opens_once(client, event):
    event.state = Tournament.State.DRAFT
    event.save()
    for _ in range(2):
        client.post("/desk/nile/open/")
    event.refresh_from_db()
    assert event.state == Tournament.State.OPEN
    assert event.log.filter(act="registration_opened").count() == 1


def test_a_refused_step_says_why_on_the_desk(client, event):
    response = client.post("/desk/nile/start/")
    assert response.status_code == 422
    assert "has too few entries: 0" in text(response)


def test_a_round_robin_is_drafted_once_and_published_round_by_round(client, event):
    running(event)
    for _ in range(2):
        client.post("/desk/nile/pairings/round-robin/")
    assert event.stages.get().rounds.count() == 3
    response = client.post("/desk/nile/pairings/1/2/publish/")
    assert response.status_code == 422
    assert "Publish the rounds in order." in text(response)
    for _ in range(2):
        client.post("/desk/nile/pairings/1/1/publish/")
    assert event.log.filter(act="round_published").count() == 1


def test_a_round_is_seated_by_hand(client, event):
    running(event)
    client.post("/desk/nile/pairings/by-hand/")
    given = {
        "table_0": "٣", "place_0_0": "4", "place_0_1": "1",
        "table_1": "1", "place_1_0": "2", "place_1_1": "3", "byes": "on",
    }  # fmt: skip
    assert client.post("/desk/nile/pairings/1/seat/", given).status_code == 302
    seats = {
        match.table: {seat.seat: seat.entry.number for seat in match.seats.all()}
        for match in Match.objects.all()
    }
    assert seats == {3: {"A": 4, "C": 4, "B": 1, "D": 1}, 1: {"A": 2, "C": 2, "B": 3, "D": 3}}
    page = text(client.get("/desk/nile/pairings/1/1/seat/"))
    assert '<option value="2" selected>' in page


def test_whoever_is_left_over_has_a_bye(client, event):
    running(event, pairs=3)
    client.post("/desk/nile/pairings/by-hand/")
    given = {"table_0": "1", "place_0_0": "1", "place_0_1": "2", "table_1": "2", "byes": "on"}
    client.post("/desk/nile/pairings/1/seat/", given)
    assert [bye.entry.number for bye in PairingRound.objects.get().byes.all()] == [3]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"place_1_0": "1"}, "Seated at table 1 already. Choose somebody else."),
        ({"place_1_0": "77"}, "This entry does not play. Choose one from the list."),
        ({"table_1": ""}, "The table has no number. Count tables from 1."),
        ({"table_1": "1"}, "Table 1 is used twice in this round."),
        ({"place_1_1": ""}, "Table 2 needs this number of entries: 2; found 1."),
    ],
)
def test_a_wrong_seat_is_named_and_the_others_stay(client, event, wrong, sentence):
    running(event)
    client.post("/desk/nile/pairings/by-hand/")
    given = {
        "table_0": "1", "place_0_0": "1", "place_0_1": "2",
        "table_1": "2", "place_1_0": "3", "place_1_1": "4", "byes": "on",
    }  # fmt: skip
    response = client.post("/desk/nile/pairings/1/seat/", given | wrong)
    assert response.status_code == 422
    assert sentence in text(response)
    assert '<option value="2" selected>' in text(response)
    assert not PairingRound.objects.exists()


def test_entries_without_a_table_are_left_out_only_on_purpose(client, event):
    running(event)
    client.post("/desk/nile/pairings/by-hand/")
    given = {"table_0": "1", "place_0_0": "1", "place_0_1": "2", "table_1": "2"}
    client.post("/desk/nile/pairings/1/seat/", given)
    response = client.post("/desk/nile/pairings/1/1/publish/")
    assert response.status_code == 422
    assert "have neither a table nor a bye" in text(response)
    assert "leave_out" in text(response)
    client.post("/desk/nile/pairings/1/1/publish/", {"leave_out": "on"})
    assert PairingRound.objects.get().state == PairingRound.State.PUBLISHED


def test_drafts_are_thrown_away_once(client, event):
    running(event)
    client.post("/desk/nile/pairings/round-robin/")
    for _ in range(2):
        assert client.post("/desk/nile/pairings/1/discard/").status_code == 302
    assert not Stage.objects.exists()


def test_a_closed_table_leads_to_its_correction(client, event):
    running(event)
    match = MatchFactory.create(pairing_round__stage__tournament=event, state=Match.State.CLOSED)
    link = f"/desk/nile/tables/{match.pk}/reopen/"
    assert link in text(client.get("/desk/nile/tables/"))
    page = text(client.get(link))
    assert f'action="/matches/{match.pk}/reopen/"' in page
    assert 'name="reason"' in page


def test_a_table_of_another_event_is_not_there(client, event):
    match = MatchFactory.create(state=Match.State.CLOSED)
    assert client.get(f"/desk/nile/tables/{match.pk}/reopen/").status_code == 404


# --- the log ----------------------------------------------------------------------------------


def test_every_act_of_a_day_is_told_in_a_sentence(client, event):
    client.post("/desk/nile/entries/", {"player1": "Rosa Paz", "player2": "Ana Ruiz"})
    client.post("/desk/nile/entries/", {"player1": "Eva Gil", "player2": "Pia Roa"})
    client.post("/desk/nile/start/")
    client.post("/desk/nile/pairings/round-robin/")
    client.post("/desk/nile/pairings/1/1/publish/")
    client.post("/desk/nile/entries/1/withdraw/")
    acts = set(event.log.values_list("act", flat=True))
    assert acts <= set(SENTENCES)
    told = {line.what for line in log_lines(event.log.all())}
    assert "registered entry 1, Rosa Paz / Ana Ruiz" in told
    assert "published round 1 of Round robin" in told
    assert "withdrew entry 1, Rosa Paz / Ana Ruiz" in told


def test_signing_in_leads_back_to_the_desk(client, event):
    client.logout()
    event.created_by.username = "laila"
    event.created_by.save()
    response = client.post("/login/?next=/desk/nile/", {"username": "laila", "password": PASSWORD})
    assert response.url == "/desk/nile/"
