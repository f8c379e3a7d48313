"""Who opens, how rounds end and score, and when a match is over."""

from __future__ import annotations

import pytest

from engine.match import MatchState
from engine.record import Round
from engine.seats import Seat
from tests.engine.playing import events_of, match_of

OUT_BY_A = """
A 6-6
B 6-5 left
C pass
D pass
A 5-4 left
B pass
C pass
D pass
A 4-3 left
B pass
C pass
D pass
A 3-2 left
B pass
C pass
D pass
A 2-1 left
B pass
C pass
D pass
A 1-0 left
B pass
C pass
D pass
A 6-0 right
"""
COUNTED = "B counts 20\nC counts 30\nD counts 7"


@pytest.mark.parametrize(
    ("options", "points"),
    [
        ({}, 27),
        ({"points_out": "all"}, 57),
        ({"round_to": 5}, 25),
        ({"bonus_both_ends": 10}, 37),
        ({"bonus_both_ends": 10, "round_to": 5}, 35),
    ],
)
def test_going_out_scores(options: dict[str, int | str], points: int) -> None:
    """A goes out with 6-0, which fits both ends, 0 and 6."""
    state = match_of(OUT_BY_A + COUNTED, opener="A", options=options)
    assert state.totals == {"AC": points, "BD": 0}


def test_a_blind_round_waits_for_the_hands_its_points_need() -> None:
    state = match_of(OUT_BY_A, opener="A")
    assert state.rounds[0].ended == "unfinished"
    assert state.rounds[0].needs_hands == ("B", "D")
    assert state.rounds[0].play_over
    assert match_of(OUT_BY_A + COUNTED, opener="A").rounds[0].left == {
        "A": 0,
        "B": 20,
        "C": 30,
        "D": 7,
    }


def test_shown_tiles_count_before_a_count() -> None:
    shown = "B counts 20\nB shows 5-5 5-3 5-2 5-1 5-0 4-4\nD counts 7"
    state = match_of(OUT_BY_A + shown, opener="A")
    assert state.rounds[0].left[Seat.B] == 10 + 8 + 7 + 6 + 5 + 8


BLOCK = "A 6-6\n" + "B pass\nC pass\nD pass\nA pass\n"


@pytest.mark.parametrize(
    ("profile", "options", "counts", "winner", "points"),
    [
        ("domna", {}, (30, 10, 20, 40), "BD", 50),
        ("domna", {}, (10, 10, 30, 20), "BD", 40),
        ("domna", {}, (10, 10, 20, 20), None, 0),
        ("wdf", {}, (30, 10, 20, 45), "AC", 5),
        ("wdf", {"block_winner": "lowest_hand"}, (30, 10, 20, 45), "BD", 0),
        ("wdf", {"points_block": "opponents"}, (30, 10, 20, 45), "AC", 55),
        ("femundo", {}, (30, 10, 20, 45), "AC", 105),
        ("femundo", {}, (30, 10, 20, 40), None, 0),
    ],
)
def test_a_blocked_round(
    profile: str,
    options: dict[str, str | int],
    counts: tuple[int, ...],
    winner: str | None,
    points: int,
) -> None:
    shown = "".join(f"{seat} counts {pips}\n" for seat, pips in zip("ABCD", counts, strict=True))
    state = match_of(BLOCK + shown, profile=profile, opener="A", target=500, options=options)
    seen = state.rounds[0]
    assert seen.ended == ("drawn" if winner is None else "blocked")
    assert seen.winner == winner
    assert max(seen.points.values()) == points


def test_in_elimination_each_adds_their_own() -> None:
    counts = "A counts 1\nB counts 2\nC counts 3\nD counts 4"
    state = match_of(BLOCK + counts, profile="elimination", opener="A")
    assert state.totals == {"A": 1, "B": 2, "C": 3, "D": 4}
    assert (state.rounds[0].ended, state.rounds[0].winner) == ("blocked", None)


def test_passes_after_a_block_change_nothing() -> None:
    state = match_of(BLOCK + "B pass\nC pass", opener="A")
    assert state.rounds[0].play_over


