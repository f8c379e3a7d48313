"""Appeals filed, withdrawn and given a panel: who may, until when, and what is frozen."""

from __future__ import annotations

from datetime import timedelta
from uuid import uuid4

import pytest
from django.core.exceptions import PermissionDenied
from django.utils import timezone

from tests.factories import MatchFactory, OfficialFactory, TournamentFactory, UserFactory
from tests.tournaments.appealing import (
    GROUNDS,
    director_of,
    event_of,
    filed,
    official_of,
    played_round,
    side_of,
    table_of,
)
from tournaments.errors import appeals as appeal_errors
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import Appeal, LogEntry, Match, Official, PairingRound, Tournament
from tournaments.services import appeals, corrections, lifecycle, undoing

pytestmark = pytest.mark.django_db


@pytest.fixture
def match() -> Match:
    return table_of(played_round())


def age(match: Match, **passed: int) -> None:
    Match.objects.filter(pk=match.pk).update(closed_at=timezone.now() - timedelta(**passed))


def test_a_referee_files_for_a_side_and_the_log_tells_of_it(match):
    referee = official_of(match)
    made = filed(match, by=referee, on_behalf_of="Rosa", fee="50 USD")
    assert (made.number, made.state, made.filed_by) == (1, "filed", referee)
    assert (made.on_behalf_of, made.fee, made.fee_state) == ("Rosa", "50 USD", "deposited")
    line = LogEntry.objects.get(act="appeal_filed")
    assert (line.details["appeal"], line.details["table"]) == (1, 1)


def test_the_log_does_not_tell_what_an_appeal_is_about(match):
    filed(match)
    assert GROUNDS not in str(LogEntry.objects.get(act="appeal_filed").details)


@pytest.mark.parametrize("who", ["scorer", "stranger"])
def test_others_do_not_file(match, who):
    user = UserFactory.create()
    if who == "scorer":
        OfficialFactory.create(tournament=event_of(match), user=user, duty=Official.Duty.SCORER)
    with pytest.raises(PermissionDenied):
        filed(match, by=user)
    assert not Appeal.objects.exists()


def test_one_key_files_once(match):
    key = uuid4()
    assert filed(match, client_key=key).pk == filed(match, client_key=key).pk
    assert Appeal.objects.count() == 1


def test_a_key_is_not_used_for_another_appeal(match):
    key = uuid4()
    filed(match, client_key=key)
    with pytest.raises(appeal_errors.AppealKeyUsed):
        filed(match, client_key=key, grounds="Something else.")


def test_the_same_words_without_a_key_are_filed_once(match):
    assert filed(match).pk == filed(match).pk


def test_a_side_has_one_open_appeal_at_a_table(match):
    filed(match)
    with pytest.raises(appeal_errors.AppealedAlready) as refused:
        filed(match, grounds="And another thing.")
    assert "appeal 1" in explain(refused.value)


def test_both_sides_can_appeal(match):
    filed(match)
    assert filed(match, entry=side_of(match, "A")).number == 2


def test_who_did_not_sit_there_does_not_appeal(match):
    other = table_of(match.pairing_round, 2)
    with pytest.raises(table_errors.NotAtTable):
        filed(match, entry=side_of(other, "A"))


def test_grounds_are_needed_and_not_endless(match):
    with pytest.raises(appeal_errors.GroundsMissing):
        filed(match, grounds=" \n \u202e ")
    with pytest.raises(errors.TextTooLong):
        filed(match, grounds="x" * 100_000)


def test_signs_that_turn_the_page_around_are_left_out_and_lines_stay(match):
    made = filed(match, grounds="First\u202e line 🁓\n\n\n\nsecond")
    assert made.grounds == "First line 🁓\n\nsecond"


def test_a_table_without_play_has_nothing_to_appeal():
    match = MatchFactory.create()
    with pytest.raises(appeal_errors.NothingToAppeal):
        filed(match)


def test_a_draft_has_nothing_to_appeal(match):
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    with pytest.raises(table_errors.RoundNotPublished):
        filed(match)


def test_the_evidence_is_what_the_table_had(match):
    made = filed(match)
    seats = {one["seat"]: one for one in made.evidence["seats"]}
    assert made.evidence["state"] == "closed"
    assert (seats["A"]["outcome"], seats["A"]["points_for"]) == ("win", 105)
    assert seats["B"]["entry"] == side_of(match, "B").number


def test_the_evidence_stays_when_the_result_changes(match):
    made = filed(match)
    corrections.correct_score(
        match, points={"AC": 60, "BD": 105}, reason="typed wrong", by=director_of(match)
    )
    stored = Appeal.objects.get()
    assert stored.evidence == made.evidence
    assert appeals.is_intact(stored)


def test_evidence_changed_by_hand_is_found(match):
    made = filed(match)
    made.evidence["seats"][0]["points_for"] = 200
    Appeal.objects.filter(pk=made.pk).update(evidence=made.evidence)
    assert not appeals.is_intact(Appeal.objects.get())


def test_without_a_setting_appeals_are_taken_late(match):
    age(match, days=2)
    assert filed(match).late_reason == ""


