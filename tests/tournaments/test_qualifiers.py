"""Who goes on from closed groups, and in which order."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.competition.qualifiers import (
    ClosedGroup,
    GroupRow,
    GroupTooSmall,
    Quota,
    TooFewNext,
    qualified,
)
from tournaments.competition.seeding import seeds, slots


def group(name: str, *values: tuple[int, ...], matches: int = 3) -> ClosedGroup:
    """Return a group whose entries A1, A2 and so on have these values, the first having won."""
    rows = [GroupRow(f"{name}{n}", matches, one) for n, one in enumerate(values, start=1)]
    return ClosedGroup(name, tuple(rows))


A = group("A", (3, 90), (2, 10), (1, -20), (0, -80))
B = group("B", (3, 150), (2, 40), (1, -90), (0, -100))
C = group("C", (2, 60), (2, 30), (1, 0), (1, -90))


@st.composite
def closed(draw):
    """Return groups in which each row is worth no more than the one above."""
    found = []
    for n in range(draw(st.integers(1, 6))):
        rows = draw(st.lists(st.tuples(st.integers(0, 5), st.integers(-99, 99)), min_size=3))
        found.append(group(str(n), *sorted(rows, reverse=True), matches=draw(st.integers(1, 9))))
    return found


def entries(some):
    return [one.contender.id for one in some]


def test_those_placed_first_come_before_those_placed_second_then_by_record():
    main = qualified([A, B, C], Quota(each=2)).main
    assert entries(main) == ["B1", "A1", "C1", "B2", "C2", "A2"]
    assert [(one.group, one.place, one.contender.rank) for one in main[2:4]] == [
        ("C", 1, 3),
        ("B", 2, 4),
    ]


def test_the_best_of_the_next_place_go_on_too():
    found = qualified([A, B, C], Quota(each=1, best_next=2))
    assert entries(found.main) == ["B1", "A1", "C1", "B2", "C2"]
    assert found.second == ()


def test_the_next_places_make_the_second_event_without_those_in_the_main_one():
    found = qualified([A, B, C], Quota(each=1, best_next=1, second=2))
    assert entries(found.main) == ["B1", "A1", "C1", "B2"]
    assert entries(found.second) == ["C2", "A2", "C3", "A3", "B3"]
    assert [one.contender.rank for one in found.second] == [1, 2, 3, 4, 5]


def test_records_of_groups_of_different_sizes_are_compared_by_the_match():
    """Two wins of three are more than two of four, and 30 in three more than 39 in four."""
    small = group("S", (3, 0), (2, 30), (0, 0))
    large = group("L", (4, 0), (2, 99), (0, 0), matches=4)
    assert entries(qualified([large, small], Quota(0, best_next=1)).main) == ["L1"]
    assert entries(qualified([large, small], Quota(1, best_next=1)).main)[-1] == "S2"
    large = group("L", (4, 0), (3, 0), matches=6)
    small = group("S", (3, 0), (1, 1), matches=2)
    assert entries(qualified([large, small], Quota(1, best_next=1)).main)[-1] == "S2"


def test_level_records_follow_the_lot_then_the_name():
    one, other = GroupRow("x", 1, (1,), lot=2), GroupRow("y", 1, (1,), lot=1)
    found = qualified([ClosedGroup("1", (one,)), ClosedGroup("2", (other,))], Quota(1))
    assert entries(found.main) == ["y", "x"]
    alike = [ClosedGroup(name, (GroupRow(name, 0),)) for name in ("n", "m")]
    assert entries(qualified(alike, Quota(1)).main) == ["m", "n"]


@given(closed(), st.integers(0, 2), st.integers(0, 1))
def test_nobody_goes_on_twice_and_the_order_of_the_groups_changes_nothing(groups, each, second):
    quota = Quota(each, best_next=min(1, len(groups)), second=second)
    found = qualified(groups, quota)
    ids = entries([*found.main, *found.second])
    assert len(set(ids)) == len(ids)
    assert len(found.main) == each * len(groups) + quota.best_next
    assert qualified(list(reversed(groups)), quota) == found


def test_four_groups_top_two_make_a_bracket_without_group_mates_before_the_final():
    """Situation 25, from standings to bracket."""
    groups = [group(name, (3, n), (2, n)) for n, name in enumerate("ABCD")]
    places = slots(seeds(qualified(groups, Quota(2)).main))
    for half in (places[:4], places[4:]):
        assert sorted(one[0] for one in half if one) == ["A", "B", "C", "D"]


def test_a_group_that_is_too_small_is_refused():
    with pytest.raises(GroupTooSmall) as caught:
        qualified([A, group("D", (1,), (0,))], Quota(each=2, second=1))
    assert str(caught.value) == (
        "3 of every group are to go on, but group D has 2. Let fewer go on."
    )


def test_more_of_the_next_place_than_there_are_is_refused():
    with pytest.raises(TooFewNext) as caught:
        qualified([A, group("D", (1,), (0,))], Quota(each=2, best_next=2))
    assert str(caught.value) == (
        "The 2 best in place 3 are to go on, but the groups have 1 there. Let fewer go on."
    )


def test_numbers_below_nothing_are_the_callers_to_check():
    with pytest.raises(ValueError, match="expected no number below 0"):
        Quota(-1)
