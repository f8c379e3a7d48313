"""Meetings of a bracket that both sides have lost: nobody goes on by accident."""

from __future__ import annotations

import json
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied

from referee.event_file import exported, imported
from tests.factories import EntryFactory, OfficialFactory, OrganizerFactory, TournamentFactory
from tournaments.competition.brackets import Bracket
from tournaments.errors import draws as draw_errors
from tournaments.errors import meetings as meeting_errors
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import Entry, LogEntry, Match, MatchSeat, Stage, Tournament
from tournaments.services import corrections, draws, meetings, pairings, scores, stages
from tournaments.services.brackets import bracket_of
from tournaments.services.stages import StagePlan
from tournaments.services.undoing import undo

pytestmark = pytest.mark.django_db


def knockout(pairs: int = 4, **plan: object) -> Stage:
    tournament = TournamentFactory.create(
        slug="nile", profile="femundo", state=Tournament.State.RUNNING
    )
    EntryFactory.create_batch(pairs, tournament=tournament)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("knockout", **plan), by=by)  # type: ignore[arg-type]
    pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    return stage


def table(stage: Stage, number: int, of_round: int = 1) -> Match:
    return Match.objects.select_related("pairing_round__stage__tournament").get(
        pairing_round__stage=stage, pairing_round__number=of_round, table=number
    )


def store(match: Match, one: int, other: int, **settings: object) -> Match:
    points = {"AC": one, "BD": other}
    by = match.pairing_round.stage.tournament.created_by
    return scores.record_score(match, points=points, sure=True, by=by, **settings)  # type: ignore[arg-type]


def lost_by_both(stage: Stage) -> Match:
    """A and C win 200–150 and lose 80 points by penalty: 120 against 150."""
    match = store(table(stage, 1), 200, 150, deducted={"A": 80, "C": 80})
    assert set(match.seats.values_list("outcome", flat=True)) == {MatchSeat.Outcome.LOSS}
    return table(stage, 1)


def read(stage: Stage) -> Bracket:
    bracket = bracket_of(Stage.objects.select_related("tournament").get(pk=stage.pk))
    assert bracket is not None
    return bracket


def side(match: Match, seat: str) -> Entry:
    return match.seats.select_related("entry").get(seat=seat).entry


def decide(match: Match, winner: Entry | None, reason: str = "The technical commission.") -> Match:
    by = match.pairing_round.stage.tournament.created_by
    return meetings.decide_meeting(match, winner=winner, reason=reason, by=by)


def test_where_a_deduction_lets_both_sides_lose_nobody_goes_on_by_itself():
    stage = knockout(2)
    match = lost_by_both(stage)
    assert read(stage).champion is None
    assert not read(stage).is_over
    with pytest.raises(meeting_errors.NobodyGoesOn) as refused:
        draws.draw_round(stage, number=2, by=stage.tournament.created_by)
    assert "1 (F1)" in explain(refused.value)
    assert Match.objects.filter(meeting="F1").get() == match


def test_the_desk_says_who_goes_on_and_why_and_the_result_stays():
    stage = knockout(2)
    match = lost_by_both(stage)
    before = list(match.seats.order_by("seat").values_list("points_for", "outcome"))
    decide(match, side(match, "B"))
    decide(match, side(match, "B"))
    assert read(stage).champion == str(side(match, "B").number)
    assert list(match.seats.order_by("seat").values_list("points_for", "outcome")) == before
    line = LogEntry.objects.get(act="meeting_decided")
    assert line.details["reason"] == "The technical commission."
    with pytest.raises(meeting_errors.DecidedAlready, match=side(match, "B").name):
        decide(match, side(match, "A"))


def test_the_desk_may_let_nobody_go_on():
    stage = knockout(4)
    match = lost_by_both(stage)
    store(table(stage, 2), 200, 10)
    decide(match, None)
    winner = side(table(stage, 2), "A").number
    assert read(stage).champion == str(winner)


