"""Why the system itself dropped a sanction: stored as a code, said in the reader's language."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext, gettext_noop

SOURCE_GONE: Final = "source_gone"
MADE_OF_GONE: Final = "made_of_gone"

_SAID: Final = {
    SOURCE_GONE: gettext_noop("The record of the table does not say it any more."),
    MADE_OF_GONE: gettext_noop("What it was made of does not count any more."),
}


def reason_said(reason: str) -> str:
    """Return a stored reason in the reader's language; what people wrote as they wrote it."""
    return gettext(_SAID[reason]) if reason in _SAID else reason
