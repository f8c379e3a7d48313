"""How a page is shown elsewhere by its link: what its head says of it."""

from __future__ import annotations

from functools import cache
from typing import Any

from babel.core import get_global
from django import template
from django.conf import settings
from django.http import HttpRequest
from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from tournaments import pictures
from tournaments.models import Tournament
from tournaments.queries.brackets import BracketPage
from tournaments.queries.events import PairingsPage, TournamentPage
from tournaments.queries.standings import StandingsPage
from tournaments.words import share as words

register = template.Library()


@register.simple_tag(takes_context=True)
def share(
    context: dict[str, Any], title: str, description: str, picture: str = "", kind: str = "website"
) -> SafeString:
    """Say in the head of a page what it is, for whoever is shown a link to it.

    `picture` is the address of its picture; none is named where none can be drawn.
    """
    request: HttpRequest = context["request"]
    address = request.build_absolute_uri(_canonical(request))
    named = [
        ("og:type", kind),
        ("og:site_name", gettext("Domino tournaments")),
        ("og:title", title),
        ("og:description", description),
        ("og:url", address),
        ("og:locale", _locale(get_language() or "en")),
    ]
    if picture and pictures.are_possible():
        named += [
            ("og:image", request.build_absolute_uri(picture)),
            ("og:image:type", "image/png"),
            ("og:image:width", str(pictures.WIDTH)),
            ("og:image:height", str(pictures.HEIGHT)),
            ("og:image:alt", description),
        ]
        card = "summary_large_image"
    else:
        card = "summary"
    return format_html(
        '<meta name="description" content="{}">\n    <link rel="canonical" href="{}">\n    {}{}'
        '<meta name="twitter:card" content="{}">',
        description,
        address,
        _in_other_languages(request),
        format_html_join("", '<meta property="{}" content="{}">\n    ', named),
        card,
    )


@register.simple_tag
def picture_of_event(tournament: Tournament) -> str:
    """Return the address of the picture of an event; none of one the public may not see."""
    if tournament.state == Tournament.State.DRAFT or tournament.is_private:
        return ""
    return f"{reverse('tournaments:share', args=[tournament.slug])}?lang={get_language()}"


@register.simple_tag
def picture_of_site() -> str:
    """Return the address of the picture of pages that are of no event."""
    return f"{reverse('tournaments:share_site')}?lang={get_language()}"


# What an address says of the page itself, not of how it is looked at.
_KEPT = ("round", "move", "stage", "by", "entry", "lang")


def _canonical(request: HttpRequest, but: str = "") -> str:
    """Return the address of a page without what was typed into it."""
    kept = request.GET.copy()
    for name in [name for name in kept if name not in _KEPT or name == but]:
        del kept[name]
    return f"{request.path}?{kept.urlencode()}" if kept else request.path


def _in_other_languages(request: HttpRequest) -> SafeString:
    """Name the address of the page in each language, and the one in the reader's own."""
    plain = _canonical(request, but="lang")
    joined = "&" if "?" in plain else "?"
    ways = [(code, f"{plain}{joined}lang={code}") for code, _ in settings.LANGUAGES]
    return format_html_join(
        "",
        '<link rel="alternate" hreflang="{}" href="{}">\n    ',
        ((code, request.build_absolute_uri(way)) for code, way in (*ways, ("x-default", plain))),
    )


@register.filter
def without_language(path: str) -> str:
    """Return an address without the language in it: whoever chooses another one stays there."""
    before, _, query = path.partition("?")
    kept = "&".join(one for one in query.split("&") if one and not one.startswith("lang="))
    return f"{before}?{kept}" if kept else before


@cache
def _locale(language: str) -> str:
    """Return a language with the country it is mostly spoken in, as networks ask for it."""
    code = language.replace("-", "_")
    likely = get_global("likely_subtags").get(code, code).split("_")
    return f"{likely[0]}_{likely[-1]}" if len(likely) > 1 else code


@register.simple_tag
def said_of_event(page: TournamentPage, told: str) -> str:
    """Say what an event is and how it stands; `told` says more of its round in later lines."""
    return words.event(page, told.partition("\n")[0])


@register.simple_tag
def said_of_round(page: PairingsPage) -> str:
    return words.pairing_round(page)


@register.simple_tag
def said_of_standings(page: StandingsPage) -> str:
    return words.standings(page)


@register.simple_tag
def said_of_bracket(page: BracketPage, tournament: Tournament) -> str:
    return words.bracket(page, tournament)
