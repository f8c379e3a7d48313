"""`manage.py rehearse`: whole events of robots, with every law of them checked."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random, SystemRandom
from time import perf_counter
from typing import Any

from celery import current_app
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.db import connection
from django.test.utils import override_settings

from engine.errors import DominoError
from referee.rehearsal.event import BrokenLaw, Rehearsal
from referee.rehearsal.formats import FORMATS, rehearse

LARGEST_SEED = 1_000_000


class Command(BaseCommand):
    """Plays events in a database of its own, made for the run and removed after it."""

    help = "Play a whole event of each format with robots and check every law of it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--format", choices=sorted(FORMATS), help="only this one")
        parser.add_argument("--seed", type=int, help="repeats a rehearsal; else one is drawn")
        parser.add_argument("--size", type=int, help="how many enter, in every format")

    def handle(self, *args: Any, **options: Any) -> None:
        seed = options["seed"]
        if seed is None:
            seed = SystemRandom().randrange(LARGEST_SEED)
        names = [options["format"]] if options["format"] else list(FORMATS)
        self.stdout.write(f"Seed {seed}")
        with own_database():
            for name in names:
                began = perf_counter()
                try:
                    play = rehearse(name, Random(f"{seed} {name}"), size=options["size"])
                except (BrokenLaw, DominoError) as error:
                    again = f"manage.py rehearse --format {name} --seed {seed}"
                    if options["size"]:
                        again += f" --size {options['size']}"
                    raise CommandError(
                        f"{name}: {type(error).__name__}: {error}\nTo repeat it: {again}"
                    ) from error
                for line in told(name, play, perf_counter() - began):
                    self.stdout.write(line)
        self.stdout.write("Every law held.")


def told(name: str, play: Rehearsal, seconds: float) -> Iterator[str]:
    """Yield what was seen of an event, in a few lines."""
    rounds = play.acts["round_published"]
    yield f"{name}: {play.event.entries.count()} entries, {rounds} rounds, {seconds:.1f} s"
    yield "  " + ", ".join(f"{what} {count}" for what, count in sorted(play.seen.items()))
    most = max(play.statements, default=0)
    yield f"  at most {most} queries and {max(play.seconds, default=0):.2f} s for a draw"


@contextmanager
def own_database() -> Iterator[None]:
    """Make a database with the site's tables for this run, and remove it.

    SQLite keeps it in a file: in memory two desks could not write at one moment.
    """
    before = connection.settings_dict["NAME"]
    # Stored where it is asked for: no worker knows this database.
    current_app.conf.update(task_always_eager=True, task_eager_propagates=True)
    with tempfile.TemporaryDirectory() as folder, override_settings(LANGUAGE_CODE="en"):
        if connection.vendor == "sqlite":
            connection.settings_dict["TEST"]["NAME"] = str(Path(folder, "rehearsal.sqlite3"))
        connection.creation.create_test_db(verbosity=0, autoclobber=True)
        try:
            yield
        finally:
            connection.creation.destroy_test_db(before, verbosity=0)
