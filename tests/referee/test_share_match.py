"""The picture a link to a match is shown with: as it stands, or at one of its moves."""

from __future__ import annotations

import pytest
from django.core.cache import cache
from django.urls import reverse

from engine.notation import parse_line
from referee.services import records as services
from tests.factories import UserFactory
from tournaments import pictures
from tournaments.models import Match, PairingRound, Tournament

pytestmark = pytest.mark.django_db


@pytest.fixture
def drawn(monkeypatch) -> list[str]:
    """A machine that can draw; the pages that were drawn."""
    cache.clear()
    pages: list[str] = []
    monkeypatch.setattr(pictures, "are_possible", lambda: True)

    def as_png(html: str) -> bytes:
        pages.append(html)
        return b"png"

    monkeypatch.setattr(pictures, "as_png", as_png)
    return pages


@pytest.fixture
def played(match, referee) -> Match:
    record = services.open_round(
        services.open_match(match, by=referee), number=0, opener="A", by=referee
    )
    for number, line in enumerate(("A 6-6", "B 6-5")):
        services.append_event(record, number=number, event=parse_line(line), by=referee)
    return match


def address(match: Match) -> str:
    return reverse("referee:share_match", args=[match.pk])


def test_a_match_is_drawn_at_the_move_that_is_shared(client, played, drawn):
    for move in (1, 2):
        assert client.get(f"{address(played)}?round=1&move={move}").status_code == 200
    one, two = drawn
    assert "Move 1 of 2" in one
    assert "double six" in one
    assert one.count("rotate(") + 1 == two.count("rotate(")


def test_without_a_move_it_is_drawn_as_it_stands(client, played, drawn):
    client.get(address(played))
    assert drawn[0].count("rotate(") == 2
    assert "Rosa" in drawn[0]


def test_a_move_that_is_not_there_is_no_error(client, played, drawn):
    assert client.get(f"{address(played)}?round=999999999&move=x&lang=xx").status_code == 200


def test_the_page_at_a_move_names_the_picture_of_that_move(client, played, drawn):
    page = client.get(f"/matches/{played.pk}/moves/?round=1&move=1").content.decode()
    assert f"{address(played)}?lang=en&amp;round=1&amp;move=1" in page
    assert "Round 1, move 1 of 2." in page


@pytest.mark.parametrize("hidden", ["private", "draft", "draft round"])
def test_a_hidden_match_has_no_picture_for_anybody(client, played, drawn, hidden):
    match hidden:
        case "private":
            Tournament.objects.update(is_private=True)
        case "draft":
            Tournament.objects.update(state=Tournament.State.DRAFT)
        case _:
            PairingRound.objects.update(state=PairingRound.State.DRAFT)
    client.force_login(UserFactory.create(is_superuser=True))
    assert client.get(address(played)).status_code == 404
    assert drawn == []
    assert "og:image" not in client.get(f"/matches/{played.pk}/").content.decode()
