"""Pairings, their publication and the tables on the director's pages."""

from __future__ import annotations

import pytest

from tests.factories import (
    EntryFactory,
    MatchFactory,
)
from tournaments.models import Match, PairingRound, Stage, Tournament

pytestmark = pytest.mark.django_db


def test_the_next_step_leads_from_the_entries_to_the_end(client, event):
    def said() -> str:
        return client.get("/desk/nile/").context["next"].label

    assert said() == "Add entries"
    EntryFactory.create_batch(4, tournament=event)
    assert said() == "Close registration and start"
    client.post("/desk/nile/start/")
    assert said() == "Make the pairings"
    client.post("/desk/nile/pairings/round-robin/")
    assert said() == "Publish round 1"
    client.post("/desk/nile/pairings/1/1/publish/")
    assert said() == "Type the results"
    Match.objects.update(state=Match.State.CLOSED)
    PairingRound.objects.exclude(number=1).delete()
    assert said() == "Finish the event"
    client.post("/desk/nile/finish/")
    assert said() == "See the standings"


def test_registration_closes_only_after_saying_what_that_means(client, event, text):
    EntryFactory.create_batch(2, tournament=event)
    assert not client.get("/desk/nile/").context["next"].is_change
    page = text(client.get("/desk/nile/start/"))
    assert "2 entries are registered." in page
    assert "the start can be taken back in the log" in page
    event.refresh_from_db()
    assert event.state == Tournament.State.OPEN
    client.post("/desk/nile/start/")
    event.refresh_from_db()
    assert event.state == Tournament.State.RUNNING
    assert client.get("/desk/nile/start/").url == "/desk/nile/"


def test_the_next_draft_is_published_from_the_pairings_page(client, event, text, running):
    running(event)
    assert "Draft the round robin" in text(client.get("/desk/nile/pairings/"))
    client.post("/desk/nile/pairings/round-robin/")
    page = text(client.get("/desk/nile/pairings/"))
    assert 'action="/desk/nile/pairings/1/1/publish/"' in page
    assert "Publish round 1" in page
    assert "Publish round 2" not in page
    assert "Draft the round robin" not in page
    client.post("/desk/nile/pairings/1/1/publish/")
    assert "Publish round 2" in text(client.get("/desk/nile/pairings/"))


def test_registration_opens_once(client, event):
    event.state = Tournament.State.DRAFT
    event.save()
    for _ in range(2):
        client.post("/desk/nile/open/")
    event.refresh_from_db()
    assert event.state == Tournament.State.OPEN
    assert event.log.filter(act="registration_opened").count() == 1


def test_a_refused_step_says_why_on_the_desk(client, event, text):
    response = client.post("/desk/nile/start/")
    assert response.status_code == 422
    assert "has too few entries: 0" in text(response)


def test_a_round_robin_is_drafted_once_and_published_round_by_round(client, event, text, running):
    running(event)
    for _ in range(2):
        client.post("/desk/nile/pairings/round-robin/")
    assert event.stages.get().rounds.count() == 3
    response = client.post("/desk/nile/pairings/1/2/publish/")
    assert response.status_code == 422
    assert "Publish the rounds in order." in text(response)
    for _ in range(2):
        client.post("/desk/nile/pairings/1/1/publish/")
    assert event.log.filter(act="round_published").count() == 1


def test_a_round_is_seated_by_hand(client, event, text, running):
    running(event)
    client.post("/desk/nile/pairings/by-hand/")
    given = {
        "table_0": "٣", "place_0_0": "4", "place_0_1": "1",
        "table_1": "1", "place_1_0": "2", "place_1_1": "3", "byes": "on",
    }  # fmt: skip
    assert client.post("/desk/nile/pairings/1/seat/", given).status_code == 302
    seats = {
        match.table: {seat.seat: seat.entry.number for seat in match.seats.all()}
        for match in Match.objects.all()
    }
    assert seats == {3: {"A": 4, "C": 4, "B": 1, "D": 1}, 1: {"A": 2, "C": 2, "B": 3, "D": 3}}
    page = text(client.get("/desk/nile/pairings/1/1/seat/"))
    assert '<option value="2" selected>' in page


