"""Swiss rounds of many entries whose ranks follow their clubs: opponents stand far apart."""

from __future__ import annotations

import random
from collections.abc import Iterator
from itertools import combinations
from typing import Any

import pytest

from tests.tournaments.swiss_check import Request, best_by_stages, check, event
from tournaments.competition import swiss_far, swiss_prices
from tournaments.competition.matching import cheapest
from tournaments.competition.requests import pair
from tournaments.competition.swiss_bound import least_same, least_same_by_group
from tournaments.competition.swiss_far import draw_from_afar, is_crowded
from tournaments.competition.swiss_field import Field, Order, Rules, priced
from tournaments.competition.swiss_prices import proved
from tournaments.competition.types import Contender, SeparateBy


def sizes_of(kind: str, size: int) -> Iterator[int]:
    """Yield how many entries each club has, in the order in which they are registered."""
    if kind == "twenty clubs":
        yield from [size // 20] * 19
    elif kind == "three clubs hold 80 %":
        yield from [size * 8 // 30] * 3
        yield from [size // 50] * 9
    elif kind == "one club of half the field":
        yield size // 2
        yield from [size // 20] * 9
    elif kind == "one club of more than half":
        yield size * 6 // 10
        yield size // 5
    elif kind == "clubs of any size":
        chance = random.Random(size)
        yield from [chance.randint(1, size // 16) for _ in range(12)]


KINDS = (
    "twenty clubs",
    "three clubs hold 80 %",
    "one club of half the field",
    "one club of more than half",
    "clubs of any size",
)


def registered_by_club(size: int, kind: str, *, rounds: int, order: str) -> Request:
    """Return the request for a round of a field whose ranks are runs of club-mates."""
    asked = event(size, rounds=rounds) | {"order": order}
    clubs = [club for club, many in enumerate(sizes_of(kind, size)) for _ in range(many)]
    clubs += [len(clubs)] * (size - len(clubs))
    for entry, club in zip(
        sorted(asked["entries"], key=lambda one: one["rank"]), clubs, strict=True
    ):
        entry["club"] = f"c{club}"
    return asked


def field_of(asked: Request) -> Field:
    contenders = [
        Contender(one["id"], one["rank"], one["wins"], one["byes"], one["club"])
        for one in asked["entries"]
    ]
    rules = Rules(
        order=Order(asked["order"]),
        separate_by=SeparateBy.CLUB,
        seed=asked["seed"],
        round=asked["round"],
    )
    return Field(contenders, map(tuple, asked["met"]), [], rules)


def best_of_the_whole_graph(field: Field):
    size = len(field.entries)
    edges = [
        (one, other) for one, other in combinations(range(size), 2) if other not in field.met[one]
    ]
    return field.costs(cheapest(size, priced(field, edges, size=size).edges))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("rounds", "order"), [(0, "nearest"), (4, "nearest"), (4, "fold")])
def test_a_field_registered_club_by_club_has_the_best_draw_of_all(kind, rounds, order):
    asked = registered_by_club(402, kind, rounds=rounds, order=order)
    answer: Any = pair(asked)
    found = check(asked, answer)
    assert answer["report"]["optimal"] is True
    best = best_of_the_whole_graph(field_of(asked))
    assert (found[1], *found[3:]) == best.by_line


@pytest.mark.parametrize("rounds", [0, 4])
def test_the_independent_check_finds_nothing_better_than_clubs_kept_apart(rounds):
    asked = registered_by_club(403, "three clubs hold 80 %", rounds=rounds, order="nearest")
    answer: Any = pair(asked)
    assert check(asked, answer) == best_by_stages(asked)


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(
    ("size", "rounds", "order"),
    [
        (480, 0, "nearest"),
        (480, 4, "nearest"),
        (480, 0, "fold"),
        (480, 4, "fold"),
        # The whole graph of a thousand takes half a minute a case.
        (1000, 0, "nearest"),
        (1000, 4, "fold"),
    ],
)
def test_hundreds_registered_club_by_club_have_the_best_draw_of_all(size, kind, rounds, order):
    asked = registered_by_club(size, kind, rounds=rounds, order=order)
    found = check(asked, pair(asked))
    assert (found[1], *found[3:]) == best_of_the_whole_graph(field_of(asked)).by_line


@pytest.mark.parametrize("kind", KINDS[:3])
def test_of_those_drawn_in_blocks_hardly_any_meet_a_club_mate(monkeypatch, kind):
    monkeypatch.setattr(swiss_far, "WHOLE_UP_TO", 300)
    field = field_of(registered_by_club(1200, kind, rounds=0, order="nearest"))
    pairs = draw_from_afar(field)
    assert pairs is not None
    assert sorted(place for two in pairs for place in two) == list(range(1200))
    assert field.costs(pairs).same_separated <= 6


def test_a_field_is_crowded_where_club_mates_are_neighbours():
    assert is_crowded(field_of(registered_by_club(402, KINDS[0], rounds=0, order="nearest")))
    assert not is_crowded(field_of(event(402)))


def test_prices_find_the_best_draw_from_a_bad_one():
    field = field_of(registered_by_club(402, "twenty clubs", rounds=0, order="nearest"))
    bad = draw_from_afar(field)
    assert bad is not None
    mates = dict(bad) | {other: one for one, other in bad}
    one, other = (0, mates[0]), (2, mates[2])
    spoiled = [two for two in bad if two not in (one, other)]
    spoiled += [(one[0], other[1]), (other[0], one[1])]
    assert field.costs(spoiled).by_line > field.costs(bad).by_line
    found = proved(field, spoiled)
    assert (found.costs, found.gap) == (best_of_the_whole_graph(field), 0.0)


def test_without_a_proof_the_gap_is_what_is_known_for_sure(monkeypatch):
    monkeypatch.setattr(swiss_prices, "MOST_MEETINGS", 0)
    asked = registered_by_club(402, "twenty clubs", rounds=0, order="nearest")
    answer: Any = pair(asked)
    check(asked, answer)
    assert 0 < answer["report"]["gap"] <= 1


def test_who_cannot_all_be_seated_from_afar_are_left_to_the_blocks(monkeypatch):
    monkeypatch.setattr(swiss_far, "AROUND", 0)
    asked = registered_by_club(402, "twenty clubs", rounds=0, order="nearest")
    names = [one["id"] for one in asked["entries"]]
    asked["met"] = [[names[0], name] for name in names[1:401]]
    answer: Any = pair(asked)
    assert check(asked, answer)[1] == 0


@pytest.mark.parametrize(
    ("groups", "least"),
    [
        (["aaaa", "bbbb"], 4),
        # One of each group floats, and is one of those who are too many.
        (["aaa", "bbb"], 2),
        (["aaa", "aaa"], 3),
        (["aaab", "bbba"], 2),
        (["aabbc", "cdd"], 0),
        (["aaaab", "bcc"], 1),
    ],
)
def test_every_group_of_equal_wins_has_its_own_clubs_to_seat(groups, least):
    clubs = [(club, -n) for n, group in enumerate(groups) for club in group]
    contenders = [
        Contender(f"p{n}", n, 9 + wins, club=club) for n, (club, wins) in enumerate(clubs, start=1)
    ]
    field = Field(contenders, [], [], Rules(separate_by=SeparateBy.CLUB))
    assert least_same_by_group(field) == least >= least_same(field)
    assert best_of_the_whole_graph(field).same_separated == least
