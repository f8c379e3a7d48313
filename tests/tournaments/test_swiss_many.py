"""Swiss rounds of more entries than are drawn exactly, and the bounds on what is best."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.swiss_check import best_by_stages, check, event
from tournaments.competition import swiss, swiss_bound, swiss_prices
from tournaments.competition.matching import bits_for, cheapest, left_over
from tournaments.competition.requests import pair
from tournaments.competition.swiss import MeetingsForbidden, NobodyToMeet, NoDrawFound
from tournaments.competition.swiss_blocks import draw_in_blocks, line
from tournaments.competition.swiss_bound import FOLD_SLACK, gap_of, least_order
from tournaments.competition.swiss_field import Field, Order, Rules, priced
from tournaments.competition.types import Contender, SeparateBy


def draw_of(asked: dict[str, Any]) -> dict[str, Any]:
    return pair(asked)


def field_of(asked, order=Order.NEAREST):
    contenders = [
        Contender(one["id"], one["rank"], one["wins"], one["byes"], one["club"])
        for one in asked["entries"]
    ]
    rules = Rules(order=order, separate_by=SeparateBy.CLUB, seed=asked["seed"])
    return Field(contenders, map(tuple, asked["met"]), map(tuple, asked["forbidden"]), rules)


@pytest.mark.parametrize("order", ["nearest", "fold"])
@pytest.mark.parametrize(("size", "three_clubs"), [(402, False), (533, True)])
def test_blocks_find_the_draw_that_is_proved_best(size, three_clubs, order):
    asked = event(size, three_clubs=three_clubs) | {"order": order}
    answer = draw_of(asked)
    assert check(asked, answer) == best_by_stages(asked)
    assert answer["report"]["optimal"] is True


@pytest.mark.parametrize("order", ["nearest", "fold", "draw"])
def test_a_thousand_entries_are_drawn_without_a_rematch(order):
    asked = event(1001, rounds=6) | {"order": order}
    answer = draw_of(asked)
    found = check(asked, answer)
    assert found[:3] == (0, 0, found[2])
    assert found[4] == 0


@pytest.mark.slow
@pytest.mark.parametrize("order", [Order.NEAREST, Order.FOLD])
@pytest.mark.parametrize("size", range(50, 400, 14))
def test_blocks_are_as_good_as_the_dense_graph(size, order):
    field = field_of(event(size, three_clubs=True), order)
    edges = [
        (one, other) for one, other in combinations(range(size), 2) if other not in field.met[one]
    ]
    best = field.costs(cheapest(size, priced(field, edges, size=size).edges))
    assert field.costs(draw_in_blocks(field) or []) == best


@pytest.mark.parametrize("order", [Order.NEAREST, Order.FOLD])
@pytest.mark.parametrize("seed", range(3))
def test_no_draw_goes_below_the_bound(monkeypatch, order, seed):
    monkeypatch.setattr(swiss_bound, "BLOCK", 100)
    monkeypatch.setattr(swiss_bound, "SHIFT", 16)
    monkeypatch.setattr(swiss_bound, "NEAR", 64)
    size = 250 + 2 * seed
    asked = event(size, seed=seed, three_clubs=seed % 2 == 0) | {"order": order.value}
    best = best_by_stages(asked)
    field = field_of(asked, order)
    pairs = draw_in_blocks(field)
    assert pairs is not None
    bound = least_order(field, pairs, field.costs(pairs))
    assert best[5] // 2 <= bound <= best[5]


@given(st.lists(st.integers(0, 3), min_size=2, max_size=60))
def test_on_the_line_of_a_fold_the_order_costs_what_the_bound_supposes(wins):
    contenders = [Contender(f"p{n}", n, won) for n, won in enumerate(wins, start=1)]
    field = Field(contenders, [], [], Rules(order=Order.FOLD))
    places = line(field)
    assert sorted(places) == list(range(len(wins)))
    for one, other in combinations(range(len(places)), 2):
        apart = max(0, other - one - FOLD_SLACK)
        assert 4 * field.order_cost(places[one], places[other]) >= apart**2


def test_where_ranks_do_not_follow_wins_the_gap_is_what_is_known_for_sure(monkeypatch):
    monkeypatch.setattr(swiss_prices, "PRICED_UP_TO", 0)
    asked = event(420)
    for entry in asked["entries"]:
        entry["rank"] = 421 - entry["rank"]
    answer = draw_of(asked)
    check(asked, answer)
    assert 0 < answer["report"]["gap"] < 1
    assert answer["report"]["optimal"] is False


def test_a_draw_that_is_worse_on_a_line_says_by_how_much_at_most():
    field = field_of(event(8, rounds=0))
    level = [(0, 1), (2, 3), (4, 5), (6, 7)]
    assert gap_of(field, level, field.costs(level)) == 0.0
    crossed = [(0, 2), (1, 3), (4, 5), (6, 7)]
    assert gap_of(field, crossed, field.costs(crossed)) == pytest.approx(6 / 10)


def test_clubs_that_must_meet_are_no_gap():
    asked = event(450, rounds=0)
    for entry in asked["entries"]:
        entry["club"] = "Olive"
    answer = draw_of(asked)
    assert answer["report"]["same_separated"] == 225
    assert answer["report"]["gap"] == 0.0


def test_who_has_met_all_neighbours_is_seated_further_away():
    asked = event(402, rounds=0)
    asked["met"] = [["p1", f"p{n}"] for n in range(2, 402)]
    asked["met"] += [["p77", f"p{n}"] for n in range(2, 402) if n != 77]
    answer = draw_of(asked)
    assert check(asked, answer)[1] == 1  # both can only meet p402
    asked["met"].remove(["p77", "p400"])
    assert check(asked, draw_of(asked))[1] == 0


def test_two_halves_that_have_all_met_are_drawn_across():
    asked = event(404, rounds=0)
    asked["met"] = [
        [f"p{one}", f"p{other}"]
        for one, other in combinations(range(1, 405), 2)
        if (one <= 202) == (other <= 202)
    ]
    assert check(asked, draw_of(asked))[1] == 0


def test_when_all_have_met_all_every_table_is_a_rematch():
    asked = event(410, rounds=0)
    asked["met"] = [[f"p{a}", f"p{b}"] for a, b in combinations(range(1, 411), 2)]
    assert check(asked, draw_of(asked))[1] == 205


def test_a_bye_that_saves_a_rematch_is_found_among_many():
    asked = event(403, rounds=0)
    asked["met"] = [["p5", f"p{n}"] for n in range(1, 404) if n != 5]
    for entry in asked["entries"]:
        entry["byes"] = int(entry["id"] not in ("p5", "p301", "p302"))
    answer = draw_of(asked)
    assert (answer["byes"], check(asked, answer)[1]) == (["p5"], 0)
    next(one for one in asked["entries"] if one["id"] == "p5")["byes"] = 1
    answer = draw_of(asked)
    assert check(asked, answer)[:2] == (0, 1)


@pytest.mark.parametrize("size", [440, 441])
def test_many_who_may_meet_nobody_are_named(size):
    asked = event(size, rounds=0)
    names = [f"p{n}" for n in range(1, size + 1)]
    asked["forbidden"] = [[one, other] for one in ("p7", "p9") for other in names if one != other]
    with pytest.raises(NobodyToMeet, match="Every meeting of p7, p9 is forbidden"):
        draw_of(asked)


def test_the_bye_goes_to_the_one_who_may_meet_nobody():
    asked = event(441, rounds=0)
    asked["forbidden"] = [["p7", one["id"]] for one in asked["entries"] if one["id"] != "p7"]
    asked["entries"][6]["byes"] = 3
    assert draw_of(asked)["byes"] == ["p7"]


@pytest.mark.parametrize(("size", "seated"), [(420, 120), (421, 122)])
def test_a_group_of_many_that_cannot_all_be_seated_is_named(size, seated):
    asked = event(size, rounds=0)
    asked["forbidden"] = [
        [f"p{one}", f"p{other}"] for one, other in combinations(range(100, 400), 2)
    ]
    with pytest.raises(MeetingsForbidden, match=r"p100, p101, .* can be seated") as caught:
        draw_of(asked)
    assert f"at most {seated} of 300" in str(caught.value)


def test_where_no_draw_is_found_those_with_most_forbidden_meetings_are_named(monkeypatch):
    monkeypatch.setattr(swiss, "PROVED_UP_TO", 0)
    asked = event(402, rounds=0)
    asked["forbidden"] = [
        [f"p{one}", f"p{other}"] for one, other in combinations(range(100, 350), 2)
    ]
    with pytest.raises(NoDrawFound, match="Most meetings are forbidden for p100, p101, "):
        draw_of(asked)


def graphs():
    return st.integers(1, 9).flatmap(
        lambda size: st.tuples(
            st.just(size),
            st.sets(st.sampled_from([*combinations(range(size), 2)] or [(0, 0)])).map(
                lambda edges: sorted(edge for edge in edges if edge != (0, 0))
            ),
        )
    )


@given(graphs())
def test_who_can_be_left_over_is_found(graph):
    size, edges = graph

    def most(without=-1):
        return len(cheapest(size, [(*edge, 0) for edge in edges if without not in edge]))

    found, many = left_over(size, edges, cheapest(size, [(*edge, 0) for edge in edges]))
    assert found == [vertex for vertex in range(size) if most(vertex) == most()]
    assert many == size - 2 * most()


def test_a_cost_the_library_could_not_count_is_our_fault():
    longest = 1 << bits_for(2) - 1
    assert cheapest(2, [(0, 1, longest)]) == [(0, 1)]
    with pytest.raises(ValueError, match="too long for 2 vertices"):
        cheapest(2, [(0, 1, 2 * longest)])


@given(st.integers(0, 2**64), st.integers(2, 60))
def test_the_longest_costs_allowed_are_counted_exactly(chance, size):
    """The same graph with costs of ten bits and with costs of as many as are allowed."""
    edges = []
    for one, other in combinations(range(size), 2):
        chance = chance * 6364136223846793005 + 1442695040888963407 & (1 << 64) - 1
        if chance >> 61:
            edges.append((one, other, chance >> 54))
    scale = (1 << bits_for(size)) // 1024

    def sums(factor):
        costs = {(one, other): cost for one, other, cost in edges}
        found = cheapest(size, [(one, other, cost * factor) for one, other, cost in edges])
        return len(found), sum(costs[two] for two in found)

    assert sums(scale) == sums(1)