def test_with_a_reason_the_other_meetings_are_drawn_without_it():
    stage = knockout(8)
    by = stage.tournament.created_by
    lost_by_both(stage)
    for number in (2, 3, 4):
        store(table(stage, number), 200, 10 + number)
    second = draws.draw_round(stage, number=2, reason="The commission meets at noon.", by=by)
    assert second.matches.count() == 1


def test_in_a_meeting_of_three_games_no_other_game_is_made_before_the_word_of_the_desk():
    stage = knockout(2, best_of=(3, 3, 3))
    by = stage.tournament.created_by
    match = lost_by_both(stage)
    with pytest.raises(meeting_errors.NobodyGoesOn):
        draws.draw_round(stage, number=2, by=by)
    with pytest.raises(draw_errors.BracketWaits):
        draws.draw_round(stage, number=2, reason="Go on.", by=by)
    decide(match, side(match, "A"))
    second = draws.draw_round(stage, number=2, by=by).matches.get()
    assert (second.meeting, second.game) == ("F1", 2)


def test_a_decision_is_taken_back_as_long_as_nothing_stands_on_it():
    stage = knockout(4)
    by = stage.tournament.created_by
    match = lost_by_both(stage)
    store(table(stage, 2), 200, 10)
    decide(match, side(match, "A"))
    pairings.publish(draws.draw_round(stage, number=2, by=by), by=by)
    undo(LogEntry.objects.get(act="meeting_decided"), by=by)
    assert not stage.rounds.filter(number=2).exists()
    assert meetings.decision(table(stage, 1)) is None
    decide(match, side(match, "B"))
    pairings.publish(draws.draw_round(stage, number=2, by=by), by=by)
    store(table(stage, 1, of_round=2), 200, 10)
    with pytest.raises(draw_errors.BracketWentOn):
        undo(LogEntry.objects.filter(act="meeting_decided").latest("pk"), by=by)


def test_a_corrected_result_decides_in_place_of_the_desk():
    stage = knockout(2)
    match = lost_by_both(stage)
    decide(match, side(match, "B"))
    by = stage.tournament.created_by
    corrections.correct_score(
        match, points={"AC": 200, "BD": 150}, reason="No penalty.", sure=True, by=by
    )
    assert meetings.decision(table(stage, 1)) is None
    assert read(stage).champion == str(side(match, "A").number)


def test_a_match_played_again_needs_no_decision():
    stage = knockout(2)
    match = lost_by_both(stage)
    by = stage.tournament.created_by
    corrections.restart(match, reason="Played again.", attempt={}, by=by)
    store(table(stage, 1), 120, 200)
    assert read(stage).champion == str(side(match, "B").number)


def test_where_all_lose_by_a_ruling_the_desk_says_who_goes_on():
    stage = knockout(2)
    match = table(stage, 1)
    corrections.lose_all(match, reason="Wrong seats.", by=stage.tournament.created_by)
    assert not read(stage).is_over
    decide(table(stage, 1), None)
    assert read(stage).is_over
    assert read(stage).champion is None


def test_where_a_result_decides_there_is_nothing_to_decide():
    stage = knockout(2)
    match = table(stage, 1)
    with pytest.raises(meeting_errors.NothingToDecide):
        decide(match, side(match, "A"))
    store(match, 200, 10)
    with pytest.raises(meeting_errors.NothingToDecide, match="correct it instead"):
        decide(table(stage, 1), side(match, "B"))


def test_only_a_director_decides_with_a_reason_between_the_two():
    stage = knockout(4)
    match = lost_by_both(stage)
    with pytest.raises(score_errors.ReasonMissing):
        decide(match, side(match, "A"), reason=" ")
    with pytest.raises(table_errors.NotAtTable):
        decide(match, side(table(stage, 2), "A"))
    referee = OfficialFactory.create(tournament=stage.tournament).user
    with pytest.raises(PermissionDenied):
        meetings.decide_meeting(match, winner=None, reason="x", by=referee)


