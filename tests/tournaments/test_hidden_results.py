"""Results that are hidden until the prize-giving: who may hide them, and what stands instead."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db import connection
from django.test.utils import CaptureQueriesContext

from engine.errors import DominoError
from tests import factories
from tests.hidden_event import HIDDEN, HiddenEvent, hidden_event, tables
from tests.tournaments.test_bracket_pages import made, play_round
from tests.tournaments.test_services_draws import event as event_of
from tournaments import publication
from tournaments.errors.base import explain
from tournaments.models import Official, Rating, RatingChange, Stage, Tournament
from tournaments.queries.standings import standings_page
from tournaments.services import undoing
from tournaments.services.hidden_results import hide_results, show_results
from tournaments.services.ratings import rebuild_ratings
from tournaments.stream.changes import Changes

pytestmark = pytest.mark.django_db

SENTENCE = "The results of round 2 will be shown at the prize-giving."
FROM_ROUND = "The results from round 2 on will be shown at the prize-giving."


@pytest.fixture
def event() -> HiddenEvent:
    found = hidden_event()
    hide_results(found.tournament, stage=1, round=2, by=found.tournament.created_by)
    return found


@pytest.fixture
def director(client, event):
    client.force_login(event.tournament.created_by)
    return client


def page(client, address: str, **more: str) -> str:
    return client.get(f"/t/prize-giving/{address}", **more).content.decode()


def test_only_a_director_hides_results_and_shows_them(event):
    referee = factories.OfficialFactory.create(tournament=event.tournament)
    for act in (
        lambda: hide_results(event.tournament, stage=1, round=3, by=referee.user),
        lambda: show_results(event.tournament, by=referee.user),
    ):
        with pytest.raises(PermissionDenied):
            act()


def test_the_same_again_does_nothing_and_each_change_is_in_the_log(event):
    by, tournament = event.tournament.created_by, event.tournament
    hide_results(tournament, stage=1, round=2, by=by)
    show_results(tournament, by=by)
    show_results(tournament, by=by)
    acts = tournament.log.order_by("pk").values_list("act", flat=True)
    assert list(acts)[-2:] == ["results_hidden", "results_shown"]
    assert not publication.hidden(Tournament.objects.get(pk=tournament.pk))


@pytest.mark.parametrize(
    ("stage", "number", "said"),
    [
        (7, 1, "The event has no stage 7; its stages are 1. Choose"),
        (1, 0, "Results are hidden from a round between 1 and 50 on; found 0. Give"),
        (1, 51, "found 51"),
    ],
)
def test_what_is_not_there_cannot_be_hidden(event, stage, number, said):
    by = event.tournament.created_by
    with pytest.raises(DominoError) as refused:
        hide_results(event.tournament, stage=stage, round=number, by=by)
    assert said in explain(refused.value)


def test_taking_the_showing_back_hides_again(event, client):
    by = event.tournament.created_by
    show_results(event.tournament, by=by)
    assert SENTENCE not in page(client, "rounds/1/2/")
    undoing.undo(event.tournament.log.get(act="results_shown"), by=by)
    assert SENTENCE in page(client, "rounds/1/2/")


def test_who_sits_where_is_seen_by_all_and_the_page_says_when_results_are_shown(client, event):
    shown = page(client, "rounds/1/2/")
    assert SENTENCE in shown
    for seat in event.hidden.seats.select_related("player"):
        assert seat.player.name in shown
    assert FROM_ROUND in page(client, "standings/")
    assert FROM_ROUND in page(client, f"entries/{event.hidden.seats.first().entry.number}/")


def test_officials_see_the_results_marked_as_hidden_from_the_public(director, event):
    shown = page(director, "rounds/1/2/")
    assert "The public does not see the results of round 2 yet." in shown
    assert str(HIDDEN["AC"]) in shown
    desk = director.get("/desk/prize-giving/").content.decode()
    assert "The public does not see the results from round 2 on yet." in desk


def test_a_scorer_of_another_table_is_no_referee(client, event):
    scorer = factories.OfficialFactory.create(
        tournament=event.tournament, duty=Official.Duty.SCORER, table=99
    )
    client.force_login(scorer.user)
    assert str(HIDDEN["AC"]) not in page(client, "rounds/1/2/")


def test_standings_stay_those_before_the_hidden_round(client, event):
    answer = client.get("/api/t/prize-giving/standings/").json()
    assert (answer["rounds_finished"], answer["hidden_rounds"]) == (1, [2, 3])
    assert client.get("/api/t/prize-giving/rounds/1/2/").json()["results_hidden"] is True
    assert client.get("/api/t/prize-giving/rounds/1/1/").json()["results_hidden"] is False
    assert {row["played"] for row in answer["rows"]} == {1}
    assert client.get("/api/t/prize-giving/standings/?after=2").status_code == 404
    assert client.get("/t/prize-giving/standings/after/2/").status_code == 404
    assert client.get("/t/prize-giving/standings/after/1/").status_code == 200
    assert client.get("/t/prize-giving/standings/?by=player").status_code == 404


def test_hidden_from_the_first_round_there_are_no_standings(client, event):
    hide_results(event.tournament, stage=1, round=1, by=event.tournament.created_by)
    assert client.get("/api/t/prize-giving/standings/").json()["rows"] == []
    assert "They will be shown at the prize-giving." in page(client, "standings/")
    rows = client.get("/t/prize-giving/files/standings.json").json()["standings"]
    assert rows == []


def test_a_round_that_is_only_planned_to_be_hidden_changes_no_standings(client, event):
    hide_results(event.tournament, stage=1, round=4, by=event.tournament.created_by)
    answer = client.get("/api/t/prize-giving/standings/").json()
    assert {row["played"] for row in answer["rows"]} == {2}


def test_a_draw_from_hidden_results_has_no_proof_until_they_are_shown(client, event):
    for address in ("/t/prize-giving/rounds/1/{}/proof/", "/api/t/prize-giving/rounds/1/{}/proof/"):
        assert client.get(address.format(2)).status_code == 200
        assert client.get(address.format(3)).status_code == 404
    assert "proof" not in page(client, "rounds/1/3/")
    show_results(event.tournament, by=event.tournament.created_by)
    assert client.get("/t/prize-giving/rounds/1/3/proof/").status_code == 200


def test_the_draw_of_a_hidden_round_stays_checkable_for_its_directors(director, event):
    assert director.get("/t/prize-giving/rounds/1/3/proof/").status_code == 200


def test_a_feed_does_not_say_that_the_results_are_there(client, event):
    feed = page(client, "news.atom")
    assert "round 1: results" in feed
    assert "round 2: pairings" in feed
    assert "round 2: results" not in feed


def test_hidden_tables_rate_nobody_until_they_are_shown(event):
    rebuild_ratings(event.tournament)
    rated = RatingChange.objects.values_list("match__pairing_round__number", flat=True)
    assert set(rated) == {1}
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}
    show_results(event.tournament, by=event.tournament.created_by)
    rebuild_ratings(event.tournament)
    assert set(Rating.objects.values_list("matches", flat=True)) == {2}


def test_players_find_their_own_results_on_their_own_page(client, event):
    player = event.hidden.seats.get(seat="A").player
    player.user = factories.UserFactory.create()
    player.save()
    address = f"/players/{player.pk}/tables.ics"

    def told() -> str:
        events = client.get(address).content.decode().replace("\r\n ", "").split("BEGIN:VEVENT")
        (hidden,) = (one for one in events if f"matches/{event.hidden.pk}/" in one)
        return hidden

    # Not “Won” by itself: somebody at the table may be a Wong.
    assert not re.search(r"Won\\, \d", told())
    client.force_login(player.user)
    assert f"Won\\, {HIDDEN['AC']} to" in told()


def test_a_score_makes_no_page_of_strangers_new_but_showing_does(client, event):
    addresses = ("/t/prize-giving/", "/t/prize-giving/rounds/1/3/", "/t/prize-giving/standings/")

    def tags() -> list[str]:
        return [client.get(one, headers={"Part": "1"}).headers["ETag"] for one in addresses]

    before = tags()
    match = event.recorded
    type(match).objects.filter(pk=match.pk).update(score={"totals": {"AC": 55}, "round": 3})
    assert tags() == before
    held = client.get(addresses[1], headers={"Part": "1", "If-None-Match": before[1]})
    assert held.status_code == 304
    show_results(event.tournament, by=event.tournament.created_by)
    assert all(one != other for one, other in zip(before, tags(), strict=True))


def test_the_stream_tells_lists_of_strangers_nothing_of_a_hidden_score(event):
    match = event.recorded
    changes = Changes()
    changes.look()
    match.score = {"totals": {"AC": 55}, "round": 3}
    match.save()
    changes.look()
    match.score = {"totals": {"AC": 56}, "round": 3}
    match.save()
    told = changes.look()
    assert f"o{event.tournament.pk}" in told
    assert f"r{match.pairing_round_id}" not in told
    assert f"e{event.tournament.pk}" not in told


def test_a_bracket_with_hidden_results_announces_nobody(client):
    stage = made(event_of(4), "knockout")
    by = stage.tournament.created_by
    play_round(stage, 1)
    hide_results(stage.tournament, stage=stage.number, round=1, by=by)
    play_round(stage, 2)
    address = f"/t/{stage.tournament.slug}/bracket/{stage.number}/"
    shown = client.get(address).content.decode()
    assert "to be announced" in shown
    assert "200:120" not in shown
    api = client.get(f"/api{address}").json()
    assert api["champion"] is None
    assert api["places"] == []
    sides = [
        side
        for part in api["parts"]
        for column in part["rounds"]
        for meeting in column["meetings"]
        for side in meeting["sides"]
    ]
    assert not any(side["is_winner"] or side["score"] is not None for side in sides)
    show_results(stage.tournament, by=by)
    assert client.get(f"/api{address}").json()["champion"] is not None


def test_later_stages_are_hidden_with_the_stage_before(event):
    later = factories.StageFactory.create(tournament=event.tournament, name="Finals")
    pairing_round = factories.PairingRoundFactory.create(stage=later)
    hidden = publication.hidden(Tournament.objects.get(pk=event.tournament.pk))
    assert hidden.has(pairing_round)
    assert hidden.last_known(later) == 0
    assert hidden.last_known(Stage(number=0)) is None


def test_what_leaves_without_a_reader_is_what_strangers_know(event):
    shown = standings_page(Tournament.objects.get(pk=event.tournament.pk))
    assert shown.hidden_rounds == (2, 3)
    assert not publication.may_see_play(AnonymousUser(), tables(event.stage, 2)[0])


def test_the_desk_hides_and_shows_by_page_and_by_api(director, event):
    address, api = "/desk/prize-giving/results/hidden/", "/api/desk/prize-giving/hidden-results/"
    assert "Hide results from this round on" in director.get(address).content.decode()
    assert director.post(address, {"stage": "1", "round": "3"}).status_code == 302
    assert director.get(api).json() == {"hidden_from": {"stage": 1, "round": 3}}
    assert director.post(address, {"act": "show"}).status_code == 302
    assert director.get(api).json() == {"hidden_from": None}
    given = {"stage": 1, "round": 2}
    answer = director.put(api, given, content_type="application/json")
    assert answer.json() == {"hidden_from": given}
    assert director.put(
        api, {"stage": 9, "round": 2}, content_type="application/json"
    ).json()["code"] == "no_stage_to_hide"  # fmt: skip
    assert director.delete(api).json() == {"hidden_from": None}
    assert director.post(address, {"stage": "1", "round": "99"}).status_code == 422


def test_no_stranger_reaches_the_page_that_hides(client, event):
    client.force_login(factories.UserFactory.create())
    assert client.get("/desk/prize-giving/results/hidden/").status_code == 403
    assert client.get("/api/desk/prize-giving/hidden-results/").status_code == 403


def test_what_is_hidden_costs_no_page_more_queries_than_it_may_have(client, event):
    dear = {}
    for address in ("", "rounds/1/2/", "standings/", "entries/", "entries/1/", "statistics/"):
        with CaptureQueriesContext(connection) as asked:
            assert client.get(f"/t/prize-giving/{address}").status_code == 200
        if len(asked) > 15:
            dear[address] = len(asked)
    assert dear == {}
