"""The match as everybody sees it: score, line of play, events, rulings, findings, hands."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from engine.events import Play, Sheet
from engine.seats import SEATS
from engine.tiles import TILES
from referee.services import records as services
from tests import factories
from tests.referee.conftest import referee_of, write

pytestmark = pytest.mark.django_db

# Dealt in order: A holds 0-0 to 6-0, D what is left.
HANDS = {
    seat.value: [str(tile) for tile in TILES[7 * seat.number : 7 * seat.number + 7]]
    for seat in SEATS
}


def address(match):
    return reverse("referee:match_sheet", args=[match.pk])


def text(response):
    """Return what a reader sees, without tags, marks of direction and runs of spaces."""
    plain = unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))
    return re.sub(r"\s+", " ", plain.replace("\u2068", "").replace("\u2069", ""))


def test_a_table_not_opened_yet_says_so(client, match):
    shown = text(client.get(address(match)))
    assert "Nothing has been played yet" in shown
    assert "Rosa" in shown


def test_events_are_sentences_with_their_numbers_and_their_notation(client, record, referee):
    write(record, "A 6-6\nB 6-3\nC pass", referee)
    shown = text(client.get(address(record.match)))
    assert "0 Rosa opens with double six. A 6-6" in shown
    assert "2 Omar passes. C pass" in shown


def test_the_line_of_play_is_drawn(client, record, referee):
    write(record, "A 6-6\nB 6-3", referee)
    page = client.get(address(record.match)).content.decode()
    assert 'class="line-drawing' in page


def test_an_infraction_stands_in_its_place_with_its_ruling(client, record, referee):
    write(record, "A 6-6\nB! touch 6-3", referee)
    page = client.get(address(record.match))
    assert "event infraction" in page.content.decode()
    assert "The tile must be played" in text(page)


def test_a_pending_ruling_is_marked(client, record, referee):
    write(record, "A 6-6\nB! signaling -> pending", referee)
    assert "Ruling pending" in text(client.get(address(record.match)))


def test_what_was_undone_stays_in_the_record_without_effect(client, record, referee):
    write(record, "A 6-6\nB 6-3\nundo 1", referee)
    page = client.get(address(record.match))
    assert "undone" in page.content.decode()
    assert "Without effect: Lin plays" in text(page)


def test_a_finding_is_shown_with_its_proof_at_its_event_and_above_all(client, record, referee):
    write(record, "A 6-6\nB pass\nC 6-5\nD 5-4\nA 4-1\nB 6-3", referee)
    shown = text(client.get(address(record.match)))
    assert "What the record proves and nobody ruled on" in shown
    assert shown.count("6-3") >= 2
    assert "False pass" in shown


def test_the_score_is_told_by_round_and_in_total(client, opened, referee):
    services.record_sheet(
        opened, number=0, sheet=Sheet("AC", 37, "out"), client_key=None, by=referee
    )
    services.record_sheet(
        opened, number=1, sheet=Sheet("BD", 12, "blocked"), client_key=None, by=referee
    )
    shown = text(client.get(address(opened)))
    assert "1 Out 37 0" in shown
    assert "2 Blocked 0 12" in shown
    assert "Total 37 12" in shown


def test_points_by_rulings_are_told_apart_from_those_of_the_rounds(client, record, referee):
    write(record, "A 6-6\nB! delay -> points 20", referee)
    assert "By rulings 0 −20" in text(client.get(address(record.match)))


def test_the_record_can_be_taken_home_as_document_and_as_lines(client, record, referee):
    write(record, "A 6-6", referee)
    page = client.get(address(record.match)).content.decode()
    for name in ("api_record", "api_lines"):
        assert reverse(f"referee:{name}", args=[record.match_id]) in page
        assert client.get(reverse(f"referee:{name}", args=[record.match_id])).status_code == 200


# --- what is nobody's business while a round is played ---------------------------------------


@pytest.fixture
def dealt(opened, referee):
    """A round of which the hands are known; D holds the double six and opens."""
    return services.open_round(opened, number=0, hands=HANDS, by=referee)


def test_hands_of_a_round_in_play_are_for_the_officials_only(client, dealt, referee):
    services.append_event(dealt, number=0, event=Play(SEATS[3], TILES[-1]), by=referee)
    assert "Hands as they were dealt" not in text(client.get(address(dealt.match)))
    client.force_login(referee)
    assert "Hands as they were dealt" in text(client.get(address(dealt.match)))


def test_a_tile_drawn_is_hidden_while_the_round_is_played(client, make_match):
    match = make_match(players=2, entry_kind="single")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)
    write(record, "A 6-6\nB draws 5-1", referee)
    shown = text(client.get(address(match)))
    assert "Lin draws a tile. B draws ?" in shown
    assert "5-1" not in shown
    client.force_login(referee)
    assert "B draws 5-1" in text(client.get(address(match)))


# --- refreshing ------------------------------------------------------------------------------


def test_a_quiet_match_costs_three_queries_and_sends_nothing(
    client, record, referee, django_assert_max_num_queries
):
    write(record, "A 6-6", referee)
    headers = {"Part": "1"}
    etag = client.get(address(record.match), headers=headers).headers["ETag"]
    with django_assert_max_num_queries(3):
        again = client.get(address(record.match), headers=headers | {"If-None-Match": etag})
    assert (again.status_code, again.content) == (304, b"")


def test_the_next_event_makes_the_match_new(client, record, referee):
    write(record, "A 6-6", referee)
    etag = client.get(address(record.match)).headers["ETag"]
    write(record, "B 6-3", referee)
    again = client.get(address(record.match), headers={"If-None-Match": etag})
    assert "Lin plays six-three." in text(again)


def test_the_score_is_announced_politely(client, record, referee):
    write(record, "A 6-6", referee)
    page = client.get(address(record.match)).content.decode()
    status = re.search(r'<div id="sheet"[^>]*data-said="([^"]*)"', page)
    assert status is not None
    assert "Lin\u2069 is to play." in status.group(1)


def test_a_match_costs_few_queries_however_long_it_is(
    client, opened, referee, django_assert_max_num_queries
):
    for number in range(6):
        services.record_sheet(
            opened, number=number, sheet=Sheet("AC", 5, "out"), client_key=None, by=referee
        )
    client.force_login(factories.UserFactory.create())
    with django_assert_max_num_queries(15):
        client.get(address(opened))


def test_of_a_long_match_only_the_last_round_is_drawn_and_any_that_is_asked_for(
    client, opened, referee
):
    for number in range(5):
        record = services.open_round(opened, number=number, opener="A", by=referee)
        write(record, "A 6-6\nB 6-3\nC! delay -> void_round", referee)

    def drawn(**query):
        page = client.get(address(opened), query).content.decode()
        return page, page.count("-events-word")

    page, count = drawn()
    assert count == 1
    assert 'href="?round=2#round-2"' in page
    page, count = drawn(round=2)
    assert count == 2
    assert '?round=2" data-tag' in page
    assert drawn(round="all")[1] == 5
    assert drawn(round="nonsense")[1] == 1
