"""Ratings: who rises, in which order tables count, and what a correction does to them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.models import Entry, Match, MatchSeat, Rating, RatingChange, Tournament
from tournaments.services import results
from tournaments.services.ratings import Strength, newcomer, rated, rebuild_ratings
from tournaments.services.results import SeatResult

pytestmark = pytest.mark.django_db

NOON = datetime(2026, 5, 1, 12, tzinfo=UTC)
LOST, WON = SeatResult(80, 100, "loss"), SeatResult(100, 80, "win")


def close(match: Match, winner: str = "AC", minutes: int = 0) -> None:
    """Write a result, `minutes` after noon."""
    by = match.pairing_round.stage.tournament.created_by
    letters = match.seats.values_list("seat", flat=True)
    seats = {one: WON if one in winner else LOST for one in letters}
    results.record_result(match, seats=seats, by=by)
    Match.objects.filter(pk=match.pk).update(closed_at=NOON + timedelta(minutes=minutes))


def table(tournament: Tournament, entries: list[Entry]) -> Match:
    stage = tournament.stages.first() or StageFactory.create(tournament=tournament)
    return MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage=stage), entries=entries
    )


@pytest.fixture
def event() -> Tournament:
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING)
    EntryFactory.create_batch(2, tournament=tournament)
    return tournament


def stored() -> list[tuple[int, int, float, float]]:
    return list(RatingChange.objects.values_list("player", "match", "mean", "deviation"))


def test_partners_rise_together_and_the_others_fall(event):
    match = table(event, list(event.entries.all()))
    close(match)
    rebuild_ratings(event)
    means = {seat.seat: seat.player.rating.mean for seat in match.seats.all()}
    assert means["A"] == means["C"] > newcomer().mean > means["B"] == means["D"]
    assert set(Rating.objects.values_list("matches", flat=True)) == {1}
    assert all(one.deviation < newcomer().deviation for one in Rating.objects.all())


def test_changing_partners_are_rated_each_by_their_own_tables():
    tournament = TournamentFactory.create(
        state=Tournament.State.RUNNING, entry_kind=Entry.Kind.SINGLE
    )
    players = EntryFactory.create_batch(4, tournament=tournament)
    first = table(tournament, players)
    close(first)
    close(table(tournament, [players[0], players[2], players[1], players[3]]), minutes=40)
    rebuild_ratings(tournament)
    # The first won with each of two partners, the last lost with each.
    order = [one.player for one in Rating.objects.order_by("-mean")]
    assert order[0] == first.seats.get(seat="A").player
    assert order[-1] == first.seats.get(seat="D").player


def test_walkovers_and_tables_that_nobody_won_are_not_rated(event):
    entries = list(event.entries.all())
    results.record_walkover(table(event, entries), absent=entries[:1], by=event.created_by)
    close(table(event, entries), winner="")
    rebuild_ratings(event)
    assert stored() == []


def test_an_event_for_its_officials_only_is_not_rated(event):
    Tournament.objects.filter(pk=event.pk).update(is_private=True)
    close(table(event, list(event.entries.all())))
    rebuild_ratings(event)
    assert stored() == []


def test_a_partner_with_a_deduction_has_won_with_the_side(event):
    match = table(event, list(event.entries.all()))
    fined = SeatResult(60, 80, "loss", deducted=40)
    seats = {"A": fined, "C": WON, "B": LOST, "D": LOST}
    results.record_result(match, seats=seats, by=event.created_by)
    rebuild_ratings(event)
    assert match.seats.get(seat="A").player.rating.mean > newcomer().mean


def test_in_elimination_everybody_is_rated_alone():
    tournament = TournamentFactory.create(
        state=Tournament.State.RUNNING, entry_kind=Entry.Kind.SINGLE, profile="elimination"
    )
    match = table(tournament, EntryFactory.create_batch(4, tournament=tournament))
    left = {"A": 90, "B": 120, "C": 150, "D": 170}
    seats = {
        letter: SeatResult(0, points, "win" if letter == "A" else "loss")
        for letter, points in left.items()
    }
    results.record_result(match, seats=seats, by=tournament.created_by)
    rebuild_ratings(tournament)
    means = [match.seats.get(seat=letter).player.rating.mean for letter in "ABCD"]
    assert means == sorted(means, reverse=True)
    assert len(set(means)) == 4


def test_a_draw_moves_equals_nowhere():
    level = rated([[newcomer()] * 2, [newcomer()] * 2], [0, 0])
    assert {round(one.mean, 9) for team in level for one in team} == {newcomer().mean}
    strong = Strength(30, 2)
    [[after], _] = rated([[strong], [newcomer()]], [0, 0])
    assert after.mean < strong.mean


def test_again_the_same_and_the_order_of_closing_counts(event):
    entries = list(event.entries.all())
    close(table(event, entries), minutes=30)
    close(table(event, entries), winner="BD", minutes=10)
    rebuild_ratings(event)
    first = stored()
    closed = Match.objects.order_by("closed_at").values_list("pk", flat=True)
    assert list(dict.fromkeys(match for _, match, *_ in first)) == list(closed)
    rebuild_ratings(event)
    assert stored() == first


def test_a_correction_rates_later_tables_of_other_events_anew(event):
    entries = list(event.entries.all())
    early, late = table(event, entries), table(event, entries)
    close(early)
    close(late, minutes=60)
    other = TournamentFactory.create(state=Tournament.State.RUNNING)
    players = [seat.player for seat in early.seats.order_by("seat")]
    pairs = [
        EntryFactory.create(tournament=other, players=[players[0], players[2]]),
        EntryFactory.create(tournament=other, players=[players[1], players[3]]),
    ]
    elsewhere = table(other, pairs)
    close(elsewhere, minutes=30)
    rebuild_ratings(event)
    rebuild_ratings(other)
    before = stored()
    assert [match for _, match, *_ in before][::4] == [early.pk, elsewhere.pk, late.pk]
    results.reopen_match(early, by=event.created_by)
    rebuild_ratings(event)
    assert RatingChange.objects.filter(match=early).count() == 0
    close(early, winner="BD")
    rebuild_ratings(event)
    after = stored()
    assert [match for _, match, *_ in after] == [match for _, match, *_ in before]
    assert after[4:] != before[4:]
    # All at once from nothing, it is the same to the last digit.
    RatingChange.objects.all().delete()
    Rating.objects.all().delete()
    rebuild_ratings(other)
    assert stored() == after


def test_a_player_whose_only_table_is_taken_back_has_no_rating(event):
    match = table(event, list(event.entries.all()))
    close(match)
    rebuild_ratings(event)
    assert Rating.objects.count() == 4
    results.reopen_match(match, by=event.created_by)
    rebuild_ratings(event)
    assert Rating.objects.count() == 0


def test_a_round_that_ends_has_the_ratings_rebuilt(event, django_capture_on_commit_callbacks):
    match = table(event, list(event.entries.all()))
    with django_capture_on_commit_callbacks(execute=True):
        close(match)
    assert MatchSeat.objects.get(match=match, seat="A").player.rating.matches == 1
