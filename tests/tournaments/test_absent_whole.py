"""Absent when a stage is drawn whole: that round's table is a walkover, the others are played."""

from __future__ import annotations

import random

import pytest
from rest_framework.test import APIClient

from tests.tournaments.test_services_draws import entries_at, event, play
from tournaments.errors import entries as entry_errors
from tournaments.models import Absence, Bye, Entry, Match, PairingRound, Stage
from tournaments.policies import Policies
from tournaments.queries.players import entry_page
from tournaments.services import (
    attendance,
    deciding,
    draws,
    pairings,
    registration,
    scores,
    stages,
    undoing,
)
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

PLANS = {
    "round_robin": (StagePlan("round_robin"), 6, Entry.Kind.PAIR),
    "groups": (StagePlan("groups", draw={"groups": 2}), 8, Entry.Kind.PAIR),
    "schedule": (StagePlan("schedule", rounds=4), 16, Entry.Kind.SINGLE),
}


def made(system: str) -> tuple[Stage, Entry]:
    plan, size, kind = PLANS[system]
    tournament = event(size, kind)
    stage = stages.make_stage(tournament, plan, by=tournament.created_by)
    return stage, tournament.entries.get(number=2)


def absent(stage: Stage, entry: Entry, number: int = 1, kind: str | None = "absent") -> None:
    attendance.set_absence(
        stage, number=number, entry=entry, kind=kind, by=entry.tournament.created_by
    )


def published(stage: Stage, number: int) -> PairingRound:
    by = stage.tournament.created_by
    return pairings.publish(draws.draw_round(stage, number=1, by=by) if number == 1
                            else stage.rounds.get(number=number), by=by)  # fmt: skip


def table_of(entry: Entry, number: int) -> Match:
    return Match.objects.get(
        pk__in=entry.seats.filter(pairing_round__number=number).values("match").distinct()
    )


def points(match: Match, entry: Entry) -> tuple[str, int | None, int | None]:
    seat = match.seats.filter(entry=entry).order_by("seat")[0]
    return seat.outcome, seat.points_for, seat.points_against


@pytest.mark.parametrize("system", PLANS)
def test_whoever_is_absent_at_the_draw_stays_in_the_whole_schedule(system):
    stage, entry = made(system)
    absent(stage, entry)
    by = stage.tournament.created_by
    draws.draw_round(stage, number=1, by=by)
    for one in stage.rounds.all():
        assert one.matches.filter(seats__entry=entry).exists() or one.byes.filter(entry=entry)


@pytest.mark.parametrize("system", PLANS)
def test_the_table_of_the_absent_becomes_a_walkover_and_the_others_win_half_the_target(system):
    stage, entry = made(system)
    absent(stage, entry)
    published(stage, 1)
    match = table_of(entry, 1)
    target = stage.tournament.rules["target"]
    assert match.state == "closed"
    assert points(match, entry) == ("walkover_loss", 0, target)
    for seat in match.seats.exclude(entry=entry):
        assert (seat.outcome, seat.points_for) == ("walkover_win", target // 2)
    others = Match.objects.filter(pairing_round__stage=stage, pairing_round__number=1)
    assert set(others.exclude(pk=match.pk).values_list("state", flat=True)) == {"waiting"}


def test_the_absence_of_a_table_counts_once_in_the_standings_and_on_the_page_of_the_entry():
    stage, entry = made("round_robin")
    absent(stage, entry)
    chance = random.Random(4)
    by = stage.tournament.created_by
    published(stage, 1)
    for match in stage.rounds.get(number=1).matches.exclude(state="closed"):
        match_seats = {side: 100 if side == "AC" else 40 for side in ("AC", "BD")}

        scores.record_score(match, points=match_seats, sure=True, by=by)
    rebuild_standings(stage)
    row = stage.standing_rows.get(entry=entry)
    assert (row.played, row.values["wins"], row.values["points_for"]) == (1, 0, 0)
    assert row.values["difference"] == -stage.tournament.rules["target"]
    assert len(entry_page(entry).results) == 1
    play(stage.rounds.get(number=2), by, chance)
    rebuild_standings(stage)
    assert stage.standing_rows.get(entry=entry).played == 2


def test_an_excused_absence_scores_what_the_event_says_of_it_and_counts_as_an_excuse():
    stage, entry = made("round_robin")
    half = Policies(absences=(("excused", (50, 60)),), most_excused=1)
    by = stage.tournament.created_by
    registration.set_policies(stage.tournament, half, by=by)
    stage.refresh_from_db()
    absent(stage, entry, kind="excused")
    published(stage, 1)
    assert points(table_of(entry, 1), entry) == ("walkover_loss", 50, 60)
    with pytest.raises(entry_errors.TooManyExcused):
        absent(stage, entry, 2, "excused")


def test_two_absent_who_would_have_met_both_lose():
    stage, entry = made("round_robin")
    by = stage.tournament.created_by
    draws.draw_round(stage, number=1, by=by)
    draft = table_of(entry, 1)
    for one in Entry.objects.filter(seats__match=draft).distinct():
        absent(stage, one)
    pairings.publish(stage.rounds.get(number=1), by=by)
    assert set(draft.seats.values_list("outcome", flat=True)) == {"walkover_loss"}


def test_who_is_absent_where_the_schedule_lets_it_rest_is_absent_and_has_no_bye():
    tournament = event(5)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("round_robin"), by=by)
    draws.draw_round(stage, number=1, by=by)
    resting = Bye.objects.get(pairing_round__number=1).entry
    absent(stage, resting)
    pairings.publish(stage.rounds.get(number=1), by=by)
    assert not Bye.objects.filter(pairing_round__number=1).exists()
    assert Absence.objects.get().entry == resting


