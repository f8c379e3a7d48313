"""Entering oneself, places and the waiting list, check-in, the absent withdrawn, fees."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.utils import timezone, translation
from rest_framework.test import APIClient

from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import Entry, LogEntry, Match, Tournament
from tournaments.services import (
    check_in,
    entries,
    leaving,
    registration,
    undoing,
    waiting_list,
)
from tournaments.services.people import PlayerData
from tournaments.services.registration import RegistrationRules, Window

pytestmark = pytest.mark.django_db

GIVEN = {"player1": "Rosa Haddad", "player2": "Sami Nasser", "club": "Olive", "country": "EG"}


@pytest.fixture(autouse=True)
def fresh_cache():
    cache.clear()


@pytest.fixture
def cup():
    return TournamentFactory.create(slug="cup", name="Olive Cup", time_zone="Africa/Cairo")


def limited(tournament, most):
    rules = RegistrationRules(most_entries=most)
    return registration.set_registration(tournament, rules, by=tournament.created_by)


# --- hours ----------------------------------------------------------------------------------


def test_the_hours_of_registration_are_those_of_the_clock(cup):
    now = datetime(2026, 4, 10, 12, tzinfo=UTC)
    assert registration.window_of(cup, now) is Window.OPEN
    cup.entries_open_at = now + timedelta(hours=1)
    cup.entries_close_at = now + timedelta(hours=2)
    assert registration.window_of(cup, now) is Window.NOT_YET
    assert registration.window_of(cup, now + timedelta(minutes=90)) is Window.OPEN
    assert registration.window_of(cup, now + timedelta(hours=2)) is Window.OVER
    cup.state = Tournament.State.RUNNING
    assert registration.window_of(cup, now + timedelta(minutes=90)) is Window.OVER


def test_outside_the_hours_the_page_says_when_and_takes_nothing(client, cup, text):
    cup.entries_open_at = timezone.now() + timedelta(days=1)
    cup.save()
    page = text(client.get("/t/cup/register/"))
    assert "Registration opens on" in page
    assert "(Africa/Cairo)" in page
    assert "id_player1" not in page
    response = client.post("/t/cup/register/", GIVEN)
    assert response.status_code == 422
    assert "is not open yet. It opens on" in text(response)
    assert 'value="Rosa Haddad"' in text(response)
    cup.entries_open_at, cup.entries_close_at = None, timezone.now() - timedelta(minutes=1)
    cup.save()
    assert "closed on" in text(client.post("/t/cup/register/", GIVEN))
    assert not cup.entries.exists()


def test_hours_the_wrong_way_round_are_refused(cup):
    now = timezone.now()
    rules = RegistrationRules(opens_at=now, closes_at=now - timedelta(hours=1))
    with pytest.raises(entry_errors.WindowReversed):
        registration.set_registration(cup, rules, by=cup.created_by)
    with pytest.raises(entry_errors.TooFewPlaces):
        limited(cup, 1)
    many = RegistrationRules(categories=tuple(str(n) for n in range(31)))
    with pytest.raises(entry_errors.TooManyCategories):
        registration.set_registration(cup, many, by=cup.created_by)


# --- entering oneself -----------------------------------------------------------------------


def test_anybody_enters_and_is_told_number_and_code(client, cup, text):
    response = client.post("/t/cup/register/", GIVEN)
    entry = cup.entries.get()
    assert response.url == f"/c/{entry.check_in_code}/"
    page = text(client.get(response.url))
    assert "Rosa Haddad" in page
    assert entry.check_in_code in page
    assert "<svg" in page
    assert "Here</button>" not in page
    assert len(entry.check_in_code) == 12
    assert cup.log.get(act="entry_registered_itself").by is None


def test_sent_twice_it_is_entered_once(client, cup):
    first = client.post("/t/cup/register/", GIVEN)
    again = client.post("/t/cup/register/", GIVEN)
    assert (again.status_code, again.url) == (302, first.url)
    assert cup.entries.count() == 1


def test_another_browser_is_told_that_a_player_is_entered(client, cup, text):
    client.post("/t/cup/register/", GIVEN)
    client.cookies.clear()
    response = client.post("/t/cup/register/", GIVEN)
    assert response.status_code == 422
    assert "is already registered" in text(response)


def test_a_program_that_fills_in_every_field_enters_nothing(client, cup):
    client.post("/t/cup/register/", GIVEN | {"website": "https://example.org"})
    assert not cup.entries.exists()


def test_too_many_entries_from_one_connection_are_refused(client, cup, text, monkeypatch):
    monkeypatch.setattr("tournaments.entry_limit.MOST_AN_HOUR", 1)
    client.post("/t/cup/register/", GIVEN)
    response = client.post("/t/cup/register/", {"player1": "Ana", "player2": "Eva"})
    assert response.status_code == 422
    assert "Too many entries came from this connection" in text(response)
    assert cup.entries.count() == 1


def test_who_is_signed_in_finds_the_own_name_written(client, cup, text):
    player = PlayerFactory.create(name="Rosa Haddad", user=UserFactory.create())
    client.force_login(player.user)
    page = text(client.get("/t/cup/register/"))
    assert 'value="Rosa Haddad"' in page
    assert f'value="{player.club}"' in page


def test_namesakes_are_sent_to_the_desk(client, cup, text):
    club = EntryFactory.create().club
    PlayerFactory.create_batch(2, name="Rosa Haddad", club=club)
    given = GIVEN | {"club": str(club)}
    assert "The desk can tell who is meant" in text(client.post("/t/cup/register/", given))


def test_a_category_is_chosen_among_those_of_the_event(client, cup, text):
    rules = RegistrationRules(categories=("Women", "Juniors"))
    registration.set_registration(cup, rules, by=cup.created_by)
    response = client.post("/t/cup/register/", GIVEN)
    assert "No category is chosen. Choose one." in text(response)
    client.post("/t/cup/register/", GIVEN | {"category": "Women"})
    assert cup.entries.get().category == "Women"
    cup.refresh_from_db()
    with pytest.raises(entry_errors.UnknownCategory) as refused:
        entries.change_entry(cup.entries.get(), category="Men", by=cup.created_by)
    assert "Women, Juniors" in explain(refused.value)


# --- the waiting list -----------------------------------------------------------------------


def test_after_the_last_place_people_wait_and_move_up_in_order(client, cup, text):
    limited(cup, 2)
    EntryFactory.create_batch(2, tournament=cup)
    response = client.post("/t/cup/register/", GIVEN)
    client.post("/t/cup/register/", {"player1": "Ana", "player2": "Eva"})
    page = text(client.get(response.url))
    assert "Place on the waiting list" in page
    third, fourth = cup.entries.filter(state="waiting").order_by("number")
    assert [waiting_list.place_in_line(one) for one in (third, fourth)] == [1, 2]
    leaving.withdraw(cup.entries.get(number=1), by=cup.created_by)
    third.refresh_from_db()
    fourth.refresh_from_db()
    assert (third.state, fourth.state) == ("registered", "waiting")
    assert cup.log.get(act="entry_moved_up").details["entry"] == third.number
    back = leaving.reinstate(cup.entries.get(number=1), by=cup.created_by)
    assert back.state == Entry.State.WAITING


def test_more_places_go_to_who_waits_and_the_desk_may_give_one_too_many(cup):
    limited(cup, 2)
    for n in range(5):
        players = (PlayerData(f"Player {n} A"), PlayerData(f"Player {n} B"))
        entries.register(Tournament.objects.get(pk=cup.pk), players=players, by=cup.created_by)
    assert cup.entries.filter(state="waiting").count() == 3
    limited(cup, 3)
    assert list(cup.entries.filter(state="waiting").values_list("number", flat=True)) == [4, 5]
    waiting_list.admit(cup.entries.get(number=5), by=cup.created_by)
    assert waiting_list.admit(cup.entries.get(number=5), by=cup.created_by).state == "registered"
    assert cup.entries.get(number=4).state == "waiting"
    leaving.withdraw(cup.entries.get(number=5), by=cup.created_by)
    with pytest.raises(entry_errors.NotOnWaitingList, match="not on the waiting list"):
        waiting_list.admit(cup.entries.get(number=5), by=cup.created_by)


# --- check-in -------------------------------------------------------------------------------


def test_a_helper_with_a_phone_checks_in_by_the_code_and_takes_it_back(client, cup, text):
    entry = EntryFactory.create(tournament=cup, check_in_code="abcdefgh2345")
    client.force_login(OfficialFactory.create(tournament=cup, duty="scorer").user)
    assert "Here</button>" in text(client.get("/c/abcdefgh2345/"))
    client.post("/c/abcdefgh2345/")
    client.post("/c/abcdefgh2345/")
    entry.refresh_from_db()
    assert entry.checked_in_at is not None
    assert LogEntry.objects.filter(act="checked_in").count() == 1
    client.post("/c/abcdefgh2345/", {"undo": "1"})
    entry.refresh_from_db()
    assert entry.checked_in_at is None


def test_nobody_else_checks_in_and_who_does_not_play_is_not_checked_in(client, cup, text):
    entry = EntryFactory.create(tournament=cup, check_in_code="abcdefgh2345")
    client.post("/c/abcdefgh2345/")
    client.force_login(UserFactory.create())
    assert client.post("/c/abcdefgh2345/").status_code == 403
    with pytest.raises(PermissionDenied):
        check_in.check_in(entry, by=UserFactory.create())
    assert client.get("/c/abcdefgh2346/").status_code == 404
    leaving.withdraw(entry, by=cup.created_by)
    client.force_login(cup.created_by)
    response = client.post("/c/abcdefgh2345/")
    assert (response.status_code, entry.checked_in_at) == (422, None)
    assert "it does not play: Withdrawn" in text(response)


def test_the_list_finds_a_name_and_marks_with_one_button(client, cup, text):
    first, second = EntryFactory.create_batch(2, tournament=cup)
    client.force_login(cup.created_by)
    page = text(client.get(f"/desk/cup/check-in/?q={second.name.replace(' ', '+')}"))
    assert (f'id="entry-{second.number}"' in page, f'id="entry-{first.number}"' in page) == (
        True,
        False,
    )
    response = client.post("/desk/cup/check-in/2/", {"q": "Entry 2"})
    assert response.url == "/desk/cup/check-in/?q=Entry+2#entry-2"
    second.refresh_from_db()
    assert second.checked_in_at is not None


def test_a_helper_sees_the_list_and_nothing_of_the_desk(client, cup, text):
    EntryFactory.create(tournament=cup)
    client.force_login(OfficialFactory.create(tournament=cup, duty="scorer").user)
    page = text(client.get("/desk/cup/check-in/"))
    assert "Entry 1" in page
    assert "/desk/cup/entries/" not in page
    assert 'href="/desk/cup/"' not in page
    assert client.get("/desk/cup/fees/").status_code == 403
    client.force_login(UserFactory.create())
    assert client.get("/desk/cup/check-in/").status_code == 404


def test_codes_are_printed_for_everybody_also_for_entries_that_had_none(client, cup, text):
    EntryFactory.create_batch(3, tournament=cup)
    client.force_login(cup.created_by)
    page = text(client.get("/desk/cup/check-in/codes/"))
    codes = set(cup.entries.values_list("check_in_code", flat=True))
    assert len(codes) == page.count('class="qr"') == 3
    assert all(code in page for code in codes)
    assert text(client.get("/desk/cup/check-in/codes/")).count('class="qr"') == 3


def test_fees_are_noted_and_taken_back(client, cup, text):
    EntryFactory.create(tournament=cup)
    client.force_login(cup.created_by)
    client.post("/desk/cup/fees/1/")
    assert cup.entries.get().paid
    assert "Paid ✓" in text(client.get("/desk/cup/fees/"))
    client.post("/desk/cup/fees/1/", {"undo": "1"})
    assert not cup.entries.get().paid
    assert cup.log.filter(act__startswith="fee").count() == 2


def test_on_site_an_entry_is_here_and_has_paid_at_once(client, cup):
    client.force_login(cup.created_by)
    client.post("/desk/cup/entries/", GIVEN | {"here": "on", "paid": "on"})
    entry = cup.entries.get()
    assert entry.paid
    assert entry.checked_in_at is not None


# --- situation 47: the absent withdrawn at once, and brought back ----------------------------


def test_situation_47_all_64_are_named_confirmed_and_brought_back(client, cup, text):
    EntryFactory.create_batch(64, tournament=cup)
    client.force_login(cup.created_by)
    page = text(client.get("/desk/cup/check-in/absent/"))
    assert "These are all 64 entries: nobody has been checked in." in page
    assert all(f"Entry {n}<" in page for n in range(1, 65))
    wrong = client.post("/desk/cup/check-in/absent/", {"typed": "6"})
    assert wrong.status_code == 422
    assert "6 was typed, but 64 entries would be withdrawn now." in text(wrong)
    assert cup.entries.filter(state="registered").count() == 64
    client.post("/desk/cup/check-in/absent/", {"typed": "64"})
    assert cup.entries.filter(state="withdrawn").count() == 64
    line = cup.log.get(act="entries_withdrawn")
    assert len(line.details["entries"]) == 64
    assert f"/desk/cup/log/{line.pk}/undo/" in text(client.get("/desk/cup/check-in/"))
    undoing.undo(line, by=cup.created_by)
    assert cup.entries.filter(state="registered").count() == 64


def test_undoing_gives_tables_back_and_puts_who_moved_up_in_line_again(cup):
    limited(cup, 2)
    EntryFactory.create_batch(2, tournament=cup)
    players = (PlayerData("Ana"), PlayerData("Eva"))
    EntryFactory.create(tournament=cup, number=3, state=Entry.State.WAITING)
    entries.register(Tournament.objects.get(pk=cup.pk), players=players, by=cup.created_by)
    check_in.check_in(cup.entries.get(number=1), by=cup.created_by)
    gone = check_in.withdraw_absent(cup, typed=1, by=cup.created_by)
    assert [one.number for one in gone] == [2]
    assert cup.entries.get(number=3).state == "registered"
    undoing.undo(cup.log.get(act="entries_withdrawn"), by=cup.created_by)
    states = list(cup.entries.order_by("number").values_list("state", flat=True))
    assert states == ["registered", "registered", "waiting", "waiting"]


def test_who_has_played_is_not_missing(cup):
    match = MatchFactory.create(pairing_round__stage__tournament=cup, state=Match.State.CLOSED)
    first, second = cup.entries.order_by("number")
    match.seats.filter(entry=first).update(outcome="win", points_for=100, points_against=20)
    assert list(check_in.absent_entries(cup)) == [second]
    check_in.check_in(second, by=cup.created_by)
    with pytest.raises(entry_errors.NobodyIsMissing):
        check_in.withdraw_absent(cup, typed=0, by=cup.created_by)


def test_at_the_desk_the_next_pair_can_be_typed_at_once(client, cup, text):
    client.force_login(cup.created_by)
    sent = {"player1": "Rosa Haddad", "player2": "Sami Nasser", "club": "Olive", "here": "on"}
    page = text(client.post("/desk/cup/entries/", sent, follow=True))
    (field,) = re.findall('<input[^>]*id="id_player1"[^>]*>', page)
    assert "autofocus" in field
    assert "value" not in field
    (box,) = re.findall('<input[^>]*id="id_here"[^>]*>', page)
    assert "checked" in box
    (other,) = re.findall('<input[^>]*id="id_paid"[^>]*>', page)
    assert "checked" not in other
    assert "autofocus" not in text(client.get("/desk/cup/entries/"))


def test_times_of_registration_are_written_in_the_order_of_the_language(cup):
    closes = datetime(2026, 12, 2, 10, 28, tzinfo=UTC)
    with translation.override("ar"):
        assert "٢ ديسمبر، ٢٠٢٦" in registration.local_time(cup, closes)


# --- withdrawing by oneself -----------------------------------------------------------------


def test_whoever_has_the_code_withdraws_before_play_and_the_next_one_moves_up(client, text):
    tournament = TournamentFactory.create(slug="delta", most_entries=1)
    by = tournament.created_by
    first, second = (
        entries.register(tournament, players=[PlayerData(f"{name} {n}") for n in (1, 2)], by=by)
        for name in ("Rosa", "Lina")
    )
    url = f"/c/{first.check_in_code}/"
    assert "Withdraw this entry" in text(client.get(url))
    page = text(client.post(url, {"withdraw": "yes"}, follow=True))
    assert "This entry does not play. If that is wrong, tell the desk." in page
    assert "Withdraw this entry" not in page
    client.post(url, {"withdraw": "yes"})
    states = [Entry.objects.get(pk=one.pk).state for one in (first, second)]
    assert states == ["withdrawn", "registered"]
    (line,) = tournament.log.filter(act="entry_withdrawn_itself")
    assert (line.by, line.details["moved_up"]) == (None, [second.number])


def test_once_play_has_started_only_the_desk_withdraws(client, text):
    entry = EntryFactory.create(tournament__state="running", check_in_code="abc234")
    assert "Withdraw this entry" not in text(client.get("/c/abc234/"))
    refused = client.post("/c/abc234/", {"withdraw": "yes"})
    assert refused.status_code == 422
    assert "has started" in text(refused)
    entry.refresh_from_db()
    assert entry.state == "registered"


def test_without_the_code_nobody_withdraws_an_entry():
    entry = EntryFactory.create(check_in_code="abc234")
    for code in ("", "abc235"):
        with pytest.raises(PermissionDenied):
            leaving.withdraw_oneself(entry, code=code)
    with pytest.raises(PermissionDenied):
        leaving.withdraw_oneself(EntryFactory.create(), code="")


def test_a_withdrawal_by_oneself_is_undone_from_the_log():
    entry = EntryFactory.create(check_in_code="abc234")
    leaving.withdraw_oneself(entry, code="abc234")
    line = entry.tournament.log.get(act="entry_withdrawn_itself")
    undoing.undo(line, by=entry.tournament.created_by)
    entry.refresh_from_db()
    assert entry.state == "registered"


def test_the_api_shows_and_withdraws_an_entry_by_its_code():
    entry = EntryFactory.create(check_in_code="abc234")
    api = APIClient()
    assert api.get("/api/c/abc234/").json()["number"] == entry.number
    assert api.get("/api/c/abc235/").status_code == 404
    assert api.delete("/api/c/abc234/").status_code in (401, 403)
    api.force_authenticate(UserFactory.create())
    assert api.delete("/api/c/abc234/").json()["state"] == "withdrawn"
    assert api.delete("/api/c/abc234/").json()["state"] == "withdrawn"
