"""The API anybody may read, how errors leave it, and that its description is complete."""

from __future__ import annotations

from typing import ClassVar

import pytest
import yaml
from django.core.exceptions import PermissionDenied
from django.core.management import call_command
from django.http import Http404
from django.urls import reverse
from rest_framework import exceptions, serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.test import APIRequestFactory
from rest_framework.views import APIView

from engine.errors import BadRecord
from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    StandingRowFactory,
    TournamentFactory,
)
from tournaments.errors.base import NameMissing
from tournaments.models import Match, Official, PairingRound, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament():
    return TournamentFactory.create(name="Cairo Open", slug="cairo", state="running")


@pytest.fixture
def stage(tournament):
    return StageFactory.create(tournament=tournament)


@pytest.fixture
def first_round(stage):
    return PairingRoundFactory.create(stage=stage, state=PairingRound.State.PLAYING)


def told(client, url, status=200, **headers):
    response = client.get(url, headers=headers)
    assert response.status_code == status, response.content
    return response.json()


# --- reading --------------------------------------------------------------------------------


def test_tournaments_are_listed_the_newest_first_and_page_by_page(client):
    for number in range(1, 4):
        TournamentFactory.create(name=f"Cup {number}", starts_on=f"2026-05-0{number}")
    page = told(client, "/api/t/?limit=2")
    assert [one["name"] for one in page["results"]] == ["Cup 3", "Cup 2"]
    assert page["count"] == 3
    assert [one["name"] for one in told(client, page["next"])["results"]] == ["Cup 1"]


def test_a_tournament_tells_where_when_and_under_which_rules(client, tournament, first_round):
    EntryFactory.create(tournament=tournament)
    MatchFactory.create(pairing_round=first_round)
    one = told(client, "/api/t/cairo/")
    assert one["venue"] == "Café Olive"
    assert one["starts_on"] == "2026-05-01"
    assert (one["profile"], one["target"]) == ("wdf", 100)
    assert (one["entries"], one["rounds_published"], one["tables_open"]) == (3, 1, 1)


def test_entries_come_with_their_players_and_nothing_private(client, tournament):
    entry = EntryFactory.create(tournament=tournament)
    (one,) = told(client, "/api/t/cairo/entries/")
    names = [member.player.name for member in entry.members.order_by("position")]
    assert [player["name"] for player in one["players"]] == names
    assert set(one["players"][0]) == {"id", "name", "latin_name", "country"}


def test_stages_list_the_rounds_the_reader_may_know_of(client, tournament, first_round):
    PairingRoundFactory.create(stage=first_round.stage, state=PairingRound.State.DRAFT)
    (stage,) = told(client, "/api/t/cairo/rounds/")
    assert [one["number"] for one in stage["rounds"]] == [1]
    client.force_login(tournament.created_by)
    (stage,) = told(client, "/api/t/cairo/rounds/")
    assert [one["number"] for one in stage["rounds"]] == [1, 2]


def test_a_round_tells_tables_seats_and_the_running_score(client, first_round):
    match = MatchFactory.create(pairing_round=first_round, state=Match.State.PLAYING)
    match.score = {"totals": {"AC": 37, "BD": 12}, "round": 3}
    match.save()
    (table,) = told(client, "/api/t/cairo/rounds/1/1/")["tables"]
    assert (table["match"], table["table"], table["round"]) == (match.pk, 1, 3)
    assert [(side["side"], side["points"]) for side in table["sides"]] == [("AC", 37), ("BD", 12)]
    assert [seat["seat"] for seat in table["sides"][1]["seats"]] == ["B", "D"]
    assert table["record"].endswith(reverse("referee:api_record", args=[match.pk]))


def test_standings_tell_their_tie_breaks_and_what_decided(client, stage, first_round):
    for order, wins in enumerate((3, 2), start=1):
        StandingRowFactory.create(
            stage=stage,
            order=order,
            played=3,
            values={"wins": wins, "difference": 5, "points_for": 100},
            decided_by="" if order == 1 else "wins",
        )
    standings = told(client, "/api/t/cairo/standings/")
    assert [one["name"] for one in standings["tie_breaks"]] == stage.tie_breaks
    second = standings["rows"][1]
    assert second["values"] == {"wins": 2, "difference": 5, "points_for": 100}
    assert (second["decided_by"], second["reason"]) == ("wins", "Wins decide: 2 against 3.")


def test_standings_before_anything_is_published_are_empty(client, tournament):
    standings = told(client, "/api/t/cairo/standings/")
    assert (standings["stage"], standings["rows"]) == (None, [])


def test_rules_are_told_for_programs_and_for_people(client):
    TournamentFactory.create(slug="own", target=150, options={"round_to": 5})
    rules = told(client, "/api/t/own/rules/")
    assert rules["frozen"]["options"]["round_to"] == 5
    assert {"text", "article"} == set(rules["lines"][0])
    changed = [one["name"] for one in rules["options"] if one["is_changed"]]
    assert changed == ["round_to"]


# --- publication ----------------------------------------------------------------------------

ADDRESSES = ["", "entries/", "rounds/", "standings/", "rules/"]


