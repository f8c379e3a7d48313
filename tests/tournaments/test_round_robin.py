"""Round robins of every size, as a schedule and through the command line."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.competition import requests, round_robin
from tournaments.competition.reading import read
from tournaments.competition.round_robin import schedule
from tournaments.competition.seating import by_table
from tournaments.competition.types import (
    BadRequest,
    Contender,
    ContenderTwice,
    RankTwice,
    ScheduledRound,
    TooFewContenders,
    TooManyContenders,
    UnknownSystem,
)

SIZES = st.integers(2, 40)


def field(size: int) -> list[Contender]:
    return [Contender(f"p{rank}", rank) for rank in range(1, size + 1)]


def meetings(rounds: tuple[ScheduledRound, ...]) -> list[tuple[str, str]]:
    """Return every meeting as (AC, BD)."""
    return [
        (*table.sides["AC"], *table.sides["BD"])  # type: ignore[misc]
        for one in rounds
        for table in one.tables
    ]


@given(SIZES, st.integers(1, 3))
def test_every_two_meet_once_in_a_leg(size, legs):
    met = Counter(frozenset(two) for two in meetings(schedule(field(size), legs=legs)))
    names = [one.id for one in field(size)]
    assert met == {frozenset(two): legs for two in combinations(names, 2)}


@given(SIZES, st.integers(1, 2), st.integers(1, 90))
def test_the_first_rounds_alone_are_those_of_the_whole(size, legs, rounds):
    whole = schedule(field(size), legs=legs)
    assert schedule(field(size), legs=legs, rounds=rounds) == whole[:rounds]


def test_rounds_nobody_asked_for_are_not_made(monkeypatch):
    made = []

    def counted(*given):
        made.append(given)
        return by_table(*given)

    monkeypatch.setattr(round_robin, "by_table", counted)
    asked = {"system": "round_robin", "rounds": 5, "entries": [{"id": f"p{n}"} for n in range(120)]}
    answer: Any = requests.pair(asked)
    assert (len(answer["rounds"]), len(made)) == (5, 5)


@given(SIZES)
def test_everybody_sits_or_rests_once_a_round(size):
    for one in schedule(field(size)):
        there = [entry for table in one.tables for entry in table.entries] + list(one.byes)
        assert sorted(there) == sorted(contender.id for contender in field(size))


@given(SIZES, st.integers(1, 2))
def test_an_odd_field_gives_everybody_one_bye_a_leg(size, legs):
    rounds = schedule(field(size), legs=legs)
    byes = Counter(entry for one in rounds for entry in one.byes)
    expected = {one.id: legs for one in field(size)} if size % 2 else {}
    assert byes == expected
    assert len(rounds) == legs * (size - 1 + size % 2)


@given(SIZES, st.integers(1, 4))
def test_sides_are_as_even_as_the_number_of_matches_allows(size, legs):
    met = meetings(schedule(field(size), legs=legs))
    first, second = Counter(ac for ac, _ in met), Counter(bd for _, bd in met)
    for one in field(size):
        played = first[one.id] + second[one.id]
        assert abs(first[one.id] - second[one.id]) == played % 2


@given(SIZES)
def test_the_second_leg_turns_the_sides(size):
    met = meetings(schedule(field(size), legs=2))
    half = len(met) // 2
    assert sorted(met[:half]) == sorted((bd, ac) for ac, bd in met[half:])


@given(SIZES)
def test_tables_are_numbered_from_the_best_placed_down(size):
    rank = {one.id: one.rank for one in field(size)}
    for one in schedule(field(size)):
        best = [min(rank[entry] for entry in table.entries) for table in one.tables]
        assert best == sorted(best)
        assert [table.table for table in one.tables] == list(range(1, len(best) + 1))


@given(SIZES, st.randoms(use_true_random=False))
def test_the_same_request_gives_the_same_answer_in_any_order(size, chance):
    shuffled = field(size)
    chance.shuffle(shuffled)
    assert schedule(shuffled) == schedule(field(size))


@pytest.mark.parametrize(
    ("contenders", "refusal", "sentence"),
    [
        ([], TooFewContenders, "There are too few entries for a draw: 0 found"),
        (field(1), TooFewContenders, "There are too few entries for a draw: 1 found"),
        (
            [Contender("p1", 1), Contender("p1", 2)],
            ContenderTwice,
            "Entry p1 is listed twice. List each entry once.",
        ),
        (
            [Contender("p1", 3), Contender("p2", 3)],
            RankTwice,
            "Entries p1 and p2 have the same rank, 3. Give every entry its own.",
        ),
        (field(1001), TooManyContenders, "A round robin of 1001 entries is too long: 1000 are"),
    ],
)
def test_an_impossible_field_is_refused(contenders, refusal, sentence):
    with pytest.raises(refusal) as caught:
        schedule(contenders)
    assert sentence in str(caught.value)


def test_the_number_of_legs_is_the_callers_to_check():
    with pytest.raises(ValueError, match="expected 1 to 10 legs, got 0"):
        schedule(field(4), legs=0)


def run(command: str, request: str) -> tuple[int, dict[str, object]]:
    """Run the command line in a process of its own, without Django's settings."""
    answer = subprocess.run(
        [sys.executable, "-m", "tournaments.competition", command, "-"],
        input=request,
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert answer.stderr == ""
    return answer.returncode, json.loads(answer.stdout)


def test_the_command_line_answers_without_django():
    entries = [{"id": f"p{n}", "rank": n} for n in (1, 2, 3)]
    code, answer = run("pair", json.dumps({"system": "round_robin", "entries": entries}))
    assert code == 0
    assert answer == {
        "rounds": [
            {"round": 1, "tables": [{"table": 1, "AC": ["p2"], "BD": ["p3"]}], "byes": ["p1"]},
            {"round": 2, "tables": [{"table": 1, "AC": ["p1"], "BD": ["p2"]}], "byes": ["p3"]},
            {"round": 3, "tables": [{"table": 1, "AC": ["p3"], "BD": ["p1"]}], "byes": ["p2"]},
        ]
    }


def test_the_command_line_prints_a_refusal_and_fails():
    code, answer = run("pair", '{"system": "round_robin", "entries": []}')
    assert code == 1
    assert answer == {
        "error": {
            "code": "too_few_contenders",
            "message": "There are too few entries for a draw: 0 found, at least 2 needed. Register "
            "more, or give a bye to those who are there.",
        }
    }


@pytest.mark.parametrize(
    ("request_text", "where"),
    [
        ("", "$: expected a JSON document"),
        ("{", "$: expected a JSON document"),
        ("[" * 100_000, "$: expected a JSON document"),
        ("1" * 10_000, "$: expected a JSON document"),
        ("[]", "$: expected an object, found a list"),
        ('{"system": "round_robin"}', "entries: expected a list, found nothing"),
        ('{"system": "round_robin", "entries": [3]}', "entries[0]: expected an object, found 3"),
        ('{"system": "round_robin", "entries": [{"id": 3}]}', "entries[0].id: expected the id"),
        (
            '{"system": "round_robin", "entries": [{"id": "a", "rank": true}]}',
            "entries[0].rank: expected a whole number",
        ),
        ('{"system": "round_robin", "entries": [], "legs": 99}', "legs: expected a whole number"),
    ],
)
def test_a_malformed_request_is_refused_with_its_place(request_text, where):
    with pytest.raises(BadRequest) as caught:
        requests.pair(read(request_text))
    assert f"cannot be read at {where}" in str(caught.value)


@pytest.mark.parametrize("request_text", ["{}", '{"system": "knockdown"}', '{"system": []}'])
def test_an_unknown_system_is_refused_with_the_known_ones(request_text):
    with pytest.raises(UnknownSystem, match=r"Choose one of: .*round_robin"):
        requests.pair(read(request_text))


def test_half_a_character_in_an_id_is_printed_as_it_came():
    code, answer = run(
        "standings",
        '{"tie_breaks": ["lot"], "results": [{"round": 1, "entry": "\\ud800", "outcome": "bye"}]}',
    )
    assert code == 0
    assert "rows" in answer
