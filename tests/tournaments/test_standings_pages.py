"""Pages of standings in every view, after each round, and of who plays."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import (
    ByeFactory,
    ClubFactory,
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import (
    Entry,
    Match,
    PairingRound,
    Player,
    Rating,
    Stage,
    StageEntry,
    Tournament,
)
from tournaments.queries import crowds as queries_crowds
from tournaments.queries.crowds import By
from tournaments.queries.standings import standings_page
from tournaments.services import results, stages
from tournaments.services.ratings import rebuild_ratings
from tournaments.services.results import SeatResult
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

COUNTRIES = ("EG", "IR", "EG", "IR")


@pytest.fixture
def stage() -> Stage:
    """Four pairs of two clubs, one round played: 1 beat 2 by 50, 3 beat 4 by 80."""
    tournament = TournamentFactory.create(
        name="Cairo Open", slug="cairo", state=Tournament.State.RUNNING
    )
    stage = StageFactory.create(tournament=tournament, name="League")
    clubs = [ClubFactory.create(name=name) for name in ("Nile", "Delta")]
    pairs = []
    for number in range(1, 5):
        players = [
            PlayerFactory.create(name=f"{letter}{number}", country=COUNTRIES[number - 1])
            for letter in "PQ"
        ]
        pairs.append(
            EntryFactory.create(
                tournament=tournament, name=f"P{number} / Q{number}", players=players,
                club=clubs[number % 2], category="Juniors" if number > 2 else "",
            )
        )  # fmt: skip
    pairing_round = PairingRoundFactory.create(stage=stage, number=1)
    MatchFactory.create(pairing_round=pairing_round, entries=pairs[:2])
    MatchFactory.create(pairing_round=pairing_round, entries=pairs[2:])
    for match, lost in zip(pairing_round.matches.order_by("table"), (50, 20), strict=True):
        play(match, lost)
    rebuild_standings(stage)
    return stage


def play(match: Match, lost: int) -> None:
    won, beaten = SeatResult(100, lost, "win"), SeatResult(lost, 100, "loss")
    seats = {letter: won if letter in "AC" else beaten for letter in "ABCD"}
    results.record_result(match, seats=seats, by=match.pairing_round.stage.tournament.created_by)


def text(response: Any) -> str:
    assert response.status_code == 200, response.status_code
    unmarked = re.sub("[\u2066-\u2069]", "", response.content.decode())
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", unmarked))


def page(client: Client, **asked: str) -> str:
    return text(client.get(reverse("tournaments:standings", args=["cairo"]), asked))


def test_each_row_says_in_words_what_parts_it_and_what_is_level(client, stage):
    shown = page(client)
    assert "The difference of points decides: +50 against +80." in shown
    assert "Level on: Wins." in shown
    assert "Wins decide: 0 against 1." in shown
    entry = reverse("tournaments:entry", args=["cairo", 3])
    assert entry in client.get(reverse("tournaments:standings", args=["cairo"])).content.decode()


def test_only_views_that_say_something_are_offered(client, stage):
    views = queries_crowds.views_of(standings_page(stage.tournament, stage=stage))
    assert views == (By.ENTRY, By.PLAYER, By.CLUB, By.COUNTRY, By.CATEGORY)
    address = reverse("tournaments:standings", args=["cairo"])
    assert client.get(address, {"by": "team"}).status_code == 404
    assert client.get(address, {"by": "luck"}).status_code == 404


def test_before_anything_is_published_there_are_no_views(client):
    TournamentFactory.create(slug="cairo")
    assert "No standings yet" in page(client)
    address = reverse("tournaments:standings", args=["cairo"])
    assert client.get(address, {"by": "club"}).status_code == 404


def test_clubs_and_countries_are_the_sum_of_their_best(client, stage):
    lines = queries_crowds.crowd_lines(stage, By.CLUB, 3)
    assert [(line.place, line.name, line.values) for line in lines] == [
        (1, "Delta", (2, 130, 200)), (2, "Nile", (0, -130, 70)),
    ]  # fmt: skip
    best = queries_crowds.crowd_lines(stage, By.CLUB, 1)
    assert [(line.name, line.values) for line in best] == [
        ("Delta", (1, 80, 100)), ("Nile", (0, -50, 50)),
    ]  # fmt: skip
    assert [one.counts for one in best[0].members] == [True, False]
    shown = page(client, by="club", best="1")
    assert "does not count" in shown
    assert "best 1 entry" in shown
    assert "Egypt" in page(client, by="country", best="a lot")


def test_a_pair_from_two_countries_stands_for_none(stage):
    Player.objects.filter(name="Q1").update(country="ES")
    lines = queries_crowds.crowd_lines(stage, By.COUNTRY, 3)
    assert sorted(len(line.members) for line in lines) == [1, 2]


def test_a_category_has_places_of_its_own(client, stage):
    [juniors] = queries_crowds.category_lines(stage)
    assert [(row.place, row.entry.number) for row in juniors.rows] == [(1, 3), (2, 4)]
    assert juniors.rows[1].reason == "Wins decide: 0 against 1."
    shown = page(client, by="category")
    assert "Juniors" in shown
    assert "P1 / Q1" not in shown


def test_partners_have_results_of_their_own(client, stage):
    second = PairingRoundFactory.create(stage=stage, number=2)
    pairs = list(stage.tournament.entries.order_by("number"))
    match = MatchFactory.create(pairing_round=second, entries=[pairs[0], pairs[2]])
    ByeFactory.create(pairing_round=second, entry=pairs[1])
    fined, whole = SeatResult(20, 40, "loss", deducted=80), SeatResult(100, 40, "win")
    lost = SeatResult(40, 100, "loss")
    results.record_result(
        match, seats={"A": fined, "C": whole, "B": lost, "D": lost}, by=stage.tournament.created_by
    )
    rebuild_standings(stage)
    lines = {line.player.name: line for line in queries_crowds.player_lines(stage)}
    assert (lines["Q1"].place, lines["Q1"].values) == (1, (2, 110, 200))
    assert lines["P1"].values == (1, 30, 120)
    assert lines["P1"].differs
    assert not lines["P3"].differs
    # The bye counts for both partners, and is not played.
    assert lines["P2"].values[0] == lines["Q2"].values[0] == 1
    assert lines["P2"].played == 1
    assert "differs from the partner" in page(client, by="player")


def test_a_team_is_the_sum_of_its_members(client):
    tournament = TournamentFactory.create(
        slug="cairo", state=Tournament.State.RUNNING, entry_kind=Entry.Kind.SINGLE
    )
    stage = StageFactory.create(tournament=tournament, system=Stage.System.TEAMS_OF_FOUR)
    players = EntryFactory.create_batch(8, tournament=tournament)
    for place, entry in enumerate(players):
        StageEntry.objects.create(
            stage=stage, entry=entry, seed=place + 1, group="Red" if place % 2 == 0 else "Blue"
        )
    pairing_round = PairingRoundFactory.create(stage=stage)
    for at in (0, 4):
        match = MatchFactory.create(pairing_round=pairing_round, entries=players[at : at + 4])
        play(match, 40)
    rebuild_standings(stage)
    lines = queries_crowds.crowd_lines(stage, By.TEAM, queries_crowds.usual_count(By.TEAM))
    assert [(line.name, len(line.members), line.values[0]) for line in lines] == [
        ("Red", 4, 4), ("Blue", 4, 0),
    ]  # fmt: skip
    assert "The sum of the members of each team." in page(client, by="team")


def test_the_whole_event_puts_first_who_went_further(client, stage):
    tournament = stage.tournament
    stage = stages.close_stage(stage, by=tournament.created_by)
    final = StageFactory.create(tournament=tournament, name="Final", source=stage)
    pairs = {one.number: one for one in tournament.entries.all()}
    played = PairingRoundFactory.create(stage=final)
    # The second of the league wins the final.
    play(MatchFactory.create(pairing_round=played, entries=[pairs[1], pairs[3]]), 90)
    rebuild_standings(final)
    lines = queries_crowds.event_lines((stage, final))
    assert [(line.place, line.entry.number, line.stage.name) for line in lines] == [
        (1, 1, "Final"), (2, 3, "Final"), (3, 2, "League"), (4, 4, "League"),
    ]  # fmt: skip
    assert "Whoever went further" in page(client, by="event")


def test_groups_have_tables_of_their_own(client):
    tournament = TournamentFactory.create(slug="cairo", state=Tournament.State.RUNNING)
    stage = StageFactory.create(tournament=tournament, system=Stage.System.GROUPS)
    pairs = EntryFactory.create_batch(4, tournament=tournament)
    pairing_round = PairingRoundFactory.create(stage=stage)
    for group, at in (("A", 0), ("B", 2)):
        for entry in pairs[at : at + 2]:
            StageEntry.objects.create(stage=stage, entry=entry, seed=entry.number, group=group)
        play(MatchFactory.create(pairing_round=pairing_round, entries=pairs[at : at + 2]), 10)
    rebuild_standings(stage)
    shown = page(client)
    assert shown.index("Group A") < shown.index("Group B")
    assert shown.count("Wins decide: 0 against 1.") == 2


def test_the_standings_after_a_round_stay_with_what_a_correction_moved(client, stage):
    address = reverse("tournaments:standings_after", args=["cairo", 1])
    assert address in client.get(reverse("tournaments:standings", args=["cairo"])).content.decode()
    assert "Standings after round 1" in text(client.get(address))
    match = Match.objects.get(table=2)
    by = stage.tournament.created_by
    results.reopen_match(match, by=by)
    play(match, 60)
    rebuild_standings(stage)
    shown = text(client.get(address, {"stage": stage.number}))
    assert "A result was corrected" in shown
    assert "P1 / Q1 : from place 2 to place 1" in shown
    assert client.get(reverse("tournaments:standings_after", args=["cairo", 2])).status_code == 404


def test_programs_read_the_standings_after_a_round(client, stage):
    address = reverse("tournaments:api_standings", args=["cairo"])
    told = client.get(address, {"after": "1"}).json()
    assert [row["entry"]["number"] for row in told["rows"]] == [3, 1, 2, 4]
    assert (told["rows"][1]["level"], told["rows"][1]["group"]) == ("Level on: Wins.", "")
    for number in ("2", "x", "-1"):
        assert client.get(address, {"after": number}).status_code == 404


def test_an_entry_shows_its_players_and_every_round(client, stage):
    pair = stage.tournament.entries.get(number=2)
    ByeFactory.create(pairing_round=PairingRoundFactory.create(stage=stage, number=2), entry=pair)
    ByeFactory.create(
        pairing_round=PairingRoundFactory.create(
            stage=stage, number=3, state=PairingRound.State.DRAFT
        ),
        entry=pair,
    )
    address = reverse("tournaments:entry", args=["cairo", 2])
    shown = text(client.get(address))
    assert "P1 / Q1" in shown
    assert "50–100" in shown
    assert shown.count("Bye") == 1
    player = pair.members.get(position=1).player
    assert reverse("tournaments:player", args=[player.pk]) in client.get(address).content.decode()
    assert client.get(reverse("tournaments:entry", args=["cairo", 99])).status_code == 404


def test_a_player_shows_events_rating_and_history(client, stage):
    rebuild_ratings(stage.tournament)
    player = Player.objects.get(name="P3")
    shown = text(client.get(reverse("tournaments:player", args=[player.pk])))
    assert "Cairo Open" in shown
    assert "P3 / Q3" in shown
    assert "A cautious estimate of strength" in shown
    assert "100–20" in shown
    ratings = text(client.get(reverse("tournaments:ratings")))
    assert ratings.index("P1") < ratings.index("P2")
    assert "No rated player matches" in text(
        client.get(reverse("tournaments:ratings"), {"q": "zz"})
    )
    assert "P4" in text(client.get(reverse("tournaments:ratings"), {"q": "p4"}))


def test_nobody_is_rated_yet(client):
    assert "Nobody is rated yet" in text(client.get(reverse("tournaments:ratings")))


def test_equal_ratings_share_a_place_over_pages(client):
    for number in range(103):
        player = PlayerFactory.create(name=f"Player {number:03}")
        Rating.objects.create(player=player, mean=30 if number else 40, deviation=2, matches=9)
    shown = text(client.get(reverse("tournaments:ratings"), {"page": 2}))
    assert len(re.findall(r" 2 Player \d{3}", shown)) == 3


def test_a_player_of_hidden_events_only_is_not_there(client):
    entry = EntryFactory.create(tournament=TournamentFactory.create(state=Tournament.State.DRAFT))
    player = entry.members.get(position=1).player
    assert client.get(reverse("tournaments:player", args=[player.pk])).status_code == 404


@pytest.mark.parametrize("view", ["", "player", "club", "country", "category"])
@pytest.mark.parametrize("more", [0, 20])
def test_a_view_costs_few_queries_whatever_the_size(
    client, stage, view, more, django_assert_max_num_queries
):
    for _ in range(more):
        pairs = EntryFactory.create_batch(2, tournament=stage.tournament, category="Juniors")
        play(MatchFactory.create(pairing_round=stage.rounds.get(), entries=pairs), 30)
    rebuild_standings(stage)
    with django_assert_max_num_queries(17):
        page(client, **({"by": view} if view else {}))


def test_the_director_chooses_what_decides(client, stage):
    client.force_login(stage.tournament.created_by)
    address = reverse("tournaments:director_tie_breaks", args=["cairo", stage.number])
    assert address in client.get(reverse("tournaments:standings", args=["cairo"])).content.decode()
    assert "What they count" in text(client.get(address))
    twice = client.post(address, {"place_1": "wins", "place_2": "wins"})
    assert twice.status_code == 422
    assert "chosen twice" in twice.content.decode()
    assert client.post(address, {}).status_code == 422
    chosen = client.post(address, {"place_1": "points_for", "place_3": "lot"})
    assert chosen.status_code == 302
    stage.refresh_from_db()
    assert stage.tie_breaks == ["points_for", "lot"]
    stages.close_stage(stage, by=stage.tournament.created_by)
    assert client.post(address, {"place_1": "wins"}).status_code == 422
    client.logout()
    assert client.get(address).status_code == 302
