"""Late entries in stages whose rounds are all drawn: who takes whose place, and who none."""

from __future__ import annotations

import random
from collections import Counter
from itertools import combinations

import pytest
from rest_framework.test import APIClient

from tests.factories import ClubFactory, EntryFactory
from tests.tournaments.test_attendance import PAIR, row_of
from tests.tournaments.test_services_draws import entries_at, event, play
from tournaments.competition.rotation import TeamsTooFew
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import Absence, Bye, Entry, MatchSeat
from tournaments.policies import Policies, late_limit
from tournaments.services import (
    attendance,
    draws,
    leaving,
    pairings,
    registration,
    stages,
    undoing,
)
from tournaments.services.people import PlayerData
from tournaments.services.stages import StagePlan
from tournaments.words import entries as entry_words

pytestmark = pytest.mark.django_db

ALONE = (PlayerData("Rosa Haddad", club="Olive"),)


def made(entries, system, kind="pair", *, plays=0, policies=None, **plan):
    """Return a stage of that system with its first `plays` rounds played."""
    tournament = event(entries, kind)
    by = tournament.created_by
    if policies is not None:
        registration.set_policies(tournament, policies, by=by)
        tournament.refresh_from_db()
    stage = stages.make_stage(tournament, StagePlan(system, **plan), by=by)
    if plays:
        draws.draw_round(stage, number=1, by=by)
        chance = random.Random(5)
        for number in range(1, plays + 1):
            play(stage.rounds.get(number=number), by, chance)
    stage.refresh_from_db()
    return stage, by


def opponents_of(entry):
    """Return how often an entry has sat against or beside each other one."""
    matches = {seat.match for seat in entry.seats.select_related("match")}
    return Counter(number for one in matches for number in entries_at(one) - {entry.number})


# --- round robin and groups -----------------------------------------------------------------


def test_in_a_round_robin_of_five_a_sixth_meets_whoever_would_rest():
    stage, by = made(5, "round_robin", plays=2)
    entry = registration.register_late(stage, players=PAIR, by=by)
    member = stage.stage_entries.get(entry=entry)
    assert (member.from_round, member.seed) == (3, 6)
    left = stage.rounds.filter(number__gte=3)
    assert not Bye.objects.filter(pairing_round__in=left).exists()
    assert [one.matches.count() for one in left] == [3, 3, 3]
    assert set(opponents_of(entry).values()) == {1}
    assert len(opponents_of(entry)) == 3
    absences = Absence.objects.filter(entry=entry)
    assert sorted(absences.values_list("pairing_round__number", "kind")) == [
        (1, "late"), (2, "late"),
    ]  # fmt: skip


def test_the_table_of_a_newcomer_has_a_number_nobody_else_has_and_both_sides_in_turn():
    stage, by = made(5, "round_robin", plays=1)
    entry = registration.register_late(stage, players=PAIR, by=by)
    for one in stage.rounds.filter(number__gte=2):
        tables = list(one.matches.values_list("table", flat=True))
        assert len(set(tables)) == len(tables) == 3
    letters = entry.seats.order_by("pairing_round__number", "seat").values_list("seat", flat=True)
    assert "".join(letters) == "BDACBDAC"


def test_missed_rounds_score_what_the_event_says_and_the_others_are_played():
    half = Policies(absences=(("late", (50, 100)),))
    stage, by = made(5, "round_robin", plays=2, policies=half)
    entry = registration.register_late(stage, players=PAIR, by=by)
    row = row_of(entry, stage)
    assert (row.values["wins"], row.values["points_for"], row.played) == (0, 100, 0)
    play(stage.rounds.get(number=3), by, random.Random(1))
    assert row_of(entry, stage).played == 1


