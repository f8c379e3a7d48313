"""A match move by move: what is shown of each step, to whom, and at which addresses."""

from __future__ import annotations

import re
from html import unescape

import pytest
from django.urls import reverse

from engine.events import Play, Sheet
from engine.seats import SEATS
from engine.tiles import TILES
from referee.hands_shown import Lack, Slot
from referee.models import RoundRecord
from referee.moves import match_moves
from referee.queries.records import matches
from referee.services import records as services
from tests import factories
from tests.referee.conftest import director_of, referee_of, tournament_of, write
from tests.referee.timed import HANDS, PLAYED, timed
from tournaments.models import Match

pytestmark = pytest.mark.django_db

NAMES = ("moves", "embedded_moves", "match_sheet", "plays", "api_match", "api_record", "api_lines")


@pytest.fixture
def played(opened, referee):
    """A round that was played to its end, hands known."""
    record = services.open_round(opened, number=0, opener="A", hands=HANDS, by=referee)
    write(record, timed(PLAYED)[0], referee)
    return opened


def address(match, name="moves", **query):
    page = reverse(f"referee:{name}", args=[match.pk])
    said = "&".join(f"{key}={value}" for key, value in query.items())
    return f"{page}?{said}" if said else page


def text(response):
    plain = unescape(re.sub(r"<[^>]+>", " ", response.content.decode()))
    return re.sub(r"\s+", " ", re.sub("[\u2066\u2068\u2069]", "", plain))


def told(response):
    """Return what the page says of the move, for those who hear it."""
    found = re.search(r'id="moves-said"[^>]*>(.*?)</p>', response.content.decode(), re.DOTALL)
    assert found is not None
    return re.sub("[\u2068\u2069]", "", unescape(re.sub(r"<[^>]+>", "", found[1])))


def shown(match, user=None, **said):
    return match_moves(
        matches().get(pk=match.pk), user or director_of(match), {k: str(v) for k, v in said.items()}
    )


def held(match, step, seat="A", user=None):
    """Return the tiles a seat holds after a step; None where nobody may know which."""
    round_shown = shown(match, user, round=1, move=step).round
    hand = next(one for one in round_shown.hands if one.seat == seat)
    return [str(s.tile) if s.tile else None for s in hand.slots if s.is_held(step)]


# --- one address for each move -----------------------------------------------------------------


def test_each_move_has_an_address_that_works_without_a_script(client, played):
    assert told(client.get(address(played, move=1))) == "Rosa opens with double six."
    page = client.get(address(played, move=2))
    assert told(page) == "Lin plays six-four."
    assert "Move 2 of 28" in text(page)
    html = page.content.decode()
    assert 'href="?round=1&amp;move=1#moves"' in html
    assert 'href="?round=1&amp;move=3#moves"' in html
    assert html.count('aria-current="step"') == 1


def test_a_closed_match_begins_at_its_beginning_and_one_in_play_is_shown_as_it_is(client, played):
    assert told(client.get(address(played))) == "Omar plays five-two."
    Match.objects.update(state="closed")
    assert told(client.get(address(played))) == "Rosa is to open."


@pytest.mark.parametrize(
    ("query", "step"),
    [
        ({"move": 9999}, 28),
        ({"move": "last"}, 28),
        ({"move": "-3"}, 0),
        ({"move": "٣"}, 0),
        ({"move": "9" * 5000}, 0),
        ({"round": 99, "move": 4}, 4),
        ({"round": 0, "move": 4}, 4),
        ({"event": 7}, 8),
        ({"event": 13}, 12),  # an undo: the last step before it
        ({"event": "x"}, 0),
    ],
)
def test_what_is_not_there_is_as_near_to_it_as_can_be(played, query, step):
    Match.objects.update(state="closed")
    assert shown(played, **query).round.at == step


def test_a_match_without_a_record_says_so(client, match):
    assert "Nothing has been played yet" in text(client.get(address(match)))
    assert "Nothing has been played yet" in text(client.get(address(match, "embedded_moves")))


def test_a_round_from_a_score_sheet_is_one_sentence(client, opened, referee):
    services.record_sheet(opened, number=0, sheet=Sheet("AC", 37, "out"), by=referee)
    page = client.get(address(opened, move=1))
    assert told(page).startswith("From the score sheet: out, Rosa / Omar win 37 points.")
    assert "This round was recorded from a score sheet, without its moves." in text(page)


# --- the line of play and the hands ------------------------------------------------------------


