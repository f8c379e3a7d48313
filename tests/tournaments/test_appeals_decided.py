"""Appeals decided: by whom, what becomes of the result, and what stays as it is."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.core.exceptions import PermissionDenied

from engine.errors import DominoError
from tests.factories import EntryFactory, TournamentFactory
from tests.tournaments.appealing import (
    director_of,
    event_of,
    filed,
    official_of,
    played_round,
    side_of,
    table_of,
)
from tournaments.errors import appeals as appeal_errors
from tournaments.errors import draws as draw_errors
from tournaments.errors import scores as score_errors
from tournaments.errors.base import explain
from tournaments.models import (
    Appeal,
    LogEntry,
    Match,
    Official,
    PairingRound,
    StandingRow,
    Tournament,
)
from tournaments.services import (
    appeal_decisions,
    appeals,
    draws,
    lifecycle,
    pairings,
    scores,
    stages,
    undoing,
)
from tournaments.services.appeal_decisions import Verdict
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes

pytestmark = pytest.mark.django_db

TURNED = {"AC": 60, "BD": 105}


@pytest.fixture
def match() -> Match:
    return table_of(played_round())


def corrected(**more):
    return Verdict("upheld", "The panel saw the sheet.", "corrected", points=TURNED, **more)


def decide(appeal, verdict=None, *, by=None):
    verdict = verdict or Verdict("rejected", "The referee was right.")
    return appeal_decisions.decide_appeal(appeal, verdict, by=by or director_of(appeal.match))


def result(match):
    found = match.seats.order_by("seat").values_list("outcome", "points_for", "points_against")
    return list(found)


def draw_next(match, **said):
    stage = match.pairing_round.stage
    return draws.draw_round(stage, number=2, by=director_of(match), **said)


def test_a_rejected_appeal_leaves_the_result_and_keeps_the_fee(match):
    before = result(match)
    done = decide(filed(match, fee="50 USD"))
    assert (done.state, done.effect, done.fee_state) == ("rejected", "none", "kept")
    assert result(match) == before


def test_an_upheld_appeal_returns_the_fee(match):
    done = decide(filed(match, fee="50 USD"), corrected())
    assert (done.state, done.fee_state) == ("upheld", "returned")


def test_a_corrected_result_counts_and_what_it_changed_is_said(match):
    done = decide(filed(match), corrected())
    assert [one[0] for one in result(match)] == ["loss", "win", "loss", "win"]
    assert {one["points_for"] for one in done.changed["before"]} == {105, 60}
    assert done.changed["moves"]
    assert StandingRow.objects.get(entry=side_of(match, "B")).values["wins"] == 1


def test_the_correction_stands_in_the_log_with_its_appeal(match):
    done = decide(filed(match), corrected())
    line = LogEntry.objects.get(act="result_corrected")
    assert (line.details["appeal"], line.details["reason"]) == (1, "The panel saw the sheet.")
    assert done.effect_log == line


def test_a_walkover_is_lost_by_the_one_chosen(match):
    verdict = Verdict("upheld", "They left.", "walkover", absent=[side_of(match, "A")])
    decide(filed(match), verdict)
    assert [one[0] for one in result(match)] == [
        "walkover_loss", "walkover_win", "walkover_loss", "walkover_win",
    ]  # fmt: skip


def test_a_walkover_without_a_loser_is_refused(match):
    with pytest.raises(DominoError, match="Nobody") as refused:
        decide(filed(match), Verdict("upheld", "They left.", "walkover"))
    assert refused.value.code == "nobody_absent"


def test_a_replay_opens_the_table_and_names_who_moves(match):
    done = decide(filed(match), Verdict("upheld", "Void.", "replay"))
    match.refresh_from_db()
    assert match.state == Match.State.WAITING
    assert done.effect_log.act == "match_replayed"
    assert done.changed["after"][0]["points_for"] is None


def test_a_rejected_appeal_has_no_effect(match):
    verdict = Verdict("rejected", "No.", "corrected", points=TURNED)
    with pytest.raises(appeal_errors.EffectNeedsUpheld):
        decide(filed(match), verdict)


@pytest.mark.parametrize(
    ("verdict", "code"),
    [
        (Verdict("filed", "Later."), "unknown_decision_on_appeal"),
        (Verdict("upheld", "Yes.", "annulled"), "unknown_decision_on_appeal"),
        (Verdict("upheld", "Yes.", fee_state="lost"), "unknown_decision_on_appeal"),
        (Verdict("upheld", " \n "), "reasons_missing"),
        (Verdict("upheld", "x" * 5000), "text_too_long"),
        (Verdict("upheld", "Yes.", "corrected"), "score_incomplete"),
    ],
)
def test_a_decision_that_makes_no_sense_is_refused_whole(match, verdict, code):
    made = filed(match)
    with pytest.raises(DominoError, match=r"\.") as refused:
        decide(made, verdict)
    assert refused.value.code == code
    assert Appeal.objects.get().state == "filed"


def test_a_doubtful_score_asks_first(match):
    low = Verdict("upheld", "Ended by the bell.", "corrected", points={"AC": 20, "BD": 30})
    made = filed(match)
    with pytest.raises(score_errors.EndedBeforeTarget):
        decide(made, low)
    sure = replace(low, sure=True)
    assert decide(made, sure).state == "upheld"


def test_the_same_decision_again_changes_nothing(match):
    made = filed(match)
    decide(made, corrected())
    decide(made, corrected())
    assert LogEntry.objects.filter(act="appeal_decided").count() == 1
    assert LogEntry.objects.filter(act="result_corrected").count() == 1


def test_another_decision_afterwards_is_refused(match):
    made = filed(match)
    decide(made)
    with pytest.raises(appeal_errors.AppealDecidedAlready):
        decide(made, corrected())
    with pytest.raises(appeal_errors.AppealDecidedAlready):
        appeals.withdraw_appeal(made, by=director_of(match))


def test_a_referee_does_not_decide(match):
    with pytest.raises(PermissionDenied):
        decide(filed(match), by=official_of(match))


@pytest.mark.parametrize("effect", ["corrected", "replay", "walkover", "none"])
def test_a_member_of_the_panel_decides_with_every_effect(match, effect):
    member = official_of(match, Official.Duty.SCORER)
    made = filed(match)
    appeals.name_panel(made, accounts=[member.username], by=director_of(match))
    verdict = Verdict("upheld", "We agree.", effect, points=TURNED, absent=[side_of(match, "A")])
    assert decide(made, verdict, by=member).decided_by == member


def test_a_member_of_another_panel_does_not_decide(match):
    member = official_of(match)
    other = filed(table_of(match.pairing_round, 2))
    appeals.name_panel(other, accounts=[member.username], by=director_of(match))
    with pytest.raises(PermissionDenied):
        decide(filed(match), by=member)


def test_a_member_who_lost_the_duty_does_not_decide(match):
    member = official_of(match)
    made = filed(match)
    appeals.name_panel(made, accounts=[member.username], by=director_of(match))
    duty = Official.objects.get(user=member)
    lifecycle.remove_official(duty, by=director_of(match))
    with pytest.raises(PermissionDenied):
        decide(made, by=member)


def test_a_preview_says_what_would_change_and_changes_nothing(match):
    made = filed(match)
    before, lines = result(match), LogEntry.objects.count()
    would = appeal_decisions.preview(made, corrected(), by=director_of(match))
    assert would.changed["moves"]
    assert (result(match), LogEntry.objects.count()) == (before, lines)
    assert Appeal.objects.get().state == "filed"


def test_the_next_draw_names_appeals_and_wants_a_reason(match):
    filed(match)
    with pytest.raises(appeal_errors.AppealsUndecided) as refused:
        draw_next(match)
    assert "these numbers: 1." in explain(refused.value)
    assert draw_next(match, reason="The panel sits tonight.").matches.exists()
    line = LogEntry.objects.filter(act="round_drawn").first()
    assert line is not None
    assert line.details["reason"] == "The panel sits tonight."


def test_missing_results_and_appeals_are_named_together(match):
    filed(match)
    Match.objects.filter(table=3).update(state=Match.State.PLAYING)
    with pytest.raises(appeal_errors.ResultsAndAppealsOpen) as refused:
        draw_next(match)
    assert refused.value.params["tables"] == [3]
    assert refused.value.params["appeals"] == [1]


def test_missing_results_alone_are_named_as_before(match):
    Match.objects.filter(table=3).update(state=Match.State.PLAYING)
    with pytest.raises(draw_errors.ResultsMissing):
        draw_next(match)


def test_a_decided_appeal_is_not_named_any_more(match):
    decide(filed(match))
    assert draw_next(match).matches.exists()


def test_the_first_draw_of_a_stage_names_appeals_of_the_one_before(match):
    stage, by = match.pairing_round.stage, director_of(match)
    filed(match)
    stages.close_stage(stage, by=by)
    plan = StagePlan(name="Final", system="knockout", takes=Takes(4))
    final = stages.make_stage(event_of(match), plan, source=stage, by=by)
    with pytest.raises(appeal_errors.AppealsUndecided):
        draws.draw_round(final, number=1, by=by)


def test_a_decision_about_a_closed_stage_changes_no_result(match):
    made = filed(match)
    stages.close_stage(match.pairing_round.stage, by=director_of(match))
    with pytest.raises(DominoError, match="closed") as refused:
        decide(made, corrected())
    assert refused.value.code == "stage_is_closed"
    assert decide(made, Verdict("upheld", "Too late for the result.")).effect == "none"


def knockout():
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING)
    EntryFactory.create_batch(4, tournament=tournament)
    by = tournament.created_by
    stage = stages.make_stage(tournament, StagePlan(name="Cup", system="knockout"), by=by)
    first = draws.draw_round(stage, number=1, by=by)
    pairings.publish(first, by=by)
    for one in first.matches.all():
        scores.record_score(one, points={"AC": 105, "BD": 60}, sure=True, by=by)
    return table_of(first), draws.draw_round(stage, number=2, by=by)


def test_a_decision_takes_no_published_table_of_a_bracket_away():
    match, final = knockout()
    pairings.publish(final, by=director_of(match))
    with pytest.raises(appeal_errors.DecisionWouldChangeDraw):
        decide(filed(match), corrected())
    assert final.matches.count() == 1
    assert Appeal.objects.get().state == "filed"


def test_a_draft_that_stood_on_the_old_winner_goes_and_is_named():
    match, final = knockout()
    done = decide(filed(match), corrected())
    assert done.changed["gone"] == [[2, 1]]
    assert not PairingRound.objects.filter(pk=final.pk).exists()


def test_a_decision_is_undone_with_what_it_did(match):
    before = result(match)
    decide(filed(match, fee="50 USD"), corrected())
    line = LogEntry.objects.get(act="appeal_decided")
    undone = undoing.undo(line, by=director_of(match))
    assert result(match) == before
    again = Appeal.objects.get()
    assert (again.state, again.effect, again.fee_state) == ("filed", "none", "deposited")
    assert len(undone.effects) == 2


def test_what_a_decision_did_is_not_undone_alone(match):
    decide(filed(match), corrected())
    line = LogEntry.objects.get(act="result_corrected")
    with pytest.raises(appeal_errors.DecidedOnAppeal):
        undoing.undo(line, by=director_of(match))


def test_an_undone_decision_can_be_made_anew(match):
    made = filed(match)
    decide(made, corrected())
    undoing.undo(LogEntry.objects.get(act="appeal_decided"), by=director_of(match))
    assert decide(made).state == "rejected"


def test_hard_situation_10_protested_next_day_with_the_next_round_drawn(match):
    stage, by = match.pairing_round.stage, director_of(match)
    second = draw_next(match)
    pairings.publish(second, by=by)
    seated = list(
        second.matches.order_by("table", "seats__seat").values_list("table", "seats__entry")
    )
    made = filed(match, fee="50 USD", on_behalf_of="The captain")
    members = [official_of(match).username for _ in range(2)]
    appeals.name_panel(made, accounts=members, names=["The vice-president"], by=by)
    done = decide(made, corrected())
    assert (done.state, done.fee_state) == ("upheld", "returned")
    assert done.changed["later_rounds"] == [2]
    after = list(
        second.matches.order_by("table", "seats__seat").values_list("table", "seats__entry")
    )
    assert after == seated
    assert stage.rounds.get(number=2).state == PairingRound.State.PUBLISHED
    assert [one[0] for one in result(match)] == ["loss", "win", "loss", "win"]


def test_hard_situation_10_void_replay_and_the_absent_side_defaults(match):
    by = director_of(match)
    decide(filed(match), Verdict("upheld", "Void: the referee erred.", "replay"))
    scores.record_score(match, points={"AC": 105, "BD": 0}, by=by)
    second = filed(match, grounds="They did not come to the replay.")
    defaulted = Verdict("upheld", "Title by default.", "walkover", absent=[side_of(match, "A")])
    assert decide(second, defaulted).number == 2
    assert result(match)[1][0] == "walkover_win"