def test_a_newcomer_joins_the_group_with_an_odd_number():
    stage, by = made(9, "groups", plays=1, draw={"groups": 2})
    odd = [group for group in "12" if stage.stage_entries.filter(group=group).count() == 5]
    entry = registration.register_late(stage, players=PAIR, by=by)
    member = stage.stage_entries.get(entry=entry)
    assert [member.group] == odd
    mates = set(stage.stage_entries.filter(group=member.group).values_list("entry", flat=True))
    met = set(MatchSeat.objects.filter(match__seats__entry=entry).values_list("entry", flat=True))
    assert met <= mates
    assert row_of(entry, stage).group == member.group


def test_where_nobody_rests_a_newcomer_is_refused_with_what_would_help():
    stage, by = made(8, "groups", plays=1, draw={"groups": 2})
    assert not attendance.takes_late_entries(stage)
    with pytest.raises(entry_errors.NobodyRests) as refused:
        registration.register_late(stage, players=PAIR, by=by)
    assert "from round 2 on everybody has somebody to meet" in explain(refused.value)
    assert not stage.tournament.entries.filter(number=9).exists()
    assert "When an entry withdraws" in entry_words.late_words(stage)


def test_a_newcomer_sits_where_one_who_withdrew_would_have_sat():
    stage, by = made(8, "groups", plays=1, draw={"groups": 2})
    gone = stage.tournament.entries.get(number=3)
    later = set(
        MatchSeat.objects.filter(entry=gone, pairing_round__number__gte=2).values_list(
            "match", "seat"
        )
    )
    leaving.withdraw(gone, by=by)
    entry = registration.register_late(stage, players=PAIR, by=by)
    assert set(entry.seats.values_list("match", "seat")) == later
    assert {seat.player.name for seat in entry.seats.select_related("player")} == {
        "Rosa Haddad", "Sami Nasser",
    }  # fmt: skip
    assert gone.seats.filter(pairing_round__number=1).exists()
    drawn = pairings.publish(stage.rounds.get(number=2), by=by)
    assert not drawn.matches.filter(state="closed").exists()


def test_who_returns_to_a_place_that_was_taken_has_none_until_somebody_rests():
    stage, by = made(8, "groups", plays=1, draw={"groups": 2})
    gone = stage.tournament.entries.get(number=3)
    leaving.withdraw(gone, by=by)
    registration.register_late(stage, players=PAIR, by=by)
    leaving.reinstate(Entry.objects.get(pk=gone.pk), by=by)
    assert stage.stage_entries.get(entry=gone).until_round == 1
    assert not gone.seats.filter(pairing_round__number__gte=2).exists()


def test_who_returns_before_anybody_came_has_the_own_place():
    stage, by = made(8, "groups", plays=1, draw={"groups": 2})
    gone = stage.tournament.entries.get(number=3)
    leaving.withdraw(gone, by=by)
    leaving.reinstate(Entry.objects.get(pk=gone.pk), by=by)
    assert stage.stage_entries.get(entry=gone).until_round is None
    assert gone.seats.filter(pairing_round__number__gte=2).exists()


def test_after_the_last_round_is_published_nobody_enters():
    stage, by = made(3, "round_robin", plays=3, policies=Policies(late_entry=50))
    with pytest.raises(entry_errors.NoRoundLeft, match="next stage"):
        registration.register_late(stage, players=PAIR, by=by)


def test_half_of_the_rounds_counts_those_of_a_round_robin_too():
    stage, by = made(7, "round_robin", plays=4)
    assert late_limit(stage) == 4
    with pytest.raises(entry_errors.LateEntryIsOver, match="until round 4 was drawn"):
        registration.register_late(stage, players=PAIR, by=by)


@pytest.mark.parametrize("system", ["round_robin", "knockout", "double_elimination"])
def test_before_the_draw_whoever_comes_is_drawn_with_all_others(system):
    stage, by = made(4, system)
    entry = registration.register_late(stage, players=PAIR, by=by)
    assert stage.stage_entries.get(entry=entry).from_round == 1
    draws.draw_round(stage, number=1, by=by)
    drawn = stage.rounds.get(number=1).draw["request"]["entries"]
    assert str(entry.number) in {one["id"] for one in drawn}


