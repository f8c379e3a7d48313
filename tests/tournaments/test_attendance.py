"""Absences, late entries, leaving and returning, substitutes."""

from __future__ import annotations

import random

import pytest
from django.core.exceptions import PermissionDenied
from rest_framework.test import APIClient

from tests.factories import EntryFactory, TournamentFactory, UserFactory
from tests.tournaments.test_services_draws import entries_at, event, play
from tournaments.errors import base as errors
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import Absence, Entry, Match, StandingRow
from tournaments.policies import Policies, late_limit
from tournaments.services import (
    attendance,
    draws,
    leaving,
    pairings,
    registration,
    stages,
    substitutes,
)
from tournaments.services.people import PlayerData
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

PAIR = (PlayerData("Rosa Haddad", club="Olive"), PlayerData("Sami Nasser", club="Olive"))


def swiss(pairs=6, rounds=5, **more):
    tournament = event(pairs, **more)
    return stages.make_stage(tournament, StagePlan("swiss", rounds=rounds), by=director(tournament))


def director(tournament):
    return tournament.created_by


def played(stage, *numbers):
    chance = random.Random(11)
    for number in numbers:
        play(draws.draw_round(stage, number=number, by=stage.tournament.created_by),
             stage.tournament.created_by, chance)  # fmt: skip


def row_of(entry, stage):
    rebuild_standings(stage)
    return StandingRow.objects.get(stage=stage, entry=entry)


# --- absences -------------------------------------------------------------------------------


