"""The director's desk in a real browser: an event by keyboard alone, pages for everybody."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import DESK, PHONE
from tests.factories import EntryFactory, OrganizerFactory, TournamentFactory
from tournaments.models import PairingRound, Tournament

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

LIST = "اللاعب 1;اللاعب 2;النادي\nأحمد علي;محمد حسن;نادي النيل\nعمر سعيد;خالد رضا;نادي النيل\n"
PAGES = (
    "", "details/", "rules/", "log/", "entries/", "entries/import/", "entries/1/",
    "entries/1/withdraw/", "officials/", "pairings/", "tables/", "start/", "calls/", "documents/",
)  # fmt: skip


def press_on(page, name: str) -> None:
    """Go with the tabulator to what is called `name`, and press Enter there."""
    for _ in range(120):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.innerText || ''").strip() == name:
            with page.expect_navigation():
                page.keyboard.press("Enter")
            return
    raise AssertionError(f"The tabulator never reaches {name}.")


@pytest.mark.parametrize("scripts", [True, False])
def test_an_event_is_set_up_and_published_by_keyboard(new_page, scripts):
    page = new_page(user=OrganizerFactory.create(), viewport=DESK, scripts=scripts)
    page.goto("/desk/new/")
    page.focus("[name=name]")
    page.keyboard.type("Nile Cup")
    page.fill("[name=starts_on]", "2026-12-04")
    page.focus("[name=time_zone]")
    page.keyboard.type("cairo")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="Is everything right?").wait_for()
    if not scripts:
        page.get_by_role("button", name="Create the event").press("Enter")
        page.get_by_role("heading", name="Nobody is entered yet.").wait_for()
        return
    press_on(page, "Create the event")
    press_on(page, "Add entries")
    page.goto("/desk/nile-cup/entries/import/")
    content = LIST.encode("cp1256")
    file = {"name": "pairs.csv", "mimeType": "text/csv", "buffer": content}
    page.set_input_files("[name=file]", file)
    press_on(page, "See what it says")
    press_on(page, "Import 2 entries")
    page.get_by_text("2 entries were added.").wait_for()
    page.goto("/desk/nile-cup/")
    press_on(page, "Close registration and start")
    page.get_by_role("heading", name="Close registration and start?").wait_for()
    press_on(page, "Close registration and start")
    press_on(page, "Make the pairings")
    press_on(page, "Draft the round robin")
    press_on(page, "Publish round 1")
    page.get_by_text("Pairing round 1 is published.").wait_for()
    assert PairingRound.objects.get().state == PairingRound.State.PUBLISHED


@pytest.mark.parametrize("language", ["en", "ar"])
def test_every_page_of_the_desk_fits_a_phone_and_is_usable_by_everybody(new_page, language):
    event = TournamentFactory.create(slug="nile", state=Tournament.State.OPEN)
    EntryFactory.create_batch(3, tournament=event)
    page = new_page(user=event.created_by, language=language, viewport=PHONE)
    for address in ("/desk/", "/desk/new/", *(f"/desk/nile/{one}" for one in PAGES)):
        page.goto(address)
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"], address
        found = Axe().run(page)
        assert found.violations_count == 0, f"{address}: {found.generate_report()}"
