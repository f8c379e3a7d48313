"""`manage.py export_event SLUG [FILE]`: save a whole event as one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from referee.event_file import exported
from tournaments.models import Tournament


class Command(BaseCommand):
    """Writes the file of docs/event-file.md."""

    help = "Save a whole event as one file that another installation imports."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("slug", help="the address of the event, as in /t/SLUG/")
        parser.add_argument("file", nargs="?", type=Path, help="SLUG.event.json unless given")

    def handle(self, *args: Any, slug: str, file: Path | None, **options: Any) -> None:
        tournament = Tournament.objects.filter(slug=slug).first()
        if tournament is None:
            known = ", ".join(Tournament.objects.values_list("slug", flat=True)[:10])
            raise CommandError(f"No event has the address “{slug}”. Some that are here: {known}.")
        path = file or Path(f"{slug}.event.json")
        try:
            path.write_bytes(exported(tournament))
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error.strerror}.") from None
        self.stdout.write(f"{tournament.name}: {path}")
