"""Tables that send the best on, stage after stage, through the services."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User

from engine.events import Sheet
from engine.seats import Seat
from referee.services import records as referee
from tests.factories import EntryFactory, TournamentFactory
from tournaments.errors import draws as draw_errors
from tournaments.models import (
    Entry,
    ForbiddenMeeting,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.rules import rules_of
from tournaments.services import draws, pairings, results, scores, stages
from tournaments.services.results import SeatResult
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes

pytestmark = pytest.mark.django_db


def event(entries: int, profile: str = "elimination") -> Tournament:
    tournament = TournamentFactory.create(
        profile=profile,
        state=Tournament.State.RUNNING,
        entry_kind=Entry.Kind.SINGLE,
        players_per_table=4,
    )
    EntryFactory.create_batch(entries, tournament=tournament)
    return tournament


def settle(match: Match, by: User) -> None:
    """The two players with the lowest numbers stay below the limit."""
    target = rules_of(match).target
    seats = sorted(match.seats.select_related("entry"), key=lambda one: one.entry.number)
    given = {}
    for order, one in enumerate(seats):
        left = order < 2
        against = order * 10 if left else target + order
        given[one.seat] = SeatResult(0, against, "win" if left else "loss")
    results.start_match(match, by=by)
    results.record_result(match, seats=given, by=by)


def play(stage: Stage, by: User) -> PairingRound:
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    for match in drawn.matches.all():
        settle(match, by)
    return drawn


def test_the_last_two_of_each_table_go_on_to_a_higher_limit():
    tournament = event(16)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("elimination", target=100), by=by)
    found = []
    for target in (125, 150):
        drawn = play(stage, by)
        rules = rules_of(drawn.matches.get(table=1))
        found.append((drawn.matches.count(), rules.target, rules.survivors))
        closed = stages.close_stage(stage, by=by)
        plan = StagePlan("elimination", target=target, takes=Takes(each=2))
        stage = stages.make_stage(tournament, plan, source=closed, by=by)
        assert len(stages.preview_qualifiers(closed, Takes(each=2))) == stage.stage_entries.count()
    assert found == [(4, 100, 2), (2, 125, 2)]
    assert rules_of(play(stage, by).matches.get()).target == 150
    assert 1 in stages.close_stage(stage, by=by).standing_rows.values_list(
        "entry__number", flat=True
    )


def test_who_goes_on_without_play_is_among_the_qualifiers():
    tournament = event(5)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("elimination"), by=by)
    drawn = play(stage, by)
    rested = drawn.byes.get().entry
    closed = stages.close_stage(stage, by=by)
    ahead = [entry for entry, _, _ in stages.preview_qualifiers(closed, Takes(each=2))]
    assert len(ahead) == 3
    assert ahead[-1] == rested
    again = stages.make_stage(
        tournament, StagePlan("elimination", takes=Takes(each=2)), source=closed, by=by
    )
    draws.draw_round(again, number=1, by=by)
    with pytest.raises(draw_errors.RoundsAreDrawn):
        draws.draw_round(again, number=2, by=by)


def test_other_rules_have_no_limit_to_be_out_at():
    tournament = event(8, profile="wdf")
    with pytest.raises(draw_errors.SystemNeedsLimit):
        stages.make_stage(tournament, StagePlan("elimination"), by=tournament.created_by)
    alone = event(8)
    with pytest.raises(draw_errors.SystemNeedsPartners):
        stages.make_stage(alone, StagePlan("rotating"), by=alone.created_by)
    plan = StagePlan("elimination", draw={"survivors": 4})
    with pytest.raises(draw_errors.TooManySurvivors):
        stages.make_stage(alone, plan, by=alone.created_by)


def test_seats_hold_one_player_each():
    tournament = event(7)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("elimination"), by=by)
    draws.draw_round(stage, number=1, by=by)
    letters = [
        "".join(match.seats.order_by("seat").values_list("seat", flat=True))
        for match in Match.objects.filter(pairing_round__stage=stage).order_by("table")
    ]
    assert letters == ["ABCD", "ABC"]
    assert MatchSeat.objects.values("entry").distinct().count() == 7


@pytest.mark.parametrize("way", ["referee", "score"])
def test_the_two_left_at_a_table_have_both_won_it(way):
    tournament = event(4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("elimination", target=100), by=by)
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    match = drawn.matches.get()
    points = {"A": 0, "B": 104, "C": 110, "D": 30}
    if way == "referee":
        referee.open_match(match, by=by)
        against = {Seat(letter): total for letter, total in points.items() if total}
        referee.record_sheet(match, number=0, sheet=Sheet("A", against, "out"), by=by)
        referee.close_match(match, by=by)
    else:
        scores.record_score(match, points=points, by=by)
    outcomes = dict(match.seats.values_list("seat", "outcome"))
    assert outcomes == {"A": "win", "B": "loss", "C": "loss", "D": "win"}
    closed = stages.close_stage(stage, by=by)
    ahead = [entry.pk for entry, _, _ in stages.preview_qualifiers(closed, Takes(each=2))]
    # The one with fewer points against comes first.
    assert ahead == [match.seats.get(seat=letter).entry_id for letter in "AD"]


def test_who_must_not_meet_sits_apart():
    tournament = event(8)
    by = tournament.created_by
    one, other = tournament.entries.order_by("number")[:2]
    ForbiddenMeeting.objects.create(tournament=tournament, one=one, other=other)
    for _ in range(3):
        plan = StagePlan("elimination", name=str(tournament.stages.count()))
        stage = stages.make_stage(tournament, plan, by=by)
        drawn = draws.draw_round(stage, number=1, by=by)
        assert not drawn.matches.filter(seats__entry=one).filter(seats__entry=other).exists()
