"""What the engine does not allow, each refusal with its code and its sentence."""

from __future__ import annotations

import re

import pytest

from engine.errors import BadRecord, Refusal
from engine.match import score
from engine.profiles import Rules
from engine.record import Record, Round
from tests.engine.playing import events_of, match_of

# 6-6 lies with B; A opens nothing, C holds sixes, D none that fit 6.
HANDS = """
A 6-0 5-1 4-1 3-1 2-1 1-1 1-0
B 6-6 6-5 5-5 5-4 4-4 3-3 0-0
C 6-4 6-3 6-2 6-1 5-3 5-2 5-0
D 4-3 4-2 4-0 3-2 3-0 2-2 2-0
"""
TWO = """
A 6-6 6-0 4-1 3-1 2-1 1-1 1-0
B 5-5 4-4 4-3 3-3 2-2 0-0 2-0
"""

ON_FOUR_HANDS = {
    "out_of_turn": ("B 6-6\nD 4-3", "Seat D acted, but it is the turn of seat C."),
    "tile_already_played": ("B 6-6\nC 6-6", "6-6 already lies on the table."),
    "not_in_hand": ("B 6-6\nC 5-4", "5-4 is not in the hand of seat C, which holds 6-4 6-3 6-2"),
    "wrong_opening_tile": ("B 5-5", "5-5 cannot open this round: it must be opened with 6-6."),
    "misplay": ("B 6-6\nC 5-3", "5-3 does not fit: the ends are 6 and 6."),
    "must_play": (
        "B 6-6\nC! touch 6-4\nC 6-1",
        "Seat C must play 6-4, which lies open or was touched and fits; 6-1 was laid.",
    ),
    "ruling_pending": (
        "B 6-6\nC! signaling -> pending\nC 6-4",
        "The table is stopped: the infraction at event 1 awaits its ruling.",
    ),
    "match_over": ("B 6-6\nC! disobedience -> lose_match\nC 6-4", "The match is over."),
    "round_over": ("B 6-6\nC! overdraw -> void_round\nC 6-4", "This round is over (void)."),
    "false_pass": ("B 6-6\nC pass", "Seat C cannot pass: 6-4 6-3 6-2 6-1 can be played"),
    "improper_draw": ("B 6-6\nC draws ?", "Seat C cannot draw: 6-4 6-3 6-2 6-1 can be played"),
}


@pytest.mark.parametrize("code", list(ON_FOUR_HANDS))
def test_a_refusal_names_the_rule_what_was_found_and_the_remedy(code: str) -> None:
    lines, said = ON_FOUR_HANDS[code]
    with pytest.raises(Refusal) as refused:
        match_of(lines, hands=HANDS)
    assert refused.value.code == code
    assert said in str(refused.value)
    assert (refused.value.round, refused.value.event) == (0, lines.count("\n"))


def test_a_tile_that_fits_both_ends_needs_its_end() -> None:
    with pytest.raises(Refusal, match=r"5-2 fits both ends, 5 and 2\. Say whether") as refused:
        match_of("A 6-6\nB 6-5 left\nC 6-2 right\nD pass\nA 5-2", opener="A")
    assert refused.value.code == "end_required"
    same = match_of("A 6-6\nB 6-5 left\nC 6-2 right\nD 5-2 left\nA 2-0", opener="A")
    assert same.rounds[0].line[-1].end == "right"


@pytest.mark.parametrize(
    ("lines", "code", "said"),
    [
        ("A pass", "false_pass", "Seat A cannot pass before the first tile: any tile opens."),
        ("A draws ?", "improper_draw", "Seat A cannot draw before the first tile."),
        ("A 6-6\nB pass", "must_draw", "14 tiles of the stock may still be drawn"),
        ("A 6-6\nB draws 6-6", "not_in_stock", "6-6 cannot come from the stock"),
        ("A 6-6\nB draws 1-0", "not_in_stock", "it has been dealt, drawn or played"),
        ("A 6-6\nB draws 6-5\nB draws 6-4", "improper_draw", "6-5 can be played"),
        ("A 6-6\nB 5-5", "misplay", "Lay a tile with one of these numbers"),
        ("A 6-6\nB 5-5 left", "misplay", "5-5 does not fit the end chosen: it shows 6"),
    ],
)
def test_with_a_stock(lines: str, code: str, said: str) -> None:
    with pytest.raises(Refusal) as refused:
        match_of(lines, hands=TWO, players=2)
    assert refused.value.code == code
    assert said in str(refused.value)


