"""What is counted from the records for the committee: figures of hand-made records."""

from __future__ import annotations

import pytest

from referee.indicators import FEWEST, MatchCount, Pauses, Place, added_up, count_match, pauses_of
from referee.timed_acts import NoPause, Why
from tests.referee.timed import HANDS, PLAYED, recorded
from tournaments.policies_moves import MoveTime

SEATED = {9: {"A": 1, "B": 2, "C": 3, "D": 4}}
FALSE_PASS = """
0  A 6-6
5  B pass
9  C 6-5
12 D 5-4
15 A 4-1
20 B 6-3
"""


USUAL = MoveTime()


def counted(*rounds, until=None, allowed=USUAL, **settings) -> MatchCount:
    match, times = recorded(*rounds, **settings)
    return count_match(match, times, allowed=allowed, until=until)


def indicators(*counts: MatchCount):
    return added_up(counts, SEATED)


# --- the round that was counted by hand --------------------------------------------------------


def test_a_player_has_the_pauses_that_were_counted_by_hand():
    rosa = indicators(counted((PLAYED, HANDS))).players[(1,)]
    assert (rosa.matches, rosa.moves, rosa.passes) == (1, 7, 1)
    assert rosa.pauses == Pauses(count=5, median=3.5, ninetieth=7.0, over=0)  # 1 1 3.5 5 7
    assert rosa.forced == Pauses(count=2, median=1.0, ninetieth=1.0, over=0)
    assert rosa.free == Pauses(count=3, median=5.0, ninetieth=7.0, over=0)


def test_after_a_ruling_or_a_slip_of_the_pen_no_pause_is_counted():
    count = counted((PLAYED, HANDS))
    sara = indicators(count).players[(4,)]
    # 3 free; 1.5, 5 and 2 forced. Seven tiles less one, undone: six moves stand.
    assert sara.moves == 6
    assert sara.pauses == Pauses(count=4, median=2.5, ninetieth=5.0, over=0)
    assert (sara.forced.count, sara.free.count) == (3, 1)
    assert count.pauses == {NoPause.FIRST: 1, NoPause.INTERRUPTED: 2, NoPause.LONG: 1}


def test_partners_are_counted_together_as_a_pair_and_the_field_is_everybody():
    found = indicators(counted((PLAYED, HANDS)))
    assert set(found.pairs) == {(1, 3), (2, 4)}
    rosa, omar = found.players[(1,)], found.players[(3,)]
    pair = found.pairs[(1, 3)]
    assert pair.matches == 1
    assert pair.moves == rosa.moves + omar.moves == 14
    assert pair.pauses.count == rosa.pauses.count + omar.pauses.count == 12
    assert (found.moves, found.passes, found.rounds) == (27, 2, 1)
    # 1 1 1 1 1 1.5 2 2 2 2 3, then 3, then 3 3 3 3.5 4 4 5 5 6 7 8
    assert found.pauses == Pauses(count=23, median=3.0, ninetieth=6.0, over=0)
    assert (found.forced.count, found.free.count) == (13, 10)


def test_a_place_of_an_infraction_is_the_one_of_the_record():
    sara = indicators(counted((PLAYED, HANDS))).players[(4,)]
    assert sara.infractions == {"delay": (Place(9, 0, 7),)}
    assert sara.false_passes == 0


def test_a_tile_exposed_by_a_ruling_is_nobodys_fault_and_not_counted():
    lines = "0 A 6-6\n4 B! misplay 5-4\n9 C! exposed_by_ruling 6-2 -> expose\n12 B pass"
    players = indicators(counted((lines, None))).players
    assert list(players[(2,)].infractions) == ["misplay"]
    assert players[(3,)].infractions == {}


# --- what is known afterwards ------------------------------------------------------------------


def test_in_a_blind_round_a_hand_is_known_once_all_its_tiles_were_seen():
    left = "433 A shows 6-5\n434 B shows 5-5\n435 D shows 6-0\n"
    count = counted((PLAYED.strip() + "\n" + left, None))
    assert indicators(count).free.count == indicators(counted((PLAYED, HANDS))).free.count


def test_in_a_blind_round_a_hand_that_was_not_shown_counts_in_neither_kind():
    found = indicators(counted((PLAYED, None)))
    rosa, omar = found.players[(1,)], found.players[(3,)]
    assert (rosa.pauses.count, rosa.forced.count, rosa.free.count) == (5, 0, 0)
    assert (omar.forced.count, omar.free.count) == (3, 4)  # went out: all seven were seen


