"""Stages of every system, drawn and played round by round through the services."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from django.contrib.auth.models import User

from tests.factories import EntryFactory, TournamentFactory
from tournaments.errors import draws as draw_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Absence, Bye, Entry, Match, PairingRound, Tournament
from tournaments.rules import rules_of, sides_of
from tournaments.services import brackets, draws, pairings, results, stages
from tournaments.services.results import SeatResult
from tournaments.services.seating import Table
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings
from tournaments.services.takes import Takes

pytestmark = pytest.mark.django_db


def event(entries: int, kind: str = Entry.Kind.PAIR, size: int = 4) -> Tournament:
    tournament = TournamentFactory.create(
        state=Tournament.State.RUNNING, entry_kind=kind, players_per_table=size
    )
    EntryFactory.create_batch(entries, tournament=tournament)
    return tournament


def settle(match: Match, winner: str, by: User, points: int = 100, lost: int = 40) -> None:
    seats = list(match.seats.all())
    side_of = {s: side for side in sides_of(rules_of(match), len(seats)) for s in side}
    given = {}
    for one in seats:
        won = side_of[one.seat] == winner
        given[one.seat] = (
            SeatResult(points, lost, "win") if won else SeatResult(lost, points, "loss")
        )
    results.start_match(match, by=by)
    results.record_result(match, seats=given, by=by)


def play(pairing_round: PairingRound, by: User, chance: random.Random) -> None:
    pairings.publish(pairing_round, by=by)
    for match in pairing_round.matches.order_by("table"):
        sides = sides_of(rules_of(match), match.seats.count())
        settle(match, chance.choice(sides), by, lost=chance.randrange(0, 99))


def entries_at(match: Match) -> set[int]:
    return set(match.seats.values_list("entry__number", flat=True))


def test_a_swiss_of_an_odd_field_repeats_no_meeting_and_no_bye() -> None:
    tournament = event(9)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=5), by=by)
    chance = random.Random(3)
    met: Counter[frozenset[int]] = Counter()
    for number in range(1, 6):
        drawn = draws.draw_round(stage, number=number, by=by)
        assert drawn.matches.count() == 4
        play(drawn, by, chance)
        met.update(frozenset(entries_at(one)) for one in drawn.matches.all())
    assert max(met.values()) == 1
    byes = Bye.objects.filter(pairing_round__stage=stage)
    assert len(set(byes.values_list("entry", flat=True))) == 5
    with pytest.raises(draw_errors.RoundsAreDrawn):
        draws.draw_round(stage, number=6, by=by)


def test_a_round_is_drawn_once_however_often_it_is_asked_for() -> None:
    tournament = event(16)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    first = draws.draw_round(stage, number=1, by=by)
    again = draws.draw_round(stage, number=1, by=by)
    assert again.pk == first.pk
    assert Match.objects.filter(pairing_round__stage=stage).count() == 8
    pairings.publish(first, by=by)
    assert draws.draw_round(stage, number=1, by=by).pk == first.pk


def test_open_tables_are_named_and_a_reason_goes_on() -> None:
    tournament = event(4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    with pytest.raises(table_errors.EarlierRoundNotOut, match="Publish round 1 first, or throw"):
        draws.draw_round(stage, number=2, by=by)
    pairings.publish(drawn, by=by)
    settle(drawn.matches.get(table=1), "AC", by)
    with pytest.raises(draw_errors.ResultsMissing) as refused:
        draws.draw_round(stage, number=2, by=by)
    assert refused.value.params["tables"] == [2]
    second = draws.draw_round(stage, number=2, reason="Table 2 plays on", by=by)
    assert second.matches.count() == 2
    assert tournament.log.filter(act="round_drawn")[0].details["reason"] == "Table 2 plays on"


def test_absences_and_byes_asked_for_leave_the_pool_first() -> None:
    tournament = event(11)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    prepared = draws.round_to_prepare(stage, 1)
    for entry in tournament.entries.order_by("number")[:4]:
        Bye.objects.create(pairing_round=prepared, entry=entry, kind=Bye.Kind.ASKED)
    drawn = draws.draw_round(stage, number=1, by=by)
    assert drawn.pk == prepared.pk
    assert drawn.matches.count() == 3
    assert drawn.byes.count() == 5


def test_an_absence_scores_nothing_to_the_target() -> None:
    tournament = event(4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    prepared = draws.round_to_prepare(stage, 1)
    absent = tournament.entries.order_by("number")[0]
    Absence.objects.create(pairing_round=prepared, entry=absent)
    play(draws.draw_round(stage, number=1, by=by), by, random.Random(1))
    rebuild_standings(stage)
    row = stage.standing_rows.get(entry=absent)
    assert (row.values["wins"], row.values["difference"], row.played) == (0, -100, 0)


def test_individuals_never_have_a_partner_twice() -> None:
    tournament = event(18, Entry.Kind.SINGLE)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("rotating", rounds=5), by=by)
    chance = random.Random(5)
    partners: Counter[frozenset[int]] = Counter()
    for number in range(1, 6):
        drawn = draws.draw_round(stage, number=number, by=by)
        assert (drawn.matches.count(), drawn.byes.count()) == (4, 2)
        for match in drawn.matches.all():
            at = dict(match.seats.values_list("seat", "entry__number"))
            partners.update([frozenset((at["A"], at["C"])), frozenset((at["B"], at["D"]))])
        play(drawn, by, chance)
    assert max(partners.values()) == 1


def test_a_schedule_is_drawn_with_all_its_rounds() -> None:
    tournament = event(16, Entry.Kind.SINGLE)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("schedule", rounds=5), by=by)
    draws.draw_round(stage, number=1, by=by)
    assert [one.matches.count() for one in stage.rounds.order_by("number")] == [4] * 5


def test_groups_send_their_best_to_a_knockout_with_group_mates_apart() -> None:
    tournament = event(16)
    by = tournament.created_by
    plan = StagePlan("groups", draw={"groups": 4})
    stage = stages.make_stage(tournament, plan, by=by)
    draws.draw_round(stage, number=1, by=by)
    assert stage.rounds.count() == 3
    chance = random.Random(8)
    for pairing_round in stage.rounds.order_by("number"):
        play(pairing_round, by, chance)
    with pytest.raises(draw_errors.StageNotClosed):
        stages.preview_qualifiers(stage, Takes(each=2))
    stage = stages.close_stage(stage, by=by)
    assert set(stage.standing_rows.values_list("group", flat=True)) == {"1", "2", "3", "4"}
    ahead = stages.preview_qualifiers(stage, Takes(each=2))
    assert [place for _, _, place in ahead] == [1] * 4 + [2] * 4
    final = stages.make_stage(
        tournament, StagePlan("knockout", takes=Takes(each=2)), source=stage, by=by
    )
    group_of = {entry.number: group for entry, group, _ in ahead}
    champion = None
    for number in range(1, 4):
        drawn = draws.draw_round(final, number=number, by=by)
        if number < 3:
            for match in drawn.matches.all():
                groups = {group_of[entry] for entry in entries_at(match)}
                assert len(groups) == 2
        play(drawn, by, chance)
    with pytest.raises(draw_errors.BracketIsOver):
        draws.draw_round(final, number=4, by=by)
    final.refresh_from_db()
    bracket = brackets.bracket_of(final)
    assert bracket is not None
    champion = bracket.champion
    assert champion is not None
    assert int(champion) in group_of


@pytest.mark.parametrize("system", ["knockout", "double_elimination"])
def test_a_bracket_of_an_odd_field_ends_with_a_champion(system: str) -> None:
    tournament = event(7)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(system), by=by)
    chance = random.Random(2)
    lost: Counter[int] = Counter()
    for number in range(1, 20):
        try:
            drawn = draws.draw_round(stage, number=number, by=by)
        except draw_errors.BracketIsOver:
            break
        play(drawn, by, chance)
        for match in drawn.matches.all():
            lost.update({seat.entry.number for seat in match.seats.all() if seat.outcome == "loss"})
    allowed = 1 if system == "knockout" else 2
    assert sorted(lost.values()).count(allowed) == 6


def test_a_meeting_best_of_three_is_played_until_two_are_won() -> None:
    tournament = event(2)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("knockout", draw={"best_of": 3}), by=by)
    games = []
    for number, winner in enumerate((1, 2, 1), start=1):
        drawn = draws.draw_round(stage, number=number, by=by)
        pairings.publish(drawn, by=by)
        match = drawn.matches.get()
        games.append(match.game)
        side = next(
            "AC" if seat.seat in "AC" else "BD"
            for seat in match.seats.all()
            if seat.entry.number == winner
        )
        settle(match, side, by)
    assert games == [1, 2, 3]
    stage.refresh_from_db()
    bracket = brackets.bracket_of(stage)
    assert bracket is not None
    assert bracket.champion == "1"


def test_a_closed_stage_keeps_its_standings() -> None:
    tournament = event(4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    play(draws.draw_round(stage, number=1, by=by), by, random.Random(4))
    stage = stages.close_stage(stage, by=by)
    before = list(stage.standing_rows.values())
    for entry in tournament.entries.all()[:2]:
        Entry.objects.filter(pk=entry.pk).update(state=Entry.State.WITHDRAWN)
    rebuild_standings(stage)
    assert list(stage.standing_rows.values()) == before


def test_a_discarded_draft_is_drawn_anew_and_a_published_round_is_not() -> None:
    tournament = event(8)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    request = drawn.draw["request"]
    draws.discard_draft(drawn, by=by)
    draws.discard_draft(drawn, by=by)
    assert Match.objects.filter(pairing_round__stage=stage).count() == 0
    again = draws.draw_round(stage, number=1, by=by)
    assert again.draw["request"] == request
    pairings.publish(again, by=by)
    with pytest.raises(draw_errors.DraftNeeded):
        draws.discard_draft(again, by=by)


def test_a_fixed_table_is_kept() -> None:
    tournament = event(8)
    by = tournament.created_by
    last = tournament.entries.order_by("-number")[0]
    Entry.objects.filter(pk=last.pk).update(fixed_table=1)
    stage = stages.make_stage(tournament, StagePlan("swiss"), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    assert last.number in entries_at(drawn.matches.get(table=1))
    tables = sorted(drawn.matches.values_list("table", flat=True))
    assert tables == [1, 2, 3, 4]


def test_the_stage_may_have_its_own_target() -> None:
    tournament = event(4)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", target=150), by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    assert {rules_of(one).target for one in drawn.matches.all()} == {150}


def test_systems_that_do_not_fit_are_refused() -> None:
    with pytest.raises(draw_errors.SystemNeedsSingles):
        stages.make_stage(tournament := event(4), StagePlan("rotating"), by=tournament.created_by)
    with pytest.raises(draw_errors.SystemNeedsTwoSides):
        stages.make_stage(
            other := event(8, Entry.Kind.SINGLE), StagePlan("swiss"), by=other.created_by
        )


def test_everybody_meets_everybody_once_in_a_group() -> None:
    tournament = event(9)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("groups", draw={"groups": 2}), by=by)
    draws.draw_round(stage, number=1, by=by)
    met = Counter(
        frozenset(entries_at(match)) for match in Match.objects.filter(pairing_round__stage=stage)
    )
    groups: dict[str, list[int]] = {}
    for member in stage.stage_entries.select_related("entry"):
        groups.setdefault(member.group, []).append(member.entry.number)
    wanted = {frozenset(pair) for some in groups.values() for pair in combinations(some, 2)}
    assert dict(met) == dict.fromkeys(wanted, 1)
    assert sorted(len(some) for some in groups.values()) == [4, 5]


def test_a_bye_is_worth_the_target_its_stage_plays_to() -> None:
    tournament = event(5)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("swiss", target=150), by=by)
    play(draws.draw_round(stage, number=1, by=by), by, random.Random(4))
    rebuild_standings(stage)
    bye = Bye.objects.get(pairing_round__stage=stage)
    assert stage.standing_rows.get(entry=bye.entry).values["difference"] == 75


def test_groups_may_be_planned_with_fewer_rounds_than_all_against_all() -> None:
    tournament = event(16)
    by = tournament.created_by
    plan = StagePlan("groups", rounds=3, draw={"groups": 2})
    stage = stages.make_stage(tournament, plan, by=by)
    draws.draw_round(stage, number=1, by=by)
    assert [one.matches.count() for one in stage.rounds.order_by("number")] == [8, 8, 8]


@pytest.mark.parametrize("system", ["round_robin", "groups"])
def test_a_stage_drawn_as_a_whole_has_no_round_after_its_last(system: str) -> None:
    tournament = event(4)
    by = tournament.created_by
    draw = {"groups": 1} if system == "groups" else None
    stage = stages.make_stage(tournament, StagePlan(system, draw=draw), by=by)
    draws.draw_round(stage, number=1, by=by)
    with pytest.raises(draw_errors.RoundsAreDrawn):
        draws.draw_round(stage, number=4, by=by)
    assert stage.rounds.count() == 3


def test_a_fixed_table_is_kept_when_another_entry_needs_the_number_left() -> None:
    tournament = event(4)
    first, other, second, last = tournament.entries.order_by("number")
    first.fixed_table, second.fixed_table = 10, 1
    tables = [Table(1, [first, other]), Table(2, [second, last])]
    assert [one.number for one in draws.at_fixed_tables(tables)] == [10, 1]


def test_a_source_opened_again_at_another_desk_sends_nobody_on() -> None:
    tournament = event(4)
    by = tournament.created_by
    source = stages.make_stage(tournament, StagePlan("swiss", rounds=1), by=by)
    play(draws.draw_round(source, number=1, by=by), by, random.Random(3))
    seen = stages.close_stage(source, by=by)
    stages.reopen_stage(seen, reason="A protest", by=by)
    seen.state = seen.State.CLOSED
    with pytest.raises(draw_errors.StageNotClosed):
        stages.make_stage(tournament, StagePlan("knockout", takes=Takes(2)), source=seen, by=by)