def test_the_line_grows_and_no_tile_moves(client, played):
    def tiles(step):
        html = client.get(address(played, move=step)).content.decode()
        drawing = html.split('class="line-drawing growing"')[1].split("</svg>")[0]
        return re.findall(
            r'<g class="laid" transform="([^"]+)" data-since="(\d+)"( data-away)?', drawing
        )

    early, late = tiles(3), tiles(28)
    assert [place for place, _, _ in early] == [place for place, _, _ in late]
    assert sorted(since for _, since, away in early if not away) == ["1", "2", "3"]
    assert not any(away for *_, away in late)
    assert len(late) == 25


def test_the_open_ends_are_those_after_the_step(played):
    ends = shown(played, move=0).round.ends
    by_step = {one.since: (one.left, one.right) for one in ends}
    assert (by_step[1], by_step[2], by_step[3], by_step[5]) == ((6, 6), (6, 4), (6, 2), (0, 2))
    assert [one.until for one in ends][-1] is None


def test_a_hand_loses_what_it_lays(played):
    assert held(played, 0) == ["6-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0"]
    assert held(played, 1) == ["6-5", "5-4", "4-3", "3-2", "2-1", "1-0"]
    assert held(played, 28) == ["6-5"]
    assert held(played, 28, "C") == []


def test_in_a_blind_round_a_hand_is_what_it_laid_and_showed_and_the_rest_is_unknown(
    opened, referee
):
    record = services.open_round(opened, number=0, opener="A", by=referee)
    write(record, [*timed(PLAYED)[0], "A shows 6-5", "B shows 5-5", "D shows 6-0"], referee)
    assert held(opened, 0) == ["6-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0"]
    hand = next(one for one in shown(opened, move=0).round.hands if one.seat == "B")
    assert [count for count, *_ in hand.sizes] == [7, 6, 5, 4, 3, 2, 1]


def test_what_was_undone_stands_in_the_list_without_a_step(client, played):
    page = client.get(address(played))
    assert "Without effect: Sara plays four-one" in text(page)
    moves = shown(played).round.moves
    assert [one.step for one in moves if one.event in (12, 13)] == [None, None]
    assert [one.step for one in moves if one.event == 14] == [13]


def test_an_infraction_stands_in_its_place_with_its_ruling(client, played):
    page = client.get(address(played, move=8))
    assert told(page).startswith("Infraction by Sara:")
    assert 'class="event infraction" data-step="8" aria-current="step"' in page.content.decode()


# --- what a pass tells -------------------------------------------------------------------------


def test_a_pass_tells_which_numbers_are_missing(client, played):
    page = client.get(address(played, move=26))
    assert told(page) == "Rosa passes. So Rosa holds no tile with 0 or 2."
    hand = next(one for one in shown(played).round.hands if one.seat == "A")
    assert hand.lacks == (Lack(0, 26), Lack(2, 26))


def test_a_pass_on_two_equal_ends_tells_one_number(client, record, referee):
    write(record, "A 6-6\nB pass", referee)
    page = client.get(address(record.match, move=2))
    assert told(page) == "Lin passes. So Lin holds no tile with 6."


def test_a_false_pass_tells_nothing_but_that_it_was_false(client, record, referee):
    write(record, "A 6-6\nB pass\nC 6-5\nD 5-4\nA 4-1\nB 6-3", referee)
    said = told(client.get(address(record.match, move=2)))
    assert "So Lin" not in said
    assert "False pass" in said
    assert "6-3 was in hand" in said


def test_a_tile_drawn_that_nobody_saw_is_one_more_in_the_hand(make_match):
    match = make_match(players=2, entry_kind="single", profile="domna")
    referee = referee_of(match)
    services.open_match(match, by=referee)
    record = services.open_round(match, number=0, opener="A", by=referee)
    write(record, "A 6-6\nB draws ?\nB 6-3", referee)
    hand = next(one for one in shown(match).round.hands if one.seat == "B")
    assert [slot for slot in hand.slots if slot.since] == [Slot(None, 2)]
    assert [count for count, *_ in hand.sizes] == [7, 8, 7]


# --- what nobody may see while a round is played -----------------------------------------------


@pytest.fixture
def in_play(opened, referee):
    record = services.open_round(opened, number=0, hands=HANDS, by=referee)
    services.append_event(record, number=0, event=Play(SEATS[0], TILES[-1]), by=referee)
    return opened


def test_hands_of_a_round_in_play_are_shown_to_the_officials_only(client, in_play, referee):
    page = client.get(address(in_play))
    assert "The hands are shown once the round is over." in text(page)
    assert 'aria-label="six-five"' not in page.content.decode()
    client.force_login(referee)
    assert 'aria-label="six-five"' in client.get(address(in_play)).content.decode()


def test_inside_another_site_not_even_an_official_sees_them(client, in_play, referee):
    client.force_login(referee)
    page = client.get(address(in_play, "embedded_moves"))
    assert 'aria-label="six-five"' not in page.content.decode()
    assert "The hands are shown once the round is over." in text(page)


