"""The bracket and the groups of a stage as everybody sees them, on pages and in the API."""

from __future__ import annotations

import random

import pytest

from tests.factories import EntryFactory
from tests.tournaments.test_services_draws import event, play, settle
from tournaments.models import Entry, Stage, Tournament
from tournaments.queries.brackets import BracketPage, bracket_page, path_of
from tournaments.queries.groups import groups_page
from tournaments.services import draws, pairings, stages
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db


def made(tournament: Tournament, system: str, **draw: object) -> Stage:
    plan = StagePlan(system, draw=draw)
    return stages.make_stage(tournament, plan, by=tournament.created_by)


def play_round(stage: Stage, number: int, winner: str = "AC") -> None:
    by = stage.tournament.created_by
    drawn = draws.draw_round(stage, number=number, by=by)
    pairings.publish(drawn, by=by)
    for match in drawn.matches.order_by("table"):
        settle(match, winner, by, points=200, lost=120)


def shown(stage: Stage) -> BracketPage:
    page = bracket_page(Stage.objects.select_related("tournament").get(pk=stage.pk))
    assert page is not None
    return page


def address(stage: Stage, kind: str, *, api: bool = False) -> str:
    return f"{'/api' if api else ''}/t/{stage.tournament.slug}/{kind}/{stage.number}/"


def test_a_meeting_is_said_in_words_with_its_winner_and_score(client, text):
    stage = made(event(4), "knockout", third_place=True)
    play_round(stage, 1)
    page = text(client.get(address(stage, "bracket")))
    assert "W1.1: Entry 1 – Entry 4, winner Entry 1 \u2066200:120" in page
    assert "Semifinals" in page
    assert "Third place" in page
    assert "F1: Entry 1 – Entry 2" in page
    assert "Final places" not in page
    play_round(stage, 2)
    page = text(client.get(address(stage, "bracket")))
    assert "Final places" in page
    assert [[entry.number for entry in line.entries] for line in shown(stage).places] == [
        [1], [2], [4], [3],
    ]  # fmt: skip


def test_who_comes_from_an_earlier_meeting_is_named_by_it(client, text):
    stage = made(event(8), "double_elimination")
    pairings.publish(
        draws.draw_round(stage, number=1, by=stage.tournament.created_by),
        by=stage.tournament.created_by,
    )
    page = text(client.get(address(stage, "bracket")))
    for said in ("Winners’ bracket", "Losers’ bracket", "Winner of table 1", "Loser of table 4"):
        assert said in page
    # Where no table is set yet, the meeting's name is all there is to say.
    assert "Winner of W2.1" in page
    assert "Winner of W1.1" not in page
    assert "Table 1" in page


def test_the_way_of_one_entry_is_shown_alone(client, text):
    stage = made(event(8), "knockout")
    play_round(stage, 1)
    play_round(stage, 2)
    whole = text(client.get(address(stage, "bracket")))
    assert "The way of" in whole
    own = text(client.get(address(stage, "bracket") + "?entry=1"))
    assert "W1.1: Entry 1 – Entry 8" in own
    assert "W2.1: Entry 1 – Entry 4" in own
    assert "W1.2:" not in own
    assert "The whole bracket" in own
    page = path_of(shown(stage), 1)
    assert [len(column.meetings) for column in page.parts[0].columns] == [1, 1, 1]
    assert not any(column.joins for column in page.parts[0].columns)


@pytest.mark.parametrize("typed", ["99", "x", "-1", "٣", "9" * 400, ""])
def test_the_way_of_nobody_is_the_whole_bracket(client, text, typed):
    stage = made(event(4), "knockout")
    play_round(stage, 1)
    page = text(client.get(address(stage, "bracket"), {"entry": typed}))
    assert "W1.2:" in page
    assert "The whole bracket" not in page


