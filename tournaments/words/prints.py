"""What the prints of an event are called, in the order they are offered."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class PrintKind:
    """A print: what it is called and what it is for."""

    kind: str
    label: Promise
    text: Promise
    of_round: bool = False
    """Made of one pairing round."""


KINDS: Final[tuple[PrintKind, ...]] = (
    PrintKind(
        "pairings",
        _("Pairings by table"),
        _("For the wall: every table with who sits there."),
        of_round=True,
    ),
    PrintKind(
        "names",
        _("Pairings by name"),
        _("For the wall: every player with table and seat."),
        of_round=True,
    ),
    PrintKind(
        "scores",
        _("Score sheets"),
        _("One for each table: seats, rounds, signatures, and a code that opens the match."),
        of_round=True,
    ),
    PrintKind(
        "cards",
        _("Table cards"),
        _("A large number and the four names, to stand on each table."),
        of_round=True,
    ),
    PrintKind("standings", _("Standings"), _("The order of the latest stage, as it is now.")),
    PrintKind(
        "badges",
        _("Badges"),
        _("For every player: name, club, number, and the code that is read at the door."),
    ),
    PrintKind(
        "certificates",
        _("Certificates"),
        _("For the first places of the latest stage, one sheet each."),
    ),
)
BY_KIND: Final = {one.kind: one for one in KINDS}