@pytest.mark.parametrize("name", NAMES)
def test_a_match_of_a_draft_round_is_not_there(client, played, name):
    played.pairing_round.state = "draft"
    played.pairing_round.save()
    assert client.get(address(played, name)).status_code == 404
    client.force_login(referee_of(played))
    assert client.get(address(played, name)).status_code == 404


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("hidden", [{"state": "draft"}, {"is_private": True}])
def test_a_match_of_a_hidden_event_is_not_there(client, played, name, hidden):
    tournament = tournament_of(played)
    for key, value in hidden.items():
        setattr(tournament, key, value)
    tournament.save()
    assert client.get(address(played, name)).status_code == 404
    client.force_login(factories.UserFactory.create())
    assert client.get(address(played, name)).status_code == 404


def test_in_a_frame_a_hidden_match_is_not_there_for_its_director_either(client, played):
    played.pairing_round.state = "draft"
    played.pairing_round.save()
    client.force_login(director_of(played))
    assert client.get(address(played)).status_code == 200
    assert client.get(address(played, "embedded_moves")).status_code == 404


# --- frames, files, cost -----------------------------------------------------------------------


def test_only_the_embedded_page_may_stand_in_a_frame(client, played):
    page, frame = client.get(address(played)), client.get(address(played, "embedded_moves"))
    assert page.headers["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in page.headers["Content-Security-Policy"]
    assert "X-Frame-Options" not in frame.headers
    assert "frame-ancestors *" in frame.headers["Content-Security-Policy"]
    strict = page.headers["Content-Security-Policy"].replace("frame-ancestors 'none'", "")
    assert strict == frame.headers["Content-Security-Policy"].replace("frame-ancestors *", "")


def test_an_embedded_page_sets_no_cookie_and_leads_to_the_whole_match(client, played):
    frame = client.get(address(played, "embedded_moves"))
    assert frame.cookies == {}
    assert address(played) in frame.content.decode()
    assert "page-header" not in frame.content.decode()


@pytest.mark.parametrize("name", ["moves", "embedded_moves"])
def test_who_has_the_page_already_is_told_so_until_the_record_goes_on(
    client, record, referee, name
):
    write(record, "A 6-6", referee)
    first = client.get(address(record.match, name))
    known = {"If-None-Match": first.headers["ETag"]}
    again = client.get(address(record.match, name), headers=known)
    assert again.status_code == 304
    assert ("frame-ancestors *" in again.headers["Content-Security-Policy"]) == (
        name == "embedded_moves"
    )
    assert client.get(address(record.match, name, move=0), headers=known).status_code == 200
    write(record, "B 6-3", referee)
    assert "Lin plays" in told(client.get(address(record.match, name), headers=known))


def test_the_record_is_there_to_be_taken_along(client, played):
    html = client.get(address(played)).content.decode()
    for name in ("api_record", "api_lines"):
        assert address(played, name) in html
    assert client.get(address(played, "api_record")).json()["rounds"]
    assert "A 6-6" in client.get(address(played, "api_lines")).content.decode()
    assert f"/embed/matches/{played.pk}/" in html


def test_the_score_over_the_rounds_is_a_curve_and_a_table(client, opened, referee):
    for number, (side, points) in enumerate([("AC", 37), ("BD", 12), ("AC", 20)]):
        services.record_sheet(opened, number=number, sheet=Sheet(side, points, "out"), by=referee)
    page = client.get(address(opened))
    assert [one.totals for one in shown(opened).rounds] == [(37, 0), (37, 12), (57, 12)]
    assert "1 Out 37 0 2 Out 37 12 3 Out 57 12" in text(page)
    assert page.content.decode().count('class="curve"') == 1
    assert page.content.decode().count('class="dot" transform=') == 6


def test_rulings_are_in_the_score_after_their_round(record, referee):
    write(record, "A 6-6\nB! delay -> points 20", referee)
    assert [one.totals for one in shown(record.match).rounds] == [(0, -20)]


def test_a_page_asks_few_queries_however_long_the_match(
    client, played, referee, django_assert_max_num_queries
):
    Match.objects.update(rules=None)
    for number in range(1, 4):
        record = services.open_round(played, number=number, opener="A", hands=HANDS, by=referee)
        lines = [line.replace("D! delay", "D! delay -> warning") for line in timed(PLAYED)[0]]
        write(record, lines, referee)
    assert RoundRecord.objects.count() == 4
    for user in (None, director_of(played)):
        if user:
            client.force_login(user)
        with django_assert_max_num_queries(15):
            assert client.get(address(played, round=2, move=9)).status_code == 200
    with django_assert_max_num_queries(15):
        assert client.get(address(played, "embedded_moves")).status_code == 200
