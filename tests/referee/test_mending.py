"""What a referee can still put right: findings, sheets after an undo, a closed table."""

from __future__ import annotations

from uuid import uuid4

import pytest
from django.urls import reverse

from engine.events import Sheet
from engine.penalties import RETRACT
from engine.profiles import Rules
from referee.errors.records import RecordMovedOn, ReopensWithdrawn
from referee.proposals import ABOUT_TURNS, proposals
from referee.queries import records as queries
from referee.services import records as services
from tests.referee.conftest import sheet, write
from tournaments.models import Entry, Match

pytestmark = pytest.mark.django_db


def test_once_play_is_over_no_measure_about_turns_is_proposed():
    rules = Rules.of("wdf", 100)
    during = proposals(rules, "false_pass", 1, deliberate=False)
    after = proposals(rules, "false_pass", 1, deliberate=False, play_over=True)
    assert RETRACT in during[0].measures
    assert [str(one) for one in after[0].measures] == ["warning"]
    assert not any(set(one.measures) & set(ABOUT_TURNS) for one in after)
    assert all(one.measures for one in after)


def test_a_finding_names_the_tile_that_proves_it_and_where_to_rule(record, referee, client):
    write(record, "A 6-6\nB 6-3\nC pass\nD 6-5\nA 5-5\nB 5-4\nC 4-3 right", referee)
    (found,) = queries.state(record.match, referee)["live"]["findings"]
    assert found["kind"] == "false_pass"
    assert found["tile"] == "4-3"
    assert found["round_id"] == record.pk
    client.force_login(referee)
    page = client.get(reverse("referee:record", args=[record.match_id])).content.decode()
    assert f"/rounds/{record.pk}/infraction/?seat=C&amp;kind=false_pass&amp;tile=4-3" in page
    form = client.get(
        reverse("referee:infraction", args=[record.pk]),
        {"seat": "C", "kind": "false_pass", "tile": "4-3"},
    ).content.decode()
    assert 'name="tile" value="4-3"' in form


def test_a_finding_of_an_earlier_round_is_ruled_on_from_the_page(record, referee, client):
    write(record, "A 6-6\nB 6-3\nC pass\nD 6-5\nA 5-5\nB 5-4\nC 4-3 right", referee)
    client.force_login(referee)
    write(record, "A! delay -> void_round", referee)
    services.open_round(record.match, number=1, opener="A", by=referee)
    page = client.get(reverse("referee:record", args=[record.match_id])).content.decode()
    address = f"/rounds/{record.pk}/infraction/?seat=C&amp;kind=false_pass&amp;tile=4-3"
    assert address in page
    form = client.get(address.replace("&amp;", "&")).content.decode()
    assert "taken back" not in form
    answer = client.post(
        reverse("referee:append_event", args=[record.pk]),
        {
            "what": "infraction",
            "number": record.events.count(),
            "client_key": str(uuid4()),
            "seat": "C",
            "kind": "false_pass",
            "tile": "4-3",
            "choice": "warning",
        },
    )
    assert answer.status_code == 302
    assert record.events.last().notation == "C! false_pass 4-3 -> warning"
    assert queries.state(record.match, referee)["live"]["findings"] == []


def test_a_score_sheet_may_follow_events_that_were_all_undone(record, referee):
    write(record, "A 6-6\nB 6-3\nundo 2", referee)
    told, key = Sheet("AC", 20, "out"), uuid4()
    for _ in range(3):
        after = services.record_sheet(
            record.match, number=0, sheet=told, client_key=key, by=referee
        )
        assert after.state.totals == {"AC": 20, "BD": 0}
    assert record.events.count() == 4


def test_a_score_sheet_may_follow_one_that_was_undone(opened, referee):
    sheet(opened, 0, "AC", 20, referee)
    write(opened.records.get(), "undo 1", referee)
    sheet(opened, 0, "BD", 15, referee)
    assert queries.read(opened).state.totals == {"AC": 0, "BD": 15}


def test_a_score_sheet_does_not_overrun_what_somebody_records(record, referee):
    write(record, "A 6-6", referee)
    with pytest.raises(RecordMovedOn):
        services.record_sheet(record.match, number=0, sheet=Sheet("AC", 20, "out"), by=referee)


@pytest.fixture
def closed_and_withdrawn(opened, referee) -> Match:
    """A closed table of which one entry has withdrawn since."""
    sheet(opened, 0, "AC", 200, referee)
    services.close_match(opened, by=referee)
    entry = opened.seats.get(seat="B").entry
    entry.state = Entry.State.WITHDRAWN
    entry.save()
    return opened


def test_opening_a_table_of_a_withdrawn_entry_again_asks_first(closed_and_withdrawn, director):
    match = closed_and_withdrawn
    with pytest.raises(ReopensWithdrawn) as refused:
        services.reopen_match(match, reason="Misread.", by=director)
    assert match.seats.get(seat="B").entry.name in str(refused.value)
    match = services.reopen_match(match, reason="Misread.", by=director, withdrawn_too=True)
    assert match.state == Match.State.PLAYING


def test_both_doors_take_the_confirmation(closed_and_withdrawn, director, client, door):
    client.force_login(director)
    address = f"/matches/{closed_and_withdrawn.pk}/reopen/"
    first = door.post(address, reason="Misread.")
    assert first.status_code == door.refused
    if door.kind == "page":
        assert 'name="withdrawn_too" value="1"' in first.content.decode()
        assert 'name="reason" value="Misread."' in first.content.decode()
    assert door.post(address, reason="Misread.", withdrawn_too=True).status_code == door.done


def test_what_somebody_else_overtook_is_told_in_words(record, referee, client):
    write(record, "A 6-6", referee)
    client.force_login(referee)
    page = client.post(
        reverse("referee:append_event", args=[record.pk]),
        {"what": "line", "number": 0, "line": "B! touch 6-3"},
    ).content.decode()
    own = page.partition("Your own entry, not recorded:")[2].partition("</p>")[0]
    assert "Infraction by" in own
    assert "B!" not in own
