"""What a record proves and nobody ruled on, with its proof in words."""

from __future__ import annotations

import pytest

from tests.engine.playing import match_of


def found(lines: str, *, players: int = 4, profile: str = "wdf") -> list[tuple[str, str, object]]:
    state = match_of(lines, opener="A", players=players, profile=profile)
    return [(one.seat, one.kind, one.event) for one in state.findings]


FALSE_PASS = "A 6-6\nB pass\nC 6-1\nD pass\nA 6-4 left\nB 4-1 left\nC 1-1 left\nD 1-0 left"


def test_a_tile_played_later_proves_a_false_pass() -> None:
    state = match_of(FALSE_PASS, opener="A")
    (finding,) = state.findings
    assert (finding.seat, finding.kind, finding.event) == ("D", "false_pass", 3)
    assert finding.proof == "1-0 was in hand: played at event 7, the ends were 6 and 1"


def test_a_tile_shown_proves_a_false_pass() -> None:
    assert found("A 6-6\nB pass\nB shows 6-5 5-5 5-4 4-4 3-3 2-2 1-1") == [("B", "false_pass", 1)]


@pytest.mark.parametrize("ruling", ["", " -> nothing", " -> warning"])
def test_a_ruling_on_the_same_kind_seat_and_round_settles_it(ruling: str) -> None:
    assert found(f"{FALSE_PASS}\nD! false_pass{ruling}") == []


def test_a_pending_or_another_ruling_settles_nothing() -> None:
    assert found(f"{FALSE_PASS}\nD! false_pass -> pending") == [("D", "false_pass", 3)]
    assert found(f"{FALSE_PASS}\nB! false_pass") == [("D", "false_pass", 3)]


def test_what_a_rewind_took_back_proves_nothing() -> None:
    assert found(f"{FALSE_PASS}\nD! misplay 1-0 -> rewind 7") == []


def test_a_drawn_tile_proves_an_improper_draw() -> None:
    lines = "A 6-6\nB draws 6-1\nB draws 5-4"
    assert found(lines, players=2) == [("B", "improper_draw", 2)]


def test_after_an_unseen_draw_nothing_is_proved_for_what_came_before() -> None:
    assert found("A 6-6\nB draws ?\nB 6-1", players=2) == []
    assert found("A 6-6\nB draws 5-1\nB draws ?\nB 6-5\nA 5-4\nB 6-1", players=2) == []


def test_a_tile_in_hand_before_a_seen_draw_proves_it_improper() -> None:
    lines = "A 6-6\nB draws 5-1\nB draws 6-5\nB 6-5\nA 5-4\nB 6-3"
    assert found(lines, players=2) == [("B", "improper_draw", 1), ("B", "improper_draw", 2)]


def test_a_higher_double_elsewhere_proves_a_wrong_opener() -> None:
    assert found("A 6-5\nB 6-6", players=2) == [("A", "wrong_opener", None)]
    assert found("A 5-5\nB draws 6-6\nB draws 5-0\nB 5-0", players=2) == []


def test_a_better_tile_in_hand_proves_a_wrong_opening_tile() -> None:
    lines = "A 4-4\nB 4-5\nA 5-5"
    assert found(lines, players=2) == [("A", "wrong_opening_tile", 0)]


def test_a_lost_turn_before_the_first_tile_frees_it() -> None:
    lines = "A! delay -> lose_turn\nB! delay -> lose_turn\nA 4-3\nB 4-0 left\nA 3-3 right"
    assert found(lines, players=2) == []


def test_a_shown_hand_must_make_seven() -> None:
    assert found("A 6-6\nB shows 6-5 5-5") == [("B", "wrong_hand_size", None)]


HANDS = """
A 6-0 5-1 4-1 3-1 2-1 1-1 1-0
B 6-6 6-5 5-5 5-4 4-4 3-3
"""


def test_known_hands_are_checked() -> None:
    state = match_of("B 6-6\nA 6-0\nA shows 5-1\nB counts 3", hands=HANDS, players=2)
    assert [(one.seat, one.kind, one.event) for one in state.findings] == [
        ("B", "wrong_hand_size", None),
        ("A", "count_mismatch", 2),
        ("B", "count_mismatch", 3),
    ]


def test_a_false_pass_costs_nothing_by_itself() -> None:
    state = match_of(FALSE_PASS, opener="A")
    assert state.totals == {"AC": 0, "BD": 0}
