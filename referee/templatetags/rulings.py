"""What of a table's record the desk waits for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from django import template
from django.utils.translation import gettext

from engine.ladder import SEVERITY_LABELS
from referee.cards import Card, cards_of, made_of
from referee.rows import records_of
from tournaments.models import Match, MatchSeat
from tournaments.policies_cards import card_numbers, ladder_in
from tournaments.queries.events import TableLine
from tournaments.rules import rules_of

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
    tournament = match.pairing_round.stage.tournament
    numbers = card_numbers(tournament)
    one_more = Card(colour, ladder_in(rules_of(match), "late"), 0, 0, "")
    found = []
    for seat in match.seats.select_related("player").order_by("seat"):
        cards = cards_of(seat.player_id, tournament, but=match.pk)
        if cards:
            named = tuple((gettext(SEVERITY_LABELS[one.severity]), one) for one in cards)
            comes_to = gettext(SEVERITY_LABELS[made_of([*cards, one_more], numbers)])
            found.append(Carded(seat, named, comes_to))
    return found
