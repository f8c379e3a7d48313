"""What a referee types in a hurry."""

from __future__ import annotations

import pytest

from engine.errors import BadNotation
from engine.events import Draw, Infraction, Leaves, Pass, Play, Undo
from engine.notation import format_line
from engine.seats import Seat
from referee.errors.records import NobodyOnTurn
from referee.typed import read_typed


@pytest.mark.parametrize(
    ("typed", "line"),
    [
        ("63", "B 6-3"),
        ("36", "B 6-3"),
        ("6-3", "B 6-3"),
        (" 6 3 ", "B 6-3"),
        ("63r", "B 6-3 right"),
        ("63L", "B 6-3 left"),
        ("63 left", "B 6-3 left"),
        ("٦٣", "B 6-3"),
        ("۶۳r", "B 6-3 right"),
        ("\u200f٦-٣", "B 6-3"),
        ("p", "B pass"),
        ("P", "B pass"),
        ("pass", "B pass"),
        ("d", "B draws ?"),
        ("d?", "B draws ?"),
        ("d31", "B draws 3-1"),
        ("D3-1", "B draws 3-1"),
        ("d٣١", "B draws 3-1"),
        ("u", "undo 1"),
        ("u3", "undo 3"),
        ("c 63r", "C 6-3 right"),
        ("D 63", "D 6-3"),
        ("c p", "C pass"),
        ("d pass", "D pass"),
        ("C 6-3 right", "C 6-3 right"),
        ("d draws ۳-۱", "D draws 3-1"),
        ("c! touch ٥-١", "C! touch 5-1"),
        ("ruling ٩ -> warning, points ٢٠", "ruling 9 -> warning, points 20"),
        ("undo 2", "undo 2"),
        ("time over", "time over"),
    ],
)
def test_short_and_long_forms_are_read(typed: str, line: str) -> None:
    assert format_line(read_typed(typed, Seat.B)) == line


def test_short_forms_are_events() -> None:
    assert isinstance(read_typed("63", Seat.A), Play)
    assert isinstance(read_typed("p", Seat.A), Pass)
    assert isinstance(read_typed("d", Seat.A), Draw)
    assert read_typed("u", None) == Undo(1)


def test_notes_and_names_stay_as_they_were_written() -> None:
    event = read_typed("c! signaling -> pending # twice,  at ٣:٠٥ \u202e!", None)
    assert isinstance(event, Infraction)
    assert event.note == "twice,  at ٣:٠٥ \u202e!"
    event = read_typed("c leaves علي  ٣", None)
    assert event == Leaves(Seat.C, "علي  ٣")


def test_a_short_form_needs_somebody_on_turn() -> None:
    with pytest.raises(NobodyOnTurn, match="Write the seat first"):
        read_typed("63", None)


@pytest.mark.parametrize("typed", ["", "77", "xyz", "63x", "e 63", "d99", "63 63", "#", "٧٧", "²³"])
def test_what_cannot_be_read_is_said(typed: str) -> None:
    with pytest.raises(BadNotation, match="cannot be read"):
        read_typed(typed, Seat.A)
