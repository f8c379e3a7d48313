"""Statistics of an event: counted by hand from two short records; nothing of a table in play."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import replace

import pytest
from django.urls import reverse

from engine.events import Pass, Play
from engine.match import replay
from engine.scoring import Ended
from engine.tiles import TILES
from referee.queries.statistics import statistics_page
from referee.queries.tile_statistics import tiles_shown
from referee.services import records as services
from referee.statistics import Best, Figures, together
from referee.tile_pictures import shade
from tests import factories
from tests.engine.playing import blind, played
from tournaments.models import Match, PairingRound, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def tournament() -> Tournament:
    return factories.TournamentFactory.create(state=Tournament.State.RUNNING, slug="cairo")


def recorded(tournament: Tournament, seed: int, table: int = 1) -> Match:
    """Return a match whose first round is recorded, from a random game."""
    stage = tournament.stages.first() or factories.StageFactory.create(tournament=tournament)
    pairing_round = stage.rounds.first() or factories.PairingRoundFactory.create(stage=stage)
    match = factories.MatchFactory.create(pairing_round=pairing_round, table=table)
    by = tournament.created_by
    match = services.open_match(match, by=by)
    one = blind(played(seed, whole=True)).rounds[0]
    opener = one.opener.value if one.opener else ""
    stored = services.open_round(match, number=0, opener=opener, by=by)
    for number, event in enumerate(one.events):
        services.append_event(stored, number=number, event=event, by=by)
    match.refresh_from_db()
    return match


def closed(match: Match) -> Match:
    Match.objects.filter(pk=match.pk).update(state=Match.State.CLOSED)
    match.refresh_from_db()
    return match


def by_hand(seed: int) -> tuple[int, int, str]:
    """Return tiles laid, passes and the first tile of a recorded round, read from its lines."""
    events = blind(played(seed, whole=True)).rounds[0].events
    kinds = [type(one).__name__ for one in events]
    first = next(one for one in events if type(one).__name__ == "Play")
    return kinds.count("Play"), kinds.count("Pass"), str(first.tile)  # type: ignore[union-attr]


def test_rounds_are_counted_as_they_were_played(tournament):
    closed(recorded(tournament, 1))
    closed(recorded(tournament, 2, table=2))
    page = statistics_page(tournament)
    assert page is not None
    tiles = [by_hand(1), by_hand(2)]
    figures = page.figures
    assert (figures.matches, figures.rounds, figures.followed) == (2, 2, 2)
    assert figures.moves == tiles[0][0] + tiles[1][0]
    assert figures.passes == tiles[0][1] + tiles[1][1]
    assert {line.tile: line.count for line in page.openings} == {
        tile: [one[2] for one in tiles].count(tile) for tile in {tiles[0][2], tiles[1][2]}
    }
    assert page.longest is not None
    assert page.longest.figure == max(tiles[0][0], tiles[1][0])


def test_a_table_in_play_and_a_draft_tell_nothing(tournament, client):
    match = recorded(tournament, 1)
    assert statistics_page(tournament) is None
    assert "No statistics yet" in client.get("/t/cairo/statistics/").content.decode()
    closed(match)
    assert statistics_page(tournament) is not None
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    assert statistics_page(tournament) is None


def test_what_was_counted_is_counted_anew_when_the_record_changes(tournament):
    match = closed(recorded(tournament, 1))
    before = statistics_page(tournament)
    by = tournament.created_by
    Match.objects.filter(pk=match.pk).update(state=Match.State.PLAYING)
    match.refresh_from_db()
    services.open_round(match, number=1, opener="A", by=by)
    closed(match)
    after = statistics_page(tournament)
    assert before is not None
    assert after is not None
    assert after.figures.rounds == before.figures.rounds


@pytest.mark.parametrize("hidden", [{"is_private": True}, {"state": Tournament.State.DRAFT}])
def test_strangers_do_not_see_what_is_hidden(tournament, client, hidden):
    Tournament.objects.update(**hidden)
    assert client.get(reverse("referee:statistics", args=["cairo"])).status_code == 404


def test_the_page_says_it_in_the_readers_digits(tournament, client):
    closed(recorded(tournament, 1))
    page = client.get("/t/cairo/statistics/", headers={"Accept-Language": "ar"}).content.decode()
    assert str(by_hand(1)[0]).translate(str.maketrans("0123456789", "٠١٢٣٤٥٦٧٨٩")) in page


def test_the_same_queries_for_one_table_and_for_many(
    tournament, client, django_assert_max_num_queries
):
    for table in range(1, 7):
        closed(recorded(tournament, table, table=table))
    with django_assert_max_num_queries(10):
        client.get("/t/cairo/statistics/")


def test_sums_keep_the_largest_and_its_place():
    one = Figures(matches=1, rounds=2, followed=2, points=60, moves=40, most_points=Best(40, 7, 0))
    other = Figures(matches=1, rounds=1, points=50, most_points=Best(50, 8, 3))
    one.ends[Ended.OUT] += 2
    other.ends[Ended.BLOCKED] += 1
    found = together([one, other])
    assert (found.matches, found.rounds, found.followed, found.blocked) == (2, 3, 2, 1)
    assert found.most_points == Best(50, 8, 3)
    assert found.points_a_round == pytest.approx(110 / 3)
    assert found.moves_a_round == 20
    assert Figures().points_a_round is None
    assert found.share(1, 3) == 33


def test_tiles_left_in_hand_are_those_that_were_not_laid(tournament):
    closed(recorded(tournament, 1))
    laid = {
        str(one.tile)
        for one in blind(played(1, whole=True)).rounds[0].events
        if isinstance(one, Play)
    }
    page = statistics_page(tournament)
    assert page is not None
    tiles = tiles_shown(page.figures)
    assert tiles is not None
    assert {row.tile for row in tiles.rows if row.left} == {str(one) for one in TILES} - laid
    assert {row.left for row in tiles.rows} <= {0, 1}
    assert sum(row.opened for row in tiles.rows) == 1


def test_a_pass_tells_the_numbers_that_lay_open_when_it_was_said(tournament):
    closed(recorded(tournament, 1))
    match = blind(played(1, whole=True))
    one = match.rounds[0]
    told: Counter[int] = Counter()
    for number, event in enumerate(one.events):
        if isinstance(event, Pass):
            before = replay(replace(match, rounds=(replace(one, events=one.events[:number]),)))
            told.update(set(before.rounds[0].ends or ()))
    page = statistics_page(tournament)
    assert page is not None
    tiles = tiles_shown(page.figures)
    assert tiles is not None
    assert sum(told.values()) > 1
    assert {row.number: row.passes for row in tiles.numbers if row.passes} == told


def test_the_pictures_say_what_the_tables_beside_them_say(tournament, client):
    closed(recorded(tournament, 1))
    html = client.get("/t/cairo/statistics/").content.decode()
    grid = re.search(r'<svg class="tile-grid".*?</svg>', html, re.DOTALL)
    assert grid is not None
    assert 'aria-hidden="true"' in grid[0]
    assert grid[0].count("<rect") == 28
    assert grid[0].count("shade-5") == 1
    table = html[html.index("The same as tables") :]
    assert table.count("<tr>") == 1 + 28 + 1 + 7


def test_the_darkest_is_the_most_frequent_and_only_never_has_no_shade():
    assert [shade(count, 10) for count in (0, 1, 2, 3, 9, 10)] == [0, 1, 1, 2, 5, 5]


def test_of_rounds_written_as_points_alone_no_tile_is_told():
    assert tiles_shown(Figures(matches=1, rounds=2)) is None
