"""Who listens to what, and how all of them hear of a change: nothing here knows of events."""

from __future__ import annotations

import asyncio
import json
import time
from collections import Counter, defaultdict
from collections.abc import Awaitable, Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Final

Send = Callable[[dict[str, Any]], Awaitable[None]]

BEAT_SECONDS: Final = 25
# Where a page was before it listened is known to the second, and clocks differ a little.
SLACK_MS: Final = 2000
# So many pages a second are made without making those at the tables wait.
PAGES_A_SECOND: Final = 250
_AT_ONCE: Final = 200


class Listener:
    """One open page. It owes at most one message, however much changes while it is slow."""

    __slots__ = ("address", "channels", "is_busy", "is_over", "owed", "send", "until")

    def __init__(self, channels: tuple[str, ...], send: Send, *, address: str, until: float):
        self.channels, self.send, self.address, self.until = channels, send, address, until
        self.owed: set[str] = set()
        self.is_busy = self.is_over = False


class Hub:
    """The listeners of one process. `now` tells the time in seconds."""

    def __init__(self, now: Callable[[], float] = time.time) -> None:
        self._now = now
        self._listeners: dict[Listener, None] = {}
        self._by_channel: defaultdict[str, set[Listener]] = defaultdict(set)
        self._by_address: Counter[str] = Counter()
        self._changed: dict[str, int] = {}
        self._number = self._started = int(now() * 1000)
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._listeners)

    def at(self, address: str) -> int:
        """Return how many listen from one address."""
        return self._by_address[address]

    async def enter(self, listener: Listener, since: int) -> None:
        """Let somebody listen who knows everything until `since`, a number told before."""
        self._listeners[listener] = None
        self._by_address[listener.address] += 1
        for channel in listener.channels:
            self._by_channel[channel].add(listener)
        since -= SLACK_MS
        # What was before this process began it cannot know: the page asks once.
        missed = [
            channel
            for channel in listener.channels
            if since < max(self._changed.get(channel, 0), self._started)
        ]
        listener.owed.update(missed)
        await self._tell(listener, b"event: hello\ndata:\n\n" if not missed else b"")

    def leave(self, listener: Listener) -> None:
        if listener not in self._listeners:
            return
        del self._listeners[listener]
        listener.is_over = True
        self._by_address[listener.address] -= 1
        if not self._by_address[listener.address]:
            del self._by_address[listener.address]
        for channel in listener.channels:
            among = self._by_channel[channel]
            among.discard(listener)
            if not among:
                del self._by_channel[channel]

    async def publish(self, channels: Iterable[str]) -> int:
        """Tell everybody who listens to any of `channels`; return how many that were."""
        self._number = max(self._number + 1, int(self._now() * 1000))
        told: dict[Listener, None] = {}
        for channel in set(channels):
            self._changed[channel] = self._number
            for one in self._by_channel.get(channel, ()):
                one.owed.add(channel)
                told[one] = None
        await self._start(one for one in told if not one.is_busy)
        return len(told)

    async def beat(self) -> None:
        """Show a part of the listeners, all in turn, that the line is alive; end the old ones."""
        now = self._now()
        count = len(self._listeners) // BEAT_SECONDS + 1
        for one in list(islice(self._listeners, count)):
            if now > one.until:
                self._run(self._end(one))
            elif not one.is_busy:
                # Moved to the end of the line.
                del self._listeners[one]
                self._listeners[one] = None
                self._run(self._tell(one, b"event: beat\ndata:\n\n"))
        hour_ago = int(now * 1000) - 3_600_000
        self._changed = {name: at for name, at in self._changed.items() if at > hour_ago}
        self._started = max(self._started, hour_ago)

    async def close(self) -> None:
        """End every stream."""
        for one in list(self._listeners):
            self._run(self._end(one))
        await asyncio.sleep(0)

    async def _start(self, listeners: Iterator[Listener]) -> None:
        while batch := list(islice(listeners, _AT_ONCE)):
            for one in batch:
                self._run(self._tell(one))
            await asyncio.sleep(0)

    def _run(self, what: Any) -> None:
        task = asyncio.create_task(what)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _tell(self, listener: Listener, first: bytes = b"") -> None:
        """Send what a listener is owed. While one message is on its way, the next one waits."""
        if listener.is_busy:
            return
        listener.is_busy = True
        try:
            if first:
                await listener.send(_body(first))
            while listener.owed and not listener.is_over:
                changed = tuple(sorted(listener.owed))
                listener.owed.clear()
                await listener.send(_body(self._message(changed)))
        except OSError:
            self.leave(listener)
        finally:
            listener.is_busy = False

    def _message(self, changed: tuple[str, ...]) -> bytes:
        """Say what changed, and over how long a time those who hear it should ask for it."""
        many = max(len(self._by_channel.get(one, ())) for one in changed)
        said = {"of": changed, "within": many * 1000 // PAGES_A_SECOND}
        text = json.dumps(said, separators=(",", ":"))
        return f"event: changed\nid: {self._number}\ndata: {text}\n\n".encode()

    async def _end(self, listener: Listener) -> None:
        self.leave(listener)
        await listener.send({"type": "http.response.body", "body": b"", "more_body": False})


def _body(text: bytes) -> dict[str, Any]:
    return {"type": "http.response.body", "body": text, "more_body": True}
