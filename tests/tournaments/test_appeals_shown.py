"""A result under protest says so wherever it is shown; why stays with the officials."""

from __future__ import annotations

import csv
import io
from typing import Any

import pytest
from django.test import Client

from tests.factories import EntryFactory, TournamentFactory
from tests.tournaments.appealing import (
    GROUNDS,
    director_of,
    event_of,
    filed,
    official_of,
    played_round,
    side_of,
    table_of,
)
from tournaments.models import Match, Tournament
from tournaments.services import (
    appeal_decisions,
    appeals,
    draws,
    exports,
    pairings,
    ratings,
    scores,
    stages,
)
from tournaments.services.appeal_decisions import Verdict
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

PROTEST = "Under protest"
PROVISIONAL = "These standings are provisional."


@pytest.fixture
def match() -> Match:
    return table_of(played_round(slug="nile"))


def page(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200, address
    return answer.content.decode()


def decide(match: Match, *, reasons: str = "The sheet says so.") -> None:
    verdict = Verdict("upheld", reasons, "corrected", points={"AC": 60, "BD": 105})
    appeal_decisions.decide_appeal(filed(match), verdict, by=director_of(match))


def stage_of(system: str, entries: int, **plan: Any) -> Match:
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, slug="nile")
    EntryFactory.create_batch(entries, tournament=tournament)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(name="Main", system=system, **plan), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    pairings.publish(drawn, by=by)
    for one in drawn.matches.all():
        scores.record_score(one, points={"AC": 105, "BD": 60}, sure=True, by=by)
    return table_of(drawn)


@pytest.mark.parametrize(
    "address", ["/t/nile/rounds/1/1/", "/t/nile/", "/t/nile/entries/{entry}/", "/matches/{match}/"]
)
def test_public_pages_say_that_a_result_is_under_protest(client, match, address):
    address = address.format(match=match.pk, entry=side_of(match, "A").number)
    assert PROTEST not in page(client, address)
    filed(match)
    shown = page(client, address)
    assert PROTEST in shown
    assert GROUNDS not in shown


@pytest.mark.parametrize("view", ["", "?by=player", "?by=club"])
def test_standings_say_that_they_are_provisional_and_why(client, match, view):
    address = f"/t/nile/standings/{view}"
    assert PROVISIONAL not in page(client, address)
    filed(match)
    shown = page(client, address)
    assert PROVISIONAL in shown
    assert "round 1, table 1" in shown


def test_a_decided_appeal_leaves_no_mark_but_its_effect(client, match):
    decide(match, reasons="A secret reason.")
    assert PROTEST not in page(client, "/t/nile/rounds/1/1/")
    assert PROVISIONAL not in page(client, "/t/nile/standings/")
    shown = page(client, f"/matches/{match.pk}/")
    assert "An appeal about this table was decided" in shown
    assert "The result is corrected." in shown
    assert "A secret reason." not in shown
    assert GROUNDS not in shown


def test_a_withdrawn_appeal_leaves_nothing(client, match):
    before = page(client, f"/matches/{match.pk}/")
    appeals.withdraw_appeal(filed(match), by=director_of(match))
    assert "appeal" not in before
    assert "appeal" not in page(client, f"/matches/{match.pk}/")


def test_kept_standings_are_provisional_for_appeals_up_to_their_round(client, match):
    by = director_of(match)
    second = draws.draw_round(match.pairing_round.stage, number=2, by=by)
    pairings.publish(second, by=by)
    for one in second.matches.all():
        scores.record_score(one, points={"AC": 105, "BD": 60}, sure=True, by=by)
    rebuild_standings(match.pairing_round.stage)
    filed(table_of(second))
    assert PROVISIONAL not in page(client, "/t/nile/standings/after/1/")
    assert PROVISIONAL in page(client, "/t/nile/standings/after/2/")


def test_a_page_that_was_kept_is_not_fresh_after_filing(client, match):
    first = client.get("/t/nile/rounds/1/1/")
    filed(match)
    again = client.get("/t/nile/rounds/1/1/", headers={"If-None-Match": first["ETag"]})
    assert again.status_code == 200


def test_the_api_of_a_match_is_not_fresh_after_filing(client, match):
    first = client.get(f"/api/matches/{match.pk}/")
    assert first.json()["table"]["match"]["under_protest"] is False
    filed(match)
    again = client.get(f"/api/matches/{match.pk}/", headers={"If-None-Match": first["ETag"]})
    assert again.json()["table"]["match"]["under_protest"] is True


def test_the_api_says_it_of_tables_and_standings(client, match):
    filed(match)
    tables = client.get("/api/t/nile/rounds/1/1/").json()["tables"]
    assert [one["table"] for one in tables if one["under_protest"]] == [1]
    (one,) = client.get("/api/t/nile/standings/").json()["under_protest"]
    assert (one["round"], one["table"], one["match"]) == (1, 1, match.pk)