def test_an_absence_before_the_draw_leaves_the_entry_out_and_can_be_taken_back():
    stage = swiss()
    by = stage.tournament.created_by
    entry = stage.tournament.entries.get(number=2)
    attendance.set_absence(stage, number=1, entry=entry, kind="absent", by=by)
    attendance.set_absence(stage, number=1, entry=entry, kind="absent", by=by)
    assert Absence.objects.count() == 1
    assert stage.tournament.log.filter(act="absence_noted").count() == 1
    attendance.set_absence(stage, number=1, entry=entry, kind=None, by=by)
    assert not Absence.objects.exists()
    attendance.set_absence(stage, number=1, entry=entry, kind="excused", by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    assert not any(entry.number in entries_at(match) for match in drawn.matches.all())


def test_of_a_drawn_round_only_the_kind_of_an_absence_changes():
    stage = swiss()
    by = stage.tournament.created_by
    missing, present = stage.tournament.entries.order_by("number")[:2]
    attendance.set_absence(stage, number=1, entry=missing, kind="absent", by=by)
    drawn = draws.draw_round(stage, number=1, by=by)
    attendance.set_absence(stage, number=1, entry=missing, kind="excused", by=by)
    assert Absence.objects.get().kind == "excused"
    with pytest.raises(entry_errors.AbsenceStays, match="cannot be taken away"):
        attendance.set_absence(stage, number=1, entry=missing, kind=None, by=by)
    with pytest.raises((entry_errors.SitsInRound, entry_errors.RestsInRound)):
        attendance.set_absence(stage, number=1, entry=present, kind="absent", by=by)
    resting = drawn.byes.get().entry if drawn.byes.exists() else None
    if resting is not None:
        with pytest.raises(entry_errors.RestsInRound, match="misses nothing"):
            attendance.set_absence(stage, number=1, entry=resting, kind="absent", by=by)


def test_absences_of_other_rounds_and_other_entries_are_refused():
    stage = swiss(rounds=5)
    by = stage.tournament.created_by
    entry = stage.tournament.entries.first()
    with pytest.raises(entry_errors.NoSuchRound) as refused:
        attendance.set_absence(stage, number=6, entry=entry, kind="absent", by=by)
    assert "from 1 to 5" in explain(refused.value)
    stranger = EntryFactory.create(tournament=stage.tournament)
    with pytest.raises(entry_errors.NotInStage):
        attendance.set_absence(stage, number=1, entry=stranger, kind="absent", by=by)
    with pytest.raises(PermissionDenied):
        attendance.set_absence(stage, number=1, entry=entry, kind="absent", by=UserFactory.create())


def test_excuses_are_counted_against_what_the_event_allows():
    stage = swiss(rounds=5)
    tournament = stage.tournament
    by = tournament.created_by
    entry = tournament.entries.get(number=3)
    half = Policies(absences=(("excused", (50, 50)),), most_excused=1)
    registration.set_policies(tournament, half, by=by)
    stage.refresh_from_db()
    attendance.set_absence(stage, number=1, entry=entry, kind="excused", by=by)
    with pytest.raises(entry_errors.TooManyExcused) as refused:
        attendance.set_absence(stage, number=2, entry=entry, kind="excused", by=by)
    assert "excused 1 time in" in explain(refused.value)
    attendance.set_absence(stage, number=2, entry=entry, kind="absent", by=by)
    played(stage, 1, 2)
    row = row_of(entry, stage)
    assert (row.values["wins"], row.values["points_for"]) == (0, 50)


@pytest.mark.parametrize(
    ("policies", "refusal"),
    [
        (Policies(absences=(("absent", (200, 100)),)), entry_errors.BadMissedPoints),
        (Policies(absences=(("late", (0, 900)),)), entry_errors.BadMissedPoints),
        (Policies(bye=(900, 0)), entry_errors.BadByePoints),
        (Policies(late_entry=90), entry_errors.BadLateLimit),
        (Policies(most_excused=90), entry_errors.BadExcuseLimit),
    ],
)
def test_policies_nobody_could_mean_are_refused(policies, refusal):
    tournament = TournamentFactory.create()
    with pytest.raises(refusal) as refused:
        registration.set_policies(tournament, policies, by=tournament.created_by)
    assert explain(refused.value).endswith(".")


def test_a_bye_scores_what_the_event_says():
    stage = swiss(pairs=5)
    registration.set_policies(
        stage.tournament, Policies(bye=(100, 0)), by=stage.tournament.created_by
    )
    stage.refresh_from_db()
    played(stage, 1)
    resting = stage.rounds.get(number=1).byes.get().entry
    assert row_of(resting, stage).values["difference"] == 100


# --- situation 9: leaving and rejoining earns nothing ----------------------------------------


def test_situation_9_rounds_missed_by_leaving_and_returning_are_never_won():
    stage = swiss(pairs=8, rounds=7)
    tournament = stage.tournament
    by = tournament.created_by
    played(stage, 1, 2)
    entry = tournament.entries.get(number=1)
    for missed in (3, 5, 7):
        before = row_of(entry, stage).values
        leaving.withdraw(entry, by=by)
        assert stage.stage_entries.get(entry=entry).until_round == missed - 1
        played(stage, missed)
        entry = leaving.reinstate(Entry.objects.get(pk=entry.pk), by=by)
        after = row_of(entry, stage).values
        assert [after[name] - before[name] for name in ("wins", "points_for")] == [0, 0]
        if missed < 7:
            played(stage, missed + 1)
    absences = Absence.objects.filter(entry=entry).order_by("pairing_round__number")
    found = [(one.pairing_round.number, one.kind) for one in absences]
    assert found == [(3, "absent"), (5, "absent"), (7, "absent")]
    assert row_of(entry, stage).played == 4
    acts = tournament.log.filter(act="entry_reinstated").order_by("pk")
    assert [list(one.details["missed"].values()) for one in acts] == [[[3]], [[5]], [[7]]]
    assert tournament.log.filter(act="entry_withdrawn").count() == 3


def test_situation_9_one_missed_round_may_be_excused_for_half_and_no_second_one():
    stage = swiss(pairs=8, rounds=7)
    tournament, by = stage.tournament, stage.tournament.created_by
    half = Policies(absences=(("excused", (50, 50)),), most_excused=1)
    registration.set_policies(tournament, half, by=by)
    stage.refresh_from_db()
    entry = tournament.entries.get(number=1)
    played(stage, 1, 2)
    for missed in (3, 5):
        leaving.withdraw(entry, by=by)
        played(stage, missed)
        entry = leaving.reinstate(Entry.objects.get(pk=entry.pk), by=by)
        if missed == 3:
            played(stage, 4)
    before = row_of(entry, stage).values
    attendance.set_absence(stage, number=3, entry=entry, kind="excused", by=by)
    with pytest.raises(entry_errors.TooManyExcused):
        attendance.set_absence(stage, number=5, entry=entry, kind="excused", by=by)
    after = row_of(entry, stage).values
    assert [after[name] - before[name] for name in ("wins", "points_for")] == [0, 50]
    (line,) = tournament.log.filter(act="absence_noted", details__round=3)
    assert line.details["kind"] == "excused"


def test_a_published_table_of_who_withdraws_is_a_walkover_and_no_second_absence():
    stage = swiss(pairs=4)
    by = stage.tournament.created_by
    drawn = draws.draw_round(stage, number=1, by=by)
    pairings.publish(drawn, by=by)
    entry = stage.tournament.entries.get(number=1)
    leaving.withdraw(entry, by=by)
    leaving.reinstate(Entry.objects.get(pk=entry.pk), by=by)
    assert Match.objects.filter(seats__entry=entry, state=Match.State.CLOSED).exists()
    assert not Absence.objects.exists()


# --- late entries ---------------------------------------------------------------------------


def test_a_late_entry_plays_from_the_next_round_and_has_missed_those_before():
    stage = swiss(pairs=4, rounds=5)
    by = stage.tournament.created_by
    played(stage, 1, 2)
    entry = registration.register_late(stage, players=PAIR, by=by)
    joined = stage.stage_entries.get(entry=entry)
    assert (joined.from_round, joined.seed) == (3, 5)
    kinds = Absence.objects.filter(entry=entry).values_list("pairing_round__number", "kind")
    assert sorted(kinds) == [(1, "late"), (2, "late")]
    row = row_of(entry, stage)
    assert (row.values["wins"], row.values["points_for"], row.played) == (0, 0, 0)
    assert attendance.join_stage(stage, entry=entry, by=by).pk == joined.pk
    drawn = draws.draw_round(stage, number=3, by=by)
    seated = {number for match in drawn.matches.all() for number in entries_at(match)}
    assert entry.number in seated | set(drawn.byes.values_list("entry__number", flat=True))


def test_situation_57_half_of_nine_rounds_is_said_by_number_and_the_api_agrees(client, text):
    stage = swiss(pairs=4, rounds=9)
    tournament = stage.tournament
    assert late_limit(stage) == 5
    client.force_login(tournament.created_by)
    slug = tournament.slug
    for address in (f"/t/{slug}/register/", f"/desk/{slug}/entries/", f"/desk/{slug}/absences/1/"):
        assert "until round 5 is drawn" in text(client.get(address))
    api = APIClient()
    api.force_authenticate(tournament.created_by)
    answer = api.get(f"/api/desk/{tournament.slug}/registration/").json()
    assert APIClient().get(f"/api/t/{tournament.slug}/registration/").json() == answer
    assert answer["late"][0]["last_round"] == 5
    assert answer["late"][0]["is_open"] is True
    assert "until round 5 is drawn" in answer["late"][0]["sentence"]


def test_situation_57_after_that_round_nobody_enters_and_the_sentence_names_it():
    stage = swiss(pairs=8, rounds=3)
    by = stage.tournament.created_by
    played(stage, 1)
    assert attendance.takes_late_entries(stage)
    played(stage, 2)
    assert not attendance.takes_late_entries(stage)
    with pytest.raises(entry_errors.LateEntryIsOver) as refused:
        registration.register_late(stage, players=PAIR, by=by)
    assert "until round 2 was drawn" in explain(refused.value)
    assert not stage.tournament.entries.filter(number=9).exists()


# --- situation 13, the part of the desk ------------------------------------------------------


def test_situation_13_who_is_out_is_not_drawn_again():
    stage = swiss(pairs=6)
    by = stage.tournament.created_by
    played(stage, 1)
    entry = stage.tournament.entries.get(number=2)
    entry.state = Entry.State.DISQUALIFIED
    entry.save()
    drawn = draws.draw_round(stage, number=2, by=by)
    assert str(entry.number) not in {one["id"] for one in drawn.draw["request"]["entries"]}


# --- substitutes ----------------------------------------------------------------------------


def test_a_substitute_plays_from_a_round_on_and_old_results_stay():
    stage = swiss(pairs=4)
    by = stage.tournament.created_by
    played(stage, 1)
    drawn = draws.draw_round(stage, number=2, by=by)
    entry = stage.tournament.entries.get(number=1)
    first = entry.members.get(position=1).player
    into = substitutes.add_substitute(entry, written=PlayerData("Lina Aziz"), by=by).player
    _, changed = substitutes.substitute(entry, out=first, into=into, number=2, by=by)
    assert [match.pairing_round_id for match in changed] == [drawn.pk]
    assert entry.seats.filter(player=first).get().pairing_round.number == 1
    assert substitutes.substitute(entry, out=first, into=into, number=2, by=by)[1] == []
    pairings.publish(drawn, by=by)
    assert entry.members.get(player=into).position == 1
    assert entry.members.get(player=first).on_bench


def test_substitutes_who_are_none_are_refused():
    tournament = TournamentFactory.create()
    by = tournament.created_by
    entry, other = EntryFactory.create_batch(2, tournament=tournament)
    one, two = (member.player for member in entry.members.order_by("position"))
    with pytest.raises(entry_errors.NotOnBench):
        substitutes.substitute(entry, out=one, into=two, by=by)
    with pytest.raises(entry_errors.NotOnBench):
        substitutes.substitute(entry, out=one, into=other.members.get(position=1).player, by=by)
    entered = other.members.get(position=1).player
    written = PlayerData(entered.name, club=str(entered.club), country="EG")
    with pytest.raises(errors.AlreadyEntered):
        substitutes.add_substitute(entry, written=written, by=by)
    lina = substitutes.add_substitute(entry, written=PlayerData("Lina Aziz"), by=by).player
    with pytest.raises(entry_errors.NotInLineUp):
        substitutes.substitute(entry, out=other.members.get(position=1).player, into=lina, by=by)


def test_a_single_player_has_no_bench():
    tournament = TournamentFactory.create(entry_kind=Entry.Kind.SINGLE)
    entry = EntryFactory.create(tournament=tournament)
    with pytest.raises(entry_errors.NoBenchForSingles):
        substitutes.add_substitute(entry, written=PlayerData("Lina Aziz"), by=tournament.created_by)


def test_a_stage_seated_by_hand_takes_somebody_late_without_a_list():
    tournament = event(4)
    by = director(tournament)
    stage = pairings.make_manual_stage(tournament, by=by)
    tables = [pairings.TableData(1, (1, 2)), pairings.TableData(2, (3, 4))]
    drawn = pairings.save_manual_round(stage, number=1, tables=tables, by=by)
    pairings.publish(drawn, by=by)
    entry = registration.register_late(stage, players=PAIR, by=by)
    assert not stage.stage_entries.exists()
    assert Absence.objects.get(entry=entry).pairing_round == drawn
    tables = [pairings.TableData(1, (1, entry.number)), pairings.TableData(2, (2, 3))]
    after = pairings.save_manual_round(stage, number=2, tables=tables, byes=[4], by=by)
    assert after.matches.filter(seats__entry=entry).exists()


def test_a_draft_event_without_hours_says_that_its_director_opens_it():
    tournament = TournamentFactory.create(state="draft")
    with pytest.raises(entry_errors.RegistrationNotAnnounced, match="look again later"):
        registration.require_window_open(tournament)
