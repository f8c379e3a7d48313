"""A public page of pairings beside a bare list of the framework, one process, in one run.

    DATABASE_URL=postgres://… python benchmarks/pages.py [--tables 240] [--times 60]

The page of a round is asked for made anew (each time by another address), as a copy, by those who
have it already (304), and for three letters of a name. Requests take turns with those for a bare
list of a hundred rows; all are asked over one line, answered by one worker with one thread.
"""

from __future__ import annotations

import argparse
import gzip
import http.client
import os
import statistics
import sys
import time
from collections import defaultdict
from pathlib import Path
from urllib.parse import quote

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))
from django.core.management import call_command
from django.urls import reverse

# Files are collected where the benchmark of the rush says.
from benchmarks.rush import hall, name_of, own_database, server
from tournaments.models import PairingRound

ASKED = {"Accept-Encoding": "gzip", "Accept-Language": "en"}


def ask(line: http.client.HTTPConnection, address: str, **more: str) -> tuple[float, str, bytes]:
    """Return the seconds until the whole answer was there, its tag, and its body as it came."""
    begun = time.perf_counter()
    line.request("GET", address, headers=ASKED | more)
    answer = line.getresponse()
    body = answer.read()
    took = time.perf_counter() - begun
    if answer.status not in (200, 304):
        raise SystemExit(f"{address} answered {answer.status}")
    return took, answer.headers.get("ETag", ""), body


def measured(
    line: http.client.HTTPConnection, page: str, times: int
) -> tuple[dict[str, list[float]], bytes]:
    took: defaultdict[str, list[float]] = defaultdict(list)
    _, _, body = ask(line, page)
    part = {"Part": "1"}
    _, part_tag, _ = ask(line, page, **part)
    for number in range(times):
        took["made anew"].append(ask(line, f"{page}?n={number}")[0])
        took["as a copy"].append(ask(line, page)[0])
        again = {"If-None-Match": part_tag} | part
        took["not changed (304)"].append(ask(line, page, **again)[0])
        took["three letters"].append(ask(line, f"{page}?q={quote(name_of(number)[:3])}", **part)[0])
        took["bare list of 100"].append(ask(line, "/bare/players/")[0])
    return took, body


def main() -> None:
    parser = argparse.ArgumentParser(description="A page of pairings beside a bare list.")
    parser.add_argument("--tables", type=int, default=240)
    parser.add_argument("--times", type=int, default=60)
    asked = parser.parse_args()
    call_command("collectstatic", interactive=False, verbosity=0)
    with own_database() as database:
        _, coming = hall(asked.tables)
        PairingRound.objects.filter(pk=coming.pk).update(state=PairingRound.State.PUBLISHED)
        page = reverse("tournaments:pairings", args=["rush", coming.stage.number, coming.number])
        with server(database) as line:
            took, body = measured(line, page, asked.times)
    bare = statistics.median(took["bare list of 100"])
    print(f"{asked.tables} tables, {asked.times} requests of each, one thread")
    print(f"{'ms':20} {'median':>8} {'slowest':>9} {'times a bare list':>18}")
    for name, seconds in took.items():
        middle = statistics.median(seconds)
        print(f"{name:20} {middle * 1e3:8.1f} {max(seconds) * 1e3:9.1f} {middle / bare:18.2f}")
    size = len(gzip.decompress(body))
    print(f"the page: {size / 1e3:.0f} kB, {len(body) / 1e3:.1f} kB compressed")


if __name__ == "__main__":
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    main()
