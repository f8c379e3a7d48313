"""Results typed, checked, corrected and undone from several desks at one moment."""

from __future__ import annotations

import pytest

from tests.factories import MatchFactory, OfficialFactory, PairingRoundFactory, TournamentFactory
from tests.tournaments.test_concurrency import at_once
from tournaments.models import LogEntry, Match, Official, ReportedResult, Tournament
from tournaments.services import corrections, reports, scores, undoing

pytestmark = pytest.mark.django_db(transaction=True)

ONE, OTHER = {"AC": 105, "BD": 60}, {"AC": 60, "BD": 105}


def table(**policies):
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, policies=policies)
    return MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage__tournament=tournament)
    )


def two_officials(match):
    tournament = match.pairing_round.stage.tournament
    duty = Official.Duty.DIRECTOR
    return [OfficialFactory.create(tournament=tournament, duty=duty).user for _ in range(2)]


def test_one_of_two_different_scores_is_stored():
    match = table()
    one, other = two_officials(match)
    answers = at_once(
        lambda: scores.record_score(match, points=ONE, by=one),
        lambda: scores.record_score(match, points=OTHER, by=other),
    )
    assert answers.count("match_already_closed") == 1
    assert LogEntry.objects.filter(act="result").count() == 1


def test_two_equal_reports_confirm_each_other():
    match = table(second_check=True)
    one, other = two_officials(match)
    at_once(
        lambda: reports.submit_score(match, points=ONE, by=one),
        lambda: reports.submit_score(match, points=ONE, by=other),
    )
    assert Match.objects.get().state == Match.State.CLOSED
    assert ReportedResult.objects.get().accepted is True


def test_a_correction_and_an_undo_do_not_mix():
    match = table()
    one, other = two_officials(match)
    scores.record_score(match, points=ONE, by=one)
    line = LogEntry.objects.get(act="result")
    answers = at_once(
        lambda: undoing.undo(line, by=one),
        lambda: corrections.correct_score(match, points=OTHER, reason="typed wrong", by=other),
    )
    refused = {"changed_since", "match_not_closed"} & {one for one in answers if type(one) is str}
    assert len(refused) == 1
    is_open = Match.objects.get().state == Match.State.WAITING
    assert is_open == ("match_not_closed" in refused)


def test_a_decision_is_taken_back_once():
    match = table()
    one, other = two_officials(match)
    scores.record_score(match, points=ONE, by=one)
    line = LogEntry.objects.get(act="result")
    at_once(lambda: undoing.undo(line, by=one), lambda: undoing.undo(line, by=other))
    assert LogEntry.objects.filter(act="undone").count() == 1
