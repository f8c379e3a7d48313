"""The options of a profile: what an organizer may set, and what each may be."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from engine import expected
from engine.errors import BadRecord, Phrase, marked


@dataclass(frozen=True, slots=True)
class Option:
    """A rule an organizer may set: its choices, or its smallest and largest number."""

    name: str
    label: str
    choices: tuple[tuple[str | int, str], ...] = ()
    lowest: int = 0
    highest: int = 0

    def accepts(self, value: object) -> bool:
        """Is `value` one of the choices, or a whole number in range?"""
        if self.choices:
            return type(value) in (str, int) and value in [one for one, _ in self.choices]
        return type(value) is int and self.lowest <= value <= self.highest

    @property
    def expected(self) -> Phrase:
        if self.choices:
            return expected.one_of(one for one, _ in self.choices)
        return expected.whole_number(self.lowest, self.highest)


OPTIONS: Final[tuple[Option, ...]] = (
    Option(
        "first_opener",
        marked("Who opens the first round"),
        (("highest_double", marked("The highest double")), ("lot", marked("Drawn by lot"))),
    ),
    Option(
        "next_opener",
        marked("Who opens later rounds"),
        (
            ("winner", marked("The winner of the round before")),
            ("highest_double", marked("The highest double")),
            ("rotates", marked("Each seat in turn")),
        ),
    ),
    Option(
        "opening_tile",
        marked("What the highest double opens with"),
        (("forced", marked("Exactly that tile")), ("free", marked("Any tile"))),
    ),
    Option("stock_reserve", marked("Tiles of the stock that stay undrawn"), lowest=0, highest=28),
    Option(
        "block_winner",
        marked("Who wins a blocked round"),
        (
            ("lowest_hand", marked("The lowest single hand")),
            ("lowest_side", marked("The side with the lower sum")),
        ),
    ),
    Option(
        "points_out",
        marked("Points for going out"),
        (
            ("opponents", marked("Pips left with the opponents")),
            ("all", marked("Pips left in all other hands")),
        ),
    ),
    Option(
        "points_block",
        marked("Points for a blocked round"),
        (
            ("opponents", marked("Pips of the losing side")),
            ("difference", marked("Difference of the two sides")),
            ("all", marked("Pips of all hands")),
        ),
    ),
    Option(
        "round_to",
        marked("Rounding of a round's points"),
        ((1, marked("Not rounded")), (5, marked("To the nearest 5"))),
    ),
    Option(
        "bonus_both_ends",
        marked("Bonus for going out with a tile that fits both ends"),
        lowest=0,
        highest=1000,
    ),
    Option("survivors", marked("Players left when an elimination ends"), lowest=1, highest=3),
    Option(
        "limit_together",
        marked("When so many reach the limit at once that too few are left"),
        (
            ("out", marked("All of them are out")),
            ("play_on", marked("They play one more round, then the lowest totals stay")),
        ),
    ),
    Option(
        "points_to",
        marked("Penalty points"),
        (
            ("deduct", marked("Taken from the offender's side")),
            ("award", marked("Given to the other side")),
        ),
    ),
    Option(
        "deduct_from",
        marked("Deductions count"),
        (
            ("total", marked("In the running score")),
            ("result", marked("In the result of the event only")),
        ),
    ),
)
OPTION: Final[Mapping[str, Option]] = MappingProxyType({one.name: one for one in OPTIONS})


def read_options(written: object, path: str) -> dict[str, str | int]:
    if written is None:
        return {}
    if not isinstance(written, dict):
        raise BadRecord(path, expected.an_object(), written)
    for name, value in written.items():
        option = OPTION.get(name) if isinstance(name, str) else None
        if option is None:
            raise BadRecord(path, expected.one_of(OPTION), name)
        if not option.accepts(value):
            raise BadRecord(f"{path}.{name}", option.expected, value)
    return written
