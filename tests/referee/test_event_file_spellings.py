"""Other spellings of players go with their event to another installation."""

from __future__ import annotations

import json

import pytest

from referee.event_file import exported, imported
from tests.referee.test_event_file import elsewhere, event, forget_event
from tournaments.models import Club, Player, PlayerSpelling, Tournament
from tournaments.services.event_import import BadEventFile

__all__ = ["event"]

pytestmark = pytest.mark.django_db


def spelled(event: Tournament) -> str:
    """Give a player of the event two other spellings, one with the club it came with."""
    player = Player.objects.filter(memberships__tournament=event).earliest("pk")
    PlayerSpelling.objects.create(player=player, name="مريم عزيز")
    club = Club.objects.create(name="Fig", country="EG")
    PlayerSpelling.objects.create(player=player, name="Maryam A.", club=club)
    return player.name


def known(name: str) -> list[tuple[str, str | None]]:
    player = Player.objects.get(name=name)
    return sorted(player.spellings.values_list("name", "club__name"))


def test_spellings_arrive_elsewhere_with_the_clubs_they_came_with(event):
    name = spelled(event)
    before = known(name)
    content = exported(event)
    PlayerSpelling.objects.all().delete()
    forget_event()
    imported(content, by=elsewhere())
    assert known(name) == before
    assert len(before) == 2


def test_spellings_that_are_known_here_are_not_stored_twice(event):
    name = spelled(event)
    before = known(name)
    content = exported(event)
    forget_event()
    imported(content, by=elsewhere())
    assert known(name) == before


def test_a_file_written_before_spellings_were_kept_is_still_read(event):
    document = json.loads(exported(event))
    for player in document["players"]:
        del player["spellings"]
    forget_event()
    imported(json.dumps(document).encode(), by=elsewhere())
    assert not PlayerSpelling.objects.exists()


@pytest.mark.parametrize("wrong", [{"name": 7, "club": None}, {"name": "", "club": None}, 7])
def test_a_spelling_that_is_none_is_refused_with_its_path(event, wrong):
    document = json.loads(exported(event))
    document["players"][0]["spellings"] = [wrong]
    with pytest.raises(BadEventFile, match=r"players\[0\]\.spellings\[0\]"):
        imported(json.dumps(document).encode(), copy="x", by=elsewhere())
