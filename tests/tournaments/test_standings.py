"""Order of entries: every tie-break, what decides, shared places, and what must always hold."""

from __future__ import annotations

import dataclasses
import json
from itertools import pairwise
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.competition import requests
from tournaments.competition.__main__ import main
from tournaments.competition.standings import Standings, standings
from tournaments.competition.types import (
    BadRequest,
    EntryResult,
    Outcome,
    ResultTwice,
    Row,
    TieBreak,
)

WIN, LOSS, BYE = Outcome.WIN, Outcome.LOSS, Outcome.BYE


def result(
    number: int, entry: str, outcome: Outcome, opponents: str = "", score: str = "0-0", **more: int
) -> EntryResult:
    """Return a result, with opponents as letters and the score as "for-against"."""
    points_for, points_against = (int(part) for part in score.split("-"))
    return EntryResult(number, entry, outcome, tuple(opponents), points_for, points_against, **more)


def order(results: list[EntryResult], *names: str, seed: int = 0) -> tuple[Row, ...]:
    return standings(results, [TieBreak(name) for name in names], target=200, seed=seed)


def values(rows: tuple[Row, ...], name: str) -> dict[str, int]:
    return {row.entry: row.values[TieBreak(name)] for row in rows}


LEAGUE = [
    result(1, "a", WIN, "b", "200-120", rounds_won=6),
    result(1, "b", LOSS, "a", "120-200", rounds_won=4, penalty=20),
    result(1, "c", WIN, "d", "230-40", rounds_won=5),
    result(1, "d", LOSS, "c", "40-230", rounds_won=1),
    result(2, "a", LOSS, "c", "190-205", rounds_won=5, penalty=40),
    result(2, "c", WIN, "a", "205-190", rounds_won=5),
    result(2, "b", WIN, "d", "200-10", rounds_won=7),
    result(2, "d", LOSS, "b", "10-200"),
    result(3, "d", BYE, "", "200-100"),
]


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("wins", {"a": 1, "b": 1, "c": 2, "d": 1}),
        ("difference", {"a": 65, "b": 110, "c": 205, "d": -280}),
        ("difference_capped", {"a": 70, "b": 110, "c": 170, "d": -250}),
        ("points_for", {"a": 390, "b": 320, "c": 435, "d": 250}),
        ("buchholz", {"a": 3, "b": 2, "c": 2, "d": 3}),
        ("buchholz_cut1", {"a": 2, "b": 1, "c": 1, "d": 2}),
        ("rounds_won", {"a": 11, "b": 11, "c": 10, "d": 1}),
        ("fewest_penalty_points", {"a": 40, "b": 20, "c": 0, "d": 0}),
    ],
)
def test_each_tie_break_counts_what_the_page_says(name, expected):
    assert values(order(LEAGUE, name), name) == expected


def test_fewer_penalty_points_are_better():
    rows = order(LEAGUE, "fewest_penalty_points")
    assert [(row.place, row.entry) for row in rows] == [(1, "c"), (1, "d"), (3, "b"), (4, "a")]


def test_the_row_says_what_parts_it_from_the_row_above():
    rows = order(LEAGUE, "wins", "difference", "points_for")
    assert [(row.entry, row.decided_by) for row in rows] == [
        ("c", None),
        ("b", TieBreak.WINS),
        ("a", TieBreak.DIFFERENCE),
        ("d", TieBreak.DIFFERENCE),
    ]


def test_entries_level_on_everything_share_a_place_in_order_of_their_id():
    rows = order(
        [
            result(1, "b", LOSS), result(1, "c", LOSS),
            result(1, "a", WIN), result(1, "d", Outcome.ABSENT),
            result(1, "e", Outcome.WALKOVER_LOSS), result(1, "f", Outcome.WALKOVER_WIN),
        ],
        "wins",
    )  # fmt: skip
    assert [(row.place, row.entry) for row in rows] == [
        (1, "a"), (1, "f"), (3, "b"), (3, "c"), (3, "d"), (3, "e"),
    ]  # fmt: skip
    assert [row.decided_by for row in rows] == [None, None, TieBreak.WINS, None, None, None]


