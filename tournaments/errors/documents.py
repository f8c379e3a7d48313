"""Refusals of the documents of an event."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class DocumentTitleMissing(DominoError):
    code = "document_title_missing"
    text = gettext_noop("The document has no title. Give it one that tells what it is.")


class DocumentTitleTaken(DominoError):
    code = "document_title_taken"
    text = gettext_noop(
        "The event has another document called “%(title)s”. Give this one another title, or "
        "remove the other one first."
    )


class DocumentIsNothing(DominoError):
    code = "document_is_nothing"
    text = gettext_noop("Neither a file nor a link was given. Choose a PDF file, or give a link.")


class DocumentIsBoth(DominoError):
    code = "document_is_both"
    text = gettext_noop(
        "A file and a link were given. Give one of the two; the other can be a document of its own."
    )


class DocumentIsNoPdf(DominoError):
    code = "document_is_no_pdf"
    text = gettext_noop(
        "The file is no PDF, going by its beginning. Save it as PDF, or give a link to it."
    )


class DocumentTooLarge(DominoError):
    code = "document_too_large"
    text = gettext_noop(
        "The file has %(found)s bytes; at most %(limit)s are kept. Make it smaller, or give a link "
        "to it."
    )


class DocumentLinkBad(DominoError):
    code = "document_link_bad"
    text = gettext_noop(
        "“%(given)s” is no address of a page. Give the whole address, with https:// in front."
    )


class TooManyDocuments(DominoError):
    code = "too_many_documents"
    text = gettext_noop(
        "The event has %(found)s documents, the most there can be. Remove one before you add "
        "another one."
    )
