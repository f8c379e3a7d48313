"""Byes given by hand: in which rounds, what they are worth, and how they are taken back."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied
from rest_framework.test import APIClient

from tests.factories import EntryFactory, TournamentFactory, UserFactory
from tests.tournaments.test_attendance import played, row_of, swiss
from tests.tournaments.test_services_draws import event
from tournaments.errors import entries as entry_errors
from tournaments.errors.base import explain
from tournaments.models import Absence, Bye, LogEntry
from tournaments.policies import Policies
from tournaments.services import attendance, draws, pairings, registration, stages, undoing
from tournaments.services.byes import give_bye, take_bye_back
from tournaments.services.deciding import decide
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db


@pytest.fixture
def stage():
    return swiss(pairs=8)


def setting(stage, number=2):
    """Return who directs the stage, and one of its entries."""
    return stage.tournament.created_by, stage.tournament.entries.get(number=number)


# --- what one is worth ----------------------------------------------------------------------


@pytest.mark.parametrize(
    ("worth", "scored"),
    [("full", (1, 100, 50)), ("half", (0, 50, 50)), ("none", (0, 0, 0))],
)
def test_a_bye_scores_what_it_is_worth(stage, worth, scored):
    by, entry = setting(stage)
    give_bye(stage, number=1, entry=entry, worth=worth, by=by)
    played(stage, 1)
    values = row_of(entry, stage).values
    against = values["points_for"] - values["difference"]
    assert (values["wins"], values["points_for"], against) == scored


def test_a_full_bye_is_worth_what_the_event_says(stage):
    by, entry = setting(stage)
    registration.set_policies(stage.tournament, Policies(bye=(80, 10)), by=by)
    give_bye(stage, number=1, entry=entry, by=by)
    stage.refresh_from_db()
    played(stage, 1)
    assert row_of(entry, stage).values["points_for"] == 80


def test_whoever_has_a_bye_without_a_win_still_has_played_no_match(stage):
    by, entry = setting(stage)
    give_bye(stage, number=1, entry=entry, worth="half", by=by)
    played(stage, 1, 2)
    assert row_of(entry, stage).played == 1


def test_what_a_bye_of_a_played_round_is_worth_can_be_changed_and_standings_follow():
    stage = swiss(pairs=7)
    by = stage.tournament.created_by
    played(stage, 1)
    bye = stage.rounds.get(number=1).byes.get()
    assert row_of(bye.entry, stage).values["wins"] == 1
    give_bye(stage, number=1, entry=bye.entry, worth="none", by=by)
    assert row_of(bye.entry, stage).values["wins"] == 0
    assert LogEntry.objects.get(act="bye_worth").details["worth"] == "none"


def test_a_worth_that_is_none_is_refused_with_those_there_are(stage):
    by, entry = setting(stage)
    with pytest.raises(entry_errors.UnknownByeWorth) as refused:
        give_bye(stage, number=1, entry=entry, worth="double", by=by)
    assert "Choose one of these: full, half, none." in explain(refused.value)


def test_half_a_bye_is_refused_where_points_are_bad():
    tournament = TournamentFactory.create(
        state="running", entry_kind="single", profile="elimination"
    )
    EntryFactory.create_batch(5, tournament=tournament)
    stage = pairings.make_manual_stage(tournament, by=tournament.created_by)
    entry = tournament.entries.get(number=5)
    with pytest.raises(entry_errors.ByeWithoutPoints, match="Give the usual bye"):
        give_bye(stage, number=1, entry=entry, worth="half", by=tournament.created_by)
    assert give_bye(stage, number=1, entry=entry, by=tournament.created_by).worth == "full"


# --- in which rounds ------------------------------------------------------------------------


def test_a_bye_asked_for_a_later_round_waits_for_it(stage):
    by, entry = setting(stage)
    give_bye(stage, number=3, entry=entry, worth="half", by=by)
    played(stage, 1, 2)
    drawn = draws.draw_round(stage, number=3, by=by)
    assert drawn.byes.get(entry=entry).worth == "half"
    assert drawn.byes.count() == 2
    assert drawn.matches.count() == 3


def test_given_twice_it_is_given_and_logged_once(stage):
    by, entry = setting(stage)
    for _ in range(2):
        give_bye(stage, number=1, entry=entry, worth="half", by=by)
    assert Bye.objects.count() == 1
    assert stage.tournament.log.filter(act="bye_asked").count() == 1


def test_a_bye_takes_the_place_of_an_absence(stage):
    by, entry = setting(stage)
    attendance.set_absence(stage, number=1, entry=entry, kind="absent", by=by)
    give_bye(stage, number=1, entry=entry, by=by)
    assert not Absence.objects.exists()


def test_who_has_a_table_cannot_be_given_a_bye_and_the_table_is_named(stage):
    by, entry = setting(stage)
    draws.draw_round(stage, number=1, by=by)
    with pytest.raises(entry_errors.SitsInRound, match="table"):
        give_bye(stage, number=1, entry=entry, by=by)


def test_a_round_that_does_not_come_gives_no_bye(stage):
    by, entry = setting(stage)
    with pytest.raises(entry_errors.NoSuchRound) as refused:
        give_bye(stage, number=6, entry=entry, by=by)
    assert "from 1 to 5" in explain(refused.value)


def test_a_published_round_somebody_was_absent_from_becomes_no_bye(stage):
    by, entry = setting(stage)
    attendance.set_absence(stage, number=1, entry=entry, kind="absent", by=by)
    played(stage, 1)
    with pytest.raises(entry_errors.RoundWithoutEntry, match="excused absence"):
        give_bye(stage, number=1, entry=entry, by=by)
    assert Absence.objects.filter(entry=entry).exists()


def test_where_the_system_says_who_rests_no_bye_is_given():
    tournament = event(6)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan("round_robin"), by=by)
    with pytest.raises(entry_errors.ByesAreDrawn, match="absent instead"):
        give_bye(stage, number=1, entry=tournament.entries.get(number=1), by=by)


def test_a_bye_in_a_round_seated_by_hand_keeps_its_worth_when_seats_change():
    tournament = event(5)
    by = tournament.created_by
    stage = pairings.make_manual_stage(tournament, by=by)
    tables = [pairings.TableData(1, (1, 2)), pairings.TableData(2, (3, 4))]
    pairings.save_manual_round(stage, number=1, tables=tables, byes=[5], by=by)
    give_bye(stage, number=1, entry=tournament.entries.get(number=5), worth="half", by=by)
    tables = [pairings.TableData(1, (1, 3)), pairings.TableData(2, (2, 4))]
    pairings.save_manual_round(stage, number=1, tables=tables, byes=[5], by=by)
    assert Bye.objects.get().worth == "half"


def test_only_a_director_gives_a_bye(stage):
    _, entry = setting(stage)
    for act in (give_bye, take_bye_back):
        with pytest.raises(PermissionDenied):
            act(stage, number=1, entry=entry, by=UserFactory.create())


# --- back -----------------------------------------------------------------------------------


def test_a_bye_is_taken_back_before_the_draw_and_stays_after_it(stage):
    by, entry = setting(stage)
    give_bye(stage, number=1, entry=entry, by=by)
    for _ in range(2):
        take_bye_back(stage, number=1, entry=entry, by=by)
    assert not Bye.objects.exists()
    give_bye(stage, number=1, entry=entry, by=by)
    draws.draw_round(stage, number=1, by=by)
    with pytest.raises(entry_errors.ByeStays, match="Discard the draft first"):
        take_bye_back(stage, number=1, entry=entry, by=by)


def test_a_draft_thrown_away_keeps_the_bye_with_its_worth(stage):
    by, entry = setting(stage)
    give_bye(stage, number=1, entry=entry, worth="half", by=by)
    draws.discard_draft(draws.draw_round(stage, number=1, by=by), by=by)
    assert draws.draw_round(stage, number=1, by=by).byes.get(entry=entry).worth == "half"


def test_giving_a_bye_is_undone_from_the_log(stage):
    by, entry = setting(stage)
    give_bye(stage, number=1, entry=entry, worth="half", by=by)
    undoing.undo(stage.tournament.log.get(act="bye_asked"), by=by)
    assert not Bye.objects.exists()


def test_what_a_bye_is_worth_is_undone_from_the_log():
    stage = swiss(pairs=7)
    by = stage.tournament.created_by
    played(stage, 1)
    bye = stage.rounds.get(number=1).byes.get()
    give_bye(stage, number=1, entry=bye.entry, worth="none", by=by)
    undoing.undo(stage.tournament.log.get(act="bye_worth"), by=by)
    bye.refresh_from_db()
    assert bye.worth == "full"


# --- the doors ------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("decision", "worth"), [("bye", "full"), ("half_bye", "half"), ("empty_bye", "none")]
)
def test_before_the_draw_each_kind_of_bye_is_one_of_the_decisions(stage, decision, worth):
    by, entry = setting(stage)
    decide(stage, number=1, entry=entry, decision=decision, by=by)
    assert Bye.objects.get(entry=entry).worth == worth


def test_the_page_gives_changes_and_takes_back_a_bye(client, stage, text):
    by, entry = setting(stage)
    client.force_login(by)
    url = f"/desk/{stage.tournament.slug}/absences/1/"
    sent = {"form": "bye", "bye-entry": "2", "bye-number": "2", "bye-worth": "half"}
    done = text(client.post(url, sent, follow=True))
    assert f"“{entry.name}” rests in round 2." in done
    assert "Half the points" in done
    bye = Bye.objects.get()
    change = f"/desk/{stage.tournament.slug}/byes/change/{bye.pk}/"
    client.post(change, {"worth": "none"})
    assert Bye.objects.get().worth == "none"
    client.post(change, {"worth": ""})
    assert not Bye.objects.exists()


def test_the_page_says_what_is_wrong_and_keeps_what_was_typed(client, stage, text):
    by, entry = setting(stage)
    client.force_login(by)
    draws.draw_round(stage, number=1, by=by)
    sent = {"form": "bye", "bye-entry": "2", "bye-number": "1", "bye-worth": "half"}
    refused = client.post(f"/desk/{stage.tournament.slug}/absences/1/", sent)
    assert refused.status_code == 422
    page = text(refused)
    assert f"“{entry.name}” has table" in page
    assert 'value="half" required id="id_bye-worth_1" checked' in page


def test_the_api_gives_and_takes_back_a_bye_or_says_why_not(stage):
    by, _ = setting(stage)
    api = APIClient()
    api.force_authenticate(by)
    rounds = f"/api/desk/{stage.tournament.slug}/stages/1/rounds"
    given = api.put(f"{rounds}/1/byes/2/", {"worth": "half"}, format="json")
    assert (given.status_code, given.json()) == (200, {"worth": "half", "kind": "asked"})
    assert api.delete(f"{rounds}/1/byes/2/").status_code == 204
    assert not Bye.objects.exists()
    assert api.put(f"{rounds}/1/byes/2/", {"worth": "lots"}, format="json").status_code == 400
    refused = api.put(f"{rounds}/9/byes/2/", {}, format="json")
    assert (refused.status_code, refused.json()["code"]) == (409, "no_such_round")
