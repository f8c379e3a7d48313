"""Thousands of open pages on one stream process: what each costs, how soon all of them hear.

    DATABASE_URL=postgres://… python benchmarks/stream.py [--listeners 5000] [--events 20]

A referee records events through the API; every listener follows that table. The time runs from the
moment the event is sent to the moment a listener has the message, so storing it is in it. Memory
is what the process has for itself (PSS), before the first listener and with all of them.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
STREAM = ("127.0.0.1", 8990)
os.environ.update(
    STREAM_URL=f"http://{STREAM[0]}:{STREAM[1]}/",
    STREAM_LISTENERS="50000",
    STREAM_PER_ADDRESS="50000",
)

from benchmarks.api import ROOT, START, Referee, own_database, server, table
from engine.notation import format_line
from referee.services import records as services
from tests.engine.playing import blind, played
from tournaments import channels

CONNECTING = 200


@contextmanager
def stream(database: str) -> Iterator[int]:
    """Serve the stream until the block ends; give the process's number."""
    process = subprocess.Popen(
        [sys.executable, "manage.py", "stream", f"{STREAM[0]}:{STREAM[1]}"],
        cwd=ROOT,
        env=os.environ | {"DATABASE_URL": database},
    )
    try:
        yield process.pid
    finally:
        process.terminate()
        process.wait(timeout=30)


def own_kib(pid: int) -> int:
    """Return the memory a process has for itself, in KiB."""
    lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("Pss:"))


class Listener(asyncio.Protocol):
    """An open page: it notes when it heard of a change."""

    __slots__ = ("heard", "path", "ready", "status")
    waiting = 0
    all_heard: asyncio.Event

    def __init__(self, path: str, ready: asyncio.Future[None]) -> None:
        self.path, self.ready = path, ready
        self.heard = 0.0
        self.status = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        transport.write(f"GET {self.path} HTTP/1.1\r\nHost: bench\r\n\r\n".encode())

    def data_received(self, data: bytes) -> None:
        if not self.status:
            self.status = data[9:12]
        if not self.ready.done() and b"event: " in data:
            self.ready.set_result(None)
        elif b"event: changed" in data and not self.heard:
            self.heard = time.perf_counter()
            Listener.waiting -= 1
            if not Listener.waiting:
                Listener.all_heard.set()

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ready.done():
            self.ready.set_exception(ConnectionError(f"closed, {self.status!r}"))


async def connected(path: str, count: int) -> list[Listener]:
    loop = asyncio.get_running_loop()
    gate = asyncio.Semaphore(CONNECTING)

    async def one() -> Listener:
        async with gate:
            listener = Listener(path, loop.create_future())
            await loop.create_connection(lambda: listener, *STREAM)
            await asyncio.wait_for(listener.ready, 60)
            return listener

    return list(await asyncio.gather(*(one() for _ in range(count))))


async def reached() -> None:
    deadline = time.monotonic() + START
    while True:
        try:
            _, writer = await asyncio.open_connection(*STREAM)
        except ConnectionRefusedError:
            if time.monotonic() > deadline:
                raise
            await asyncio.sleep(0.2)
        else:
            writer.close()
            return


async def follow(pid: int, referee: Referee, address: str, lines: list[str], count: int) -> None:
    await reached()
    path = f"/?k={channels.signed([f'm{MATCH[0]}'])}"
    # The first listeners bring up what the process needs once.
    first = await connected(path, 20)
    before = own_kib(pid)
    begun = time.perf_counter()
    listeners = [*first, *await connected(path, count - len(first))]
    took = time.perf_counter() - begun
    await asyncio.sleep(2)
    each = (own_kib(pid) - before) / (count - len(first))
    print(f"{count} listeners in {took:.1f} s, {each:.1f} KiB each, {before / 1024:.0f} MiB before")
    half, most, nearly, last = [], [], [], []
    for place, line in enumerate(lines):
        for one in listeners:
            one.heard = 0.0
        Listener.waiting, Listener.all_heard = count, asyncio.Event()
        sent = time.perf_counter()
        said: dict[str, object] = {"number": place, "event": line, "client_key": str(uuid4())}
        await asyncio.to_thread(referee.post, address, said)
        try:
            await asyncio.wait_for(Listener.all_heard.wait(), 10)
        except TimeoutError:
            raise SystemExit(f"event {place}: {Listener.waiting} of {count} missed it") from None
        waits = sorted((one.heard - sent) * 1e3 for one in listeners)
        cuts = statistics.quantiles(waits, n=100)
        half.append(cuts[49])
        most.append(cuts[94])
        nearly.append(cuts[98])
        last.append(waits[-1])
        await asyncio.sleep(0.4)
    print(f"heard by     median of {len(half)} events    worst event")
    for name, told in (("50 %", half), ("95 %", most), ("99 %", nearly), ("all", last)):
        print(f"{name:8} {statistics.median(told):14.0f} ms {max(told):16.0f} ms")
    print(f"with all of them heard, {own_kib(pid) / 1024:.0f} MiB")


MATCH: list[int] = []


def main() -> None:
    parser = argparse.ArgumentParser(description="Thousands of open pages on one stream.")
    parser.add_argument("--listeners", type=int, default=5000)
    parser.add_argument("--events", type=int, default=20)
    asked = parser.parse_args()
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    with own_database() as database, server(database) as line, stream(database) as pid:
        match, user = table()
        MATCH.append(match.pk)
        one = blind(played(1, whole=True)).rounds[0]
        assert one.opener is not None
        stored = services.open_round(match, number=0, opener=one.opener.value, by=user)
        lines = [format_line(event) for event in one.events][: asked.events]
        address = f"/api/rounds/{stored.pk}/events/"
        asyncio.run(follow(pid, Referee(line, user), address, lines, asked.listeners))


if __name__ == "__main__":
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    main()
