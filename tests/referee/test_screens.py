"""What the screens of a hall show and to whom: no draft, no hand, nothing once revoked."""

from __future__ import annotations

import re
from datetime import datetime, timedelta
from html import unescape
from uuid import uuid4

import pytest
from django.core.cache import cache
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from engine.notation import parse_line
from referee.services import calls
from referee.services import records as referee
from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    StandingRowFactory,
    TournamentFactory,
)
from tournaments.models import Match, PairingRound, Room, Screen, Stage, Tournament
from tournaments.services import attendance, clock, draws, pairings, scores, screens, stages
from tournaments.services.screens import ScreenSettings
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings
from tournaments.words.tiles import tile_name

pytestmark = pytest.mark.django_db

VIEWS = Screen.Shows.values
HANDS = {
    "A": ["6-6", "6-5", "6-4", "6-3", "6-2", "6-1", "6-0"],
    "B": ["5-5", "5-4", "5-3", "5-2", "5-1", "5-0", "4-4"],
    "C": ["4-3", "4-2", "4-1", "4-0", "3-3", "3-2", "3-1"],
    "D": ["3-0", "2-2", "2-1", "2-0", "1-1", "1-0", "0-0"],
}


def screen_of(event: Tournament, shows: str = "tables", **more: object) -> Screen:
    name = f"Screen {uuid4()}"[:40]
    settings = {one: more.pop(one) for one in list(more) if one in ScreenSettings.__slots__}
    wanted = ScreenSettings(name=name, **settings)  # type: ignore[arg-type]
    screen = screens.make_screen(event, wanted=wanted, by=event.created_by)
    Screen.objects.filter(pk=screen.pk).update(shows=shows, **more)
    screen.refresh_from_db()
    return screen


def shown(client, screen, *, overlay=False, **headers):
    kind = "overlay/now/" if overlay else "now/"
    return client.get(f"/screen/{screen.key}/{kind}", headers=headers)


def read(response) -> str:
    """Read a page as it is seen: without marks of direction and without markup."""
    page = unescape(re.sub(r"<[^>]*>", " ", response.content.decode()))
    return " ".join(page.replace("\u2068", "").replace("\u2069", "").split())


def seats_on(page: str) -> dict[str, list[tuple[str, str]]]:
    """Return who sits where by the markup of a screen: its tables with letters and names."""
    tables = {}
    for row in re.findall(r'<li class="row table-row">(.*?)</li>', page, flags=re.DOTALL):
        number = re.search(r"Table </span>(\d+)", row)
        if number is not None:
            seats = re.findall(r'class="seat">(\w)</span> <span class="name"><bdi>(.*?)</bdi>', row)
            tables[number[1]] = sorted(seats)
    return tables


@pytest.fixture
def event() -> Tournament:
    return TournamentFactory.create(slug="nile", name="Nile Cup", state="running")


@pytest.fixture
def stage(event: Tournament) -> Stage:
    return StageFactory.create(tournament=event)


@pytest.fixture
def pairing_round(stage: Stage) -> PairingRound:
    return PairingRoundFactory.create(stage=stage)


def table_of(pairing_round: PairingRound, *names: str) -> Match:
    event = pairing_round.stage.tournament
    pairs = (names[0], names[2]), (names[1], names[3])
    entries = [
        EntryFactory.create(
            tournament=event, players=[PlayerFactory.create(name=name) for name in pair]
        )
        for pair in pairs
    ]
    return MatchFactory.create(pairing_round=pairing_round, entries=entries)


# --- who sees what --------------------------------------------------------------------------


