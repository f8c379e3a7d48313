"""Whole events of robots, small, with every law checked; and that a broken law is found."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest

from referee.rehearsal import laws, standings_law
from referee.rehearsal.event import BrokenLaw
from referee.rehearsal.formats import FORMATS, rehearse
from tests.factories import EntryFactory, MatchFactory, PairingRoundFactory, StageFactory
from tournaments.models import Match, MatchSeat, PairingRound, Stage, StandingRow

pytestmark = pytest.mark.slow


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("name", FORMATS)
def test_a_whole_event_keeps_every_law(name):
    play = rehearse(name, Random(f"5 {name}"), size=FORMATS[name].smallest)
    assert play.acts["round_published"] >= 3
    assert play.seen["tables"] > 0


def test_the_command_uses_a_database_of_its_own_and_tells_what_it_saw(tmp_path):
    answer = subprocess.run(
        [sys.executable, "manage.py", "rehearse", "--format", "by_hand", "--seed", "3"],
        env={"VAR_DIR": str(tmp_path), "PATH": ""},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (answer.returncode, answer.stderr) == (0, "")
    assert "Seed 3" in answer.stdout
    assert "Every law held." in answer.stdout
    assert not (tmp_path / "domino.sqlite3").exists()


@pytest.fixture
def stage(db) -> Stage:
    """Two rounds of four pairs in which the same two meet twice."""
    stage = StageFactory.create(system=Stage.System.SWISS)
    pairs = EntryFactory.create_batch(4, tournament=stage.tournament)
    for pair in pairs:
        stage.stage_entries.create(entry=pair, seed=pair.number)
    for _ in range(2):
        pairing_round = PairingRoundFactory.create(
            stage=stage,
            state=PairingRound.State.FINISHED,
            draw={"answer": {"report": {"rematches": 2}}},
        )
        for sides in (pairs[:2], pairs[2:]):
            match = MatchFactory.create(
                pairing_round=pairing_round, entries=sides, state=Match.State.CLOSED
            )
            match.seats.filter(seat__in="AC").update(
                outcome="win", points_for=100, points_against=40
            )
            match.seats.filter(seat__in="BD").update(
                outcome="loss", points_for=40, points_against=100
            )
    return stage


def test_a_rematch_that_could_be_avoided_breaks_a_law(stage):
    with pytest.raises(BrokenLaw, match="no rematch while one can be avoided"):
        laws.check_draw(stage, 2, {1, 2, 3, 4})


def test_who_is_nowhere_breaks_a_law(stage):
    with pytest.raises(BrokenLaw, match="everybody sits, rests or is away"):
        laws.check_draw(stage, 1, {1, 2, 3, 4, 5})


def test_points_that_do_not_mirror_each_other_break_a_law(stage):
    MatchSeat.objects.filter(match__pairing_round__stage=stage, seat="A").update(points_for=90)
    with pytest.raises(BrokenLaw, match="points for one are against the other"):
        laws.check_results(stage, 1)


def test_standings_that_are_not_those_of_the_tables_break_a_law(stage):
    rows = [
        StandingRow(
            stage=stage,
            entry=one.entry,
            order=order,
            place=order,
            values={"wins": 0, "difference": 0, "points_for": 0},
        )
        for order, one in enumerate(stage.stage_entries.order_by("seed"), start=1)
    ]
    StandingRow.objects.bulk_create(rows)
    with pytest.raises(BrokenLaw, match="wins are those of the tables"):
        standings_law.check(stage)
