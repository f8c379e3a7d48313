"""Tables that send the best on: sizes, lots, and clubs kept apart."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.tournaments.playing import asked
from tournaments.competition.rotation import ForbiddenTable
from tournaments.competition.survival import SurvivalRound, draw, table_sizes
from tournaments.competition.types import Contender, ContenderTwice, SeparateBy, TooFewContenders


def field(size: int, clubs: int = 0) -> list[Contender]:
    return [
        Contender(f"p{n}", n, club=f"Club {n % clubs}" if clubs else "") for n in range(1, size + 1)
    ]


def drawn(size: int, *, survivors: int = 2, seed: int = 7, clubs: int = 0) -> SurvivalRound:
    separate_by = SeparateBy.CLUB if clubs else None
    return draw(field(size, clubs), survivors=survivors, seed=seed, separate_by=separate_by)


@pytest.mark.parametrize(
    ("entries", "survivors", "sizes"),
    [
        (4, 2, (4,)),
        (3, 2, (3,)),
        (5, 2, (4,)),
        (6, 2, (3, 3)),
        (7, 2, (4, 3)),
        (9, 2, (3, 3, 3)),
        (10, 2, (4, 3, 3)),
        (64, 2, (4,) * 16),
        (5, 1, (3, 2)),
        (2, 1, (2,)),
        (7, 3, (4,)),
        (9, 3, (4, 4)),
    ],
)
def test_tables_are_of_four_and_the_last_of_three(entries, survivors, sizes):
    assert table_sizes(entries, survivors) == sizes


@pytest.mark.parametrize(("entries", "survivors"), [(2, 2), (1, 1), (0, 2), (3, 3)])
def test_nobody_plays_where_all_would_go_on(entries, survivors):
    with pytest.raises(TooFewContenders):
        table_sizes(entries, survivors)


@pytest.mark.parametrize("size", range(3, 70))
def test_everybody_sits_once_or_goes_on_without_play(size):
    found = drawn(size)
    everybody = [one for table in found.tables for one in table] + list(found.byes)
    assert sorted(everybody) == sorted(one.id for one in field(size))
    assert {len(table) for table in found.tables} <= {3, 4}
    assert len(found.byes) == (size == 5)


def test_the_lot_decides_in_whatever_order_the_entries_are_listed():
    listed = field(21)
    one = draw(listed, survivors=2, seed=7)
    assert draw(list(reversed(listed)), survivors=2, seed=7) == one
    assert draw(listed, survivors=2, seed=8) != one


@pytest.mark.parametrize("clubs", [1, 2, 3, 5, 16])
def test_club_mates_are_as_far_apart_as_can_be(clubs):
    found = drawn(37, clubs=clubs)
    tables = len(found.tables)
    fewest = 0
    for size in Counter(one.club for one in field(37, clubs)).values():
        each, more = divmod(size, tables)
        fewest += more * (each + 1) * each // 2 + (tables - more) * each * (each - 1) // 2
    assert found.same_separated == fewest


def test_who_must_not_meet_shares_no_table():
    pairs = [(f"p{n}", f"p{n + 1}") for n in range(1, 20)]
    found = draw(field(20, 5), survivors=2, seed=3, separate_by=SeparateBy.CLUB, forbidden=pairs)
    for table in found.tables:
        assert not any({one, other} <= set(table) for one, other in pairs)
    assert sorted(one for table in found.tables for one in table) == sorted(
        one.id for one in field(20)
    )


def test_where_two_share_every_table_the_two_are_named():
    with pytest.raises(ForbiddenTable) as refused:
        draw(field(4), survivors=2, seed=3, forbidden=[("p1", "p3")])
    assert set(str(refused.value.params["entries"]).split(", ")) == {"p1", "p3"}


def test_who_has_rested_least_rests():
    listed = [Contender(f"p{n}", n, byes=int(n != 4)) for n in range(1, 6)]
    assert draw(listed, survivors=2, seed=1).byes == ("p4",)


def test_an_entry_listed_twice_is_refused():
    with pytest.raises(ContenderTwice):
        draw([*field(4), Contender("p1", 9)], survivors=2, seed=1)


def test_the_command_draws_it():
    request = {
        "system": "elimination",
        "seed": 3,
        "survivors": 2,
        "entries": [{"id": f"p{n}"} for n in range(1, 8)],
    }
    status, answer = asked(request)
    assert status == 0
    assert [len(one["seats"]) for one in answer["tables"]] == [4, 3]
    assert answer["byes"] == []
