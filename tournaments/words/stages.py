"""What a director reads about the systems of a stage and their settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop

from tournaments.models import Stage

System = Stage.System

# One line for each system, in the order they are offered.
SYSTEM_HELP: Final[Mapping[System, str]] = {
    System.SWISS: gettext_noop(
        "Each round, those who have won as often meet, and nobody meets the same opponent twice."
    ),
    System.ROUND_ROBIN: gettext_noop(
        "Everybody meets everybody. All rounds are known before the first."
    ),
    System.ROTATING: gettext_noop(
        "Single players with a new partner each round, drawn from the standings."
    ),
    System.SCHEDULE: gettext_noop(
        "Single players with a new partner each round; all rounds are known before the first."
    ),
    System.TEAMS_OF_FOUR: gettext_noop(
        "The members of a club play at different tables, and their results count together."
    ),
    System.GROUPS: gettext_noop(
        "Small groups in which everybody meets everybody; the best of each can go on."
    ),
    System.KNOCKOUT: gettext_noop("Who loses is out. The last two play the final."),
    System.DOUBLE_ELIMINATION: gettext_noop(
        "Who loses once goes on in a second bracket; who loses twice is out."
    ),
    System.ELIMINATION: gettext_noop(
        "Tables by lot, everybody for themselves; the last players left at each go on."
    ),
    System.MANUAL: gettext_noop("You choose who sits at which table, round by round."),
}

ORDERS: Final = (
    ("nearest", _("neighbours in the standings meet")),
    ("fold", _("the upper half meets the lower half")),
    ("draw", _("by lot among those with as many wins")),
)
SEPARATE_BY: Final = (
    ("", _("nobody")),
    ("club", _("players of one club")),
    ("country", _("players of one country")),
)
PATTERNS: Final = (
    ("spread", _("clubs apart, otherwise by lot")),
    ("nearest", _("neighbours in the standings together")),
    ("leaders_apart", _("leaders apart: 1 and 5 against 3 and 7")),
    ("top_last", _("first and last: 1 and 4 against 2 and 3")),
    ("odd_even", _("odd and even: 1 and 3 against 2 and 4")),
)

# The settings each system has. The page shows the fields of the system that is chosen.
_ORDERED: Final = ("order", "separate_by")
_PATTERNS: Final = ("pattern_first", "pattern_second", "pattern_later")
_MEETINGS: Final = ("best_of", "best_of_semifinals", "best_of_final")
SETTINGS: Final[Mapping[System, tuple[str, ...]]] = {
    System.SWISS: ("rounds", *_ORDERED),
    System.ROUND_ROBIN: ("legs",),
    System.ROTATING: ("rounds", *_PATTERNS, "separate_by"),
    System.SCHEDULE: ("rounds",),
    System.TEAMS_OF_FOUR: ("rounds", *_PATTERNS),
    System.GROUPS: ("groups", "group_rounds", "legs", "separate_by"),
    System.KNOCKOUT: (*_MEETINGS, "third_place", "separate_by"),
    System.DOUBLE_ELIMINATION: (*_MEETINGS, "separate_by"),
    System.ELIMINATION: ("survivors", "limit_together", "separate_by"),
    System.MANUAL: (),
}


def systems_with(setting: str) -> tuple[System, ...]:
    """Return the systems that have a setting."""
    return tuple(system for system, names in SETTINGS.items() if setting in names)
