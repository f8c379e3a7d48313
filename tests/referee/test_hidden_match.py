"""A table whose result is hidden: who may know of its play, and what others are told."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client

from referee.models import Sanction, Signature
from referee.queries.screens import shown
from referee.queries.signing import checked
from referee.services import links
from tests import factories
from tests.hidden_event import HiddenEvent, hidden_event, tables
from tournaments.models import Official, Screen
from tournaments.services.hidden_results import hide_results, show_results

pytestmark = pytest.mark.django_db

SENTENCE = "The results of round 3 will be shown at the prize-giving."


@pytest.fixture
def event() -> HiddenEvent:
    found = hidden_event()
    hide_results(found.tournament, stage=1, round=2, by=found.tournament.created_by)
    return found


def play_of(event: HiddenEvent) -> list[str]:
    pk = event.recorded.pk
    return [
        *(f"/matches/{pk}/", f"/matches/{pk}/moves/", f"/embed/matches/{pk}/"),
        *(f"/matches/{pk}/plays/", f"/matches/{pk}/print/sheet.html"),
        f"/matches/{pk}/print/plays.html",
    ]


def test_every_page_of_its_play_says_who_sits_there_and_when_it_is_shown(client, event):
    names = [one.player.name for one in event.recorded.seats.select_related("player")]
    for address in play_of(event):
        response = client.get(address)
        told = response.content.decode()
        assert response.status_code == 200
        assert SENTENCE in told
        assert all(name in told for name in names)
        assert response.headers["Cache-Control"] == "private, no-store"


def test_the_api_refuses_its_play_with_a_sentence(client, event):
    pk = event.recorded.pk
    for name in ("", "record/", "lines/"):
        response = client.get(f"/api/matches/{pk}/{name}")
        assert response.status_code == 409
        assert response.json() == {
            "code": "results_hidden",
            "message": f"{SENTENCE} Ask again after it.",
        }


def test_referees_scorers_of_the_table_and_its_players_see_their_match(event):
    match, tournament = event.recorded, event.tournament
    player = match.seats.get(seat="B").player
    player.user = factories.UserFactory.create()
    player.save()
    duty = factories.OfficialFactory.create
    referee = duty(tournament=tournament).user
    scorer = duty(tournament=tournament, duty=Official.Duty.SCORER, table=match.table).user
    other = duty(tournament=tournament, duty=Official.Duty.SCORER, table=match.table + 1).user
    seen = {}
    for user in (referee, scorer, player.user, other):
        client = Client()
        client.force_login(user)
        seen[user] = SENTENCE not in client.get(f"/matches/{match.pk}/").content.decode()
    assert list(seen.values()) == [True, True, True, False]


def test_a_referee_is_told_that_the_public_does_not_see_it(client, event):
    client.force_login(factories.OfficialFactory.create(tournament=event.tournament).user)
    shown_page = client.get(f"/matches/{event.recorded.pk}/").content.decode()
    assert "The public does not see the results of round 3 yet." in shown_page


def test_whoever_has_the_link_of_the_table_sees_it_and_no_other(event, client):
    by = event.tournament.created_by
    made = links.make_link(event.recorded, scope="record", by=by, client_key=uuid4())
    client.get(f"/l/{made.token}/")
    assert SENTENCE not in client.get(f"/matches/{event.recorded.pk}/").content.decode()
    assert b"prize-giving." in client.get(f"/matches/{event.hidden.pk}/").content


def test_a_screen_shows_the_hall_no_more_than_a_stranger_whoever_stands_at_it(client, event):
    client.force_login(event.tournament.created_by)
    screen = Screen.objects.get(shows="featured")
    found = shown(screen).content["featured"]
    assert {side.total for side in found.sides} <= {0, None}
    assert found.layout == ()
    told = client.get("/screen/key-featured/now/").content.decode()
    assert "The result will be shown at the prize-giving." in told
    told = client.get("/screen/key-standings/now/").content.decode()
    assert "the others are shown at the prize-giving" in told
    show_results(event.tournament, by=event.tournament.created_by)
    screen = Screen.objects.get(shows="featured")
    assert shown(screen).content["featured"].deal == 1


def test_a_control_code_tells_who_holds_the_paper_only_whether_it_fits(client, event):
    match, by = event.hidden, event.tournament.created_by
    code = "ABCDEFGHABCDEFGH"
    Signature.objects.create(match=match, side="AC", how="pin", code=code, head="x", result={})
    assert checked(code, AnonymousUser()).match is None
    assert checked(code, by).match == match


def test_there_is_no_picture_of_its_play(client, event):
    assert client.get(f"/matches/{event.hidden.pk}/share.png").status_code == 404


def test_statistics_leave_hidden_rounds_out(client, event):
    shown_page = client.get("/t/prize-giving/statistics/").content.decode()
    assert "The results from round 2 on will be shown at the prize-giving." in shown_page


def test_cards_everybody_sees_tell_nothing_of_a_hidden_table(client, event):
    tournament, by = event.tournament, event.tournament.created_by
    tournament.refresh_from_db()
    tournament.policies = {**tournament.policies, "cards_shown": "everybody"}
    tournament.save()
    for match in (event.hidden, tables(event.stage, 1)[0]):
        Sanction.objects.create(
            tournament=tournament, match=match, player=match.seats.get(seat="A").player,
            severity="yellow", state="confirmed", source="hand", function="player", ladder="play",
        )  # fmt: skip
    assert client.get("/cards/prize-giving/").content.decode().count("round 1, table") == 1
    assert "round 2, table" not in client.get("/cards/prize-giving/").content.decode()
    show_results(tournament, by=by)
    assert "round 2, table" in client.get("/cards/prize-giving/").content.decode()
