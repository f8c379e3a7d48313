"""Double eliminations of every size, played to their end."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.playing import asked, played_out, seeded
from tournaments.competition.bracket_matches import BestOfRounds, BracketMatch, By, Part
from tournaments.competition.brackets import Bracket, MatchResult, Status, played
from tournaments.competition.double_elimination import double_elimination

SIZES = range(2, 66)


def losses(bracket: Bracket) -> Counter[str]:
    return Counter(
        entry
        for one in bracket.matches.values()
        if one.status is Status.PLAYED
        for entry in one.entries
        if entry != one.winner
    )


def first_possible_rematch(size: int) -> int:
    """Return the round of the losers' bracket, counted from 1, before which nobody meets again.

    The rounds of the winners' bracket all come down by different ways, as long as the parts of
    the losers' bracket that are still apart are enough for that: `apart` is how many times it
    has to be halved so that each round has a part of its own.
    """
    rounds = (size - 1).bit_length()
    if rounds < 3:
        # Nobody comes down but to the first and to the last round.
        return 2 * rounds - 2
    apart = 0
    while rounds - 2 - apart > 2 ** (apart + 1):
        apart += 1
    full = rounds - 1 - apart <= 2 ** (apart + 1)
    return 2 * rounds - (3 if full else 4) - 2 * apart


def possible_rematches(matches: tuple[BracketMatch, ...]) -> set[int]:
    """Return the rounds of the losers' bracket in which two can meet that have met already.

    Each side is followed as the entries that can come to it and the match each of them can have
    lost in the winners' bracket: not by chance, so nothing is missed.
    """
    sides: dict[str, list[set[tuple[str, str]]]] = {}
    rounds = {match.name: match.round for match in matches}
    found = set()
    for match in matches:
        if match.part is Part.FINAL:
            break
        sides[match.name] = []
        for source in match.sides.values():
            if source.by is By.ENTRY:
                sides[match.name].append({(source.name, "")})
            else:
                coming = set().union(*sides[source.name])
                if source.by is By.LOSER:
                    coming = {(entry, source.name) for entry, _ in coming}
                sides[match.name].append(coming)
        if match.part is Part.LOSERS:
            ac, bd = sides[match.name]
            pairs = [(one, other) for one in ac for other in bd]
            pairs += [(other, one) for one, other in pairs]
            for (entry, lost), (beaten, where) in pairs:
                if rounds[lost] > rounds[where] and have_met(sides[where], entry, beaten):
                    found.add(match.round)
    return found


def have_met(sides: list[set[tuple[str, str]]], one: str, other: str) -> bool:
    upper, lower = ({entry for entry, _ in side} for side in sides)
    return (one in upper and other in lower) or (one in lower and other in upper)


@pytest.mark.parametrize("size", SIZES)
def test_played_out_one_entry_has_fewer_than_two_losses(size):
    """Situation 19, for more sizes than it asks for."""
    matches = double_elimination(seeded(size))
    for number in range(10):
        bracket, _ = played_out(matches, Random(number))
        lost = losses(bracket)
        assert [f"p{n}" for n in range(1, size + 1) if lost[f"p{n}"] < 2] == [bracket.champion]
        assert max(lost.values()) == 2
        assert bracket.is_over
        assert Status.WAITING not in {one.status for one in bracket.matches.values()}
        assert len(bracket.places) == size


@given(st.integers(2, 33), st.randoms(use_true_random=False))
def test_nobody_waits_for_ever_when_some_are_put_out(size, chance):
    bracket, _ = played_out(double_elimination(seeded(size)), chance, grave=0.3)
    assert bracket.is_over
    assert len(bracket.places) == size
    assert max(losses(bracket).values()) <= 2


@pytest.mark.parametrize("size", SIZES)
def test_every_match_comes_after_those_it_depends_on(size):
    matches = double_elimination(seeded(size))
    seen: set[str] = set()
    for match in matches:
        assert {one.name for one in match.sides.values() if one.by is not By.ENTRY} <= seen
        seen.add(match.name)
    # All but the champion lose twice, and the champion perhaps once.
    assert len(seen) == len(matches) == 2 * size - 1
    assert [match.name for match in matches if match.conditional] == ["F2"]


@pytest.mark.parametrize("size", SIZES)
def test_every_side_is_used_once(size):
    matches = double_elimination(seeded(size))
    sources = Counter(source for match in matches for source in match.sides.values())
    assert set(sources.values()) == {1}


@pytest.mark.parametrize("size", [*range(2, 34), 64])
def test_nobody_meets_again_in_the_losers_bracket_before_they_must(size):
    matches = double_elimination(seeded(size))
    first = 0 if size & (size - 1) else 1
    found = {number - first + 1 for number in possible_rematches(matches)}
    earliest = first_possible_rematch(size)
    assert all(number >= earliest for number in found)
    if size > 2 and first == 1:
        assert min(found) == earliest


def test_how_much_of_the_losers_bracket_is_free_of_rematches():
    """Of the rounds of the losers' bracket, for each size: the first ones, without a rematch."""
    free = {
        size: (first_possible_rematch(size) - 1, 2 * (size.bit_length() - 1) - 2)
        for size in (4, 8, 16, 32, 64, 128)
    }
    assert free == {4: (1, 2), 8: (2, 4), 16: (3, 6), 32: (4, 8), 64: (6, 10), 128: (7, 12)}


