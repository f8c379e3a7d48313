"""Refusals of changing a round by hand, and of going on while something is open."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError, counted


class SeatsHaveChanged(DominoError):
    code = "seats_have_changed"
    text = gettext_noop(
        "Somebody has changed round %(round)s of %(stage)s since you looked. Nothing was done: "
        "look at the seats as they are now, and choose again."
    )


class TableHasBegun(DominoError):
    code = "seats_in_use"
    text = gettext_noop(
        "Table %(table)s in round %(round)s has begun or is over; its seats stay. Pick a table "
        "that still waits, or correct the result instead."
    )


class TableIsLocked(DominoError):
    code = "table_is_locked"
    text = gettext_noop("Table %(table)s is locked. Unlock it first.")


class SeatsFollowTheDraw(DominoError):
    code = "seats_follow_the_draw"
    text = gettext_noop(
        "Who meets whom in %(stage)s was laid down for all its rounds. Here only the sides of one "
        "table and the numbers of tables can change."
    )


class NothingToUndo(DominoError):
    code = "nothing_to_undo"
    text = gettext_noop("No change by hand of round %(round)s is left to take back.")


class NoAnswerToRestore(DominoError):
    code = "no_answer_to_restore"
    text = gettext_noop(
        "Round %(round)s of %(stage)s was not drawn, so there is no answer to go back to. "
        "Change its seats by hand."
    )


class CannotBeLocked(DominoError):
    code = "cannot_be_locked"
    text = gettext_noop(
        "Tables of %(stage)s are not drawn anew one by one, so none of them can be locked."
    )


class SameEntryForbidden(DominoError):
    code = "same_entry_forbidden"
    text = gettext_noop("%(entry)s cannot meet itself anyway. Pick two different entries.")


class UnknownDecision(DominoError):
    code = "unknown_decision"
    text = gettext_noop(
        "“%(given)s” is nothing that can be decided about an entry. Choose one of: %(known)s."
    )


class RoundIsDrawn(DominoError):
    code = "round_is_drawn"
    text = gettext_noop(
        "Round %(round)s of %(stage)s is drawn already. Discard the draft to decide anew who "
        "plays in it."
    )


class DrawTookTooLong(DominoError):
    code = "draw_took_too_long"
    text, plural = counted(
        "No draw was found within %(seconds)s second. Forbid fewer meetings, or draw again.",
        "No draw was found within %(seconds)s seconds. Forbid fewer meetings, or draw again.",
    )
    counts = "seconds"
