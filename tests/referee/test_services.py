"""Every change of a match's record, and every refusal of one."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied

from engine.errors import BadRecord, MatchOver, Misplay, OutOfTurn, RulingPending
from engine.events import Pass, Play, Sheet
from engine.notation import parse_line
from engine.seats import Seat
from engine.tiles import Tile
from referee import errors, queries, services
from referee.models import RecordedEvent, RoundRecord
from tests import factories
from tests.referee.conftest import MakeMatch, director_of, referee_of, tournament_of, write
from tournaments.models import LogEntry, Match, MatchSeat, Official, PairingRound, StandingRow
from tournaments.table_errors import MatchAlreadyClosed, MatchNotClosed, RoundNotPublished

pytestmark = pytest.mark.django_db

SIX_SIX = parse_line("A 6-6")


def sheet(match: Match, number: int, winner: str | None, points: int, by: User) -> None:
    services.record_sheet(
        match, number=number, sheet=Sheet(winner, points, "out" if winner else "blocked"), by=by
    )


# --- opening a table -------------------------------------------------------------------------


def test_opening_a_table_starts_the_match(match: Match, referee: User) -> None:
    opened = services.open_match(match, by=referee)
    assert opened.state == Match.State.PLAYING
    assert opened.opened_at is not None


def test_opening_a_table_twice_is_opening_it_once(match: Match, referee: User) -> None:
    first = services.open_match(match, by=referee)
    second = services.open_match(match, by=referee)
    assert second.opened_at == first.opened_at


def test_a_table_of_a_draft_is_not_opened(make_match: MakeMatch) -> None:
    match = make_match(round_state=PairingRound.State.DRAFT)
    with pytest.raises(RoundNotPublished, match="has not been published"):
        services.open_match(match, by=referee_of(match))


def test_a_table_with_an_empty_seat_is_not_opened(match: Match, referee: User) -> None:
    match.seats.filter(seat="D").delete()
    with pytest.raises(errors.TableIncomplete, match="3 players are seated where 4"):
        services.open_match(match, by=referee)


def test_an_elimination_table_of_three_is_opened(make_match: MakeMatch) -> None:
    match = make_match("elimination", entry_kind="single", players=4)
    match.seats.filter(seat="D").delete()
    assert services.open_match(match, by=referee_of(match)).state == Match.State.PLAYING


def test_a_closed_table_is_not_opened_again(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    services.close_match(opened, by=referee)
    with pytest.raises(MatchAlreadyClosed, match="is closed"):
        services.open_match(opened, by=referee)


# --- seats -----------------------------------------------------------------------------------


def seated(match: Match) -> dict[str, str]:
    return {one.seat: one.player.name for one in match.seats.select_related("player")}


def player(match: Match, name: str) -> int:
    return match.seats.get(player__name=name).player_id


def test_players_are_seated_as_they_really_sit(match: Match, referee: User) -> None:
    order = {
        seat: player(match, name)
        for seat, name in {"A": "Lin", "B": "Omar", "C": "Sara", "D": "Rosa"}.items()
    }
    services.confirm_seats(match, order=order, by=referee)
    assert seated(match) == {"A": "Lin", "B": "Omar", "C": "Sara", "D": "Rosa"}


def test_the_seats_as_they_are_may_be_confirmed_at_any_time(
    record: RoundRecord, referee: User
) -> None:
    match = record.match
    order = {one.seat: one.player_id for one in match.seats.all()}
    assert services.confirm_seats(match, order=order, by=referee).pk == match.pk


def test_partners_are_not_set_apart(match: Match, referee: User) -> None:
    order = {
        seat: player(match, name)
        for seat, name in {"A": "Rosa", "B": "Omar", "C": "Lin", "D": "Sara"}.items()
    }
    with pytest.raises(errors.PartnersApart, match="are partners and sit opposite"):
        services.confirm_seats(match, order=order, by=referee)


def test_everyone_has_one_seat(match: Match, referee: User) -> None:
    rosa = player(match, "Rosa")
    with pytest.raises(errors.SeatsDoNotFit, match="A, B, C, D"):
        services.confirm_seats(match, order=dict.fromkeys("ABCD", rosa), by=referee)
    with pytest.raises(errors.SeatsDoNotFit):
        services.confirm_seats(match, order={"A": rosa}, by=referee)


def test_seats_are_fixed_once_a_round_has_begun(record: RoundRecord, referee: User) -> None:
    match = record.match
    order = {one.seat: one.player_id for one in match.seats.all()}
    order["A"], order["C"] = order["C"], order["A"]
    with pytest.raises(errors.SeatsAreFixed, match="its first round has begun"):
        services.confirm_seats(match, order=order, by=referee)


# --- rounds ----------------------------------------------------------------------------------


def test_a_round_is_started_once(opened: Match, referee: User) -> None:
    first = services.open_round(opened, number=0, opener="A", by=referee)
    again = services.open_round(opened, number=0, opener="A", by=referee)
    assert first.pk == again.pk
    assert opened.records.count() == 1


def test_the_referee_is_asked_who_opens(opened: Match, referee: User) -> None:
    with pytest.raises(errors.OpenerNeeded, match="Say which seat plays the first tile"):
        services.open_round(opened, number=0, by=referee)


def test_the_rules_say_who_opens_where_they_can(make_match: MakeMatch) -> None:
    match = make_match("femundo")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="C", by=referee)
    write(record, "result AC 30 out", referee)
    services.open_round(match, number=1, opener="D", by=referee)
    record = services.open_round(match, number=1, opener="D", by=referee)
    write(record, ["D 1-0", "A 1-1", "B! overdraw -> void_round"], referee)
    after = services.open_round(match, number=2, by=referee)
    assert after.opener == "D"


def test_known_hands_say_who_opens(opened: Match, referee: User) -> None:
    hands = {
        "A": ["0-0", "1-0", "1-1", "2-0", "2-1", "2-2", "3-0"],
        "B": ["3-1", "3-2", "3-3", "4-0", "4-1", "4-2", "4-3"],
        "C": ["4-4", "5-0", "5-1", "5-2", "5-3", "5-4", "5-5"],
        "D": ["6-0", "6-1", "6-2", "6-3", "6-4", "6-5", "6-6"],
    }
    services.open_round(opened, number=0, hands=hands, by=referee)
    recorded = queries.read(opened)
    assert recorded.round is not None
    assert recorded.round.opener is Seat.D


def test_hands_that_are_no_hands_are_refused(opened: Match, referee: User) -> None:
    wrong: list[dict[str, list[str]]] = [
        {"A": ["9-9"]},
        {"A": ["6-6", "6-6"]},
        {"Z": []},
        {"A": ["6-6"], "B": ["6-6"]},
    ]
    for hands in wrong:
        with pytest.raises(BadRecord, match="cannot be read at"):
            services.open_round(opened, number=0, opener="A", hands=hands, by=referee)
    assert not opened.records.exists()


def test_a_round_without_an_event_may_be_started_anew(record: RoundRecord, referee: User) -> None:
    again = services.open_round(record.match, number=0, opener="B", by=referee)
    assert (again.pk, again.opener) == (record.pk, "B")


def test_a_round_with_events_is_not_started_anew(record: RoundRecord, referee: User) -> None:
    write(record, "A 6-6", referee)
    with pytest.raises(errors.RoundMovedOn, match="Round 1 cannot be started: the next"):
        services.open_round(record.match, number=0, opener="B", by=referee)


def test_rounds_follow_each_other(record: RoundRecord, referee: User) -> None:
    with pytest.raises(errors.RoundMovedOn, match="Round 6 cannot be started: the next round is 2"):
        services.open_round(record.match, number=5, opener="A", by=referee)
    with pytest.raises(BadRecord, match="no round after an unfinished one"):
        services.open_round(record.match, number=1, opener="A", by=referee)


def test_no_round_starts_while_a_ruling_is_open(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 10, referee)
    write(opened.records.get(), "B! signaling -> pending", referee)
    with pytest.raises(RulingPending, match="awaits its ruling"):
        services.open_round(opened, number=1, opener="A", by=referee)


def test_no_round_starts_after_the_end(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    with pytest.raises(MatchOver, match="close the match"):
        services.open_round(opened, number=1, opener="A", by=referee)


def test_no_round_starts_before_the_table_is_open(match: Match, referee: User) -> None:
    with pytest.raises(errors.MatchNotOpen, match="has not been opened"):
        services.open_round(match, number=0, opener="A", by=referee)


def test_a_round_from_a_score_sheet_needs_no_opener(opened: Match, referee: User) -> None:
    key = uuid4()
    for _ in range(3):
        recorded = services.record_sheet(
            opened, number=0, sheet=Sheet("BD", 23, "out"), client_key=key, by=referee
        )
    assert recorded.state.totals == {"AC": 0, "BD": 23}
    assert RecordedEvent.objects.count() == 1


def test_a_slip_on_a_score_sheet_is_taken_back(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 73, referee)
    record = opened.records.get()
    services.undo(record, number=1, by=referee)
    recorded = write(record, "result AC 37 out", referee)
    assert recorded.state.totals == {"AC": 37, "BD": 0}


# --- events ----------------------------------------------------------------------------------


def test_an_event_is_stored_as_a_line(record: RoundRecord, referee: User) -> None:
    recorded = services.append_event(record, number=0, event=SIX_SIX, by=referee)
    stored = record.events.get()
    assert (stored.number, stored.notation, stored.recorded_by) == (0, "A 6-6", referee)
    assert recorded.round is not None
    assert recorded.round.turn is Seat.B


def test_the_score_of_the_list_of_tables_follows(record: RoundRecord, referee: User) -> None:
    write(record, "result AC 37 out", referee)
    record.match.refresh_from_db()
    assert record.match.score == {"totals": {"AC": 37, "BD": 0}, "round": 1}


def test_an_event_sent_three_times_is_stored_once(record: RoundRecord, referee: User) -> None:
    keys = [uuid4(), uuid4()]
    events = [SIX_SIX, parse_line("B 6-3")]
    for number, (key, event) in enumerate(zip(keys, events, strict=True)):
        states = [
            services.append_event(record, number=number, event=event, client_key=key, by=referee)
            for _ in range(3)
        ]
        assert len({one.next_number for one in states}) == 1
    assert [one.notation for one in record.events.all()] == ["A 6-6", "B 6-3"]


def test_a_late_repeat_is_answered_as_the_first_time(record: RoundRecord, referee: User) -> None:
    key = uuid4()
    first = services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    write(record, ["B 6-3", "C 3-2"], referee)
    again = services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    assert again.state.answer() == first.state.answer()
    assert record.events.count() == 3


def test_a_repeat_under_another_number_is_still_a_repeat(
    record: RoundRecord, referee: User
) -> None:
    key = uuid4()
    services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    write(record, "B 6-3", referee)
    write(record, "C pass", referee)
    key2 = uuid4()
    event = parse_line("D 3-2")
    services.append_event(record, number=3, event=event, client_key=key2, by=referee)
    with pytest.raises(errors.ClientKeyUsed):
        services.append_event(
            record, number=4, event=parse_line("A pass"), client_key=key2, by=referee
        )
    assert record.events.count() == 4


def test_a_key_stands_for_one_event(record: RoundRecord, referee: User) -> None:
    key = uuid4()
    services.append_event(record, number=0, event=SIX_SIX, client_key=key, by=referee)
    with pytest.raises(errors.ClientKeyUsed, match="already used for another event"):
        services.append_event(
            record, number=1, event=parse_line("B 6-3"), client_key=key, by=referee
        )


def test_nothing_is_stored_where_somebody_recorded_meanwhile(
    record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B 6-3"], referee)
    with pytest.raises(errors.RecordMovedOn, match="gone on to event 2; this was event 1"):
        services.append_event(record, number=1, event=parse_line("B 6-4"), by=referee)
    assert record.events.count() == 2


def test_events_come_in_order(record: RoundRecord, referee: User) -> None:
    with pytest.raises(errors.NumberAhead, match="the next event is 0"):
        services.append_event(record, number=3, event=SIX_SIX, by=referee)


def test_a_refused_play_is_not_stored(record: RoundRecord, referee: User) -> None:
    write(record, "A 6-6", referee)
    with pytest.raises(Misplay, match="5-4 does not fit: the ends are 6 and 6") as refused:
        services.append_event(record, number=1, event=parse_line("B 5-4"), by=referee)
    assert refused.value.as_infraction == "misplay"
    with pytest.raises(OutOfTurn):
        services.append_event(record, number=1, event=parse_line("C 6-4"), by=referee)
    assert record.events.count() == 1


def test_an_event_must_fit_the_table(make_match: MakeMatch) -> None:
    match = make_match("domna", entry_kind="single", players=2)
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)
    with pytest.raises(BadRecord, match="a seat of A, B"):
        services.append_event(record, number=0, event=parse_line("C! delay"), by=referee)


def test_a_record_has_an_end(
    record: RoundRecord, referee: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services, "MOST_EVENTS", 2)
    write(record, ["A 6-6", "undo 1"], referee)
    with pytest.raises(errors.RecordTooLong, match="already has 2 events"):
        services.append_event(record, number=2, event=SIX_SIX, by=referee)


def test_undo_is_an_event(record: RoundRecord, referee: User) -> None:
    write(record, ["A 6-6", "B 6-3"], referee)
    recorded = services.undo(record, number=2, by=referee)
    assert recorded.round is not None
    assert recorded.round.turn is Seat.B
    assert recorded.round.in_effect == (True, False, False)
    assert record.events.count() == 3


def test_a_seat_that_is_left_is_marked_until_it_is_undone(
    record: RoundRecord, referee: User
) -> None:
    write(record, ["A 6-6", "B leaves robot"], referee)
    assert record.match.seats.get(seat="B").substitute == "robot"
    services.undo(record, number=2, by=referee)
    assert record.match.seats.get(seat="B").substitute == ""


def test_nothing_is_recorded_at_a_closed_table(opened: Match, referee: User) -> None:
    sheet(opened, 0, "AC", 100, referee)
    services.close_match(opened, by=referee)
    with pytest.raises(MatchAlreadyClosed):
        write(opened.records.get(), "B! delay", referee)
    with pytest.raises(MatchAlreadyClosed):
        services.open_round(opened, number=1, opener="A", by=referee)


def test_a_known_event_of_a_closed_table_is_answered(opened: Match, referee: User) -> None:
    key = uuid4()
    event = Sheet("AC", 100, "out")
    services.record_sheet(opened, number=0, sheet=event, client_key=key, by=referee)
    services.close_match(opened, by=referee)
    again = services.append_event(
        opened.records.get(), number=0, event=event, client_key=key, by=referee
    )
    assert again.state.winner == "AC"


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


# --- who may ---------------------------------------------------------------------------------


def test_strangers_change_nothing(record: RoundRecord, stranger: User) -> None:
    match = record.match
    with pytest.raises(PermissionDenied):
        services.open_match(match, by=stranger)
    with pytest.raises(PermissionDenied):
        services.confirm_seats(match, order={}, by=stranger)
    with pytest.raises(PermissionDenied):
        services.open_round(match, number=1, opener="A", by=stranger)
    with pytest.raises(PermissionDenied):
        services.append_event(record, number=0, event=SIX_SIX, by=stranger)
    with pytest.raises(PermissionDenied):
        services.record_sheet(match, number=1, sheet=Sheet("AC", 1, "out"), by=stranger)
    with pytest.raises(PermissionDenied):
        services.close_match(match, by=stranger)
    with pytest.raises(PermissionDenied):
        services.reopen_match(match, reason="x", by=stranger)


def test_an_official_of_another_event_is_a_stranger(record: RoundRecord) -> None:
    other = factories.OfficialFactory.create(duty=Official.Duty.DIRECTOR)
    with pytest.raises(PermissionDenied):
        services.append_event(record, number=0, event=SIX_SIX, by=other.user)


@pytest.mark.parametrize(("table", "allowed"), [(None, True), (1, True), (2, False)])
def test_a_scorer_records_at_his_own_table(
    record: RoundRecord, table: int | None, allowed: bool
) -> None:
    scorer = factories.OfficialFactory.create(
        tournament=tournament_of(record.match), duty=Official.Duty.SCORER, table=table
    ).user
    if allowed:
        assert write(record, "A 6-6", scorer).next_number == 1
    else:
        with pytest.raises(PermissionDenied):
            write(record, "A 6-6", scorer)


def test_a_director_records_too(record: RoundRecord) -> None:
    assert write(record, "A 6-6", director_of(record.match)).next_number == 1


def test_values_may_be_given_instead_of_lines(record: RoundRecord, referee: User) -> None:
    services.append_event(record, number=0, event=Play(Seat.A, Tile.parse("6-6")), by=referee)
    services.append_event(record, number=1, event=Pass(Seat.B), by=referee)
    assert [one.notation for one in record.events.all()] == ["A 6-6", "B pass"]
