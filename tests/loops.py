"""Runs what is asynchronous in a thread of its own: a browser's loop may run in this one."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_apart(act: Coroutine[Any, Any, T]) -> T:
    """Return what a coroutine returns; raises what it raises."""
    with ThreadPoolExecutor(1) as threads:
        return threads.submit(asyncio.run, act).result()
