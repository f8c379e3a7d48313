"""Faults of other software, told for dominoes: brackets, groups and closed stages."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from tests.tournaments.test_services_draws import event, play, settle
from tournaments.competition.brackets import Bracket, Status
from tournaments.errors import draws as draw_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Entry, Match, PairingRound, Stage
from tournaments.services import draws, leaving, pairings, results, stages
from tournaments.services.brackets import bracket_of
from tournaments.services.disqualification import disqualify
from tournaments.services.expulsions import expel_both
from tournaments.services.results import SeatResult
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings
from tournaments.services.takes import Takes
from tournaments.services.undoing import undo

pytestmark = pytest.mark.django_db


def made(pairs: int, plan: StagePlan) -> Stage:
    tournament = event(pairs)
    return stages.make_stage(tournament, plan, by=tournament.created_by)


def read(stage: Stage) -> Bracket:
    bracket = bracket_of(Stage.objects.select_related("tournament").get(pk=stage.pk))
    assert bracket is not None
    return bracket


def published(stage: Stage, number: int) -> PairingRound:
    by = stage.tournament.created_by
    return pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)


def win(stage: Stage, meeting: str, entry: int) -> Match:
    """Let an entry win a meeting that waits at its table."""
    match = Match.objects.get(pairing_round__stage=stage, meeting=meeting)
    seat = match.seats.filter(entry__number=entry).order_by("seat").first()
    assert seat is not None
    settle(match, "AC" if seat.seat in "AC" else "BD", stage.tournament.created_by)
    match.refresh_from_db()
    return match


@pytest.mark.parametrize("pairs", [*range(3, 12), 16, 17, 24, 33])
def test_situation_19_byes_flow_through_both_brackets(pairs):
    stage = made(pairs, StagePlan("double_elimination"))
    chance = random.Random(pairs)
    lost: Counter[int] = Counter()
    for number in range(1, 40):
        try:
            drawn = draws.draw_round(stage, number=number, by=stage.tournament.created_by)
        except draw_errors.BracketIsOver:
            break
        play(drawn, stage.tournament.created_by, chance)
        for match in drawn.matches.all():
            lost.update(
                set(match.seats.filter(outcome="loss").values_list("entry__number", flat=True))
            )
    bracket = read(stage)
    assert bracket.is_over
    assert sum(lost[number] < 2 for number in range(1, pairs + 1)) == 1
    assert not any(one.status is Status.WAITING for one in bracket.matches.values())


def finalists(stage: Stage) -> None:
    """Play a double elimination of four up to its first final: 1 unbeaten against 2."""
    for meeting, winner in [("W1.1", 1), ("W1.2", 2)]:
        if meeting == "W1.1":
            published(stage, 1)
        win(stage, meeting, winner)
    published(stage, 2)
    ready = Match.objects.filter(pairing_round__stage=stage, pairing_round__number=2)
    for meeting in ready.values_list("meeting", flat=True):
        numbers = read(stage).matches[meeting].entries
        win(stage, meeting, min(map(int, numbers)))
    published(stage, 3)
    (last,) = Match.objects.filter(pairing_round__stage=stage, pairing_round__number=3)
    win(stage, last.meeting, 2)
    published(stage, 4)


def test_situation_21_no_second_final_when_the_unbeaten_side_wins():
    stage = made(4, StagePlan("double_elimination"))
    finalists(stage)
    win(stage, "F1", 1)
    assert read(stage).matches["F2"].status is Status.NOT_NEEDED
    assert read(stage).champion == "1"
    with pytest.raises(draw_errors.BracketIsOver):
        draws.draw_round(stage, number=5, by=stage.tournament.created_by)


def test_situation_21_a_second_final_when_the_unbeaten_side_loses():
    stage = made(4, StagePlan("double_elimination"))
    finalists(stage)
    win(stage, "F1", 2)
    assert read(stage).champion is None
    again = published(stage, 5)
    assert list(again.matches.values_list("meeting", flat=True)) == ["F2"]
    win(stage, "F2", 1)
    assert read(stage).champion == "1"


def test_situation_23_undoing_a_double_expulsion_restores_the_tree():
    stage = made(4, StagePlan("knockout"))
    by = stage.tournament.created_by
    published(stage, 1)
    semifinal = win(stage, "W1.1", 1)
    before = read(stage)
    matches = Match.objects.count()
    expel_both(semifinal, reason="Signals", by=by)
    expel_both(semifinal, reason="Signals", by=by)
    win(stage, "W1.2", 2)
    assert read(stage).champion == "2"
    assert read(stage).matches["F1"].status is Status.FREE
    # By mistake: only one of them was to go.
    log = stage.tournament.log
    for line in log.filter(act="entry_disqualified"):
        undo(line, by=by)
    results.reopen_match(semifinal, by=by)
    win(stage, "W1.1", 1)
    disqualify(stage.tournament.entries.get(number=4), reason="Signals", by=by)
    assert Match.objects.count() == matches
    final = published(stage, 2).matches.get()
    assert set(final.seats.values_list("entry__number", flat=True)) == {1, 2}
    assert read(stage).matches["W1.1"].sides == before.matches["W1.1"].sides
    assert read(stage).matches["W1.1"].winner == before.matches["W1.1"].winner


def test_situation_23_what_stands_on_a_result_goes_with_it_until_it_has_begun():
    stage = made(4, StagePlan("knockout"))
    by = stage.tournament.created_by
    published(stage, 1)
    semifinal = win(stage, "W1.1", 1)
    win(stage, "W1.2", 2)
    published(stage, 2)
    results.reopen_match(semifinal, by=by)
    assert not Match.objects.filter(meeting="F1").exists()
    win(stage, "W1.1", 4)
    final = published(stage, 2).matches.get()
    assert set(final.seats.values_list("entry__number", flat=True)) == {2, 4}
    results.start_match(final, by=by)
    with pytest.raises(draw_errors.BracketWentOn) as refused:
        results.reopen_match(semifinal, by=by)
    assert "F1" in str(refused.value)
    semifinal.refresh_from_db()
    assert semifinal.state == Match.State.CLOSED


def test_situation_23_an_earlier_game_of_a_meeting_keeps_those_after_it():
    stage = made(2, StagePlan("knockout", best_of=(1, 1, 3)))
    by = stage.tournament.created_by
    first = published(stage, 1).matches.get()
    settle(first, "AC", by)
    second = published(stage, 2).matches.get()
    settle(second, "BD", by)
    with pytest.raises(draw_errors.BracketWentOn):
        results.reopen_match(first, by=by)
    results.reopen_match(second, by=by)


def test_situation_25_group_mates_do_not_meet_before_the_final():
    stage = made(16, StagePlan("groups", draw={"groups": 4}))
    by = stage.tournament.created_by
    chance = random.Random(25)
    draws.draw_round(stage, number=1, by=by)
    for pairing_round in stage.rounds.order_by("number"):
        play(pairing_round, by, chance)
    closed = stages.close_stage(stage, by=by)
    takes = Takes(each=2)
    group_of = {
        str(one.number): group for one, group, _ in stages.preview_qualifiers(closed, takes)
    }
    final = stages.make_stage(
        stage.tournament, StagePlan("knockout", takes=takes), source=closed, by=by
    )
    for number in (1, 2):
        published(final, number)
        for name, one in read(final).matches.items():
            if one.status is Status.READY and name != "F1":
                groups = [group_of[entry] for entry in one.entries]
                assert len(set(groups)) == 2
        for match in final.rounds.get(number=number).matches.all():
            settle(match, chance.choice(["AC", "BD"]), by)
    assert len(read(final).matches["F1"].entries) == 2


def test_situation_27_both_games_of_a_double_round_robin_count():
    """A beats B 200–50, B beats A 200–150, in a group where all else is level."""
    stage = made(
        2, StagePlan("round_robin", draw={"legs": 2}, tie_breaks=("wins", "direct", "difference"))
    )
    by = stage.tournament.created_by
    draws.draw_round(stage, number=1, by=by)
    for number, (winner, lost) in enumerate([(1, 50), (2, 150)], start=1):
        match = published(stage, number).matches.get()
        seats = set(match.seats.filter(entry__number=winner).values_list("seat", flat=True))
        settle(match, "AC" if "A" in seats else "BD", by, points=200, lost=lost)
    rebuild_standings(stage)
    rows = list(stage.standing_rows.order_by("order").select_related("entry"))
    assert [row.entry.number for row in rows] == [1, 2]
    assert [row.values["direct"] for row in rows] == [1, 1]
    assert [row.values["difference"] for row in rows] == [100, -100]
    assert rows[1].decided_by == "difference"


def test_situation_29_a_closed_stage_is_a_frozen_snapshot(client):
    stage = made(8, StagePlan("groups", draw={"groups": 2}))
    by = stage.tournament.created_by
    chance = random.Random(29)
    draws.draw_round(stage, number=1, by=by)
    for pairing_round in stage.rounds.order_by("number"):
        play(pairing_round, by, chance)
    stage = stages.close_stage(stage, by=by)
    stages.make_stage(stage.tournament, StagePlan("knockout", takes=Takes(1)), source=stage, by=by)
    address = f"/api/t/{stage.tournament.slug}/groups/{stage.number}/"
    before = client.get(address).content
    for entry in stage.tournament.entries.order_by("number")[:2]:
        leaving.withdraw(entry, by=by)
    rebuild_standings(stage)
    assert client.get(address).content == before
    match = Match.objects.filter(pairing_round__stage=stage).order_by("pk")[0]
    with pytest.raises(table_errors.StageIsClosed):
        results.reopen_match(match, by=by)
    assert client.get(address).content == before


def test_both_sides_of_a_meeting_are_expelled_and_the_bracket_goes_on():
    stage = made(8, StagePlan("double_elimination"))
    by = stage.tournament.created_by
    first = published(stage, 1)
    expel_both(first.matches.get(meeting="W1.1"), reason="A brawl", by=by)
    gone = set(
        stage.tournament.entries.filter(state="disqualified").values_list("number", flat=True)
    )
    assert gone == {1, 8}
    chance = random.Random(8)
    for match in first.matches.exclude(state=Match.State.CLOSED):
        settle(match, chance.choice(["AC", "BD"]), by)
    for number in range(2, 20):
        try:
            drawn = draws.draw_round(stage, number=number, by=by)
        except draw_errors.BracketIsOver:
            break
        play(drawn, by, chance)
    champion = read(stage).champion
    assert champion is not None
    assert int(champion) not in gone


def test_who_leaves_after_losing_once_is_not_waited_for_below():
    stage = made(4, StagePlan("double_elimination"))
    by = stage.tournament.created_by
    published(stage, 1)
    win(stage, "W1.1", 1)
    win(stage, "W1.2", 2)
    leaving.withdraw(stage.tournament.entries.get(number=4), by=by)
    assert read(stage).matches["L1.1"].status is Status.FREE
    second = published(stage, 2)
    assert list(second.matches.values_list("meeting", flat=True)) == ["W2.1"]
    win(stage, "W2.1", 1)
    published(stage, 3)
    # Back again, but too late: the losers' bracket has gone on.
    leaving.reinstate(Entry.objects.get(tournament=stage.tournament, number=4), by=by)
    assert read(stage).matches["L1.1"].status is Status.FREE


def give(match: Match, given: dict[str, SeatResult], stage: Stage) -> None:
    by = stage.tournament.created_by
    results.record_result(match, seats=given, by=by)


def test_a_level_game_decides_nothing_and_another_one_is_played():
    stage = made(2, StagePlan("knockout"))
    level = SeatResult(90, 90, "tie")
    give(published(stage, 1).matches.get(), dict.fromkeys("ABCD", level), stage)
    assert read(stage).champion is None
    second = published(stage, 2).matches.get()
    assert (second.meeting, second.game) == ("F1", 2)
    settle(second, "AC", stage.tournament.created_by)
    assert read(stage).champion is not None