def test_after_its_time_an_appeal_is_refused_with_a_sentence(match):
    appeals.set_appeal_time(event_of(match), minutes=30, by=director_of(match))
    age(match, minutes=45)
    with pytest.raises(appeal_errors.AppealTooLate) as refused:
        filed(match, by=official_of(match), late_reason="they were at the doctor's")
    said = explain(refused.value)
    assert "the minutes allowed after a result are 30" in said
    assert "45 have passed" in said


def test_a_director_takes_a_late_appeal_with_a_reason(match):
    appeals.set_appeal_time(event_of(match), minutes=30, by=director_of(match))
    age(match, minutes=45)
    with pytest.raises(appeal_errors.AppealTooLate):
        filed(match)
    made = filed(match, late_reason="they were at the doctor's")
    assert made.late_reason == "they were at the doctor's"
    assert LogEntry.objects.get(act="appeal_filed").details["reason"] == made.late_reason


def test_in_time_no_reason_is_asked_for(match):
    appeals.set_appeal_time(event_of(match), minutes=30, by=director_of(match))
    age(match, minutes=29)
    assert filed(match, by=official_of(match)).number == 1


@pytest.mark.parametrize("minutes", [0, -5, 10_081])
def test_a_time_for_appeals_that_makes_no_sense_is_refused(match, minutes):
    with pytest.raises(appeal_errors.BadAppealMinutes):
        appeals.set_appeal_time(event_of(match), minutes=minutes, by=director_of(match))


def test_the_time_for_appeals_is_a_directors_to_set(match):
    with pytest.raises(PermissionDenied):
        appeals.set_appeal_time(event_of(match), minutes=30, by=official_of(match))


def test_the_time_for_appeals_is_taken_away_again(match):
    for minutes in (30, 30, None):
        appeals.set_appeal_time(event_of(match), minutes=minutes, by=director_of(match))
    assert "appeal_minutes" not in Tournament.objects.get().policies
    assert LogEntry.objects.filter(act="appeal_time_set").count() == 2


def test_an_appeal_is_withdrawn_once_and_its_fee_noted(match):
    made = filed(match, fee="50 USD")
    for _ in range(2):
        done = appeals.withdraw_appeal(made, fee_state="returned", by=official_of(match))
    assert (done.state, done.fee_state) == ("withdrawn", "returned")
    assert LogEntry.objects.filter(act="appeal_withdrawn").count() == 1


def test_an_unknown_fate_of_the_fee_is_refused(match):
    made = filed(match, fee="50 USD")
    with pytest.raises(appeal_errors.UnknownDecisionOnAppeal):
        appeals.withdraw_appeal(made, fee_state="eaten by mice", by=director_of(match))


def test_a_panel_has_officials_and_others_by_name(match):
    referee = official_of(match)
    made = filed(match)
    for _ in range(2):
        appeals.name_panel(
            made, accounts=[referee.username], names=["Lin", " ", "Lin"], by=director_of(match)
        )
    assert [one.name for one in made.panel.all()] == [referee.username, "Lin"]
    assert LogEntry.objects.filter(act="appeal_panel").count() == 1


def test_an_account_without_duty_is_not_on_a_panel(match):
    stranger = UserFactory.create()
    with pytest.raises(appeal_errors.NotOnePanel):
        appeals.name_panel(filed(match), accounts=[stranger.username], by=director_of(match))


def test_a_panel_is_a_directors_to_name(match):
    with pytest.raises(PermissionDenied):
        appeals.name_panel(filed(match), names=["Lin"], by=official_of(match))


def test_a_panel_is_not_a_crowd(match):
    names = [f"Member {n}" for n in range(13)]
    with pytest.raises(appeal_errors.PanelTooLarge):
        appeals.name_panel(filed(match), names=names, by=director_of(match))


def test_an_event_is_not_finished_over_an_open_appeal(match):
    filed(match)
    with pytest.raises(appeal_errors.AppealsBeforeTheEnd):
        lifecycle.finish(event_of(match), by=director_of(match))
    appeals.withdraw_appeal(Appeal.objects.get(), by=director_of(match))
    assert lifecycle.finish(event_of(match), by=director_of(match)).state == "finished"


def test_a_finished_event_takes_no_appeal(match):
    lifecycle.finish(event_of(match), by=director_of(match))
    with pytest.raises(errors.TournamentIsFinished):
        filed(match)


def test_filing_is_undone_from_the_log_as_a_withdrawal(match):
    filed(match)
    line = LogEntry.objects.get(act="appeal_filed")
    assert undoing.preview(line, by=director_of(match)).effects
    assert Appeal.objects.get().state == "filed"
    undoing.undo(line, by=director_of(match))
    assert Appeal.objects.get().state == "withdrawn"


def test_a_withdrawal_is_undone(match):
    made = filed(match)
    appeals.withdraw_appeal(made, by=director_of(match))
    undoing.undo(LogEntry.objects.get(act="appeal_withdrawn"), by=director_of(match))
    assert Appeal.objects.get().state == "filed"


def test_numbers_go_on_within_an_event_and_begin_anew_in_another(match):
    filed(match)
    assert filed(table_of(match.pairing_round, 2)).number == 2
    other = table_of(played_round(entries=4))
    assert TournamentFactory._meta.model.objects.count() == 2
    assert filed(other).number == 1
