"""Refusals of signing the sheet of a match, and of control codes."""

from __future__ import annotations

from engine.errors import DominoError, counted, marked


class SideUnknown(DominoError):
    code = "side_unknown"
    text = marked(
        "Table %(table)s has no side “%(found)s”. Its sides are %(sides)s; sign for one of them."
    )


class SheetNotReady(DominoError):
    code = "sheet_not_ready"
    text = marked(
        "The match at table %(table)s is not over, or a ruling is open: there is no result to "
        "sign. Finish it first."
    )


class SheetChanged(DominoError):
    """What a side saw when it signed, perhaps without a network, is no longer what is recorded."""

    code = "sheet_changed"
    text = marked(
        "The record of table %(table)s has changed since side %(side)s looked at it, so the "
        "signature does not count. Show the sheet to that side and let it sign again."
    )


class PinsByDesk(DominoError):
    """Players choose a PIN by a link of their table, where tables record themselves."""

    code = "pins_by_desk"
    text = marked(
        "Here the desk sets the PINs by which entries sign. Go there, or draw the name instead."
    )


class PinIsSet(DominoError):
    code = "pin_is_set"
    text = marked(
        "%(name)s has a PIN already. Whoever forgot it, or did not set it, asks the desk for "
        "another."
    )


class PinTooLate(DominoError):
    code = "pin_too_late"
    text = marked(
        "%(name)s has signed a sheet already, so a PIN is set at the desk now, not at the table."
    )


class SeatOfOthers(DominoError):
    code = "seat_of_others"
    text = marked(
        "By this link a PIN is set for %(seats)s only, not for “%(found)s”. Choose one of these "
        "seats."
    )


class WayUnknown(DominoError):
    code = "way_of_signing_unknown"
    text = marked(
        "“%(found)s” is no way to sign. Draw the name (drawn), type the PIN (pin), or note that "
        "the side refuses (refused)."
    )


class DrawingUnreadable(DominoError):
    code = "drawing_unreadable"
    text = marked(
        "The drawn name cannot be read: expected lines of points from 0 to 1000 across and 0 to "
        "400 down, but found %(found)s. Draw it again, or sign by PIN."
    )


class DrawingTooShort(DominoError):
    code = "drawing_too_short"
    text, plural = counted(
        "The drawn name has %(found)s point only. Draw the whole name, or sign by PIN.",
        "The drawn name has %(found)s points only. Draw the whole name, or sign by PIN.",
    )
    counts = "found"


class DrawingTooLong(DominoError):
    code = "drawing_too_long"
    text = marked(
        "The drawn name is too long: at most %(most)s points are kept, and it has more. Draw it "
        "once, without scribbling, or sign by PIN."
    )


class NoPin(DominoError):
    code = "no_pin"
    text = marked(
        "Side %(side)s has no PIN. Draw the name instead, or let the desk set one for the entry."
    )


class BadPin(DominoError):
    code = "bad_pin"
    text = marked("A PIN has 4 to 6 digits; what was typed has not. Type it once more.")


class WrongPin(DominoError):
    code = "wrong_pin"
    text, plural = counted(
        "This is not the PIN of side %(side)s. It can be typed %(left)s more time before it is "
        "locked for a while; the desk can set another one.",
        "This is not the PIN of side %(side)s. It can be typed %(left)s more times before it is "
        "locked for a while; the desk can set another one.",
    )
    counts = "left"


class PinLocked(DominoError):
    code = "pin_locked"
    text, plural = counted(
        "The PIN of side %(side)s was typed wrong too often and is locked for %(minutes)s minute. "
        "Draw the name instead, or let the desk set another PIN.",
        "The PIN of side %(side)s was typed wrong too often and is locked for %(minutes)s minutes."
        " Draw the name instead, or let the desk set another PIN.",
    )
    counts = "minutes"


class WhyNotSigned(DominoError):
    code = "why_not_signed"
    text = marked(
        "Nothing says why side %(side)s refuses to sign. Write its reason in a few words."
    )


class BadCode(DominoError):
    code = "bad_control_code"
    text = marked(
        "“%(found)s” is no control code: it has 16 letters and digits, in groups of four. Copy it "
        "from the sheet once more."
    )


class CodeUnknown(DominoError):
    code = "control_code_unknown"
    text = marked(
        "No sheet here has the control code %(found)s. Compare it with the paper letter by "
        "letter; if it is right, the paper was not printed from a record of this site."
    )
