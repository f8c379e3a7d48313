"""The recording page without a network: what a device keeps, and the worker that keeps it."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path

from django.contrib.staticfiles import finders
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.templatetags.static import static
from django.urls import reverse
from django.utils.translation import gettext
from django.views.decorators.cache import cache_control
from django.views.decorators.http import require_safe

# Marks a page that a device may keep: only for who may record the table, see `views.record`.
KEEPABLE = "X-Domino-Keep"
SCRIPTS = Path(__file__).parent / "static" / "referee"
SHARED = ("tournaments/site.css", "tournaments/site.js", "tournaments/tiles.js")
ICON = "tournaments/logo.svg"


def asset_names() -> list[str]:
    """Return the files the recording page is made of, as they are named among static files."""
    own = sorted(path.relative_to(SCRIPTS).as_posix() for path in SCRIPTS.rglob("*.js"))
    return [*(f"referee/{one}" for one in own if one != "worker.js"), *SHARED, ICON]


@cache
def _worker() -> str:
    """Return the service worker, with the addresses it keeps and a name for their state."""
    names = asset_names()
    contents = hashlib.sha256()
    for name in (*names, "referee/worker.js"):
        found = finders.find(name)
        contents.update(Path(str(found)).read_bytes() if found else b"")
    # Modules name each other without the hash that the page's own address may have.
    addresses = sorted({address for one in names for address in (static(one), _plain(one))})
    settings = {
        "version": contents.hexdigest()[:16],
        "assets": addresses,
        "offline": reverse("referee:offline"),
        "keepable": KEEPABLE,
    }
    script = (SCRIPTS / "worker.js").read_text("utf-8")
    return f"const SETTINGS = {json.dumps(settings)};\n{script}"


def _plain(name: str) -> str:
    return static("").rstrip("/") + f"/{name}"


@require_safe
@cache_control(max_age=0, no_cache=True)
def worker(request: HttpRequest) -> HttpResponse:
    """Serve the service worker from the root, so that it answers for every page."""
    return HttpResponse(_worker(), content_type="text/javascript; charset=utf-8")


@require_safe
@cache_control(max_age=3600)
def manifest(request: HttpRequest) -> HttpResponse:
    """Describe the site as something that can be installed on a phone."""
    return JsonResponse(
        {
            "name": gettext("Domino tournaments"),
            "short_name": gettext("Dominoes"),
            "start_url": reverse("tournaments:index"),
            "scope": "/",
            "display": "standalone",
            "background_color": "#0e4636",
            "theme_color": "#0e4636",
            "icons": [
                {"src": static(ICON), "sizes": "any", "type": "image/svg+xml", "purpose": "any"}
            ],
        },
        content_type="application/manifest+json",
    )


@require_safe
def offline(request: HttpRequest) -> HttpResponse:
    """Show what can be done without a network: the tables this device goes on recording."""
    return render(request, "referee/offline.html")
