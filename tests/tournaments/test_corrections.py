"""Old results corrected, seats exchanged, matches replayed, entries put out, decisions undone."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.errors import draws as draw_errors
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.errors import undoing as undo_errors
from tournaments.errors.base import explain
from tournaments.models import (
    Entry,
    LogEntry,
    Match,
    PairingRound,
    ReportedResult,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.services import (
    attendance,
    clock,
    corrections,
    disqualification,
    draws,
    leaving,
    pairings,
    reports,
    results,
    scores,
    stages,
    undoing,
)
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

WAITING, PLAYING, CLOSED = Match.State.WAITING, Match.State.PLAYING, Match.State.CLOSED


def stage_of(**fields):
    fields.setdefault("target", 200)
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, **fields)
    return StageFactory.create(tournament=tournament)


def two_tables(stage=None):
    pairing_round = PairingRoundFactory.create(stage=stage or stage_of())
    return [MatchFactory.create(pairing_round=pairing_round) for _ in range(2)]


def director(match):
    return match.pairing_round.stage.tournament.created_by


def store(match, one, other):
    return scores.record_score(match, points={"AC": one, "BD": other}, by=director(match))


def correct(match, one, other, reason="typed the wrong way round", **settings):
    return corrections.correct_score(
        match, points={"AC": one, "BD": other}, reason=reason, by=director(match), **settings
    )


def entry_at(match, seat):
    return Entry.objects.get(seats__match=match, seats__seat=seat)


def last(act):
    return LogEntry.objects.filter(act=act).latest("pk")


def time_of(pairing_round, **settings):
    found = clock.clock_of(pairing_round, **settings)
    assert found is not None
    return found


def outcomes(match):
    return "".join(
        {"win": "W", "loss": "L", "walkover_win": "w", "walkover_loss": "l"}.get(one, "-")
        for one in match.seats.order_by("seat").values_list("outcome", flat=True)
    )


# --- corrections ----------------------------------------------------------------------------


def test_a_correction_says_whose_place_it_changed():
    one, other = two_tables()
    store(one, 200, 100)
    store(other, 200, 150)
    PairingRoundFactory.create(stage=one.pairing_round.stage)
    done = correct(one, 100, 200)
    moved = {move.entry.pk: (move.before, move.after) for move in done.moves}
    assert moved == {entry_at(one, "A").pk: (1, 4), entry_at(one, "B").pk: (4, 1)}
    assert done.later_rounds == (2,)
    details = last("result_corrected").details
    assert details["old"]["A"]["points_for"] == 200
    assert details["reason"] == "typed the wrong way round"


def test_a_correction_needs_a_reason_and_a_result():
    one, other = two_tables()
    store(one, 200, 100)
    with pytest.raises(score_errors.ReasonMissing):
        correct(one, 100, 200, reason=" ")
    with pytest.raises(table_errors.MatchNotClosed):
        correct(other, 100, 200)
    with pytest.raises(score_errors.EndedBeforeTarget):
        correct(one, 150, 100)
    assert entry_at(one, "A").seats.filter(points_for=200).exists()


def test_a_closed_stage_refuses_a_correction():
    one, _ = two_tables()
    store(one, 200, 100)
    Stage.objects.update(state=Stage.State.CLOSED)
    with pytest.raises(table_errors.StageIsClosed):
        correct(one, 100, 200)
    with pytest.raises(table_errors.StageIsClosed):
        results.reopen_match(one, by=director(one))


def test_the_same_score_is_no_correction():
    one, _ = two_tables()
    store(one, 200, 100)
    assert correct(one, 200, 100).moves == ()
    assert not LogEntry.objects.filter(act="result_corrected").exists()


# --- absent, double absence -----------------------------------------------------------------


def test_whoever_is_not_there_loses_the_target_and_gets_the_card_of_the_book():
    # Hard situation 5: 0-200 and a yellow card; the three present, the partner too, win 100-0.
    stage = stage_of(profile="femundo", entry_kind="single")
    match, _ = two_tables(stage)
    results.record_walkover(match, absent=[entry_at(match, "B")], by=director(match))
    seats = match.seats.order_by("seat").values_list("points_for", "points_against")
    assert list(seats) == [(100, 0), (0, 200), (100, 0), (100, 0)]
    assert last("walkover").details["card"] == "yellow"
    assert last("walkover").details["absent"] == [entry_at(match, "B").number]


def test_where_nobody_came_both_lose():
    match, _ = two_tables()
    both = [entry_at(match, "A"), entry_at(match, "B")]
    results.record_walkover(match, absent=both, by=director(match))
    assert outcomes(match) == "llll"
    assert "card" not in last("walkover").details


# --- seats ----------------------------------------------------------------------------------


def swap(match, one, other, **settings):
    settings.setdefault("reason", "sat at the wrong place")
    return corrections.swap_seats(match, one=one, other=other, by=director(match), **settings)


def test_results_follow_the_persons_or_stay_with_the_seats():
    match, _ = two_tables()
    store(match, 200, 100)
    first, second = entry_at(match, "A"), entry_at(match, "B")
    swap(match, first, second)
    assert outcomes(match) == "LWLW"
    assert entry_at(match, "B") == first
    swap(match, first, second, follow="seats")
    assert outcomes(match) == "LWLW"
    assert entry_at(match, "A") == first


def test_seats_are_exchanged_between_two_tables_with_results():
    stage = stage_of(entry_kind="single")
    one, other = two_tables(stage)
    store(one, 200, 100)
    with pytest.raises(score_errors.OneTableIsOpen):
        swap(one, entry_at(one, "A"), entry_at(other, "B"), other_match=other)
    store(other, 200, 150)
    here, there = entry_at(one, "A"), entry_at(other, "B")
    swap(one, here, there, other_match=other, follow="seats")
    assert entry_at(one, "A") == there
    assert one.seats.get(seat="A").points_for == 200
    with pytest.raises(score_errors.SamePlace):
        swap(one, there, there)
    with pytest.raises(table_errors.NotAtTable):
        swap(one, here, there)


def test_wrong_seats_found_late_let_all_four_lose():
    # Hard situation 8: femundo 21.
    match, _ = two_tables(stage_of(profile="femundo"))
    store(match, 200, 100)
    corrections.lose_all(match, reason="wrong seats, sheet handed in", by=director(match))
    assert outcomes(match) == "LLLL"
    undoing.undo(last("all_lose"), by=director(match))
    assert outcomes(match) == "WLWL"


# --- replays --------------------------------------------------------------------------------


def test_a_match_played_again_has_no_flag_left():
    match, _ = two_tables(stage_of(policies={"second_check": True}))
    reports.submit_score(match, points={"AC": 200, "BD": 10}, by=director(match))
    results.start_match(match, by=director(match))
    corrections.restart(match, reason="the lights went out", attempt={}, by=director(match))
    match.refresh_from_db()
    assert (match.state, match.opened_at, match.score) == (WAITING, None, {})
    assert ReportedResult.objects.get().accepted is False
    assert match.pairing_round.state == PairingRound.State.PUBLISHED


# --- disqualification -----------------------------------------------------------------------


def disqualify(entry):
    by = entry.tournament.created_by
    return disqualification.disqualify(entry, reason="signals", by=by)


def test_a_disqualified_entry_loses_its_published_table():
    match, _ = two_tables()
    disqualify(entry_at(match, "A"))
    assert outcomes(match) == "lwlw"
    assert entry_at(match, "A").state == Entry.State.DISQUALIFIED


@pytest.mark.parametrize(("profile", "points"), [("femundo", 200), ("wdf", 100)])
def test_three_remain_where_one_of_four_is_put_out_in_play(profile, points):
    match, _ = two_tables(stage_of(profile=profile, entry_kind="single"))
    results.start_match(match, by=director(match))
    disqualify(entry_at(match, "A"))
    seats = match.seats.order_by("seat").values_list("points_for", "points_against")
    assert list(seats) == [(0, 200), (points, 0), (points, 0), (points, 0)]


def test_situation_13_a_draft_with_a_disqualified_entry_is_published_as_a_walkover():
    match, _ = two_tables()
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    disqualify(entry_at(match, "A"))
    stage = Stage.objects.get()
    Stage.objects.update(system=Stage.System.ROUND_ROBIN)
    pairings.publish(stage.rounds.get(), by=director(match))
    assert outcomes(match) == "lwlw"


def test_a_disqualification_needs_a_reason_and_happens_once():
    match, _ = two_tables()
    entry = entry_at(match, "A")
    with pytest.raises(score_errors.ReasonMissing):
        disqualification.disqualify(entry, reason="", by=director(match))
    disqualify(entry)
    disqualify(entry)
    assert LogEntry.objects.filter(act="entry_disqualified").count() == 1


def test_who_was_disqualified_does_not_become_one_who_withdrew():
    match, _ = two_tables()
    entry = entry_at(match, "A")
    disqualify(entry)
    leaving.withdraw(entry, by=director(match))
    entry.refresh_from_db()
    assert entry.state == Entry.State.DISQUALIFIED


# --- undo -----------------------------------------------------------------------------------


def test_a_result_is_taken_back_as_the_preview_says():
    one, other = two_tables()
    store(one, 200, 100)
    store(other, 200, 150)
    line = last("result")
    shown = undoing.preview(line, by=director(one))
    other.refresh_from_db()
    assert other.state == CLOSED
    assert [explain(effect) for effect in shown.effects] == [
        "Table 2 in round 1 is open again: its result leaves the standings."
    ]
    done = undoing.undo(line, by=director(one))
    assert done.moves == shown.moves != ()
    other.refresh_from_db()
    assert other.state == WAITING
    line.refresh_from_db()
    assert line.undone_by.act == "undone"
    undoing.undo(line, by=director(one))
    with pytest.raises(score_errors.UndoneAlready):
        undoing.preview(line, by=director(one))


def test_only_the_last_change_of_a_table_is_taken_back():
    match, _ = two_tables()
    store(match, 200, 100)
    first = last("result")
    correct(match, 100, 200)
    with pytest.raises(score_errors.ChangedSince):
        undoing.undo(first, by=director(match))
    undoing.undo(last("result_corrected"), by=director(match))
    assert outcomes(match) == "WLWL"


def test_a_withdrawal_is_taken_back_with_the_tables_it_lost():
    match, _ = two_tables()
    entry = entry_at(match, "A")
    leaving.withdraw(entry, by=director(match))
    assert outcomes(match) == "lwlw"
    undoing.undo(last("entry_withdrawn"), by=director(match))
    entry.refresh_from_db()
    assert entry.state == Entry.State.REGISTERED
    assert outcomes(match) == "----"
    with pytest.raises(score_errors.UndoneAlready):
        undoing.preview(last("entry_withdrawn"), by=director(match))


def test_a_disqualification_is_taken_back():
    match, _ = two_tables()
    disqualify(entry_at(match, "A"))
    undoing.undo(last("entry_disqualified"), by=director(match))
    assert entry_at(match, "A").state == Entry.State.REGISTERED
    assert outcomes(match) == "----"


def published(tables=2):
    one, _ = two_tables()
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    pairings.publish(PairingRound.objects.get(), leave_out=True, by=director(one))
    return one


def test_a_published_round_is_hidden_again_while_nothing_has_begun():
    match = published()
    undoing.undo(last("round_published"), by=director(match))
    assert PairingRound.objects.get().state == PairingRound.State.DRAFT


def test_a_round_in_play_stays_published():
    match = published()
    results.start_match(match, by=director(match))
    with pytest.raises(score_errors.RoundHasBegun):
        undoing.preview(last("round_published"), by=director(match))


def test_a_round_with_a_later_one_stays_published():
    match = published()
    PairingRoundFactory.create(stage=match.pairing_round.stage)
    with pytest.raises(score_errors.LaterRoundExists):
        undoing.preview(last("round_published"), by=director(match))


def test_exchanged_seats_are_exchanged_back():
    match, _ = two_tables()
    store(match, 200, 100)
    first = entry_at(match, "A")
    swap(match, first, entry_at(match, "B"), follow="seats")
    undoing.undo(last("seats_swapped"), by=director(match))
    assert entry_at(match, "A") == first
    assert outcomes(match) == "WLWL"


def test_what_has_no_way_back_says_so():
    match, _ = two_tables()
    line = LogEntry.objects.create(
        tournament=match.pairing_round.stage.tournament, act="undone", by=director(match)
    )
    with pytest.raises(undo_errors.NoWayBack, match="To have that again, do it once more"):
        undoing.preview(line, by=director(match))


def test_situation_47_bulk_withdrawal_is_undone_for_all():
    stage = stage_of()
    tournament = stage.tournament
    everybody = EntryFactory.create_batch(6, tournament=tournament)
    for one in everybody:
        Entry.objects.filter(pk=one.pk).update(state=Entry.State.WITHDRAWN)
    line = LogEntry.objects.create(
        tournament=tournament,
        act="entries_withdrawn",
        by=tournament.created_by,
        details={"entries": [one.number for one in everybody]},
    )
    assert len(undoing.preview(line, by=tournament.created_by).effects) == 6
    undoing.undo(line, by=tournament.created_by)
    assert not tournament.entries.exclude(state=Entry.State.REGISTERED).exists()


# --- clock ----------------------------------------------------------------------------------


def test_the_clock_has_one_deadline_and_starts_once():
    match, _ = two_tables()
    pairing_round = clock.set_clock(match.pairing_round, minutes=40, by=director(match))
    begun = pairing_round.starts_at
    assert clock.set_clock(pairing_round, minutes=40, by=director(match)).starts_at == begun
    found = time_of(pairing_round, extra_seconds=90)
    assert found.ends_at - begun == timedelta(minutes=41, seconds=30)
    assert found.grace_ends_at - begun == timedelta(minutes=2)
    assert LogEntry.objects.filter(act="clock_set").count() == 1
    clock.stop_clock(pairing_round, by=director(match))
    assert clock.clock_of(PairingRound.objects.get()) is None


def test_a_clock_can_be_set_for_later_and_for_a_sensible_time_only():
    match, _ = two_tables()
    later = timezone.now() + timedelta(minutes=10)
    found = clock.set_clock(match.pairing_round, minutes=40, starts_at=later, by=director(match))
    assert time_of(found).starts_at == later
    with pytest.raises(score_errors.BadMinutes):
        clock.set_clock(found, minutes=0, by=director(match))


def test_a_table_gets_extra_time_once_and_with_a_reason():
    match, _ = two_tables()
    with pytest.raises(score_errors.ReasonMissing):
        clock.set_extra_time(match, seconds=120, reason="", by=director(match))
    for _ in range(2):
        clock.set_extra_time(match, seconds=120, reason="a tile was missing", by=director(match))
    match.refresh_from_db()
    assert match.extra_seconds == 120
    assert LogEntry.objects.filter(act="extra_time").count() == 1
    with pytest.raises(score_errors.BadExtraTime):
        clock.set_extra_time(match, seconds=-1, reason="less", by=director(match))


def test_a_draft_has_no_clock():
    match, _ = two_tables()
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    with pytest.raises(table_errors.RoundNotPublished):
        clock.set_clock(match.pairing_round, minutes=40, by=director(match))


def test_the_standings_after_a_correction_are_those_of_a_new_count():
    one, other = two_tables()
    store(one, 200, 100)
    store(other, 200, 150)
    correct(one, 100, 200)
    stage = one.pairing_round.stage
    shown = list(StandingRow.objects.order_by("order").values_list("entry", "place"))
    rebuild_standings(stage)
    assert list(StandingRow.objects.order_by("order").values_list("entry", "place")) == shown


def test_an_absence_is_taken_back():
    stage = stage_of()
    who = EntryFactory.create(tournament=stage.tournament)
    by = stage.tournament.created_by
    attendance.set_absence(stage, number=1, entry=who, kind="absent", by=by)
    line = last("absence_noted")
    assert explain(undoing.preview(line, by=by).effects[0]) == (
        f"“{who.name}” plays in round 1 of Main stage."
    )
    undoing.undo(line, by=by)
    assert not who.absences.exists()


def test_a_place_given_away_is_taken_back_with_the_withdrawal():
    tournament = TournamentFactory.create(most_entries=1)
    first, second = EntryFactory.create_batch(2, tournament=tournament)
    Entry.objects.filter(pk=second.pk).update(state=Entry.State.WAITING)
    leaving.withdraw(first, by=tournament.created_by)
    second.refresh_from_db()
    assert second.state == Entry.State.REGISTERED
    undoing.undo(last("entry_withdrawn"), by=tournament.created_by)
    second.refresh_from_db()
    assert second.state == Entry.State.WAITING


# --- drawn stages ---------------------------------------------------------------------------


def drawn(system, pairs, **plan):
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, target=200)
    EntryFactory.create_batch(pairs, tournament=tournament)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(system, **plan), by=by)
    return stage, next_round(stage, 1)


def next_round(stage, number):
    by = stage.tournament.created_by
    pairing_round = draws.draw_round(stage, number=number, by=by)
    return pairings.publish(pairing_round, by=by)


def test_situation_13_the_next_draw_lacks_whoever_was_put_out():
    stage, first = drawn("swiss", 6, rounds=3)
    one, *others = first.matches.order_by("table")
    gone = entry_at(one, "A")
    disqualify(gone)
    assert outcomes(one) == "lwlw"
    for number, match in enumerate(others):
        store(match, 200, 100 + number)
    second = next_round(stage, 2)
    seated = set(second.matches.values_list("seats__entry", flat=True))
    resting = set(second.byes.values_list("entry", flat=True))
    assert len(seated | resting) == 5
    assert gone.pk not in seated | resting


def test_a_corrected_winner_takes_the_place_of_the_other_in_the_bracket():
    stage, first = drawn("knockout", 4)
    one, other = first.matches.order_by("table")
    store(one, 200, 100)
    store(other, 200, 150)
    winner, loser = entry_at(one, "A"), entry_at(one, "B")
    final = next_round(stage, 2).matches.get()
    assert winner in Entry.objects.filter(seats__match=final)
    correct(one, 200, 120)
    assert Match.objects.filter(pk=final.pk).exists()
    assert correct(one, 100, 200).gone == ((2, final.table),)
    final = next_round(stage, 2).matches.get()
    assert loser in Entry.objects.filter(seats__match=final)
    results.start_match(final, by=director(one))
    with pytest.raises(draw_errors.BracketWentOn):
        correct(one, 200, 100)
    with pytest.raises(draw_errors.BracketWentOn):
        undoing.preview(last("result_corrected"), by=director(one))
