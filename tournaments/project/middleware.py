"""What holds for every request: headers of its answer, duties looked up once."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponse

from tournaments import permissions

Answer = Callable[[HttpRequest], HttpResponse]
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


def duties_once(get_response: Answer) -> Answer:
    """Ask the database once a request what the reader does at a tournament."""

    def answer(request: HttpRequest) -> HttpResponse:
        with permissions.one_request():
            return get_response(request)

    return answer
