"""Requests for a Swiss round: through the command line, malformed, impossible, replayed."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DominoError
from tests.tournaments.swiss_check import check, event
from tournaments.competition.requests import pair
from tournaments.competition.types import BadRequest


def run(asked: object, **environment: str) -> tuple[int, dict[str, Any]]:
    """Run the command line in a process of its own, without Django's settings."""
    answer = subprocess.run(
        [sys.executable, "-m", "tournaments.competition", "pair", "-"],
        input=json.dumps(asked),
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert answer.stderr == ""
    return answer.returncode, json.loads(answer.stdout)


def entries(*names: str) -> list[dict[str, object]]:
    return [{"id": name, "rank": n} for n, name in enumerate(names, start=1)]


def test_the_command_line_answers_with_tables_byes_and_a_report():
    code, answer = run(
        {
            "system": "swiss",
            "round": 4,
            "seed": 7,
            "separate_by": "club",
            "order": "nearest",
            "entries": [
                {"id": "p1", "rank": 1, "wins": 3, "byes": 0, "club": "Olive"},
                {"id": "p2", "rank": 2, "wins": 3, "club": "Palm"},
                {"id": "p3", "rank": 3, "wins": 2, "byes": 1},
            ],
            "met": [["p1", "p2"]],
            "forbidden": [["p1", "p9"]],
        }
    )
    assert code == 0
    (table,) = answer["tables"]
    assert sorted(table["AC"] + table["BD"]) == ["p1", "p3"]
    assert table["table"] == 1
    assert answer["byes"] == ["p2"]
    assert answer["report"] == {
        "rematches": 0,
        "win_gap": 1,
        "same_separated": 0,
        "order_cost": 4,
        "optimal": True,
        "gap": 0.0,
    }


@pytest.mark.parametrize("order", ["nearest", "fold", "draw"])
@pytest.mark.parametrize("size", [65, 450])
def test_the_same_request_has_the_same_answer_in_every_process(size, order):
    asked = event(size, rounds=5) | {"order": order}
    answers = [run(asked, PYTHONHASHSEED=str(n))[1] for n in range(2)]
    check(asked, answers[0])
    assert answers[0] == answers[1] == pair(asked)


@pytest.mark.parametrize("seed", range(3))
def test_another_seed_draws_other_lots(seed):
    asked = {"system": "swiss", "order": "draw", "entries": entries(*"abcdefghijklmnop")}
    assert pair(asked | {"seed": seed}) != pair(asked | {"seed": seed + 1})
    assert pair(asked | {"round": 1}) != pair(asked | {"round": 2})


def test_who_has_left_counts_for_nothing():
    asked = {"system": "swiss", "entries": entries("a", "b", "c", "d")}
    left = {"met": [["gone", "a"], ["gone", "gone too"]], "forbidden": [["b", "gone"]]}
    assert pair(asked | left) == pair(asked)


@pytest.mark.parametrize("empty", [None, []])
def test_nobody_has_met_where_nothing_is_said(empty):
    asked = {"system": "swiss", "entries": entries("a", "b")}
    assert pair(asked | {"met": empty, "forbidden": empty}) == pair(asked)


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"order": "best"}, "order: expected one of nearest, fold, draw, found “best”"),
        ({"order": None}, "order: expected one of nearest, fold, draw, found nothing"),
        ({"separate_by": "colour"}, "separate_by: expected one of club, country"),
        ({"round": 0}, "round: expected a whole number from 1"),
        ({"seed": "x"}, "seed: expected a whole number"),
        ({"met": "none"}, "met: expected a list, found “none”"),
        ({"met": [["a"]]}, "met[0]: expected two entries, found 1"),
        ({"met": [["a", "b"], ["a", "b", "c"]]}, "met[1]: expected two entries, found 3"),
        ({"met": [["a", 3]]}, "met[0][1]: expected the id of an entry, found 3"),
        ({"met": [["a", "a"]]}, "met[0]: expected two different entries, found “a”"),
        ({"forbidden": {"a": "b"}}, "forbidden: expected a list, found an object"),
        ({"forbidden": [["b", "b"]]}, "forbidden[0]: expected two different entries"),
        ({"entries": [{"id": "a", "wins": -1}]}, "entries[0].wins: expected a whole number"),
    ],
)
def test_a_malformed_request_is_refused_with_its_place(changed, where):
    with pytest.raises(BadRequest) as caught:
        pair({"system": "swiss", "entries": entries("a", "b")} | changed)
    assert f"cannot be read at {where}" in str(caught.value)


