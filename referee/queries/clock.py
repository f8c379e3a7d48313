"""The clock of a table, as its recording page counts it down."""

from __future__ import annotations

from typing import Any

from django.urls import reverse
from django.utils import timezone

from tournaments.models import Match
from tournaments.permissions import Visitor, is_referee
from tournaments.services.clock import clock_of


def clock_json(match: Match, user: Visitor) -> dict[str, Any]:
    """Return when play at the table ends, its extra time in it, and where to ask again.

    Times are null where the round has no clock; `extra_seconds` is what the table was given in
    all, `extend` the address at which whoever asks may give it more, or null.
    """
    pairing_round = match.pairing_round
    tournament = pairing_round.stage.tournament
    clock = clock_of(pairing_round, extra_seconds=match.extra_seconds)
    of_round = [tournament.slug, pairing_round.stage.number, pairing_round.number]
    may_extend = is_referee(user, tournament)
    return {
        "now": timezone.now().isoformat(),
        "starts_at": clock and clock.starts_at.isoformat(),
        "ends_at": clock and clock.ends_at.isoformat(),
        "extra_seconds": match.extra_seconds,
        "address": reverse("tournaments:api_clock", args=of_round),
        "extend": reverse("tournaments:api_desk_extra_time", args=[tournament.slug, match.pk])
        if may_extend
        else None,
    }
