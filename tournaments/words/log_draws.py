"""What the log says of draws, changes by hand and rooms."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "round_drawn": (
        gettext_noop(
            "%(who)s drew round %(round)s of %(stage)s and let results count that were not "
            "confirmed (round/table: %(provisional)s), because: %(reason)s"
        ),
        gettext_noop(
            "%(who)s drew round %(round)s of %(stage)s and let results count that were not "
            "confirmed (round/table: %(provisional)s)"
        ),
        gettext_noop(
            "%(who)s drew round %(round)s of %(stage)s while something was open, because: "
            "%(reason)s"
        ),
        gettext_noop("%(who)s drew round %(round)s of %(stage)s"),
    ),
    "draft_discarded": (
        gettext_noop("%(who)s threw away the draft of round %(round)s of %(stage)s"),
    ),
    "round_not_drawn": (
        gettext_noop("The draw of round %(round)s of %(stage)s for %(who)s did not succeed"),
    ),
    "round_places_exchanged": (
        gettext_noop(
            "%(who)s exchanged two places in round %(round)s of %(stage)s by hand: %(names)s"
        ),
    ),
    "table_renumbered": (
        gettext_noop(
            "%(who)s made table %(table)s table %(number)s in round %(round)s of %(stage)s"
        ),
    ),
    "table_dissolved": (
        gettext_noop(
            "%(who)s dissolved table %(table)s in round %(round)s of %(stage)s; who sat there has "
            "a bye"
        ),
    ),
    "table_added": (
        gettext_noop("%(who)s made a table in round %(round)s of %(stage)s of %(names)s"),
    ),
    "round_restored": (
        gettext_noop("%(who)s seated round %(round)s of %(stage)s as the draw had answered"),
    ),
    "round_change_taken_back": (
        gettext_noop("%(who)s took back the last change by hand in round %(round)s of %(stage)s"),
    ),
    "table_locked": (
        gettext_noop("%(who)s locked table %(table)s in round %(round)s of %(stage)s"),
    ),
    "table_unlocked": (
        gettext_noop("%(who)s unlocked table %(table)s in round %(round)s of %(stage)s"),
    ),
    "meeting_forbidden": (gettext_noop("%(who)s forbade %(one)s and %(other)s to meet"),),
    "meeting_allowed": (gettext_noop("%(who)s allowed %(one)s and %(other)s to meet again"),),
    "bye_asked": (
        gettext_noop(
            "%(who)s gave %(name)s the bye asked for in round %(round)s of %(stage)s: %(worth)s"
        ),
        gettext_noop("%(who)s gave %(name)s the bye asked for in round %(round)s of %(stage)s"),
    ),
    "bye_worth": (
        gettext_noop(
            "%(who)s changed what the bye of %(name)s in round %(round)s of %(stage)s is worth: "
            "%(worth)s"
        ),
    ),
    "entry_plays": (
        gettext_noop("%(who)s noted that %(name)s plays in round %(round)s of %(stage)s"),
    ),
    "rooms_named": (
        gettext_noop("%(who)s named the room of tables %(first)s to %(last)s: %(room)s"),
    ),
    "rooms_removed": (gettext_noop("%(who)s removed a room: %(room)s"),),
}
