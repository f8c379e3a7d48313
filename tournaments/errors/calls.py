"""Refusals of calling players to their table."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class NobodyToCall(DominoError):
    code = "nobody_to_call"
    text = gettext_noop(
        "Nobody is called to table %(table)s: it is being played or is over. Call players to a "
        "table that still waits."
    )


class NoSuchSeatToCall(DominoError):
    code = "no_such_seat_to_call"
    text = gettext_noop(
        "Table %(table)s has no seat %(found)s; its seats are %(seats)s. Name some of these, or "
        "none to call everybody."
    )


class NoSuchTableToCall(DominoError):
    code = "no_such_table_to_call"
    text = gettext_noop(
        "No round that is published has a table %(found)s. Look at the pairings for its number."
    )
