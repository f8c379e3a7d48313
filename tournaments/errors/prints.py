"""Refusals of setting a print as PDF."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class PdfNotPossible(DominoError):
    """The machine lacks what sets a page; `missing` is what it said."""

    code = "pdf_not_possible"
    text = gettext_noop(
        "PDF files cannot be made on this machine, because the library Pango is not installed. "
        "Print the page itself from the browser, or ask the administrator to install Pango."
    )


class PdfBusy(DominoError):
    code = "pdf_busy"
    text = gettext_noop(
        "A PDF file is being made for somebody else. Try again in a few seconds, or print the "
        "page itself from the browser."
    )


class PrintTooLong(DominoError):
    code = "print_too_long"
    text = gettext_noop(
        "This print has %(found)s sheets, and a PDF file takes at most %(most)s. Print the page "
        "itself from the browser, or a part of it: say from which table or entry to which."
    )