def test_direct_meetings_decide_between_two():
    rows = order(
        [
            result(1, "a", LOSS, "b"), result(1, "b", WIN, "a"),
            result(2, "a", WIN, "c"), result(2, "c", LOSS, "a"),
            result(2, "b", LOSS, "d"), result(2, "d", WIN, "b"),
        ],
        "wins", "direct",
    )  # fmt: skip
    # a, b and d have one win each, but a and d never met: it counts for nobody.
    assert values(rows, "direct") == {"a": 0, "b": 0, "c": 0, "d": 0}
    rows = order(
        [
            result(1, "a", LOSS, "b"),
            result(1, "b", WIN, "a"),
            result(2, "a", WIN, "c"),
            result(2, "c", LOSS, "a"),
        ],
        "wins",
        "direct",
    )
    assert [(row.entry, row.decided_by) for row in rows] == [
        ("b", None), ("a", TieBreak.DIRECT), ("c", TieBreak.WINS),
    ]  # fmt: skip


def test_direct_meetings_count_only_among_those_level_on_what_stands_before():
    circle = [
        result(1, "a", WIN, "b", "200-100"), result(1, "b", LOSS, "a", "100-200"),
        result(2, "b", WIN, "c", "200-100"), result(2, "c", LOSS, "b", "100-200"),
        result(3, "c", WIN, "a", "200-150"), result(3, "a", LOSS, "c", "150-200"),
    ]  # fmt: skip
    assert values(order(circle, "wins", "direct"), "direct") == {"a": 1, "b": 1, "c": 1}
    # Only b and c are level on wins and difference: b won that meeting.
    narrowed = order(circle, "wins", "points_for", "direct")
    assert values(narrowed, "direct") == {"a": 0, "b": 1, "c": 0}
    assert [row.entry for row in narrowed] == ["a", "b", "c"]


def test_nobody_meets_anybody_alone_where_a_table_has_several_opponents():
    rotating = [
        result(1, "a", WIN, "cd"), result(1, "b", WIN, "cd"),
        result(1, "c", LOSS, "ab"), result(1, "d", LOSS, "ab"),
    ]  # fmt: skip
    assert set(values(order(rotating, "direct"), "direct").values()) == {0}


def test_a_bye_has_no_opponent_and_an_unknown_opponent_no_wins():
    rows = order([result(1, "a", BYE), result(2, "a", WIN, "z")], "wins", "buchholz")
    assert rows[0].values == {TieBreak.WINS: 2, TieBreak.BUCHHOLZ: 0}


def test_a_second_meeting_counts_the_opponents_wins_again():
    rows = order(
        [result(1, "a", WIN, "b"), result(2, "a", LOSS, "b"), result(1, "b", LOSS, "a"),
         result(2, "b", WIN, "a")],
        "buchholz",
    )  # fmt: skip
    assert values(rows, "buchholz") == {"a": 2, "b": 2}


def test_without_tie_breaks_everybody_shares_the_first_place():
    assert [(row.place, row.decided_by) for row in order(LEAGUE)] == [(1, None)] * 4


def test_entries_without_a_result_are_listed_too():
    rows = standings([], [TieBreak.WINS], target=200, entries=["b", "a"])
    assert [(row.place, row.entry) for row in rows] == [(1, "a"), (1, "b")]


