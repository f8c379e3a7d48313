"""What the tests of the director's pages begin with."""

from __future__ import annotations

from collections.abc import Callable
from html import unescape

import pytest
from django.contrib.auth.models import User
from django.http import HttpResponse
from django.test import Client

from tests.factories import EntryFactory, OrganizerFactory, TournamentFactory
from tournaments.models import Tournament


@pytest.fixture
def organizer(client: Client) -> User:
    """Somebody who may set up events, signed in."""
    user = OrganizerFactory.create()
    client.force_login(user)
    return user


@pytest.fixture
def event(organizer: User) -> Tournament:
    """An event of pairs with registration open, directed by who is signed in."""
    return TournamentFactory.create(created_by=organizer, slug="nile", name="Nile Cup")


@pytest.fixture
def running() -> Callable[..., Tournament]:
    """Register pairs and close registration."""

    def start(event: Tournament, pairs: int = 4) -> Tournament:
        EntryFactory.create_batch(pairs, tournament=event)
        event.state = Tournament.State.RUNNING
        event.save()
        return event

    return start


@pytest.fixture
def text() -> Callable[[HttpResponse], str]:
    """Read a page as its reader does: without escapes and marks of direction."""

    def read(response: HttpResponse) -> str:
        page = unescape(response.content.decode())
        return page.replace("\u2068", "").replace("\u2069", "")

    return read
