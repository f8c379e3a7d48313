"""Statistics of an event: counted by hand from two short records; nothing of a table in play."""

from __future__ import annotations

import pytest
from django.urls import reverse

from engine.scoring import Ended
from referee.queries.statistics import statistics_page
from referee.services import records as services
from referee.statistics import Best, Figures, together
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
