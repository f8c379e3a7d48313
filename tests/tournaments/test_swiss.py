"""The law of a Swiss round, each draw compared with the best by an independent check."""

from __future__ import annotations

from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import DominoError
from tests.tournaments.swiss_check import best_by_stages, best_of_all, check, event
from tournaments.competition.requests import pair
from tournaments.competition.swiss import MeetingsForbidden, NobodyToMeet, draw
from tournaments.competition.types import Contender

ORDERS = ("nearest", "fold", "draw")


def request_of(size: int, **changed: object) -> dict[str, Any]:
    """Return a first round of so many entries, all different in rank and level in wins."""
    entries = [{"id": f"p{n}", "rank": n} for n in range(1, size + 1)]
    return {"system": "swiss", "entries": entries} | changed


def draw_of(asked: dict[str, Any]) -> dict[str, Any]:
    return pair(asked)


def tables_of(answer: dict[str, Any]) -> set[frozenset[str]]:
    return {frozenset(one["AC"] + one["BD"]) for one in answer["tables"]}


def pairs(*listed: str) -> set[frozenset[str]]:
    return {frozenset(two.split()) for two in listed}


@st.composite
def small_requests(drawn, most=8):
    """Requests in which everything that can stand in the way of something does."""
    size = drawn(st.integers(2, most))
    names = [f"p{n}" for n in range(size)]
    ranks = drawn(st.lists(st.integers(1, 30), min_size=size, max_size=size, unique=True))
    two = st.sampled_from([list(one) for one in combinations(names, 2)])
    return {
        "system": "swiss",
        "round": drawn(st.integers(1, 9)),
        "seed": drawn(st.integers(0, 9)),
        "order": drawn(st.sampled_from(ORDERS)),
        "separate_by": drawn(st.sampled_from([None, "club", "country"])),
        "entries": [
            {
                "id": name,
                "rank": rank,
                "wins": drawn(st.integers(0, 3)),
                "byes": drawn(st.integers(0, 2)),
                "club": drawn(st.sampled_from([None, "", "Olive", "Palm"])),
                "country": drawn(st.sampled_from(["DO", "ES"])),
            }
            for name, rank in zip(names, ranks, strict=True)
        ],
        "met": drawn(st.lists(two, max_size=25)),
        "forbidden": drawn(st.lists(two, max_size=6)),
    }


@given(small_requests())
def test_no_draw_at_all_is_better(request_):
    best = best_of_all(request_)
    if best is None:
        with pytest.raises((NobodyToMeet, MeetingsForbidden)):
            draw_of(request_)
        return
    answer = draw_of(request_)
    assert check(request_, answer) == best
    assert answer["report"]["optimal"] is True


@pytest.mark.parametrize("size", [8, 9, 10])
@pytest.mark.parametrize("order", ORDERS)
def test_after_some_rounds_no_draw_at_all_is_better(size, order):
    for rounds in range(1, size):
        asked = event(size, rounds=rounds, seed=rounds) | {"order": order}
        assert check(asked, draw_of(asked)) == best_of_all(asked)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("size", [11, 16, 33, 64, 65, 100, 151])
def test_the_draw_is_the_one_proved_best_stage_by_stage(size, order):
    asked = event(size, three_clubs=size % 3 == 0) | {"order": order}
    assert check(asked, draw_of(asked)) == best_by_stages(asked)


@pytest.mark.parametrize("size", [12, 40, 41])
def test_with_one_club_nearly_everywhere_and_many_rounds_it_is_still_the_best(size):
    asked = event(size, rounds=9, three_clubs=True)
    for entry in asked["entries"][: size * 3 // 4]:
        entry["club"] = "Olive"
    found = check(asked, draw_of(asked))
    assert found == best_by_stages(asked)
    assert found[4] > 0


def test_four_hundred_entries_are_drawn_exactly():
    asked = event(400, three_clubs=True)
    assert check(asked, draw_of(asked)) == best_by_stages(asked)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(8, 401))
def test_every_size_up_to_four_hundred_is_drawn_exactly(size):
    rounds = min(size - 1, 3 + size % 5)
    asked = event(size, rounds=rounds, three_clubs=size % 2 == 0) | {"order": ORDERS[size % 3]}
    assert check(asked, draw_of(asked)) == best_by_stages(asked)


@given(small_requests(most=12), st.randoms(use_true_random=False))
def test_the_order_in_which_anything_is_listed_changes_nothing(request_, chance):
    def answered(asked):
        try:
            return draw_of(asked)
        except DominoError as error:
            return str(error)

    expected = answered(request_)
    for name in ("entries", "met", "forbidden"):
        chance.shuffle(request_[name])
    request_["met"] = [two[::-1] for two in request_["met"]]
    assert answered(request_) == expected


def test_neighbours_in_rank_meet():
    assert tables_of(draw_of(request_of(6))) == pairs("p1 p2", "p3 p4", "p5 p6")


def test_in_a_fold_the_upper_half_meets_the_lower_half_in_order():
    answer = draw_of(request_of(8, order="fold"))
    assert tables_of(answer) == pairs("p1 p5", "p2 p6", "p3 p7", "p4 p8")


