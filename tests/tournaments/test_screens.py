"""The screens of a hall at the desk: set up, switched, given another address, refused in words."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from django.urls import reverse

from engine.errors import DominoError
from tests.factories import OfficialFactory, StageFactory, TournamentFactory, UserFactory
from tournaments.errors.base import explain
from tournaments.models import LogEntry, Screen, Tournament
from tournaments.services import screens
from tournaments.services.screens import ScreenSettings
from tournaments.words.log import log_lines

pytestmark = pytest.mark.django_db


def made(event: Tournament, name: str = "Stage", **settings: object) -> Screen:
    wanted = ScreenSettings(name=name, **settings)  # type: ignore[arg-type]
    return screens.make_screen(event, wanted=wanted, by=event.created_by)


def refusal(do, *given, **more):
    with pytest.raises(DominoError) as refused:
        do(*given, **more)
    return refused.value.code, explain(refused.value)


def test_a_screen_has_an_address_nobody_guesses():
    event = TournamentFactory.create()
    keys = {made(event, f"Screen {number}").key for number in range(20)}
    assert len(keys) == 20
    assert {len(key) for key in keys} == {20}
    # Five bits a letter: a hundred bits less a little.
    assert len(set("".join(keys))) > 25


def test_asked_twice_it_is_there_once():
    event = TournamentFactory.create()
    assert made(event) == made(event)
    assert LogEntry.objects.filter(act="screen_made").count() == 1


@pytest.mark.parametrize("duty", ["referee", "scorer", None])
def test_only_directors_have_to_do_with_screens(duty):
    event = TournamentFactory.create()
    screen = made(event)
    by = OfficialFactory.create(tournament=event, duty=duty).user if duty else UserFactory.create()
    wanted = ScreenSettings(name="Door")
    for do in (
        lambda: screens.make_screen(event, wanted=wanted, by=by),
        lambda: screens.change_screen(screen, wanted=wanted, by=by),
        lambda: screens.switch_screen(screen, shows="clock", by=by),
        lambda: screens.switch_all(event, shows="clock", by=by),
        lambda: screens.renew_key(screen, by=by),
        lambda: screens.remove_screen(screen, by=by),
    ):
        with pytest.raises(PermissionDenied, match="Only a director"):
            do()
    screen.refresh_from_db()
    assert (screen.name, screen.shows) == ("Stage", "tables")


def test_it_is_switched_once_and_the_log_says_to_what():
    event = TournamentFactory.create()
    screen = made(event)
    for _ in range(2):
        screens.switch_screen(screen, shows="featured", table=7, by=event.created_by)
    screen.refresh_from_db()
    assert (screen.shows, screen.table) == ("featured", 7)
    said = [line.text for line in log_lines(LogEntry.objects.filter(act="screen_switched"))]
    assert [one.endswith("switched the screen Stage: Featured table") for one in said] == [True]


def test_the_table_and_the_message_stay_for_the_next_time():
    event = TournamentFactory.create()
    screen = made(event)
    by = event.created_by
    screens.switch_screen(screen, shows="message", message="Lunch  until two", table=3, by=by)
    screens.switch_screen(screen, shows="clock", by=by)
    screen.refresh_from_db()
    assert (screen.message, screen.table) == ("Lunch until two", 3)


def test_all_are_switched_at_once_and_each_keeps_its_own_table():
    event = TournamentFactory.create()
    one, other = made(event, "One"), made(event, "Other")
    by = event.created_by
    screens.switch_screen(one, shows="featured", table=5, by=by)
    screens.switch_all(event, shows="message", message="Please be seated", table=1, by=by)
    for screen in (one, other):
        screen.refresh_from_db()
    assert [(one.shows, one.message) for one in (one, other)] == [
        ("message", "Please be seated")
    ] * 2
    assert (one.table, other.table) == (5, 1)


def test_situation_53_at_most_one_screen_is_told_to_ring():
    event = TournamentFactory.create()
    made(event, "One", rings=True)
    other = made(event, "Other")
    wanted = ScreenSettings(name="Other", rings=True)
    screens.change_screen(other, wanted=wanted, by=event.created_by)
    assert [screen.name for screen in event.screens.filter(rings=True)] == ["Other"]
    made(event, "Third", rings=True)
    assert [screen.name for screen in event.screens.filter(rings=True)] == ["Third"]
    # Another event has a bell of its own.
    made(TournamentFactory.create(), "Elsewhere", rings=True)
    assert Screen.objects.filter(rings=True).count() == 2


def test_an_address_that_is_revoked_is_another_one_at_once():
    event = TournamentFactory.create()
    screen = made(event)
    before = screen.key
    assert screens.renew_key(screen, by=event.created_by).key != before
    assert not Screen.objects.filter(key=before).exists()
    line = LogEntry.objects.get(act="screen_key_renewed")
    assert before not in str(line.details)


def test_screens_can_be_switched_when_the_event_is_over():
    event = TournamentFactory.create(state="finished")
    screen = made(event)
    assert screens.switch_screen(screen, shows="standings", by=event.created_by).shows

    screens.remove_screen(screen, by=event.created_by)
    screens.remove_screen(screen, by=event.created_by)
    assert LogEntry.objects.filter(act="screen_removed").count() == 1


@pytest.mark.parametrize(
    ("settings", "code", "said"),
    [
        ({"name": "  "}, "screen_name_missing", "A screen needs a name"),
        ({"name": "x" * 41}, "text_too_long", "40"),
        ({"name": "Stage", "seconds": 20}, "screen_name_taken", "called “Stage” already"),
        ({"name": "New", "seconds": 4}, "bad_screen_seconds", "5 to 60 seconds, not for 4"),
        ({"name": "New", "part": 3, "parts": 2}, "bad_screen_part", "no part 3 of 2"),
        ({"name": "New", "part": 0}, "bad_screen_part", "no part 0 of 1"),
        ({"name": "New", "parts": 10}, "bad_screen_part", "among 1 to 9 screens"),
        ({"name": "New", "language": "tlh"}, "unknown_screen_language", "in “tlh”"),
        ({"name": "New", "second_language": "q"}, "unknown_screen_language", "in “q”"),
    ],
)
def test_settings_that_make_no_sense_are_refused_in_words(settings, code, said):
    event = TournamentFactory.create()
    made(event)
    wanted = ScreenSettings(**settings)
    found = refusal(screens.make_screen, event, wanted=wanted, by=event.created_by)
    assert found[0] == code
    assert said in found[1]
    assert event.screens.count() == 1


def test_another_screen_keeps_its_name():
    event = TournamentFactory.create()
    made(event)
    other = made(event, "Other")
    wanted = ScreenSettings(name="Stage")
    found = refusal(screens.change_screen, other, wanted=wanted, by=event.created_by)
    assert found[0] == "screen_name_taken"


def test_there_are_so_many_screens_and_no_more(monkeypatch):
    monkeypatch.setattr(screens, "MOST_SCREENS", 2)
    event = TournamentFactory.create()
    made(event, "One")
    made(event, "Two")
    wanted = ScreenSettings(name="Three")
    code, said = refusal(screens.make_screen, event, wanted=wanted, by=event.created_by)
    assert (code, "has 2 screens" in said) == ("too_many_screens", True)


@pytest.mark.parametrize(
    ("asked", "code", "said"),
    [
        ({"shows": "film"}, "unknown_screen_view", "cannot show “film”"),
        ({"shows": "message"}, "screen_message_missing", "no message to show yet"),
        ({"shows": "message", "message": "x" * 201}, "text_too_long", "200"),
        ({"shows": "featured", "table": 0}, "bad_screen_table", "not 0"),
    ],
)
def test_what_cannot_be_shown_is_refused_in_words(asked, code, said):
    event = TournamentFactory.create()
    screen = made(event)
    found = refusal(screens.switch_screen, screen, by=event.created_by, **asked)
    assert found[0] == code
    assert said in found[1]
    screen.refresh_from_db()
    assert screen.shows == "tables"


def test_a_stage_of_another_event_is_refused():
    event = TournamentFactory.create()
    screen, stage = made(event), StageFactory.create()
    found = refusal(
        screens.switch_screen, screen, shows="standings", stage=stage, by=event.created_by
    )
    assert found[0] == "screen_stage_unknown"


# --- the desk page --------------------------------------------------------------------------


def test_the_desk_sets_up_a_screen_switches_it_and_shows_its_address(client, event, text):
    address = reverse("tournaments:director_screens", args=[event.slug])
    client.post(
        address,
        {
            "act": "make",
            "name": "Left wall",
            "language": "ar",
            "second_language": "en",
            "seconds": "١٢",
            "part": "1",
            "parts": "2",
        },
    )
    screen = event.screens.get()
    assert (screen.language, screen.second_language, screen.seconds) == ("ar", "en", 12)
    assert f"http://testserver/screen/{screen.key}/" in text(client.get(address))
    own = reverse("tournaments:director_screen", args=[event.slug, screen.pk])
    sent = {"act": "switch", "shows": "message", "table": "1", "message": "To your tables"}
    assert client.post(own, sent).status_code == 302
    screen.refresh_from_db()
    assert (screen.shows, screen.message) == ("message", "To your tables")
    before = screen.key
    client.post(own, {"act": "renew"})
    assert client.get(f"/screen/{before}/").status_code == 404
    client.post(own, {"act": "remove"})
    assert not event.screens.exists()


def test_what_was_typed_stays_where_it_is_refused(client, event, text):
    screen = made(event)
    own = reverse("tournaments:director_screen", args=[event.slug, screen.pk])
    sent = {"act": "switch", "shows": "featured", "table": "0", "message": "Half a sentence"}
    response = client.post(own, sent)
    assert response.status_code == 422
    page = text(response)
    assert "Tables are numbered from 1" in page
    assert 'value="Half a sentence"' in page
    response = client.post(own, {**sent, "shows": "film"})
    assert (response.status_code, "Press one of the buttons" in text(response)) == (422, True)
    wrong = {"act": "change", "name": "Stage", "language": "en", "seconds": "500", "part": "1"}
    response = client.post(own, {**wrong, "parts": "1"})
    assert "not for 500" in text(response)
    assert client.post(own, {"act": "dance"}).status_code == 422


def test_enter_shows_what_was_typed(client, event, text):
    screen = made(event)
    own = reverse("tournaments:director_screen", args=[event.slug, screen.pk])

    def enter(table="1", message=""):
        client.post(own, {"act": "switch", "shows": "", "table": table, "message": message})
        screen.refresh_from_db()
        return screen.shows

    assert enter() == "tables"
    assert enter(message="Please be seated") == "message"
    assert enter(table="4", message="Please be seated") == "featured"
    assert enter(table="4", message="Please be seated") == "featured"
    address = reverse("tournaments:director_screens", args=[event.slug])
    nothing = {"act": "switch_all", "shows": "", "table": "1", "message": ""}
    assert "Nothing is chosen." in text(client.post(address, nothing))


def test_all_screens_are_switched_from_one_form(client, event, text):
    made(event, "One"), made(event, "Two")
    address = reverse("tournaments:director_screens", args=[event.slug])
    sent = {"act": "switch_all", "shows": "black", "table": "1", "message": ""}
    assert client.post(address, sent).status_code == 302
    assert {one.shows for one in event.screens.all()} == {"black"}
    assert "no message to show" in text(client.post(address, {**sent, "shows": "message"}))


def test_the_desk_of_the_screens_is_the_directors(client, event):
    screen = made(event)
    client.force_login(OfficialFactory.create(tournament=event, duty="referee").user)
    address = reverse("tournaments:director_screens", args=[event.slug])
    own = reverse("tournaments:director_screen", args=[event.slug, screen.pk])
    assert client.get(address).status_code == 403
    assert client.post(own, {"act": "remove"}).status_code == 403
    client.logout()
    assert client.get(address).status_code == 302
    assert client.post(own, {"act": "remove"}).status_code == 302
    assert event.screens.count() == 1


def test_a_screen_of_another_event_is_not_at_this_desk(client, event):
    other = made(TournamentFactory.create())
    own = reverse("tournaments:director_screen", args=[event.slug, other.pk])
    assert client.post(own, {"act": "remove"}).status_code == 404


# --- the API --------------------------------------------------------------------------------


def test_a_panel_of_buttons_switches_screens_by_the_api(client, event):
    address = f"/api/desk/{event.slug}/screens/"
    sent = {"name": "Stage", "language": "fa", "seconds": 8}
    made_one = client.post(address, sent, content_type="application/json")
    assert made_one.status_code == 201
    told = made_one.json()
    screen = event.screens.get()
    assert (told["id"], told["path"]) == (screen.pk, f"/screen/{screen.key}/")
    assert client.get(told["path"]).status_code == 200
    own = f"{address}{screen.pk}/"
    asked = {"shows": "message", "message": "Round four begins"}
    told = client.post(f"{own}switch/", asked, content_type="application/json").json()
    found = (told["shows"], told["message"], told["stage"])
    assert found == ("message", "Round four begins", None)
    assert client.get(address).json() == [told]
    everywhere = client.post(f"{address}switch/", {"shows": "black"}, "application/json").json()
    assert [one["shows"] for one in everywhere] == ["black"]
    before = screen.key
    assert client.post(f"{own}key/").json()["path"] != f"/screen/{before}/"
    refused = client.post(f"{own}switch/", {"shows": "clock", "table": 0}, "application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "fields_are_wrong")
    changed = client.put(own, {"name": "Door", "rings": True}, "application/json").json()
    assert (changed["name"], changed["rings"], changed["shows"]) == ("Door", True, "black")
    assert client.delete(own).status_code == 204
    assert client.get(address).json() == []
