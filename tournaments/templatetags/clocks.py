"""The clock of a round in HTML: the end in words, for a script to count down to."""

from __future__ import annotations

from django import template
from django.urls import reverse

from tournaments.models import PairingRound
from tournaments.services.clock import clock_of

register = template.Library()


@register.inclusion_tag("tournaments/_clock.html")
def round_clock(pairing_round: PairingRound) -> dict[str, object]:
    """Show the clock of a round that is not over, where one is set."""
    stage = pairing_round.stage
    shown = pairing_round.state != PairingRound.State.FINISHED
    address = [stage.tournament.slug, stage.number, pairing_round.number]
    return {
        "clock": clock_of(pairing_round) if shown else None,
        "time_zone": stage.tournament.time_zone,
        "address": reverse("tournaments:api_clock", args=address),
    }
