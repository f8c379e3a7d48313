"""Pages are compressed on their way; what the API answers and what is only a line is not."""

from __future__ import annotations

import gzip
import json

import pytest
from django.core.cache import cache
from django.urls import reverse

from tests import factories
from tournaments.models import PairingRound, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def address():
    tournament = factories.TournamentFactory.create(slug="cairo", state=Tournament.State.RUNNING)
    pairing_round = factories.PairingRoundFactory.create(
        stage__tournament=tournament, state=PairingRound.State.PLAYING
    )
    factories.MatchFactory.create(pairing_round=pairing_round, table=1)
    return reverse("tournaments:pairings", args=["cairo", pairing_round.stage.number, 1])


@pytest.mark.parametrize("seconds", [0, 60])
def test_a_page_is_the_same_compressed_and_not(client, address, settings, seconds):
    settings.PAGE_COPY_SECONDS = seconds
    cache.clear()
    plain = client.get(address).content
    for _ in range(2):
        answer = client.get(address, headers={"Accept-Encoding": "br, gzip"})
        assert answer.headers["Content-Encoding"] == "gzip"
        assert "Accept-Encoding" in answer.headers["Vary"]
        assert gzip.decompress(answer.content) == plain
        assert len(answer.content) < len(plain) / 3
        assert "Content-Encoding" not in client.get(address).headers
    cache.clear()


@pytest.mark.parametrize("seconds", [0, 60])
def test_the_tag_of_a_compressed_page_is_known_again(client, address, settings, seconds):
    settings.PAGE_COPY_SECONDS = seconds
    cache.clear()
    sent = {"Accept-Encoding": "gzip"}
    for _ in range(2):
        etag = client.get(address, headers=sent).headers["ETag"]
        again = client.get(address, headers=sent | {"If-None-Match": etag})
        assert again.status_code == 304
        assert again.content == b""
    cache.clear()


def test_an_answer_of_the_api_is_sent_as_it_is(client, address):
    answer = client.get("/api/t/cairo/", headers={"Accept-Encoding": "gzip"})
    assert "Content-Encoding" not in answer.headers
    assert json.loads(answer.content)["slug"] == "cairo"
