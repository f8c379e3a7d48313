"""Refusals of files of whole events."""

from __future__ import annotations

from django.utils.translation import gettext_noop

from engine.errors import DominoError


class BadEventFile(DominoError):
    code = "bad_event_file"
    text = gettext_noop(
        "This is not the file of an event as it was saved: at %(path)s it should have "
        "%(expected)s, and there is %(found)s. Nothing was imported. Save the event again."
    )


class EventFileIsNewer(DominoError):
    code = "event_file_is_newer"
    text = gettext_noop(
        "This file has version %(found)s of the format; this installation reads up to version "
        "%(known)s. Bring this installation up to date first."
    )


class FileOfAnotherEvent(DominoError):
    code = "file_of_another_event"
    text = gettext_noop(
        "This file is of “%(found)s”, and %(event)s is another event. Import it as a new event, "
        "or take a file that was saved of %(event)s."
    )


class RestoreNotConfirmed(DominoError):
    code = "restore_not_confirmed"
    text = gettext_noop(
        "Nothing was replaced: to confirm, type the address of the event, %(expected)s; "
        "“%(found)s” was typed."
    )


class EventHasChanged(DominoError):
    code = "event_has_changed"
    text = gettext_noop(
        "%(event)s has changed since you looked at what would be replaced. Nothing was replaced. "
        "Look again, then confirm."
    )
