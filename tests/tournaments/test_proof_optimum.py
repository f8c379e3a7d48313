"""`verify` proves again that no draw is better, by other means than those that made it."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.tournaments.swiss_check import best_of_all, check, event
from tournaments.competition import optimum, swiss_prices
from tournaments.competition.proof import verify
from tournaments.competition.requests import pair


def verified(request: dict[str, Any], answer: dict[str, Any] | None = None) -> dict[str, Any]:
    return verify({"request": request, "answer": pair(request) if answer is None else answer})


def exchanged(answer: dict[str, Any], one: int, other: int) -> dict[str, Any]:
    """Return the answer with the entries on side AC of two tables exchanged."""
    changed = copy.deepcopy(answer)
    here, there = changed["tables"][one], changed["tables"][other]
    here["AC"], there["AC"] = there["AC"], here["AC"]
    return changed


@st.composite
def small(draw_from):
    """Return requests of 2 to 9 entries with rematches, forbidden meetings and byes."""
    size = draw_from(st.integers(2, 9))
    names = [f"p{n}" for n in range(1, size + 1)]
    two = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    return {
        "system": "swiss",
        "order": draw_from(st.sampled_from(["nearest", "fold", "draw"])),
        "separate_by": "club",
        "entries": [
            {
                "id": name,
                "rank": n,
                "wins": draw_from(st.integers(0, 2)),
                "byes": draw_from(st.integers(0, 1)),
                "club": draw_from(st.sampled_from(["", "Olive", "Palm"])),
            }
            for n, name in enumerate(names, start=1)
        ],
        "met": draw_from(st.lists(two, max_size=12)),
        "forbidden": draw_from(st.lists(two, max_size=2)),
    }


@settings(max_examples=30)
@given(small())
def test_few_entries_are_proved_by_every_draw_there_is(request_drawn):
    best = best_of_all(request_drawn)
    if best is None:
        return
    answer: Any = pair(request_drawn)
    found = verified(request_drawn, answer)["optimum"]
    assert (found["optimal"], found["by"], found["gap"]) == (True, "every draw", 0.0)
    assert check(request_drawn, answer) == best


@settings(max_examples=30)
@given(small())
def test_other_means_prove_what_every_draw_proves(request_drawn):
    if best_of_all(request_drawn) is None:
        return
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(optimum, "ALL_DRAWS_UP_TO", 0)
        found = verified(request_drawn)
    assert found["valid"]
    assert found["optimum"]["by"] in ("prices", "whole graph")
    assert found["optimum"]["optimal"] is True or found["optimum"]["gap"] > 0


@pytest.mark.parametrize("order", ["nearest", "fold", "draw"])
@pytest.mark.parametrize("size", [40, 81, 200, 401])
def test_a_draw_of_many_is_proved_by_prices(size, order):
    found = verified(event(size, three_clubs=size % 2 == 0) | {"order": order})["optimum"]
    assert found == {
        "optimal": True,
        "proved": list(optimum.SWISS_LINES),
        "open": None,
        "gap": 0.0,
        "by": "prices",
    }


@pytest.mark.parametrize(("size", "by"), [(8, "every draw"), (60, "prices")])
def test_a_draw_that_could_be_better_is_a_fault_that_says_what_the_better_one_costs(size, by):
    request = event(size, rounds=0)
    worse = exchanged(pair(request), 0, 1)
    found = verified(request, worse)
    assert not found["valid"]
    (fault,) = [one for one in found["faults"] if one["code"] == "better_draw"]
    assert fault["expected"] < fault["found"]
    assert (found["optimum"]["optimal"], found["optimum"]["by"]) == (False, by)
    assert 0 < found["optimum"]["gap"] <= 1


def test_a_bye_that_somebody_lower_should_have_is_found_out_by_the_whole_graph():
    request = event(41, rounds=0)
    answer: Any = pair(request)
    rests, (plays,) = answer["byes"], answer["tables"][0]["AC"]
    answer["tables"][0]["AC"], answer["byes"] = rests, [plays]
    found = verified(request, answer)
    assert found["optimum"]["by"] == "whole graph"
    assert (found["optimum"]["proved"], found["optimum"]["open"]) == (
        ["byes", "rematches"],
        "bye_place",
    )


def test_rematches_that_must_be_are_proved_by_the_whole_graph():
    request = event(20, rounds=0)
    names = [one["id"] for one in request["entries"]]
    request["met"] = [["p1", name] for name in names if name != "p1"]
    found = verified(request)
    assert found["valid"]
    assert (found["optimum"]["optimal"], found["optimum"]["by"]) == (True, "whole graph")


def test_without_a_proof_the_open_line_and_the_gap_are_said(monkeypatch):
    monkeypatch.setattr(swiss_prices, "PRICED_UP_TO", 0)
    request = event(60)
    for entry in request["entries"]:
        entry["rank"] = 61 - entry["rank"]
    found = verified(request)
    assert found["valid"]
    assert found["optimum"]["open"] == "order_cost"
    assert 0 < found["optimum"]["gap"] < 1


def test_a_table_of_three_is_no_draw_to_prove():
    request = event(8, rounds=0)
    answer: Any = pair(request)
    moved = answer["tables"][0]["AC"].pop()
    answer["tables"][1]["AC"].append(moved)
    found = verified(request, answer)
    assert not found["valid"]
    assert "optimum" not in found


def rotating(size: int, **more: Any) -> dict[str, Any]:
    return {
        "system": "rotating",
        "round": 2,
        "entries": [{"id": f"p{n}", "rank": n} for n in range(1, size + 1)],
        "met": [],
        "partnered": [],
    } | more


def test_a_rotating_round_without_repeats_has_the_shape_left_to_prove():
    found = verified(rotating(16, partnered=[["p1", "p2"]]))["optimum"]
    assert found["proved"] == ["repeat_partners", "repeat_opponents"]
    assert (found["open"], found["gap"], found["optimal"]) == ("pattern", None, False)


def test_partners_that_must_repeat_are_proved_by_a_bound():
    names = ["p1", "p2", "p3", "p4"]
    pairs = [[one, other] for n, one in enumerate(names) for other in names[n + 1 :]]
    found = verified(rotating(4, partnered=pairs, met=pairs))["optimum"]
    assert found["proved"] == ["repeat_partners", "repeat_opponents"]


def test_a_partner_repeated_without_need_leaves_the_line_open():
    request = rotating(4, partnered=[["p1", "p2"]])
    answer: Any = pair(request)
    answer["tables"] = [{"table": 1, "AC": ["p1", "p2"], "BD": ["p3", "p4"]}]
    found = verified(request, answer)["optimum"]
    assert (found["proved"], found["open"], found["gap"]) == ([], "repeat_partners", 1.0)


def test_windows_of_repeats_are_left_to_the_replay():
    assert "optimum" not in verified(rotating(8, partner_window=2))
