"""Closing a match, what every seat leaves with, and corrections afterwards."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from engine.events import Sheet
from engine.seats import Seat
from referee.errors import records as errors
from referee.models import RoundRecord
from referee.services import records as services
from tests.referee.conftest import MakeMatch, referee_of, sheet, write
from tournaments.errors.tables import MatchNotClosed
from tournaments.models import LogEntry, Match, MatchSeat, StandingRow

pytestmark = pytest.mark.django_db


# --- closing and reopening -------------------------------------------------------------------


def result(match: Match, seat: str) -> tuple[str, int | None, int | None, int, int]:
    one = match.seats.get(seat=seat)
    return one.outcome, one.points_for, one.points_against, one.deducted, one.rounds_won


def test_closing_writes_what_every_seat_leaves_with(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 60, referee)
    sheet(opened, 1, "BD", 15, referee)
    sheet(opened, 2, "AC", 45, referee)
    closed = services.close_match(opened, by=referee)
    assert closed.state == Match.State.CLOSED
    assert result(opened, "A") == result(opened, "C") == ("win", 105, 15, 0, 2)
    assert result(opened, "B") == result(opened, "D") == ("loss", 15, 105, 0, 1)


def test_closing_twice_is_closing_once(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    first = services.close_match(opened, by=referee)
    assert services.close_match(opened, by=referee).closed_at == first.closed_at


def test_points_deducted_from_the_running_score_are_not_taken_twice(
    opened: Match, referee: User
) -> None:
    sheet(opened, 0, "AC", 60, referee)
    write(opened.records.get(), "A! delay -> points 20", referee)
    sheet(opened, 1, "AC", 70, referee)
    services.close_match(opened, by=referee)
    assert result(opened, "A") == ("win", 110, 0, 20, 2)
    assert result(opened, "B") == ("loss", 0, 110, 0, 0)


def test_in_a_pairs_event_a_deduction_from_the_result_falls_on_both_partners(
    make_match: MakeMatch,
) -> None:
    match = make_match("femundo")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    sheet(match, 0, "BD", 150, referee)
    write(match.records.get(), "A! out_of_turn 5-4", referee)  # 20 % of 200
    sheet(match, 1, "AC", 210, referee)
    services.close_match(match, by=referee)
    assert result(match, "A") == result(match, "C") == ("win", 170, 150, 40, 1)
    assert result(match, "B") == ("loss", 150, 210, 0, 1)


def test_in_an_individual_event_it_falls_on_the_offender_who_may_lose_alone(
    make_match: MakeMatch,
) -> None:
    match = make_match("femundo", entry_kind="single")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    sheet(match, 0, "BD", 150, referee)
    write(match.records.get(), "A! misplay 5-4", referee)  # 40 % and a yellow card
    sheet(match, 1, "AC", 200, referee)
    services.close_match(match, by=referee)
    assert result(match, "A") == ("loss", 120, 150, 80, 1)
    assert result(match, "C") == ("win", 200, 150, 0, 1)
    assert result(match, "B") == result(match, "D") == ("loss", 150, 200, 0, 1)


def test_a_match_lost_by_ruling_is_lost_by_the_target(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 90, referee)
    write(opened.records.get(), "A! signaling deliberate", referee)
    services.close_match(opened, by=referee)
    assert result(opened, "A") == ("loss", 0, 100, 0, 0)
    assert result(opened, "D") == ("win", 100, 0, 0, 1)


def test_in_elimination_the_last_one_left_wins(make_match: MakeMatch) -> None:
    match = make_match("elimination", entry_kind="single", players=3)
    referee = referee_of(match)
    services.open_match(match, by=referee)
    points = {Seat.B: 160, Seat.C: 155}
    services.record_sheet(match, number=0, sheet=Sheet("A", points, "out"), by=referee)
    services.close_match(match, by=referee)
    assert result(match, "A") == ("win", 0, 0, 0, 1)
    assert result(match, "B") == ("loss", 0, 160, 0, 0)


def test_the_leader_wins_when_time_is_over(make_match: MakeMatch) -> None:
    match = make_match("femundo")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    sheet(match, 0, "BD", 30, referee)
    write(match.records.get(), "time over", referee)
    services.close_match(match, by=referee)
    assert result(match, "B") == ("win", 30, 0, 0, 1)


def test_a_match_nobody_has_won_is_not_closed(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 60, referee)
    with pytest.raises(errors.MatchNotOver, match="no side has won yet"):
        services.close_match(opened, by=referee)
    with pytest.raises(PermissionDenied):
        services.close_match(opened, reason="The café closes.", by=referee)


def test_a_director_closes_it_with_a_reason(opened: Match, referee: User, director: User) -> None:
    sheet(opened, 0, "AC", 60, referee)
    services.close_match(opened, reason="The café closes.", by=director)
    assert result(opened, "A") == ("win", 60, 0, 0, 1)
    entry = LogEntry.objects.get(act="match_closed_early")
    assert entry.details["reason"] == "The café closes."


def test_level_scores_closed_early_are_a_tie(opened: Match, referee: User, director: User) -> None:
    sheet(opened, 0, "AC", 60, referee)
    sheet(opened, 1, "BD", 60, referee)
    services.close_match(opened, reason="The café closes.", by=director)
    assert {result(opened, seat)[0] for seat in "ABCD"} == {MatchSeat.Outcome.TIE}


def test_a_round_in_play_keeps_a_match_open(record: RoundRecord, director: User) -> None:
    write(record, "A 6-6", director)
    with pytest.raises(errors.RoundUnfinished, match="Round 1 is not finished"):
        services.close_match(record.match, reason="The café closes.", by=director)


def test_an_open_ruling_keeps_a_match_open(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    write(opened.records.get(), "A! signaling -> pending", referee)
    with pytest.raises(errors.RoundUnfinished):
        services.close_match(opened, by=referee)


def test_a_match_that_was_not_opened_is_not_closed(match: Match, referee: User) -> None:
    with pytest.raises(errors.MatchNotOpen):
        services.close_match(match, by=referee)


def test_a_correction_after_closing_is_written_and_the_standings_follow(
    opened: Match, referee: User, director: User, django_capture_on_commit_callbacks: object
) -> None:
    sheet(opened, 0, "AC", 100, referee)
    services.close_match(opened, by=referee)
    match = services.reopen_match(opened, reason="Points of round 1 misread.", by=director)
    assert match.state == Match.State.PLAYING
    record = match.records.get()
    services.undo(record, number=1, by=referee)
    write(record, "result BD 100 out", referee)
    with django_capture_on_commit_callbacks(execute=True):  # type: ignore[operator]
        services.close_match(match, by=referee)
    assert result(match, "B") == ("win", 100, 0, 0, 1)
    first = StandingRow.objects.get(stage=match.pairing_round.stage, order=1)
    assert first.entry == match.seats.get(seat="B").entry
    assert LogEntry.objects.filter(details__reason="Points of round 1 misread.").exists()


def test_only_directors_reopen_and_say_why(opened: Match, referee: User, director: User) -> None:
    with pytest.raises(MatchNotClosed, match="is not closed"):
        services.reopen_match(opened, reason="x", by=director)
    sheet(opened, 0, "AC", 100, referee)
    services.close_match(opened, by=referee)
    with pytest.raises(PermissionDenied):
        services.reopen_match(opened, reason="x", by=referee)
    with pytest.raises(errors.ReasonNeeded, match="Say why"):
        services.reopen_match(opened, reason=" ", by=director)