@pytest.mark.parametrize("shows", VIEWS)
def test_a_draft_is_on_no_screen_and_no_overlay(client, event, stage, shows):
    draft = PairingRoundFactory.create(stage=stage, state="draft")
    table_of(draft, "Draftrosa", "Draftlin", "Draftomar", "Draftsara")
    clock_facts = {"starts_at": timezone.now(), "minutes": 33}
    PairingRound.objects.filter(pk=draft.pk).update(**clock_facts)
    screen = screen_of(event, shows, message="Welcome")
    for overlay in (False, True):
        response = shown(client, screen, overlay=overlay)
        assert response.status_code == 200
        assert b"Draft" not in response.content
        assert b"data-ends" not in response.content


def test_before_anything_is_published_it_says_so(client, event):
    assert "No pairings are published yet." in read(shown(client, screen_of(event)))
    standings = screen_of(event, "standings")
    assert "There are no standings yet." in read(shown(client, standings))


def test_a_private_event_is_shown_to_whoever_has_the_address_and_to_nobody_else(client, event):
    Tournament.objects.filter(pk=event.pk).update(is_private=True)
    screen = screen_of(event)
    assert client.get("/t/nile/").status_code == 404
    page = client.get(f"/screen/{screen.key}/")
    assert (page.status_code, "Nile Cup" in page.content.decode()) == (200, True)
    assert page.headers["X-Robots-Tag"] == "noindex, nofollow"
    for address in ("", "now/", "overlay/", "overlay/now/"):
        wrong = f"{screen.key[:-1]}{'a' if screen.key[-1] != 'a' else 'b'}"
        assert client.get(f"/screen/{wrong}/{address}").status_code == 404
        assert client.get(f"/screen/{screen.key}/{address}").status_code == 200
    screens.renew_key(screen, by=event.created_by)
    for address in ("", "now/", "overlay/", "overlay/now/"):
        assert client.get(f"/screen/{screen.key}/{address}").status_code == 404


def test_nothing_is_changed_by_looking(client, event, pairing_round):
    screen = screen_of(event)
    for address in ("", "now/"):
        assert client.post(f"/screen/{screen.key}/{address}").status_code == 405