def test_exports_say_it_row_by_row(match):
    filed(match)
    rounds = [match.pairing_round]
    written = exports.written(exports.results_sheet(rounds), "csv").decode("utf-8-sig")
    rows = list(csv.DictReader(io.StringIO(written)))
    assert {row["under_protest"] for row in rows if row["table"] == "1"} == {"1"}
    assert {row["under_protest"] for row in rows if row["table"] != "1"} == {"0"}
    stage = match.pairing_round.stage
    standings = exports.standings_sheet(stage)
    assert {row[standings.columns.index("provisional")] for row in standings.rows} == {1}


def test_exports_of_an_event_without_appeals_are_final(match):
    sheet = exports.standings_sheet(match.pairing_round.stage)
    assert {row[sheet.columns.index("provisional")] for row in sheet.rows} == {0}


def test_a_bracket_says_it_at_the_meeting(client):
    match = stage_of("knockout", 4)
    assert PROTEST not in page(client, "/t/nile/bracket/1/")
    filed(match)
    shown = page(client, "/t/nile/bracket/1/")
    assert PROTEST in shown
    assert PROVISIONAL in shown
    parts = client.get("/api/t/nile/bracket/1/").json()["parts"]
    meetings = [one for part in parts for column in part["rounds"] for one in column["meetings"]]
    assert sum(one["under_protest"] for one in meetings) == 1


def test_groups_say_it_in_the_cross_table(client):
    match = stage_of("groups", 8, draw={"groups": 2})
    filed(match)
    shown = page(client, "/t/nile/groups/1/")
    assert shown.count("under protest</span>") == 2
    assert PROVISIONAL in shown


def test_a_player_sees_it_beside_the_rating(client, match):
    ratings.rebuild_ratings(event_of(match))
    filed(match)
    player = match.seats.get(seat="A").player_id
    assert "under protest" in page(client, f"/players/{player}/")


@pytest.mark.parametrize(
    "address",
    ["/desk/nile/tables/", "/desk/nile/results/1/1/", "/tables/nile/", "/matches/{match}/record/"],
)
def test_the_desk_and_the_referee_see_it(client, match, address):
    filed(match)
    client.force_login(director_of(match))
    assert PROTEST in page(client, address.format(match=match.pk))


def test_the_page_of_the_next_draw_names_the_appeal(client, match):
    made = filed(match)
    client.force_login(director_of(match))
    shown = page(client, "/desk/nile/pairings/1/2/draw/")
    assert f"/appeals/{made.pk}/" in shown
    assert "Why you draw all the same" in shown


def test_drawing_over_an_appeal_on_the_page_wants_a_reason(client, match):
    filed(match)
    client.force_login(director_of(match))
    address = "/desk/nile/pairings/1/2/draw/now/"
    assert client.post(address, {"reason": ""}).status_code == 422
    assert client.post(address, {"reason": "The panel sits tonight."}).status_code == 302


def test_the_api_of_the_draw_names_the_appeal(client, match):
    filed(match)
    client.force_login(director_of(match))
    address = "/api/desk/nile/stages/1/rounds/2/draw/"
    refused = client.post(address, {}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (409, "appeals_undecided")


def test_officials_open_an_appeal_from_the_match_and_the_public_does_not(client, match):
    made = filed(match)
    link = f"/appeals/{made.pk}/"
    assert link not in page(client, f"/matches/{match.pk}/")
    client.force_login(official_of(match))
    assert link in page(client, f"/matches/{match.pk}/")


def test_a_private_event_says_nothing_to_a_stranger(client, match):
    filed(match)
    Tournament.objects.filter(pk=event_of(match).pk).update(is_private=True)
    for address in ("/t/nile/standings/", f"/matches/{match.pk}/", "/api/t/nile/standings/"):
        assert client.get(address).status_code == 404


def test_the_log_of_the_desk_tells_it_in_sentences(client, match):
    decide(match)
    client.force_login(director_of(match))
    shown = page(client, "/desk/nile/log/")
    assert "filed appeal 1 of" in shown
    assert "decision on appeal 1 about table 1" in shown
    assert "Upheld, The result is corrected" in shown


def test_lists_take_no_query_more_for_more_appeals(client, match, django_assert_max_num_queries):
    client.get("/t/nile/rounds/1/1/")
    filed(match)
    with django_assert_max_num_queries(60) as one:
        client.get("/t/nile/rounds/1/1/")
    for number in (2, 3, 4):
        filed(table_of(match.pairing_round, number))
    with django_assert_max_num_queries(len(one)):
        client.get("/t/nile/rounds/1/1/")


def test_the_desk_says_how_many_appeals_wait(client, match):
    filed(match)
    client.force_login(director_of(match))
    assert "1 appeal is not decided yet." in page(client, "/desk/nile/")
