"""The documents of an event in its file: links, and PDF files in base64."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping

from engine.errors import DominoError, Phrase, shown
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Tournament
from tournaments.services.documents import MOST_DOCUMENTS, checked_document

NAME = "documents"


def written_documents(tournament: Tournament) -> list[dict[str, str]]:
    return [
        {
            "title": one.title,
            "link": one.link,
            "pdf": base64.b64encode(bytes(one.content or b"")).decode("ascii"),
        }
        for one in tournament.documents.all()
    ]


def store_documents(tournament: Tournament, document: Mapping[str, object]) -> None:
    """Let the event have the documents of a file; a file from before there were any says nothing.

    Who added them, and when, is in the log.
    """
    if NAME not in document:
        return
    tournament.documents.all().delete()
    titles: set[str] = set()
    for place, member in enumerate(list_at(document[NAME], NAME)):
        at = f"{NAME}[{place}]"
        given = object_at(member, at)
        title, link, pdf = (_text(given, name, at) for name in ("title", "link", "pdf"))
        try:
            one = checked_document(
                tournament, title=title, link=link, content=base64.b64decode(pdf, validate=True)
            )
        except (DominoError, binascii.Error, ValueError) as error:
            raise BadRequest(path=at, expected=Phrase("a document"), found=shown(title)) from error
        if one.title in titles or place >= MOST_DOCUMENTS:
            raise BadRequest(path=at, expected=Phrase("a document"), found=shown(title))
        titles.add(one.title)
        one.save()


def _text(given: Mapping[str, object], name: str, at: str) -> str:
    value = given.get(name)
    if not isinstance(value, str):
        raise BadRequest(path=f"{at}.{name}", expected="a text", found=shown(value))
    return value
