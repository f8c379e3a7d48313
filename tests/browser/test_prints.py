"""Prints in a real browser: chosen at the desk, printed from the page, on as many sheets as PDF."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests import pdfs
from tests.browser.conftest import DESK, PHONE
from tests.browser.rulings import begin, seated
from tests.factories import MatchFactory, PairingRoundFactory, StandingRowFactory
from tournaments.models import Entry, PairingRound
from tournaments.words.prints import BY_KIND

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def played(db) -> PairingRound:
    pairing_round: PairingRound = PairingRoundFactory.create()
    MatchFactory.create_batch(5, pairing_round=pairing_round)
    for entry in Entry.objects.order_by("number"):
        StandingRowFactory.create(stage=pairing_round.stage, entry=entry)
    return pairing_round


def faults(page) -> list[str]:
    found = Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found]


@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_paper_and_language_chosen_at_the_desk_are_those_of_the_print(new_page, played, viewport):
    event = played.stage.tournament
    page = new_page(user=event.created_by, viewport=viewport)
    page.goto(f"/desk/{event.slug}/prints/")
    assert faults(page) == []
    page.get_by_label("Paper").select_option("letter")
    page.get_by_label("Language", exact=True).select_option("ar")
    page.get_by_label("To table or entry").fill("3")
    card = page.get_by_role("listitem").filter(has=page.get_by_text("Score sheets", exact=True))
    card.get_by_role("button", name="Page").click()
    page.wait_for_url("**/prints/scores.html?**")
    assert page.locator("html").get_attribute("dir") == "rtl"
    assert page.locator(".score-sheet").count() == 3
    assert page.locator("[data-print]").is_visible()
    assert faults(page) == []
    # The bar fits the phone; only the paper is wider, and it is moved by itself.
    assert page.evaluate("document.documentElement.scrollWidth") <= viewport["width"]


@pytest.mark.pdf
@pytest.mark.parametrize("kind", list(BY_KIND))
def test_a_page_is_printed_on_the_same_sheets_as_its_pdf(new_page, client, played, kind):
    event = played.stage.tournament
    page = new_page(user=event.created_by, viewport=DESK)
    page.goto(f"/t/{event.slug}/prints/{kind}.html?paper=letter&best=2")
    assert faults(page) == []
    printed = page.pdf(prefer_css_page_size=True)
    client.force_login(event.created_by)
    made = client.get(f"/t/{event.slug}/prints/{kind}.pdf?paper=letter&best=2").content
    assert pdfs.size(printed) == pdfs.size(made)
    assert pdfs.pages(printed) == pdfs.pages(made)
    assert "PDFfile" not in pdfs.text_of(printed)


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("kind", ["sheet", "plays"])
def test_the_prints_of_a_match_are_read_by_everybody(new_page, kind, language):
    match = seated("wdf", "pair")
    begin(match, "A 6-6", "B! delay", "B 6-5")
    page = new_page(viewport=PHONE, language=language)
    page.goto(f"/matches/{match.pk}/print/{kind}.html")
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
