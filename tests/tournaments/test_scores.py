"""Final scores: who won, what cannot be, what is stored only on purpose, the second check."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from tests.factories import MatchFactory, OfficialFactory, PairingRoundFactory, TournamentFactory
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import (
    LogEntry,
    Match,
    MatchSeat,
    Official,
    ReportedResult,
    StandingRow,
    Tournament,
)
from tournaments.services import reports, scores
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

RUNNING = Tournament.State.RUNNING


def event(**fields):
    fields.setdefault("target", 200)
    return TournamentFactory.create(state=RUNNING, **fields)


def table(tournament=None, pairing_round=None, **fields):
    if pairing_round is None:
        pairing_round = PairingRoundFactory.create(stage__tournament=tournament or event())
    return MatchFactory.create(pairing_round=pairing_round, **fields)


def of_event(match):
    return match.pairing_round.stage.tournament


def store(match, *points, sides=("AC", "BD"), **settings):
    settings.setdefault("by", of_event(match).created_by)
    return scores.record_score(match, points=dict(zip(sides, points, strict=True)), **settings)


def submit(match, *points, **settings):
    return reports.submit_score(
        match, points=dict(zip(("AC", "BD"), points, strict=True)), **settings
    )


def seats(match):
    rows = match.seats.order_by("seat")
    return [(one.seat, one.outcome, one.points_for, one.points_against) for one in rows]


def scorer(match):
    return OfficialFactory.create(tournament=of_event(match), duty=Official.Duty.SCORER).user


def test_who_won_follows_from_the_score():
    match = store(table(), 137, 204)
    assert match.state == Match.State.CLOSED
    assert seats(match) == [
        ("A", "loss", 137, 204), ("B", "win", 204, 137),
        ("C", "loss", 137, 204), ("D", "win", 204, 137),
    ]  # fmt: skip


def test_the_same_score_sent_again_changes_nothing():
    match = table()
    store(match, 200, 150)
    store(match, 200, 150)
    assert LogEntry.objects.filter(act="result").count() == 1
    with pytest.raises(table_errors.MatchAlreadyClosed):
        store(match, 200, 151)


def test_a_score_cannot_be_negative_or_half():
    match = table(table=4)
    with pytest.raises(score_errors.PointsNegative) as caught:
        store(match, 200, -5)
    assert "-5" in explain(caught.value)
    with pytest.raises(score_errors.ScoreIncomplete) as half:
        store(match, 200, sides=("AC",))
    assert explain(half.value) == ("A score is needed for each side of table 4: AC, BD. Found: AC.")


@pytest.mark.parametrize(
    ("points", "doubt"),
    [
        ((150, 120), "ended_before_target"),
        ((120, 120), "level_score"),
        ((205, 201), "both_reached_target"),
        ((2000, 137), "above_target"),
    ],
)
def test_a_score_that_is_hardly_right_is_stored_on_purpose_only(points, doubt):
    match = table()
    with pytest.raises(score_errors.DoubtfulScore) as caught:
        store(match, *points)
    assert caught.value.code == doubt
    assert store(match, *points, sure=True).state == Match.State.CLOSED


@pytest.mark.parametrize("profile", ["femundo", "domna"])
def test_where_the_book_plays_on_nobody_ends_level(profile):
    match = table(event(profile=profile))
    with pytest.raises(score_errors.MustNotBeLevel):
        store(match, 188, 188, sure=True)


def test_the_event_may_allow_level_results():
    tournament = event(profile="femundo", policies={"level_results": True})
    match = store(table(tournament), 188, 188, sure=True)
    assert set(match.seats.values_list("outcome", flat=True)) == {"tie"}


def test_a_bracket_needs_a_winner():
    match = table(meeting="M1")
    with pytest.raises(score_errors.MustNotBeLevel):
        store(match, 150, 150, sure=True)


def test_penalty_points_fall_on_the_offender_alone_and_can_cost_the_match():
    # Hard situation 1: A and C beat B and D 200-150, A has 80 penalty points (femundo 5).
    tournament = event(profile="femundo", entry_kind="single")
    match = store(table(tournament), 200, 150, deducted={"A": 80})
    assert seats(match) == [
        ("A", "loss", 120, 150), ("B", "loss", 150, 200),
        ("C", "win", 200, 150), ("D", "loss", 150, 200),
    ]  # fmt: skip


def test_in_elimination_the_one_with_the_fewest_points_is_left():
    tournament = event(profile="elimination", target=150, entry_kind="single")
    match = store(table(tournament), 160, 90, 171, 155, sides="ABCD")
    assert seats(match) == [
        ("A", "loss", 0, 160), ("B", "win", 0, 90), ("C", "loss", 0, 171), ("D", "loss", 0, 155),
    ]  # fmt: skip


def test_situation_39_a_copy_of_another_sheet_is_warned_about():
    pairing_round = PairingRoundFactory.create(stage__tournament=event())
    store(table(pairing_round=pairing_round, table=3), 200, 137)
    match = table(pairing_round=pairing_round, table=8)
    with pytest.raises(score_errors.SameSheetTwice) as caught:
        store(match, 200, 137)
    assert "tables: 3." in explain(caught.value)
    assert store(match, 200, 137, sure=True).state == Match.State.CLOSED


def test_situation_3_standings_read_confirmed_results_only():
    tournament = event(policies={"second_check": True})
    match = table(tournament, table=4)
    stage = match.pairing_round.stage
    rebuild_standings(stage)
    before = list(StandingRow.objects.values_list("entry", "place", "played"))
    submit(match, 200, 35, by=scorer(match))
    match.refresh_from_db()
    assert match.state == Match.State.WAITING
    rebuild_standings(stage)
    assert list(StandingRow.objects.values_list("entry", "place", "played")) == before
    reports.reject_report(match, by=tournament.created_by)
    rebuild_standings(stage)
    assert list(StandingRow.objects.values_list("entry", "place", "played")) == before
    assert set(match.seats.values_list("outcome", flat=True)) == {""}


def test_a_second_person_typing_the_same_confirms_a_result():
    tournament = event(policies={"second_check": True})
    match = table(tournament)
    first = scorer(match)
    submit(match, 200, 35, by=first)
    submit(match, 200, 35, by=first)
    assert ReportedResult.objects.get().accepted is None
    closed = submit(match, 200, 35, by=scorer(match))
    assert closed.state == Match.State.CLOSED
    assert ReportedResult.objects.get().accepted is True


def test_two_different_reports_are_shown_and_asked_about():
    tournament = event(policies={"second_check": True})
    match = table(tournament, table=6)
    first, second = scorer(match), scorer(match)
    submit(match, 200, 35, by=first)
    with pytest.raises(score_errors.ReportsDiffer) as caught:
        submit(match, 200, 53, by=second)
    assert explain(caught.value) == (
        f"{first.username} typed 200–35 for table 6; you typed 200–53. Look at the sheet and say "
        "which of the two is right."
    )
    closed = submit(match, 200, 53, over=True, by=second)
    assert closed.seats.get(seat="B").points_for == 53
    assert ReportedResult.objects.get().accepted is False


def test_whoever_reported_corrects_the_own_report_but_does_not_confirm_it():
    tournament = event(policies={"second_check": True})
    match = table(tournament)
    first = scorer(match)
    submit(match, 200, 35, by=first)
    submit(match, 200, 53, by=first)
    waiting = ReportedResult.objects.get(accepted=None)
    assert waiting.seats["B"]["points_for"] == 53
    with pytest.raises(score_errors.NothingReported):
        reports.accept_report(match, by=first)
    assert reports.accept_report(match, by=scorer(match)).state == Match.State.CLOSED


def test_only_officials_of_the_table_store_its_score():
    match = table()
    other = OfficialFactory.create(duty=Official.Duty.SCORER).user
    with pytest.raises(PermissionDenied):
        submit(match, 200, 35, by=other)


def test_the_second_check_is_switched_once():
    tournament = event()
    reports.set_second_check(tournament, needed=True, by=tournament.created_by)
    reports.set_second_check(tournament, needed=True, by=tournament.created_by)
    assert LogEntry.objects.filter(act="second_check_on").count() == 1


@pytest.mark.parametrize(
    ("typed", "read"),
    [("200-137", [200, 137]), ("200 137", [200, 137]), ("-5", [-5]), ("200", [200]), ("x", [])],
)
def test_a_score_is_read_as_it_is_typed(typed, read):
    assert scores.parse_score(typed) == read


def test_a_closed_table_tells_its_score_by_side():
    match = store(table(), 200, 137)
    assert scores.score_of(match) == {"AC": 200, "BD": 137}
    assert scores.score_of(table()) == {}


def test_a_level_outcome_is_kept_as_one():
    match = store(table(event(profile="wdf")), 120, 120, sure=True)
    assert set(match.seats.values_list("outcome", flat=True)) == {MatchSeat.Outcome.TIE}
