"""Lets those who scanned a table's code in: a signed cookie names their links, and no account.

The cookie says which links a device has; what each of them opens is looked up at every request,
so that one that was taken back opens nothing from then on.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.cache import cache
from django.core.exceptions import PermissionDenied
from django.core.signing import BadSignature
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from drf_spectacular.authentication import SessionScheme
from drf_spectacular.openapi import AutoSchema
from rest_framework.authentication import SessionAuthentication
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request
from rest_framework.views import APIView

from engine.errors import DominoError
from referee.errors.links import LinkOver, LinkUnknown, TooManyLinks
from referee.models import TableLink
from referee.services import links
from tournaments.entry_limit import sender_of
from tournaments.errors.base import explain
from tournaments.models import Match
from tournaments.permissions import TableGuest, Visitor, may_record

COOKIE: Final = "domino_tables"
_SALT: Final = "referee.guests"
# A player sits at a few tables a day; more than these links one device does not need.
_MOST_LINKS: Final = 12
_COOKIE_AGE: Final = 7 * 24 * 3600
MOST_GUESSES: Final = 30
_GUESSES_WITHIN: Final = 15 * 60

View = Callable[..., HttpResponse]


def links_in(request: HttpRequest) -> list[int]:
    """Return the numbers of the links a device has, the latest first."""
    try:
        told = request.get_signed_cookie(COOKIE, salt=_SALT, max_age=_COOKIE_AGE)
    except (KeyError, BadSignature):
        return []
    return [int(one) for one in (told or "").split(".") if one.isdecimal()]


def keep_link(request: HttpRequest, response: HttpResponse, link: TableLink) -> None:
    """Let the device of this request have a link from now on, beside those it has."""
    kept = [link.pk, *(one for one in links_in(request) if one != link.pk)][:_MOST_LINKS]
    response.set_signed_cookie(
        COOKIE,
        ".".join(map(str, kept)),
        salt=_SALT,
        max_age=_COOKIE_AGE,
        httponly=True,
        secure=settings.SESSION_COOKIE_SECURE,
        samesite="Lax",
    )


def visitor(
    request: HttpRequest, *, match: int | None = None, record: int | None = None
) -> Visitor:
    """Return who asks for a match, or for a round of one: an official, or a guest by a link.

    Whoever is signed in and may record the table does it under their own name.
    """
    user: Visitor = request.user
    own = links_in(request)
    if not own:
        return user
    if user.is_authenticated:
        table = _table(match, record)
        if table is None or may_record(user, table):
            return user
    if record is not None:
        return links.guest_of_round(own, record) or user
    return links.guest_of_match(own, match or 0) or user


def _table(match: int | None, record: int | None) -> Match | None:
    with_event = Match.objects.select_related("pairing_round__stage__tournament")
    if record is not None:
        return with_event.filter(records=record).first()
    return with_event.filter(pk=match or 0).first()


def _lapsed(request: HttpRequest, *, match: int | None = None, record: int | None = None) -> bool:
    """Say whether the device has links of this match, though none that works."""
    own = TableLink.objects.filter(pk__in=links_in(request))
    if record is not None:
        return own.filter(match__records=record).exists()
    return own.filter(match=match).exists()


def at_the_table(*, by: str = "match") -> Callable[[View], View]:
    """Let a page be used by signed-in people and by guests of its table.

    `by` says what the `pk` of its address is: "match", or "record" for a round of one. Whoever
    has links but none that opens this table is told so, and not asked to sign in.
    """

    def wrap(view: View) -> View:
        signed_in = login_required(view)

        @wraps(view)
        def seen(request: HttpRequest, pk: int, **more: Any) -> HttpResponse:
            named = {by: pk}
            request.user = visitor(request, **named)
            if isinstance(request.user, TableGuest):
                return view(request, pk, **more)
            if not request.user.is_authenticated and links_in(request):
                lapsed = _lapsed(request, **named)
                return refused(request, LinkOver() if lapsed else LinkUnknown())
            return signed_in(request, pk, **more)

        return seen

    return wrap


def count_guess(request: HttpRequest) -> None:
    """Note that an address was tried that opens nothing; refuse where there were too many."""
    key = f"table-links:{sender_of(request)}"
    cache.add(key, 0, _GUESSES_WITHIN)
    try:
        found = cache.incr(key)
    except ValueError:
        # It ran out between the two.
        return
    if found > MOST_GUESSES:
        raise TooManyLinks


def refused(request: HttpRequest, error: DominoError) -> HttpResponse:
    """Answer that a link opens nothing, and what to do; of the table it says nothing."""
    status = {LinkUnknown.code: 404, LinkOver.code: 410, TooManyLinks.code: 429}[error.code]
    context = {"sentence": explain(error), "is_over": status == 410}
    return render(request, "referee/link_over.html", context, status=status)


class TableLinkAuthentication(SessionAuthentication):
    """Lets guests of a table use its API. The view says in `table_by` what its `pk` is.

    Like every other visitor with a cookie they have to show that the request came from a page of
    this site.
    """

    def authenticate(self, request: Request) -> tuple[Any, None] | None:
        given = request.parser_context or {}
        view, pk = given.get("view"), given.get("kwargs", {}).get("pk")
        by = getattr(view, "table_by", "match")
        if pk is None or not links_in(request._request):
            return None
        found = visitor(request._request, **{by: pk})
        if not isinstance(found, TableGuest):
            changes = request.method not in SAFE_METHODS and not found.is_authenticated
            if changes and _lapsed(request._request, **{by: pk}):
                raise PermissionDenied(explain(LinkOver()))
            return None
        self.enforce_csrf(request)
        return found, None


class TableLinkScheme(SessionScheme):
    """Tells the description of the API how guests of a table are known: by a cookie."""

    target_class = "referee.guests.TableLinkAuthentication"
    name = "tableLink"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:
        return {"type": "apiKey", "in": "cookie", "name": COOKIE}


class SignedInOrGuest(BasePermission):
    """Signed in, or a guest of the table."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        return request.user.is_authenticated or isinstance(request.user, TableGuest)
