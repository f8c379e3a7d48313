"""Feeds: what is new at an event, the tables of a player; nothing that is not public."""

from __future__ import annotations

from datetime import timedelta
from xml.etree import ElementTree as ET

import pytest
from django.urls import reverse
from django.utils import timezone

from tests import factories
from tournaments.models import PairingRound, Tournament

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture
def event() -> Tournament:
    return factories.TournamentFactory.create(state=Tournament.State.RUNNING, name="Nile Open")


def a_round(event: Tournament, number: int, state: PairingRound.State) -> PairingRound:
    stage = event.stages.first() or factories.StageFactory.create(tournament=event, name="Swiss")
    draft = state == PairingRound.State.DRAFT
    at = None if draft else timezone.now() + timedelta(hours=number)
    return factories.PairingRoundFactory.create(
        stage=stage, number=number, state=state, published_at=at
    )


def entries(client, name: str, *args: object) -> list[ET.Element]:
    answer = client.get(reverse(f"tournaments:{name}", args=args))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"].startswith("application/atom+xml")
    return ET.fromstring(answer.content).findall(f"{ATOM}entry")


def titles(found: list[ET.Element]) -> list[str | None]:
    return [one.findtext(f"{ATOM}title") for one in found]


def test_an_event_tells_its_published_rounds_the_latest_first(client, event):
    a_round(event, 1, PairingRound.State.FINISHED)
    a_round(event, 2, PairingRound.State.PUBLISHED)
    a_round(event, 3, PairingRound.State.DRAFT)
    found = entries(client, "event_feed", event.slug)
    assert titles(found) == ["Swiss, round 2: pairings", "Swiss, round 1: results"]
    marks = [one.findtext(f"{ATOM}id") for one in found]
    assert len(set(marks)) == 2
    assert all(one.findtext(f"{ATOM}updated") for one in found)


def test_a_round_is_news_once_more_when_it_is_over(client, event):
    one = a_round(event, 1, PairingRound.State.PLAYING)
    before = entries(client, "event_feed", event.slug)[0].findtext(f"{ATOM}id")
    PairingRound.objects.filter(pk=one.pk).update(state=PairingRound.State.FINISHED)
    assert entries(client, "event_feed", event.slug)[0].findtext(f"{ATOM}id") != before


def test_the_tables_of_a_player_are_told_drafts_are_not(client, event):
    published = a_round(event, 1, PairingRound.State.PUBLISHED)
    match = factories.MatchFactory.create(pairing_round=published, table=7)
    seat = match.seats.get(seat="A")
    if not seat.entry.members.filter(player=seat.player).exists():
        factories.EntryPlayerFactory.create(entry=seat.entry, player=seat.player, position=1)
    draft = a_round(event, 2, PairingRound.State.DRAFT)
    drawn = factories.MatchFactory.create(pairing_round=draft, table=9)
    drawn.seats.filter(seat="A").update(player=seat.player)
    found = entries(client, "player_feed", seat.player_id)
    assert titles(found) == ["Table 7, round 1: Nile Open"]


@pytest.mark.parametrize("hidden", [{"is_private": True}, {"state": Tournament.State.DRAFT}])
def test_what_a_stranger_may_not_know_of_has_no_feed(client, event, hidden):
    published = a_round(event, 1, PairingRound.State.PUBLISHED)
    match = factories.MatchFactory.create(pairing_round=published, table=7)
    player = match.seats.get(seat="A").player_id
    Tournament.objects.filter(pk=event.pk).update(**hidden)
    for name, key in (("event_feed", event.slug), ("player_feed", player)):
        assert client.get(reverse(f"tournaments:{name}", args=[key])).status_code == 404
