"""The site in a process of its own, on the database of the test: it can be killed and come back."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path

from django.conf import settings
from django.db import connection

ROOT = Path(__file__).resolve().parents[2]
START = 40.0


class Serving:
    """A real server. What it has committed is all that is left when it is killed."""

    def __init__(self) -> None:
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port: int = free.getsockname()[1]
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://localhost:{self.port}"

    def start(self) -> None:
        command = ["-m", "gunicorn", "tournaments.project.wsgi", "--log-level", "error"]
        command += ["--worker-class", "gthread", "--threads", "4"]
        command += ["--bind", f"127.0.0.1:{self.port}"]
        environment = os.environ | {
            "DATABASE_URL": database(),
            "SECRET_KEY": settings.SECRET_KEY,
            "ALLOWED_HOSTS": "localhost",
            # Static files come straight from their folders, without being collected first.
            "DEBUG": "1",
            "HTTPS": "0",
            "REDIS_URL": "",
        }
        self._process = subprocess.Popen(
            [sys.executable, *command], cwd=ROOT, env=environment, start_new_session=True
        )
        self._answers(time.monotonic() + START)

    def _answers(self, deadline: float) -> None:
        while True:
            line = HTTPConnection("127.0.0.1", self.port, timeout=START)
            try:
                line.request("GET", "/api/t/", headers={"Host": f"localhost:{self.port}"})
                line.getresponse().read()
                return
            except OSError:
                if time.monotonic() > deadline:
                    raise
                time.sleep(0.1)
            finally:
                line.close()

    def kill(self) -> None:
        """End it at once, its workers too, as when the power goes."""
        if self._process is None:
            return
        os.killpg(self._process.pid, signal.SIGKILL)
        self._process.wait()
        self._process = None


def database() -> str:
    """Return the address of the database this test runs on."""
    made = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{made['NAME']}"
    secret = f":{made['PASSWORD']}" if made["PASSWORD"] else ""
    return f"postgres://{made['USER']}{secret}@{made['HOST']}:{made['PORT']}/{made['NAME']}"