def finals(size: int, first_final: str) -> Bracket:
    """Play with the better seed winning until the final, and let a side win that."""
    matches = double_elimination(seeded(size))
    results: dict[str, MatchResult] = {}
    bracket = played(matches, results)
    while bracket.ready != ("F1",):
        for name in bracket.ready:
            best = min(bracket.matches[name].entries, key=lambda entry: int(entry[1:]))
            results[name] = MatchResult(best)
        bracket = played(matches, results)
    winner = bracket.matches["F1"].sides[first_final]
    assert isinstance(winner, str)
    return played(matches, results | {"F1": MatchResult(winner)})


@pytest.mark.parametrize("size", SIZES)
def test_the_final_is_over_when_the_unbeaten_side_wins_it(size):
    """Situation 21."""
    bracket = finals(size, "AC")
    assert bracket.champion == "p1"
    assert bracket.matches["F2"].status is Status.NOT_NEEDED
    assert bracket.is_over
    assert bracket.places["p2"] == 2


@pytest.mark.parametrize("size", SIZES)
def test_the_final_is_repeated_when_the_unbeaten_side_loses_it(size):
    """Situation 21."""
    bracket = finals(size, "BD")
    assert bracket.champion is None
    assert bracket.ready == ("F2",)
    assert set(bracket.matches["F2"].entries) == {"p1", "p2"}
    assert not {"p1", "p2"} & set(bracket.places)


def test_places_are_shared_by_those_who_go_out_in_one_round():
    bracket, _ = played_out(double_elimination(seeded(8)), Random(4))
    assert sorted(bracket.places.values()) == [1, 2, 3, 4, 5, 5, 7, 7]


def test_a_round_of_the_losers_is_as_long_as_the_one_whose_losers_came_down():
    matches = double_elimination(seeded(8), best_of=[1, 3, 3, 5])
    long = {f"{match.name[0]}{match.round}": match.best_of for match in matches}
    assert long == {
        "W1": 1,
        "L1": 1,
        "W2": 3,
        "L2": 3,
        "L3": 3,
        "W3": 3,
        "L4": 3,
        "F4": 5,
        "F5": 5,
    }


def test_a_number_missing_from_the_rounds_is_refused():
    with pytest.raises(BestOfRounds):
        double_elimination(seeded(8), best_of=[1, 3, 5])


def test_two_entries_play_until_one_has_lost_twice():
    matches = double_elimination(seeded(2))
    assert [match.name for match in matches] == ["W1.1", "F1", "F2"]
    bracket = played(matches, {"W1.1": MatchResult("p2"), "F1": MatchResult("p2")})
    assert (bracket.champion, bracket.places) == ("p2", {"p2": 1, "p1": 2})


def test_the_command_line_answers():
    entries = [{"id": "p1"}, {"id": "p2"}]
    code, answer = asked({"system": "double_elimination", "entries": entries})
    assert code == 0
    assert answer["matches"] == [
        {
            "match": "W1.1",
            "bracket": "winners",
            "round": 1,
            "AC": {"entry": "p1"},
            "BD": {"entry": "p2"},
            "best_of": 1,
        },
        {
            "match": "F1",
            "bracket": "final",
            "round": 2,
            "AC": {"winner": "W1.1"},
            "BD": {"loser": "W1.1"},
            "best_of": 1,
        },
        {
            "match": "F2",
            "bracket": "final",
            "round": 3,
            "AC": {"winner": "F1"},
            "BD": {"loser": "F1"},
            "best_of": 1,
            "conditional": True,
        },
    ]
