"""The stream in a process of its own, on the database of the test: it can end and come back."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

from django.conf import settings

from tests.browser.serving import ROOT, START, database


class Streaming:
    """A real stream, as the README says to run it."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}/"

    def start(self) -> None:
        environment = os.environ | {
            "DATABASE_URL": database(),
            "SECRET_KEY": settings.SECRET_KEY,
            "DEBUG": "1",
            "HTTPS": "0",
            # As the site beside it: the database is the bell.
            "REDIS_URL": "",
        }
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "stream", f"127.0.0.1:{self.port}"],
            cwd=ROOT,
            env=environment,
            start_new_session=True,
        )
        deadline = time.monotonic() + START
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), timeout=1).close()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)

    def kill(self) -> None:
        if self._process is not None:
            os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
