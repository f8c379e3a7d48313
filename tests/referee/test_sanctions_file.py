"""The ledger of cards in the file of an event: there and back, restored, refused with its path."""

from __future__ import annotations

import json
from typing import Any

import pytest

from referee.event_file import exported, imported
from referee.models import Sanction
from referee.services import card_rules, sanction_effects, sanctions
from tests.factories import OrganizerFactory
from tests.referee.conftest import director_of, tournament_of
from tests.referee.test_sanctions import in_step, played, the
from tests.referee.test_sanctions_pages import PHONE, with_phone
from tournaments.errors.event_files import BadEventFile
from tournaments.models import Match, Tournament
from tournaments.rules import rules_of

pytestmark = pytest.mark.django_db


def ledger(tournament):
    return [
        (
            one.player.name if one.player else one.name,
            one.function,
            one.kind,
            one.ladder,
            one.severity,
            one.source,
            one.state,
            one.reason,
            one.note,
            one.counted_in and one.counted_in.severity,
            one.match and one.match.table,
            one.given_at,
            bool(one.effect_log_id),
        )
        for one in Sanction.objects.filter(tournament=tournament).order_by("pk")
    ]


def filled(make_match):
    """An event with cards of every source: by a record, by the ladder, by hand, carried out."""
    match = make_match("femundo")
    by = director_of(match)
    played(match, "B! delay", "B! exposed_tile 5-1", "A! disobedience")
    sanctions.confirm(the(match, source="ladder"), by=by)
    sanctions.drop(the(match, kind="delay"), reason="Too strict", by=by)
    black = sanctions.confirm(the(match, severity="black"), by=by)
    sanction_effects.carry_out(black, by=by)
    sanctions.give(
        tournament_of(match),
        severity="yellow",
        note="Shouted 🙂",
        name="Nadia",
        function="coach",
        by=by,
    )
    card_rules.set_card_rules(
        tournament_of(match), numbers={"warnings": 3}, shown="everybody", by=by
    )
    return match


def test_the_ledger_goes_to_another_installation_and_stays_in_step(make_match):
    match = filled(make_match)
    event = Tournament.objects.get(pk=tournament_of(match).pk)
    content = exported(event)
    copy = imported(content, copy="there", by=OrganizerFactory.create())
    assert ledger(copy) == ledger(event)
    assert copy.policies["cards"] == {"warnings": 3}
    other = Match.objects.get(pairing_round__stage__tournament=copy)
    assert not sanctions.synchronise(copy, by=None)
    assert json.loads(exported(copy))["sanctions"] != []
    assert other.sanctions.count() == match.sanctions.count()


def test_an_events_own_penalties_are_in_its_file(make_match):
    match = with_phone(make_match)
    played(match, "B! phone")
    copy = imported(exported(tournament_of(match)), copy="there", by=OrganizerFactory.create())
    assert copy.rules["penalties"] == PHONE
    assert [one.kind for one in rules_of(copy).own] == ["phone"]
    assert ledger(copy) == ledger(tournament_of(match))


def test_a_file_from_before_there_was_a_ledger_has_none(match):
    played(match, "B! delay")
    document = json.loads(exported(tournament_of(match)))
    del document["sanctions"]
    copy = imported(json.dumps(document).encode(), copy="x", by=OrganizerFactory.create())
    assert ledger(copy) == []
    assert sanctions.synchronise(copy, by=None).proposed == 1


@pytest.mark.parametrize(
    ("field", "value", "path"),
    [
        ("severity", "blue", "sanctions[0].severity"),
        ("state", 1, "sanctions[0].state"),
        ("player", 99, "sanctions[0].player"),
        ("player", None, "sanctions[0]"),
        ("match", 987654, "sanctions[0].match"),
        ("counted_in", 77, "sanctions[0].counted_in"),
        ("effect_log", -1, "sanctions[0].effect_log"),
        ("given_at", "yesterday", "sanctions[0].given_at"),
        ("attempt", "1", "sanctions[0].attempt"),
    ],
)
def test_a_sanction_that_cannot_be_is_refused_with_its_path(match, field, value, path):
    played(match, "B! delay")
    document: dict[str, Any] = json.loads(exported(tournament_of(match)))
    document["sanctions"][0][field] = value
    before = Tournament.objects.count()
    with pytest.raises(BadEventFile) as refused:
        imported(json.dumps(document).encode(), copy="x", by=OrganizerFactory.create())
    assert refused.value.params["path"] == path
    assert Tournament.objects.count() == before


def test_the_same_infraction_twice_in_a_file_is_refused(match):
    played(match, "B! delay")
    document = json.loads(exported(tournament_of(match)))
    document["sanctions"] *= 2
    with pytest.raises(BadEventFile):
        imported(json.dumps(document).encode(), copy="x", by=OrganizerFactory.create())
    assert not in_step(match)
