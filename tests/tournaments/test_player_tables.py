"""The page of a player: tables now, partners, opponents, the curve; the calendar."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from django.http import HttpResponse
from django.urls import reverse
from icalendar import Calendar

from tests import factories
from tournaments.curve import HEIGHT, MARGIN, WIDTH, curve
from tournaments.models import Match, MatchSeat, PairingRound, Player, Tournament
from tournaments.queries.players_tables import companies, own_tables

pytestmark = pytest.mark.django_db
BEGINS = datetime(2026, 11, 28, 9, 0, tzinfo=UTC)


def table(event: Tournament, number: int, *, state=PairingRound.State.PLAYING) -> Match:
    stage = event.stages.first() or factories.StageFactory.create(tournament=event)
    pairing_round = factories.PairingRoundFactory.create(
        stage=stage, number=number, state=state, starts_at=BEGINS, minutes=30
    )
    return factories.MatchFactory.create(pairing_round=pairing_round, table=number)


def played(match: Match, won: str, points: int, against: int) -> None:
    """Write a result: the seats of `won` have `points`."""
    for seat in match.seats.all():
        is_won = seat.seat in won
        seat.outcome = MatchSeat.Outcome.WIN if is_won else MatchSeat.Outcome.LOSS
        seat.points_for = points if is_won else against
        seat.points_against = against if is_won else points
        seat.save()
    match.state = Match.State.CLOSED
    match.save()


def sitting(match: Match, seat: str) -> Player:
    return match.seats.get(seat=seat).player


def told(answer: HttpResponse) -> list[dict[str, Any]]:
    """Return the events of a calendar; the types of the library know too little of them."""
    found: Any = Calendar.from_ical(answer.content).walk("VEVENT")
    return list(found)


def seated(match: Match, seat: str, player: Player) -> None:
    match.seats.filter(seat=seat).update(player=player)


@pytest.fixture
def event() -> Tournament:
    return factories.TournamentFactory.create(
        state=Tournament.State.RUNNING, name="Nile Open", venue="Hall", city="Cairo"
    )


@pytest.fixture
def me(event) -> Player:
    """Return a player with two won tables, one lost, and one being played."""
    first = table(event, 1)
    player = sitting(first, "A")
    entry = first.seats.get(seat="A").entry
    if not entry.members.filter(player=player).exists():
        factories.EntryPlayerFactory.create(entry=entry, player=player, position=1)
    played(first, "AC", 150, 40)
    for number, won, points, against in ((2, "AC", 160, 150), (3, "BD", 155, 20)):
        one = table(event, number)
        for seat in "ACBD":
            seated(one, seat, sitting(first, seat))
        played(one, won, points, against)
    seated(table(event, 4), "B", player)
    return player


def test_partners_and_opponents_are_counted_by_hand(me, event):
    first = Match.objects.get(table=1)
    found = companies(own_tables(me, user=factories.UserFactory.create()))
    (partner,) = found.partners
    assert partner.player == sitting(first, "C")
    assert (partner.tables, partner.won, partner.lost, partner.level) == (3, 2, 1, 0)
    assert partner.difference == 110 + 10 - 135
    assert {one.player for one in found.opponents} == {sitting(first, "B"), sitting(first, "D")}
    assert {(one.tables, one.won, one.lost) for one in found.opponents} == {(3, 2, 1)}


def test_a_table_nobody_came_to_is_not_counted(me):
    seats = MatchSeat.objects.filter(match__table=2)
    seats.filter(player=me).update(outcome=MatchSeat.Outcome.WALKOVER_WIN)
    (partner,) = companies(own_tables(me, user=factories.UserFactory.create())).partners
    assert partner.tables == 2


def test_the_page_shows_the_table_of_now_and_the_company(client, me):
    page = client.get(reverse("tournaments:player", args=[me.pk])).content.decode()
    assert "Table 4, seat B" in page
    assert 'id="partners"' in page
    assert reverse("tournaments:player_calendar", args=[me.pk]) in page


def test_the_calendar_has_each_published_table(client, me):
    answer = client.get(reverse("tournaments:player_calendar", args=[me.pk]))
    assert answer.headers["Content-Type"].startswith("text/calendar")
    events = told(answer)
    assert len(events) == 4
    now = next(one for one in events if "Table 4" in one["summary"])
    assert now["summary"] == "Table 4, round 4: Nile Open"
    assert (now["dtstart"].dt, now["dtend"].dt) == (BEGINS, BEGINS.replace(minute=30))
    assert now["location"] == "Hall, Cairo"
    assert "Seat B." in now["description"]
    lost = next(one for one in events if "Table 3" in one["summary"])
    assert "Lost, 20 to 155." in lost["description"]


def test_the_calendar_speaks_the_readers_language_and_keeps_its_marks(client, me):
    address = reverse("tournaments:player_calendar", args=[me.pk])
    english = told(client.get(address))
    again = told(client.get(address))
    assert [one["uid"] for one in english] == [one["uid"] for one in again]
    assert len({one["uid"] for one in english}) == 4


def test_a_draft_is_in_no_calendar_and_on_no_page(client, me, event):
    drawn = table(event, 5, state=PairingRound.State.DRAFT)
    seated(drawn, "A", me)
    assert b"Table 5" not in client.get(reverse("tournaments:player", args=[me.pk])).content
    calendar = client.get(reverse("tournaments:player_calendar", args=[me.pk])).content
    assert b"Table 5" not in calendar


def test_a_player_of_private_events_has_no_calendar_for_strangers(client, me, event):
    Tournament.objects.filter(pk=event.pk).update(is_private=True)
    address = reverse("tournaments:player_calendar", args=[me.pk])
    assert client.get(address).status_code == 404
    client.force_login(factories.OfficialFactory.create(tournament=event).user)
    assert client.get(address).status_code == 200


def test_the_same_number_of_queries_for_few_tables_and_many(
    client, me, event, django_assert_max_num_queries
):
    for number in range(6, 16):
        seated(table(event, number), "A", me)
    with django_assert_max_num_queries(15):
        client.get(reverse("tournaments:player", args=[me.pk]))


def test_a_curve_fills_its_box_and_stands_still_for_equal_values():
    drawn = curve([1000, 1100, 900])
    assert drawn is not None
    places = [tuple(map(float, one.split(","))) for one in drawn.points.split()]
    assert places == [
        (MARGIN, HEIGHT / 2),
        (WIDTH / 2, MARGIN),
        (WIDTH - MARGIN, HEIGHT - MARGIN),
    ]
    assert (drawn.lowest, drawn.highest, drawn.first_value, drawn.last_value) == (
        900,
        1100,
        1000,
        900,
    )
    flat = curve([5, 5])
    assert flat is not None
    assert flat.points.split()[0].split(",")[1] == flat.points.split()[1].split(",")[1]
    assert curve([7]) is None
