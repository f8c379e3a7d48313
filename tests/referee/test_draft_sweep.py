"""Every address of the site, asked by strangers, tells nothing of a round that is a draft."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from tests.addresses import told_at
from tests.draft_event import TELLING, DraftEvent, addresses, draft_event, drafted
from tests.factories import OfficialFactory
from tests.tournaments.test_stream import Stage as Stream
from tests.tournaments.test_stream import play
from tournaments import channels
from tournaments.models import Match, Tournament
from tournaments.services import pairings
from tournaments.stream.changes import Changes

pytestmark = pytest.mark.django_db

TOLD = re.compile(rf"(?<!\w)(?:{'|'.join(TELLING)})(?!\w)", re.IGNORECASE)
# What differs between any two answers: the time it is.
PASSING = re.compile(r'\d+-\d+-\d+T[\d:.]+Z|(?<=data-of-day="Africa/Cairo">)[\d:]+')
# The address of a screen is its key: whoever has it sees the screen.
BY_KEY = {"screen", "screen_now", "overlay", "overlay_now"}
# What is printed or saved, and never changes by itself.
PAPER = {"print", "print_sheet", "print_plays", "export"}
Answers = dict[tuple[str, str], str]


@pytest.fixture
def event() -> DraftEvent:
    return draft_event()


def answers(event: DraftEvent, client: Client, **headers: str) -> Answers:
    """Return what each address answers, without what was asked being said again."""
    found = {}
    for name, address in addresses(event):
        told = PASSING.sub("", told_at(client, address, **headers))
        query = address.partition("q=")[2]
        found[name, address] = told.replace(query, "") if query else told
    return found


def telling(told: Answers) -> dict[str, list[str]]:
    return {" ".join(at): seen for at, text in told.items() if (seen := TOLD.findall(text))}


def names(told: dict[str, list[str]]) -> set[str]:
    return {one.split()[0] for one in told}


def test_a_stranger_is_answered_as_if_there_were_no_draft_until_it_is_published(event):
    client = Client()
    before = answers(event, client)
    drafted(event)
    after = answers(event, client)
    assert telling(after) == {}
    both = before.keys() & after.keys()
    assert len(both) > 600
    # Word for word, the tags of what changes by itself among it.
    assert sorted(at for at in both if before[at] != after[at]) == []
    # A screen stays with the round that is in play.
    event.stage.rounds.filter(number=2).update(state="finished")
    for draft in event.drafts():
        pairings.publish(draft, by=event.tournament.created_by)
    assert names(telling(answers(event, client))) >= {
        *("pairings", "tournament", "print", "export", "screen", "screen_now", "bracket"),
        *("player", "player_calendar", "player_feed", "event_feed", "match_sheet", "page"),
        *("api_pairings", "api_stages", "api_bracket"),
    }


def test_a_referee_sees_no_draft_and_a_director_does(event):
    drafted(event)
    client = Client()
    client.force_login(OfficialFactory.create(tournament=event.tournament).user)
    assert telling(answers(event, client)) == {}
    client.force_login(event.tournament.created_by)
    assert names(telling(answers(event, client))) >= {
        *("pairings", "match_sheet", "print", "director_pairings", "api_pairings", "api_record"),
    }


@pytest.mark.parametrize("hidden", [{"state": "draft"}, {"is_private": True}])
def test_of_an_event_that_is_not_public_a_stranger_reads_nothing(event, hidden):
    Tournament.objects.filter(pk=event.tournament.pk).update(**hidden)
    told = answers(event, Client())
    seen = {at: text for at, text in told.items() if at[0] not in BY_KEY}
    assert [at for at, text in seen.items() if "Nile Cup" in text or "League" in text] == []
    assert [at for at, text in told.items() if "Nile Cup" in text] != []


def test_what_a_stranger_hears_is_silent_until_a_draft_is_published(event, settings):
    settings.STREAM_URL = "/stream/"
    changes = Changes()
    changes.look()
    drafted(event)
    drawn = changes.look()
    heard: set[str] = set()
    for name, address in addresses(event):
        told = "" if name in PAPER else told_at(Client(), address, Part="1")
        for token in re.findall(r"/stream/\?k=([\w.]+)", told):
            found = channels.heard(token)
            assert found is not None
            heard.update(found[0])
    drafts = event.drafts()
    secret = {channels.officials(event.tournament.pk)}
    secret |= {channels.pairing_round(one.pk) for one in drafts}
    secret |= {channels.match(one.pk) for one in Match.objects.filter(pairing_round__in=drafts)}
    assert len(heard) > 4
    assert heard & secret == set()
    assert drawn & heard == set()
    assert drawn & secret != set()
    pairings.publish(drafts[0], by=event.tournament.created_by)
    published = changes.look()

    async def act(stream: Stream) -> None:
        ears = sorted(heard)
        pages = [await stream.open(*ears[at : at + 8]) for at in range(0, len(ears), 8)]
        await stream.hub.publish(sorted(drawn))
        assert [page.changes for page in pages if page.changes] == []
        await stream.hub.publish(sorted(published))
        assert [page.changes for page in pages if page.changes] != []

    play(act)
