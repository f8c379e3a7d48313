"""A bracket in play: what is ready, who goes on, places, and results that are taken back."""

from __future__ import annotations

import json
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.playing import played_out, seeded
from tournaments.competition import requests
from tournaments.competition.bracket_matches import BracketMatch
from tournaments.competition.brackets import (
    NOBODY,
    MatchNotReady,
    MatchResult,
    MeetingDecided,
    Status,
    UnknownMatch,
    WinnerElsewhere,
    meeting_winner,
    played,
    standing_on,
    without,
)
from tournaments.competition.double_elimination import double_elimination
from tournaments.competition.knockout import knockout
from tournaments.competition.requests_brackets import matches_at
from tournaments.competition.types import BadRequest

EIGHT = knockout(seeded(8), third_place=True)
# In the order of the names: p1, p4, p2 and p3 win.
QUARTERFINALS = {
    f"W1.{n}": MatchResult(winner) for n, winner in enumerate(("p1", "p4", "p2", "p3"), start=1)
}
BOTH_OUT = MatchResult(None)


@st.composite
def brackets(draw):
    """Return the matches of a bracket with some of its results, some of them grave."""
    size = draw(st.integers(2, 20))
    system = draw(st.sampled_from([knockout, double_elimination]))
    matches = system(seeded(size))
    _, results = played_out(matches, Random(draw(st.integers(0, 10**6))), grave=0.2)
    in_order = [match.name for match in matches if match.name in results]
    kept = in_order[: draw(st.integers(0, len(in_order)))]
    return matches, {name: results[name] for name in kept}


def test_a_match_is_ready_when_both_sides_are_known():
    assert played(EIGHT, {}).ready == ("W1.1", "W1.2", "W1.3", "W1.4")
    bracket = played(EIGHT, {name: QUARTERFINALS[name] for name in ("W1.1", "W1.2", "W1.3")})
    assert bracket.ready == ("W1.4", "W2.1")
    assert bracket.matches["W2.1"].sides == {"AC": "p1", "BD": "p4"}
    assert bracket.matches["W2.2"].sides == {"AC": "p2", "BD": None}
    assert bracket.matches["F1"].status is Status.WAITING


def test_places_are_known_as_soon_as_an_entry_is_out():
    results = QUARTERFINALS | {"W2.1": MatchResult("p1")}
    bracket = played(EIGHT, results)
    assert bracket.places == {"p5": 5, "p6": 5, "p7": 5, "p8": 5}
    results |= {"W2.2": MatchResult("p3"), "T1": MatchResult("p2"), "F1": MatchResult("p3")}
    places = played(EIGHT, results).places
    assert list(places.items())[:4] == [("p3", 1), ("p1", 2), ("p2", 3), ("p4", 4)]


def test_without_a_match_for_it_the_third_place_is_shared():
    results = QUARTERFINALS | {"W2.1": MatchResult("p1"), "W2.2": MatchResult("p2")}
    assert played(knockout(seeded(8)), results).places["p3"] == 3
    assert played(knockout(seeded(8)), results).places["p4"] == 3


def test_opposite_two_disqualified_a_side_goes_on_without_play():
    bracket = played(EIGHT, QUARTERFINALS | {"W2.1": BOTH_OUT, "W2.2": MatchResult("p2")})
    assert bracket.matches["F1"].status is Status.FREE
    assert (bracket.champion, bracket.is_over) == ("p2", True)
    # Nobody is second; p3 has the third place without play, those put out the fourth.
    assert bracket.places == {"p2": 1, "p3": 3, "p1": 4, "p4": 4} | dict.fromkeys(
        ("p5", "p6", "p7", "p8"), 5
    )


def test_a_side_goes_on_without_play_all_the_way():
    everybody_else = {"W1.3": BOTH_OUT, "W1.4": BOTH_OUT, "W1.2": BOTH_OUT}
    bracket = played(EIGHT, everybody_else | {"W1.1": MatchResult("p8")})
    assert bracket.matches["W2.1"].status is Status.FREE
    assert bracket.matches["W2.2"].status is Status.EMPTY
    assert (bracket.champion, bracket.is_over) == ("p8", True)