def test_a_bracket_that_is_drawn_takes_nobody():
    stage, by = made(4, "knockout", plays=1)
    with pytest.raises(entry_errors.LateEntryImpossible, match="who meets whom is drawn"):
        registration.register_late(stage, players=PAIR, by=by)


def test_a_fixed_table_is_kept_for_the_newcomers_who_need_it():
    stage, by = made(5, "round_robin", plays=1)
    entry = EntryFactory.create(tournament=stage.tournament, fixed_table=9)
    attendance.join_stage(stage, entry=entry, by=by)
    assert set(entry.seats.values_list("match__table", flat=True)) == {9}


# --- individuals by a fixed schedule --------------------------------------------------------


def test_in_a_schedule_three_who_rest_make_up_a_table_with_the_newcomer():
    stage, by = made(11, "schedule", "single", rounds=6, plays=2)
    entry = registration.register_late(stage, players=ALONE, by=by)
    left = stage.rounds.filter(number__gte=3)
    assert [one.matches.count() for one in left] == [3] * 4
    assert not Bye.objects.filter(pairing_round__in=left).exists()
    partners = [
        seat.match.seats.exclude(entry=entry).get(seat="C").entry_id
        for seat in entry.seats.select_related("match")
    ]
    assert len(set(partners)) == 4


@pytest.mark.parametrize("players", [8, 9, 10])
def test_in_a_schedule_fewer_who_rest_are_too_few(players):
    stage, by = made(players, "schedule", "single", rounds=6, plays=1)
    with pytest.raises(entry_errors.TooFewRest) as refused:
        registration.register_late(stage, players=ALONE, by=by)
    assert f"in one of them {players - 8} rest" in explain(refused.value)


def test_in_a_schedule_the_place_of_one_who_left_is_taken_with_the_rests_of_it():
    stage, by = made(9, "schedule", "single", rounds=9, plays=1, policies=Policies(late_entry=9))
    gone = stage.tournament.entries.get(number=4)
    leaving.withdraw(gone, by=by)
    entry = registration.register_late(stage, players=ALONE, by=by)
    assert not gone.seats.filter(pairing_round__number__gte=2).exists()
    rounds = entry.seats.count() + Bye.objects.filter(entry=entry).count()
    assert rounds == 8


# --- teams of four --------------------------------------------------------------------------


def teams(sizes):
    tournament = event(0, "single")
    for size in sizes:
        club = ClubFactory.create()
        EntryFactory.create_batch(size, tournament=tournament, club=club)
    return tournament


def test_a_fifth_member_is_refused_when_the_stage_is_made_not_at_the_draw():
    tournament = teams([5, 4, 4, 4])
    with pytest.raises(entry_errors.TeamTooLargeHere) as refused:
        stages.make_stage(
            tournament, StagePlan("teams_of_four", rounds=3), by=tournament.created_by
        )
    club = tournament.entries.get(number=1).club
    assert explain(refused.value).startswith(f"{club} has 5 members")
    assert not tournament.stages.exists()


def test_a_fifth_member_joins_a_stage_only_when_one_has_left():
    tournament = teams([4, 4, 4, 4])
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("teams_of_four", rounds=5), by=by)
    play(draws.draw_round(stage, number=1, by=by), by, random.Random(1))
    first = tournament.entries.get(number=1)
    fifth = EntryFactory.create(tournament=tournament, club=first.club, state="waiting")
    with pytest.raises(entry_errors.TeamIsFull) as refused:
        attendance.join_stage(stage, entry=fifth, by=by)
    assert "plays from the next round on" in explain(refused.value)
    fifth.refresh_from_db()
    assert fifth.state == "waiting"
    leaving.withdraw(first, by=by)
    attendance.join_stage(stage, entry=fifth, by=by)
    drawn = draws.draw_round(stage, number=2, by=by)
    assert fifth.number in {number for one in drawn.matches.all() for number in entries_at(one)}


