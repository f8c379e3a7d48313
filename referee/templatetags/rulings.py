"""What of a table's record the desk waits for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.utils.translation import gettext

from engine.penalties import CARD_LABELS
from referee.cards import Card, cards_of, made_with_one_more
from referee.rows import records_of
from tournaments.models import Match, MatchSeat
from tournaments.queries.events import TableLine

register = template.Library()


@register.simple_tag
def awaiting_rulings(lines: Iterable[TableLine]) -> frozenset[int]:
    """Return the keys of the tables where an infraction still awaits the referee's ruling."""
    playing = [one.match for one in lines if one.match.state == Match.State.PLAYING]
    return frozenset(
        pk
        for pk, recorded in records_of(playing).items()
        if any(one.pending for one in recorded.state.rounds)
    )


@dataclass(frozen=True, slots=True)
class Carded:
    """Somebody at a table who has cards already, and what one more would come to."""

    seat: MatchSeat
    cards: tuple[tuple[str, Card], ...]
    """Each with the name of its colour."""
    comes_to: str


@register.simple_tag
def cards_at(match: Match, colour: str) -> list[Carded]:
    """Return who at a table has cards in the event, and what one more of `colour` comes to."""
    event = match.pairing_round.stage.tournament_id
    found = []
    for seat in match.seats.select_related("player").order_by("seat"):
        cards = cards_of(seat.player_id, event, but=match.pk)
        if cards:
            named = tuple((gettext(CARD_LABELS[one.colour]), one) for one in cards)
            comes_to = gettext(CARD_LABELS[made_with_one_more(cards, colour)])
            found.append(Carded(seat, named, comes_to))
    return found
