"""The page about the API in light and dark."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import DESK

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

BRIGHTNESS = """selector => {
  let one = document.querySelector(selector);
  let colour;
  do {
    colour = getComputedStyle(one).backgroundColor.match(/[\\d.]+/g).map(Number);
    one = one.parentElement;
  } while (one && colour[3] !== undefined && colour[3] < 1);
  return (colour[0] + colour[1] + colour[2]) / 3;
}"""


def opened(new_page: Callable[..., Page], scheme: str, chosen: str = "") -> Page:
    page = new_page(viewport=DESK, scheme=scheme)
    if chosen:
        page.add_init_script(f"localStorage.setItem('theme', '{chosen}')")
    page.goto("/api/docs/")
    page.wait_for_selector(".opblock", timeout=60_000)
    return page


@pytest.mark.parametrize(
    ("scheme", "chosen", "is_dark"),
    [("light", "", False), ("dark", "", True), ("dark", "light", False), ("light", "dark", True)],
)
def test_the_page_of_the_api_is_dark_where_the_reader_wants_it(
    new_page: Callable[..., Page], scheme: str, chosen: str, is_dark: bool
) -> None:
    page = opened(new_page, scheme, chosen)
    assert (page.evaluate(BRIGHTNESS, "#swagger-ui") < 80) is is_dark
    # Nothing is turned round: the colours of the methods stay what they mean.
    assert page.evaluate("getComputedStyle(document.querySelector('#swagger-ui')).filter") == "none"
