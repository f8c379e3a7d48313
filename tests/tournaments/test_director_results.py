"""The pages where results are typed and corrected, the clock, the log, and the way back."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from django.urls import reverse

from engine.profiles import Rules
from tests.factories import MatchFactory, OfficialFactory, PairingRoundFactory
from tournaments.models import Entry, LogEntry, Match, Official, PairingRound, Tournament
from tournaments.services import clock, reports, results, scores

pytestmark = pytest.mark.django_db

ROUND = "/desk/nile/results/1/1/"


@pytest.fixture
def tables(event: Tournament) -> list[Match]:
    """Three tables of a published round of an event to 100."""
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.RUNNING)
    pairing_round = PairingRoundFactory.create(stage__tournament=event)
    return [MatchFactory.create(pairing_round=pairing_round) for _ in range(3)]


def typed(match: Match, *points: object, **more: object) -> dict[str, Any]:
    return {"table": match.table, "points_AC": points[0], "points_BD": points[1], **more}


def score(match: Match) -> list[int | None]:
    match.refresh_from_db()
    return [match.seats.get(seat=seat).points_for for seat in "AB"]


def test_the_address_leads_to_the_round_in_play(client, tables):
    assert client.get("/desk/nile/results/").url == ROUND


def test_before_a_round_is_published_there_is_nothing_to_type(client, event, text):
    assert "No round is published yet" in text(client.get("/desk/nile/results/"))


def test_a_draft_has_no_results_page(client, tables):
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    assert client.get(ROUND).status_code == 404


def test_table_enter_score_enter_next(client, tables, text):
    asked = text(client.get(ROUND, {"table": 2}))
    assert "Table 2" in asked
    for entry in Entry.objects.filter(seats__match=tables[1]).distinct():
        assert entry.name in asked
    stored = client.post(ROUND, typed(tables[1], "105", "60"), follow=True)
    assert "Table 2: 105–60 is stored." in text(stored)
    assert "1 of 3 tables stored" in text(stored)
    assert score(tables[1]) == [105, 60]


@pytest.mark.parametrize("whole", ["105 60", "105-60", "105–60", "١٠٥ ٦٠"])
def test_the_first_field_takes_the_whole_score(client, tables, whole):
    assert client.post(ROUND, typed(tables[0], whole, "")).status_code == 302
    assert score(tables[0]) == [105, 60]


def test_what_is_missing_or_no_number_is_said_and_what_was_typed_stays(client, tables, text):
    answer = client.post(ROUND, typed(tables[0], "105", ""))
    assert answer.status_code == 422
    assert "The points of this side are missing." in text(answer)
    assert 'value="105"' in text(answer)
    assert "is not one number" in text(client.post(ROUND, typed(tables[0], "105", "sixty")))


def test_a_table_that_is_not_there_is_said_to_be_missing(client, tables, text):
    answer = client.get(ROUND, {"table": 77})
    assert "Its tables are 1 to 3." in text(answer)
    assert client.post(ROUND, {"table": "x"}).status_code == 422


def test_a_table_with_a_result_shows_it(client, tables, text):
    client.post(ROUND, typed(tables[0], 105, 60))
    assert "Table 1 has a result already." in text(client.get(ROUND, {"table": 1}))
    again = client.post(ROUND, typed(tables[0], 60, 105))
    assert "Table 1 is closed." in text(again)


def test_a_doubtful_score_needs_a_second_press_for_the_same_score(client, tables, text):
    answer = client.post(ROUND, typed(tables[0], 90, 60))
    assert "Store all the same" in text(answer)
    assert score(tables[0]) == [None, None]
    sure = {"sure_of": "90-60|[]"}
    assert client.post(ROUND, typed(tables[0], 80, 60, **sure)).status_code == 422
    assert client.post(ROUND, typed(tables[0], 90, 60, **sure)).status_code == 302
    assert score(tables[0]) == [90, 60]


def test_situation_39_tables_with_one_score_are_named(client, tables, text):
    client.post(ROUND, typed(tables[0], 105, 60))
    answer = client.post(ROUND, typed(tables[2], 105, 60))
    assert "The same score is stored for these tables: 1." in text(answer)
    client.post(ROUND, typed(tables[2], 105, 60, sure_of="105-60|[]"))
    assert "The same sheet twice?" in text(client.get(ROUND))


def test_situation_39_sheets_with_different_rounds_are_not_the_same(client, tables, text):
    for match, rounds in zip(tables, ([[105, 0], [0, 60]], [[0, 60], [105, 0]]), strict=False):
        scores.record_score(
            match,
            points={"AC": 105, "BD": 60},
            sure=True,
            by=match.pairing_round.stage.tournament.created_by,
        )
        Match.objects.filter(pk=match.pk).update(score={"rounds": rounds})
    assert "The same sheet twice?" not in text(client.get(ROUND))


def test_penalty_points_are_typed_beside_the_score(client, tables):
    client.post(ROUND, typed(tables[0], 105, 60, fine_AC=20))
    assert list(tables[0].seats.order_by("seat").values_list("deducted", flat=True)) == [
        20, 0, 20, 0,
    ]  # fmt: skip


def test_a_second_person_checks(client, organizer, tables, text):
    client.post("/desk/nile/results/second-check/", {"needed": "1"})
    other = OfficialFactory.create(
        tournament=tables[0].pairing_round.stage.tournament, duty=Official.Duty.SCORER
    ).user
    reports.submit_score(tables[0], points={"AC": 105, "BD": 60}, by=other)
    page = text(client.get(ROUND))
    assert "Waiting for the second check" in page
    differs = text(client.post(ROUND, typed(tables[0], 105, 61)))
    assert "Two people typed different scores." in differs
    assert client.post(ROUND, {"table": 1, "act": "accept"}).status_code == 302
    assert score(tables[0]) == [105, 60]
    reports.submit_score(tables[1], points={"AC": 105, "BD": 50}, by=other)
    client.post(ROUND, {"table": 2, "act": "reject"})
    assert reports.open_report(tables[1]) is None
    again = client.post(ROUND, {"table": 2, "act": "accept"})
    assert "No result waits for its second check at table 2." in text(again)


def test_mine_is_right_is_a_second_press(client, tables):
    client.post("/desk/nile/results/second-check/", {"needed": "1"})
    tournament = tables[0].pairing_round.stage.tournament
    other = OfficialFactory.create(tournament=tournament, duty=Official.Duty.SCORER).user
    reports.submit_score(tables[0], points={"AC": 105, "BD": 60}, by=other)
    client.post(ROUND, typed(tables[0], 105, 61, over_of="105-61|[]"))
    assert score(tables[0]) == [105, 61]


def test_scorers_type_results_and_strangers_do_not(client, tables):
    tournament = tables[0].pairing_round.stage.tournament
    scorer = OfficialFactory.create(tournament=tournament, duty=Official.Duty.SCORER).user
    client.force_login(scorer)
    assert client.post(ROUND, typed(tables[0], 105, 60)).status_code == 302
    assert client.post("/desk/nile/results/second-check/", {"needed": "1"}).status_code == 403
    client.force_login(OfficialFactory.create().user)
    assert client.get(ROUND).status_code == 403


def test_the_page_costs_few_queries(client, tables, django_assert_max_num_queries):
    for _ in range(20):
        MatchFactory.create(pairing_round=tables[0].pairing_round)
    client.get(ROUND)
    with django_assert_max_num_queries(20):
        client.get(ROUND)


def test_a_correction_says_what_it_changed(client, tables, text):
    client.post(ROUND, typed(tables[0], 105, 60))
    address = reverse("tournaments:director_reopen", args=["nile", tables[0].pk])
    assert 'value="105"' in text(client.get(address))
    given = {"points_AC": 60, "points_BD": 105}
    assert "A reason is needed." in text(client.post(address, given))
    done = text(client.post(address, given | {"reason": "wrong way round"}))
    assert "Table 1 is corrected." in done
    assert "Place of" in done
    assert score(tables[0]) == [60, 105]


def test_a_correction_of_a_table_opened_meanwhile_says_so(client, tables, text):
    address = reverse("tournaments:director_reopen", args=["nile", tables[0].pk])
    given = {"points_AC": 60, "points_BD": 105, "reason": "wrong way round"}
    page = client.post(address, given)
    assert page.status_code == 422
    assert "Table 1 is not closed" in text(page)


def test_seats_are_exchanged_on_a_page(client, tables, text):
    match = tables[0]
    one, other = (match.seats.get(seat=seat).entry_id for seat in "AB")
    address = reverse("tournaments:director_swap", args=["nile", match.pk])
    assert "Pick two" in text(client.post(address, {"reason": "found late"}))
    given = {"one": f"{match.pk}-{one}", "other": f"{match.pk}-{other}", "follow": "persons"}
    assert client.post(address, given).status_code == 422
    done = client.post(address, given | {"reason": "found late"})
    assert "have changed seats" in text(done)
    assert match.seats.get(seat="A").entry_id == other


def test_situation_31_a_match_is_played_again(client, tables, text):
    match = tables[0]
    client.post(ROUND, typed(match, 90, 40, sure_of="90-40|[]"))
    page = client.get(reverse("tournaments:director_replay", args=["nile", match.pk]))
    assert reverse("referee:replay_match", args=[match.pk]) in text(page)
    client.post(reverse("referee:replay_match", args=[match.pk]), {"reason": "aborted"})
    match.refresh_from_db()
    assert (match.state, score(match)) == (Match.State.WAITING, [None, None])
    client.post(ROUND, typed(match, 100, 10))
    assert score(match) == [100, 10]
    acts = LogEntry.objects.filter(act__in=["result", "match_replayed"]).order_by("pk")
    assert list(acts.values_list("act", flat=True)) == ["result", "match_replayed", "result"]
    assert acts[1].details["old"]["A"]["points_for"] == 90


def test_an_entry_is_disqualified_on_a_page(client, tables, text):
    entry = tables[0].seats.get(seat="A").entry
    address = reverse("tournaments:director_disqualify", args=["nile", entry.number])
    assert "Its table 1 is closed at once" in text(client.get(address))
    assert client.post(address, {"reason": "signals"}).status_code == 302
    entry.refresh_from_db()
    assert entry.state == Entry.State.DISQUALIFIED


def test_a_table_that_somebody_left_is_closed(client, organizer, tables, text):
    match = tables[0]
    address = reverse("tournaments:director_left", args=["nile", match.pk])
    entry = match.seats.get(seat="A").entry
    given = {"absent": [str(entry.number)], "reason": "walked off at 60-40"}
    assert "Play has not begun" in text(client.post(address, given))
    results.start_match(match, by=organizer)
    assert address in text(client.get("/desk/nile/tables/"))
    assert "Choose who left the table." in text(client.post(address, {"reason": "angry"}))
    assert client.post(address, given).status_code == 302
    assert score(match) == [0, 50]
    line = LogEntry.objects.get(act="table_left")
    client.post(reverse("tournaments:director_undo", args=["nile", line.pk]))
    left = f"/api/desk/nile/tables/{match.pk}/left/"
    sent = {"left": [entry.number], "reason": "walked off"}
    assert client.post(left, sent, content_type="application/json").status_code == 200
    assert score(match) == [0, 50]


def test_the_log_is_filtered_and_its_lines_are_taken_back(client, organizer, tables, text):
    client.post(ROUND, typed(tables[0], 105, 60))
    page = text(client.get("/desk/nile/log/", {"about": "results", "by": organizer.username}))
    assert "closed table 1 in round 1 of Main stage: 105–60" in page
    assert "closed table" not in text(client.get("/desk/nile/log/", {"about": "entries"}))
    assert "closed table" not in text(client.get("/desk/nile/log/", {"by": "no\0body"}))
    line = LogEntry.objects.get(act="result")
    address = reverse("tournaments:director_undo", args=["nile", line.pk])
    assert "Table 1 in round 1 is open again" in text(client.get(address))
    assert client.post(address).status_code == 302
    assert score(tables[0]) == [None, None]
    assert "taken back" in text(client.get("/desk/nile/log/", {"about": "undone"}))
    assert "took back: " in text(client.get("/desk/nile/log/"))
    assert "has taken this back already" in text(client.get(address))


def test_situation_53_the_clock_has_one_deadline_for_all(client, tables, text):
    pairing_round = tables[0].pairing_round
    address = reverse("tournaments:director_clock", args=["nile", 1, 1])
    client.get(address)
    assert client.post(address, {"act": "set", "minutes": "40"}).status_code == 302
    client.post(address, {"act": "extra", "table": 2, "minutes": 3, "reason": "a ruling"})
    pairing_round.refresh_from_db()
    ends = pairing_round.starts_at + timedelta(minutes=40)
    told = client.get("/api/t/nile/rounds/1/1/clock/").json()
    assert told["ends_at"] == ends.isoformat().replace("+00:00", "Z")
    assert [(one["table"], one["extra_seconds"]) for one in told["tables"]] == [(2, 180)]
    shown = f'data-ends="{ends.astimezone(ZoneInfo("Africa/Cairo")).isoformat()}"'
    for page in (ROUND, "/t/nile/rounds/1/1/", address):
        assert shown in text(client.get(page))
    assert client.post(address, {"act": "stop"}).status_code == 302
    assert "data-ends" not in text(client.get(ROUND))


def test_a_clock_that_cannot_be_is_refused_at_its_field(client, tables, text):
    address = reverse("tournaments:director_clock", args=["nile", 1, 1])
    assert client.post(address, {"act": "set", "minutes": "0"}).status_code == 422
    unknown = {"act": "extra", "table": 9, "minutes": 3, "reason": "a ruling"}
    assert "no such table" in text(client.post(address, unknown))


def test_the_api_of_results(client, organizer, tables):
    first, second, third = (f"/api/desk/nile/tables/{match.pk}/" for match in tables)
    json = {"content_type": "application/json"}
    refused = client.put(first + "score/", {"points": {"AC": 90, "BD": 60}}, **json)
    assert (refused.status_code, refused.json()["code"]) == (409, "ended_before_target")
    sent = {"points": {"AC": 105, "BD": 60}}
    assert client.put(first + "score/", sent, **json).json()["state"] == "closed"
    corrected = {"points": {"AC": 60, "BD": 105}, "reason": "wrong way round"}
    assert client.put(first + "correct/", corrected, **json).json()["moves"]
    line = LogEntry.objects.get(act="result_corrected").pk
    undo = f"/api/desk/nile/log/{line}/undo/"
    assert client.get(undo).json()["effects"]
    assert client.post(undo).status_code == 200
    assert score(tables[0]) == [105, 60]
    client.put("/api/desk/nile/second-check/", {"needed": True}, **json)
    told = client.put(second + "score/", sent | {"sure": True}, **json).json()
    assert told["reported_by"] == organizer.username
    assert client.post(second + "report/").status_code == 409
    assert client.delete(second + "report/").status_code == 204
    time = client.put(third + "time/", {"seconds": 60, "reason": "a ruling"}, **json)
    assert time.status_code == 200
    entries = [tables[2].seats.get(seat=seat).entry.number for seat in "AB"]
    swap = {"one": entries[0], "other": entries[1], "reason": "found late"}
    assert client.post(third + "swap/", swap, **json).status_code == 200
    clock_address = "/api/desk/nile/stages/1/rounds/1/clock/"
    assert client.put(clock_address, {"minutes": 40}, **json).json()["minutes"] == 40
    assert client.delete(clock_address).status_code == 204
    out = f"/api/desk/nile/entries/{entries[0]}/disqualify/"
    assert client.post(out, {"reason": "signals"}, **json).status_code == 204


def test_a_table_closed_by_its_record_takes_no_report(tables):
    match = tables[0]
    by = match.pairing_round.stage.tournament.created_by
    reports.set_second_check(match.pairing_round.stage.tournament, needed=True, by=by)
    match.refresh_from_db()
    reports.submit_score(Match.objects.get(pk=match.pk), points={"AC": 105, "BD": 60}, by=by)
    entry = match.seats.get(seat="A").entry
    results.record_walkover(match, absent=[entry], by=by)
    assert reports.open_report(match) is None


def test_the_clock_of_a_draft_is_seen_by_nobody(client, tables):
    clock.set_clock(
        tables[0].pairing_round,
        minutes=40,
        by=tables[0].pairing_round.stage.tournament.created_by,
    )
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    client.logout()
    assert client.get("/api/t/nile/rounds/1/1/clock/").status_code == 404


def test_the_page_of_an_absence_names_the_card_and_the_time(client, organizer, event, text):
    rules = Rules.of("femundo").frozen_json()
    Tournament.objects.filter(pk=event.pk).update(state=Tournament.State.RUNNING, rules=rules)
    match = MatchFactory.create(pairing_round__stage__tournament=event)
    clock.set_clock(match.pairing_round, minutes=40, by=organizer)
    page = text(client.get(reverse("tournaments:director_table_absent", args=["nile", match.pk])))
    assert "gets a card" in page
    assert "Whoever is not at the table by" in page
