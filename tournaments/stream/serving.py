"""Runs the stream: listens to the bell, looks for changes, tells those who listen."""

from __future__ import annotations

import asyncio
import logging
import socket
import time
from collections.abc import AsyncIterator, Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from typing import Final

import psycopg
import redis.asyncio
import uvicorn
from django.conf import settings
from django.db import DatabaseError, connection, connections
from psycopg import sql

from tournaments.bell import channel
from tournaments.stream.app import Stream
from tournaments.stream.changes import Changes
from tournaments.stream.hub import Hub

# Without a bell, or when one was missed, a change waits no longer than this.
LOOK_SECONDS: Final = 0.5
REST_SECONDS: Final = 0.1
AGAIN_SECONDS: Final = 2.0
_log = logging.getLogger(__name__)


class Server(uvicorn.Server):
    """Ends every stream before it stops; the pages come back to the next process."""

    hub: Hub

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        await self.hub.close()
        await super().shutdown(sockets)


async def serve(host: str, port: int, *, ready: Callable[[], None] | None = None) -> None:
    """Serve until the process is told to stop."""
    hub = Hub()
    app = Stream(hub, most=settings.STREAM_LISTENERS, each=settings.STREAM_PER_ADDRESS)
    config = uvicorn.Config(
        app,
        host=host,
        port=port,
        interface="asgi3",
        lifespan="off",
        ws="none",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,
        backlog=4096,
        timeout_graceful_shutdown=1,
    )
    async with told(hub):
        if ready is not None:
            ready()
        server = Server(config)
        server.hub = hub
        await server.serve()


@asynccontextmanager
async def told(hub: Hub) -> AsyncIterator[None]:
    """Tell the listeners of `hub` of every change meanwhile."""
    rung = asyncio.Event()
    tasks = [asyncio.create_task(one) for one in (_look(hub, rung), _hear(rung), _beat(hub))]
    try:
        yield
    finally:
        for one in tasks:
            one.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def _look(hub: Hub, rung: asyncio.Event) -> None:
    """Look when the bell rings and every half second, while anybody listens."""
    changes = Changes()
    loop = asyncio.get_running_loop()
    # Connections belong to threads: all looks are made in one.
    with ThreadPoolExecutor(1, thread_name_prefix="look") as thread:
        try:
            while True:
                with suppress(TimeoutError):
                    await asyncio.wait_for(rung.wait(), LOOK_SECONDS)
                rung.clear()
                if hub:
                    await hub.publish(await loop.run_in_executor(thread, _looked, changes))
                await asyncio.sleep(REST_SECONDS)
        finally:
            thread.submit(connections.close_all)


def _looked(changes: Changes) -> set[str]:
    """Look; a database that does not answer is asked again, a moment later."""
    try:
        return changes.look()
    except DatabaseError:
        _log.warning("The database does not answer. It is asked again.", exc_info=True)
        connections.close_all()
        time.sleep(AGAIN_SECONDS)
        return set()


async def _hear(rung: asyncio.Event) -> None:
    """Hear the bell of Redis, or else of PostgreSQL; whatever breaks is tried again."""
    if not settings.REDIS_URL and connection.vendor != "postgresql":
        return
    hear = _hear_redis if settings.REDIS_URL else _hear_postgres
    while True:
        try:
            await hear(rung)
        except (redis.RedisError, psycopg.Error, OSError) as error:
            _log.warning("The bell is not heard; changes are looked for without it: %s", error)
        await asyncio.sleep(AGAIN_SECONDS)


async def _hear_redis(rung: asyncio.Event) -> None:
    async with redis.asyncio.Redis.from_url(settings.REDIS_URL) as server, server.pubsub() as heard:
        await heard.subscribe(channel())
        async for _ in heard.listen():
            rung.set()


async def _hear_postgres(rung: asyncio.Event) -> None:
    asked = connection.get_connection_params()
    asked.pop("cursor_factory", None)
    asked.pop("context", None)
    async with await psycopg.AsyncConnection.connect(**asked, autocommit=True) as server:
        await server.execute(sql.SQL("LISTEN {}").format(sql.Identifier(channel())))
        async for _ in server.notifies():
            rung.set()


async def _beat(hub: Hub) -> None:
    while True:
        await asyncio.sleep(1)
        await hub.beat()