def test_an_absence_of_a_later_round_is_noted_while_it_waits_and_can_be_taken_back():
    stage, entry = made("round_robin")
    published(stage, 1)
    absent(stage, entry, 2)
    assert Absence.objects.filter(entry=entry).count() == 1
    absent(stage, entry, 2, None)
    assert not Absence.objects.exists()
    absent(stage, entry, 2)
    published(stage, 2)
    assert table_of(entry, 2).state == "closed"
    with pytest.raises(entry_errors.SitsInRound):
        absent(stage, entry, 2, None)


def test_taking_the_publication_back_opens_the_table_and_the_absence_stays_noted():
    stage, entry = made("round_robin")
    absent(stage, entry)
    published(stage, 1)
    by = stage.tournament.created_by
    undoing.undo(stage.tournament.log.get(act="round_published"), by=by)
    assert table_of(entry, 1).state == "waiting"
    absent(stage, entry, kind=None)
    pairings.publish(stage.rounds.get(number=1), by=by)
    assert table_of(entry, 1).state == "waiting"
    assert entries_at(table_of(entry, 1)) >= {entry.number}


def test_a_note_for_a_round_that_waits_is_taken_back_in_the_log():
    stage, entry = made("round_robin")
    published(stage, 1)
    absent(stage, entry, 2)
    by = stage.tournament.created_by
    undoing.undo(stage.tournament.log.get(act="absence_noted"), by=by)
    assert not Absence.objects.exists()
    assert table_of(entry, 2).state == "waiting"


def test_the_draft_says_whose_table_becomes_a_walkover(client, text):
    stage, entry = made("groups")
    absent(stage, entry)
    by = stage.tournament.created_by
    draws.draw_round(stage, number=1, by=by)
    client.force_login(by)
    page = text(client.get(f"/desk/{stage.tournament.slug}/pairings/1/1/adjust/"))
    assert f"“{entry.name}” is absent: the table becomes a walkover" in page


@pytest.mark.parametrize("system", ["round_robin", "knockout"])
def test_where_the_system_says_who_rests_the_page_and_the_service_offer_no_bye(client, system):
    tournament = event(6)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(system), by=by)
    client.force_login(by)
    page = client.get(f"/desk/{tournament.slug}/pairings/1/1/draw/").content.decode()
    assert 'value="excused"' in page
    assert 'value="bye"' not in page
    entry = tournament.entries.get(number=2)
    with pytest.raises(entry_errors.ByesAreDrawn):
        deciding.decide(stage, number=1, entry=entry, decision="bye", by=by)
    assert not Bye.objects.exists()


def test_an_absence_is_noted_through_the_api_for_a_round_that_waits():
    stage, entry = made("groups")
    published(stage, 1)
    api = APIClient()
    api.force_authenticate(stage.tournament.created_by)
    address = f"/api/desk/{stage.tournament.slug}/stages/1/rounds/2/absences/{entry.number}/"
    assert api.put(address, {"kind": "absent"}, format="json").status_code == 200
    assert api.delete(address).status_code == 204
    assert not Absence.objects.exists()