def test_a_seat_that_had_to_play_a_tile_did_not_choose():
    touched = PLAYED.replace("D! delay", "D! touch 5-0")
    sara = indicators(counted((touched, HANDS))).players[(4,)]
    assert sara.pauses.count == 4
    assert (sara.forced.count, sara.free.count) == (0, 1)  # only what came before


def test_a_false_pass_that_the_record_proves_is_told_apart_from_one_that_was_ruled_on():
    found = indicators(counted((FALSE_PASS, None)))
    assert found.players[(2,)].proved == (Place(9, 0, 1),)
    assert found.players[(2,)].ruled == ()
    ruled = indicators(counted((FALSE_PASS + "25 B! false_pass -> warning\n", None)))
    assert ruled.players[(2,)].proved == ()
    assert ruled.players[(2,)].ruled == (Place(9, 0, 6),)
    assert ruled.pairs[(2, 4)].false_passes == 1


# --- the time for a move -----------------------------------------------------------------------


def test_over_time_is_what_the_rules_allow_for_such_a_move():
    by_choices = MoveTime(by_choices=(2, 6, 60))
    rosa = indicators(counted((PLAYED, HANDS), allowed=by_choices)).players[(1,)]
    assert (rosa.pauses.over, rosa.forced.over, rosa.free.over) == (1, 0, 1)  # 7 seconds of 6
    all_alike = MoveTime(seconds=3)
    rosa = indicators(counted((PLAYED, HANDS), allowed=all_alike)).players[(1,)]
    assert rosa.pauses.over == 3  # 3.5, 5 and 7


def test_with_too_few_pauses_nothing_is_said_of_the_field():
    field = pauses_of([2.0, 3.0, 4.0])
    few = pauses_of([9.0] * (FEWEST - 1))
    enough = pauses_of([9.0] * FEWEST)
    assert (few.is_enough, few.apart(field)) == (False, None)
    assert (enough.is_enough, enough.apart(field)) == (True, 6.0)


@pytest.mark.parametrize(
    ("pauses", "median", "ninetieth"),
    [([], None, None), ([4], 4, 4), (range(1, 11), 5.5, 9), (range(1, 12), 6, 10)],
)
def test_the_middle_and_nine_in_ten(pauses, median, ninetieth):
    found = pauses_of(map(float, pauses))
    assert (found.median, found.ninetieth) == (median, ninetieth)


# --- what is left out --------------------------------------------------------------------------


def moved(change) -> str:
    """Return the round with other times."""
    lines = []
    for number, line in enumerate(PLAYED.strip().splitlines()):
        second, rest = line.split(maxsplit=1)
        lines.append(f"{change(number, float(second))} {rest}")
    return "\n".join(lines)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (lambda number, second: 17.0, Why.TOGETHER),  # all stored at one moment
        (lambda number, second: second - 60 * (number > 9), Why.TOGETHER),  # the clock went back
        (lambda number, second: number * 0.4, Why.TYPED),
    ],
)
def test_times_that_are_not_of_the_table_are_left_out_and_the_moves_still_count(change, why):
    count = counted((moved(change), HANDS))
    found = indicators(count)
    assert (count.rounds, count.used) == ({why: 1}, 0)
    assert found.pauses.count == 0
    assert (found.moves, found.passes) == (27, 2)
    assert found.left_out.rounds == {why: 1}


def test_what_began_after_the_match_was_over_is_left_out():
    assert counted((PLAYED, HANDS), until=-1.0).rounds == {Why.LATER: 1}
    assert counted((PLAYED, HANDS), until=1.0).rounds == {}


def test_a_round_from_a_score_sheet_has_no_moves():
    count = counted(("5 result AC 20 out", None))
    assert count.rounds == {Why.SHEET: 1}
    assert indicators(count).left_out.matches_without_moves == 1


def test_moves_of_a_substitute_count_for_nobody():
    gone = PLAYED.replace("40    D! delay", "40    D leaves Noor")
    count = counted((gone, HANDS))
    sara = indicators(count).players[(4,)]
    assert sara.moves == 1
    assert count.by_substitutes == 5
    assert sara.pauses.count == 1


def test_a_substitute_holds_the_seat_in_the_rounds_that_follow():
    gone = PLAYED.replace("40    D! delay", "40    D leaves Noor")
    count = counted((gone, HANDS), (PLAYED, HANDS))
    assert indicators(count).players[(4,)].moves == 1
    assert indicators(count).players[(4,)].infractions == {}
