"""Appeals filed and decided from several desks at one moment."""

from __future__ import annotations

from uuid import uuid4

import pytest

from tests.tournaments.appealing import (
    director_of,
    filed,
    official_of,
    played_round,
    side_of,
    table_of,
)
from tests.tournaments.test_concurrency import at_once
from tournaments.models import Appeal, LogEntry, Official, PairingRound
from tournaments.services import appeal_decisions, appeals, corrections, draws
from tournaments.services.appeal_decisions import Verdict

pytestmark = pytest.mark.django_db(transaction=True)

TURNED = {"AC": 60, "BD": 105}
UPHELD = Verdict("upheld", "The sheet says so.", "corrected", points=TURNED)
REJECTED = Verdict("rejected", "The referee was right.")


def two_directors(match):
    return [official_of(match, Official.Duty.DIRECTOR) for _ in range(2)]


def test_one_key_sent_twice_at_once_files_once():
    match = table_of(played_round(entries=4))
    key = uuid4()
    answers = at_once(*[lambda: filed(match, client_key=key).number] * 2)
    assert answers == [1, 1]
    assert Appeal.objects.count() == 1


def test_appeals_filed_at_once_have_different_numbers():
    match = table_of(played_round(entries=4))
    one, other = side_of(match, "A"), side_of(match, "B")
    answers = at_once(
        lambda: filed(match, entry=one).number, lambda: filed(match, entry=other).number
    )
    assert set(answers) == {1, 2}


def test_one_of_two_different_decisions_counts():
    match = table_of(played_round(entries=4))
    made = filed(match)
    one, other = two_directors(match)
    answers = at_once(
        lambda: appeal_decisions.decide_appeal(made, UPHELD, by=one).state,
        lambda: appeal_decisions.decide_appeal(made, REJECTED, by=other).state,
    )
    assert answers.count("appeal_decided_already") == 1
    assert LogEntry.objects.filter(act="appeal_decided").count() == 1
    is_corrected = LogEntry.objects.filter(act="result_corrected").exists()
    assert is_corrected == (Appeal.objects.get().state == "upheld")


def test_two_equal_decisions_are_carried_out_once():
    match = table_of(played_round(entries=4))
    made = filed(match)
    one, other = two_directors(match)
    at_once(
        lambda: appeal_decisions.decide_appeal(made, UPHELD, by=one),
        lambda: appeal_decisions.decide_appeal(made, UPHELD, by=other),
    )
    assert LogEntry.objects.filter(act="result_corrected").count() == 1


def test_a_draw_and_an_appeal_do_not_miss_each_other():
    match = table_of(played_round(entries=4))
    stage, by = match.pairing_round.stage, director_of(match)
    answers = at_once(
        lambda: draws.draw_round(stage, number=2, by=by).number, lambda: filed(match).number
    )
    assert Appeal.objects.count() == 1
    drawn = PairingRound.objects.filter(number=2).exists()
    assert drawn == ("appeals_undecided" not in answers)


def test_an_appeal_freezes_the_result_before_or_after_a_correction_never_half():
    match = table_of(played_round(entries=4))
    by = director_of(match)
    at_once(
        lambda: corrections.correct_score(match, points=TURNED, reason="typed wrong", by=by),
        lambda: filed(match),
    )
    seats = {one["seat"]: one["points_for"] for one in Appeal.objects.get().evidence["seats"]}
    assert (seats["A"], seats["B"]) in {(105, 60), (60, 105)}
    assert appeals.is_intact(Appeal.objects.get())
