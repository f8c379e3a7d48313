"""What a referee types in a hurry, read as an event."""

from __future__ import annotations

import re

from engine.events import Draw, End, Event, Pass, Play, Undo
from engine.notation import parse_line
from engine.seats import Seat
from engine.tiles import Tile
from referee.errors.records import NobodyOnTurn
from tournaments.digits import to_latin_digits

_SEAT = r"(?:(?P<seat>[A-Da-d])\s+)?"
_TILE = r"(?P<one>[0-6])\s*[-–]?\s*(?P<other>[0-6])"
_PLAY = re.compile(_SEAT + _TILE + r"\s*(?P<end>[lLrR]|left|right)?")
_PASS = re.compile(_SEAT + r"(?:[pP]|pass)")
_DRAW = re.compile(r"[dD](?:" + _TILE.replace(r"\s*", "") + r"|\?)?")
_UNDO = re.compile(r"[uU](?P<count>[1-9][0-9]?)?")
_SEAT_FIRST = re.compile(r"[a-d](?=!|\s)")
# Marks of writing direction that keyboards and copied text bring along.
_MARKS = dict.fromkeys((0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A), 0xFEFF))


def read_typed(text: str, turn: Seat | None) -> Event:
    """Read a line of notation, or the short form for the seat on turn.

    Short: `63` (plays 6-3), `63l` and `63r` (says the end), `p` (passes), `d` and `d31` (draws),
    `u` and `u3` (undo). A seat may stand before a tile or a pass: `b 63r`. Digits may be Arabic
    or Persian. Raises BadNotation, or NobodyOnTurn when a short form has no seat.
    """
    act, mark, _ = text.partition("#")
    if mark or "leaves" in act:
        return parse_line(_seat_in_capitals(text.strip()))  # notes and names stay as written
    line = " ".join(to_latin_digits(act).translate(_MARKS).split())
    if found := _PLAY.fullmatch(line):
        tile = Tile.parse(found["one"] + found["other"])
        return Play(_seat(found["seat"], turn, line), tile, _end(found["end"]))
    if found := _PASS.fullmatch(line):
        return Pass(_seat(found["seat"], turn, line))
    if found := _DRAW.fullmatch(line):
        drawn = None if found["one"] is None else Tile.parse(found["one"] + found["other"])
        return Draw(_seat(None, turn, line), drawn)
    if found := _UNDO.fullmatch(line):
        return Undo(int(found["count"] or 1))
    return parse_line(_seat_in_capitals(line))


def _seat_in_capitals(line: str) -> str:
    return line[0].upper() + line[1:] if _SEAT_FIRST.match(line) else line


def _seat(letter: str | None, turn: Seat | None, line: str) -> Seat:
    if letter is not None:
        return Seat(letter.upper())
    if turn is None:
        raise NobodyOnTurn(line=line)
    return turn


def _end(written: str | None) -> End | None:
    if not written:
        return None
    return End.LEFT if written[0] in "lL" else End.RIGHT
