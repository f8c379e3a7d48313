"""An automated referee on a bad line: how long a tap waits for its echo, and what arrives.

    DATABASE_URL=postgres://… python benchmarks/bad_line.py [--cut 60]

Chromium at the size of a phone, every request 400 ms late. A robot with known hands taps thirty
events; after the tenth the network is cut for `--cut` seconds, and meanwhile the server is killed
and started again. Printed are the waits between a tap and its echo on the page, and whether what
the database holds in the end is what was tapped: nothing lost, nothing doubled, in order.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

# Static files come straight from their folders, without being collected first.
os.environ["DEBUG"] = "1"
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

# It sets Django up, so it comes first.
from benchmarks.api import PORT, own_database, server, table

# isort: split
from django.contrib.auth.models import User
from django.db import connections
from django.test import Client
from playwright.sync_api import Page, sync_playwright

from engine.events import Event, Pass, Play
from engine.notation import format_line
from engine.profiles import Rules
from engine.record import Record
from referee.models import RecordedEvent
from tests.engine.playing import played
from tournaments.models import Match

EVENTS = 30
CUT_AFTER = 10
LATE = 400  # ms
ECHO = """() => {
  window.waited = [];
  const shown = () => document.querySelectorAll(".log .event, .last-event").length
    + document.querySelector("#recorder").innerText.length + location.href;
  addEventListener("click", (tap) => {
    const begun = performance.now();
    const before = document.querySelector(".turn")?.dataset.turn + shown();
    requestAnimationFrame(function look() {
      const now = document.querySelector(".turn")?.dataset.turn + shown();
      if (now !== before) window.waited.push(performance.now() - begun);
      else if (performance.now() - begun < 5000) requestAnimationFrame(look);
    });
  }, true);
}"""


def deals(target: int) -> list[tuple[str, list[Event]]]:
    """Return rounds as they are tapped: who opens, and plays and passes until all are enough."""
    record: Record = played(5, profile="wdf", players=4, target=target, rounds=6)
    rounds: list[tuple[str, list[Event]]] = []
    for one in record.rounds:
        acts: list[Event] = [event for event in one.events if isinstance(event, Play | Pass)]
        first = next(event for event in one.events if isinstance(event, Play))
        rounds.append((first.seat.value, acts))
    return rounds


class Robot:
    """Somebody who taps what happens, one round without its end."""

    def __init__(self, page: Page) -> None:
        self.page = page

    def start(self, opener: str) -> None:
        self.page.tap(f'[data-key="opener-{opener}"]')
        self.page.tap('[data-key="start-round"]')
        self.page.wait_for_selector('#recorder[data-stage="recording"]')

    def tap(self, event: Event) -> None:
        self.page.wait_for_timeout(300)  # a thumb needs that long, and more
        if isinstance(event, Pass):
            self.page.tap('[data-key="pass"]')
            return
        assert isinstance(event, Play)
        self.page.tap(f'.pad [data-tile="{event.tile}"]')
        end = self.page.locator(f'.asking [data-end="{event.end}"]')
        if event.end is not None and end.count():
            self.page.wait_for_timeout(300)
            end.tap()


def signed_in(user: User) -> dict[str, str]:
    client = Client()
    client.force_login(user)
    return {
        "name": "sessionid",
        "value": client.cookies["sessionid"].value,
        "url": f"http://127.0.0.1:{PORT}",
    }


def record_round(
    page: Page, match: Match, cut: Callable[[], None], mend: Callable[[], None], wait: float
) -> list[str]:
    """Tap the first thirty events of a long round; return them as lines."""
    opener, events = max(deals(1000), key=lambda one: len(one[1]))
    robot = Robot(page)
    page.goto(f"/matches/{match.pk}/record/")
    robot.start(opener)
    page.evaluate("navigator.serviceWorker?.ready")
    page.evaluate(ECHO)
    sent: list[str] = []
    begun = 0.0
    for number, event in enumerate(events[:EVENTS]):
        if number == CUT_AFTER:
            begun = time.monotonic()
            cut()
        robot.tap(event)
        sent.append(format_line(event))
        if number == (CUT_AFTER + EVENTS) // 2:
            page.wait_for_timeout(max(0, wait - (time.monotonic() - begun)) * 1e3)
            mend()
    page.wait_for_selector('#recorder[data-unsent="0"]', timeout=120_000)
    return sent


def main() -> None:
    parser = argparse.ArgumentParser(description="An automated referee on a bad line.")
    parser.add_argument("--cut", type=float, default=60)
    asked = parser.parse_args()
    with own_database() as database, ExitStack() as open_:
        playwright = open_.enter_context(sync_playwright())
        # Playwright's loop makes Django keep connections of their own for this part.
        open_.callback(connections.close_all)
        match, user = table()
        rules = Rules.of("wdf", 1000)
        Match.objects.filter(pk=match.pk).update(rules=rules.frozen_json())
        path = os.environ.get("CHROMIUM") or shutil.which("chromium") or "/usr/bin/chromium"
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox"])
        context = browser.new_context(
            base_url=f"http://127.0.0.1:{PORT}",
            viewport={"width": 390, "height": 844},
            has_touch=True,
        )
        context.add_cookies([signed_in(user)])  # type: ignore[list-item]
        page = context.new_page()
        line = context.new_cdp_session(page)
        slow = {"latency": LATE, "downloadThroughput": -1, "uploadThroughput": -1}
        serving = open_.enter_context(ExitStack())
        serving.enter_context(server(database))
        line.send("Network.emulateNetworkConditions", {"offline": False, **slow})

        def cut() -> None:
            line.send("Network.emulateNetworkConditions", {"offline": True, **slow})
            serving.close()

        def mend() -> None:
            serving.enter_context(server(database))
            line.send("Network.emulateNetworkConditions", {"offline": False, **slow})

        sent = record_round(page, match, cut, mend, asked.cut)
        waited = page.evaluate("window.waited")
        browser.close()
        rows = RecordedEvent.objects.filter(round__match=match).order_by("number")
        stored = list(rows.values_list("notation", flat=True))
    print(f"{len(sent)} events, every request {LATE} ms late, cut for {asked.cut:.0f} s")
    print(f"echo: median {statistics.median(waited):.0f} ms, slowest {max(waited):.0f} ms")
    # The page adds the end where only one took the tile.
    same = [
        one if two == one else two.rsplit(" ", 1)[0] for one, two in zip(sent, stored, strict=False)
    ]
    arrived = same == sent and len(stored) == len(sent)
    print(f"stored {len(stored)}, as tapped and in order: {'yes' if arrived else 'NO'}")
    if not arrived:
        print("tapped:", sent, "\nstored:", stored)
        raise SystemExit(1)


if __name__ == "__main__":
    if not os.environ.get("DATABASE_URL", "").startswith("postgres"):
        raise SystemExit("Set DATABASE_URL to a PostgreSQL database; its server is used.")
    main()
