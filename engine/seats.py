"""Seats in order of play, and who wins or loses with whom."""

from __future__ import annotations

from enum import StrEnum


class Seat(StrEnum):
    """A place at the table. A to D follow each other in order of play, whatever the direction."""

    A = "A"
    B = "B"
    C = "C"
    D = "D"

    number: int
    """0 to 3, in order of play."""

    def __init__(self, letter: str) -> None:
        self.number = ord(letter) - ord("A")


SEATS: tuple[Seat, ...] = tuple(Seat)

# Seats that win or lose together, written as in the record: `AC`, `BD`, or one letter.
Side = str


def seats_at(players: int) -> tuple[Seat, ...]:
    """Return the seats in use at a table of 2, 3 or 4."""
    return SEATS[:players]


def sides(players: int, partnership: bool) -> tuple[Side, ...]:
    """Return the sides of a table: AC and BD in partnerships, otherwise each seat its own."""
    if partnership:
        return ("AC", "BD")
    return tuple(seat.value for seat in seats_at(players))
