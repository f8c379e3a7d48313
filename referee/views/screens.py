"""The screens of a hall: pages for whoever knows their address, and overlays for streams."""

from __future__ import annotations

import time
from typing import Final, NamedTuple
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


class Kind(NamedTuple):
    """The two ways to look at a screen: their templates, and where each asks again."""

    page: str
    frame: str
    part: str
    address: str


SCREEN: Final = Kind(
    page="screens/screen.html",
    frame="screens/_shown.html",
    part="screens/_%s.html",
    address="referee:screen_now",
)
OVERLAY: Final = Kind(
    page="screens/overlay.html",
    frame="screens/_shown_over.html",
    part="screens/_overlay_%s.html",
    address="referee:overlay_now",
)


@require_safe
def screen(request: HttpRequest, key: str) -> HttpResponse:
    """Show a screen; it follows its desk by itself."""
    return _page(request, _screen(key), SCREEN)


@require_safe
def screen_now(request: HttpRequest, key: str) -> HttpResponse:
    """Answer what a screen shows now, or that it shows that already."""
    return _answer(request, _screen(key), SCREEN)


@require_safe
def overlay(request: HttpRequest, key: str) -> HttpResponse:
    """Show the featured table of a screen as a lower third over a picture of the table."""
    return _page(request, _over(_screen(key)), OVERLAY)


@require_safe
def overlay_now(request: HttpRequest, key: str) -> HttpResponse:
    """Answer what an overlay shows now, or that it shows that already."""
    return _answer(request, _over(_screen(key)), OVERLAY)


def _screen(key: str) -> Screen:
    """Return the screen of an address; one that was revoked is not there."""
    screens = Screen.objects.select_related("tournament", "stage")
    found: Screen = get_object_or_404(screens, key=key)
    return found


def _over(found: Screen) -> Screen:
    """Return the screen as its overlay is: the featured table, whatever the hall looks at.

    A message is shown as one, and where all is black nothing is.
    """
    if found.shows not in (Screen.Shows.BLACK, Screen.Shows.MESSAGE):
        found.shows = Screen.Shows.FEATURED
    return found


def _page(request: HttpRequest, found: Screen, kind: Kind) -> HttpResponse:
    html = _in_each_language(found, kind)
    with translation.override(found.language):
        context = {
            "screen": found,
            "html": html,
            "address": reverse(kind.address, args=[found.key]),
            "release": str(freshness.release()),
        }
        response = render(request, kind.page, context)
    return _headed(response)


def _answer(request: HttpRequest, found: Screen, kind: Kind) -> HttpResponse:
    etag = freshness.etag_of(request, *queries.facts(found))
    answer = freshness.unchanged(request, etag)
    if answer is None:
        answer = freshness.kept(HttpResponse(_in_each_language(found, kind)), etag)
    return _headed(answer)


def _headed(response: HttpResponse) -> HttpResponse:
    response.headers[NOW] = str(round(time.time() * 1000))
    response.headers[RELEASE] = str(freshness.release())
    response.headers["X-Robots-Tag"] = _NOT_FOUND_BY_SEARCHERS
    response.headers.setdefault("Cache-Control", "private, no-store")
    return response


def _in_each_language(found: Screen, kind: Kind) -> SafeString:
    """Return what a screen shows, once in each of its languages, which take turns."""
    shown = queries.shown(found)
    zone = ZoneInfo(shown.tournament.time_zone)
    html = []
    for language in found.languages:
        with translation.override(language), timezone.override(zone):
            context = queries.in_words(shown) | {
                "language": language,
                "direction": "rtl" if translation.get_language_bidi() else "ltr",
                "part": kind.part % found.shows,
            }
            html.append(render_to_string(kind.frame, context))
    return mark_safe("".join(html))  # noqa: S308 - made by templates
