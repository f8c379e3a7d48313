"""How the places moved: the lines, the table that says the same, and where there are none."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import EntryFactory, MatchFactory, PairingRoundFactory, StageFactory
from tests.factories import TournamentFactory as TournamentMade
from tests.tournaments.test_standings_pages import play
from tournaments.models import Entry, PairingRound, Stage, StageEntry, Tournament
from tournaments.queries.places_moved import MARGIN, ROW, SHOWN, WIDTH, places_moved
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage() -> Stage:
    tournament = TournamentMade.create(slug="cairo", state=Tournament.State.RUNNING)
    EntryFactory.create_batch(4, tournament=tournament)
    return StageFactory.create(tournament=tournament, name="League")


def play_round(stage: Stage, number: int, *tables: tuple[int, int, int]) -> PairingRound:
    """Play a round: each table is who won, who lost, and with how many points."""
    entries = {one.number: one for one in stage.tournament.entries.all()}
    played = PairingRoundFactory.create(stage=stage, number=number)
    for place, (won, lost, points) in enumerate(tables, start=1):
        pair = [entries[won], entries[lost]]
        play(MatchFactory.create(pairing_round=played, entries=pair, table=place), points)
    rebuild_standings(stage)
    return played


def test_the_lines_follow_the_places_after_each_round(stage):
    play_round(stage, 1, (1, 2, 50), (3, 4, 20))
    assert places_moved(stage, from_right=False) is None
    play_round(stage, 2, (4, 3, 0), (2, 1, 30))
    moved = places_moved(stage, from_right=False)
    assert moved is not None
    found = {line.entry.number: line.places for line in moved.lines}
    # By difference after two rounds: 4 +20, 2 +20 or 1 -20 and so on; counted by hand.
    assert {number: places[0] for number, places in found.items()} == {3: 1, 1: 2, 2: 3, 4: 4}
    assert [line.last.place for line in moved.lines] == sorted(
        line.last.place for line in moved.lines
    )
    one = moved.lines[0]
    assert [dot.y for dot in one.dots] == [
        MARGIN + ROW * (place - 1) for place in one.places if place
    ]
    assert [float(dot.x) for dot in one.dots] == [MARGIN, WIDTH - MARGIN]


def test_they_begin_at_the_right_where_readers_do(stage):
    play_round(stage, 1, (1, 2, 50), (3, 4, 20))
    play_round(stage, 2, (4, 3, 0), (2, 1, 30))
    moved = places_moved(stage, from_right=True)
    assert moved is not None
    assert [float(x) for _, x in moved.columns] == [WIDTH - MARGIN, MARGIN]


def test_the_page_draws_and_says_the_same(client, stage):
    play_round(stage, 1, (1, 2, 50), (3, 4, 20))
    address = reverse("tournaments:standings_places", args=["cairo"])
    standings = reverse("tournaments:standings", args=["cairo"])
    assert client.get(address).status_code == 404
    assert address not in client.get(standings).content.decode()
    play_round(stage, 2, (4, 3, 0), (2, 1, 30))
    assert address in client.get(standings).content.decode()
    page = client.get(address, {"stage": stage.number}).content.decode()
    assert page.count("<polyline") == 4
    drawn = page[page.index('class="places"') : page.index("</svg>", page.index('class="places"'))]
    assert drawn.count("<circle") == 8
    cells = re.findall(r'<td class="num">(\d)</td>', page)
    assert sorted(cells[::2]) == ["1", "2", "3", "4"]


def test_only_the_first_have_lines(stage):
    more = EntryFactory.create_batch(SHOWN + 4, tournament=stage.tournament)
    numbers = [one.number for one in more]
    tables = [(a, b, 10 + a) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
    play_round(stage, 1, *tables)
    play_round(stage, 2, *((b, a, points) for a, b, points in tables))
    moved = places_moved(stage, from_right=False)
    assert moved is not None
    assert len(moved.lines) == SHOWN


def test_groups_have_no_lines_in_common(client, stage):
    for entry in stage.tournament.entries.all():
        group = "A" if entry.number < 3 else "B"
        StageEntry.objects.create(stage=stage, entry=entry, seed=entry.number, group=group)
    Stage.objects.filter(pk=stage.pk).update(system=Stage.System.GROUPS)
    stage.refresh_from_db()
    play_round(stage, 1, (1, 2, 50), (3, 4, 20))
    play_round(stage, 2, (2, 1, 0), (4, 3, 30))
    assert places_moved(stage, from_right=False) is None
    assert client.get(reverse("tournaments:standings_places", args=["cairo"])).status_code == 404


@pytest.mark.parametrize("hidden", [{"is_private": True}, {"state": Tournament.State.DRAFT}])
def test_strangers_see_nothing_of_what_is_hidden(stage, hidden):
    play_round(stage, 1, (1, 2, 50), (3, 4, 20))
    play_round(stage, 2, (4, 3, 0), (2, 1, 30))
    Tournament.objects.update(**hidden)
    assert Client().get(reverse("tournaments:standings_places", args=["cairo"])).status_code == 404
    assert Entry.objects.exists()
