"""Each measure a ruling has, what the schedule proposes, undo and rewind."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from engine.match import MatchState
from engine.penalties import Measure
from engine.profiles import PROFILES
from engine.seats import Seat
from tests.engine.playing import match_of

HANDS = """
A 6-0 5-1 4-1 3-1 2-1 1-1 1-0
B 6-6 6-5 5-5 5-4 4-4 3-3 0-0
C 6-4 6-3 6-2 6-1 5-3 5-2 5-0
D 4-3 4-2 4-0 3-2 3-0 2-2 2-0
"""


def on_four_hands(
    lines: str,
    *,
    profile: str = "wdf",
    target: int | None = None,
    options: Mapping[str, str | int] | None = None,
) -> MatchState:
    return match_of(lines, hands=HANDS, profile=profile, target=target, options=options)


def test_retract_leaves_the_turn() -> None:
    state = on_four_hands("B 6-6\nC! misplay 5-3 -> retract, warning").rounds[0]
    assert state.turn == "C"
    assert len(state.line) == 1


def test_a_lost_turn_is_the_one_now_or_the_next_and_counts_once() -> None:
    assert on_four_hands("B 6-6\nC! delay -> lose_turn").rounds[0].turn == "D"
    twice = "B 6-6\nA! delay -> lose_turn\nA! delay -> lose_turn\nC 6-4\nD 4-3"
    state = on_four_hands(twice).rounds[0]
    assert state.turn == "B"
    assert state.skips == ()


def test_an_opener_without_turn_hands_the_first_tile_on() -> None:
    state = on_four_hands("B! late -> lose_turn\nC 5-0").rounds[0]
    assert state.opener == "B"
    assert [str(one.tile) for one in state.line] == ["5-0"]


def test_an_obliged_tile_binds_once() -> None:
    lines = "B 6-6\nC! touch 5-3\nC 6-4\nD 4-3\nA 6-0 left\nB 0-0\nC 5-0"
    assert on_four_hands(lines).rounds[0].turn == "D"


def test_a_lost_turn_uses_an_obligation_up() -> None:
    lines = "B 6-6\nC! touch 6-1\nC! delay -> lose_turn"
    assert on_four_hands(lines).rounds[0].must == {}


def test_a_tile_not_held_binds_nothing() -> None:
    assert on_four_hands("B 6-6\nC! touch 0-0").rounds[0].must == {}


def test_exposed_tiles_bind_in_their_order_until_played() -> None:
    lines = "B 6-6\nC! exposed_tile 5-3 -> expose\nC! exposed_tile 6-3 -> expose\nC 6-3"
    state = on_four_hands(lines).rounds[0]
    assert [str(tile) for tile in state.must[Seat.C]] == ["5-3"]


def test_going_out_with_an_exposed_tile_earns_nothing() -> None:
    lines = "A 6-6\n" + "".join(f"{seat} pass\n" for seat in "BCD")
    plays = ["6-5 left", "6-4 right", "5-4 left", "4-3 left", "3-2 left", "2-0 left"]
    for play in plays[:-1]:
        lines += f"A {play}\nB pass\nC pass\nD pass\n"
    shown = match_of(lines + "A! exposed_tile 2-0 -> expose\nA 2-0 left", opener="A")
    assert (shown.rounds[0].ended, shown.rounds[0].winner) == ("out", "AC")
    assert shown.rounds[0].points == {"AC": 0, "BD": 0}
    hidden = match_of(lines + "A 2-0 left\nB counts 20\nD counts 11", opener="A")
    assert hidden.rounds[0].points == {"AC": 31, "BD": 0}


def test_a_misplay_may_stand() -> None:
    state = on_four_hands("B 6-6\nC! misplay 5-3 right open 3 -> stand, warning").rounds[0]
    assert state.ends == (6, 3)
    assert state.turn == "D"
    assert state.line[-1].standing
    assert (state.line[-1].left, state.line[-1].right) == (5, 3)


def test_a_void_round_counts_nothing_and_the_same_rule_opens_the_next() -> None:
    state = on_four_hands("B 6-6\nC 6-4\nD! overdraw")
    assert state.rounds[0].ended == "void"
    assert state.next_opener().required
    rotating = match_of("C 5-4\nD! overdraw", profile="femundo", opener="C")
    assert rotating.next_opener().seat == "C"


def test_a_lost_round_scores_the_offenders_pips_for_the_other_side() -> None:
    state = match_of("B 6-6\nC! table_talk -> lose_round", profile="domna", hands=HANDS)
    assert (state.rounds[0].ended, state.rounds[0].winner) == ("lost", "BD")
    assert state.totals == {"AC": 0, "BD": 27 + 54}
    assert state.next_opener().seat == "D"


@pytest.mark.parametrize("measure", ["lose_match", "disqualify"])
def test_a_lost_match_gives_the_other_side_the_target(measure: str) -> None:
    state = on_four_hands(f"B 6-6\nC! disobedience -> {measure}", target=150)
    assert state.over
    assert state.winner == "BD"
    assert state.totals == {"AC": 0, "BD": 150}
    assert state.rounds[0].points == {"AC": 0, "BD": 0}


def test_in_elimination_a_lost_match_puts_one_seat_out() -> None:
    state = on_four_hands("B 6-6\nC! disobedience -> lose_match", profile="elimination")
    assert not state.over
    assert state.in_match == ("A", "B", "D")
    assert state.rounds[0].ended == "void"


@pytest.mark.parametrize(
    ("options", "totals", "deducted"),
    [
        ({}, {"AC": -30, "BD": 0}, 30),
        ({"deduct_from": "result"}, {"AC": 0, "BD": 0}, 30),
        ({"points_to": "award"}, {"AC": 0, "BD": 30}, 0),
        ({"points_to": "award", "deduct_from": "result"}, {"AC": 0, "BD": 30}, 0),
    ],
)
def test_points_are_taken_or_given(
    options: dict[str, str | int], totals: dict[str, int], deducted: int
) -> None:
    state = on_four_hands("B 6-6\nC! phone -> points 10, percent 20", options=options)
    assert state.totals == totals
    assert state.deductions[Seat.C] == deducted


def test_in_elimination_penalty_points_are_added() -> None:
    state = on_four_hands(
        "B 6-6\nC! phone -> points 10", profile="elimination", options={"points_to": "award"}
    )
    assert state.totals == {"A": 0, "B": 0, "C": 10, "D": 0}


def test_a_percentage_is_rounded_down() -> None:
    assert on_four_hands("B 6-6\nC! phone -> percent 15", target=111).totals["AC"] == -16


def test_the_schedule_rules_by_the_count_of_the_kind_and_repeats_its_last_step() -> None:
    state = on_four_hands("B 6-6" + "\nC! delay" * 4)
    said = [tuple(map(str, one.measures or ())) for one in state.infractions]
    last = ("lose_turn", "percent 10")
    assert said == [("warning",), ("lose_turn",), last, last]
    assert [one.offence for one in state.infractions] == [1, 2, 3, 4]


def test_an_act_on_purpose_has_steps_of_its_own() -> None:
    state = on_four_hands("B 6-6\nC! disturbed_layout deliberate")
    assert state.infractions[0].measures == (Measure("percent", 20),)
    plain = on_four_hands("B 6-6\nC! delay deliberate")
    assert plain.infractions[0].measures == (Measure("warning"),)


@pytest.mark.parametrize("profile", PROFILES)
def test_every_step_of_every_schedule_can_be_carried_out(profile: str) -> None:
    for kind, penalty in PROFILES[profile].schedule.penalties.items():
        for deliberate in ("", " deliberate") if penalty.deliberate else ("",):
            for times in range(1, len(penalty.offences) + 2):
                lines = "B 6-6" + f"\nC! {kind} 6-4{deliberate}" * times
                opener = "B" if profile == "femundo" else None
                state = match_of(lines, profile=profile, hands=HANDS, opener=opener)
                assert len(state.infractions) == times


def test_a_pending_ruling_stops_play_until_it_is_given() -> None:
    state = on_four_hands("B 6-6\nC! misplay 5-3 -> pending")
    assert state.rounds[0].pending == (1,)
    assert state.infractions[0].measures is None
    ruled = on_four_hands("B 6-6\nC! misplay 5-3 -> pending\nruling 1\nC 6-4")
    assert ruled.rounds[0].turn == "D"
    assert ruled.infractions[0].measures == (Measure("retract"), Measure("warning"))


def test_a_rewind_takes_play_back_and_keeps_infractions() -> None:
    lines = (
        "B 6-6\nC 6-4\nD 4-3\nA! delay -> lose_turn, points 5\nB 6-5\nC! misplay 6-4 -> rewind 1"
    )
    state = on_four_hands(lines)
    assert state.rounds[0].turn == "C"
    assert [str(one.tile) for one in state.rounds[0].line] == ["6-6"]
    assert state.rounds[0].in_effect == (True, False, False, True, False, True)
    assert state.deductions[Seat.A] == 5
    assert state.rounds[0].skips == ()


def test_undoing_a_rewind_brings_back_what_it_took() -> None:
    lines = "B 6-6\nC 6-4\nD 4-3\nC! misplay 6-4 -> rewind 1\nundo 1"
    state = on_four_hands(lines)
    assert state.rounds[0].turn == "A"
    assert state.infractions == []
    back = on_four_hands(lines + "\nundo 2")
    assert back.rounds[0].turn == "C"


def test_a_rewind_reopens_a_round_that_was_void() -> None:
    lines = "B 6-6\nC 6-4\nD! overdraw\nC! misplay 6-4 -> rewind 1"
    assert on_four_hands(lines).rounds[0].turn == "C"


def test_a_ruling_after_the_end_may_change_it() -> None:
    lines = "B 6-6\nC! signaling -> pending"
    assert on_four_hands(lines + "\nruling 1 -> void_round").rounds[0].ended == "void"


def test_who_leaves_changes_nothing_for_the_rules() -> None:
    assert on_four_hands("B 6-6\nC leaves robot\nC 6-4").rounds[0].turn == "D"