def test_a_reserve_stays_undrawn() -> None:
    draws = "\n".join(f"B draws {tile}" for tile in ("5-3", "5-2", "5-1"))
    with pytest.raises(Refusal, match=r"no tile of the stock may be drawn \(left: 11") as refused:
        match_of(
            f"A 6-6\n{draws}\nB draws 5-0", hands=TWO, players=2, options={"stock_reserve": 11}
        )
    assert refused.value.code == "improper_draw"
    state = match_of(f"A 6-6\n{draws}\nB pass", hands=TWO, players=2, options={"stock_reserve": 11})
    assert state.rounds[0].turn == "A"


def test_the_first_of_several_faults_is_named() -> None:
    """D is not on turn, 6-6 lies already, and it would not be D's: the turn comes first."""
    with pytest.raises(Refusal) as refused:
        match_of("B 6-6\nD 6-6", hands=HANDS)
    assert refused.value.code == "out_of_turn"


def test_in_a_blind_round_of_four_only_double_six_can_be_forced() -> None:
    with pytest.raises(Refusal, match="it must be opened with 6-6"):
        match_of("A 5-5", opener="A")
    assert match_of("A 5-5", opener="A", players=2).rounds[0].line


def test_a_blind_round_does_not_know_what_is_held() -> None:
    assert match_of("A 6-6\nB pass\nC 6-1", opener="A").rounds[0].turn == "D"


def test_an_exposed_tile_counts_as_known_in_a_blind_round() -> None:
    with pytest.raises(Refusal, match="6-1 can be played") as refused:
        match_of("A 6-6\nB! exposed_tile 6-1 -> expose\nB pass", opener="A")
    assert refused.value.code == "false_pass"


@pytest.mark.parametrize(
    ("first", "second", "code"),
    [
        ("A 6-6", "B 6-5", "bad_record"),
        ("A 6-6\nB! disobedience -> lose_match", "A 6-6", "match_over"),
        ("result AC 5 out\nB! delay -> pending", "A 6-6", "ruling_pending"),
    ],
)
def test_a_round_is_refused_as_a_whole(first: str, second: str, code: str) -> None:
    with pytest.raises(Refusal) as refused:
        match_of(first, second, opener="A")
    assert refused.value.code == code
    assert (refused.value.round, refused.value.event) == (1, None)


@pytest.mark.parametrize("lines", ["A 6-6\nresult AC 5 out", "result AC 5 out\nA 6-6"])
def test_a_score_sheet_stands_alone(lines: str) -> None:
    with pytest.raises(Refusal) as refused:
        match_of(lines, opener="A")
    assert refused.value.code == "bad_record"


@pytest.mark.parametrize(
    "lines",
    [
        "A 6-6\nundo 2",
        "undo 1",
        "ruling 0",
        "A 6-6\nB! delay -> warning\nruling 1",
        "A 6-6\nB! delay -> rewind 2",
        "A 6-6\nundo 1\nA 6-6\nB! delay -> rewind 0",
        "A 6-6\nB! phone -> pending\nruling 1",
        "result AC 5 out\nB! delay -> lose_round",
        "A! misplay 6-5 left open 5 -> stand",
    ],
)
def test_what_only_replaying_tells_is_a_bad_record_with_its_path(lines: str) -> None:
    with pytest.raises(BadRecord) as refused:
        match_of(lines, opener="A")
    assert refused.value.code == "bad_record"
    assert re.match(r"rounds\[0\]\.events\[\d\]\.", refused.value.path)


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("A 6-6\nundo 2", "2 events cannot be undone: in effect in this round are 1."),
        ("A 6-6\nruling 0", "Event 0 awaits no ruling."),
        ("A 6-6\nresult AC 5 out", "A round has either a score-sheet result or moves"),
    ],
)
def test_what_a_referee_can_put_right_is_said_without_a_path(lines: str, said: str) -> None:
    with pytest.raises(BadRecord) as refused:
        match_of(lines, opener="A")
    assert str(refused.value).startswith(said)
    with pytest.raises(BadRecord, match=r"The round before is not finished\. Finish it"):
        match_of("A 6-6", "A 6-6", opener="A")


def test_a_round_needs_its_opener_where_the_rules_do_not_say() -> None:
    with pytest.raises(Refusal, match=r"rounds\[0\]\.opener") as refused:
        match_of("A 6-6")
    assert (refused.value.code, refused.value.event) == ("bad_record", None)


def test_a_sheet_taken_back_still_lacks_the_opener() -> None:
    undone = Round(events_of("result AC 5 out\nundo 1"))
    assert match_of(undone).rounds[0].turn is None
    with pytest.raises(Refusal, match=r"rounds\[0\]\.opener"):
        score(Record(Rules.of("wdf"), 4, (undone,)))
    with pytest.raises(Refusal, match=r"rounds\[0\]\.opener"):
        match_of("result AC 5 out\nundo 1\nA 6-6")
