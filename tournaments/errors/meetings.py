"""Refusals about meetings of a bracket that both sides have lost."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class NobodyGoesOn(DominoError):
    code = "nobody_goes_on"
    text = gettext_noop(
        "Both sides have lost at these tables, so nobody goes on from there by itself: %(tables)s. "
        "Say for each who goes on, or have it played again; with a reason round %(round)s is drawn "
        "without them."
    )


class NothingToDecide(DominoError):
    code = "nothing_to_decide"
    text = gettext_noop(
        "Who goes on from table %(table)s follows from its result, so there is nothing to decide. "
        "If the result is wrong, correct it instead."
    )


class DecidedAlready(DominoError):
    code = "decided_already"
    text = gettext_noop(
        "It has been decided already who goes on from table %(table)s: %(found)s. Take that "
        "decision back in the log first."
    )
