"""The one way around the database's guard of recorded events: rows of theirs may be deleted.

The database itself refuses to change or delete an event of a record (see the referee's migration
`0003_chained`). A record as a whole goes legitimately where its match is played again, the first
attempt being kept in the log, and where an event is put back to a file, what it replaces being
kept as a file. These services, and nobody else, do it inside `allow_erasing`.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import connection, transaction

logger = logging.getLogger(__name__)


@contextmanager
def allow_erasing(reason: str) -> Iterator[None]:
    """Let the block delete recorded events, for a `reason` that the site's own log keeps.

    It holds for this connection alone, and never longer than the transaction it opens.
    """
    with transaction.atomic():
        logger.warning("Recorded events may be erased: %s", reason)
        _set(reason)
        yield
        _set("")


def _set(reason: str) -> None:
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT set_config('domino.erasing', %s, true)", [reason])
        elif reason:
            cursor.execute("INSERT INTO domino_erasing (reason) VALUES (%s)", [reason])
        else:
            cursor.execute("DELETE FROM domino_erasing")
