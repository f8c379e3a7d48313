"""The prints the API names, who reads which names on paper, certificates, and codes of badges."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlsplit

import pypdfium2.raw as pdfium
import pytest
import segno
from django.test import Client

from tests import pdfs
from tests.factories import (
    ByeFactory,
    EntryFactory,
    MatchFactory,
    OfficialFactory,
    PairingRoundFactory,
    StandingRowFactory,
    UserFactory,
)
from tournaments.models import PairingRound, Player, Tournament
from tournaments.publication import HIDDEN_FROM
from tournaments.views import prints
from tournaments.words.prints import BY_KIND

pytestmark = pytest.mark.django_db

PUBLIC = ["pairings", "names", "standings"]


@pytest.fixture
def played() -> PairingRound:
    pairing_round: PairingRound = PairingRoundFactory.create(stage__tournament__state="running")
    MatchFactory.create(pairing_round=pairing_round)
    return pairing_round


@pytest.fixture
def event(played: PairingRound) -> Tournament:
    return played.stage.tournament


def offered(client: Client, event: Tournament, query: str = "") -> dict[str, dict[str, Any]]:
    response = client.get(f"/api/t/{event.slug}/prints/{query}")
    assert response.status_code == 200
    return {one["kind"]: one for one in response.json()["prints"]}


# --- the API --------------------------------------------------------------------------------


def test_the_api_names_to_everybody_the_prints_they_may_have(client, event):
    assert list(offered(client, event)) == PUBLIC
    client.force_login(OfficialFactory.create(tournament=event).user)
    assert set(offered(client, event)) == {*PUBLIC, "scores", "cards"}
    client.force_login(event.created_by)
    assert list(offered(client, event)) == list(BY_KIND)


@pytest.mark.parametrize("who", ["stranger", "referee", "director"])
def test_every_page_the_api_names_is_there_for_who_asked(client, event, who):
    users = {
        "referee": OfficialFactory.create(tournament=event).user,
        "director": event.created_by,
        "stranger": UserFactory.create(),
    }
    client.force_login(users[who])
    for one in offered(client, event).values():
        address = urlsplit(one["page"])
        assert address.netloc == "testserver"
        page = client.get(f"{address.path}?{address.query}")
        assert page.status_code == 200, one
        assert urlsplit(one["pdf"]).path == address.path.removesuffix("html") + "pdf"


def test_a_round_may_be_named_and_a_draft_is_named_to_directors_only(client, event, played):
    PairingRoundFactory.create(stage=played.stage)
    assert offered(client, event)["names"]["round"] == "1.1"
    second = offered(client, event, "?round=1.2")
    assert second["names"]["page"].endswith("/prints/names.html?round=1.2")
    assert second["standings"]["round"] is None
    PairingRound.objects.filter(number=2).update(state=PairingRound.State.DRAFT)
    address = f"/api/t/{event.slug}/prints/?round=1.2"
    assert client.get(address).status_code == 404
    client.force_login(event.created_by)
    assert client.get(address).status_code == 200


@pytest.mark.parametrize("query", ["?round=x", "?round=9.9", "?round=1"])
def test_a_round_that_is_not_there_is_refused_by_the_api(client, event, query):
    response = client.get(f"/api/t/{event.slug}/prints/{query}")
    assert (response.status_code, response.json()["code"]) == (404, "not_found")


def test_before_the_first_round_nothing_of_a_round_is_offered(client):
    event = EntryFactory.create().tournament
    assert list(offered(client, event)) == ["standings"]
    response = client.get(f"/api/t/{event.slug}/prints/").json()
    assert response["papers"] == ["a4", "letter"]
    assert {"en", "ar", "fa", "es"} <= set(response["languages"])


def test_the_api_names_the_prints_of_a_table_to_those_who_may_see_it(client, event, played):
    match = played.matches.get()
    address = f"/api/matches/{match.pk}/prints/"
    told = client.get(address).json()["prints"]
    assert [one["kind"] for one in told] == ["sheet", "plays"]
    for one in told:
        assert client.get(urlsplit(one["page"]).path).status_code == 200
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    assert client.get(address).status_code == 404


# --- who reads it ---------------------------------------------------------------------------


@pytest.mark.parametrize("kind", ["pairings", "names", "cards"])
def test_on_the_wall_a_minor_has_the_short_name_whoever_prints(client, event, played, kind):
    minor(played.matches.get().seats.order_by("seat")[0].player)
    client.force_login(event.created_by)
    page = client.get(f"/t/{event.slug}/prints/{kind}.html").content.decode()
    assert "Lina M." in page
    assert "Lina Mansour" not in page


def minor(player: Player) -> None:
    player.full_name = "Lina Mansour"
    player.save()
    assert Player.objects.get(pk=player.pk).name == "Lina M."


@pytest.mark.parametrize("kind", ["standings", "certificates"])
def test_a_certificate_has_the_full_name_and_the_standings_on_the_wall_the_short_one(
    client, event, played, kind
):
    entry = event.entries.order_by("number")[0]
    minor(entry.members.order_by("position")[0].player)
    StandingRowFactory.create(stage=played.stage, entry=entry)
    client.force_login(event.created_by)
    page = client.get(f"/t/{event.slug}/prints/{kind}.html").content.decode()
    assert ("Lina Mansour" in page) is (kind == "certificates")


def test_standings_for_the_wall_keep_hidden_what_is_hidden_whoever_prints_them(
    client, event, played
):
    entry = event.entries.order_by("number")[0]
    StandingRowFactory.create(stage=played.stage, entry=entry)
    address = f"/t/{event.slug}/prints/standings.html"
    client.force_login(event.created_by)
    assert "prize-giving" not in client.get(address).content.decode()
    Tournament.objects.filter(pk=event.pk).update(policies={HIDDEN_FROM: [1, 1]})
    page = client.get(address).content.decode()
    assert "The results from round 1 on will be shown at the prize-giving." in page
    assert paper(page) == paper(Client().get(address).content.decode())


def paper(page: str) -> str:
    """Return what a print shows on paper."""
    return page[page.index("<main") : page.index("</main>")]


# --- certificates ---------------------------------------------------------------------------


def certificate(client: Client, event: Tournament, **asked: str) -> str:
    client.force_login(event.created_by)
    response = client.get(f"/t/{event.slug}/prints/certificates.html", asked)
    assert response.status_code == 200
    return response.content.decode()


def test_a_certificate_has_each_name_by_itself_the_place_and_lines_to_sign(client, event, played):
    for entry in event.entries.order_by("number"):
        StandingRowFactory.create(stage=played.stage, entry=entry)
    page = certificate(client, event, best="1", lang="en")
    first = event.entries.order_by("number")[0]
    for member in first.members.select_related("player"):
        assert f"<bdi>{member.player.name}</bdi></p>" in page
    assert "Place 1 of 2" in page
    assert page.count('class="sign-line"') == 2
    assert "certificate-text" not in page


def test_the_organizers_own_sentence_stands_on_it_and_goes_with_the_pdf(client, event, played):
    StandingRowFactory.create(stage=played.stage, entry=event.entries.earliest("number"))
    text = "با سپاس از همه‌ی بازیکنان <b>"
    page = certificate(client, event, text=f"  {text}\n")
    assert "<bdi>با سپاس از همه‌ی بازیکنان &lt;b&gt;</bdi>" in page
    assert 'name="text"' in page
    assert "certificates.pdf?text=" in page


@pytest.mark.parametrize("text", ["x" * 201, "a\x07b"])
def test_a_sentence_that_is_too_long_or_no_text_is_not_found(client, event, text):
    client.force_login(event.created_by)
    address = f"/t/{event.slug}/prints/certificates.html"
    assert client.get(address, {"text": text}).status_code == 404


def test_the_desk_asks_for_the_sentence(client, event):
    client.force_login(event.created_by)
    page = client.get(f"/desk/{event.slug}/prints/").content.decode()
    assert 'name="text" maxlength="200"' in page


# --- codes ----------------------------------------------------------------------------------


@pytest.fixture
def drawn(monkeypatch) -> list[str]:
    """The addresses that codes were drawn of."""
    found: list[str] = []
    draw = prints.qr_picture

    def noted(address: str) -> str:
        found.append(address)
        return draw(address)

    monkeypatch.setattr(prints, "qr_picture", noted)
    return found


def test_whoever_scans_a_badge_is_told_the_table(client, event, played, drawn):
    event.rooms.create(name="Blue room", first_table=1, last_table=9)
    entry = event.entries.order_by("number")[0]
    entry.check_in_code = "KM4P7R2X"
    entry.save()
    client.force_login(event.created_by)
    client.get(f"/t/{event.slug}/prints/badges.html")
    client.logout()
    page = client.get(urlsplit(drawn[0]).path).content.decode()
    assert "Your table" in page
    match = played.matches.get()
    assert f'<a href="/matches/{match.pk}/">Table 1</a>' in page
    assert "Blue room" in page
    for seat in match.seats.select_related("player"):
        assert f"<bdi>{seat.player.name}</bdi>" in page


def test_a_badge_tells_of_a_round_without_opponents_and_nothing_of_a_draft(
    client, event, played, drawn
):
    entry = EntryFactory.create(tournament=event, check_in_code="KM4P7R2X")
    ByeFactory.create(pairing_round=played, entry=entry)
    page = client.get("/c/KM4P7R2X/").content.decode()
    assert "You have no opponents in round 1." in page
    PairingRound.objects.update(state=PairingRound.State.DRAFT)
    assert "Your table" not in client.get("/c/KM4P7R2X/").content.decode()


@pytest.mark.pdf
@pytest.mark.parametrize("kind", ["badges", "scores"])
def test_the_code_on_paper_is_the_code_of_its_address(client, event, played, drawn, kind):
    client.force_login(event.created_by)
    content = client.get(f"/t/{event.slug}/prints/{kind}.pdf?paper=a4").content
    codes = printed_codes(content)
    wanted = [tuple(tuple(map(bool, row)) for row in code_of(one)) for one in drawn]
    assert len(wanted) == {"badges": 4, "scores": 1}[kind]
    assert sorted(codes) == sorted(wanted)


def code_of(address: str) -> tuple[bytearray, ...]:
    """Return the dots of a code with the margin it needs, four dots wide."""
    rows = segno.make_qr(address, error="m").matrix_iter(scale=1, border=4)
    return tuple(bytearray(row) for row in rows)


def printed_codes(content: bytes) -> list[tuple[tuple[bool, ...], ...]]:
    """Read the dots of each square picture of the first page from its ink."""
    found = []
    picture = pdfs.inked(content)
    with pdfs.opened(content) as document:
        page = document[0]
        height = page.get_height()
        pictures = page.get_objects(filter=[pdfium.FPDF_PAGEOBJ_IMAGE])
        places = [one.get_bounds() for one in pictures]
        sizes = [one.get_px_size()[0] for one in page.get_objects(filter=[3])]
    for (left, low, right, high), pixels in zip(places, sizes, strict=True):
        assert right - left == pytest.approx(high - low, abs=0.5)
        # Larger than 2 cm, so that a phone reads it from half a metre.
        assert right - left > 20 / 25.4 * 72
        dots = pixels // 4
        step = (right - left) / dots
        found.append(
            tuple(
                tuple(
                    picture.getpixel(
                        (
                            round((left + (x + 0.5) * step) * pdfs.SCALE),
                            round((height - high + (y + 0.5) * step) * pdfs.SCALE),
                        )
                    )
                    < 128
                    for x in range(dots)
                )
                for y in range(dots)
            )
        )
    return found