def test_in_a_fold_who_is_one_too_many_meets_the_first_of_the_next_group():
    entries = [{"id": f"p{n}", "rank": n, "wins": int(n <= 5)} for n in range(1, 11)]
    answer = draw_of({"system": "swiss", "order": "fold", "entries": entries})
    assert tables_of(answer) == pairs("p1 p3", "p2 p4", "p5 p6", "p7 p9", "p8 p10")


def test_a_fold_gives_way_by_one_place_where_two_have_met():
    answer = draw_of(request_of(8, order="fold", met=[["p1", "p5"]]))
    assert tables_of(answer) == pairs("p1 p6", "p2 p5", "p3 p7", "p4 p8")


def test_a_draw_by_lot_seats_every_two_equally_often():
    met: Counter[frozenset[str]] = Counter()
    for seed in range(600):
        met.update(tables_of(draw_of(request_of(4, order="draw", seed=seed))))
    assert len(met) == 6
    assert all(160 <= times <= 240 for times in met.values())


def test_sides_are_drawn_as_often_one_way_as_the_other():
    answers = [draw_of(request_of(2, seed=seed)) for seed in range(400)]
    first = Counter(answer["tables"][0]["AC"][0] for answer in answers)
    assert 160 <= first["p1"] <= 240


def test_the_bye_goes_to_the_lowest_placed_without_one():
    asked = request_of(9)
    asked["entries"][8]["byes"] = 1
    assert draw_of(asked)["byes"] == ["p8"]


def test_nobody_has_a_second_bye_before_everybody_has_had_one():
    byes = dict.fromkeys((f"p{n}" for n in range(1, 10)), 0)
    byes["p4"] = 1  # typed in by hand in the first round
    for number in range(2, 10):
        entries = [
            {"id": name, "rank": n, "byes": had} for n, (name, had) in enumerate(byes.items(), 1)
        ]
        answer = draw_of({"system": "swiss", "round": number, "entries": entries})
        byes[answer["byes"][0]] += 1
    assert set(byes.values()) == {1}


def test_a_bye_that_saves_a_rematch_goes_higher_but_never_to_one_with_more_byes():
    # p1 has met everybody: only without p1 can the others play without a rematch.
    met = [["p1", "p2"], ["p1", "p3"], ["p1", "p4"], ["p1", "p5"], ["p2", "p3"], ["p2", "p4"]]
    asked = request_of(5, met=met)
    assert draw_of(asked)["byes"] == ["p1"]
    asked["entries"][0]["byes"] = 1
    assert draw_of(asked)["byes"] == ["p5"]


def test_reserved_byes_leave_the_field_before_it_is_counted():
    entries = [Contender(f"p{n}", n) for n in range(1, 12)]
    three, four = draw(entries[3:]), draw(entries[4:])
    assert (len(three.tables), len(three.byes)) == (4, 0)
    assert (len(four.tables), len(four.byes)) == (3, 1)


def test_a_rematch_is_only_played_when_every_draw_has_one():
    names = [f"p{n}" for n in range(1, 9)]
    met = [list(two) for two in combinations(names, 2) if two not in {("p1", "p8"), ("p2", "p7")}]
    free = {("p3", "p5"), ("p4", "p6")}
    asked = request_of(8, met=[two for two in met if tuple(two) not in free])
    assert tables_of(draw_of(asked)) == pairs("p1 p8", "p2 p7", "p3 p5", "p4 p6")
    answer = draw_of(request_of(8, met=met))
    assert answer["report"]["rematches"] == 2


def test_a_table_is_a_rematch_once_however_often_two_have_met():
    asked = request_of(2, met=[["p1", "p2"], ["p2", "p1"]])
    assert draw_of(asked)["report"]["rematches"] == 1


def test_wins_count_before_clubs_and_clubs_before_ranks():
    entries = [
        {"id": "p1", "rank": 1, "wins": 1, "club": "Olive"},
        {"id": "p2", "rank": 2, "wins": 1, "club": "Olive"},
        {"id": "p3", "rank": 3, "club": "Olive"},
        {"id": "p4", "rank": 4, "club": "Olive"},
        {"id": "p5", "rank": 5, "club": "Palm"},
        {"id": "p6", "rank": 6, "club": "Palm"},
    ]
    answer = draw_of({"system": "swiss", "separate_by": "club", "entries": entries})
    assert tables_of(answer) == pairs("p1 p2", "p3 p5", "p4 p6")


def test_an_unknown_club_is_nobodys_club():
    entries = [{"id": f"p{n}", "rank": n, "club": ""} for n in range(1, 5)]
    answer = draw_of({"system": "swiss", "separate_by": "club", "entries": entries})
    assert answer["report"]["same_separated"] == 0


def test_ranks_out_of_all_proportion_do_not_disturb_what_counts_before_them():
    entries = [
        {"id": f"p{n}", "rank": 10**9 - 2_000_000 * n, "wins": n * n * 20_000} for n in range(220)
    ]
    asked = {"system": "swiss", "entries": entries}
    assert check(asked, draw_of(asked))[3] == best_by_stages(asked)[3]