def refused(asked: dict[str, Any]) -> tuple[str, str]:
    with pytest.raises(DominoError) as caught:
        pair(asked)
    return caught.value.code, str(caught.value)


def test_one_entry_is_no_draw():
    code, message = refused({"system": "swiss", "entries": entries("a")})
    assert code == "too_few_contenders"
    assert "give a bye to those who are there" in message


def test_an_entry_whose_every_meeting_is_forbidden_is_named():
    forbidden = [["c", "a"], ["c", "b"], ["d", "c"]]
    asked = {"system": "swiss", "entries": entries("a", "b", "c", "d"), "forbidden": forbidden}
    code, message = refused(asked)
    assert code == "nobody_to_meet"
    assert message == (
        "Every meeting of c is forbidden. Allow some of these meetings, or leave c out of the "
        "round."
    )


def test_a_group_that_cannot_all_be_seated_is_named():
    # Four of one family, and only two others.
    family = [[one, other] for one in "abcd" for other in "abcd" if one < other]
    asked = {"system": "swiss", "entries": entries(*"abcdxy"), "forbidden": family}
    code, message = refused(asked)
    assert code == "meetings_forbidden"
    assert message == (
        "The forbidden meetings leave no draw: of a, b, c, d at most 2 of 4 can be seated or "
        "have the bye. Allow more meetings for them, or leave some of them out."
    )
    asked["entries"] = entries(*"abcdx")
    assert "of a, b, c, d at most 2 of 4 can be seated" in refused(asked)[1]


def test_two_odd_halves_that_may_not_meet_are_named():
    across = [[one, other] for one in "abc" for other in "xyz"]
    asked = {"system": "swiss", "entries": entries(*"abcxyz"), "forbidden": across}
    assert "of a, b, c, x, y, z at most 4 of 6 can be seated" in refused(asked)[1]


def test_a_large_group_is_named_in_part():
    names = [f"p{n}" for n in range(30)]
    family = [[one, other] for one in names[:20] for other in names[:20] if one < other]
    message = refused({"system": "swiss", "entries": entries(*names), "forbidden": family})[1]
    assert "of p0, p1, p2, p3, p4, p5, p6, p7, p8, p9, p10, p11, … at most 10 of 20" in message


def test_an_impossible_draw_is_printed_as_an_error():
    asked = {"system": "swiss", "entries": entries("a", "b"), "forbidden": [["b", "a"]]}
    code, answer = run(asked)
    assert (code, answer["error"]["code"]) == (1, "nobody_to_meet")


ANYTHING = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner),
    max_leaves=8,
)
NAMES = st.sampled_from(["a", "b", "c", "", "\ud800", "<script>", "%s", "a" * 201])
ENTRY = st.fixed_dictionaries(
    {"id": NAMES | ANYTHING},
    optional={
        "rank": st.integers(-1, 9) | st.just(10**9) | ANYTHING,
        "wins": st.integers(0, 10**9) | ANYTHING,
        "byes": st.integers(0, 10**9) | ANYTHING,
        "club": NAMES | ANYTHING,
    },
)
PAIRS = st.lists(st.lists(NAMES, min_size=2, max_size=2) | ANYTHING, max_size=4) | ANYTHING


@given(
    st.fixed_dictionaries(
        {"system": st.just("swiss"), "entries": st.lists(ENTRY, max_size=5) | ANYTHING},
        optional={
            "met": PAIRS,
            "forbidden": PAIRS,
            "order": st.sampled_from(["nearest", "fold", "draw"]) | ANYTHING,
            "separate_by": st.sampled_from([None, "club", "country"]) | ANYTHING,
            "seed": ANYTHING,
            "round": ANYTHING,
        },
    )
)
def test_whatever_is_asked_is_answered_or_refused_in_a_sentence(asked):
    try:
        answer = pair(asked)
    except DominoError as error:
        answer = {"error": str(error)}
    if "error" in answer:
        assert str(answer["error"]).endswith(".")
    else:
        check(asked, answer)
