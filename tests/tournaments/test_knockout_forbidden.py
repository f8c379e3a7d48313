"""Brackets, groups and round robins in which some entries must not meet."""

from __future__ import annotations

from itertools import combinations, permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.playing import asked
from tournaments.competition import requests, seeding
from tournaments.competition.groups import draw
from tournaments.competition.groups_apart import ForbiddenInGroup
from tournaments.competition.round_robin import ForbiddenInRoundRobin, schedule
from tournaments.competition.seeding import ForbiddenFirstRound, Qualifier, seeds, slots
from tournaments.competition.types import Contender, SeparateBy


def contenders(size: int, clubs: str = "") -> list[Contender]:
    return [
        Contender(f"p{n}", n, club=clubs[(n - 1) % len(clubs)] if clubs else "")
        for n in range(1, size + 1)
    ]


def placed(size: int, forbidden: list[tuple[str, str]], groups: int = 0) -> tuple[str | None, ...]:
    """Return who stands where; entries come from `groups` groups, two of each row in order."""
    listed = [
        Qualifier(one, group=f"g{n % groups}" if groups else "", place=n // groups if groups else 0)
        for n, one in enumerate(contenders(size))
    ]
    return slots(seeds(listed, forbidden=forbidden))


def first_round(places: tuple[str | None, ...]) -> set[frozenset[str]]:
    return {
        frozenset((one, other))
        for one, other in zip(places[::2], places[1::2], strict=True)
        if one is not None and other is not None
    }


def some_pairs(size: int):
    names = [f"p{n}" for n in range(1, size + 1)]
    return st.lists(st.sampled_from(list(combinations(names, 2))), max_size=size)


def could_be(size: int, forbidden: set[frozenset[str]]) -> bool:
    """Tell whether the law of the seeds leaves any first round, trying all there are."""
    full = 1 << (size - 1).bit_length()
    upper = [f"p{n}" for n in range(full - size + 1, full // 2 + 1)]
    lower = [f"p{n}" for n in range(full // 2 + 1, size + 1)]
    return any(
        all(frozenset(two) not in forbidden for two in zip(upper, order, strict=True))
        for order in permutations(lower)
    )


@given(st.integers(2, 12).flatmap(lambda size: st.tuples(st.just(size), some_pairs(size))))
def test_nobody_meets_in_the_first_round_who_must_not_wherever_that_can_be(drawn):
    size, pairs = drawn
    forbidden = {frozenset(two) for two in pairs}
    if could_be(size, forbidden):
        assert not first_round(placed(size, pairs)) & forbidden
    else:
        with pytest.raises(ForbiddenFirstRound):
            placed(size, pairs)


@given(st.integers(2, 40).flatmap(lambda size: st.tuples(st.just(size), some_pairs(size))))
def test_seeds_stand_in_their_sections_whoever_must_not_meet(drawn):
    size, pairs = drawn
    try:
        places = placed(size, pairs)
    except ForbiddenFirstRound:
        return
    width = len(places)
    tier = 1
    while tier <= width // 2:
        best = {f"p{n}" for n in range(1, tier + 1)}
        sections = [
            places[start : start + width // tier] for start in range(0, width, width // tier)
        ]
        assert all(len(best & set(section)) == 1 for section in sections)
        tier *= 2
    resting = {one for one, other in zip(places[::2], places[1::2], strict=True) if other is None}
    assert resting == {f"p{n}" for n in range(1, width - size + 1)}


def test_without_forbidden_meetings_the_bracket_is_as_it_was():
    assert placed(13, []) == placed(13, [("p1", "elsewhere")])


def test_group_mates_stay_in_different_halves_where_some_must_not_meet():
    usual = placed(16, [], groups=8)
    one, other = next(sorted(two) for two in sorted(first_round(usual), key=sorted))
    places = placed(16, [(one, other)], groups=8)
    assert frozenset((one, other)) not in first_round(places)
    halves = [{*places[:8]}, {*places[8:]}]
    for n in range(1, 9):
        assert not any({f"p{n}", f"p{n + 8}"} <= half for half in halves)


def test_a_first_round_is_shared_out_anew_where_no_exchange_of_two_is_enough(monkeypatch):
    monkeypatch.setattr(seeding, "EXCHANGES", 0)
    pairs = [("p1", "p8"), ("p2", "p7"), ("p3", "p6")]
    assert not first_round(placed(8, pairs)) & {frozenset(two) for two in pairs}


@pytest.mark.parametrize("system", ["knockout", "double_elimination"])
def test_a_bracket_whose_only_first_match_must_not_be_is_refused(system):
    request = {"system": system, "entries": [{"id": "a"}, {"id": "b"}, {"id": "c"}]}
    code, answer = asked(request | {"forbidden": [["b", "c"]]})
    assert code == 1
    assert answer["error"]["code"] == "forbidden_first_round"
    assert "b would meet c" in answer["error"]["message"]
    assert asked(request | {"forbidden": [["a", "b"]]})[0] == 0


def together(groups, pairs):
    return [two for two in pairs for one in groups if {*two} <= {*one.entries}]


@given(
    st.integers(4, 30).flatmap(lambda size: st.tuples(st.just(size), some_pairs(size))),
    st.integers(2, 5),
)
def test_who_must_not_meet_are_in_different_groups(drawn, count):
    size, pairs = drawn
    count = min(count, size // 2)
    try:
        groups = draw(
            contenders(size, "abc"), groups=count, separate_by=SeparateBy.CLUB, forbidden=pairs
        )
    except ForbiddenInGroup:
        # Somebody has to be with one of more others than there are groups: never with so few.
        assert len({frozenset(two) for two in pairs}) >= count
        return
    assert together(groups, pairs) == []
    sizes = [len(one.entries) for one in groups]
    assert sum(sizes) == size
    assert max(sizes) - min(sizes) <= 1


def test_who_changes_group_stays_in_the_row_of_the_snake():
    groups = draw(contenders(12), groups=3, forbidden=[("p1", "p6")])
    assert together(groups, [("p1", "p6")]) == []
    for one in groups:
        assert [(int(name[1:]) - 1) // 3 for name in one.entries] == [0, 1, 2, 3]


def test_an_exchange_keeps_club_mates_apart_too():
    listed = contenders(12, "abcdef")
    usual = draw(listed, groups=3, separate_by=SeparateBy.CLUB)
    pair = (usual[0].entries[0], usual[0].entries[1])
    groups = draw(listed, groups=3, separate_by=SeparateBy.CLUB, forbidden=[pair])
    club = {one.id: one.club for one in listed}
    for one in groups:
        assert len({club[name] for name in one.entries}) == len(one.entries)


def test_another_row_is_taken_where_rows_leave_no_way():
    pairs = [("p1", "p3"), ("p1", "p4")]
    groups = draw(contenders(6), groups=2, forbidden=pairs)
    assert together(groups, pairs) == []


def test_more_than_there_are_groups_who_must_not_meet_are_refused_by_name():
    pairs = list(combinations(["p1", "p5", "p9"], 2))
    with pytest.raises(ForbiddenInGroup) as caught:
        draw(contenders(12), groups=2, forbidden=pairs)
    assert "too many meetings of p1, p5, p9 are forbidden" in str(caught.value)


def test_a_group_cannot_be_only_of_those_who_have_to_change_places():
    pairs = [("p1", "p3"), ("p1", "p4"), ("p2", "p3"), ("p2", "p4"), ("p1", "p2")]
    with pytest.raises(ForbiddenInGroup):
        draw(contenders(4), groups=2, forbidden=pairs)


def test_hundreds_who_must_not_meet_are_given_groups():
    pairs = [(f"p{n}", f"p{n + 24}") for n in range(1, 2137)]
    groups = draw(contenders(2160), groups=18, rounds=1, forbidden=pairs)
    assert together(groups, pairs[:200]) == []


def test_a_round_robin_in_which_two_must_not_meet_is_refused_with_the_round():
    with pytest.raises(ForbiddenInRoundRobin) as caught:
        schedule(contenders(6), forbidden=[("p2", "p6")])
    meeting = next(
        one.number
        for one in schedule(contenders(6))
        for table in one.tables
        if {*table.entries} == {"p2", "p6"}
    )
    assert f"in round {meeting} they do" in str(caught.value)
    assert schedule(contenders(6), rounds=meeting - 1, forbidden=[("p2", "p6")])


def test_a_round_robin_reads_forbidden_meetings_of_the_request():
    request = {
        "system": "round_robin",
        "entries": [{"id": "a"}, {"id": "b"}, {"id": "c"}],
        "forbidden": [["a", "c"]],
    }
    with pytest.raises(ForbiddenInRoundRobin):
        requests.pair(request)
    assert requests.pair(request | {"forbidden": [["a", "away"]]})["rounds"]
