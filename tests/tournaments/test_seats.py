"""Seats shared out over an event: sides, seats and tables not the same again and again."""

from __future__ import annotations

import random
from collections import Counter, defaultdict
from itertools import pairwise
from typing import Any

import pytest

from tests.tournaments.test_services_draws import entries_at, event, play
from tournaments.competition.seating import seated
from tournaments.models import Entry, MatchSeat
from tournaments.services import draws, stages
from tournaments.services.stages import StagePlan


def request(seats: dict[str, list[list[object]]], **more: object) -> dict[str, Any]:
    entries = [{"id": one, "rank": n} for n, one in enumerate(("a", "b", "c", "d"), start=1)]
    return {"entries": entries, "seated": seats, **more}


ANSWER: dict[str, Any] = {
    "tables": [{"table": 1, "AC": ["a"], "BD": ["b"]}, {"table": 2, "AC": ["c"], "BD": ["d"]}]
}


def test_without_a_past_the_answer_of_the_draw_stands() -> None:
    assert [one.json() for one in seated(request({}), ANSWER)] == ANSWER["tables"]


def test_who_sat_on_a_side_more_often_gets_the_other_one() -> None:
    past = {"a": [["A", 7], ["A", 8]], "b": [["A", 9], ["B", 9]]}
    first = seated(request(past), ANSWER)[0]
    assert first.sides == {"AC": ("b",), "BD": ("a",)}


def test_level_tables_exchange_numbers_so_that_nobody_sits_where_they_sat() -> None:
    past: dict[str, list[list[object]]] = {"a": [["B", 1]], "c": [["B", 2]]}
    tables = {frozenset(one.entries): one.table for one in seated(request(past), ANSWER)}
    assert tables == {frozenset("ab"): 2, frozenset("cd"): 1}


def test_tables_of_other_wins_keep_their_numbers() -> None:
    past: dict[str, list[list[object]]] = {"a": [["B", 1]], "c": [["B", 2]]}
    asked = request(past)
    for one in asked["entries"][:2]:
        one["wins"] = 1
    assert [one.table for one in seated(asked, ANSWER)] == [1, 2]
    assert set(seated(asked, ANSWER)[0].entries) == {"a", "b"}


def test_numbers_that_are_taken_are_passed_over() -> None:
    assert [one.table for one in seated(request({}, taken=[1, 3]), ANSWER)] == [2, 4]


def test_partners_sit_opposite_and_their_seats_change() -> None:
    answer = {"tables": [{"table": 1, "AC": ["a", "b"], "BD": ["c", "d"]}]}
    past: dict[str, list[list[object]]] = {one: [["A", 1]] for one in "ab"}
    past |= {one: [["B", 1]] for one in "cd"}
    (table,) = seated(request(past), answer)
    assert {frozenset(ids) for ids in table.sides.values()} == {frozenset("ab"), frozenset("cd")}
    assert set(table.sides["BD"]) == {"a", "b"}


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("system", "kind", "most_uneven", "most_runs"),
    [("swiss", Entry.Kind.PAIR, 2, 2), ("rotating", "single", 4, 11)],
)
def test_over_an_event_everybody_has_both_sides(
    system: str, kind: str, most_uneven: int, most_runs: int
) -> None:
    tournament = event(16, kind)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(system, rounds=6), by=by)
    stage.seed = 7
    stage.save()
    for number in range(1, 7):
        play(draws.draw_round(stage, number=number, by=by), by, random.Random(number))
    sides: defaultdict[int, list[str]] = defaultdict(list)
    for number in range(1, 7):
        seats = MatchSeat.objects.filter(pairing_round__number=number).order_by("seat")
        first = dict(reversed(list(seats.values_list("entry__number", "seat"))))
        for entry, seat in first.items():
            sides[entry].append("AC" if seat in "AC" else "BD")
    uneven = [abs(Counter(one)["AC"] - Counter(one)["BD"]) for one in sides.values()]
    assert max(uneven) <= most_uneven
    runs = [
        sum(one == other == last for (one, other), (_, last) in pairwise(pairwise(one_by_one)))
        for one_by_one in sides.values()
    ]
    # Four partners and opponents share one choice of sides: only so much can be had.
    assert sum(runs) <= most_runs


@pytest.mark.django_db
def test_a_fixed_table_is_kept_in_every_round() -> None:
    tournament = event(8)
    by = tournament.created_by
    Entry.objects.filter(tournament=tournament, number=8).update(fixed_table=2)
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=3), by=by)
    for number in range(1, 4):
        drawn = draws.draw_round(stage, number=number, by=by)
        assert 8 in entries_at(drawn.matches.get(table=2))
        play(drawn, by, random.Random(number))
