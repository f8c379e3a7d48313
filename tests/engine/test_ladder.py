"""The ladder of cards: two warnings, two yellow, red and yellow, each ladder for itself."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.ladder import (
    LADDERS,
    SEVERITIES,
    Held,
    Next,
    Numbers,
    gravest,
    ladder_of,
    next_cards,
    numbers_of,
)

USUAL = Numbers()


def held(*severities: str, ladder: str = "play") -> list[Held]:
    return [Held(key, severity, ladder) for key, severity in enumerate(severities)]


@pytest.mark.parametrize(
    ("severities", "makes"),
    [
        (("warning", "warning"), "yellow"),
        (("yellow", "yellow"), "red"),
        (("yellow", "red"), "black"),
        (("red", "yellow"), "black"),
        (("red", "red"), "black"),
    ],
)
def test_each_rung_of_the_regulation(severities, makes):
    assert next_cards(held(*severities), USUAL) == (Next(makes, "play", (0, 1)),)


@pytest.mark.parametrize("severities", [(), ("warning",), ("yellow",), ("warning", "yellow")])
def test_what_makes_no_further_card(severities):
    assert next_cards(held(*severities), USUAL) == ()


def test_play_and_discipline_are_counted_apart():
    both = [*held("warning"), Held(1, "warning", "discipline")]
    assert next_cards(both, USUAL) == ()
    assert next_cards(both, Numbers(apart=False)) == (Next("yellow", "discipline", (0, 1)),)


def test_a_proposed_card_does_not_count_before_it_is_held():
    assert [one.severity for one in next_cards(held(*["warning"] * 4), USUAL)] == ["yellow"] * 2


def test_red_and_yellow_come_before_two_yellow():
    (one,) = next_cards(held("yellow", "red", "yellow"), USUAL)
    assert one == Next("black", "play", (0, 1))


def test_a_number_of_0_switches_a_rung_off():
    none = Numbers(warnings=0, yellows=0, red_and_yellow=False)
    assert next_cards(held("warning", "warning", "yellow", "yellow", "red"), none) == ()


@pytest.mark.parametrize("wrong", [1, -1, 21])
def test_numbers_that_make_no_sense_are_no_numbers(wrong):
    with pytest.raises(ValueError, match="expected 0"):
        Numbers(warnings=wrong)


def test_only_the_federation_counts_infractions_of_one_match():
    assert {key: numbers_of(key).infractions for key in ("femundo", "wdf", "domna")} == {
        "femundo": 2,
        "wdf": 0,
        "domna": 0,
    }


def test_conduct_is_discipline_and_a_misplay_is_play():
    assert (ladder_of("table_talk"), ladder_of("misplay")) == ("discipline", "play")


def test_the_gravest_of_several():
    assert (gravest(["yellow", "black", "warning"]), gravest([])) == ("black", "")


sanctions = st.lists(st.tuples(st.sampled_from(SEVERITIES), st.sampled_from(LADDERS)), max_size=14)
settings = st.builds(
    Numbers,
    warnings=st.sampled_from([0, 2, 3]),
    yellows=st.sampled_from([0, 2, 3]),
    red_and_yellow=st.booleans(),
    apart=st.booleans(),
)


def people(given_sanctions):
    return [Held(key, one, ladder) for key, (one, ladder) in enumerate(given_sanctions)]


@given(sanctions, settings)
def test_no_sanction_ever_counts_twice(given_sanctions, numbers):
    spent = [key for one in next_cards(people(given_sanctions), numbers) for key in one.of]
    assert len(spent) == len(set(spent))


@given(sanctions, settings)
def test_every_card_is_graver_than_what_it_is_made_of_and_made_by_a_rung(given_sanctions, numbers):
    held_now = people(given_sanctions)
    rungs = {(tuple(sorted(one.of)), one.makes) for one in numbers.rungs()}
    for card in next_cards(held_now, numbers):
        of = [held_now[key].severity for key in card.of]
        assert (tuple(sorted(of)), card.severity) in rungs
        assert SEVERITIES.index(card.severity) > max(map(SEVERITIES.index, of))


@given(sanctions, settings)
def test_what_is_left_over_makes_nothing_more(given_sanctions, numbers):
    held_now = people(given_sanctions)
    spent = {key for one in next_cards(held_now, numbers) for key in one.of}
    assert next_cards([one for one in held_now if one.key not in spent], numbers) == ()


@given(sanctions)
def test_apart_is_each_ladder_alone(given_sanctions):
    held_now = people(given_sanctions)
    together = Counter(next_cards(held_now, USUAL))
    alone = Counter(
        card
        for ladder in LADDERS
        for card in next_cards([one for one in held_now if one.ladder == ladder], USUAL)
    )
    assert together == alone


@given(sanctions)
def test_confirming_everything_comes_to_an_end(given_sanctions):
    held_now = people(given_sanctions)
    for _ in range(3 * len(held_now) + 1):
        cards = next_cards(held_now, USUAL)
        if not cards:
            break
        spent = {key for one in cards for key in one.of}
        first = 1 + max((one.key for one in held_now), default=0)
        made = [Held(first + place, one.severity, one.ladder) for place, one in enumerate(cards)]
        held_now = [one for one in held_now if one.key not in spent] + made
    assert next_cards(held_now, USUAL) == ()
