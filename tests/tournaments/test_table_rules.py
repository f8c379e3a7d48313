"""One table that plays by other rules than its event."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from tests.factories import MatchFactory, UserFactory
from tournaments.errors import base as errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import Match, Tournament
from tournaments.rules import rules_of
from tournaments.services.table_rules import set_table_rules

pytestmark = pytest.mark.django_db


@pytest.fixture
def table(event):
    event.state = Tournament.State.RUNNING
    event.save()
    return MatchFactory.create(pairing_round__stage__tournament=event)


def set_rules(table, *, by=None, **given):
    by = by or table.pairing_round.stage.tournament.created_by
    return set_table_rules(table, **given, by=by)


def test_a_table_plays_by_its_own_rules_and_returns_to_the_events(table, event):
    found = set_rules(table, profile="domna", target=50, options={"round_to": 5})
    assert (rules_of(found).profile, rules_of(found).target) == ("domna", 50)
    assert rules_of(event).profile == "wdf"
    assert set_rules(found).rules is None


def test_the_events_own_rules_are_no_rules_of_the_table(table, event):
    assert set_rules(table, profile="wdf", target=100).rules is None
    assert not event.log.exists()


def test_once_play_has_begun_the_rules_stay(table):
    table.state = Match.State.PLAYING
    table.save()
    with pytest.raises(table_errors.TableHasBegun) as refused:
        set_rules(table, profile="domna")
    assert "Play has begun at table 1" in explain(refused.value)


def test_partners_stay_partners(table):
    with pytest.raises(errors.PartnersNeeded):
        set_rules(table, profile="elimination")


def test_a_stranger_sets_nothing(table):
    with pytest.raises(PermissionDenied):
        set_rules(table, profile="domna", by=UserFactory.create())


def test_the_page_sets_the_rules_and_takes_them_back(client, table, event, text):
    address = f"/desk/nile/tables/{table.pk}/rules/"
    assert address in text(client.get("/desk/nile/tables/"))
    assert "entry_kind" not in text(client.get(address))
    client.post(address, {"profile": "domna", "target": "200", "step": "save"})
    table.refresh_from_db()
    assert table.rules["profile"] == "domna"
    assert "own rules" in text(client.get("/desk/nile/tables/"))
    client.post(address, {"step": "event"})
    table.refresh_from_db()
    assert table.rules is None


def test_the_page_says_why_not(client, table, text):
    address = f"/desk/nile/tables/{table.pk}/rules/"
    response = client.post(address, {"profile": "elimination", "step": "save"})
    assert response.status_code == 422
    assert "Pairs and teams need tables of four with partners" in text(response)


def test_the_api_sets_the_rules(client, table):
    address = f"/api/desk/nile/tables/{table.pk}/rules/"
    answer = client.put(address, {"profile": "domna"}, content_type="application/json")
    assert answer.status_code == 204
    table.refresh_from_db()
    assert table.rules["profile"] == "domna"
