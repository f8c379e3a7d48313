"""Tables of four with changing partners, round by round: who sits with whom, and why."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments import rotation_check
from tournaments.competition.reading import read
from tournaments.competition.requests import pair
from tournaments.competition.rotation import (
    FieldTooLarge,
    ForbiddenTable,
    TeamsTooFew,
    TeamTooLarge,
)
from tournaments.competition.types import TooFewContenders

PATTERNS = ("spread", "leaders_apart", "nearest", "top_last", "odd_even")


def asked(size: int, **more: Any) -> dict[str, Any]:
    """Return a request of so many players, p1 being the best."""
    entries = [{"id": f"p{rank}", "rank": rank} for rank in range(1, size + 1)]
    return {"system": "rotating", "round": 2, "seed": 7, "entries": entries} | more


def drawn(request: dict[str, Any]) -> dict[str, Any]:
    answer: dict[str, Any] = json.loads(json.dumps(pair(read(json.dumps(request)))))
    return answer


def shown(answer: dict[str, Any]) -> list[str]:
    """Return the tables as text, such as `1+5 v 3+7`."""
    return [
        " v ".join("+".join(one[1:] for one in table[side]) for side in ("AC", "BD"))
        for table in answer["tables"]
    ]


def played(
    size: int, rounds: int, *, team_size: int = 0, seed: int = 1
) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """Yield request and answer of each round of an event drawn by its standings."""
    chance = random.Random(seed)
    names = [f"p{number}" for number in range(size)]
    wins, points, byes = (dict.fromkeys(names, 0) for _ in range(3))
    met: list[list[object]] = []
    partnered: list[list[object]] = []
    for number in range(1, rounds + 1):
        order = sorted(names, key=lambda one: (-wins[one], -points[one], one))
        entries: list[dict[str, Any]] = [
            {"id": one, "rank": rank, "wins": wins[one], "byes": byes[one]}
            for rank, one in enumerate(order, start=1)
        ]
        for one in entries:
            one["club"] = f"c{int(one['id'][1:]) % 5}"
            if team_size:
                one["team"] = f"t{int(one['id'][1:]) // team_size}"
        request = {
            "system": "teams_of_four" if team_size else "rotating",
            "round": number,
            "separate_by": "club",
            "entries": entries,
            "met": list(met),
            "partnered": list(partnered),
        }
        answer = drawn(request)
        yield request, answer
        for table in answer["tables"]:
            sides = [table["AC"], table["BD"]]
            partnered += [[*side, number] for side in sides]
            met += [[one, other, number] for one in sides[0] for other in sides[1]]
            chance.shuffle(sides)
            for one in sides[0]:
                wins[one] += 1
                points[one] += chance.randint(1, 200)
        for one in answer["byes"]:
            wins[one] += 1
            byes[one] += 1


@pytest.mark.parametrize(
    ("pattern", "tables"),
    [
        ("leaders_apart", ["1+5 v 3+7", "2+6 v 4+8", "9+13 v 11+15", "10+14 v 12+16"]),
        ("nearest", ["1+4 v 2+3", "5+8 v 6+7", "9+12 v 10+11", "13+16 v 14+15"]),
        ("top_last", ["1+4 v 2+3", "5+8 v 6+7", "9+12 v 10+11", "13+16 v 14+15"]),
        ("odd_even", ["1+3 v 2+4", "5+7 v 6+8", "9+11 v 10+12", "13+15 v 14+16"]),
    ],
)
def test_a_pattern_is_a_shape_in_ranks(pattern, tables):
    assert shown(drawn(asked(16, pattern=pattern))) == tables


def test_four_that_are_left_cannot_have_their_leaders_apart():
    tables = shown(drawn(asked(12, pattern="leaders_apart")))
    assert tables == ["1+5 v 3+7", "2+6 v 4+8", "9+11 v 10+12"]


def test_a_pattern_yields_to_repeated_partners():
    request = asked(8, pattern="top_last", partnered=[["p1", "p4"]])
    assert "1+4" not in " ".join(shown(drawn(request)))


def test_near_places_stay_at_one_table_and_change_sides_to_repeat_nothing():
    request = asked(8, partnered=[["p1", "p4"], ["p2", "p3"]], met=[["p1", "p3"], ["p2", "p4"]])
    assert shown(drawn(request))[0] == "1+3 v 2+4"


def test_an_opponent_met_twice_is_worse_than_two_met_once():
    met = [["p1", "p2"], ["p1", "p2"], ["p1", "p3"], ["p1", "p4"], ["p2", "p3"], ["p3", "p4"]]
    report = drawn(asked(4, met=[*met, ["p2", "p4"]]))["report"]
    assert (report["repeat_partners"], report["repeat_opponents"]) == (0, 4)


def test_the_first_round_is_spread_and_the_others_are_nearest():
    assert shown(drawn(asked(16))) == shown(drawn(asked(16, pattern="nearest")))
    first = asked(16, round=1)
    assert shown(drawn(first)) == shown(drawn(first | {"pattern": "spread"}))
    assert shown(drawn(first)) != shown(drawn(first | {"seed": 8}))


@pytest.mark.parametrize(
    "pattern",
    [
        {"1": "spread", "2": "odd_even", "*": "nearest"},
        {"*": "odd_even"},
        ["spread", "odd_even"],
        ["odd_even"],
    ],
)
def test_patterns_are_named_by_round(pattern):
    assert drawn(asked(8, pattern=pattern)) == drawn(asked(8, pattern="odd_even"))


@pytest.mark.parametrize("name", ["club", "country"])
def test_spread_keeps_those_of_one_club_or_country_apart(name):
    request = asked(32, round=1, separate_by=name)
    for place, one in enumerate(request["entries"]):
        one[name] = f"n{place % 5}"
    answer = drawn(request)
    of = {one["id"]: one[name] for one in request["entries"]}
    assert all(
        len({of[one] for one in table["AC"] + table["BD"]}) == 4 for table in answer["tables"]
    )
    assert answer["report"]["same_separated"] == 0


def test_two_of_a_large_club_are_partners_in_the_first_round():
    request = asked(16, round=1, separate_by="club")
    for place, one in enumerate(request["entries"]):
        one["club"] = "Olive" if place < 8 else f"c{place}"
    answer = drawn(request)
    olives = {one["id"] for one in request["entries"] if one["club"] == "Olive"}
    found = [len(olives & set(table[side])) for table in answer["tables"] for side in ("AC", "BD")]
    assert sorted(found) == [0] * 4 + [2] * 4


def test_club_mates_are_parted_where_it_costs_nothing():
    request = asked(4, separate_by="club")
    request["entries"][0]["club"] = request["entries"][1]["club"] = "Olive"
    assert shown(drawn(request)) == ["1+2 v 3+4"]
    request["partnered"] = [["p1", "p2"]]
    answer = drawn(request)
    assert (shown(answer), answer["report"]["same_separated"]) == (["1+4 v 2+3"], 1)


def test_byes_go_to_the_fewest_byes_and_then_to_the_lowest_place():
    request = asked(11)
    for place in (8, 10):
        request["entries"][place]["byes"] = 1
    assert drawn(request)["byes"] == ["p7", "p8", "p10"]


def test_nobody_sits_with_someone_forbidden_even_as_partner():
    request = asked(8, forbidden=[["p1", "p2"], ["p1", "p3"], ["p1", "p4"]])
    answer = drawn(request)
    assert rotation_check.faults(request, answer) == []
    assert answer["tables"][1]["AC"] + answer["tables"][1]["BD"] == ["p2", "p5", "p3", "p4"]


@pytest.mark.parametrize(
    ("windows", "tables", "repeated"),
    [
        ({}, "1+3 v 2+4", 1),
        ({"partner_window": 4, "opponent_window": 3}, "1+3 v 2+4", 1),
        ({"partner_window": 4, "opponent_window": 2}, "1+3 v 2+4", 0),
        ({"partner_window": 3, "opponent_window": 2}, "1+4 v 2+3", 0),
    ],
)
def test_only_what_happened_within_the_window_counts(windows, tables, repeated):
    met = [["p1", "p2", 3], ["p1", "p3", 3]]
    request = asked(4, round=6, partnered=[["p1", "p4", 2]], met=met) | windows
    answer = drawn(request)
    assert (shown(answer), answer["report"]["repeat_opponents"]) == ([tables], repeated)


def test_what_happened_in_no_known_round_always_counts():
    request = asked(4, round=6, partnered=[["p1", "p4"]], partner_window=1)
    assert shown(drawn(request)) == ["1+3 v 2+4"]


def test_those_who_left_are_passed_over():
    request = asked(8, met=[["p1", "gone"]], partnered=[["gone", "left"]], forbidden=[["p1", "x"]])
    assert drawn(request) == drawn(asked(8))


@st.composite
def pasts(draw: st.DrawFn) -> dict[str, Any]:
    size = draw(st.integers(4, 14))
    names = [f"p{rank}" for rank in range(1, size + 1)]
    two = st.lists(st.sampled_from(names), min_size=2, max_size=2, unique=True)
    with_round = st.builds(lambda pair, at: [*pair, at], two, st.integers(1, 8))
    meetings = st.lists(two | with_round, max_size=40)
    request = asked(size, round=9, met=draw(meetings), partnered=draw(meetings))
    request["forbidden"] = draw(st.lists(two, max_size=3))
    request["opponent_window"] = draw(st.none() | st.integers(0, 8))
    request["partner_window"] = draw(st.none() | st.integers(0, 8))
    request["pattern"] = draw(st.sampled_from(PATTERNS))
    request["separate_by"] = draw(st.sampled_from([None, "club"]))
    for one in request["entries"]:
        one |= {"byes": draw(st.integers(0, 2)), "wins": draw(st.integers(0, 3))}
        one["club"] = draw(st.sampled_from([None, "a", "b"]))
    return request


@given(pasts())
def test_no_draw_of_a_small_field_is_better(request_):
    byes = sorted(request_["entries"], key=lambda one: (one["byes"], -one["rank"]))
    resting = {one["id"] for one in byes[: len(byes) % 4]}
    seated = [one["id"] for one in request_["entries"] if one["id"] not in resting]
    best = rotation_check.cheapest(request_, seated)
    if best is None:
        with pytest.raises(ForbiddenTable):
            drawn(request_)
        return
    answer = drawn(request_)
    assert rotation_check.faults(request_, answer) == []
    assert answer["report"]["optimal"]
    assert rotation_check.worth(request_, seated, answer["tables"]) == best


@given(pasts(), st.randoms(use_true_random=False))
def test_the_order_of_the_lists_changes_nothing(request_, chance):
    def turned(request: dict[str, Any]) -> dict[str, Any]:
        shuffled = json.loads(json.dumps(request))
        for name in ("entries", "met", "partnered", "forbidden"):
            chance.shuffle(shuffled[name])
        for name in ("met", "partnered", "forbidden"):
            for meeting in shuffled[name]:
                meeting[:2] = reversed(meeting[:2])
        return shuffled

    try:
        answer = drawn(request_)
    except ForbiddenTable as refusal:
        with pytest.raises(ForbiddenTable, match=str(refusal)):
            drawn(turned(request_))
    else:
        assert drawn(turned(request_)) == answer


def require_no_repeats(size: int, rounds: int, team_size: int = 0) -> None:
    """Play an event and check every draw; a field four times as large repeats nobody."""
    for request, answer in played(size, rounds, team_size=team_size):
        assert rotation_check.faults(request, answer) == []
        assert answer["report"]["repeat_partners"] == 0
        if size >= 4 * rounds:
            assert answer["report"]["repeat_opponents"] == 0


@pytest.mark.parametrize("size", [8, 24, 28, 100])
def test_partners_that_must_repeat_are_proved_to(size):
    # Of the last three players only p1 is new as partner to each: two of them repeat.
    names = [f"p{rank}" for rank in range(1, size + 1)]
    partnered = [[one, other] for one in names[-3:] for other in names[1:] if one < other]
    partnered += [[one, other] for one in names[-3:] for other in names[1:-3] if one > other]
    report = drawn(asked(size, partnered=partnered))["report"]
    assert (report["repeat_partners"], report["bound"]["repeat_partners"]) == (1, 1)


@pytest.mark.parametrize("size", [16, 17, 22, 27, 40, 63, 120, 481, 800])
def test_partners_never_repeat_in_an_event(size):
    require_no_repeats(size, 6)


@pytest.mark.slow
@pytest.mark.parametrize("size", range(16, 801))
def test_partners_never_repeat_in_an_event_of_any_size(size):
    require_no_repeats(size, 4)


@pytest.mark.parametrize("teams", [4, 5, 6, 7, 13, 120])
def test_team_mates_never_share_a_table(teams):
    for request, answer in played(4 * teams, 3, team_size=4):
        assert rotation_check.faults(request, answer) == []


def test_members_of_equal_rank_inside_their_teams_meet():
    request = asked(32, system="teams_of_four")
    for place, one in enumerate(request["entries"]):
        one["team"] = f"t{(place * 5 + place // 8) % 8}"
    answer = drawn(request)
    inside: dict[str, int] = {}
    for one in request["entries"]:
        team_mates = [other for other in request["entries"] if other["team"] == one["team"]]
        inside[one["id"]] = team_mates.index(one)
    for table in answer["tables"]:
        assert len({inside[one] for one in table["AC"] + table["BD"]}) == 1


def teams_of(size: int, teams: int) -> dict[str, Any]:
    request = asked(size, system="teams_of_four")
    for place, one in enumerate(request["entries"]):
        one["team"] = f"t{place % teams}"
    return request


@pytest.mark.parametrize(
    ("request_", "refusal", "sentence"),
    [
        (asked(3), TooFewContenders, "There are too few entries for a draw: 3 found"),
        (asked(20_001), FieldTooLarge, "20001 players are too many for one draw"),
        (
            asked(4, forbidden=[["p4", "p2"]]),
            ForbiddenTable,
            "sits with someone forbidden: p2, p4 would share one. Allow one of these meetings.",
        ),
        (teams_of(12, 3), TeamsTooFew, "of team t0 would share one. Four teams of equal size"),
        (teams_of(20, 4), TeamTooLarge, "Team t0 has 5 members: 4 are the most."),
    ],
)
def test_what_cannot_be_seated_is_refused(request_, refusal, sentence):
    with pytest.raises(refusal) as caught:
        drawn(request_)
    assert sentence in str(caught.value)


def run(request: object) -> tuple[int, dict[str, Any]]:
    answer = subprocess.run(
        [sys.executable, "-m", "tournaments.competition", "pair", "-"],
        input=json.dumps(request),
        capture_output=True,
        text=True,
        check=False,
        encoding="utf-8",
    )
    assert answer.stderr == ""
    return answer.returncode, json.loads(answer.stdout)


@pytest.mark.parametrize("system", ["rotating", "teams_of_four", "schedule"])
def test_the_command_line_draws(system):
    request = teams_of(16, 4) | {"system": system, "rounds": 3}
    code, answer = run(request)
    assert (code, answer) == (0, drawn(request))


def test_the_command_line_says_what_is_in_the_way():
    code, answer = run(asked(4, forbidden=[["p1", "p2"]]))
    assert (code, answer["error"]["code"]) == (1, "forbidden_table")