def test_both_disqualified_in_the_final_leave_the_first_place_empty():
    matches = knockout(seeded(2))
    bracket = played(matches, {"F1": BOTH_OUT})
    assert (bracket.champion, bracket.is_over) == (None, True)
    assert bracket.places == {"p1": 2, "p2": 2}


def test_the_losers_bracket_gets_nobody_from_two_disqualified():
    matches = double_elimination(seeded(4))
    bracket = played(matches, {"W1.1": BOTH_OUT, "W1.2": MatchResult("p2")})
    assert bracket.matches["L1.1"].sides == {"AC": NOBODY, "BD": "p3"}
    assert bracket.matches["L1.1"].status is Status.FREE
    assert bracket.matches["W2.1"].winner == "p2"
    assert bracket.matches["L2.1"].winner == "p3"
    assert bracket.ready == ("F1",)
    # They have the place of those who lost the match they would have gone to.
    assert bracket.places == {"p1": 4, "p4": 4}


def test_who_leaves_the_event_does_not_go_to_the_losers_bracket():
    matches = double_elimination(seeded(4))
    expelled = played(matches, {"W1.1": MatchResult("p1", loser_leaves=True)})
    assert expelled.matches["L1.1"].sides == {"AC": NOBODY, "BD": None}
    assert expelled.places == {"p4": 4}
    absent = played(matches, {"W1.1": MatchResult("p1")})
    assert absent.matches["L1.1"].sides == {"AC": "p4", "BD": None}


def test_there_is_no_second_final_when_the_unbeaten_side_never_came():
    matches = double_elimination(seeded(2))
    bracket = played(matches, {"W1.1": BOTH_OUT})
    assert bracket.matches["F2"].status is Status.NOT_NEEDED
    assert bracket.is_over


def test_the_second_final_goes_without_play_when_the_unbeaten_side_is_expelled():
    matches = double_elimination(seeded(2))
    results = {"W1.1": MatchResult("p1"), "F1": MatchResult("p2", loser_leaves=True)}
    bracket = played(matches, results)
    assert bracket.matches["F2"].status is Status.FREE
    assert bracket.places == {"p2": 1, "p1": 2}


def test_a_double_disqualification_put_right_leaves_nothing_behind():
    """Situation 23: both out by mistake, then one of them."""
    before = played(EIGHT, QUARTERFINALS)
    played(EIGHT, QUARTERFINALS | {"W2.1": BOTH_OUT})
    assert played(EIGHT, QUARTERFINALS) == before
    after = played(EIGHT, QUARTERFINALS | {"W2.1": MatchResult("p1", loser_leaves=True)})
    assert after.matches["F1"].sides == {"AC": "p1", "BD": None}
    assert list(after.matches) == list(before.matches)
    assert after.matches["F1"].status is Status.WAITING


@given(brackets(), st.randoms(use_true_random=False))
def test_taking_a_result_back_restores_the_earlier_bracket(bracket, chance):
    matches, results = bracket
    if not results:
        return
    *before, last = results
    earlier = {name: results[name] for name in before}
    assert without(matches, results, last) == earlier
    assert played(matches, without(matches, results, last)) == played(matches, earlier)
    name = chance.choice(list(results))
    left = without(matches, results, name)
    assert set(results) - set(left) == {name, *standing_on(matches, results, name)}
    assert name in played(matches, left).ready


def test_what_stands_on_a_result_is_named():
    results = QUARTERFINALS | {"W2.1": MatchResult("p1"), "W2.2": MatchResult("p2")}
    assert standing_on(EIGHT, results, "W1.1") == ("W2.1",)
    assert standing_on(EIGHT, results | {"F1": MatchResult("p1")}, "W1.1") == ("W2.1", "F1")
    assert standing_on(EIGHT, results, "W2.1") == ()
    with pytest.raises(UnknownMatch, match=r"no match W9.1. Choose"):
        standing_on(EIGHT, results, "W9.1")


