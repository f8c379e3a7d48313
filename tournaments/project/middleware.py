"""What holds for every request: headers of its answer, duties looked up once, the bell."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils import translation

from tournaments import permissions, publication
from tournaments.bell import ring

Answer = Callable[[HttpRequest], HttpResponse]
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
UNUSED_FEATURES = "camera=(), geolocation=(), microphone=(), payment=()"


def content_security_policy(get_response: Answer) -> Answer:
    """Tell browsers to run and show only what this site serves as files."""
    policy = "; ".join(
        f"{kind} {sources}" for kind, sources in settings.CONTENT_SECURITY_POLICY.items()
    )

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        response.headers.setdefault("Content-Security-Policy", policy)
        response.headers.setdefault("Permissions-Policy", UNUSED_FEATURES)
        return response

    return answer


class CompressedPages(GZipMiddleware):
    """Compress what people read, a tenth of its size on the way to a phone in a full hall.

    An answer of the API is small and counted in milliseconds; files of scripts and styles are
    compressed already.
    """

    def process_response(self, request: HttpRequest, response: HttpResponseBase) -> Any:
        kind = response.headers.get("Content-Type", "")
        if not kind.startswith(("text/", "application/atom+xml")) or response.status_code != 200:
            return response
        return super().process_response(request, response)


def language_of_address(get_response: Answer) -> Answer:
    """Answer in the language an address names, so that a link can be shared in one.

    Prints are left alone: there it is the language of the paper.
    """

    def answer(request: HttpRequest) -> HttpResponse:
        asked = request.GET.get("lang", "")
        if asked in dict(settings.LANGUAGES) and "/print" not in request.path:
            translation.activate(asked)
            request.LANGUAGE_CODE = asked
        return get_response(request)

    return answer


def duties_once(get_response: Answer) -> Answer:
    """Ask the database once a request what the reader does at a tournament; say who reads."""

    def answer(request: HttpRequest) -> HttpResponse:
        with permissions.one_request(), publication.asked_by(request):
            return get_response(request)

    return answer


def bell(get_response: Answer) -> Answer:
    """Tell the stream of every request that may have changed something, once it is stored."""

    def answer(request: HttpRequest) -> HttpResponse:
        response = get_response(request)
        if request.method not in SAFE and response.status_code < 400:
            ring()
        return response

    return answer
