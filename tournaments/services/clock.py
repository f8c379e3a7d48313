"""Sets the clock of a round: one deadline kept by the server, extra time for single tables."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone

from tournaments import permissions
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.models import Match, PairingRound
from tournaments.names import tidy
from tournaments.services import log, results, watches
from tournaments.services.lifecycle import locked, require_not_finished
from tournaments.services.traces import traced

LONGEST_ROUND = 600
"""Minutes."""
MOST_EXTRA = 4 * 3600
"""Seconds of extra time of one table."""
GRACE_SECONDS = 120
"""How long somebody may be missing at the table once the round has begun (femundo 7)."""


@dataclass(frozen=True, slots=True)
class Clock:
    """The time of one published round. Displays only count towards `ends_at`."""

    starts_at: datetime
    ends_at: datetime
    minutes: int

    @property
    def grace_ends_at(self) -> datetime:
        """When whoever is not at the table is absent."""
        return self.starts_at + timedelta(seconds=GRACE_SECONDS)


def clock_of(pairing_round: PairingRound, *, extra_seconds: int = 0) -> Clock | None:
    """Return the clock of a round, of a table with its extra time; None where none is set."""
    starts_at, minutes = pairing_round.starts_at, pairing_round.minutes
    if starts_at is None or minutes is None:
        return None
    ends_at = starts_at + timedelta(minutes=minutes, seconds=extra_seconds)
    return Clock(starts_at, ends_at, minutes)


@transaction.atomic
@traced(watches.itself("starts_at", "minutes"))
def set_clock(
    pairing_round: PairingRound, *, minutes: int, starts_at: datetime | None = None, by: User
) -> PairingRound:
    """Say when play begins (now, unless said) and how long it lasts. The same again does nothing.

    A clock that is running is set anew only with a time of its own: a second press of "now"
    does not start it again.
    """
    tournament = pairing_round.stage.tournament
    permissions.require_director(by, tournament)
    require_not_finished(locked(tournament))
    pairing_round = PairingRound.objects.select_related("stage__tournament").get(
        pk=pairing_round.pk
    )
    if pairing_round.state == PairingRound.State.DRAFT:
        raise table_errors.RoundNotPublished(
            round=pairing_round.number, stage=pairing_round.stage.title, table="–"
        )
    if not 1 <= minutes <= LONGEST_ROUND:
        raise score_errors.BadMinutes(found=minutes, limit=LONGEST_ROUND)
    begins = starts_at or pairing_round.starts_at or timezone.now()
    if (pairing_round.starts_at, pairing_round.minutes) == (begins, minutes):
        return pairing_round
    pairing_round.starts_at = begins
    pairing_round.minutes = minutes
    pairing_round.save(update_fields=["starts_at", "minutes"])
    log.write(
        tournament,
        "clock_set",
        by=by,
        stage=pairing_round.stage,
        round=pairing_round.number,
        minutes=minutes,
        starts_at=begins.isoformat(),
    )
    return pairing_round


@transaction.atomic
@traced(watches.itself("starts_at", "minutes"))
def stop_clock(pairing_round: PairingRound, *, by: User) -> PairingRound:
    """Take the clock of a round away. Asked twice, it is gone once."""
    tournament = pairing_round.stage.tournament
    permissions.require_director(by, tournament)
    require_not_finished(locked(tournament))
    pairing_round = PairingRound.objects.select_related("stage__tournament").get(
        pk=pairing_round.pk
    )
    if pairing_round.starts_at is None:
        return pairing_round
    pairing_round.starts_at = None
    pairing_round.save(update_fields=["starts_at"])
    log.write(
        tournament,
        "clock_stopped",
        by=by,
        stage=pairing_round.stage,
        round=pairing_round.number,
    )
    return pairing_round


@transaction.atomic
@traced(watches.itself("extra_seconds"))
def set_extra_time(match: Match, *, seconds: int, reason: str, by: User) -> Match:
    """Set the extra time of a table in all, with the reason; sent twice, it is given once."""
    permissions.require_referee(by, match.pairing_round.stage.tournament)
    match = results.locked_match(match)
    if not 0 <= seconds <= MOST_EXTRA:
        raise score_errors.BadExtraTime(found=seconds, limit=MOST_EXTRA)
    if match.extra_seconds == seconds:
        return match
    if not tidy(reason):
        raise score_errors.ReasonMissing
    match.extra_seconds = seconds
    match.save(update_fields=["extra_seconds", "changed_at"])
    results.write_log(match, "extra_time", by=by, seconds=seconds, reason=tidy(reason))
    return match
