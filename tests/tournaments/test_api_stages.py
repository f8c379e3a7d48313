"""Stages through the director's API."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from tests.tournaments.test_director_stages import all_won_by_ac
from tournaments.models import Stage
from tournaments.services import draws, pairings, stages
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db
STAGES = "/api/desk/nile/stages/"


@pytest.fixture
def api(organizer) -> APIClient:
    client = APIClient()
    client.force_authenticate(organizer)
    return client


def post(api: APIClient, address: str, given: dict[str, object]):
    return api.post(address, given, format="json")


def test_a_stage_of_any_system_is_made(api, event, running):
    running(event, pairs=8)
    given = {"system": "knockout", "best_of": [1, 3, 5], "third_place": True, "target": 150}
    told = post(api, STAGES, given).json()
    assert (told["number"], told["system"], told["state"]) == (1, "knockout", "open")
    assert post(api, STAGES, given).json()["number"] == 1
    stage = Stage.objects.get()
    assert stage.settings["draw"] == {"best_of": [1, 3, 5], "third_place": True}
    assert stage.target == 150
    refused = post(api, STAGES, {"system": "rotating"})
    assert (refused.status_code, refused.json()["code"]) == (409, "system_needs_singles")
    assert post(api, STAGES, {"system": "chess"}).status_code == 400


def test_the_best_of_a_closed_stage_go_on(api, event, running):
    running(event, pairs=8)
    stage = stages.make_stage(event, StagePlan("groups", draw={"groups": 2}), by=event.created_by)
    all_won_by_ac(stage, event.created_by)
    asked = STAGES + "1/qualifiers/"
    assert post(api, asked, {"each": 2}).json()["code"] == "stage_not_closed"
    assert post(api, STAGES + "1/close/", {}).json()["state"] == "closed"
    ahead = post(api, asked, {"each": 2}).json()
    assert [one["place"] for one in ahead] == [1, 1, 2, 2]
    assert post(api, STAGES + "1/reopen/", {}).status_code == 400
    assert post(api, STAGES + "1/reopen/", {"reason": "Misread"}).json()["state"] == "open"
    post(api, STAGES + "1/close/", {})
    given = {"system": "knockout", "source": 1, "takes": {"each": 2}}
    assert post(api, STAGES, given).json()["number"] == 2
    refused = post(api, STAGES + "1/reopen/", {"reason": "Misread"})
    assert refused.json()["code"] == "stage_has_successor"
    assert post(api, STAGES, {"system": "swiss", "source": 9}).status_code == 404


def test_both_sides_of_a_table_are_expelled(api, event, running):
    running(event, pairs=4)
    stage = stages.make_stage(event, StagePlan("knockout"), by=event.created_by)
    drawn = pairings.publish(
        draws.draw_round(stage, number=1, by=event.created_by), by=event.created_by
    )
    match = drawn.matches.get(table=1)
    told = post(api, f"/api/desk/nile/tables/{match.pk}/expel/", {"reason": "A brawl"})
    assert told.status_code == 200
    assert event.entries.filter(state="disqualified").count() == 2
