"""What the log says of the screens of a hall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "screen_made": (gettext_noop("%(who)s set up the screen %(screen)s"),),
    "screen_changed": (gettext_noop("%(who)s changed how the screen %(screen)s shows things"),),
    "screen_switched": (gettext_noop("%(who)s switched the screen %(screen)s: %(screen_view)s"),),
    "screen_key_renewed": (
        gettext_noop("%(who)s gave the screen %(screen)s another address; the old one is revoked"),
    ),
    "screen_removed": (gettext_noop("%(who)s removed the screen %(screen)s"),),
}

OWN: Final[Mapping[str, str]] = {
    "screen_made": gettext_noop(
        "The screen %(screen)s is there now; afterwards not, and its address opens nothing."
    ),
    "screen_changed": gettext_noop(
        "The screen %(screen)s shows things by its present settings now; afterwards by those "
        "before."
    ),
    "screen_switched": gettext_noop(
        "The screen %(screen)s shows something else now; afterwards what it showed before."
    ),
    "screen_removed": gettext_noop(
        "The screen %(screen)s is not there now; afterwards it is there again, with the address "
        "it had."
    ),
}

NO_WAY_BACK: Final[Mapping[str, str]] = {
    "screen_key_renewed": gettext_noop(
        "An address that was revoked stays revoked. Give the screen another one, or open the one "
        "it has now."
    ),
}
