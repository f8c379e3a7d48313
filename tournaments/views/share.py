"""Pictures that links to pages are shown with elsewhere: the same for everybody."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django.conf import settings
from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest, HttpResponse
from django.utils import translation
from django.views.decorators.http import require_safe

from tournaments import pictures, publication
from tournaments.queries.share import event_picture
from tournaments.visible import tournament_at


@contextmanager
def language_asked(request: HttpRequest) -> Iterator[None]:
    """Draw for everybody, in the language the address names: what fetches pictures has none."""
    asked = request.GET.get("lang", "")
    with publication.for_everybody():
        if asked in dict(settings.LANGUAGES):
            with translation.override(asked):
                yield
        else:
            yield


@require_safe
def site(request: HttpRequest) -> HttpResponse:
    """Draw the picture of pages that are of no event."""
    with language_asked(request):
        return pictures.answered(request, "share/site.html", {})


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    """Draw an event with who leads or has won it. Of a hidden event there is none for anybody."""
    request.user = AnonymousUser()
    found = tournament_at(slug, user=request.user)
    with language_asked(request):
        return pictures.answered(request, "share/event.html", event_picture(found))
