"""The cards players have had in an event so far, and what one more would make."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from engine.penalties import CARDS
from referee.rows import read
from referee.sentences import kind_label
from tournaments.models import Absence, LogEntry, Match, MatchSeat

YELLOW, RED, BLACK = CARDS
# The lines of the log that note a card for whoever did not appear (femundo 7).
_ABSENCES: Final = ("walkover", "seats_emptied")


@dataclass(frozen=True, slots=True)
class Card:
    """One card: its colour, the round and table it was given at, and what for."""

    colour: str
    round: int
    table: int
    why: str


def cards_of(player: int, event: int, *, but: int = 0) -> tuple[Card, ...]:
    """Return the cards of a player in an event, the first first, leaving out table `but`.

    They stand in the records of the tables, and in the log for who did not appear. What was
    taken back, or corrected away, is none.
    """
    found = [*_in_records(player, event, but), *_for_absence(player, event, but)]
    return tuple(sorted(found, key=lambda one: (one.round, one.table)))


def made_of(colours: Iterable[str]) -> str:
    """Return the gravest card that several come to; "" for none (femundo 29).

    Two yellow ones are a red one, red and yellow are a black one.
    """
    given = list(colours)
    red, yellow = divmod(given.count(YELLOW), 2)
    red += given.count(RED)
    if BLACK in given or red > 1 or (red and yellow):
        return BLACK
    return RED if red else YELLOW if yellow else ""


def made_with_one_more(cards: Sequence[Card], colour: str) -> str:
    """Return what one more card of a colour comes to with those a player has."""
    return made_of([*(one.colour for one in cards), colour])


def _in_records(player: int, event: int, but: int) -> list[Card]:
    seats = (
        MatchSeat.objects.filter(
            player=player,
            match__pairing_round__stage__tournament=event,
            match__records__events__notation__contains="!",
        )
        .exclude(match=but)
        .select_related("match__pairing_round__stage__tournament")
        .distinct()
    )
    return [
        Card(
            str(measure.value),
            seat.match.pairing_round.number,
            seat.match.table,
            kind_label(one.kind),
        )
        for seat in seats
        for one in read(seat.match).state.infractions
        if one.seat.value == seat.seat
        for measure in one.measures or ()
        if measure.name == "card"
    ]


def _for_absence(player: int, event: int, but: int) -> list[Card]:
    lines = LogEntry.objects.filter(
        tournament=event, act__in=_ABSENCES, details__has_key="card", undone_by__isnull=True
    )
    found: dict[int, Card] = {}
    for line in lines.exclude(details__match=but):
        match = Match.objects.select_related("pairing_round").filter(pk=line.details["match"])
        for one in match:
            if _was_absent(player, one, line.details["absent"]):
                card = str(line.details["card"])
                found[one.pk] = Card(card, one.pairing_round.number, one.table, kind_label("late"))
    return list(found.values())


def _was_absent(player: int, match: Match, numbers: Sequence[int]) -> bool:
    lost = match.seats.filter(
        player=player, entry__number__in=numbers, outcome=MatchSeat.Outcome.WALKOVER_LOSS
    )
    return (
        lost.exists()
        or Absence.objects.filter(
            pairing_round=match.pairing_round_id,
            entry__number__in=numbers,
            entry__members__player=player,
        ).exists()
    )
