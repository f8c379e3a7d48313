"""What a link to a page is shown with elsewhere: title, sentence and picture; nothing hidden."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from django.core.cache import cache
from PIL import Image

from tests.factories import (
    EntryFactory,
    MatchFactory,
    PairingRoundFactory,
    StageFactory,
    StandingRowFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments import pictures
from tournaments.errors.prints import PdfNotPossible
from tournaments.models import Match, PairingRound, Tournament

pytestmark = pytest.mark.django_db

TAG = re.compile(r'<meta (?:name|property)="([^"]+)" content="([^"]*)">')


@pytest.fixture
def event() -> Tournament:
    """An event that is over, with a first, a second and the table they met at."""
    tournament = TournamentFactory.create(
        slug="cup", name="Cup of Ana", city="Cairo", state=Tournament.State.FINISHED
    )
    stage = StageFactory.create(tournament=tournament)
    pairing_round = PairingRoundFactory.create(stage=stage, state=PairingRound.State.FINISHED)
    entries = [
        EntryFactory.create(tournament=tournament, name=name) for name in ("Rosa Lima", "علي حسن")
    ]
    for entry in entries:
        StandingRowFactory.create(stage=stage, entry=entry, played=1)
    MatchFactory.create(pairing_round=pairing_round, entries=entries, state=Match.State.CLOSED)
    return tournament


@pytest.fixture
def drawn(monkeypatch) -> list[str]:
    """A machine that can draw; the pages that were drawn."""
    cache.clear()
    pages: list[str] = []

    def as_png(html: str) -> bytes:
        pages.append(html)
        return b"png"

    monkeypatch.setattr(pictures, "are_possible", lambda: True)
    monkeypatch.setattr(pictures, "as_png", as_png)
    return pages


def tags(client, address: str, language: str = "en") -> dict[str, str]:
    page = client.get(address, headers={"Accept-Language": language})
    assert page.status_code == 200
    return dict(TAG.findall(page.content.decode()))


def test_a_link_to_an_event_tells_its_name_place_and_winner(client, event, drawn):
    told = tags(client, "/t/cup/")
    assert told["og:title"] == "Cup of Ana"
    assert "Cairo" in told["og:description"]
    assert "The winner is" in told["og:description"]
    assert "Rosa Lima" in told["og:description"]
    assert told["description"] == told["og:description"]
    assert told["og:url"] == "http://testserver/t/cup/"
    assert told["og:image"] == "http://testserver/t/cup/share.png?lang=en"
    assert told["twitter:card"] == "summary_large_image"
    assert told["og:locale"] == "en_US"


def test_a_link_speaks_the_language_of_the_page_it_was_copied_from(client, event, drawn):
    told = tags(client, "/t/cup/", language="ar")
    assert told["og:locale"].startswith("ar_")
    assert told["og:image"].endswith("?lang=ar")
    client.get("/t/cup/share.png?lang=ar", headers={"Accept-Language": "es"})
    assert '<html lang="ar" dir="rtl">' in drawn[-1]


@pytest.mark.parametrize(
    "address",
    [
        "/", "/search/", "/ratings/", "/t/cup/", "/t/cup/rounds/1/1/", "/t/cup/standings/",
        "/t/cup/entries/", "/t/cup/entries/{entry}/", "/t/cup/rules/", "/t/cup/statistics/",
        "/players/{player}/", "/matches/{match}/", "/matches/{match}/moves/?round=1&move=2",
    ],
)  # fmt: skip
def test_every_public_page_can_be_shared(client, event, drawn, address):
    match = Match.objects.get()
    seat = match.seats.select_related("entry").earliest("pk")
    filled = address.format(match=match.pk, entry=seat.entry.number, player=seat.player_id)
    told = tags(client, filled)
    assert told["og:title"]
    assert told["og:description"].endswith(".")
    picture = told["og:image"].removeprefix("http://testserver").replace("&amp;", "&")
    shown = client.get(picture)
    assert (shown.status_code, shown["Content-Type"]) == (200, "image/png")


def test_an_address_can_name_the_language_and_says_so_to_who_is_shown_it(client, event, drawn):
    page = client.get("/t/cup/?lang=ar", headers={"Accept-Language": "es"}).content.decode()
    assert '<html lang="ar" dir="rtl"' in page
    assert '<link rel="canonical" href="http://testserver/t/cup/?lang=ar">' in page
    for code, address in (("fa", "/t/cup/?lang=fa"), ("x-default", "/t/cup/")):
        link = f'<link rel="alternate" hreflang="{code}" href="http://testserver{address}">'
        assert link in page
    # Whoever chooses another language in the head of the page is not held by the address.
    assert '<input type="hidden" name="next" value="/t/cup/">' in page
    other = client.get("/t/cup/", headers={"Accept-Language": "es"}).content.decode()
    assert '<html lang="es"' in other
    unknown = client.get("/t/cup/?lang=xx", headers={"Accept-Language": "es"}).content.decode()
    assert '<html lang="es"' in unknown


def test_what_is_typed_is_not_in_the_address_of_a_page(client, event, drawn):
    page = client.get("/t/cup/standings/?stage=1&q=secret&utm=1").content.decode()
    assert '<link rel="canonical" href="http://testserver/t/cup/standings/?stage=1">' in page


def test_a_part_that_changes_by_itself_carries_no_head_for_links(client, event, drawn):
    match = Match.objects.get()
    part = client.get(f"/matches/{match.pk}/", headers={"Part": "1"})
    assert "og:title" not in part.content.decode()


def test_where_no_picture_can_be_drawn_no_page_names_one(client, event, monkeypatch):
    monkeypatch.setattr(pictures, "are_possible", lambda: False)
    told = tags(client, "/t/cup/")
    assert "og:image" not in told
    assert told["twitter:card"] == "summary"
    assert client.get("/t/cup/share.png").status_code == 404


def test_a_picture_that_fails_after_all_is_not_there(client, event, drawn, monkeypatch):
    def failing(html: str) -> bytes:
        raise PdfNotPossible

    monkeypatch.setattr(pictures, "as_png", failing)
    assert client.get("/t/cup/share.png").status_code == 404


@pytest.mark.parametrize(
    "hidden", [{"is_private": True}, {"state": Tournament.State.DRAFT}], ids=["private", "draft"]
)
def test_of_a_hidden_event_there_is_no_picture_for_anybody(client, event, drawn, hidden):
    Tournament.objects.update(**hidden)
    match = Match.objects.get()
    client.force_login(UserFactory.create(is_superuser=True))
    assert client.get("/t/cup/share.png").status_code == 404
    assert client.get(f"/matches/{match.pk}/share.png").status_code == 404
    assert "og:image" not in tags(client, "/t/cup/")
    assert "og:image" not in tags(client, f"/matches/{match.pk}/")


def test_of_a_draft_round_no_table_has_a_picture(client, event, drawn):
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    match = Match.objects.get()
    assert client.get(f"/matches/{match.pk}/share.png").status_code == 404
    assert drawn == []


def test_a_picture_is_drawn_once_until_what_it_shows_changes(client, event, drawn):
    first = client.get("/t/cup/share.png")
    again = client.get("/t/cup/share.png")
    assert len(drawn) == 1
    assert first["ETag"] == again["ETag"]
    same = client.get("/t/cup/share.png", headers={"If-None-Match": first["ETag"]})
    assert (same.status_code, same.content) == (304, b"")
    Tournament.objects.update(name="Cup of Eva")
    changed = client.get("/t/cup/share.png", headers={"If-None-Match": first["ETag"]})
    assert changed.status_code == 200
    assert len(drawn) == 2
    assert "Cup of Eva" in drawn[-1]


def test_a_name_cannot_put_anything_into_the_head_of_a_page(client, event, drawn):
    Tournament.objects.update(name='"><script src=//x></script>')
    page = client.get("/t/cup/").content.decode()
    assert "<script src=//x>" not in page


@pytest.mark.pdf
def test_pictures_have_the_size_networks_ask_for_and_are_small(client, event):
    cache.clear()
    match = Match.objects.get()
    for address in ("/t/cup/share.png?lang=ar", f"/matches/{match.pk}/share.png?lang=fa"):
        answer = client.get(address)
        assert answer.status_code == 200
        picture = Image.open(BytesIO(answer.content))
        assert picture.size == (pictures.WIDTH, pictures.HEIGHT)
        assert len(answer.content) < 100_000
        assert len(picture.convert("RGB").getcolors(100_000) or ()) > 20