def test_lines_join_two_meetings_to_one(client):
    stage = made(event(8), "knockout", third_place=True)
    play_round(stage, 1)
    (part,) = shown(stage).parts
    assert [(len(column.meetings), column.joins) for column in part.columns] == [
        (4, True), (2, True), (1, False), (1, False),
    ]  # fmt: skip


def test_a_meeting_of_several_games_counts_the_games_won(client, text):
    stage = made(event(2), "knockout", best_of=3)
    for number, side in enumerate(("AC", "BD", "AC"), start=1):
        play_round(stage, number, side)
    page = text(client.get(address(stage, "bracket")))
    assert "winner Entry 1 \u20662:1" in page
    assert "best of 3" in page


def test_what_is_a_draft_is_not_there(client):
    stage = made(event(4), "knockout")
    groups = made(event(6), "groups", groups=2)
    draws.draw_round(stage, number=1, by=stage.tournament.created_by)
    draws.draw_round(groups, number=1, by=groups.tournament.created_by)
    for one, kind in ((stage, "bracket"), (groups, "groups")):
        assert client.get(address(one, kind)).status_code == 404
        assert client.get(address(one, kind, api=True)).status_code == 404


def test_a_table_of_a_draft_is_not_in_the_bracket(client):
    stage = made(event(4), "knockout")
    play_round(stage, 1)
    draws.draw_round(stage, number=2, by=stage.tournament.created_by)
    final = shown(stage).parts[0].columns[-1].meetings[0]
    assert (final.name, final.tables) == ("F1", ())


def test_a_stage_of_another_kind_has_neither(client):
    stage = made(event(4), "swiss")
    play_round(stage, 1)
    for kind in ("bracket", "groups"):
        assert client.get(address(stage, kind)).status_code == 404


def test_groups_show_their_standings_and_a_cross_table(client, text):
    stage = made(event(6), "groups", groups=2, legs=2)
    by = stage.tournament.created_by
    draws.draw_round(stage, number=1, by=by)
    chance = random.Random(2)
    for pairing_round in stage.rounds.order_by("number"):
        play(pairing_round, by, chance)
    rebuild_standings(stage)
    page = groups_page(stage)
    assert [group.name for group in page.groups] == ["1", "2"]
    for group in page.groups:
        assert [row.entry for row in group.standings] == [row.entry for row in group.cross]
        for row in group.cross:
            met = [len(cell.results) for cell in row.cells if not cell.is_self]
            assert met == [2, 2]
    said = text(client.get(address(stage, "groups")))
    assert "Group 1" in said
    assert "Who did what against whom" in said


def test_the_api_says_the_same_as_the_pages(client):
    stage = made(event(4), "knockout")
    play_round(stage, 1)
    told = client.get(address(stage, "bracket", api=True)).json()
    first = told["parts"][0]["rounds"][0]["meetings"][0]
    assert (first["meeting"], first["status"], len(first["matches"])) == ("W1.1", "played", 1)
    assert told["champion"] is None
    groups = made(event(6), "groups", groups=2)
    by = groups.tournament.created_by
    draws.draw_round(groups, number=1, by=by)
    play(groups.rounds.get(number=1), by, random.Random(1))
    told = client.get(address(groups, "groups", api=True)).json()
    assert [len(group["cross_table"]) for group in told["groups"]] == [3, 3]


def test_a_bracket_of_any_size_takes_as_many_queries(django_assert_max_num_queries):
    small, large = made(event(4), "knockout"), made(event(40), "knockout")
    for stage in (small, large):
        play_round(stage, 1)
        with django_assert_max_num_queries(9):
            shown(stage)


def test_who_is_unknown_stays_a_stranger(client):
    tournament = event(4)
    EntryFactory.create(tournament=tournament, state=Entry.State.WITHDRAWN)
    stage = made(tournament, "knockout")
    play_round(stage, 1)
    assert client.get(f"/t/{tournament.slug}/bracket/99/").status_code == 404
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.DRAFT)
    assert client.get(address(stage, "bracket")).status_code == 404