def test_the_desk_is_told_on_every_page_that_leads_on(client, text):
    stage = knockout(4)
    client.force_login(stage.tournament.created_by)
    match = lost_by_both(stage)
    store(table(stage, 2), 200, 10)
    page = text(client.get("/desk/nile/results/1/1/"))
    assert "Both sides of table 1 have lost, so nobody goes on from there by itself." in page
    assert "Both sides of table 1 have lost." in text(client.get("/desk/nile/"))
    before_draw = text(client.get("/desk/nile/pairings/1/2/draw/"))
    assert "Nobody goes on yet" in before_draw
    address = f"/desk/nile/tables/{match.pk}/meeting/"
    assert address in before_draw
    assert address in text(client.get("/desk/nile/tables/"))


def test_the_decision_is_made_on_its_page(client, text):
    stage = knockout(2)
    client.force_login(stage.tournament.created_by)
    match = lost_by_both(stage)
    address = f"/desk/nile/tables/{match.pk}/meeting/"
    number = side(match, "B").number
    refused = client.post(address, {"winner": number, "reason": ""})
    assert refused.status_code == 422
    assert "A reason is needed." in text(refused)
    done = client.post(address, {"winner": number, "reason": "By lot."}, follow=True)
    assert f"“{side(match, 'B').name}” goes on from table 1." in text(done)
    again = text(client.get(address))
    assert f"The desk has decided that {side(match, 'B').name} goes on." in again.replace(
        "<bdi>", ""
    ).replace("</bdi>", "")
    log = text(client.get("/desk/nile/log/"))
    assert "go on from table 1" in log


def test_the_api_decides_the_same(client):
    stage = knockout(2)
    client.force_login(stage.tournament.created_by)
    match = lost_by_both(stage)
    address = f"/api/desk/nile/tables/{match.pk}/meeting/"

    def send(**given: object):
        return client.post(address, given, content_type="application/json")

    assert send(winner=99, reason="x").status_code == 409
    assert send(winner=side(match, "A").number, reason="By lot.").status_code == 200
    refused = send(winner=None, reason="By lot.")
    assert (refused.status_code, refused.json()["code"]) == (409, "decided_already")
    client.force_login(OfficialFactory.create(tournament=stage.tournament).user)
    assert send(winner=None, reason="x").status_code == 403


def test_a_decision_moves_with_the_event_to_another_installation():
    stage = knockout(2)
    match = lost_by_both(stage)
    decide(match, side(match, "B"))
    champion = read(stage).champion
    by = OrganizerFactory.create()
    there = imported(as_written_elsewhere(exported(stage.tournament)), by=by)
    assert there.pk != stage.tournament_id
    assert read(there.stages.get()).champion == champion


def as_written_elsewhere(content: bytes) -> bytes:
    """Return the file of an event as another installation would have written it."""
    document = json.loads(content)
    document["key"] = uuid4().hex
    return json.dumps(document).encode()


def test_everybody_reads_that_a_meeting_both_sides_lost_waits_for_the_desk(client, text):
    stage = knockout(4)
    match = lost_by_both(stage)
    store(table(stage, 2), 200, 10)
    slug = stage.tournament.slug
    said = "both have lost; the desk has not decided yet who goes on"
    page = text(client.get(f"/t/{slug}/bracket/1/"))
    assert page.count(said) == 1
    assert "Both sides have lost. The desk has not decided yet who goes on." in page
    told = client.get(f"/api/t/{slug}/bracket/1/").json()["parts"][0]["rounds"]
    waiting = [
        one["meeting"] for column in told for one in column["meetings"] if one["waits_for_desk"]
    ]
    assert waiting == [match.meeting]
    decide(match, side(match, "A"))
    page = text(client.get(f"/t/{slug}/bracket/1/"))
    assert "has not decided yet" not in page
