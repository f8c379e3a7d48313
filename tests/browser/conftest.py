"""A real browser on the running site; anything it complains about fails the test."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator

import pytest
from django.contrib.auth.models import User
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page, sync_playwright
from pytest_django.live_server_helper import LiveServer

# What it asserts is told as fully as in the tests themselves.
pytest.register_assert_rewrite("tests.browser.rulings")

PHONE = {"width": 390, "height": 844}
DESK = {"width": 1280, "height": 900}


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    # Playwright keeps an event loop in this thread, which Django would take for async code.
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        yield browser
        browser.close()
    del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def complaints() -> list[str]:
    """What the browser complained about; a test that expects a complaint empties the list."""
    return []


@pytest.fixture
def new_page(
    chromium: Browser, live_server: LiveServer, complaints: list[str]
) -> Iterator[Callable[..., Page]]:
    """Open pages: `new_page(user=rosa, language="ar", viewport=PHONE)`."""
    contexts: list[BrowserContext] = []

    def opened(
        *,
        user: User | None = None,
        language: str = "en",
        viewport: dict[str, int] = PHONE,
        scripts: bool = True,
        scheme: str = "light",
    ) -> Page:
        context = chromium.new_context(
            base_url=live_server.url,
            viewport=viewport,  # type: ignore[arg-type]
            locale=language,
            color_scheme=scheme,  # type: ignore[arg-type]
            java_script_enabled=scripts,
            has_touch=viewport is PHONE,
            reduced_motion="reduce",
        )
        context.set_default_timeout(10_000)
        contexts.append(context)
        if user is not None:
            client = Client()
            client.force_login(user)
            cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
            context.add_cookies([cookie | {"url": live_server.url}])  # type: ignore[list-item]
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(f"script: {error}"))
        page.on(
            "console",
            lambda line: complaints.append(line.text) if line.type == "error" else None,
        )
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []
