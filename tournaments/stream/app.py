"""The stream as an ASGI application without a framework: a token in, server-sent events out."""

from __future__ import annotations

import random
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final
from urllib.parse import parse_qs

from django.conf import settings

from tournaments import channels
from tournaments.stream.hub import Hub, Listener, Send

Receive = Callable[[], Awaitable[dict[str, Any]]]
Scope = dict[str, Any]

# A page that is open longer comes back with a new token, which it is given with what it shows.
LONGEST_SECONDS: Final = 10 * 60
RETRY_SECONDS: Final = 30
_STREAM: Final = (
    (b"content-type", b"text/event-stream"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
    # The token opens the stream, no cookie does: any page that was given one may use it.
    (b"access-control-allow-origin", b"*"),
)


class Stream:
    """What a server runs. `most` may listen, `each` of them from one address."""

    def __init__(self, hub: Hub, *, most: int, each: int) -> None:
        self.hub, self.most, self.each = hub, most, each

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return
        if scope["method"] not in ("GET", "HEAD"):
            await _refuse(send, 405, b"Only GET is answered here.\n")
            return
        asked = parse_qs(scope["query_string"].decode("ascii", "replace"))
        found = _channels(asked.get("k", [])[:4])
        if found is None:
            await _refuse(send, 403, b"This token is not valid any more. Load the page again.\n")
            return
        names, given_at = found
        address = _address(scope)
        if len(self.hub) >= self.most or self.hub.at(address) >= self.each:
            await _refuse(send, 503, b"Too many pages listen. This page asks by itself.\n")
            return
        await send({"type": "http.response.start", "status": 200, "headers": _STREAM})
        until = time.time() + LONGEST_SECONDS * random.uniform(0.8, 1.2)  # noqa: S311
        listener = Listener(names, send, address=address, until=until)
        try:
            await self.hub.enter(listener, _since(scope, asked, given_at))
            # Nothing more is received than that the page was left, or the end of this answer.
            while (await receive())["type"] != "http.disconnect":
                pass
        finally:
            self.hub.leave(listener)


def _channels(tokens: list[str]) -> tuple[tuple[str, ...], float] | None:
    """Return all that the tokens of a page let it hear, and when the oldest was given."""
    found = [channels.heard(one) for one in tokens]
    read = [one for one in found if one is not None]
    if not read or len(read) < len(found):
        return None
    names = tuple(sorted({name for one, _ in read for name in one}))
    return names, min(at for _, at in read)


def _since(scope: Scope, asked: dict[str, list[str]], given_at: float) -> int:
    """Return the number of the last message a page has heard, or when it was last told all."""
    headers = dict(scope["headers"])
    last = headers.get(b"last-event-id", b"").decode("ascii", "replace")
    for one in (last, *asked.get("last", [])):
        if one.isdecimal() and len(one) <= 15:
            # Since then it may have been answered, too.
            return int(one)
    return int(given_at * 1000)


def _address(scope: Scope) -> str:
    if settings.BEHIND_PROXY:
        # The last address is the one our own proxy saw; those before it can be made up.
        told: bytes = dict(scope["headers"]).get(b"x-forwarded-for", b"")
        return told.decode("ascii", "replace").rpartition(",")[2].strip()
    client = scope.get("client")
    return str(client[0]) if client else ""


async def _refuse(send: Send, status: int, text: bytes) -> None:
    headers = [
        (b"content-type", b"text/plain; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"access-control-allow-origin", b"*"),
    ]
    if status == 503:
        headers.append((b"retry-after", str(RETRY_SECONDS).encode()))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": text})
