"""Every decision the log can tell of is taken back to the same state, or says why it stays."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.errors import DominoError
from tests.factories import LogEntryFactory
from tests.tournaments.undoing import state
from tests.tournaments.undoing_scenes import SCENES
from tournaments.errors import undoing as undo_errors
from tournaments.errors.base import explain
from tournaments.models import LogEntry
from tournaments.services import traces, undoing
from tournaments.words.log import SENTENCES
from tournaments.words.log_effects import NO_WAY_BACK

pytestmark = pytest.mark.django_db

ROOT = Path(__file__).resolve().parents[2]
ALL = [(act, number) for act, scenes in SCENES.items() for number in range(len(scenes))]


def made(act, number=0):
    world, do = SCENES[act][number]()
    before = state()
    do()
    lines = LogEntry.objects.filter(tournament=world.event, act=act).order_by("-pk")
    # What was written with another line is taken back with that one.
    return world, next(one for one in lines if traces.part_of(one) is None), before


def test_every_act_has_a_way_back_or_a_reason_why_not():
    both = set(undoing.undoable_acts()) & set(NO_WAY_BACK)
    neither = set(SENTENCES) - set(undoing.undoable_acts()) - set(NO_WAY_BACK)
    assert (both, neither) == (set(), set())


def test_every_act_that_is_written_has_its_sentence():
    call = re.compile(r'(?:log\.write|write_log|write|_enter)\(\s*[\w.]+,\s*"([a-z_]+)"')
    either = re.compile(r'"([a-z_]+)" if [^"]+ else "([a-z_]+)",')
    written = set()
    for folder in ("tournaments/services", "referee"):
        for path in (ROOT / folder).glob("*.py"):
            source = path.read_text(encoding="utf-8")
            written |= set(call.findall(source))
            written |= {act for both in either.findall(source) for act in both if "_" in act}
    assert len(written) > 50
    assert written - set(SENTENCES) - {"domino_event"} == set()


@pytest.mark.parametrize(("act", "number"), ALL)
def test_taking_it_back_brings_the_same_state_again(act, number):
    world, line, before = made(act, number)
    changed = state()
    assert changed != before
    shown = undoing.preview(line, by=world.by)
    assert state() == changed
    done = undoing.undo(line, by=world.by)
    told = [explain(one) for one in done.effects]
    assert told == [explain(one) for one in shown.effects] != []
    assert state() == before
    line.refresh_from_db()
    assert line.undone_by is not None
    undoing.undo(line, by=world.by)
    assert state() == before


@pytest.mark.parametrize("act", sorted(NO_WAY_BACK))
def test_what_stays_says_why_and_what_to_do(act):
    line = LogEntryFactory.create(act=act)
    with pytest.raises(undo_errors.NoWayBack) as refused:
        undoing.preview(line, by=line.tournament.created_by)
    assert explain(refused.value) == f"This cannot be taken back: {NO_WAY_BACK[act]}"


def test_every_scene_is_of_an_act_with_a_way_back():
    elsewhere = {act for act in undoing.undoable_acts() if act.startswith(("appeal_", "card"))}
    assert set(SCENES) | elsewhere == set(undoing.undoable_acts())


@pytest.mark.parametrize("act", ["fee_paid", "stage_made", "match_reopened"])
def test_a_line_without_rows_says_that_nothing_was_kept(act):
    world, line, _ = made(act)
    line.details = {name: one for name, one in line.details.items() if name != "way_back"}
    line.save()
    with pytest.raises(undo_errors.NothingKept):
        undoing.undo(line, by=world.by)


def refusal(line, by):
    with pytest.raises(DominoError) as refused:
        undoing.preview(line, by=by)
    return explain(refused.value)
