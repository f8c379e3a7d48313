"""`manage.py import_event FILE --director NAME`: store the event of a file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.core.management.base import BaseCommand, CommandError, CommandParser

from engine.errors import DominoError
from referee.event_file import imported
from tournaments.errors.base import explain


class Command(BaseCommand):
    """Reads the file of docs/event-file.md."""

    help = "Store the event of a file that `export_event` wrote; the same event is stored once."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument(
            "--director", help="user name of who directs it here; an administrator unless given"
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
            tournament = imported(file.read_bytes(), by=by)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error.strerror}.") from None
        except DominoError as error:
            raise CommandError(explain(error)) from None
        except PermissionDenied as error:
            raise CommandError(str(error)) from None
        self.stdout.write(f"{tournament.name}: /t/{tournament.slug}/")
