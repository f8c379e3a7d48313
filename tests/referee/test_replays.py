"""Matches played again, copies of sheets, and the three levels of results in one round."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.test import Client

from engine.events import Sheet
from referee.models import RoundRecord
from referee.services import records as services
from referee.services import replays
from tests.factories import MatchFactory, UserFactory
from tournaments.models import LogEntry, Match, StandingRow
from tournaments.queries.results import results_page
from tournaments.services import scores
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db


def sheets(match: Match, by: User, *rounds: tuple[str, int]) -> None:
    """Record rounds from score sheets: the winning side and its points."""
    services.open_match(match, by=by)
    for number, (side, points) in enumerate(rounds):
        sheet = Sheet(side, points, "out")
        services.record_sheet(match, number=number, sheet=sheet, by=by)


def test_situation_31_a_replayed_match_counts_once(match: Match, director: User) -> None:
    sheets(match, director, ("AC", 90), ("BD", 40))
    replays.replay_match(match, reason="the lights went out", by=director)
    match.refresh_from_db()
    assert (match.state, match.score, match.opened_at) == (Match.State.WAITING, {}, None)
    assert not RoundRecord.objects.exists()
    sheets(match, director, ("AC", 100))
    services.close_match(match, by=director)
    rebuild_standings(match.pairing_round.stage)
    assert StandingRow.objects.get(place=1).played == 1
    assert match.seats.get(seat="A").points_for == 100
    kept = LogEntry.objects.get(act="match_replayed").details
    assert kept["score"]["totals"] == {"AC": 90, "BD": 40}
    assert len(kept["attempt"]["rounds"]) == 2


def test_a_match_is_played_again_through_both_doors(
    client: Client, match: Match, director: User
) -> None:
    sheets(match, director, ("AC", 90))
    client.force_login(director)
    assert client.post(f"/matches/{match.pk}/replay/", {"reason": "again"}).status_code == 302
    answer = client.post(
        f"/api/matches/{match.pk}/replay/", {"reason": ""}, content_type="application/json"
    )
    assert (answer.status_code, answer.json()["code"]) == (409, "reason_missing")
    client.force_login(UserFactory.create())
    refused = client.post(f"/matches/{match.pk}/replay/", {"reason": "again"})
    assert refused.status_code in (403, 404)


def test_situation_39_sheets_alike_in_every_round_are_found(match: Match, director: User) -> None:
    others = [MatchFactory.create(pairing_round=match.pairing_round) for _ in range(2)]
    for one, rounds in (
        (match, (("AC", 60), ("BD", 37), ("AC", 60))),
        (others[0], (("AC", 60), ("BD", 37), ("AC", 60))),
        (others[1], (("BD", 37), ("AC", 60), ("AC", 60))),
    ):
        sheets(one, director, *rounds)
        services.close_match(one, by=director)
    assert results_page(match.pairing_round).same_sheets == ((1, 2),)


def test_scores_and_records_stand_side_by_side(match: Match, director: User) -> None:
    other = MatchFactory.create(pairing_round=match.pairing_round)
    sheets(match, director, ("AC", 105))
    services.close_match(match, by=director)
    scores.record_score(other, points={"AC": 60, "BD": 104}, by=director)
    rebuild_standings(match.pairing_round.stage)
    wins = [row.values["wins"] for row in StandingRow.objects.order_by("order")]
    assert wins == [1, 1, 0, 0]
