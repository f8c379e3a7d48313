"""What the log says of prints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext_noop

SENTENCES: Final[Mapping[str, tuple[str, ...]]] = {
    "printed": (
        gettext_noop("%(who)s printed for round %(round)s of %(stage)s: %(print_kind)s"),
        gettext_noop("%(who)s printed: %(print_kind)s"),
    ),
}

NO_WAY_BACK: Final[Mapping[str, str]] = {
    "printed": gettext_noop(
        "Paper that was handed out stays. Print it again: the next one is marked as a reprint."
    ),
}
