"""The match sheet and the order of plays on paper."""

from __future__ import annotations

import re
from uuid import uuid4

import pytest
from django.conf import settings

from referee.models import RecordedEvent, Signature
from referee.services import links, signing
from referee.views import prints
from tests import pdfs
from tests.factories import UserFactory
from tests.referee.conftest import sheet, tournament_of, write
from tournaments.models import Match, PairingRound, Tournament
from tournaments.policies_links import LinkRules

pytestmark = pytest.mark.django_db

KINDS = ("sheet", "plays")
NAME = [[100, 100, 200, 300, 300, 100, 400, 300], [500, 50, 520, 60, 540, 80, 560, 90, 580, 99]]


@pytest.fixture
def written(record, referee):
    """The match with a line of plays, an infraction and something taken back."""
    write(record, ["A 6-6", "B! delay", "B 6-5", "undo 1", "B 6-4"], referee)
    return Match.objects.get(pk=record.match_id)


@pytest.fixture
def signed(opened, referee):
    """The match, over, with the word of both sides."""
    sheet(opened, 0, "AC", 100, referee)
    match = Match.objects.get(pk=opened.pk)
    signing.sign(match, side="AC", how="drawn", strokes=NAME, by=referee)
    signing.sign(match, side="BD", how="refused", reason="The count of round 1", by=referee)
    return match


def page(client, match, kind, query=""):
    response = client.get(f"/matches/{match.pk}/print/{kind}.html{query}")
    assert response.status_code == 200
    return response.content.decode()


def test_the_order_of_plays_has_every_event_in_words_and_in_notation(client, written):
    shown = page(client, written, "plays")
    for event in RecordedEvent.objects.filter(round__match=written):
        assert event.notation in shown
    assert "without effect" in shown
    assert all(name in shown for name in ("Rosa", "Lin", "Omar", "Sara"))


def test_the_match_sheet_tells_infractions_with_their_measures(client, written):
    shown = page(client, written, "sheet")
    row = re.search(r'<table class="infractions">.*?<tbody>(.*?)</tbody>', shown, re.DOTALL)
    assert row is not None
    assert "Lin" in row[1]
    assert "Delay" in row[1]
    assert "Warning" in row[1]


@pytest.mark.parametrize("kind", KINDS)
def test_both_carry_the_control_code_once_a_side_has_said_something(client, signed, kind):
    code = re.search(r'class="control-code">([A-Z2-7-]{19})<', page(client, signed, kind))
    assert code is not None
    assert client.get(f"/check/{code[1]}/").status_code == 200
    assert "The count of round 1" in page(client, signed, kind)


@pytest.mark.parametrize("kind", KINDS)
def test_without_a_signature_there_is_no_code_but_room_to_sign(client, written, kind):
    shown = page(client, written, kind)
    assert "control-code" not in shown
    assert shown.count("sign-line") == 3


@pytest.mark.parametrize("form", ["html", "pdf"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_match_of_a_draft_or_of_a_private_event_is_not_there(client, written, kind, form):
    address = f"/matches/{written.pk}/print/{kind}.{form}"
    tournament = tournament_of(written)
    client.force_login(UserFactory.create())
    Tournament.objects.filter(pk=tournament.pk).update(is_private=True)
    assert client.get(address).status_code == 404
    Tournament.objects.filter(pk=tournament.pk).update(is_private=False)
    PairingRound.objects.filter(pk=written.pairing_round_id).update(state="draft")
    assert client.get(address).status_code == 404
    assert client.get(f"/matches/{written.pk + 999}/print/{kind}.{form}").status_code == 404


@pytest.mark.parametrize("kind", KINDS)
def test_looking_changes_nothing(client, signed, kind, referee):
    client.force_login(referee)
    before = Match.objects.get(pk=signed.pk).changed_at, Signature.objects.count()
    page(client, signed, kind)
    assert (Match.objects.get(pk=signed.pk).changed_at, Signature.objects.count()) == before


@pytest.mark.pdf
@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("kind", KINDS)
def test_both_are_set_as_pdf_in_each_language(client, signed, kind, language):
    response = client.get(f"/matches/{signed.pk}/print/{kind}.pdf?lang={language}&paper=a4")
    assert (response.status_code, response["Content-Type"]) == (200, "application/pdf")
    content = response.content
    assert pdfs.size(content) == (210, 297)
    found = pdfs.signs(content)
    text = "".join(one.text for one in found)
    assert "Rosa" in text
    code = re.search(r"[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}", text)
    assert code is not None
    # The letters of the seats stand where a reader of the language begins.
    seat = found[text.index("Rosa")]
    letter = next(one for one in pdfs.on_one_line(found, seat) if one.text == "A")
    assert (letter.left < seat.left) is (language not in ("ar", "fa"))


@pytest.mark.pdf
def test_notation_is_read_from_left_to_right_on_an_arabic_page(client, written):
    response = client.get(f"/matches/{written.pk}/print/plays.pdf?lang=ar")
    found = pdfs.signs(response.content)
    text = "".join(one.text for one in found)
    six, four = found[text.index("6-4")], found[text.index("6-4") + 2]
    assert (six.text, four.text) == ("6", "4")
    assert six.left < four.left


# --- score sheets with the codes of links --------------------------------------------------------


def sheets_with_codes(client, match, scope):
    address = f"/links/{tournament_of(match).slug}/{match.pairing_round_id}/make/"
    sent = {"scope": scope, "client_key": uuid4(), "on_sheets": "on"}
    return client.post(address, sent)


def test_codes_of_table_links_are_printed_on_the_score_sheets(client, match, referee, monkeypatch):
    drawn: list[str] = []

    def noted(address: str) -> str:
        drawn.append(address)
        return ""

    monkeypatch.setattr(prints, "qr_picture", noted)
    client.force_login(referee)
    response = sheets_with_codes(client, match, "record")
    page = response.content.decode()
    assert response.status_code == 200
    assert response["Cache-Control"] == "no-store"
    assert page.count('<section class="score-sheet">') == 1
    assert "Records the table" in page
    assert ".pdf" not in page
    client.logout()
    assert client.get(drawn[0]).status_code == 302


def test_a_link_for_each_side_gives_a_sheet_for_each(client, match, referee):
    director = tournament_of(match).created_by
    links.set_link_rules(tournament_of(match), LinkRules(confirm_rounds=True), by=director)
    client.force_login(referee)
    page = sheets_with_codes(client, match, "confirm").content.decode()
    assert "Confirms the rounds of a side: A · C" in page
    assert "Confirms the rounds of a side: B · D" in page
    assert page.count('<section class="score-sheet">') == 2
