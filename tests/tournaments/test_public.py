"""What anybody may read: pages of events, found by name, fresh or 304, and nothing of drafts."""

from __future__ import annotations

import re
from datetime import date

import pytest
from django.urls import reverse

from tests.factories import (
    ByeFactory,
    ClubFactory,
    EntryFactory,
    MatchFactory,
    MatchSeatFactory,
    OfficialFactory,
    PairingRoundFactory,
    PlayerFactory,
    StageFactory,
    StandingRowFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.models import Match, MatchSeat, Official, PairingRound, Tournament
from tournaments.services import log

pytestmark = pytest.mark.django_db

RUNNING = Tournament.State.RUNNING


@pytest.fixture
def tournament():
    return TournamentFactory.create(name="Cairo Open", slug="cairo", state=RUNNING)


@pytest.fixture
def stage(tournament):
    return StageFactory.create(tournament=tournament)


@pytest.fixture
def first_round(stage):
    return PairingRoundFactory.create(stage=stage, state=PairingRound.State.PLAYING)


def pair(tournament, *names, **more):
    players = [PlayerFactory.create(name=name) for name in names]
    return EntryFactory.create(
        tournament=tournament, players=players, name=" / ".join(names), **more
    )


def table_of(pairing_round, *pairs, **more):
    tournament = pairing_round.stage.tournament
    entries = [pair(tournament, *names) for names in pairs]
    return MatchFactory.create(pairing_round=pairing_round, entries=entries, **more)


def closed(match, points, against):
    """Write a result as the services do."""
    for seat in match.seats.all():
        own, other = (points, against) if seat.seat in "AC" else (against, points)
        seat.outcome = MatchSeat.Outcome.WIN if own > other else MatchSeat.Outcome.LOSS
        seat.points_for, seat.points_against = own, other
        seat.save()
    match.state = Match.State.CLOSED
    match.save()
    return match


def text(response):
    """Return what a reader sees, without tags, marks of direction and runs of spaces."""
    unmarked = re.sub("[\u2066-\u2069]", "", response.content.decode())
    plain = re.sub(r"<[^>]+>", " ", unmarked)
    return re.sub(r"\s+", " ", plain)


def address(name, *args):
    return reverse(f"tournaments:{name}", args=args)


def rounds_address(pairing_round):
    stage = pairing_round.stage
    return address("pairings", stage.tournament.slug, stage.number, pairing_round.number)


def part(client, url, **headers):
    """Ask for the part of a page that refreshes itself."""
    return client.get(url, headers={"Part": "1", **headers})


# --- home -----------------------------------------------------------------------------------


def test_home_shows_what_is_played_now_next_and_past(client):
    TournamentFactory.create(name="On today", state=RUNNING)
    TournamentFactory.create(name="Soon", state=Tournament.State.OPEN)
    TournamentFactory.create(name="Long ago", state=Tournament.State.FINISHED)
    shown = text(client.get("/"))
    order = ["Played now", "On today", "Coming next", "Soon", "Past events", "Long ago"]
    places = [shown.index(word) for word in order]
    assert places == sorted(places)


def test_home_says_where_and_when_in_the_readers_language(client):
    TournamentFactory.create(
        venue="Café Olive", city="Cairo", country="EG", starts_on=date(2026, 5, 1)
    )
    assert "Café Olive , Cairo , Egypt" in text(client.get("/"))
    arabic = text(client.get("/", headers={"Accept-Language": "ar"}))
    assert "مصر" in arabic
    assert "٢٠٢٦" in arabic


def test_home_without_events_says_so(client):
    assert "No events yet" in text(client.get("/"))


def test_home_pages_through_past_events(client, django_assert_max_num_queries):
    for number in range(30):
        TournamentFactory.create(
            name=f"Past {number:02}",
            starts_on=date(2025, 1, 1 + number),
            state=Tournament.State.FINISHED,
        )
    with django_assert_max_num_queries(16):
        newest = text(client.get("/"))
    assert "Past 29" in newest
    assert "Past 05" not in newest
    assert "Past 05" in text(client.get("/?page=2"))


# --- one event ------------------------------------------------------------------------------


def test_an_event_shows_the_round_being_played_first(client, tournament, first_round):
    table_of(first_round, ("Rosa", "Omar"), ("Ali", "Sami"))
    shown = text(client.get(address("tournament", "cairo")))
    assert shown.index("Pairing round 1") < shown.index("Rosa") < shown.rindex("Rules")
    assert "0 of 1 table is finished." in shown


def test_an_event_shows_the_live_score_of_a_table(client, first_round):
    match = table_of(first_round, ("Rosa", "Omar"), ("Ali", "Sami"), state=Match.State.PLAYING)
    match.score = {"totals": {"AC": 37, "BD": 12}, "round": 3}
    match.save()
    shown = text(client.get(address("tournament", "cairo")))
    assert "37" in shown
    assert "12" in shown
    assert "Being played Round 3" in shown


def test_points_are_written_with_the_digits_of_the_language(client, first_round):
    closed(table_of(first_round, ("Rosa", "Omar"), ("Ali", "Sami")), 104, 37)
    persian = client.get(address("tournament", "cairo"), headers={"Accept-Language": "fa"})
    assert "۱۰۴" in text(persian)


def test_an_event_before_its_first_round_points_to_the_entries(client):
    TournamentFactory.create(slug="early")
    shown = client.get(address("tournament", "early"))
    assert "No pairings yet" in text(shown)
    assert address("entries", "early") in shown.content.decode()


def test_officials_are_named_by_duty_and_nothing_private_is_told(client, tournament):
    somebody = UserFactory.create(
        username="secret-login", first_name="Mona", last_name="Adel", email="mona@example.org"
    )
    OfficialFactory.create(tournament=tournament, user=somebody, duty=Official.Duty.REFEREE)
    shown = client.get(address("tournament", "cairo")).content.decode()
    assert "Mona Adel" in shown
    assert "secret-login" not in shown
    assert "mona@example.org" not in shown


def test_an_official_finds_the_way_to_the_desk(client, tournament):
    client.force_login(tournament.created_by)
    shown = client.get(address("tournament", "cairo")).content.decode()
    assert reverse("tournaments:director", args=["cairo"]) in shown


def test_a_stranger_finds_no_way_to_the_desk(client, tournament):
    shown = client.get(address("tournament", "cairo")).content.decode()
    assert reverse("tournaments:director", args=["cairo"]) not in shown


# --- pairings and where do I sit ------------------------------------------------------------


@pytest.fixture
def mixed_round(first_round):
    """Three tables with names in several spellings."""
    table_of(first_round, ("على كريمى", "رضا احمدی"), ("Ángel Núñez", "John O'Neill"))
    table_of(first_round, ("يوسف الشريف", "عمر"), ("Rosa", "Lucía"))
    table_of(first_round, ("Zoe", "Yann"), ("Xavi", "Walid"))
    return first_round


@pytest.mark.parametrize(
    ("typed", "table"),
    [
        ("علی کریمی", 1),  # Persian letters for a name written with Arabic ones
        ("angel nunez", 1),
        ("ONEILL", None),  # an apostrophe is a gap
        ("o neill", 1),
        ("یوسف", 2),
        ("lucia", 2),
        ("٣", 3),  # a table, in Eastern digits
    ],
)
def test_a_table_is_found_by_any_spelling(client, mixed_round, typed, table):
    response = part(client, f"{rounds_address(mixed_round)}?q={typed}")
    found = re.findall(r'id="table-(\d+)"', response.content.decode())
    expected = [] if table is None else [mixed_round.matches.get(table=table).pk]
    assert [int(pk) for pk in found] == expected


def test_nobody_of_that_name_is_told_with_what_to_try(client, mixed_round):
    shown = text(client.get(f"{rounds_address(mixed_round)}?q=<b>nobody"))
    assert "Nobody called “&lt;b&gt;nobody” plays in this round" in shown
    assert "Try fewer letters" in shown


def test_what_was_typed_stays_in_the_box(client, mixed_round):
    shown = client.get(f"{rounds_address(mixed_round)}?q=rosa").content.decode()
    assert 'value="rosa"' in shown


def test_the_search_works_without_script_and_counts_what_it_found(client, mixed_round):
    shown = text(client.get(f"{rounds_address(mixed_round)}?q=rosa"))
    assert "1 table found." in shown
    assert "Zoe" not in shown


def test_pairings_by_name_tell_table_seat_partner_and_opponents(client, mixed_round):
    shown = text(client.get(f"{rounds_address(mixed_round)}?by=name"))
    assert "Lucía Partner: Rosa Opponents: يوسف الشريف , عمر Table 2 D" in shown
    assert shown.index("Ángel Núñez") < shown.index("Lucía") < shown.index("Zoe")


def test_byes_are_named(client, first_round):
    entry = pair(first_round.stage.tournament, "Left", "Over")
    ByeFactory.create(pairing_round=first_round, entry=entry)
    assert "Without opponents this round: Left / Over" in text(
        client.get(rounds_address(first_round))
    )


def test_everybody_for_themselves_are_all_shown(client):
    solo = TournamentFactory.create(profile="elimination", entry_kind="single", state=RUNNING)
    match = MatchFactory.create(pairing_round__stage__tournament=solo)
    match.score = {"totals": {"A": 10, "B": 55, "C": 0, "D": 149}, "round": 4}
    match.save()
    shown = text(client.get(rounds_address(match.pairing_round)))
    for seat in match.seats.all():
        assert seat.player.name in shown
    assert "149" in shown


def test_the_tab_of_pairings_leads_to_the_round_people_look_for(client, stage):
    PairingRoundFactory.create(stage=stage, state=PairingRound.State.FINISHED)
    now = PairingRoundFactory.create(stage=stage, state=PairingRound.State.PLAYING)
    PairingRoundFactory.create(stage=stage, state=PairingRound.State.DRAFT)
    response = client.get(address("latest_pairings", "cairo"))
    assert response.url == rounds_address(now)


# --- refreshing -----------------------------------------------------------------------------


def test_only_the_tables_are_sent_when_they_refresh(client, mixed_round):
    response = part(client, rounds_address(mixed_round))
    assert response.content.decode().strip().startswith('<section id="pairings"')
    assert "<html" not in response.content.decode()


def test_what_has_not_changed_is_not_sent_again(client, mixed_round, django_assert_num_queries):
    url = rounds_address(mixed_round)
    etag = part(client, url).headers["ETag"]
    with django_assert_num_queries(2):
        again = part(client, url, **{"If-None-Match": etag})
    assert again.status_code == 304
    assert again.content == b""


def test_the_page_names_the_tag_its_part_will_have(client, mixed_round):
    url = rounds_address(mixed_round)
    page = client.get(url).content.decode()
    assert part(client, url).headers["ETag"].strip('"') in page


def test_a_new_score_is_sent(client, mixed_round):
    url = rounds_address(mixed_round)
    etag = part(client, url).headers["ETag"]
    match = mixed_round.matches.first()
    match.score = {"totals": {"AC": 61, "BD": 0}, "round": 2}
    match.save()
    again = part(client, url, **{"If-None-Match": etag})
    assert again.status_code == 200
    assert "61" in text(again)


def test_an_act_of_the_desk_makes_the_page_new(client, mixed_round, tournament):
    url = rounds_address(mixed_round)
    etag = client.get(url).headers["ETag"]
    log.write(tournament, "entry_changed", by=tournament.created_by)
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


@pytest.mark.parametrize("headers", [{"Accept-Language": "es"}, {"Part": "1"}])
def test_another_language_or_part_is_another_page(client, mixed_round, headers):
    url = rounds_address(mixed_round)
    etag = client.get(url).headers["ETag"]
    assert client.get(url, headers={"If-None-Match": etag, **headers}).status_code == 200


def test_a_reader_who_signs_in_gets_a_page_of_their_own(client, mixed_round):
    url = rounds_address(mixed_round)
    etag = client.get(url).headers["ETag"]
    client.force_login(UserFactory.create())
    assert client.get(url, headers={"If-None-Match": etag}).status_code == 200


def test_a_finished_round_refreshes_no_more(client, stage):
    over = PairingRoundFactory.create(stage=stage, state=PairingRound.State.FINISHED)
    table_of(over, ("Rosa", "Omar"), ("Ali", "Sami"))
    assert "data-live" not in part(client, rounds_address(over)).content.decode()


# --- standings ------------------------------------------------------------------------------


@pytest.fixture
def standings(first_round):
    """Four entries: two parted by difference, two sharing the third place."""
    stage = first_round.stage
    values = [(3, 200), (3, 150), (1, -20), (1, -20)]
    for order, (wins, difference) in enumerate(values, start=1):
        StandingRowFactory.create(
            stage=stage,
            entry=pair(stage.tournament, f"One {order}", f"Two {order}"),
            order=order,
            place=min(order, 3),
            played=3,
            values={"wins": wins, "difference": difference, "points_for": 100},
            decided_by=["", "difference", "wins", ""][order - 1],
        )
    return stage


def test_standings_say_in_words_what_decided_each_place(client, standings):
    shown = text(client.get(address("standings", "cairo")))
    assert "The difference of points decides: +150 against +200." in shown
    assert "Wins decide: 1 against 3." in shown
    assert "Level in everything with the entry above; they share the place." in shown


def test_a_finished_event_shows_who_won_first(client, standings, tournament):
    tournament.state = Tournament.State.FINISHED
    tournament.save()
    shown = text(client.get(address("tournament", "cairo")))
    assert shown.index("Final standings") < shown.index("One 1") < shown.index("Pairing round")


def test_standings_explain_the_criteria_in_their_order(client, standings):
    shown = text(client.get(address("standings", "cairo")))
    explained = shown.index("What decides the places")
    assert shown.index("Matches won; a bye counts as one.", explained) < shown.index(
        "Points for minus points against, over all matches.", explained
    )


def test_standings_of_an_unknown_or_unpublished_stage_are_not_there(client, standings, tournament):
    hidden = StageFactory.create(tournament=tournament)
    PairingRoundFactory.create(stage=hidden, state=PairingRound.State.DRAFT)
    for number in (str(hidden.number), "77", "x", "٢", "99999999999"):
        response = client.get(address("standings", "cairo"), {"stage": number})
        assert response.status_code == 404, number


def test_standings_before_the_first_result_say_so(client, tournament):
    assert "No standings yet" in text(client.get(address("standings", "cairo")))


# --- entries and rules ----------------------------------------------------------------------


def test_entries_are_found_by_player_entry_number_and_club(client, tournament):
    club = ClubFactory.create(name="نادي الزيتون")
    pair(tournament, "Rosa", "Omar", club=club)
    pair(tournament, "Ali", "Sami", club=ClubFactory.create(name="Olive"))
    for typed in ("rosa", "1", "زیتون"):
        shown = text(client.get(address("entries", "cairo"), {"q": typed}))
        assert "Rosa / Omar" in shown, typed
        assert "Ali / Sami" not in shown, typed


def test_a_withdrawn_entry_is_marked(client, tournament):
    pair(tournament, "Rosa", "Omar", state="withdrawn")
    assert "Rosa / Omar Withdrawn" in text(client.get(address("entries", "cairo")))


def test_the_rules_are_told_in_words_with_their_article_and_what_was_changed(client):
    TournamentFactory.create(slug="own", target=150, options={"round_to": 5})
    shown = text(client.get(address("rules", "own")))
    assert "The first side to reach 150 points wins the match. wdf, match end" in shown
    assert "Rounding of a round's points" in shown.replace("&#x27;", "'")
    assert "To the nearest 5 Changed for this event" in shown
    assert "Misplay The act is taken back, Warning" in shown


# --- publication ----------------------------------------------------------------------------


@pytest.fixture
def draft_tournament():
    return TournamentFactory.create(name="Secret Cup", slug="secret", state=Tournament.State.DRAFT)


PAGES = ["tournament", "latest_pairings", "standings", "entries", "rules"]


@pytest.mark.parametrize("page", PAGES)
def test_a_draft_tournament_is_not_there_for_a_stranger(client, draft_tournament, page):
    assert client.get(address(page, "secret")).status_code == 404


@pytest.mark.parametrize("page", PAGES)
def test_a_draft_tournament_is_there_for_its_officials(client, draft_tournament, page):
    client.force_login(draft_tournament.created_by)
    assert client.get(address(page, "secret")).status_code == 200


def test_a_draft_tournament_is_not_listed(client, draft_tournament):
    assert "Secret Cup" not in text(client.get("/"))
    client.force_login(UserFactory.create())
    assert "Secret Cup" not in text(client.get("/"))
    client.force_login(draft_tournament.created_by)
    assert "Secret Cup" in text(client.get("/"))


@pytest.fixture
def draft_round(first_round):
    table_of(first_round, ("Rosa", "Omar"), ("Ali", "Sami"))
    draft = PairingRoundFactory.create(stage=first_round.stage, state=PairingRound.State.DRAFT)
    match = MatchFactory.create(pairing_round=draft, entries=[])
    match.seats.all().delete()
    hidden = pair(first_round.stage.tournament, "Hidden One", "Hidden Two")
    for seat, member in zip("AC", hidden.members.all(), strict=True):
        MatchSeatFactory.create(match=match, seat=seat, entry=hidden, player=member.player)
    return draft


def test_a_draft_round_is_not_there_for_strangers_and_referees(client, draft_round, tournament):
    url = rounds_address(draft_round)
    assert client.get(url).status_code == 404
    assert part(client, f"{url}?q=hidden").status_code == 404
    client.force_login(
        OfficialFactory.create(tournament=tournament, duty=Official.Duty.REFEREE).user
    )
    assert client.get(url).status_code == 404


def test_a_draft_round_is_there_for_the_director(client, draft_round, tournament):
    client.force_login(tournament.created_by)
    assert "Hidden One" in text(client.get(rounds_address(draft_round)))


def test_a_draft_round_is_on_no_public_page_and_in_no_search(client, draft_round, first_round):
    for url in (
        address("tournament", "cairo"),
        address("tournament", "cairo") + "?q=hidden",
        rounds_address(first_round),
        rounds_address(first_round) + "?by=name",
        address("standings", "cairo"),
    ):
        response = client.get(url)
        assert "Hidden One" not in text(response), url
        assert rounds_address(draft_round) not in response.content.decode(), url


def test_a_match_of_a_draft_round_is_not_there(client, draft_round):
    match = draft_round.matches.get()
    assert client.get(reverse("referee:match_sheet", args=[match.pk])).status_code == 404
    assert client.get(reverse("referee:api_record", args=[match.pk])).status_code == 404


# --- cost -----------------------------------------------------------------------------------


@pytest.fixture(params=[2, 40], ids=lambda tables: f"{tables} tables")
def event_of_any_size(request, first_round):
    tournament = first_round.stage.tournament
    for number in range(request.param):
        match = MatchFactory.create(pairing_round=first_round)
        closed(match, 100, number)
        for order, entry in enumerate({seat.entry for seat in match.seats.all()}, start=1):
            StandingRowFactory.create(
                stage=first_round.stage,
                entry=entry,
                order=number * 2 + order,
                place=number * 2 + order,
                values={"wins": 1, "difference": 5, "points_for": 100},
                decided_by="lot",
            )
    for _ in range(3):
        PairingRoundFactory.create(stage=first_round.stage)
    return tournament


@pytest.mark.parametrize(
    "url",
    [
        "/",
        "/t/cairo/",
        "/t/cairo/?q=player",
        "/t/cairo/rounds/1/1/",
        "/t/cairo/rounds/1/1/?by=name",
        "/t/cairo/standings/",
        "/t/cairo/entries/",
        "/t/cairo/rules/",
    ],
)
def test_a_page_costs_few_queries_whatever_the_size(
    client, event_of_any_size, url, django_assert_max_num_queries
):
    client.force_login(event_of_any_size.created_by)
    with django_assert_max_num_queries(18):
        assert client.get(url).status_code == 200
