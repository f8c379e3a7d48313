"""What the log says of signed sheets and of PINs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "sheet_signed": (
        gettext_noop(
            "%(name)s signed the sheet of table %(table)s in round %(round)s of %(stage)s, on the "
            "device of %(who)s"
        ),
    ),
    "signing_refused": (
        gettext_noop(
            "%(name)s refused to sign the sheet of table %(table)s in round %(round)s of "
            "%(stage)s, noted by %(who)s: %(reason)s"
        ),
    ),
    "pin_chosen": (
        gettext_noop(
            "%(name)s chose a PIN at table %(table)s in round %(round)s of %(stage)s, by %(who)s"
        ),
    ),
    "pin_set": (gettext_noop("%(who)s set the PIN of entry %(entry)s, %(name)s"),),
}

NO_WAY_BACK: Final[Mapping[str, str]] = {
    "sheet_signed": gettext_noop(
        "What a side said of a sheet stays on it. Open the match again, or let the side sign once "
        "more: the later word stands."
    ),
    "signing_refused": gettext_noop(
        "What a side said of a sheet stays on it. Open the match again, or let the side sign once "
        "more: the later word stands."
    ),
    "pin_chosen": gettext_noop("A PIN is kept nowhere in clear. Set another one under “PINs”."),
    "pin_set": gettext_noop("A PIN is kept nowhere in clear. Set another one under “PINs”."),
}