# -- who opens --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "profile", "players", "opens"),
    [
        ("result AC 37 out", "femundo", 4, None),
        (OUT_BY_A + COUNTED, "femundo", 4, "B"),
        (OUT_BY_A + COUNTED, "domna", 4, "A"),
        (OUT_BY_A + COUNTED, "wdf", 4, None),
        (BLOCK + "A counts 9\nB counts 30\nC counts 5\nD counts 30", "domna", 4, "C"),
        (BLOCK + "A counts 9\nB counts 30\nC counts 9\nD counts 30", "domna", 4, "A"),
        (BLOCK + "A counts 9\nB counts 9\nC counts 30\nD counts 30", "domna", 4, "B"),
    ],
)
def test_the_next_opener(first: str, profile: str, players: int, opens: str | None) -> None:
    state = match_of(first, profile=profile, players=players, opener="A", target=500)
    assert state.next_opener().seat == opens
    assert state.next_opener().required is (opens is None)


def test_the_heaviest_tile_opens_where_nobody_has_a_double() -> None:
    hands = "A 6-1 5-1 4-1 3-1 2-1 1-0 2-0\nB 5-2 4-2 3-2 4-0 3-0 4-3 5-0"
    state = match_of("A 6-1", hands=hands, players=2)
    assert state.rounds[0].opener == "A"


def test_a_wrong_opener_is_a_finding_and_may_lay_any_tile() -> None:
    hands = """
A 6-0 5-1 4-1 3-1 2-1 1-1 1-0
B 6-6 6-5 5-5 5-4 4-4 3-3 0-0
C 6-4 6-3 6-2 6-1 5-3 5-2 5-0
D 4-3 4-2 4-0 3-2 3-0 2-2 2-0
"""
    state = match_of("C 5-2", hands=hands, opener="C")
    assert [(one.seat, one.kind, one.event) for one in state.findings] == [
        ("C", "wrong_opener", None)
    ]
    assert "The rules give the first tile to seat B" in state.findings[0].proof
    ruled = match_of("C 5-2\nC! wrong_opener", hands=hands, opener="C")
    assert ruled.findings == []


# -- the end of a match -----------------------------------------------------------------------


def sheets(*points: str, target: int | None = None) -> MatchState:
    return match_of(*(f"result {one} out" for one in points), target=target)


def test_the_first_side_at_the_target_wins() -> None:
    assert not sheets("AC 99").over
    assert sheets("AC 99", "BD 40", "AC 1").winner == "AC"


def test_any_whole_number_may_be_the_target() -> None:
    assert sheets("AC 7", target=7).over
    assert not sheets("AC 999999", target=1_000_000).over


def test_a_deduction_after_the_last_tile_counts_before_the_target_is_tested() -> None:
    state = match_of("result AC 100 out\nA! phone -> points 1")
    assert not state.over
    assert state.totals == {"AC": 99, "BD": 0}


def test_time_over_ends_the_match_with_the_round_in_play() -> None:
    assert match_of("result AC 5 out\ntime over").winner == "AC"
    level = match_of("result - 0 blocked\ntime over", "result BD 3 out")
    assert level.winner == "BD"


def test_a_void_round_tests_neither_target_nor_clock() -> None:
    assert not match_of("result AC 5 out\ntime over\nB! overdraw").over


@pytest.mark.parametrize(
    ("rounds", "options", "left", "winner"),
    [
        (["A=0 B=150 C=10 D=10"], {}, ("A", "C", "D"), None),
        (["A=0 B=150 C=150 D=150"], {}, ("A",), "A"),
        (["A=150 B=151 C=150 D=160"], {}, ("A", "C"), None),
        (["A=151 B=150 C=152 D=160"], {}, ("B",), "B"),
        (["A=0 B=150 C=150 D=10"], {"survivors": 2}, ("A", "D"), None),
        (["A=0 B=150 C=10 D=10", "A=0 C=140 D=10"], {}, ("A", "D"), None),
    ],
)
def test_elimination_goes_on_until_the_last(
    rounds: list[str], options: dict[str, str | int], left: tuple[str, ...], winner: str | None
) -> None:
    state = match_of(
        *(f"result A {one} out" for one in rounds), profile="elimination", options=options
    )
    assert state.in_match == left
    assert state.winner == winner
    assert state.over is (winner is not None or len(left) <= int(options.get("survivors", 1)))


def test_seats_out_of_the_match_are_passed_over() -> None:
    second = Round(events_of("A 6-6\nC draws ?\nC 6-1"), None, None, Seat.A)
    state = match_of("result A B=150 out", second, profile="elimination")
    assert state.rounds[1].seats == ("A", "C", "D")
    assert state.rounds[1].turn == "D"
    assert state.rounds[1].stock_left == 6
