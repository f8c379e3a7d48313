"""Whole schedules of tables of four: the figures, every size, and the data behind them."""

from __future__ import annotations

import json
from itertools import combinations
from typing import Any

import pytest

from tests.tournaments import rotation_check
from tournaments.competition.movements import (
    ScheduleTooLong,
    bounds,
    computed,
    fours,
    movement,
    repeats,
    resting,
)
from tournaments.competition.reading import read
from tournaments.competition.requests import pair
from tournaments.competition.rings import ring_steps
from tournaments.competition.types import TooFewContenders


def asked(size: int, rounds: int, **more: Any) -> dict[str, Any]:
    entries = [{"id": f"p{rank}", "rank": rank} for rank in range(1, size + 1)]
    return {"system": "schedule", "rounds": rounds, "seed": 7, "entries": entries} | more


def drawn(request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(json.dumps(pair(read(json.dumps(request)))))
    return answer


@pytest.mark.parametrize(
    ("size", "opponents"), [(16, 40), (20, 13), (24, 0), *((size, 0) for size in range(25, 112))]
)
def test_ten_rounds_repeat_no_partner_and_few_opponents(size, opponents):
    partners, found = repeats(movement(size, 10))
    assert partners == 0
    assert found <= opponents


@pytest.mark.parametrize("size", [112, 113, 120, 399, 400, 402, 799, 800, 10_000])
def test_ten_rounds_of_a_large_field_repeat_nobody(size):
    answer = drawn(asked(size, 10))
    assert rotation_check.faults_of_schedule(asked(size, 10), answer) == []
    assert answer["report"] == {
        "repeat_partners": 0,
        "repeat_opponents": 0,
        "bound": {"repeat_partners": 0, "repeat_opponents": 0},
        "optimal": True,
    }


@pytest.mark.parametrize("size", [*range(4, 34), 47, 48, 50, 61, 65, 99])
@pytest.mark.parametrize("rounds", [1, 3, 8, 15])
def test_everybody_plays_and_rests_in_turn(size, rounds):
    request = asked(size, rounds)
    assert rotation_check.faults_of_schedule(request, drawn(request)) == []


@pytest.mark.slow
@pytest.mark.parametrize("size", range(4, 801))
def test_every_size_has_a_schedule(size):
    for rounds in (10, 15):
        request = asked(size, rounds)
        answer = drawn(request)
        assert rotation_check.faults_of_schedule(request, answer) == []
        assert size < 16 or answer["report"]["repeat_partners"] == 0


@pytest.mark.parametrize("size", [8, 12, 13, 16, 17, 20, 21])
def test_a_whole_cycle_has_everybody_once_as_partner_and_twice_as_opponent(size):
    rounds = size if size % 4 else size - 1
    answer = drawn(asked(size, rounds))
    names = [one["id"] for one in asked(size, rounds)["entries"]]
    partners: list[frozenset[str]] = []
    opponents: list[frozenset[str]] = []
    for one in answer["rounds"]:
        for table in one["tables"]:
            here = rotation_check.pairs_of(table)
            partners += here[0]
            opponents += here[1]
    for two in combinations(names, 2):
        assert (partners.count(frozenset(two)), opponents.count(frozenset(two))) == (1, 2)


def test_after_a_whole_cycle_it_starts_again():
    answer = drawn(asked(8, 17))
    assert rotation_check.faults_of_schedule(asked(8, 17), answer) == []
    assert answer["report"]["repeat_partners"] == answer["report"]["bound"]["repeat_partners"]


def test_a_long_event_of_a_middle_field_is_drawn_round_by_round_at_its_end():
    request = asked(52, 20)
    answer = drawn(request)
    assert rotation_check.faults_of_schedule(request, answer) == []
    assert answer["report"]["repeat_partners"] == 0


def test_the_places_are_drawn_by_lot_in_any_order_of_the_entries():
    request = asked(20, 4)
    turned = request | {"entries": request["entries"][::-1]}
    assert drawn(turned) == drawn(request)
    assert drawn(request | {"seed": 8}) != drawn(request)


@pytest.mark.parametrize(
    ("request_", "refusal", "sentence"),
    [
        (asked(3, 2), TooFewContenders, "There are too few entries for a draw: 3 found"),
        (asked(1001, 100), ScheduleTooLong, "100 rounds of 1001 players are too many at once"),
    ],
)
def test_what_cannot_be_scheduled_is_refused(request_, refusal, sentence):
    with pytest.raises(refusal) as caught:
        drawn(request_)
    assert sentence in str(caught.value)


@pytest.mark.parametrize(("players", "rounds"), sorted(computed()))
def test_a_computed_movement_is_whole_and_repeats_no_partner_in_a_cycle(players, rounds):
    played = computed()[players, rounds]
    assert len(played) == rounds
    for seats in played:
        assert sorted(seats) == list(range(players))
        assert len(resting(seats)) == players % 4
        assert len(list(fours(seats))) == players // 4
    if players >= 16 and rounds <= players:
        assert repeats(played)[0] == bounds(players, rounds)[0] == 0


@pytest.mark.parametrize("size", range(10, 60))
def test_rings_never_turn_alike_twice(size):
    steps = ring_steps(size, size)
    assert len(steps) > size // 2
    for values in zip(*steps, strict=True):
        assert len(set(values)) == len(values)
    for one, other in combinations(range(3), 2):
        apart = [(values[one] - values[other]) % size for values in steps]
        assert len(set(apart)) == len(apart)
