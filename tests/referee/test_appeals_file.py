"""Appeals in the file of an event: there and back, or refused with a path."""

from __future__ import annotations

import json
from typing import Any

import pytest
from django.contrib.auth.models import User

from referee.event_file import exported, imported
from referee.services import appeals as service
from tests.factories import OrganizerFactory
from tests.referee.conftest import director_of
from tests.tournaments.appealing import GROUNDS, filed, official_of, played_round, side_of, table_of
from tournaments.models import Appeal, LogEntry, Match, Tournament
from tournaments.queries.appeals import appeal_page, protests_of, readable_appeals
from tournaments.services import appeals, undoing
from tournaments.services.appeal_decisions import Verdict
from tournaments.services.event_import import BadEventFile

pytestmark = pytest.mark.django_db


@pytest.fixture
def decided() -> Match:
    """A table with a decided appeal, in an event where another table is under protest."""
    match = table_of(played_round())
    by = director_of(match)
    made = service.file_appeal(
        match, entry=side_of(match, "B"), grounds=GROUNDS, fee="50 USD", by=by
    )
    appeals.name_panel(made, accounts=[official_of(match).username], names=["Lin"], by=by)
    verdict = Verdict("upheld", "Yes.", "corrected", points={"AC": 60, "BD": 105})
    service.decide_appeal(made, verdict, by=by)
    filed(table_of(match.pairing_round, 2))
    appeals.set_appeal_time(by.tournaments_created.get(), minutes=30, by=by)
    return match


def moved(document: dict[str, Any]) -> tuple[Tournament, User]:
    """Import a document as another event."""
    document["key"] = "0" * 32
    by = OrganizerFactory.create()
    return imported(json.dumps(document).encode(), by=by), by


def document_of(match: Match) -> dict[str, Any]:
    event = Tournament.objects.get(stages__rounds__matches=match)
    document: dict[str, Any] = json.loads(exported(event))
    return document


def test_appeals_move_with_their_event(decided: Match) -> None:
    there, _ = moved(document_of(decided))
    one, other = readable_appeals().filter(tournament=there)
    assert (one.state, one.effect, one.fee_state, one.grounds) == (
        "upheld", "corrected", "returned", GROUNDS,
    )  # fmt: skip
    assert appeals.is_intact(one)
    assert appeals.is_intact(other)
    assert [member.name for member in one.panel.all()][-1] == "Lin"
    assert there.policies["appeal_minutes"] == 30
    here = readable_appeals().get(match=decided)
    assert appeal_page(one).changes == appeal_page(here).changes


def test_what_is_under_protest_here_is_so_there(decided: Match) -> None:
    there, _ = moved(document_of(decided))
    (protest,) = protests_of(there.stages.all())
    assert (protest.round, protest.table) == (1, 2)


def test_a_decision_is_undone_where_it_was_imported(decided: Match) -> None:
    there, by = moved(document_of(decided))
    line = LogEntry.objects.get(tournament=there, act="appeal_decided")
    undoing.undo(line, by=by)
    again = Appeal.objects.get(tournament=there, number=1)
    assert again.state == "filed"
    assert again.match.seats.get(seat="A").points_for == 105


def test_evidence_altered_in_the_file_is_seen(decided: Match) -> None:
    document = document_of(decided)
    document["appeals"][0]["evidence"]["seats"][0]["points_for"] = 99
    there, _ = moved(document)
    assert not appeals.is_intact(Appeal.objects.get(tournament=there, number=1))


def test_a_file_from_before_there_were_appeals_is_read(decided: Match) -> None:
    document = document_of(decided)
    del document["appeals"]
    there, _ = moved(document)
    assert not there.appeals.exists()


@pytest.mark.parametrize(
    ("name", "value", "path"),
    [
        ("match", 10**9, "appeals[0].match"),
        ("entry", 999, "appeals[0].entry"),
        ("state", "lost", "appeals[0].state"),
        ("effect", 3, "appeals[0].effect"),
        ("filed_at", "yesterday", "appeals[0].filed_at"),
        ("panel", "Lin", "appeals[0].panel"),
        ("panel", [""], "appeals[0].panel[0]"),
        ("evidence", [], "appeals[0].evidence"),
        ("evidence", {"seats": []}, "appeals[0].evidence.state"),
        ("changed", {"moves": [{"entry": 1}]}, "appeals[0].changed.moves[0].name"),
        ("changed", {"later_rounds": ["two"]}, "appeals[0].changed.later_rounds[0]"),
        ("effect_log", 10**6, "appeals[0].effect_log"),
        ("grounds", None, "appeals[0].grounds"),
    ],
)
def test_a_bad_appeal_is_refused_with_its_path(
    decided: Match, name: str, value: object, path: str
) -> None:
    document = document_of(decided)
    document["appeals"][0][name] = value
    with pytest.raises(BadEventFile) as refused:
        moved(document)
    assert refused.value.params["path"] == path
    assert Tournament.objects.count() == 1


def test_an_entry_that_did_not_sit_there_is_refused(decided: Match) -> None:
    document = document_of(decided)
    other = side_of(table_of(decided.pairing_round, 2), "A").number
    document["appeals"][0]["entry"] = other
    with pytest.raises(BadEventFile) as refused:
        moved(document)
    assert refused.value.params["path"] == "appeals[0].entry"
