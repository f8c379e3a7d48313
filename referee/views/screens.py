"""The screens of a hall: pages for whoever knows their address, and overlays for streams."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any, Final
from zoneinfo import ZoneInfo

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe

from referee.queries import screens as queries
from tournaments import freshness
from tournaments.models import Screen

# With every answer, also with "not modified": milliseconds of the one clock of the event.
NOW: Final = "Now"
# Another release brings another script: the page then loads itself anew.
RELEASE: Final = "Release"
_NOT_FOUND_BY_SEARCHERS: Final = "noindex, nofollow"

Made = Callable[[Screen], SafeString]


@require_safe
def screen(request: HttpRequest, key: str) -> HttpResponse:
    """Show a screen; it follows its desk by itself."""
    found = _screen(key)
    return _page(request, found, "screens/screen.html", "referee:screen_now", _screen_html(found))


@require_safe
def screen_now(request: HttpRequest, key: str) -> HttpResponse:
    """Answer what a screen shows now, or that it shows that already."""
    return _answer(request, _screen(key), _screen_html)


@require_safe
def overlay(request: HttpRequest, key: str) -> HttpResponse:
    """Show the featured table of a screen as a lower third over a picture of the table."""
    found = _screen(key)
    html = _overlay_html(found)
    return _page(request, found, "screens/overlay.html", "referee:overlay_now", html)


@require_safe
def overlay_now(request: HttpRequest, key: str) -> HttpResponse:
    """Answer what an overlay shows now, or that it shows that already."""
    return _answer(request, _screen(key), _overlay_html)


def _screen(key: str) -> Screen:
    """Return the screen of an address; one that was revoked is not there."""
    screens = Screen.objects.select_related("tournament", "stage")
    found: Screen = get_object_or_404(screens, key=key)
    return found


def _page(
    request: HttpRequest, found: Screen, template: str, address: str, html: SafeString
) -> HttpResponse:
    with translation.override(found.language):
        context = {
            "screen": found,
            "html": html,
            "address": reverse(address, args=[found.key]),
            "release": str(freshness.release()),
        }
        response = render(request, template, context)
    return _headed(response)


def _answer(request: HttpRequest, found: Screen, make: Made) -> HttpResponse:
    etag = freshness.etag_of(request, *queries.facts(found))
    answer = freshness.unchanged(request, etag)
    if answer is None:
        answer = freshness.kept(HttpResponse(make(found)), etag)
    return _headed(answer)


def _headed(response: HttpResponse) -> HttpResponse:
    response.headers[NOW] = str(round(time.time() * 1000))
    response.headers[RELEASE] = str(freshness.release())
    response.headers["X-Robots-Tag"] = _NOT_FOUND_BY_SEARCHERS
    response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def _screen_html(found: Screen) -> SafeString:
    return _in_each_language(found, found, "screens/_shown.html", f"screens/_{found.shows}.html")


def _overlay_html(found: Screen) -> SafeString:
    """Return the featured table, the message where one is shown, nothing where all is black."""
    if found.shows in (Screen.Shows.BLACK, Screen.Shows.MESSAGE):
        told = found
    else:
        told = Screen(**{**_columns(found), "shows": Screen.Shows.FEATURED})
        told.tournament, told.stage = found.tournament, found.stage
    part = f"screens/_overlay_{told.shows}.html"
    return _in_each_language(found, told, "screens/_shown_over.html", part)


def _columns(found: Screen) -> dict[str, Any]:
    return {field.attname: getattr(found, field.attname) for field in Screen._meta.concrete_fields}


def _in_each_language(found: Screen, told: Screen, frame: str, part: str) -> SafeString:
    """Return what a screen shows, once in each of its languages, which take turns."""
    shown = queries.shown(told)
    zone = ZoneInfo(shown.tournament.time_zone)
    html = []
    for language in found.languages:
        with translation.override(language), timezone.override(zone):
            context = queries.in_words(shown) | {
                "language": language,
                "direction": "rtl" if translation.get_language_bidi() else "ltr",
                "part": part,
            }
            html.append(render_to_string(frame, context))
    return mark_safe("".join(html))  # noqa: S308 - made by templates
