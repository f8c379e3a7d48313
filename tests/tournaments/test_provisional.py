"""A draw counts confirmed results, and reported ones only where the organizer says so."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from tests.factories import OfficialFactory
from tests.tournaments.test_services_draws import event
from tournaments import tasks
from tournaments.competition.proof import verify
from tournaments.errors import draws as draw_errors
from tournaments.models import LogEntry, Match, Official, Stage, StandingRow
from tournaments.queries.proofs import stored_draw
from tournaments.services import draws, pairings, reports, stages
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings
from tournaments.words.log import log_lines

pytestmark = pytest.mark.django_db

WHY = "The form of table 4 is on its way."


@pytest.fixture
def stage() -> Stage:
    """Round 1 of a Swiss of 8: three results are confirmed, table 4 is reported, 200 to 35."""
    tournament = event(8)
    tournament.policies = {"second_check": True}
    tournament.save()
    by = tournament.created_by
    found = stages.make_stage(tournament, StagePlan("swiss", rounds=5, target=200), by=by)
    first = pairings.publish(draws.draw_round(found, number=1, by=by), by=by)
    scorer = OfficialFactory.create(tournament=tournament, duty=Official.Duty.SCORER).user
    for match in first.matches.order_by("table"):
        points = {"AC": 200, "BD": 35 if match.table == 4 else 100 + match.table}
        reports.submit_score(match, points=points, sure=True, by=scorer)
        if match.table != 4:
            reports.accept_report(match, by=by)
    rebuild_standings(found)
    return found


def by_of(stage: Stage) -> User:
    return stage.tournament.created_by


def fourth(stage: Stage) -> Match:
    return Match.objects.get(pairing_round__stage=stage, pairing_round__number=1, table=4)


def winner_at(match: Match) -> str:
    return str(match.seats.get(seat="A").entry.number)


def asked(stage: Stage) -> dict[str, Any]:
    """Return the entries of the request for round 2, by id."""
    draw = stage.rounds.get(number=2).draw
    return {one["id"]: one for one in draw["request"]["entries"]}


def provisional(stage: Stage, **more: Any) -> Any:
    return draws.draw_round(stage, number=2, reason=WHY, provisional=True, by=by_of(stage), **more)


def test_by_default_the_reported_winner_has_no_win_in_the_draw(stage):
    draws.draw_round(stage, number=2, reason=WHY, by=by_of(stage))
    assert asked(stage)[winner_at(fourth(stage))]["wins"] == 0
    assert "provisional" not in stage.rounds.get(number=2).draw


def test_provisionally_the_reported_winner_is_drawn_with_its_win_and_ranks_first(stage):
    provisional(stage)
    found = asked(stage)[winner_at(fourth(stage))]
    assert (found["wins"], found["rank"]) == (1, 1)


def test_the_standings_never_know_what_a_draw_counted_provisionally(stage):
    before = list(StandingRow.objects.order_by("order").values_list("entry", "values"))
    provisional(stage)
    rebuild_standings(stage)
    assert list(StandingRow.objects.order_by("order").values_list("entry", "values")) == before
    reports.reject_report(fourth(stage), by=by_of(stage))
    rebuild_standings(stage)
    assert list(StandingRow.objects.order_by("order").values_list("entry", "values")) == before


def test_open_tables_are_still_named_and_need_their_reason(stage):
    with pytest.raises(draw_errors.ResultsMissing):
        draws.draw_round(stage, number=2, provisional=True, by=by_of(stage))


def test_the_choice_is_in_the_log_with_its_tables_and_its_reason(stage):
    provisional(stage)
    line = LogEntry.objects.get(act="round_drawn", details__round=2)
    assert line.details["provisional"] == ["1/4"]
    [said] = log_lines([line])
    assert "let results count that were not confirmed" in said.text
    assert "1/4" in said.text
    assert WHY in said.text


def test_the_proof_keeps_what_was_counted_and_replays_to_the_same_draw(stage):
    drawn = provisional(stage)
    stored = stored_draw(drawn)
    assert stored is not None
    assert stored["provisional"] == [{"round": 1, "table": 4, "score": "200–35"}]
    assert verify(stored)["valid"] is True


def test_everybody_reads_on_the_proof_that_the_draw_counted_it(stage, client, text):
    drawn = provisional(stage)
    pairings.publish(drawn, by=by_of(stage))
    address = reverse("tournaments:proof", args=[stage.tournament.slug, 1, 2])
    page = text(client.get(address))
    assert "reported and not confirmed yet" in page
    assert "200–35" in page


def test_the_page_of_the_draw_offers_the_choice_and_the_draft_shows_it(
    stage: Stage, client: Client, text: Any
) -> None:
    client.force_login(by_of(stage))
    url = f"/desk/{stage.tournament.slug}/pairings/1/2/draw/"
    page = text(client.get(url))
    assert "Count reported results that are not confirmed yet, for this draw" in page
    assert "200–35" in page
    refused = client.post(url + "now/", {"provisional": "1"})
    assert refused.status_code == 422
    assert 'value="1" checked' in text(refused)
    done = client.post(url + "now/", {"provisional": "1", "reason": WHY}, follow=True)
    assert "reported and not confirmed yet" in text(done)
    assert asked(stage)[winner_at(fourth(stage))]["wins"] == 1


def test_where_nothing_is_reported_the_page_offers_no_choice(stage, client, text):
    reports.accept_report(fourth(stage), by=by_of(stage))
    client.force_login(by_of(stage))
    page = text(client.get(f"/desk/{stage.tournament.slug}/pairings/1/2/draw/"))
    assert "Count reported results" not in page


def test_the_api_takes_the_choice(stage):
    api = APIClient()
    api.force_authenticate(by_of(stage))
    address = f"/api/desk/{stage.tournament.slug}/stages/1/rounds/2/draw/"
    answer = api.post(address, {"reason": WHY, "provisional": True}, format="json")
    assert answer.status_code == 200
    assert asked(stage)[winner_at(fourth(stage))]["wins"] == 1
    pairings.publish(stage.rounds.get(number=2), by=by_of(stage))
    proof = api.get(reverse("tournaments:api_proof", args=[stage.tournament.slug, 1, 2]))
    assert proof.json()["provisional"][0]["table"] == 4


def test_a_draw_by_a_worker_takes_the_choice(stage):
    tasks.draw_round(stage.pk, 2, by_of(stage).pk, WHY, True)
    assert asked(stage)[winner_at(fourth(stage))]["wins"] == 1


def test_where_the_draw_follows_no_standings_the_choice_is_refused():
    tournament = event(4)
    by = tournament.created_by
    found = stages.make_stage(tournament, StagePlan("knockout"), by=by)
    with pytest.raises(draw_errors.NothingIsProvisional):
        draws.draw_round(found, number=1, provisional=True, by=by)
    assert not Match.objects.exists()
