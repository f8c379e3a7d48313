"""`manage.py port_free`, which `make demo` asks before it loads anything."""

from __future__ import annotations

import socket

import pytest
from django.core.management import CommandError, call_command


def test_a_taken_port_is_refused_with_what_to_do():
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(CommandError, match=f"ADDRESS=127.0.0.1:{port + 1} make demo"):
            call_command("port_free", f"127.0.0.1:{port}")
    call_command("port_free", f"127.0.0.1:{port}")


def test_what_is_no_address_is_refused():
    with pytest.raises(CommandError, match="is no address"):
        call_command("port_free", "somewhere")
