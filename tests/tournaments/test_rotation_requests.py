"""Requests for tables of four that are malformed, and what is said about them."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DominoError
from tournaments.competition.reading import read
from tournaments.competition.requests import pair
from tournaments.competition.types import BadRequest

ENTRIES = [{"id": name, "team": name} for name in "abcdefgh"]
SYSTEMS = ("rotating", "schedule", "teams_of_four")
FIELDS = (
    "entries",
    "round",
    "seed",
    "rounds",
    "pattern",
    "met",
    "partnered",
    "forbidden",
    "partner_window",
    "opponent_window",
    "separate_by",
)


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"met": None}, "met: expected a list, found nothing"),
        ({"met": ["ab"]}, "met[0]: expected the ids of two entries, and the round, found “ab”"),
        ({"met": [["a", "b"], ["a"]]}, "met[1]: expected the ids of two entries"),
        ({"met": [["a", "a"]]}, "met[0]: expected the ids of two entries"),
        ({"partnered": [["a", "b", 0]]}, "partnered[0]: expected the ids of two entries"),
        ({"partnered": [["a", "b", True]]}, "partnered[0]: expected the ids of two entries"),
        ({"forbidden": [["a", "b", 1]]}, "forbidden[0]: expected the ids of two entries, found"),
        ({"partner_window": -1}, "partner_window: expected a whole number from 0"),
        ({"opponent_window": "3"}, "opponent_window: expected a whole number from 0"),
        ({"round": 0}, "round: expected a whole number from 1"),
        ({"pattern": "fold"}, "pattern: expected one of spread, leaders_apart, nearest"),
        ({"pattern": ["fold"]}, "pattern[0]: expected one of spread"),
        ({"pattern": {"3": "fold"}}, "pattern.3: expected one of spread"),
        ({"pattern": {"last": "nearest"}}, "pattern: expected the number of a round, or *"),
        ({"pattern": {"01": "nearest"}}, "pattern: expected the number of a round, or *"),
        ({"pattern": {"1" * 5000: "nearest"}}, "pattern: expected the number of a round, or *"),
        ({"separate_by": "town"}, "separate_by: expected one of club, country"),
        ({"system": "schedule"}, "rounds: expected a whole number from 1 to 100, found nothing"),
        (
            {"system": "teams_of_four", "entries": [{"id": "a"}]},
            "entries[0].team: expected the id of an entry, found nothing",
        ),
    ],
)
def test_a_malformed_request_is_refused_with_its_place(wrong, where):
    with pytest.raises(BadRequest) as caught:
        pair({"system": "rotating", "entries": ENTRIES} | wrong)
    assert f"cannot be read at {where}" in str(caught.value)


values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 10**12) | st.floats() | st.text(max_size=3),
    lambda inside: (
        st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=3), inside, max_size=3)
    ),
    max_leaves=8,
)


@given(st.sampled_from(SYSTEMS), st.dictionaries(st.sampled_from(FIELDS), values, max_size=3))
def test_no_request_is_a_crash(system, wrong):
    request: dict[str, Any] = {"system": system, "rounds": 2, "entries": ENTRIES} | wrong
    try:
        answer = pair(read(json.dumps(request)))
    except DominoError:
        return
    assert "report" in answer
