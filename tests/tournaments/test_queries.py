"""What the pages show, with few queries whatever the size."""

from __future__ import annotations

from itertools import pairwise

import pytest
from django.contrib.auth.models import AnonymousUser
from django.utils import translation

from tests.factories import (
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    StageFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments import permissions
from tournaments.models import Entry, Match, MatchSeat, Official, PairingRound, Stage, Tournament
from tournaments.queries import desk
from tournaments.queries import events as queries
from tournaments.services import leaving, pairings, results
from tournaments.services.results import SeatResult
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

MOST_QUERIES = 15
VISITOR = AnonymousUser()


def league(size: int) -> Stage:
    """A round robin with one round played, one published and the rest drafts."""
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING)
    for _ in range(size):
        EntryFactory.create(tournament=tournament)
    by = tournament.created_by
    stage = pairings.make_round_robin(tournament, by=by)
    first, second = stage.rounds.order_by("number")[:2]
    pairings.publish(first, by=by)
    pairings.publish(second, by=by)
    won = SeatResult(105, 60, MatchSeat.Outcome.WIN)
    lost = SeatResult(60, 105, MatchSeat.Outcome.LOSS)
    for match in first.matches.all():
        seats = {"A": won, "B": lost, "C": won, "D": lost}
        results.record_result(match, seats=seats, by=by)
    rebuild_standings(stage)
    return stage


@pytest.mark.parametrize("size", [3, 12])
def test_every_page_takes_few_queries_whatever_the_size(size, django_assert_max_num_queries):
    stage = league(size)
    TournamentFactory.create_batch(size)
    pairing_round = PairingRound.objects.select_related("stage__tournament").get(
        stage=stage, number=1
    )
    tournament = Tournament.objects.get(pk=stage.tournament_id)
    director = tournament.created_by
    manual = StageFactory.create(tournament=tournament)
    pages = [
        lambda: queries.tournament_lines(permissions.visible_tournaments(VISITOR)),
        lambda: queries.tournament_page(tournament, user=director),
        lambda: queries.pairings_page(pairing_round, drafts=True),
        lambda: queries.standings_page(tournament),
        lambda: queries.rules_page(tournament),
        lambda: desk.desk_page(director),
        lambda: desk.director_page(tournament),
        lambda: desk.manual_round_page(manual),
    ]
    for page in pages:
        with django_assert_max_num_queries(MOST_QUERIES):
            repr(page())


def test_a_list_of_events_counts_entries_rounds_and_open_tables():
    stage = league(4)
    (line,) = queries.tournament_lines([stage.tournament])
    assert (line.entries, line.rounds_published, line.tables_open) == (4, 2, 2)
    assert (line.profile, line.target) == ("WDF-style tournament rules", 100)


def test_a_tournament_shows_the_round_being_played_and_no_drafts():
    stage = league(4)
    page = queries.tournament_page(stage.tournament, user=VISITOR)
    assert [one.pairing_round.number for line in page.stages for one in line.rounds] == [1, 2]
    assert page.latest is not None
    assert page.latest.pairing_round.number == 2
    assert page.duties == frozenset()
    assert len(page.standings.rows) == page.entries == 4
    lines = queries.entry_lines(stage.tournament)
    assert [(line.entry.number, len(line.players)) for line in lines] == [
        (1, 2), (2, 2), (3, 2), (4, 2),
    ]  # fmt: skip


def test_a_referee_is_told_apart_from_a_director():
    tournament = TournamentFactory.create()
    referee = OfficialFactory.create(tournament=tournament).user
    page = queries.tournament_page(tournament, user=referee)
    assert page.duties == {Official.Duty.REFEREE}
    assert page.latest is None
    assert page.standings.stage is None


def test_a_closed_table_shows_its_result_and_an_open_one_its_running_score():
    stage = league(4)
    first = queries.pairings_page(stage.rounds.get(number=1), drafts=False)
    assert first.numbers == (1, 2)
    assert [
        [(side.side, side.points, side.outcome, side.is_winner) for side in table.sides]
        for table in first.tables
    ] == [[("AC", 105, "win", True), ("BD", 60, "loss", False)]] * 2
    Match.objects.filter(pairing_round__number=2, table=1).update(
        score={"totals": {"AC": 12, "BD": 30}}
    )
    second = queries.pairings_page(stage.rounds.get(number=2), drafts=False)
    assert [side.points for side in second.tables[0].sides] == [12, 30]
    assert [side.points for side in second.tables[1].sides] == [None, None]
    assert not second.tables[0].is_closed


