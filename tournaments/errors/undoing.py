"""Refusals of taking back a decision of the desk: what stands in the way, and what to do."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class NoWayBack(DominoError):
    code = "no_way_back"
    text = gettext_noop("This cannot be taken back: %(reason)s")


class NothingKept(DominoError):
    code = "nothing_kept"
    text = gettext_noop(
        "What was there before this is not known here: the line was imported, or written by an "
        "older version. Change it on the page where it was done."
    )


class TooManyRows(DominoError):
    code = "too_many_rows"
    text = gettext_noop(
        "This changed %(found)s rows, more than the log keeps (%(most)s). Do it again by hand."
    )


class PartOfAnother(DominoError):
    code = "part_of_another"
    text = gettext_noop("This was part of another decision. Take that one back instead: %(line)s.")


class PartOfAnotherEvent(DominoError):
    code = "part_of_another_event"
    text = gettext_noop(
        "This was decided at the desk of another event. Take it back in the log of "
        "“%(tournament)s”."
    )


class LaterLineStands(DominoError):
    code = "later_line_stands"
    text = gettext_noop("Something later has changed the same. First take this back: %(line)s.")


class SomethingStands(DominoError):
    code = "something_stands"
    text = gettext_noop(
        "This cannot be taken back, because something stands on it by now: %(what)s. Remove that "
        "first."
    )


class OtherNow(DominoError):
    code = "other_now"
    text = gettext_noop(
        "This cannot be taken back, because it is not any more as this left it: %(what)s. Change "
        "it on its page."
    )


class StageStands(DominoError):
    code = "stage_stands"
    text = gettext_noop(
        "The stage “%(stage)s” was made after play had started. Throw the stage away first, as "
        "long as none of its rounds is published."
    )


class PlaysSince(DominoError):
    code = "plays_since"
    text = gettext_noop(
        "“%(entry)s” has been drawn since, for round %(round)s of %(stage)s. Take that draw back "
        "first, or withdraw the entry."
    )


class DraftIsChanged(DominoError):
    code = "draft_is_changed"
    text = gettext_noop(
        "Round %(round)s of %(stage)s was changed by hand after its draw. First take this back: "
        "%(line)s."
    )


class RoundIsOut(DominoError):
    code = "round_is_out"
    text = gettext_noop(
        "Round %(round)s of %(stage)s is published, so its draw stays. Take its publication back "
        "first."
    )


class EventIsOver(DominoError):
    code = "event_is_over"
    text = gettext_noop(
        "%(tournament)s is over. First take this back, and then what you want to change: the end "
        "of the event."
    )
