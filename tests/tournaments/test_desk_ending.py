"""The end of an event is confirmed; points that count already change only with a reason."""

from __future__ import annotations

import pytest
from django.urls import reverse
from rest_framework.test import APIClient

from tests.tournaments.appealing import filed
from tests.tournaments.undoing import World
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import LogEntry, Tournament
from tournaments.policies import Policies
from tournaments.queries.ending import ending_of
from tournaments.services import corrections, draws, lifecycle, registration, reports, undoing
from tournaments.services.corrections import lose_all

pytestmark = pytest.mark.django_db


def finish_page(world, client, text):
    client.force_login(world.by)
    return text(client.get(reverse("tournaments:director_finish", args=[world.event.slug])))


def test_the_end_names_the_tables_without_result_and_offers_no_button(client, text):
    world = World()
    world.published(rounds=3)
    page = finish_page(world, client, text)
    assert "Round 1 of Swiss system: tables 1, 2 have no result." in page
    assert (
        "Every published table needs its result, and every appeal its decision, before the event"
        in page
    )
    assert 'class="button danger"' not in page


def test_the_end_says_what_stays_undecided_and_is_taken_back(client, text):
    world = World()
    stage = world.closed(rounds=3).pairing_round.stage
    draws.draw_round(stage, number=2, by=world.by)
    page = finish_page(world, client, text)
    assert "Round 2 of Swiss system is drawn but not published." in page
    assert "If the event ends now, this stays as it is." in page
    address = reverse("tournaments:director_finish", args=[world.event.slug])
    assert client.post(address).status_code == 302
    assert world.fresh().state == Tournament.State.FINISHED
    assert client.get(address).status_code == 302
    undoing.undo(LogEntry.objects.get(act="finished"), by=world.by)
    assert world.fresh().state == Tournament.State.RUNNING
    assert world.event.stages.get().state == "open"


def test_rounds_not_drawn_and_results_to_be_checked_are_named():
    world = World(policies={"second_check": True})
    match = world.table(rounds=3)
    reports.submit_score(match, points={"AC": 100, "BD": 10}, by=world.by)
    ending = ending_of(world.event)
    assert "The result of table 1 waits for its second check." in ending.open
    assert "Round 2 of Swiss system has not been drawn." in ending.open


def test_a_bracket_without_winner_is_named():
    world = World()
    match = world.closed("knockout")
    assert "Knockout has no winner yet." in ending_of(world.event).open
    lose_all(match, reason="both were late", by=world.by)
    said = "Both sides of table 1 have lost, and nobody has said who goes on."
    assert said in ending_of(world.event).open


def test_nothing_open_is_said_too(client, text):
    world = World()
    world.closed(rounds=1)
    assert ending_of(world.event).open == ()
    page = finish_page(world, client, text)
    assert "Every table has its result, and nothing waits for a decision." in page


def test_the_desk_leads_to_the_question_first(client, text):
    world = World()
    world.closed(rounds=1)
    client.force_login(world.by)
    page = text(client.get(reverse("tournaments:director", args=[world.event.slug])))
    address = reverse("tournaments:director_finish", args=[world.event.slug])
    assert f'href="{address}"' in page
    assert f'action="{address}"' not in page


def test_only_a_director_is_asked(client):
    world = World()
    world.closed(rounds=1)
    address = reverse("tournaments:director_finish", args=[world.event.slug])
    assert client.get(address).status_code == 302
    assert world.fresh().state == Tournament.State.RUNNING


# --- points that count already ---------------------------------------------------------------


def test_points_of_byes_that_count_already_need_a_reason():
    world = World(5)
    world.published()
    with pytest.raises(entry_errors.PointsCountAlready) as caught:
        registration.set_policies(world.event, Policies(bye=(50, 0)), by=world.by)
    assert explain(caught.value).startswith("Round 1 of Swiss system is published and counts")
    assert world.fresh().policies == {}
    given = Policies(bye=(50, 0))
    for _ in range(2):
        registration.set_policies(world.event, given, reason="as announced", by=world.by)
    line = LogEntry.objects.get(act="policies_changed")
    assert line.details["reason"] == "as announced"
    assert world.fresh().policies["bye"] == [50, 0]


def test_points_nobody_has_yet_need_no_reason():
    world = World()
    world.published()
    registration.set_policies(world.event, Policies(bye=(50, 0)), by=world.by)
    assert world.fresh().policies["bye"] == [50, 0]


@pytest.mark.parametrize("door", ["page", "api"])
def test_both_doors_ask_for_the_reason_and_lose_nothing(client, text, door):
    world = World(5)
    world.published()
    if door == "api":
        api = APIClient()
        api.force_authenticate(world.by)
        address = reverse("tournaments:api_policies", args=[world.event.slug])
        given = {"bye": [50, 0], "late_entry": "half"}
        refused = api.put(address, given, format="json")
        assert (refused.status_code, refused.json()["code"]) == (409, "points_count_already")
        done = api.put(address, {**given, "reason": "as announced"}, format="json")
        assert done.status_code == 200
    else:
        client.force_login(world.by)
        address = reverse("tournaments:director_registration", args=[world.event.slug])
        given = {
            "form": "policies",
            "policies-bye_for": "50",
            "policies-bye_against": "0",
            "policies-late": "half",
        }
        refused = client.post(address, given)
        assert refused.status_code == 422
        assert "Give the reason, which is logged" in text(refused)
        assert 'value="50"' in text(refused)
        done = client.post(address, {**given, "policies-reason": "as announced"})
        assert done.status_code == 302
    assert world.fresh().policies["bye"] == [50, 0]


# --- both sides put out ---------------------------------------------------------------------


def test_expelling_both_stands_at_the_desk_and_not_on_the_bracket(client, text):
    world = World()
    match = world.closed("knockout")
    client.force_login(world.by)
    slug = world.event.slug
    bracket = text(client.get(reverse("tournaments:bracket", args=[slug, 1])))
    assert "Expel both" not in bracket
    address = reverse("tournaments:director_expel", args=[slug, match.pk])
    assert address in text(
        client.get(reverse("tournaments:director_reopen", args=[slug, match.pk]))
    )
    corrections.restart(match, reason="anew", attempt={}, by=world.by)
    page = client.get(reverse("tournaments:director_table_absent", args=[slug, match.pk]))
    assert address in text(page)


def test_an_appeal_that_is_not_decided_stands_in_the_way():
    world = World()
    filed(world.closed(rounds=1))
    assert ending_of(world.event).blocks == ("Appeal 1 is not decided.",)


def test_the_end_is_refused_by_the_service_while_a_table_is_open():
    world = World()
    world.published()
    with pytest.raises(Exception, match="table"):
        lifecycle.finish(world.event, by=world.by)
