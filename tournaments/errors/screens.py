"""Refusals of setting up and switching the screens of a hall."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class ScreenNameMissing(DominoError):
    code = "screen_name_missing"
    text = gettext_noop(
        "A screen needs a name, by which the desk tells it from the others. Type one, such as the "
        "place where it hangs."
    )


class ScreenNameTaken(DominoError):
    code = "screen_name_taken"
    text = gettext_noop("There is a screen called “%(name)s” already. Choose another name.")


class TooManyScreens(DominoError):
    code = "too_many_screens"
    text = gettext_noop(
        "This event has %(found)s screens, and it can have no more. Remove one that is not used, "
        "or open the address of one on several computers."
    )


class UnknownView(DominoError):
    code = "unknown_screen_view"
    text = gettext_noop("A screen cannot show “%(found)s”. Choose one of: %(known)s.")


class BadScreenTable(DominoError):
    code = "bad_screen_table"
    text = gettext_noop(
        "Tables are numbered from 1 to %(most)s, not %(found)s. Type the number of the table that "
        "is to be shown."
    )


class MessageMissing(DominoError):
    code = "screen_message_missing"
    text = gettext_noop("There is no message to show yet. Type what the screen is to say.")


class StageOfAnotherEvent(DominoError):
    code = "screen_stage_unknown"
    text = gettext_noop(
        "This event has no such stage. Choose one of its stages, or the one being played."
    )


class BadScreenSeconds(DominoError):
    code = "bad_screen_seconds"
    text = gettext_noop(
        "A page can be shown for %(least)s to %(most)s seconds, not for %(found)s. Choose a number "
        "between the two."
    )


class BadScreenPart(DominoError):
    code = "bad_screen_part"
    text = gettext_noop(
        "There is no part %(part)s of %(parts)s. A list is shared among 1 to %(most)s screens; "
        "choose which of these parts this screen shows."
    )


class UnknownScreenLanguage(DominoError):
    code = "unknown_screen_language"
    text = gettext_noop("A screen cannot be shown in “%(found)s”. Choose one of: %(known)s.")
