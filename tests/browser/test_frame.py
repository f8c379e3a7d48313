"""The frame of every page, in a real browser: size, direction, access for everybody."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings

from tests.browser.conftest import DESK, PHONE

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
ADDRESSES = ["/", "/login/", "/nowhere/"]


@pytest.mark.parametrize("language", [code for code, _ in settings.LANGUAGES])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_fits_a_phone_and_reads_in_its_direction(new_page, complaints, address, language):
    page = new_page(language=language, viewport=PHONE)
    page.goto(address)
    expected = "rtl" if language in {"ar", "fa"} else "ltr"
    assert page.locator("html").get_attribute("lang") == language
    assert page.locator("html").get_attribute("dir") == expected
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    if address == "/nowhere/":
        complaints.clear()  # the browser notes the 404 itself


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_page_is_usable_by_everybody(new_page, complaints, address, scheme):
    page = new_page(viewport=DESK, scheme=scheme)
    page.goto(address)
    found = Axe().run(page)
    assert found.violations_count == 0, found.generate_report()
    if address == "/nowhere/":
        complaints.clear()


def test_the_api_page_works_under_the_content_security_policy(new_page):
    page = new_page(viewport=DESK)
    page.goto("/api/docs/")
    page.get_by_role("heading", name="Domino tournaments").wait_for()
