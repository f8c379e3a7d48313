"""What of a table's record the desk waits for."""

from __future__ import annotations

from django import template

from referee.rows import read
from tournaments.models import Match

register = template.Library()


@register.filter
def awaits_ruling(match: Match) -> bool:
    """Say whether an infraction at the table still awaits the referee's ruling."""
    return match.state == Match.State.PLAYING and any(
        one.pending for one in read(match).state.rounds
    )
