"""Several desks and a worker at one draw: real connections, on SQLite and PostgreSQL alike."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

import pytest
from django.contrib.auth.models import User

from tests.tournaments.test_concurrency import at_once
from tests.tournaments.test_services_draws import event
from tournaments import tasks
from tournaments.competition.changes import Act, Change
from tournaments.models import LogEntry, Match, MatchSeat, PairingRound, Stage
from tournaments.services import adjusting, draws, pairings, results, stages
from tournaments.services.stages import StagePlan

pytestmark = pytest.mark.django_db(transaction=True)


def swiss(entries: int) -> tuple[Stage, User]:
    tournament = event(entries)
    by = tournament.created_by
    return stages.make_stage(tournament, StagePlan("swiss", rounds=5), by=by), by


def test_two_desks_and_a_worker_drawing_a_round_draw_it_once() -> None:
    stage, by = swiss(16)
    desk: Callable[[], object] = partial(draws.draw_round, stage, number=1, by=by)
    worker: Callable[[], object] = partial(tasks.draw_round, stage.pk, 1, by.pk)
    one, other, _ = at_once(desk, desk, worker)
    assert isinstance(one, PairingRound)
    assert one == other
    assert PairingRound.objects.count() == 1
    assert Match.objects.count() == 8
    assert MatchSeat.objects.count() == 32
    assert LogEntry.objects.filter(act="round_drawn").count() == 1
    assert not LogEntry.objects.filter(act="round_not_drawn").exists()


def test_two_desks_making_one_change_make_it_once() -> None:
    stage, by = swiss(8)
    draft = draws.draw_round(stage, number=1, by=by)
    seated = adjusting.seating_of(draft)
    change = Change(Act.SWAP, (seated.tables[0].entries[0], seated.tables[1].entries[0]))
    make = partial(adjusting.change_seats, draft, change, seen=seated.fingerprint(), by=by)
    first, second, third = at_once(make, make, make)
    assert first == second == third
    assert len(adjusting.changes_of(draft)) == 1


def test_two_desks_making_different_changes_leave_one_and_tell_the_other() -> None:
    stage, by = swiss(8)
    draft = draws.draw_round(stage, number=1, by=by)
    seated = adjusting.seating_of(draft)
    entries = [table.entries[0] for table in seated.tables]
    answers = at_once(
        *(
            partial(
                adjusting.change_seats,
                draft,
                Change(Act.SWAP, (entries[0], other)),
                seen=seated.fingerprint(),
                by=by,
            )
            for other in entries[1:]
        )
    )
    assert answers.count("seats_have_changed") == 2
    assert len(adjusting.changes_of(draft)) == 1
    assert MatchSeat.objects.count() == 16


def test_a_table_that_begins_while_it_is_changed_does_one_or_the_other() -> None:
    stage, by = swiss(8)
    draft = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    seated = adjusting.seating_of(draft)
    table = draft.matches.get(table=1)
    change = Change(Act.SWAP, (seated.tables[0].entries[0], seated.tables[1].entries[0]))
    _, changed = at_once(
        partial(results.start_match, table, by=by),
        partial(adjusting.change_seats, draft, change, seen=seated.fingerprint(), by=by),
    )
    table.refresh_from_db()
    assert table.state == Match.State.PLAYING
    if changed == "seats_in_use":
        assert adjusting.seating_of(draft) == seated
    else:
        assert adjusting.seating_of(draft) == changed
    assert MatchSeat.objects.count() == 16
