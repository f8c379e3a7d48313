"""Notes what was printed, so that a second paper of the same round is marked as a reprint."""

from __future__ import annotations

from django.contrib.auth.models import User
from django.db import transaction

from tournaments import permissions
from tournaments.models import LogEntry, PairingRound, Tournament
from tournaments.services import log
from tournaments.services.lifecycle import locked

PRINTED = "printed"


@transaction.atomic
def mark_printed(
    tournament: Tournament, *, kind: str, pairing_round: PairingRound | None = None, by: User
) -> LogEntry:
    """Note in the log that a print was made on paper; any official may. Looking notes nothing."""
    permissions.require_official(by, tournament)
    tournament = locked(tournament)
    if pairing_round is None:
        return log.write(tournament, "printed", by=by, print_kind=kind)
    return log.write(
        tournament,
        "printed",
        by=by,
        print_kind=kind,
        stage=pairing_round.stage,
        round=pairing_round.number,
    )
