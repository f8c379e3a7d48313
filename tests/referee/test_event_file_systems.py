"""Whole events of every system, saved and imported elsewhere: the standings are the same bytes."""

from __future__ import annotations

import json
from random import Random

import pytest

from referee.event_file import exported, imported
from referee.rehearsal.formats import FORMATS, rehearse
from tournaments.models import Stage, StandingRow, Tournament
from tournaments.services.standings import rebuild_standings

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


def written(tournament: Tournament) -> bytes:
    """Return all standings of an event, those kept with its rounds too, as one text."""
    rows = StandingRow.objects.filter(stage__tournament=tournament).order_by(
        "stage__number", "group", "order"
    )
    now = list(
        rows.values_list(
            "stage__number", "entry__number", "group", "order", "place", "played", "values",
            "decided_by",
        )
    )  # fmt: skip
    kept = list(
        tournament.stages.order_by("number", "rounds__number").values_list(
            "number", "rounds__number", "rounds__standings"
        )
    )
    return json.dumps([now, kept], ensure_ascii=False).encode()


@pytest.mark.parametrize("name", FORMATS)
def test_an_event_of_every_system_comes_to_the_same_standings_elsewhere(name):
    play = rehearse(name, Random(f"7 {name}"), size=FORMATS[name].smallest)
    event = Tournament.objects.get(pk=play.event.pk)
    there = imported(exported(event), copy="elsewhere", by=play.director)
    assert there.pk != event.pk
    assert written(there) == written(event)
    # Counted anew from the tables that were imported, not only copied.
    for stage in there.stages.all():
        Stage.objects.filter(pk=stage.pk).update(state=Stage.State.OPEN)
        rebuild_standings(stage)
    assert written(there) == written(event)
