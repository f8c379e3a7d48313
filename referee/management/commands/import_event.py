"""`manage.py import_event FILE --director NAME`: store the event of a file."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.errors import DominoError
from referee.event_file import imported
from referee.services.event_restoring import Restoring, event_of, keep_sent, preview, restore
from tournaments.errors.base import explain
from tournaments.models import Tournament
from tournaments.words.log import log_lines


class Command(BaseCommand):
    """Reads the file of docs/event-file.md."""

    help = (
        "Store the event of a file that `export_event` wrote; the same event is stored once. "
        "An event that is here already is put back to what the file says with --replace."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--director", help="user name of who directs it here; an administrator unless given"
        )
        parser.add_argument(
            "--copy",
            action="store_true",
            help="store it as a new event, also if it is here already",
        )
        parser.add_argument(
            "--replace",
            action="store_true",
            help="show what of the event that is here would be replaced; done with --confirm",
        )
        parser.add_argument(
            "--confirm", metavar="SLUG", default="", help="the address of the event, to replace it"
        )

    def handle(self, *args: Any, file: Path, director: str | None, **options: Any) -> None:
        users = User.objects.filter(is_active=True)
        found = users.filter(username=director) if director else users.filter(is_superuser=True)
        by = found.order_by("pk").first()
        if by is None:
            raise CommandError(
                f"No account is called “{director}”." if director else
                "There is no administrator. Name the director with --director."
            )  # fmt: skip
        try:
            content = file.read_bytes()
            here = event_of(content) if options["replace"] else None
            if here is not None:
                self._replace(here, content, options["confirm"], by)
                return
            copy = f"command {by.pk}" if options["copy"] else ""
            tournament = imported(content, copy=copy, by=by)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except DominoError as error:
            raise CommandError(explain(error)) from None
        except PermissionDenied as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{tournament.name}: /t/{tournament.slug}/")

    def _replace(self, here: Tournament, content: bytes, confirm: str, by: User) -> None:
        ahead = preview(keep_sent(here, content, by=by), by=by)
        if not ahead.replaced:
            self.stdout.write(f"{here.name} is here as the file has it. Nothing was replaced.")
            return
        for line in _told(ahead):
            self.stdout.write(line)
        if not confirm:
            self.stdout.write(
                f"Nothing was replaced yet. To replace all this, add --confirm {here.slug}"
            )
            return
        restored = restore(ahead.file, confirm=confirm, seen=ahead.seen, by=by)
        kept = restored.kept_files.filter(why="replaced").first()
        number = kept.pk if kept else "–"
        self.stdout.write(
            f"{restored.name}: /t/{restored.slug}/ is as the file says. What it replaced is kept "
            f"under “Files” on its desk, file {number}."
        )


def _told(ahead: Restoring) -> Iterator[str]:
    """Yield what would be replaced, a line each."""
    found = ahead.replaced
    for one in found.entries:
        yield f"entry {one.number}: here {one.here or '–'}, in the file {one.in_file or '–'}"
    for each in found.rounds:
        yield (
            f"stage {each.stage}, round {each.number}: here {each.said_here or '–'}, "
            f"in the file {each.said_in_file or '–'}"
        )
    for table in found.results:
        yield (
            f"stage {table.stage}, round {table.round}, table {table.table}: here "
            f"{table.here or 'open'}, in the file {table.in_file or 'open'}"
        )
    newer = ahead.file.tournament.log.filter(at__in=[line.at for line in found.log])
    for said in log_lines(newer.select_related("by").order_by("pk")):
        yield f"log: {said.at.isoformat(timespec='seconds')} {said.text}"
    for name in found.others:
        yield f"{name}: other in the file"
