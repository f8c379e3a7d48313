"""Groups: a snake through the ranks, club-mates apart, everybody meets in the group."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.playing import asked
from tournaments.competition import requests
from tournaments.competition.groups import TooManyGroups, assigned, draw
from tournaments.competition.round_robin import schedule
from tournaments.competition.types import (
    BadRequest,
    Contender,
    SeparateBy,
    TooManyContenders,
)


@st.composite
def fields(draw_from, *, clubs=("", "Olive", "Palm", "Fig", "Cedar")):
    """Return contenders in order of rank, and a number of groups they can make."""
    size = draw_from(st.integers(2, 90))
    groups = draw_from(st.integers(1, size // 2))
    named = draw_from(st.lists(st.sampled_from(clubs), min_size=size, max_size=size))
    return [Contender(f"p{n}", n, club=club) for n, club in enumerate(named, start=1)], groups


@given(fields())
def test_without_clubs_the_groups_are_a_snake_through_the_ranks(field):
    contenders, groups = field
    there_and_back = [*range(groups), *reversed(range(groups))]
    expected = [there_and_back[n % len(there_and_back)] for n in range(len(contenders))]
    assert assigned(contenders, groups) == expected


@given(fields())
def test_neighbours_of_one_row_are_in_different_groups_with_clubs_too(field):
    contenders, groups = field
    found = assigned(contenders, groups, SeparateBy.CLUB)
    for start in range(0, len(found), groups):
        row = found[start : start + groups]
        assert len(set(row)) == len(row)
    sizes = Counter(found)
    assert max(sizes.values()) - min(sizes[n] for n in range(groups)) <= 1


@given(fields())
def test_a_club_is_spread_evenly_which_leaves_the_fewest_pairs(field):
    contenders, groups = field
    found = assigned(contenders, groups, SeparateBy.CLUB)
    for club in ("Olive", "Palm", "Fig", "Cedar"):
        members = Counter(
            group for one, group in zip(contenders, found, strict=True) if one.club == club
        )
        each = [members[group] for group in range(groups)]
        assert max(each) - min(each) <= 1


@given(fields())
def test_each_group_plays_a_round_robin_of_its_own(field):
    contenders, groups = field
    by_id = {one.id: one for one in contenders}
    drawn = draw(contenders, groups=groups, legs=2, separate_by=SeparateBy.CLUB)
    assert [one.name for one in drawn] == [str(n) for n in range(1, groups + 1)]
    assert sorted(entry for one in drawn for entry in one.entries) == sorted(by_id)
    for one in drawn:
        assert one.rounds == schedule([by_id[entry] for entry in one.entries], legs=2)


def test_large_groups_may_end_after_a_few_rounds():
    contenders = [Contender(f"p{n}", n) for n in range(1, 241)]
    drawn = draw(contenders, groups=2, rounds=5)
    whole = draw(contenders, groups=2)
    assert [one.rounds for one in drawn] == [one.rounds[:5] for one in whole]


@given(fields(), st.randoms(use_true_random=False))
def test_the_order_of_the_request_changes_nothing(field, chance):
    contenders, groups = field
    shuffled = list(contenders)
    chance.shuffle(shuffled)
    assert draw(shuffled, groups=groups) == draw(contenders, groups=groups)


def test_countries_can_be_kept_apart_instead():
    contenders = [
        Contender(f"p{n}", n, club="Olive", country=country)
        for n, country in enumerate(["EG", "IR", "IR", "EG"], start=1)
    ]
    first, second = draw(contenders, groups=2, separate_by=SeparateBy.COUNTRY)
    assert (first.entries, second.entries) == (("p1", "p3"), ("p2", "p4"))


def test_2160_pairs_play_in_18_groups_of_120():
    contenders = [Contender(f"p{n}", n, club=f"c{n * n % 37}") for n in range(1, 2161)]
    drawn = draw(contenders, groups=18, separate_by=SeparateBy.CLUB)
    assert {len(one.entries) for one in drawn} == {120}
    assert {len(one.rounds) for one in drawn} == {119}


def test_the_command_line_answers():
    entries = [{"id": f"p{n}", "rank": n} for n in range(1, 6)]
    code, answer = asked({"system": "groups", "groups": 2, "entries": entries})
    assert code == 0
    first, second = answer["groups"]
    assert (first["group"], first["entries"]) == ("1", ["p1", "p4", "p5"])
    assert second == {
        "group": "2",
        "entries": ["p2", "p3"],
        "rounds": [{"round": 1, "tables": [{"table": 1, "AC": ["p3"], "BD": ["p2"]}], "byes": []}],
    }


def test_groups_of_one_are_refused():
    with pytest.raises(TooManyGroups) as caught:
        draw([Contender("p1", 1), Contender("p2", 2), Contender("p3", 3)], groups=2)
    assert str(caught.value).startswith(
        "For 2 groups there are too few entries: 3 found, at least 4 needed."
    )


def test_a_group_too_long_for_a_round_robin_is_refused():
    with pytest.raises(TooManyContenders):
        draw([Contender(f"p{n}", n) for n in range(1, 1002)], groups=1)


def test_the_number_of_groups_is_the_callers_to_check():
    with pytest.raises(ValueError, match="expected 1 group or more, got 0"):
        draw([], groups=0)


@pytest.mark.parametrize(
    ("field", "where"),
    [
        ({}, "groups: expected a whole number"),
        ({"groups": 0}, "groups: expected a whole number"),
        ({"groups": True}, "groups: expected a whole number"),
        ({"groups": 1, "legs": 99}, "legs: expected a whole number"),
        ({"groups": 1, "separate_by": "name"}, "separate_by: expected one of club, country"),
        ({"groups": 1, "separate_by": []}, "separate_by: expected one of club, country"),
        ({"groups": 1, "entries": None}, "entries: expected a list"),
    ],
)
def test_a_malformed_request_is_refused_with_its_place(field, where):
    with pytest.raises(BadRequest) as caught:
        requests.pair({"system": "groups", "entries": []} | field)
    assert f"cannot be read at {where}" in str(caught.value)
