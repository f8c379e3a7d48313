"""What may be printed of an event, by whom, of which round, and who reads it: one policy.

Pages and the API ask it. What hangs on a wall or stands on a table shows what a stranger may know,
whoever prints it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.http import Http404

from tournaments import permissions, publication
from tournaments.models import PairingRound, Tournament
from tournaments.permissions import Visitor
from tournaments.queries.events import latest_round, stage_lines
from tournaments.visible import round_at
from tournaments.words.prints import KINDS, PrintKind

FOR_EVERYBODY: Final = ("pairings", "names", "standings")
FOR_DIRECTORS: Final = ("badges", "certificates")
# A second paper of these could be taken for the first.
MARKED: Final = ("pairings", "names", "scores", "cards", "badges", "certificates")
_IN_THE_HALL: Final = (*FOR_EVERYBODY, "cards")


def require_may_print(user: Visitor, tournament: Tournament, kind: str) -> None:
    """Refuse a print to those it is not for."""
    if kind in FOR_DIRECTORS:
        permissions.require_director(user, tournament)
    elif kind not in FOR_EVERYBODY:
        permissions.require_official(user, tournament)


def printable(user: Visitor, tournament: Tournament) -> tuple[PrintKind, ...]:
    """Return the prints of an event that `user` may have, in the order they are offered."""
    director = permissions.is_director(user, tournament)
    official = director or permissions.is_official(user, tournament)
    return tuple(
        one
        for one in KINDS
        if one.kind in FOR_EVERYBODY or (director if one.kind in FOR_DIRECTORS else official)
    )


@contextmanager
def read_by(kind: str) -> Iterator[None]:
    """Show what hangs in the hall as everybody may read it; other prints as their reader may."""
    if kind not in _IN_THE_HALL:
        yield
        return
    with publication.for_everybody():
        yield


def newest_round(tournament: Tournament) -> PairingRound | None:
    """Return the round people look for, None before the first."""
    return latest_round(stage_lines(tournament, drafts=False))


def round_asked(tournament: Tournament, written: str, *, user: Visitor) -> PairingRound:
    """Return the round asked for as `stage.number`; else the one people look for."""
    if written:
        found = re.fullmatch(r"([0-9]{1,4})\.([0-9]{1,4})", written)
        if found is None:
            raise Http404
        return round_at(tournament.slug, int(found[1]), int(found[2]), user=user)
    newest = newest_round(tournament)
    if newest is None:
        raise Http404
    return newest
