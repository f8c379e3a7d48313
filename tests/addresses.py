"""Every named address of the site that can be filled, and what it answers to whoever asks."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from django.test import Client
from django.urls import get_resolver, reverse
from django.urls.exceptions import NoReverseMatch

PRINTS = ("pairings", "names", "scores", "cards", "standings", "badges", "certificates")
# What an answer says beside its content.
TELLING = ("ETag", "Last-Modified", "Location", "Content-Disposition", "Stream")
LISTS = ("entries", "pairings", "results", "standings", "all")


def named_addresses(known: Mapping[str, Sequence[Any]]) -> Iterator[tuple[str, str]]:
    """Yield name and address of everything the site has, each part filled by all that is known."""
    for space in ("tournaments", "referee"):
        for name, ways in get_resolver().namespace_dict[space][1].reverse_dict.lists():
            names = ways[0][0][0][1]
            if not isinstance(name, str) or not set(names) <= known.keys():
                continue
            for at, values in enumerate(product(*(known[one] for one in names))):
                filled = dict(zip(names, values, strict=True))
                try:
                    address = reverse(f"{space}:{name}", kwargs=filled)
                except NoReverseMatch:
                    continue
                # The desk lets no stranger in, whatever is asked for there.
                if not at or not address.startswith(("/desk/", "/api/desk/")):
                    yield name, address


def told_at(client: Client, address: str, **headers: str) -> str:
    """Return what an address answers: its text, the texts of a workbook, and where it leads."""
    response = client.get(address, headers=headers)
    content = b"".join(response) if response.streaming else response.content
    if content[:2] == b"PK":
        with zipfile.ZipFile(io.BytesIO(content)) as book:
            content = b"\n".join(book.read(name) for name in book.namelist())
    head = "\n".join(f"{one}: {response.headers.get(one)}" for one in TELLING)
    return f"{head}\n{content.decode('utf-8', 'replace')}"
