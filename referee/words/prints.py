"""What the prints of a table are called."""

from __future__ import annotations

from typing import Final

from django.utils.translation import gettext_lazy as _

from tournaments.words.prints import PrintKind

MATCH_KINDS: Final[tuple[PrintKind, ...]] = (
    PrintKind(
        "sheet",
        _("Match sheet"),
        _("Seats, score by round, infractions, result and signatures of one table."),
    ),
    PrintKind(
        "plays", _("Order of plays"), _("Every event of one table, in words and in notation.")
    ),
)