OUTCOMES = st.sampled_from(list(Outcome))
NAMES = st.sampled_from("abcdefgh")
RESULTS = st.lists(
    st.builds(
        EntryResult,
        round=st.integers(1, 9),
        entry=NAMES,
        outcome=OUTCOMES,
        opponents=st.lists(NAMES, max_size=1).map(tuple),
        points_for=st.integers(-50, 300),
        points_against=st.integers(-50, 300),
        rounds_won=st.integers(0, 9),
        penalty=st.integers(0, 80),
    ),
    max_size=30,
    unique_by=lambda one: (one.entry, one.round),
)
NONE: st.SearchStrategy[list[EntryResult]] = st.just([])
CHAINS = st.lists(st.sampled_from(list(TieBreak)), unique=True, max_size=6)


def key(row: Row) -> tuple[int, ...]:
    return tuple(value if name.less_is_better else -value for name, value in row.values.items())


@given(RESULTS, CHAINS)
def test_rows_are_in_order_and_places_count_who_is_better(results, chain):
    rows = standings(results, chain, target=200, seed=7)
    assert [key(row) for row in rows] == sorted(key(row) for row in rows)
    for row in rows:
        assert row.place == 1 + sum(key(other) < key(row) for other in rows)
    assert {row.entry for row in rows} == {one.entry for one in results}


@given(RESULTS, CHAINS)
def test_what_decides_is_the_first_value_that_differs(results, chain):
    rows = standings(results, chain, target=200, seed=7)
    for above, row in pairwise(rows):
        differs = [name for name in chain if row.values[name] != above.values[name]]
        assert row.decided_by == (differs[0] if differs else None)
        assert (row.decided_by is None) == (row.place == above.place)
    assert all(row.decided_by is None for row in rows[:1])


@given(RESULTS, CHAINS, st.randoms(use_true_random=False))
def test_the_order_of_the_results_does_not_matter(results, chain, chance):
    shuffled = list(results)
    chance.shuffle(shuffled)
    assert standings(shuffled, chain, target=200, seed=3) == standings(
        results, chain, target=200, seed=3
    )


@given(RESULTS, RESULTS, CHAINS, st.data())
def test_a_correction_gives_what_all_results_together_give(results, others, chain, data):
    kept = Standings(results, chain, target=200, seed=3)
    now = list(results)
    for one in others:
        taken = data.draw(st.lists(st.sampled_from(now), max_size=2, unique_by=id) if now else NONE)
        before = {row.entry: row.values for row in kept.rows()}
        changed = kept.correct(taken=taken, given=[one])
        now = [each for each in now if not any(each is gone for gone in taken)] + [one]
        names = {each.entry for each in [*results, *others]}
        there = [name for name in sorted(names) if name in before or name == one.entry]
        whole = standings(now, chain, target=200, seed=3, entries=there)
        assert kept.rows() == whole
        assert len(kept) == len(whole)
        for row in whole:
            assert row.entry in changed or row.values == before[row.entry]


def test_a_result_that_is_not_there_is_not_taken_back():
    kept = Standings(LEAGUE, [TieBreak.WINS], target=200)
    with pytest.raises(ValueError, match="not in list"):
        kept.correct(taken=[result(9, "a", WIN)])


@given(RESULTS, CHAINS, st.integers(0, 8), st.integers(0, 8))
def test_some_of_the_rows_are_those_of_the_whole(results, chain, start, stop):
    kept = Standings(results, chain, target=200, seed=3)
    assert kept.rows(start, stop) == kept.rows()[start:stop]


def test_situation_27_all_games_of_two_who_met_twice_count():
    games = [
        result(1, "a", WIN, "b", "200-50"), result(1, "b", LOSS, "a", "50-200"),
        result(2, "b", WIN, "a", "200-150"), result(2, "a", LOSS, "b", "150-200"),
    ]  # fmt: skip
    rows = order(games, "wins", "direct", "difference")
    assert values(rows, "direct") == {"a": 1, "b": 1}
    assert [(row.entry, row.decided_by) for row in rows] == [
        ("a", None), ("b", TieBreak.DIFFERENCE),
    ]  # fmt: skip