def test_whoever_is_left_over_has_a_bye(client, event, running):
    running(event, pairs=3)
    client.post("/desk/nile/pairings/by-hand/")
    given = {"table_0": "1", "place_0_0": "1", "place_0_1": "2", "table_1": "2", "byes": "on"}
    client.post("/desk/nile/pairings/1/seat/", given)
    assert [bye.entry.number for bye in PairingRound.objects.get().byes.all()] == [3]


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"place_1_0": "1"}, "Seated at table 1 already. Choose somebody else."),
        ({"place_1_0": "77"}, "This entry does not play. Choose one from the list."),
        ({"table_1": ""}, "The table has no number. Count tables from 1."),
        ({"table_1": "1"}, "Table 1 is used twice in this round."),
        ({"place_1_1": ""}, "Table 2 needs this number of entries: 2; found 1."),
    ],
)
def test_a_wrong_seat_is_named_and_the_others_stay(client, event, wrong, sentence, text, running):
    running(event)
    client.post("/desk/nile/pairings/by-hand/")
    given = {
        "table_0": "1", "place_0_0": "1", "place_0_1": "2",
        "table_1": "2", "place_1_0": "3", "place_1_1": "4", "byes": "on",
    }  # fmt: skip
    response = client.post("/desk/nile/pairings/1/seat/", given | wrong)
    assert response.status_code == 422
    assert sentence in text(response)
    assert '<option value="2" selected>' in text(response)
    assert not PairingRound.objects.exists()


def test_entries_without_a_table_are_left_out_only_on_purpose(client, event, text, running):
    running(event)
    client.post("/desk/nile/pairings/by-hand/")
    given = {"table_0": "1", "place_0_0": "1", "place_0_1": "2", "table_1": "2"}
    client.post("/desk/nile/pairings/1/seat/", given)
    response = client.post("/desk/nile/pairings/1/1/publish/")
    assert response.status_code == 422
    assert "have neither a table nor a bye" in text(response)
    assert "leave_out" in text(response)
    client.post("/desk/nile/pairings/1/1/publish/", {"leave_out": "on"})
    assert PairingRound.objects.get().state == PairingRound.State.PUBLISHED


def test_drafts_are_thrown_away_once(client, event, running):
    running(event)
    client.post("/desk/nile/pairings/round-robin/")
    for _ in range(2):
        assert client.post("/desk/nile/pairings/1/discard/").status_code == 302
    assert not Stage.objects.exists()


def test_a_closed_table_leads_to_its_correction(client, event, text, running):
    running(event)
    match = MatchFactory.create(pairing_round__stage__tournament=event, state=Match.State.CLOSED)
    link = f"/desk/nile/tables/{match.pk}/reopen/"
    assert link in text(client.get("/desk/nile/tables/"))
    page = text(client.get(link))
    assert f'action="/matches/{match.pk}/reopen/"' in page
    assert 'name="reason"' in page


def test_a_table_of_another_event_is_not_there(client, event):
    match = MatchFactory.create(state=Match.State.CLOSED)
    assert client.get(f"/desk/nile/tables/{match.pk}/reopen/").status_code == 404


def test_the_list_of_tables_costs_the_same_however_many_rounds(
    client, event, running, django_assert_max_num_queries
):
    running(event)
    stage = MatchFactory.create(pairing_round__stage__tournament=event).pairing_round.stage
    for number in range(2, 8):
        one = PairingRound.objects.create(
            stage=stage, number=number, state=PairingRound.State.PUBLISHED
        )
        MatchFactory.create(pairing_round=one)
    with django_assert_max_num_queries(12):
        assert client.get("/desk/nile/tables/").status_code == 200