def test_too_few_teams_are_refused_when_the_stage_is_made():
    tournament = teams([4, 4, 4])
    with pytest.raises(TeamsTooFew, match="Four teams of equal size are the fewest"):
        stages.make_stage(
            tournament, StagePlan("teams_of_four", rounds=3), by=tournament.created_by
        )
    assert not tournament.stages.exists()


# --- the doors ------------------------------------------------------------------------------


def test_the_page_says_who_can_enter_a_round_robin_and_lets_them(client, text):
    stage, by = made(5, "round_robin", plays=2)
    slug = stage.tournament.slug
    client.force_login(by)
    page = text(client.get(f"/desk/{slug}/entries/"))
    assert "Late entries to Round robin: until round 3 is drawn." in page
    assert "Who enters now plays from round 3 on." in page
    given = {"player1": "Rosa Haddad", "player2": "Sami Nasser", "club": "Olive"}
    assert client.post(f"/desk/{slug}/entries/", given).status_code == 302
    assert stage.stage_entries.count() == 6


def test_the_page_says_why_nobody_can_enter(client, text):
    stage, by = made(6, "round_robin", plays=1)
    client.force_login(by)
    page = text(client.get(f"/desk/{stage.tournament.slug}/entries/"))
    assert "Nobody can enter Round robin now: from round 2 on" in page
    assert "id_player1" not in page


def test_the_api_enters_late_or_says_why_not():
    stage, by = made(5, "round_robin", plays=1)
    api = APIClient()
    api.force_authenticate(by)
    desk = f"/api/desk/{stage.tournament.slug}"
    (late,) = api.get(f"{desk}/registration/").json()["late"]
    assert (late["is_open"], late["next_round"], late["last_round"]) == (True, 2, 3)
    sent = {"players": [{"name": "Rosa Haddad"}, {"name": "Sami Nasser"}]}
    assert api.post(f"{desk}/stages/1/late/", sent, format="json").status_code == 201
    more = {"players": [{"name": "Lina Aziz"}, {"name": "Omar Said"}]}
    refused = api.post(f"{desk}/stages/1/late/", more, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "nobody_rests")


def test_entries_that_met_once_never_meet_again_because_somebody_came_late():
    stage, by = made(7, "round_robin", plays=1)
    registration.register_late(stage, players=PAIR, by=by)
    met = Counter(
        pair
        for one in stage.rounds.all()
        for match in one.matches.all()
        for pair in combinations(sorted(entries_at(match)), 2)
    )
    assert max(met.values()) == 1


# --- back -----------------------------------------------------------------------------------


def seats_of(stage):
    return sorted(
        MatchSeat.objects.filter(pairing_round__stage=stage).values_list(
            "pairing_round__number", "match__table", "seat", "entry__number", "player"
        )
    )


def resting_of(stage):
    byes = Bye.objects.filter(pairing_round__stage=stage)
    return sorted(byes.values_list("pairing_round__number", "entry__number"))


@pytest.mark.parametrize(
    ("system", "kind", "entries", "leaves"),
    [
        ("round_robin", "pair", 5, False),
        ("round_robin", "pair", 6, True),
        ("schedule", "single", 11, False),
        ("schedule", "single", 9, True),
    ],
)
def test_a_late_entry_taken_back_leaves_every_round_as_it_was(system, kind, entries, leaves):
    rounds = {"rounds": 6} if system == "schedule" else {}
    stage, by = made(entries, system, kind, plays=1, **rounds)
    if leaves:
        leaving.withdraw(stage.tournament.entries.get(number=4), by=by)
    before = seats_of(stage), resting_of(stage)
    entry = EntryFactory.create(tournament=stage.tournament, state="waiting")
    attendance.join_stage(stage, entry=entry, by=by)
    assert (seats_of(stage), resting_of(stage)) != before
    undoing.undo(stage.tournament.log.get(act="entry_joined_late"), by=by)
    assert (seats_of(stage), resting_of(stage)) == before
    assert not stage.stage_entries.filter(entry=entry).exists()
    assert not Absence.objects.filter(entry=entry).exists()
    entry.refresh_from_db()
    assert entry.state == "waiting"
