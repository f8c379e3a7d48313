"""What the log says of players called to their table, and of the documents of an event."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "players_called": (gettext_noop("%(who)s called to table %(table)s: %(players)s"),),
    "players_not_called": (
        gettext_noop("%(who)s took back the call to table %(table)s of: %(players)s"),
    ),
    "document_added": (gettext_noop("%(who)s added the document “%(title)s”"),),
    "document_removed": (gettext_noop("%(who)s removed the document “%(title)s”"),),
}

NO_WAY_BACK: Final[Mapping[str, str]] = {
    "players_called": gettext_noop(
        "Who has heard a call has heard it. Take the call back on the page of the calls."
    ),
    "players_not_called": gettext_noop(
        "This line took a call back. Call the players again on the page of the calls."
    ),
    "document_added": gettext_noop(
        "The document may have been read already. Remove it on the page of the documents."
    ),
    "document_removed": gettext_noop(
        "What was removed is not kept. Add the document again on the page of the documents."
    ),
}