@pytest.mark.parametrize("end", ADDRESSES)
def test_a_draft_tournament_is_there_for_its_officials_only(client, end):
    draft = TournamentFactory.create(slug="secret", state=Tournament.State.DRAFT)
    told(client, f"/api/t/secret/{end}", 404)
    assert told(client, "/api/t/")["count"] == 0
    client.force_login(draft.created_by)
    told(client, f"/api/t/secret/{end}")
    assert told(client, "/api/t/")["count"] == 1


def test_a_draft_round_is_there_for_the_directors_only(client, stage, tournament):
    PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    told(client, "/api/t/cairo/rounds/1/1/", 404)
    referee = OfficialFactory.create(tournament=tournament, duty=Official.Duty.REFEREE)
    client.force_login(referee.user)
    told(client, "/api/t/cairo/rounds/1/1/", 404)
    client.force_login(tournament.created_by)
    told(client, "/api/t/cairo/rounds/1/1/")


# --- how errors leave -----------------------------------------------------------------------


class Limited(serializers.Serializer[object]):
    points = serializers.IntegerField(min_value=1)


class Raising(APIView):
    """Answers with whatever error a test gives it."""

    error: ClassVar[Exception]
    permission_classes = ()

    def post(self, request: Request) -> Response:
        raise self.error

    def put(self, request: Request) -> Response:
        Limited(data=request.data).is_valid(raise_exception=True)
        return Response()


def answer(error, language="en"):
    class View(Raising):
        pass

    View.error = error
    request = APIRequestFactory().post("/", {}, headers={"Accept-Language": language})
    return View.as_view()(request)


def test_a_refusal_answers_409_with_code_and_sentence():
    response = answer(NameMissing())
    assert response.status_code == 409
    assert response.data == {
        "code": "name_missing",
        "message": "The tournament has no name. Enter one.",
    }


def test_a_record_that_cannot_be_read_answers_400_with_its_path():
    response = answer(BadRecord("rounds[0].events[2]", "an event", 7))
    assert response.status_code == 400
    assert response.data["code"] == "bad_record"
    assert response.data["path"] == "rounds[0].events[2]"
    assert "rounds[0].events[2]" in response.data["message"]


@pytest.mark.parametrize(
    ("error", "status", "code", "sentence"),
    [
        (PermissionDenied("Only a director may do this."), 403, "permission_denied", "director"),
        (PermissionDenied(), 403, "permission_denied", "Ask a director"),
        (Http404(), 404, "not_found", "nothing at this address"),
        (exceptions.NotFound(), 404, "not_found", "nothing at this address"),
        (exceptions.NotAuthenticated(), 403, "not_authenticated", "Sign in first"),
        (exceptions.ParseError("Broken."), 400, "parse_error", "Content-Type"),
        (exceptions.MethodNotAllowed("PUT"), 405, "method_not_allowed", "PUT"),
    ],
)
def test_other_errors_carry_a_code_and_a_sentence_too(error, status, code, sentence):
    response = answer(error)
    assert (response.status_code, response.data["code"]) == (status, code)
    assert sentence in response.data["message"]


def test_wrong_fields_answer_400_field_by_field():
    request = APIRequestFactory().put("/", {"points": 0}, format="json")
    response = Raising.as_view()(request)
    assert response.status_code == 400
    assert response.data["code"] == "fields_are_wrong"
    assert [one["field"] for one in response.data["errors"]] == ["points"]


def test_a_bug_stays_a_bug():
    with pytest.raises(ZeroDivisionError):
        answer(ZeroDivisionError())


# --- description ----------------------------------------------------------------------------


def test_the_description_is_complete_and_without_warnings(tmp_path):
    written = tmp_path / "schema.yaml"
    call_command("spectacular", "--validate", "--fail-on-warn", file=str(written))
    paths = yaml.safe_load(written.read_text(encoding="utf-8"))["paths"]
    assert {f"/api/t/{{slug}}/{end}" for end in ADDRESSES} <= set(paths)
    assert "/api/rounds/{id}/events/" in paths


def test_each_operation_says_what_it_does_in_one_line_of_its_own(tmp_path):
    written = tmp_path / "schema.yaml"
    call_command("spectacular", file=str(written))
    paths = yaml.safe_load(written.read_text(encoding="utf-8"))["paths"]
    said = [operation.get("summary", "") for one in paths.values() for operation in one.values()]
    assert all(said)
    assert len(said) == len(set(said))


def test_the_pages_of_the_api_need_no_other_site(client):
    page = client.get(reverse("api_docs")).content.decode()
    assert "https://" not in page
    assert "<style" not in page
    assert reverse("schema") in client.get(reverse("api_docs"), {"script": ""}).content.decode()


# --- cost -----------------------------------------------------------------------------------


@pytest.mark.parametrize("tables", [2, 40])
def test_a_round_costs_few_queries_whatever_its_size(
    client, first_round, tables, django_assert_max_num_queries
):
    for _ in range(tables):
        MatchFactory.create(pairing_round=first_round)
    for url in (
        "/api/t/cairo/rounds/1/1/",
        "/api/t/cairo/rounds/",
        "/api/t/",
        "/api/t/cairo/entries/",
    ):
        with django_assert_max_num_queries(15):
            told(client, url)
