"""`manage.py port_free 127.0.0.1:8000`: can the site be started there?"""

from __future__ import annotations

import errno
import socket
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.core.management.commands.runserver import naiveip_re


class Command(BaseCommand):
    """Says before anything is loaded what to do when something else answers at the address."""

    help = "Refuse, with what to do, when the address is taken."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("address", help="as runserver takes it, such as 127.0.0.1:8000")

    def handle(self, *args: Any, address: str, **options: Any) -> None:
        parts = naiveip_re.match(address)
        if parts is None:
            raise CommandError(f"“{address}” is no address. Write it as in 127.0.0.1:8000.")
        host, _, ipv6, _, port = parts.groups()
        name = (ipv6 or host or "127.0.0.1").strip("[]")
        with socket.socket(socket.AF_INET6 if ipv6 else socket.AF_INET) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                probe.bind((name, int(port)))
            except OSError as error:
                if error.errno != errno.EADDRINUSE:
                    raise CommandError(f"The site cannot listen at {address}: {error}.") from None
                free = int(port) + 1
                raise CommandError(
                    f"Something else already answers at {address}. Take another port: "
                    f"ADDRESS={name}:{free} make demo"
                ) from None
