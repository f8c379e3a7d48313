"""In which order a request is refused: what is not there, who is asking, what was sent."""

from __future__ import annotations

from typing import Any, NoReturn

from rest_framework.request import Request
from rest_framework.views import APIView

from tournaments.models import Tournament
from tournaments.visible import tournament_at


class GuardedView(APIView):
    """Says 404 about what is not there or hidden before it asks anybody to sign in."""

    def permission_denied(
        self, request: Request, message: str | None = None, code: str | None = None
    ) -> NoReturn:
        self.require_there()
        super().permission_denied(request, message, code)

    def require_there(self) -> None:
        """Raise `Http404` unless what the address names is there for whoever asks."""
        raise NotImplementedError


class EventView(GuardedView):
    """Something about one event."""

    _found: Tournament | None = None

    def require_there(self) -> None:
        if "slug" in self.kwargs:
            self.tournament(self.kwargs["slug"])

    def tournament(self, slug: str) -> Tournament:
        """Return the event, looked up once a request."""
        if self._found is None:
            self._found = tournament_at(slug, user=self.request.user)
        return self._found

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Sign in first, then look whether the reader may do this at all."""
        super().initial(request, *args, **kwargs)
        self.require_there()
        self.require_allowed()

    def require_allowed(self) -> None:
        """Raise `PermissionDenied` unless the reader may send anything here."""
