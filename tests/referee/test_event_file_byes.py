"""What a bye is worth goes with the event to another installation; older files do not say it."""

from __future__ import annotations

import json

import pytest

from referee.event_file import exported, imported
from tests.referee.test_event_file import elsewhere, event, forget_event, standings
from tournaments.models import Bye, Stage, Tournament
from tournaments.services.byes import give_bye
from tournaments.services.event_import import BadEventFile
from tournaments.services.standings import rebuild_standings

__all__ = ["event"]

pytestmark = pytest.mark.django_db


def with_half_a_bye(tournament: Tournament) -> Bye:
    """Say of a bye of a played round that it was worth half."""
    bye = Bye.objects.filter(pairing_round__number=1).get()
    Tournament.objects.filter(pk=tournament.pk).update(state=Tournament.State.RUNNING)
    Stage.objects.update(state=Stage.State.OPEN)
    stage = bye.pairing_round.stage
    changed = give_bye(stage, number=1, entry=bye.entry, worth="half", by=tournament.created_by)
    rebuild_standings(stage)
    return changed


def test_what_a_bye_is_worth_arrives_elsewhere(event):
    bye = with_half_a_bye(event)
    number, content = bye.entry.number, exported(event)
    before = standings()
    imported(content, by=elsewhere())
    found = Bye.objects.get(pairing_round__number=1, pairing_round__stage__number=1)
    assert (found.entry.number, found.worth, found.kind) == (number, "half", "drawn")
    assert standings() == before


def test_a_file_written_before_byes_had_a_worth_is_still_read(event):
    document = json.loads(exported(event))
    byes = [bye for stage in document["stages"] for one in stage["rounds"] for bye in one["byes"]]
    for bye in byes:
        del bye["worth"]
    forget_event()
    imported(json.dumps(document).encode(), by=elsewhere())
    assert {one.worth for one in Bye.objects.all()} == {"full"}
    assert Bye.objects.count() == len(byes) > 0


def test_a_worth_no_page_could_read_is_refused_with_its_path(event):
    document = json.loads(exported(event))
    rounds = document["stages"][0]["rounds"]
    rounds[0]["byes"][0]["worth"] = "double"
    with pytest.raises(BadEventFile, match="worth"):
        imported(json.dumps(document).encode(), by=elsewhere())
