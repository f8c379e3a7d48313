"""Making stages, seating rounds by hand and publishing them."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from tests.factories import (
    ByeFactory,
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StageFactory,
    TournamentFactory,
)
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import (
    Bye,
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.services import pairings
from tournaments.services.pairings import TableData

pytestmark = pytest.mark.django_db

RUNNING, DRAFT = Tournament.State.RUNNING, PairingRound.State.DRAFT


def running(entries=4, **more):
    tournament = TournamentFactory.create(state=RUNNING, **more)
    for _ in range(entries):
        EntryFactory.create(tournament=tournament)
    return tournament


def by_hand(entries=4, **more):
    return StageFactory.create(tournament=running(entries, **more))


def save(stage, *tables, byes=(), number=1):
    return pairings.save_manual_round(
        stage,
        number=number,
        tables=[TableData(table, entries) for table, entries in tables],
        byes=byes,
        by=stage.tournament.created_by,
    )


def publish(pairing_round, **more):
    by = pairing_round.stage.tournament.created_by
    return pairings.publish(pairing_round, **more, by=by)


def round_robin(tournament, **more):
    return pairings.make_round_robin(tournament, **more, by=tournament.created_by)


def seated(match):
    return {seat.seat: (seat.entry.number, seat.player.pk) for seat in match.seats.all()}


def test_a_round_robin_is_made_whole_as_drafts():
    tournament = running(5)
    stage = round_robin(tournament)
    assert [one.state for one in stage.rounds.all()] == [DRAFT] * 5
    assert Match.objects.count() == 10
    assert MatchSeat.objects.count() == 40
    assert Bye.objects.count() == 5
    assert stage.tie_breaks == ["wins", "difference", "points_for", "lot"]
    first = stage.rounds.get(number=1).draw
    assert first["request"]["entries"][0] == {"id": "1", "rank": 1}
    assert first["answer"]["round"] == 1


def test_partners_sit_opposite_each_other():
    tournament = running(2)
    stage = round_robin(tournament)
    one, other = tournament.entries.order_by("number")
    players = {
        entry.number: [member.player_id for member in entry.members.order_by("position")]
        for entry in (one, other)
    }
    seats = seated(Match.objects.get(pairing_round__stage=stage))
    first, second = seats["A"][0], seats["B"][0]
    assert {first, second} == {1, 2}
    assert seats == {
        "A": (first, players[first][0]), "C": (first, players[first][1]),
        "B": (second, players[second][0]), "D": (second, players[second][1]),
    }  # fmt: skip


def test_two_single_players_sit_at_a_and_b():
    tournament = running(2, entry_kind="single", players_per_table=2)
    round_robin(tournament)
    assert sorted(seated(Match.objects.get())) == ["A", "B"]


def test_a_teams_first_two_members_play():
    tournament = running(2, entry_kind="team")
    round_robin(tournament)
    assert sorted(seated(Match.objects.get())) == ["A", "B", "C", "D"]


def test_asking_twice_for_a_round_robin_returns_the_first():
    tournament = running(4)
    assert round_robin(tournament) == round_robin(tournament, name="Again", legs=2)
    assert Stage.objects.count() == 1
    assert Match.objects.count() == 6
    assert LogEntry.objects.filter(act="round_robin_made").count() == 1


def test_a_round_robin_follows_the_seeds_and_leaves_out_who_has_withdrawn():
    tournament = running(0)
    for number, seed, state in [(1, 3, "registered"), (2, 1, "registered"), (3, 2, "withdrawn")]:
        EntryFactory.create(tournament=tournament, number=number, seed=seed, state=state)
    stage = round_robin(tournament)
    assert stage.rounds.get().draw["request"]["entries"] == [
        {"id": "2", "rank": 1}, {"id": "1", "rank": 2},
    ]  # fmt: skip


def test_making_a_large_round_robin_takes_few_queries(django_assert_max_num_queries):
    tournament = running(20)
    with django_assert_max_num_queries(25):
        round_robin(tournament)
    assert Match.objects.count() == 190


@pytest.mark.parametrize(
    ("facts", "refusal", "sentence"),
    [
        (
            {"state": Tournament.State.OPEN},
            errors.TournamentNotStarted,
            "has not started: its registration is still open. Start the tournament first; then",
        ),
        ({"state": Tournament.State.FINISHED}, errors.TournamentIsFinished, "is finished."),
        ({"state": RUNNING}, errors.TooFewEntries, "has too few entries: 0. Register at least 2."),
        (
            {"state": RUNNING, "entry_kind": "single", "profile": "elimination"},
            table_errors.RoundRobinNeedsTwoSides,
            "In a round robin two entries meet at a table; here 4 single players share one.",
        ),
    ],
)
def test_an_impossible_round_robin_is_refused(facts, refusal, sentence):
    tournament = TournamentFactory.create(**facts)
    with pytest.raises(refusal) as caught:
        round_robin(tournament)
    assert sentence in explain(caught.value)
    assert not Stage.objects.exists()


def test_a_round_robin_for_too_many_is_refused(monkeypatch):
    monkeypatch.setattr(pairings, "LARGEST_ROUND_ROBIN", 3)
    with pytest.raises(table_errors.TooManyForRoundRobin) as caught:
        round_robin(running(4))
    assert explain(caught.value) == (
        "A round robin of 4 entries is too long: 3 entries are the most. Make the tables by hand."
    )


def test_a_stage_by_hand_is_made_once_by_name():
    tournament = running()
    by = tournament.created_by
    first = pairings.make_manual_stage(tournament, name="Final", by=by)
    assert pairings.make_manual_stage(tournament, name=" Final ", by=by) == first
    second = pairings.make_manual_stage(tournament, by=by)
    assert (first.number, second.number, second.name) == (1, 2, "")
    with pytest.raises(errors.TextTooLong, match="81 characters"):
        pairings.make_manual_stage(tournament, name="x" * 81, by=by)


def test_a_round_by_hand_is_seated_and_seated_anew():
    stage = by_hand(5)
    save(stage, (7, (1, 2)), (8, (3, 4)), byes=[5])
    pairing_round = save(stage, (1, (4, 1)), (2, (2, 5)), byes=[3])
    assert PairingRound.objects.count() == 1
    assert [match.table for match in pairing_round.matches.all()] == [1, 2]
    assert seated(pairing_round.matches.get(table=1))["A"][0] == 4
    assert [bye.entry.number for bye in pairing_round.byes.all()] == [3]
    assert pairing_round.draw["answer"]["tables"][0] == {"table": 1, "entries": [4, 1]}


def test_elimination_tables_seat_two_to_four_players_in_order():
    stage = by_hand(9, entry_kind="single", profile="elimination")
    pairing_round = save(stage, (1, (4, 3, 2, 1)), (2, (5, 6, 7)), (3, (9, 8)))
    tables = [seated(match) for match in pairing_round.matches.order_by("table")]
    assert [{seat: number for seat, (number, _) in table.items()} for table in tables] == [
        {"A": 4, "B": 3, "C": 2, "D": 1}, {"A": 5, "B": 6, "C": 7}, {"A": 9, "B": 8},
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("tables", "byes", "refusal", "sentence"),
    [
        (
            [(1, (1, 9))], [], table_errors.UnknownEntry,
            "Open has no entry 9. Check the number in the list of entries.",
        ),
        (
            [(1, (1,))], [], table_errors.WrongNumberAtTable,
            "Table 1 needs this number of entries: 2; found 1. Seat the right number, or give",
        ),
        ([(1, (1, 2, 3))], [], table_errors.WrongNumberAtTable, "Table 1 needs this number of"),
        (
            [(1, (1, 2)), (2, (3, 1))], [], table_errors.SeatedTwice,
            "Entry 1, “Entry 1”, is seated twice, at table 1 and at table 2. Seat it once.",
        ),
        ([(1, (1, 1))], [], table_errors.SeatedTwiceAtTable, "twice at table 1. Seat it once."),
        (
            [(1, (1, 2)), (1, (3, 4))], [], table_errors.TableTwice,
            "Table 1 is used twice in this round. Give each table its own number.",
        ),
        (
            [(0, (1, 2))], [], table_errors.BadTableNumber,
            "A table cannot have the number 0. Number the tables from 1 to 9999.",
        ),
        (
            [(1, (1, 2))], [2], table_errors.SeatedAndBye,
            "Entry 2, “Entry 2”, is seated at table 1 and has the bye as well. Choose one of the",
        ),
        (
            [(1, (1, 2))], [3, 3], table_errors.ByeTwice,
            "Entry 3, “Entry 3”, is listed twice among the byes. List it once.",
        ),
        ([(1, (1, 2))], [8], table_errors.UnknownEntry, "Open has no entry 8."),
        (
            [(1, (1, 4))], [], table_errors.EntryHasWithdrawn,
            "Entry 4, “Entry 4”, has withdrawn. Take it off the tables, or let it return.",
        ),
    ],
)  # fmt: skip
def test_tables_nobody_could_sit_down_at_are_refused(tables, byes, refusal, sentence):
    stage = by_hand(3, name="Open")
    EntryFactory.create(tournament=stage.tournament, state=Entry.State.WITHDRAWN)
    with pytest.raises(refusal) as caught:
        save(stage, *tables, byes=byes)
    assert sentence in explain(caught.value)
    assert not PairingRound.objects.exists()


def test_a_refused_change_leaves_the_draft_as_it_was():
    stage = by_hand(4)
    save(stage, (1, (1, 2)), (2, (3, 4)))
    with pytest.raises(table_errors.SeatedTwice):
        save(stage, (1, (1, 3)), (2, (3, 4)))
    assert seated(Match.objects.get(table=1))["B"][0] == 2


def test_rounds_are_made_in_order():
    stage = by_hand()
    with pytest.raises(table_errors.WrongRoundNumber) as caught:
        save(stage, (1, (1, 2)), number=3)
    assert explain(caught.value) == (
        "Pairing round 3 cannot be made in Main stage now: the next one is 1. Make that one."
    )


def test_a_published_round_cannot_be_seated_anew():
    stage = PairingRoundFactory.create().stage
    with pytest.raises(table_errors.RoundIsPublished) as caught:
        save(stage)
    assert explain(caught.value) == (
        "Pairing round 1 of Main stage has been published, so it cannot be made anew. Correct "
        "single tables instead."
    )


def test_a_round_robin_has_no_rounds_by_hand_and_a_closed_stage_none_at_all():
    stage = round_robin(running())
    with pytest.raises(table_errors.StageIsNotByHand) as caught:
        save(stage, (1, (1, 2)), number=4)
    assert explain(caught.value).startswith("The pairings of Round robin were made as a whole")
    closed = by_hand()
    Stage.objects.filter(pk=closed.pk).update(state=Stage.State.CLOSED)
    with pytest.raises(table_errors.StageIsClosed) as other:
        save(closed, (1, (1, 2)))
    assert explain(other.value) == (
        "The stage Main stage is closed, so its pairings cannot change. Open the stage again first."
    )


def test_a_round_is_published_once():
    pairing_round = round_robin(running()).rounds.get(number=1)
    first = publish(pairing_round)
    assert first.state == PairingRound.State.PUBLISHED
    assert publish(pairing_round).published_at == first.published_at
    assert LogEntry.objects.filter(act="round_published").count() == 1


def test_rounds_are_published_in_order():
    stage = round_robin(running())
    with pytest.raises(table_errors.EarlierRoundIsDraft) as caught:
        publish(stage.rounds.get(number=2))
    assert explain(caught.value) == (
        "Pairing round 1 is still a draft, so round 2 cannot be published. Publish the rounds in "
        "order."
    )


def test_an_empty_round_is_not_published():
    pairing_round = PairingRoundFactory.create(state=DRAFT)
    with pytest.raises(table_errors.RoundIsEmpty) as caught:
        publish(pairing_round)
    assert explain(caught.value) == (
        "Pairing round 1 of Main stage has no tables yet. Seat the entries first, then publish it."
    )


def test_an_odd_entry_without_a_bye_is_named_before_publishing():
    stage = by_hand(5)
    pairing_round = save(stage, (1, (1, 2)), (2, (3, 4)))
    with pytest.raises(table_errors.EntriesLeftOut) as caught:
        publish(pairing_round)
    assert explain(caught.value) == (
        "These entries have neither a table nor a bye: 5 Entry 5. Seat them or give them a bye, "
        "or publish without them on purpose."
    )
    assert publish(pairing_round, leave_out=True).state == PairingRound.State.PUBLISHED
    assert LogEntry.objects.get(act="round_published").details["left_out"] is True


def test_later_stages_may_leave_entries_out():
    stage = by_hand(4)
    final = StageFactory.create(tournament=stage.tournament)
    assert publish(save(final, (1, (1, 2)))).state == PairingRound.State.PUBLISHED


def test_a_withdrawn_entry_is_not_published_in_a_round_by_hand():
    pairing_round = save(by_hand(2), (1, (1, 2)))
    Entry.objects.filter(number=2).update(state=Entry.State.WITHDRAWN)
    with pytest.raises(table_errors.EntryHasWithdrawn, match="Entry 2, “Entry 2”, has withdrawn"):
        publish(pairing_round)


def test_in_a_round_robin_the_tables_of_a_withdrawn_entry_become_walkovers():
    tournament = running(3)
    stage = round_robin(tournament)
    Entry.objects.filter(number=1).update(state=Entry.State.WITHDRAWN)
    for pairing_round in stage.rounds.order_by("number"):
        publish(pairing_round)
    assert not Bye.objects.filter(entry__number=1).exists()
    outcomes = MatchSeat.objects.filter(entry__number=1).values_list("outcome", flat=True)
    assert set(outcomes) == {"walkover_loss"}
    states = stage.rounds.order_by("number").values_list("state", flat=True)
    assert sorted(states) == ["finished", "finished", "published"]


def test_a_stage_is_discarded_until_a_round_is_published():
    stage = round_robin(running())
    by = stage.tournament.created_by
    other = ByeFactory.create().pairing_round
    with pytest.raises(table_errors.RoundIsPublished):
        pairings.discard_stage(other.stage, by=other.stage.tournament.created_by)
    for _ in range(2):
        pairings.discard_stage(stage, by=by)
    assert not Stage.objects.filter(pk=stage.pk).exists()
    assert LogEntry.objects.filter(act="stage_discarded").count() == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda one, by: pairings.make_round_robin(one.stage.tournament, by=by),
        lambda one, by: pairings.make_manual_stage(one.stage.tournament, by=by),
        lambda one, by: pairings.save_manual_round(one.stage, number=1, tables=[], by=by),
        lambda one, by: pairings.publish(one, by=by),
        lambda one, by: pairings.discard_stage(one.stage, by=by),
    ],
)
def test_only_a_director_pairs(change):
    pairing_round = MatchFactory.create().pairing_round
    referee = OfficialFactory.create(tournament=pairing_round.stage.tournament).user
    with pytest.raises(PermissionDenied, match="Only a director of this tournament"):
        change(pairing_round, by=referee)