@pytest.mark.parametrize(
    ("results", "refusal", "sentence"),
    [
        ({"X": MatchResult("p1")}, UnknownMatch, "The bracket has no match X."),
        ({"F1": MatchResult("p1")}, MatchNotReady, "cannot be played: a side is missing"),
        (
            {"W1.1": MatchResult("p2")},
            WinnerElsewhere,
            "p2 cannot win match W1.1 between p1 and p8.",
        ),
        (
            QUARTERFINALS | {"W2.1": BOTH_OUT, "W2.2": MatchResult("p2"), "F1": MatchResult("p2")},
            MatchNotReady,
            "Match F1 has a result, but it cannot be played: a side",
        ),
    ],
)
def test_a_result_that_belongs_nowhere_is_refused(results, refusal, sentence):
    with pytest.raises(refusal) as caught:
        played(EIGHT, results)
    assert sentence in str(caught.value)


def test_a_result_of_a_second_final_that_is_not_needed_is_refused():
    matches = double_elimination(seeded(2))
    results = {name: MatchResult("p1") for name in ("W1.1", "F1", "F2")}
    with pytest.raises(MatchNotReady, match="or it is not needed"):
        played(matches, results)


@pytest.mark.parametrize(
    ("best_of", "winners", "winner"),
    [
        (1, [], None),
        (1, ["p1"], "p1"),
        (3, ["p1"], None),
        (3, ["p1", "p2"], None),
        (3, ["p1", "p2", "p2"], "p2"),
        (5, ["p1", "p1", "p2", "p2"], None),
        (5, ["p1", "p1", "p1"], "p1"),
    ],
)
def test_a_meeting_is_won_by_the_majority(best_of, winners, winner):
    assert meeting_winner(best_of, winners) == winner


def test_a_match_after_the_decision_is_refused():
    with pytest.raises(MeetingDecided) as caught:
        meeting_winner(3, ["p1", "p1", "p2"])
    assert str(caught.value) == (
        "A meeting best of 3 is decided after 2 matches, but the number given is 3. Take back "
        "those after the decision."
    )


@pytest.mark.parametrize("size", range(2, 66))
@pytest.mark.parametrize("system", [knockout, double_elimination])
def test_every_size_is_asked_for_answered_and_read_back(system, size):
    entries = [{"id": f"p{n}", "rank": n} for n in range(1, size + 1)]
    request = {"system": system.__name__, "entries": entries, "best_of": 3}
    answer = json.loads(json.dumps(requests.pair(request)))
    matches: tuple[BracketMatch, ...] = system(seeded(size), best_of=3)
    assert matches_at(answer["matches"], "matches") == matches


WRITTEN = {
    "match": "F1",
    "bracket": "final",
    "round": 1,
    "AC": {"entry": "p1"},
    "BD": {"entry": "p2"},
}


@pytest.mark.parametrize(
    ("field", "where"),
    [
        ({"match": ""}, "m[0].match: expected the id"),
        ({"bracket": "middle"}, "m[0].bracket: expected one of winners, losers"),
        ({"round": -1}, "m[0].round: expected a whole number"),
        ({"AC": None}, "m[0].AC: expected an object"),
        ({"AC": {}}, "m[0].AC: expected one of entry, winner, loser, found 0 of them"),
        ({"AC": {"someone": "p1"}}, "m[0].AC: expected one of entry, winner, loser"),
        ({"BD": {"winner": "F1"}}, "m[0].BD: expected an earlier match"),
        ({"conditional": 1}, "m[0].conditional: expected true or false"),
        ({"conditional": True}, "m[0]: expected sides of the first final"),
        ({"best_of": 4}, "m[0].best_of: expected one of 1, 3, 5"),
    ],
)
def test_a_malformed_bracket_is_refused_with_its_place(field, where):
    with pytest.raises(BadRequest) as caught:
        matches_at([WRITTEN | field], "m")
    assert f"cannot be read at {where}" in str(caught.value)


def test_a_bracket_with_one_name_twice_is_refused():
    with pytest.raises(BadRequest, match="expected a new name, found F1"):
        matches_at([WRITTEN, WRITTEN], "m")
