"""A list on its way from upload to import: kept sealed with the reader, checked, confirmed."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.contrib.auth.models import User
from django.core import signing
from django.utils.translation import gettext_noop

from engine.errors import DominoError
from tournaments.lists import preview as importing
from tournaments.lists.preview import ENTERED, NEW, Preview
from tournaments.models import Tournament
from tournaments.services import entries

KEPT_FOR: Final = 60 * 60 * 24  # seconds


class ListIsGone(DominoError):
    code = "list_is_gone"
    text = gettext_noop(
        "The list of this preview can no longer be read: it is older than a day or was changed on"
        " its way. Choose the file again."
    )


class LinesAreWrong(DominoError):
    code = "lines_are_wrong"
    text = gettext_noop(
        "Nothing was imported: lines of the list are wrong (%(count)s in all, the first is line"
        " %(line)s). Correct them, or choose to leave them out."
    )


class ListIsWrong(DominoError):
    code = "list_is_wrong"
    text = gettext_noop(
        "Nothing was imported: the columns of the list are not clear yet. Say what each of them"
        " holds."
    )


class NothingToImport(DominoError):
    code = "nothing_to_import"
    text = gettext_noop("Nothing was imported: every line of the list is wrong. Correct them.")


@dataclass(frozen=True, slots=True)
class Upload:
    """A list as it was given. `pasted`: it is text from a form, so its encoding is known."""

    content: bytes
    name: str = ""
    pasted: bool = False

    @classmethod
    def of_text(cls, text: str) -> Upload:
        return cls(text.encode("utf-8", errors="replace"), pasted=True)


@dataclass(frozen=True, slots=True)
class Imported:
    """How many lines were new, entered before and left out."""

    new: int
    unchanged: int
    left_out: int


def sealed(tournament: Tournament, upload: Upload) -> str:
    """Return the list as text the reader holds and sends back, so that nothing is sent twice."""
    kept = {
        "name": upload.name,
        "pasted": upload.pasted,
        "content": base64.b64encode(upload.content).decode("ascii"),
    }
    return signing.dumps(kept, salt=_salt(tournament), compress=True)


def unsealed(tournament: Tournament, token: str) -> Upload:
    """Return the list of a preview of this tournament."""
    try:
        kept = signing.loads(token, salt=_salt(tournament), max_age=KEPT_FOR)
        return Upload(base64.b64decode(kept["content"]), kept["name"], kept["pasted"])
    except (signing.BadSignature, binascii.Error, KeyError, TypeError, ValueError):
        raise ListIsGone from None


def checked(
    tournament: Tournament,
    upload: Upload,
    *,
    encoding: str = "",
    fields: Sequence[str] = (),
    by: User,
) -> Preview:
    """Return what importing the list would do. Stores nothing."""
    preview = importing.preview(
        upload.content,
        upload.name,
        kind=tournament.entry_kind,
        encoding="utf-8" if upload.pasted else encoding,
        fields=fields,
    )
    return preview.compared(entries.preview_entries(tournament, rows=preview.readable, by=by))


def confirmed(
    tournament: Tournament,
    upload: Upload,
    *,
    encoding: str = "",
    fields: Sequence[str] = (),
    leave_out: bool = False,
    by: User,
) -> Imported:
    """Import the list: all of it, or with `leave_out` all but the lines that are wrong."""
    preview = checked(tournament, upload, encoding=encoding, fields=fields, by=by)
    if preview.problems:
        raise ListIsWrong
    wrong = preview.wrong
    if wrong and not leave_out:
        raise LinesAreWrong(count=len(wrong), line=wrong[0].line)
    if len(wrong) == len(preview.rows):
        raise NothingToImport
    entries.import_entries(tournament, rows=preview.readable, by=by)
    return Imported(len(preview.having(NEW)), len(preview.having(ENTERED)), len(wrong))


def _salt(tournament: Tournament) -> str:
    return f"tournaments.import:{tournament.pk}"