def test_an_elimination_table_shows_each_player_with_the_points_against():
    tournament = TournamentFactory.create(
        profile="elimination", entry_kind="single", state=Tournament.State.RUNNING
    )
    stage = StageFactory.create(tournament=tournament)
    match = MatchFactory.create(
        pairing_round__stage=stage, pairing_round__state=PairingRound.State.PUBLISHED
    )
    totals = {"A": 151, "B": 90, "C": 160, "D": 150}
    seats = {seat: SeatResult(0, total, "loss") for seat, total in totals.items()}
    results.record_result(match, seats=seats, by=tournament.created_by)
    (table,) = queries.table_lines(Match.objects.all(), tournament)
    assert {side.side: side.points for side in table.sides} == totals


def test_standings_name_what_decides_in_the_readers_order():
    stage = league(4)
    page = queries.standings_page(stage.tournament)
    labels = [column.label for column in page.columns]
    assert labels == ["Wins", "Points for minus points against", "Points for", "Lot"]
    assert (page.rounds_finished, page.rounds) == (1, 2)
    assert [row.place for row in page.rows] == [1, 2, 3, 4]
    for above, row in pairwise(page.rows):
        (deciding,) = [value for value in row.values if value.is_deciding]
        assert row.decided_by == deciding.name
        assert row.reason
        assert [v.value for v in above.values if v.name == deciding.name] != [deciding.value]
    assert queries.standings_page(stage.tournament, limit=2).rows == page.rows[:2]


def test_shared_places_are_marked():
    stage = league(4)
    Stage.objects.update(tie_breaks=["wins"])
    rebuild_standings(stage)
    rows = queries.standings_page(stage.tournament).rows
    assert [(row.place, row.is_shared) for row in rows] == [
        (1, True), (1, True), (3, True), (3, True),
    ]  # fmt: skip


def test_rules_are_shown_in_words_with_their_article():
    page = queries.rules_page(TournamentFactory.create(profile="femundo"))
    assert ("Whoever can play must play.", "femundo 15, 16") in [
        (line.text, line.article) for line in page.lines
    ]


def test_names_of_profiles_and_tie_breaks_are_in_the_readers_language():
    stage = league(4)
    with translation.override("ar"):
        page = queries.standings_page(stage.tournament)
        assert len(page.columns) == 4


def test_the_desk_lists_the_tournaments_of_an_official_with_the_duties():
    tournament = TournamentFactory.create()
    TournamentFactory.create()
    referee = OfficialFactory.create(tournament=tournament).user
    page = desk.desk_page(referee)
    assert [(one.line.tournament, one.is_director) for one in page.lines] == [(tournament, False)]
    assert not page.may_create
    assert desk.desk_page(tournament.created_by).may_create
    assert desk.desk_page(VISITOR).lines == ()
    assert len(desk.desk_page(UserFactory.create(is_superuser=True)).lines) == 2


def test_the_directors_page_knows_what_is_open_and_what_comes_next():
    stage = league(4)
    tournament = stage.tournament
    entry = EntryFactory.create(tournament=tournament)
    leaving.withdraw(entry, by=tournament.created_by)
    page = desk.director_page(tournament)
    assert (page.entries_registered, page.entries_withdrawn) == (4, 1)
    assert [table.match.pairing_round.number for table in page.open_tables] == [2, 2]
    assert page.next_draft is not None
    assert page.next_draft.number == 3
    assert page.has_published
    assert page.log[0].act == "entry_withdrawn"
    fresh = desk.director_page(TournamentFactory.create())
    assert (fresh.next_draft, fresh.has_published, fresh.stages) == (None, False, ())


def test_a_round_by_hand_is_shown_as_it_was_saved():
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING)
    for number in range(1, 6):
        state = Entry.State.WITHDRAWN if number == 5 else Entry.State.REGISTERED
        EntryFactory.create(tournament=tournament, number=number, state=state)
    stage = StageFactory.create(tournament=tournament)
    empty = desk.manual_round_page(stage)
    assert (empty.number, empty.tables, empty.byes, empty.sizes) == (1, (), (), (2,))
    assert [line.entry.number for line in empty.entries] == [1, 2, 3, 4]
    by = tournament.created_by
    table = pairings.TableData(7, (3, 1))
    saved = pairings.save_manual_round(stage, number=1, tables=[table], byes=[2], by=by)
    draft = desk.manual_round_page(stage)
    assert (draft.pairing_round, draft.tables, draft.byes) == (saved, ((7, (3, 1)),), (2,))
    pairings.publish(saved, leave_out=True, by=by)
    assert desk.manual_round_page(stage).number == 2
