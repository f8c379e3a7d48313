"""Adds documents to an event and removes them: PDF files that are kept here, links elsewhere."""

from __future__ import annotations

from hashlib import sha256
from typing import Final

from django.contrib.auth.models import User
from django.core.exceptions import ValidationError
from django.core.validators import URLValidator
from django.db import transaction

from tournaments import permissions
from tournaments.errors import documents as errors
from tournaments.errors.base import TextTooLong
from tournaments.models import EventDocument, Tournament
from tournaments.models.documents import LARGEST_FILE, LONGEST_LINK, LONGEST_TITLE
from tournaments.names import tidy
from tournaments.services import log
from tournaments.services.lifecycle import locked

MOST_DOCUMENTS: Final = 20
_BEGINS: Final = b"%PDF-"
_is_address = URLValidator(schemes=["http", "https"])

# An event that is over may still get documents: its report, its prizes.


@transaction.atomic
def add_document(
    tournament: Tournament, *, title: str, link: str = "", content: bytes = b"", by: User
) -> EventDocument:
    """Add a PDF file or a link. Sent twice, it is there once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    wanted = checked_document(tournament, title=title, link=link, content=content)
    before = tournament.documents.defer("content").filter(title=wanted.title).first()
    if before is not None:
        if (before.link, before.digest) == (wanted.link, wanted.digest):
            return before
        raise errors.DocumentTitleTaken(title=wanted.title)
    if (found := tournament.documents.count()) >= MOST_DOCUMENTS:
        raise errors.TooManyDocuments(found=found)
    wanted.added_by = by
    wanted.save()
    log.write(tournament, "document_added", by=by, title=wanted.title)
    return wanted


@transaction.atomic
def remove_document(tournament: Tournament, *, document: int, by: User) -> None:
    """Remove a document by its number. Removed twice, it is gone once."""
    permissions.require_director(by, tournament)
    tournament = locked(tournament)
    found = tournament.documents.defer("content").filter(pk=document).first()
    if found is None:
        return
    title = found.title
    found.delete()
    log.write(tournament, "document_removed", by=by, title=title)


def checked_document(
    tournament: Tournament, *, title: str, link: str, content: bytes
) -> EventDocument:
    """Return a document that is not stored yet; refuses what cannot be one."""
    title, link = _short(tidy(title), LONGEST_TITLE), _short(link.strip(), LONGEST_LINK)
    if not title:
        raise errors.DocumentTitleMissing
    _require_one(link, content)
    return EventDocument(
        tournament=tournament,
        title=title,
        link=link,
        content=content or None,
        size=len(content),
        digest=sha256(content).hexdigest() if content else "",
    )


def _short(text: str, limit: int) -> str:
    if len(text) > limit:
        raise TextTooLong(given=text[:20], found=len(text), limit=limit)
    return text


def _require_one(link: str, content: bytes) -> None:
    """Refuse what is neither a PDF file nor an address of a page, or both."""
    if link and content:
        raise errors.DocumentIsBoth
    if not link and not content:
        raise errors.DocumentIsNothing
    if len(content) > LARGEST_FILE:
        raise errors.DocumentTooLarge(found=len(content), limit=LARGEST_FILE)
    if content and not content.startswith(_BEGINS):
        raise errors.DocumentIsNoPdf
    if link:
        try:
            _is_address(link)
        except ValidationError as error:
            raise errors.DocumentLinkBad(given=link[:60]) from error