@given(RESULTS, st.integers(0, 10**6))
def test_the_lot_parts_everybody_and_repeats_for_a_seed(results, seed):
    rows = order(results, "lot", seed=seed)
    assert [row.place for row in rows] == list(range(1, len(rows) + 1))
    assert sorted(values(rows, "lot").values()) == list(range(1, len(rows) + 1))
    assert order(results, "lot", seed=seed) == rows


def test_another_seed_draws_another_lot():
    drawn = {tuple(row.entry for row in order(LEAGUE, "lot", seed=seed)) for seed in range(20)}
    assert len(drawn) > 5


@given(RESULTS)
def test_mirrored_results_have_no_difference_in_sum(results):
    mirrored = [
        dataclasses.replace(
            one,
            entry=f"{one.entry}'",
            points_for=one.points_against,
            points_against=one.points_for,
        )
        for one in results
    ]
    for name in ("difference", "difference_capped"):
        assert sum(values(order(results + mirrored, name), name).values()) == 0


REQUEST = {
    "target": 200,
    "seed": 7,
    "tie_breaks": ["wins", "direct", "difference", "points_for"],
    "results": [
        {"round": 1, "entry": "p1", "opponents": ["p7"], "for": 200, "against": 120,
         "outcome": "win", "rounds_won": 6, "penalty": 0},
        {"round": 1, "entry": "p7", "opponents": ["p1"], "for": 120, "against": 200,
         "outcome": "loss"},
    ],
}  # fmt: skip


def test_the_command_line_answers_a_file(tmp_path: Path, capsysbinary):
    file = tmp_path / "request.json"
    file.write_text(json.dumps(REQUEST), encoding="utf-8")
    assert main(["standings", str(file)]) == 0
    assert json.loads(capsysbinary.readouterr().out) == {
        "rows": [
            {"place": 1, "entry": "p1", "decided_by": None,
             "values": {"wins": 1, "direct": 0, "difference": 80, "points_for": 200}},
            {"place": 2, "entry": "p7", "decided_by": "wins",
             "values": {"wins": 0, "direct": 0, "difference": -80, "points_for": 120}},
        ]
    }  # fmt: skip


def test_a_missing_file_is_named(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["standings", "no-such-file.json"])
    assert ended.value.code == 2
    assert "no-such-file.json: No such file" in capsys.readouterr().err


def changed(**more: object) -> dict[str, object]:
    return REQUEST | more


FIRST = REQUEST["results"][0]  # type: ignore[index]


@pytest.mark.parametrize(
    ("request_", "where"),
    [
        (changed(results=None), "results: expected a list, found nothing"),
        (changed(tie_breaks="wins"), "tie_breaks: expected a list"),
        (changed(tie_breaks=["luck"]), "tie_breaks[0]: expected one of wins, difference"),
        (changed(tie_breaks=["wins", "wins"]), "tie_breaks: expected each tie-break once"),
        (
            changed(tie_breaks=["difference_capped"], target=None),
            "target: expected a whole number",
        ),
        (changed(results=[FIRST | {"outcome": "draw"}]), "results[0].outcome: expected one of"),
        (changed(results=[FIRST | {"for": 1.5}]), "results[0].for: expected a whole number"),
        (changed(results=[FIRST | {"for": "200"}]), "results[0].for: expected a whole number"),
        (changed(results=[FIRST | {"round": 0}]), "results[0].round: expected a whole number"),
        (changed(results=[FIRST | {"opponents": [1]}]), "results[0].opponents[0]: expected the id"),
        (changed(results=[FIRST | {"entry": ""}]), "results[0].entry: expected the id"),
    ],
)
def test_a_malformed_request_is_refused_with_its_place(request_, where):
    with pytest.raises(BadRequest) as caught:
        requests.order(request_)
    assert f"cannot be read at {where}" in str(caught.value)


def test_two_results_of_one_entry_in_one_round_are_refused():
    with pytest.raises(ResultTwice, match="Entry p1 has two results in round 1"):
        requests.order(changed(results=[FIRST, FIRST]))
