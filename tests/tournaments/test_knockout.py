"""Knockouts of every size: seeds, byes, places, and group-mates kept apart."""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.tournaments.playing import asked, played_out, seeded
from tournaments.competition import requests
from tournaments.competition.bracket_matches import BestOfRounds, By, Part
from tournaments.competition.knockout import knockout
from tournaments.competition.seeding import BracketTooLarge, Qualifier, Seed, seeds, slots
from tournaments.competition.types import (
    BadRequest,
    Contender,
    ContenderTwice,
    RankTwice,
    SeparateBy,
    TooFewContenders,
)

SIZES = range(2, 66)


def pairs_in_sections(places, name_of):
    """Return the pairs of one name in sections of 2, 4, 8 and so on places, a half last."""
    found: list[int] = []
    width = 2
    while width < len(places):
        sections = [places[n : n + width] for n in range(0, len(places), width)]
        counts = [Counter(name_of[one] for one in some if one is not None) for some in sections]
        found.append(sum(n * (n - 1) // 2 for count in counts for n in count.values()))
        width *= 2
    return found


def qualifiers(groups, each, chance):
    """Return the first places of every group; inside a place the record is by chance."""
    names = [str(n) for n in range(1, groups + 1)]
    found: list[Qualifier] = []
    for place in range(1, each + 1):
        chance.shuffle(names)
        for name in names:
            contender = Contender(f"{name}.{place}", len(found) + 1)
            found.append(Qualifier(contender, group=name, place=place))
    return found


@pytest.mark.parametrize("size", SIZES)
def test_every_match_comes_after_those_it_depends_on(size):
    seen: set[str] = set()
    matches = knockout(seeded(size), third_place=True)
    for match in matches:
        needs = {one.name for one in match.sides.values() if one.by is not By.ENTRY}
        assert needs <= seen
        seen.add(match.name)
    assert len(seen) == len(matches) == size - 1 + (size > 3)


@pytest.mark.parametrize("size", SIZES)
def test_byes_go_to_the_best_seeds_and_everybody_enters_once(size):
    matches = knockout(seeded(size))
    first = matches[0].round
    entered = {
        source.name: match.round
        for match in matches
        for source in match.sides.values()
        if source.by is By.ENTRY
    }
    byes = (1 << (size - 1).bit_length()) - size
    assert first == (1 if byes == 0 else 0)
    expected = {f"p{n}": first + (n <= byes) for n in range(1, size + 1)}
    assert entered == expected


@pytest.mark.parametrize("size", SIZES)
def test_the_best_seeds_stand_in_different_halves_quarters_and_so_on(size):
    places = slots(seeded(size))
    best = 2
    while best <= min(size, len(places)):
        width = len(places) // best
        sections = {places.index(f"p{n}") // width for n in range(1, best + 1)}
        assert len(sections) == best
        best *= 2


@pytest.mark.parametrize("size", SIZES)
def test_if_the_better_seed_always_wins_the_places_are_the_seeds(size):
    matches = knockout(seeded(size), third_place=True)
    bracket, _ = played_out(matches, _Best())
    ranked = sorted(bracket.places, key=lambda one: bracket.places[one])
    best = [f"p{n}" for n in range(1, min(size, 4) + 1)]
    assert ranked[: len(best)] == best


class _Best(Random):
    """Chooses the best seed of those offered."""

    def choice(self, seq):
        return min(seq, key=lambda one: int(one[1:]))


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_one_champion_is_left_and_all_have_a_place(size, chance):
    bracket, _ = played_out(knockout(seeded(size), third_place=True), chance)
    assert bracket.is_over
    assert len(bracket.places) == size
    assert Counter(bracket.places.values())[1] == 1
    taken = 1
    for place, count in sorted(Counter(bracket.places.values()).items()):
        assert place == taken
        taken += count


def test_names_say_where_a_match_stands():
    matches = knockout(seeded(6), third_place=True, best_of=[1, 3, 5])
    assert [match.json() for match in matches] == [
        {
            "match": "W0.2",
            "bracket": "winners",
            "round": 0,
            "AC": {"entry": "p4"},
            "BD": {"entry": "p5"},
            "best_of": 1,
        },
        {
            "match": "W0.4",
            "bracket": "winners",
            "round": 0,
            "AC": {"entry": "p3"},
            "BD": {"entry": "p6"},
            "best_of": 1,
        },
        {
            "match": "W1.1",
            "bracket": "winners",
            "round": 1,
            "AC": {"entry": "p1"},
            "BD": {"winner": "W0.2"},
            "best_of": 3,
        },
        {
            "match": "W1.2",
            "bracket": "winners",
            "round": 1,
            "AC": {"entry": "p2"},
            "BD": {"winner": "W0.4"},
            "best_of": 3,
        },
        {
            "match": "T1",
            "bracket": "third_place",
            "round": 2,
            "AC": {"loser": "W1.1"},
            "BD": {"loser": "W1.2"},
            "best_of": 5,
        },
        {
            "match": "F1",
            "bracket": "final",
            "round": 2,
            "AC": {"winner": "W1.1"},
            "BD": {"winner": "W1.2"},
            "best_of": 5,
        },
    ]


@pytest.mark.parametrize("size", [2, 3])
def test_third_place_needs_two_who_lost_a_semifinal(size):
    matches = knockout(seeded(size), third_place=True)
    assert Part.THIRD_PLACE not in {match.part for match in matches}


@given(st.randoms(use_true_random=False))
def test_four_groups_top_two_have_no_group_mates_before_the_final(chance):
    """Situation 25."""
    entries = seeds(qualifiers(4, 2, chance))
    group_of = {one.id: one.group for one in entries}
    assert pairs_in_sections(slots(entries), group_of) == [0, 0]


@given(st.integers(2, 20), st.integers(1, 4), st.randoms(use_true_random=False))
def test_group_mates_never_meet_in_the_first_round(groups, each, chance):
    entries = seeds(qualifiers(groups, each, chance))
    if len(entries) == 2:
        return
    group_of = {one.id: one.group for one in entries}
    assert pairs_in_sections(slots(entries), group_of)[0] == 0


@given(st.integers(2, 32), st.randoms(use_true_random=False))
def test_two_of_each_group_stand_in_different_halves(groups, chance):
    entries = seeds(qualifiers(groups, 2, chance))
    group_of = {one.id: one.group for one in entries}
    assert pairs_in_sections(slots(entries), group_of)[-1] == 0


@given(st.sampled_from([2, 4, 8, 16]), st.sampled_from([2, 4]), st.randoms(use_true_random=False))
def test_a_full_bracket_spreads_each_group_evenly_at_every_step(groups, each, chance):
    entries = seeds(qualifiers(groups, each, chance))
    places = slots(entries)
    group_of = {one.id: one.group for one in entries}
    sections = 2
    while sections < len(places):
        width = len(places) // sections
        for n in range(0, len(places), width):
            count = Counter(group_of[one] for one in places[n : n + width] if one)
            assert max(count.values()) <= -(-each // sections)
        sections *= 2


@given(st.integers(2, 16), st.integers(1, 4), st.randoms(use_true_random=False))
def test_the_law_of_the_seeds_holds_with_groups(groups, each, chance):
    entries = seeds(qualifiers(groups, each, chance))
    places = slots(entries)
    at = {one.id: places.index(one.id) for one in entries}
    best = 2
    while best <= min(len(entries), len(places)):
        width = len(places) // best
        assert len({at[one.id] // width for one in entries[:best]}) == best
        best *= 2
    byes = len(places) - len(entries)
    resting = [one.id for one in entries if places[at[one.id] ^ 1] is None]
    assert resting == [one.id for one in entries[:byes]]


def lawful(entries):
    """Yield every way to place up to 8 entries that keeps the law of the seeds."""
    size = 1 << (len(entries) - 1).bit_length()
    ids = [one.id for one in entries]
    byes = size - len(ids)
    usual = slots(seeded(len(ids)))
    tiers = [range(1), range(1, 2), range(2, 4), range(4, 8)][: size.bit_length()]
    orders = []
    for tier in tiers:
        real = [n for n in tier if n < len(ids)]
        orders.append(list(permutations(real)))
    for order in product(*orders):
        seed_at = [n for some in order for n in some]
        places = [None if one is None else ids[seed_at[int(one[1:]) - 1]] for one in usual]
        resting = {places[n] for n in range(0, size, 2) if places[n + 1] is None}
        if resting == set(ids[:byes]):
            yield places


@given(st.integers(3, 8), st.randoms(use_true_random=False))
def test_up_to_eight_no_lawful_bracket_keeps_group_mates_apart_longer(size, chance):
    entries = [Seed(f"p{n}", chance.choice("ABC")) for n in range(1, size + 1)]
    group_of = {one.id: one.group for one in entries}
    found = pairs_in_sections(slots(entries), group_of)
    best = min(pairs_in_sections(places, group_of) for places in lawful(entries))
    assert found <= best


def test_a_bye_goes_to_the_next_seed_where_group_mates_would_meet_otherwise():
    """Four groups, two of each and the best third: seeds 8 and 9 play the only first match."""
    names = ["A", "B", "C", "D", "A", "B", "C", "D", "D"]
    entries = [Seed(f"p{n}", name) for n, name in enumerate(names, start=1)]
    first, *_ = knockout(entries)
    assert {one.name for one in first.sides.values()} == {"p7", "p9"}


def test_places_in_the_groups_come_before_records():
    entries = [
        Qualifier(Contender("second", 1), group="A", place=2),
        Qualifier(Contender("first", 9), group="B", place=1),
        Qualifier(Contender("straight", 30)),
    ]
    assert [one.id for one in seeds(entries)] == ["straight", "first", "second"]


def test_club_mates_are_kept_apart_when_it_costs_nothing():
    clubs = ["Olive", "Palm", "Olive", "Palm", "Fig", "Fig", "Cedar", "Cedar"]
    entries = seeds(
        [Qualifier(Contender(f"p{n}", n, club=club)) for n, club in enumerate(clubs, start=1)],
        SeparateBy.CLUB,
    )
    club_of = {one.id: one.club for one in entries}
    assert pairs_in_sections(slots(entries), club_of) == [0, 0]


@given(st.integers(2, 40), st.randoms(use_true_random=False))
def test_the_order_of_the_request_changes_nothing(size, chance):
    entries = [
        {"id": f"p{n}", "rank": n, "group": chance.choice("ABC"), "place": chance.randint(1, 3)}
        for n in range(1, size + 1)
    ]
    request = {"system": "knockout", "entries": entries}
    shuffled = request | {"entries": chance.sample(entries, size)}
    assert requests.pair(request) == requests.pair(shuffled)


@pytest.mark.parametrize("system", ["knockout", "double_elimination"])
def test_the_command_line_answers(system):
    entries = [{"id": f"p{n}", "rank": n} for n in range(1, 4)]
    code, answer = asked({"system": system, "entries": entries, "best_of": 3})
    assert code == 0
    assert answer["matches"][1] == {
        "match": "W1.1" if system == "double_elimination" else "F1",
        "bracket": "winners" if system == "double_elimination" else "final",
        "round": 1,
        "AC": {"entry": "p1"},
        "BD": {"winner": "W0.2"},
        "best_of": 3,
    }


def test_a_bracket_of_one_is_refused_by_the_command_line():
    code, answer = asked({"system": "knockout", "entries": [{"id": "p1"}]})
    assert (code, answer["error"]["code"]) == (1, "too_few_contenders")


@pytest.mark.parametrize(
    ("contenders", "refusal"),
    [
        ([], TooFewContenders),
        ([Contender("p1", 1), Contender("p1", 2)], ContenderTwice),
        ([Contender("p1", 1), Contender("p2", 1)], RankTwice),
        ([Contender(f"p{n}", n + 1) for n in range(4097)], BracketTooLarge),
    ],
)
def test_an_impossible_field_is_refused(contenders, refusal):
    with pytest.raises(refusal):
        seeds(Qualifier(one) for one in contenders)


def test_a_number_missing_from_the_rounds_is_refused():
    with pytest.raises(BestOfRounds) as caught:
        knockout(seeded(5), best_of=[1, 3])
    assert str(caught.value).startswith("Best of is given for 2 rounds, but the bracket has 3.")


@pytest.mark.parametrize(
    ("field", "where"),
    [
        ({"best_of": 2}, "best_of: expected one of 1, 3, 5"),
        ({"best_of": True}, "best_of: expected one of 1, 3, 5"),
        ({"best_of": None}, "best_of: expected one of 1, 3, 5"),
        ({"best_of": [1, {}]}, "best_of[1]: expected one of 1, 3, 5"),
        ({"third_place": "yes"}, "third_place: expected true or false"),
        ({"separate_by": 3}, "separate_by: expected one of club, country"),
        ({"entries": [{"id": "p1", "group": 3}]}, "entries[0].group: expected a name"),
        ({"entries": [{"id": "p1", "place": -1}]}, "entries[0].place: expected a whole"),
    ],
)
def test_a_malformed_request_is_refused_with_its_place(field, where):
    with pytest.raises(BadRequest) as caught:
        requests.pair({"system": "knockout", "entries": []} | field)
    assert f"cannot be read at {where}" in str(caught.value)