def test_hands_are_never_on_a_screen_while_they_are_played(client, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event = pairing_round.stage.tournament
    by = event.created_by
    referee.open_match(match, by=by)
    record = referee.open_round(match, number=0, opener="A", hands=HANDS, stock=[], by=by)
    for number, line in enumerate(("A 6-6", "B pass", "C pass", "D pass", "A 6-5")):
        referee.append_event(record, number=number, event=parse_line(line), by=by)
    screen = screen_of(event, "featured", table=match.table)
    page = read(shown(client, screen))
    assert "Open ends: 6 on the left, 5 on the right." in page
    on_table = {tile_name(tile) for tile in ("6-6", "6-5")}
    in_hand = {tile_name(tile) for tiles in HANDS.values() for tile in tiles} - on_table
    assert all(name in page for name in on_table)
    assert [name for name in in_hand if name in page] == []
    over = read(shown(client, screen, overlay=True))
    assert "Open ends 6 5" in over
    assert {"Rosa", "Lin", "Omar", "Sara"} <= set(over.split())


def test_calls_say_which_table_waits_and_not_why(client, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event = pairing_round.stage.tournament
    Room.objects.create(tournament=event, name="Balcony", first_table=1, last_table=9)
    call = calls.call_referee(
        match,
        kind="conduct",
        note="He shouted at me",
        language="en",
        client_key=uuid4(),
        by=event.created_by,
    )
    screen = screen_of(event, "calls")
    page = read(shown(client, screen))
    assert "Table 1 Waits for a referee Balcony" in page
    assert "shouted" not in page
    assert "Conduct" not in page
    calls.claim(call, by=event.created_by)
    assert "A referee is on the way" in read(shown(client, screen))
    calls.close(call, outcome="Warned", by=event.created_by)
    assert "Nobody is called, and no table waits for a referee." in read(shown(client, screen))


# --- one source -----------------------------------------------------------------------------


def test_situation_55_screen_notice_and_sheet_show_one_table_before_the_clock_starts(client):
    event = TournamentFactory.create(slug="nile", state="running", entry_kind="single")
    players = [PlayerFactory.create(name=f"Player {letter}") for letter in "ABCDEFGH"]
    entries = [EntryFactory.create(tournament=event, players=[one]) for one in players]
    stage = stages.make_stage(event, StagePlan("rotating", rounds=3), by=event.created_by)
    for entry in entries[:4]:
        attendance.set_absence(stage, number=1, entry=entry, kind="absent", by=event.created_by)
    draft = draws.draw_round(stage, number=1, by=event.created_by)
    screen = screen_of(event)
    assert seats_on(shown(client, screen).content.decode()) == {}
    found = pairings.publish(draft, by=event.created_by)
    assert clock.clock_of(found) is None

    match = found.matches.get()
    stored = sorted((seat.seat, seat.player.name) for seat in match.seats.all())
    assert len(stored) == 4
    on_screen = seats_on(shown(client, screen).content.decode())
    assert on_screen == {str(match.table): stored}
    seat = r'<span class="letter">(\w)</span> <bdi>(.*?)</bdi>'
    notice = client.get("/t/nile/prints/pairings.html").content.decode()
    assert sorted(re.findall(seat, notice)) == stored
    assert notice.count('class="table-number"') == 1
    client.force_login(event.created_by)
    sheet = client.get("/t/nile/prints/scores.html").content.decode()
    seat = r'<td class="letter">(\w)</td>.*?<bdi>(.*?)</bdi></th>'
    assert sorted(re.findall(seat, sheet)) == stored
    assert sheet.count('class="score-sheet"') == 1
    absent = [player.name for player in players[:4]]
    for page in (shown(client, screen).content.decode(), notice, sheet):
        assert [name for name in absent if name in page] == []


def test_situation_53_two_screens_have_one_deadline_and_one_of_them_rings(client, pairing_round):
    event = pairing_round.stage.tournament
    begins = timezone.now()
    clock.set_clock(pairing_round, minutes=40, starts_at=begins, by=event.created_by)
    one, other = screen_of(event, "clock"), screen_of(event, "tables", rings=True)
    for screen in (one, other):
        response = shown(client, screen)
        found = re.search(r'data-ends="(.*?)"', response.content.decode())
        assert found is not None
        assert datetime.fromisoformat(found[1]) == begins + timedelta(minutes=40)
        # Whatever the device believes, it is told what time it is.
        told = int(response.headers["Now"]) / 1000
        assert abs(told - timezone.now().timestamp()) < 1
        assert ("data-rings" in response.content.decode()) == (screen == other)


def test_a_table_with_extra_time_stands_under_the_clock(client, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    by = pairing_round.stage.tournament.created_by
    begins = timezone.now().replace(hour=8, minute=0, second=0)
    clock.set_clock(pairing_round, minutes=40, starts_at=begins, by=by)
    clock.set_extra_time(match, seconds=300, reason="A tile fell", by=by)
    page = read(shown(client, screen_of(pairing_round.stage.tournament, "clock")))
    # In the time of the event's own place, Cairo, which is two or three hours ahead.
    assert re.search(r"until 1[01]:40 .*Table 1 until 1[01]:45", page)


# --- asked again and again ------------------------------------------------------------------


def test_what_is_shown_already_costs_two_queries_and_tells_the_time(
    client, pairing_round, django_assert_num_queries
):
    table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event = pairing_round.stage.tournament
    screen = screen_of(event)
    tag = shown(client, screen).headers["ETag"]
    with django_assert_num_queries(2):
        same = shown(client, screen, if_none_match=tag)
    assert (same.status_code, same.content) == (304, b"")
    assert int(same.headers["Now"]) > 0
    screens.switch_screen(screen, shows="clock", by=event.created_by)
    changed = shown(client, screen, if_none_match=tag)
    assert (changed.status_code, changed.headers["ETag"] == tag) == (200, False)


def test_every_change_that_is_shown_is_seen(client, stage, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event, by = stage.tournament, stage.tournament.created_by
    found = {name: screen_of(event, name) for name in ("tables", "standings", "clock", "featured")}

    def changes(name, do):
        tag = shown(client, found[name]).headers["ETag"]
        assert shown(client, found[name], if_none_match=tag).status_code == 304, name
        do()
        return shown(client, found[name], if_none_match=tag).status_code == 200

    assert changes("clock", lambda: clock.set_clock(pairing_round, minutes=40, by=by))
    assert changes("featured", lambda: referee.open_match(match, by=by))
    record = referee.open_round(match, number=0, opener="A", by=by)
    assert changes(
        "featured",
        lambda: referee.append_event(record, number=0, event=parse_line("A 6-6"), by=by),
    )
    # A tile somewhere is no news for the list of tables.
    assert not changes(
        "tables",
        lambda: referee.append_event(record, number=1, event=parse_line("B 6-5"), by=by),
    )

    def play_on():
        other = table_of(pairing_round, "Uma", "Vera", "Wim", "Xeno")
        scores.record_score(other, points={"AC": 100, "BD": 20}, sure=True, by=by)
        rebuild_standings(stage)

    assert changes("standings", play_on)


@pytest.mark.parametrize("shows", VIEWS)
def test_no_screen_asks_more_than_fifteen_queries_in_two_languages(client, shows):
    event = TournamentFactory.create(slug="nile", state="running")
    EntryFactory.create_batch(16, tournament=event)
    by = event.created_by
    stage = stages.make_stage(event, StagePlan("knockout"), by=by)
    published = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    clock.set_clock(published, minutes=40, by=by)
    for match in published.matches.order_by("table"):
        calls.call_referee(match, kind="count", language="en", client_key=uuid4(), by=by)
    first = published.matches.earliest("table")
    record = referee.open_round(referee.open_match(first, by=by), number=0, opener="A", by=by)
    referee.append_event(record, number=0, event=parse_line("A 6-6"), by=by)
    Room.objects.create(tournament=event, name="Hall", first_table=1, last_table=9)
    for entry in event.entries.all():
        StandingRowFactory.create(stage=stage, entry=entry)
    screen = screen_of(event, shows, language="en", second_language="ar", message="Hello")
    for address in ("", "now/", "overlay/", "overlay/now/"):
        cache.clear()
        with CaptureQueriesContext(connection) as sent:
            assert client.get(f"/screen/{screen.key}/{address}").status_code == 200
        assert len(sent) <= 15, (address, len(sent))


# --- how it is shown ------------------------------------------------------------------------


def test_two_languages_take_turns_each_in_its_own_direction(client, pairing_round):
    table_of(pairing_round, "Rosa", "<b>Lin</b>", "عمر", "Sara")
    event = pairing_round.stage.tournament
    screen = screen_of(event, language="ar", second_language="en")
    page = shown(client, screen, accept_language="es").content.decode()
    assert re.findall(r'lang="(\w+)" dir="(\w+)"', page) == [("ar", "rtl"), ("en", "ltr")]
    assert "<bdi>&lt;b&gt;Lin&lt;/b&gt;</bdi>" in page
    assert page.count("<bdi>عمر</bdi>") == 2
    whole = client.get(f"/screen/{screen.key}/").content.decode()
    assert re.search(r'<html lang="ar" dir="rtl"', whole)


def test_screens_share_a_long_list_and_nobody_is_left_out(client, event, pairing_round):
    for _ in range(7):
        MatchFactory.create(pairing_round=pairing_round)
    found = []
    for part in (1, 2, 3):
        screen = screen_of(event, part=part, parts=3)
        found.append(list(seats_on(shown(client, screen).content.decode())))
    assert found == [["1", "2", "3"], ["4", "5", "6"], ["7"]]


def test_a_stage_can_be_chosen_where_two_are_played(client, event):
    for name, player in (("Main", "Rosa"), ("Consolation", "Uma")):
        stage = StageFactory.create(tournament=event, name=name)
        table_of(PairingRoundFactory.create(stage=stage), player, "Lin", "Omar", "Sara")
    screen = screen_of(event)
    assert "Rosa" in read(shown(client, screen))
    screens.switch_screen(screen, shows="tables", stage=stage, by=event.created_by)
    page = read(shown(client, screen))
    assert ("Uma" in page, "Rosa" in page) == (True, False)


def test_those_without_opponents_stand_at_the_end_of_the_tables(client, event, pairing_round):
    table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    entry = EntryFactory.create(tournament=event, name="Lonely / Hearts")
    pairing_round.byes.create(entry=entry)
    assert read(shown(client, screen_of(event))).endswith("Lonely / Hearts without opponents")


def test_an_overlay_has_the_featured_table_whatever_the_screen_shows(client, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event = pairing_round.stage.tournament
    clock.set_clock(pairing_round, minutes=40, by=event.created_by)
    screen = screen_of(event, "standings", table=match.table)
    page = shown(client, screen, overlay=True).content.decode()
    assert ("Rosa" in page, "data-ends" in page) == (True, True)
    by = event.created_by
    screens.switch_screen(screen, shows="message", message="Back at two", by=by)
    page = read(shown(client, screen, overlay=True))
    assert ("Back at two" in page, "Rosa" in page) == (True, False)
    screens.switch_screen(screen, shows="black", by=by)
    assert read(shown(client, screen, overlay=True)) == ""


def test_an_overlay_follows_the_table_while_the_hall_reads_something_else(client, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event = pairing_round.stage.tournament
    by = event.created_by
    record = referee.open_round(referee.open_match(match, by=by), number=0, opener="A", by=by)
    screen = screen_of(event, "standings", table=match.table)
    tag = shown(client, screen, overlay=True).headers["ETag"]
    referee.append_event(record, number=0, event=parse_line("A 6-6"), by=by)
    changed = shown(client, screen, overlay=True, if_none_match=tag)
    assert (changed.status_code, "Open ends 6 6" in read(changed)) == (200, True)


def test_a_closed_table_shows_what_the_desk_has_of_it(client, pairing_round):
    match = table_of(pairing_round, "Rosa", "Lin", "Omar", "Sara")
    event = pairing_round.stage.tournament
    points = {"AC": 100, "BD": 42}
    scores.record_score(match, points=points, sure=True, by=event.created_by)
    page = read(shown(client, screen_of(event, "featured", table=match.table)))
    assert "A Rosa C Omar" in page
    assert page.index("100") < page.index("42")
    assert "The match is over." in page
    nowhere = screen_of(event, "featured", table=99)
    assert "This round has no such table." in read(shown(client, nowhere))


def test_a_bracket_shows_rounds_that_are_not_over_and_draws_the_last_ones(client):
    event = TournamentFactory.create(slug="cup", state="running")
    EntryFactory.create_batch(8, tournament=event)
    by = event.created_by
    stage = stages.make_stage(event, StagePlan("knockout"), by=by)
    screen = screen_of(event, "bracket")
    assert "No bracket is drawn yet." in read(shown(client, screen))
    for number, rounds in ((1, ("Quarterfinals", "Semifinals", "Final")), (2, ("Semifinals",))):
        published = pairings.publish(draws.draw_round(stage, number=number, by=by), by=by)
        page = read(shown(client, screen))
        assert [name for name in rounds if name not in page] == []
        for match in published.matches.order_by("table"):
            scores.record_score(match, points={"AC": 100, "BD": 30}, sure=True, by=by)
    assert "Quarterfinals" not in read(shown(client, screen))
    published = pairings.publish(draws.draw_round(stage, number=3, by=by), by=by)
    final = published.matches.latest("table")
    scores.record_score(final, points={"AC": 100, "BD": 30}, sure=True, by=by)
    assert "Winner" in read(shown(client, screen))
