"""`manage.py stream`: the process that tells open pages of changes at once."""

from __future__ import annotations

import asyncio
import resource
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from tournaments.stream.serving import serve


class Command(BaseCommand):
    help = "Tells open pages at once that something changed. One process is enough for thousands."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", nargs="?", default="127.0.0.1:8001", help="host:port")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        host, _, port = address.rpartition(":")
        if not host or not port.isdecimal():
            raise CommandError(f"“{address}” is no address. Give host:port, such as 0.0.0.0:8001.")
        # Every open page is an open file.
        _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
        asyncio.run(
            serve(
                host,
                int(port),
                ready=lambda: self.stdout.write(f"The stream is open on {address}"),
            )
        )
