"""Events to lines and back, one event a line, without loss.

    line        = play | draw | pass | infraction | ruling | show | count
                | result | time | leaves | undo
    play        = SEAT TILE [END]                     B 6-3 right
    draw        = SEAT "draws" (TILE | "?")           D draws 3-1
    pass        = SEAT "pass"                         C pass
    infraction  = SEAT "!" KIND [TILE] [END] ["open" NUMBER] ["deliberate"] [RULING] [NOTE]
    ruling      = "ruling" NUMBER [RULING] [NOTE]     ruling 9 -> warning, points 20
    RULING      = "->" ("pending" | "nothing" | MEASURE {"," MEASURE})
    MEASURE     = NAME [NUMBER | COLOUR]              points 20, rewind 7, card yellow
    show        = SEAT "shows" {TILE}                 D shows 5-5 5-0
    count       = SEAT "counts" NUMBER                D counts 15
    result      = "result" (SIDE | "-") POINTS ("out" | "blocked")
    POINTS      = NUMBER | {SEAT "=" NUMBER}          result AC 37 out; result B A=4 C=9 out
    time        = "time over"
    leaves      = SEAT "leaves" NAME                  C leaves robot
    undo        = "undo" NUMBER                       undo 1
    NOTE        = "#" text to the end of the line

Without a RULING the schedule decides. In notes, names and kinds a line break is `\\n`, a carriage
return `\\r`, a backslash `\\\\`; a space at either edge of a note or name, and a space or # within
a kind, is `\\u` with its code in four digits. A whole record is written with
a head of `key value` lines, and each round after a line `round N`; see `format_record`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from engine import expected
from engine.errors import BadNotation, BadRecord, Phrase
from engine.events import (
    PENDING,
    Count,
    Draw,
    Event,
    Infraction,
    Leaves,
    Pass,
    Pending,
    Play,
    Ruling,
    Sheet,
    Show,
    TimeOver,
)
from engine.penalties import WHOLE_NUMBER_MEASURES, Measure
from engine.reading import is_kind, read_event
from engine.record import LONGEST_NOTE, Record, Round
from engine.seats import SEATS, Seat
from engine.tiles import BadTile, Tile

LONGEST_LINE: Final = 2 * LONGEST_NOTE + 1_000
_ESCAPES: Final = (("\\", "\\\\"), ("\n", "\\n"), ("\r", "\\r"))


# -- events to lines --------------------------------------------------------------------------


def format_line(event: Event) -> str:
    """Return the line of an event; `parse_line` gives the event back."""
    match event:
        case Play():
            return f"{event.seat} {event.tile}" + (f" {event.end}" if event.end else "")
        case Draw():
            return f"{event.seat} draws {event.tile or '?'}"
        case Pass():
            return f"{event.seat} pass"
        case Infraction():
            return _format_infraction(event)
        case Ruling():
            return f"ruling {event.event}{_ruled(event.measures)}{_noted(event.note)}"
        case Show():
            return " ".join([event.seat, "shows", *map(str, event.tiles)])
        case Count():
            return f"{event.seat} counts {event.pips}"
        case Sheet():
            points = (
                str(event.points)
                if isinstance(event.points, int)
                else " ".join(f"{seat}={pips}" for seat, pips in event.points.items())
            )
            words = ["result", event.winner or "-", points, event.ended]
            return " ".join(word for word in words if word)
        case TimeOver():
            return "time over"
        case Leaves():
            return f"{event.seat} leaves {_escaped(event.substitute)}"
        case _:
            return f"undo {event.count}"


def _format_infraction(event: Infraction) -> str:
    words = [f"{event.seat}!", _one_word(event.kind)]
    if event.tile is not None:
        words.append(str(event.tile))
    if event.end is not None:
        words.append(event.end.value)
    if event.open is not None:
        words.append(f"open {event.open}")
    if event.deliberate:
        words.append("deliberate")
    return " ".join(words) + _ruled(event.measures) + _noted(event.note)


def _ruled(measures: tuple[Measure, ...] | Pending | None) -> str:
    if measures is None:
        return ""
    if isinstance(measures, Pending):
        return " -> pending"
    return " -> " + (", ".join(map(str, measures)) or "nothing")


def _noted(note: str) -> str:
    return f" # {_escaped(note)}" if note else ""


def _escaped(text: str) -> str:
    for plain, written in _ESCAPES:
        text = text.replace(plain, written)
    for other in ("\v", "\f", "\x1c", "\x1d", "\x1e", "\x85", "\u2028", "\u2029"):
        text = text.replace(other, f"\\u{ord(other):04x}")
    if text[:1].isspace():
        text = f"\\u{ord(text[0]):04x}" + text[1:]
    if text[-1:].isspace():
        text = text[:-1] + f"\\u{ord(text[-1]):04x}"
    return text


def _one_word(kind: str) -> str:
    """Return a kind as one word, its spaces and # escaped."""
    return "".join(
        f"\\u{ord(one):04x}" if one.isspace() or one == "#" else one for one in _escaped(kind)
    )


def _unescaped(text: str) -> str:
    out: list[str] = []
    rest = iter(text)
    for one in rest:
        if one != "\\":
            out.append(one)
            continue
        match next(rest, ""):
            case "n":
                out.append("\n")
            case "r":
                out.append("\r")
            case "\\":
                out.append("\\")
            case "u":
                digits = "".join(next(rest, "") for _ in range(4))
                out.append(chr(int(digits, 16)))
            case other:
                raise ValueError(other)
    return "".join(out)


# -- lines to events --------------------------------------------------------------------------


class _Words:
    """The words of a line, taken one by one."""

    def __init__(self, line: str) -> None:
        self.line = line
        self.words = line.split()
        self.place = 0

    def peek(self) -> str:
        return self.words[self.place] if self.place < len(self.words) else ""

    def take(self) -> str:
        word = self.peek()
        self.place += 1
        return word

    def rest(self) -> list[str]:
        rest = self.words[self.place :]
        self.place = len(self.words)
        return rest

    def bad(self, wanted: Phrase, found: str | None = None) -> BadNotation:
        word = self.peek() if found is None else found
        return BadNotation(line=self.line[:80], found=word[:40] or "…", expected=wanted)

    def seat(self, word: str) -> Seat:
        if word in SEATS:
            return Seat(word)
        raise self.bad(expected.seat_of(SEATS), word)

    def tile(self) -> Tile:
        word = self.take()
        try:
            return Tile.parse(word)
        except BadTile:
            raise self.bad(expected.tile(), word) from None

    def number(self) -> int:
        word = self.take()
        if not (word.isascii() and word.isdigit()) or len(word) > 7:
            raise self.bad(Phrase("a whole number"), word)
        return int(word)

    def finish(self) -> None:
        if self.peek():
            raise self.bad(Phrase("the end of the line"))


def parse_line(line: str) -> Event:
    """Return the event of a line; raises BadNotation."""
    if len(line) > LONGEST_LINE:
        raise BadNotation(line=line[:80], found=line[:20], expected=Phrase("a shorter line"))
    body, note = _split_note(line)
    words = _Words(body)
    written = _read(words, line)
    if note:
        if "infraction" not in written and "ruling" not in written:
            raise words.bad(Phrase("no note on this event"), "#")
        try:
            written["note"] = _unescaped(note)
        except ValueError:
            raise words.bad(
                Phrase("%(escapes)s after a backslash", escapes=r"\n \r \\ \u0000"), "\\"
            ) from None
    try:
        return read_event(written)
    except BadRecord as refusal:
        raise BadNotation(
            line=line[:80], found=refusal.params["found"], expected=refusal.params["expected"]
        ) from None


def _split_note(line: str) -> tuple[str, str]:
    """Return the line without its note, and the note. A name after `leaves` may hold a #."""
    words = line.split(None, 2)
    if len(words) > 1 and words[1] == "leaves":
        return line, ""
    body, mark, note = line.partition("#")
    return (body, note.strip()) if mark else (line, "")


def _read(words: _Words, line: str) -> dict[str, object]:
    first = words.take()
    match first:
        case "":
            raise words.bad(Phrase("an event"))
        case "undo":
            written: dict[str, object] = {"undo": words.number()}
        case "time":
            if words.take() != "over":
                raise words.bad(Phrase("“%(words)s”", words="time over"), first)
            written = {"time": "over"}
        case "result":
            return _read_result(words)
        case "ruling":
            written = {"ruling": words.number()}
            _read_ruled(words, written)
        case _ if first.endswith("!"):
            return _read_infraction(words, words.seat(first[:-1]))
        case _:
            return _read_act(words, words.seat(first), line)
    words.finish()
    return written


def _read_act(words: _Words, seat: Seat, line: str) -> dict[str, object]:
    written: dict[str, object] = {"seat": seat.value}
    match words.peek():
        case "pass":
            words.take()
            written["pass"] = True
        case "draws":
            words.take()
            if words.peek() == "?":
                words.take()
                written["draw"] = None
            else:
                written["draw"] = str(words.tile())
        case "shows":
            words.take()
            tiles: list[str] = []
            while words.peek():
                tiles.append(str(words.tile()))
            written["show"] = tiles
        case "counts":
            words.take()
            written["count"] = words.number()
        case "leaves":
            words.rest()
            try:
                written["leaves"] = _unescaped(line.split(None, 2)[2].rstrip())
            except (ValueError, IndexError):
                raise words.bad(Phrase("the substitute's name"), line) from None
        case _:
            written["play"] = str(words.tile())
            if words.peek():
                written["end"] = words.take()
    words.finish()
    return written


def _read_infraction(words: _Words, seat: Seat) -> dict[str, object]:
    word = words.take()
    try:
        kind = _unescaped(word)
    except ValueError:
        kind = ""
    if not is_kind(kind):
        raise words.bad(Phrase("a kind of infraction such as %(example)s", example="touch"), word)
    written: dict[str, object] = {"seat": seat.value, "infraction": kind}
    if words.peek()[:1].isdigit():
        written["tile"] = str(words.tile())
    if words.peek() in ("left", "right"):
        written["end"] = words.take()
    if words.peek() == "open":
        words.take()
        written["open"] = words.number()
    if words.peek() == "deliberate":
        words.take()
        written["deliberate"] = True
    _read_ruled(words, written)
    words.finish()
    return written


def _read_ruled(words: _Words, written: dict[str, object]) -> None:
    if words.peek() != "->":
        return
    words.take()
    said = " ".join(words.rest())
    if said == PENDING.value:
        written["measures"] = PENDING.value
    elif said == "nothing":
        written["measures"] = []
    else:
        written["measures"] = [_read_measure(words, one.split()) for one in said.split(",")]


def _read_measure(words: _Words, said: list[str]) -> object:
    match said:
        case [name]:
            return name
        case ["card", colour]:
            return {"card": colour}
        case [name, number] if name in WHOLE_NUMBER_MEASURES:
            if not (number.isascii() and number.isdigit()) or len(number) > 7:
                raise words.bad(Phrase("a whole number"), number)
            return {name: int(number)}
        case _:
            raise words.bad(
                Phrase("a measure such as %(one)s or %(other)s", one="warning", other="points 20"),
                " ".join(said),
            )


def _read_result(words: _Words) -> dict[str, object]:
    winner = words.take()
    said = words.rest()
    if not said:
        raise words.bad(Phrase("points, then %(one)s or %(other)s", one="out", other="blocked"))
    points: object = {}
    for word in said[:-1]:
        seat, equals, number = word.partition("=")
        amount = number if equals else word
        if not (amount.isascii() and amount.isdigit()) or len(amount) > 7:
            raise words.bad(
                Phrase("points such as %(one)s, or %(other)s", one="37", other="B=12"), word
            )
        if equals and isinstance(points, dict) and seat not in points:
            points[seat] = int(amount)
        elif not equals and len(said) == 2:
            points = int(amount)
        else:
            raise words.bad(Phrase("points of every seat once"), word)
    result = {"winner": None if winner == "-" else winner, "points": points, "ended": said[-1]}
    return {"result": result}


# -- whole records ----------------------------------------------------------------------------


def format_record(record: Record) -> str:
    """Return a record as text for people: its head, then each round's events."""
    rules = record.rules
    usual = rules.of_profile.options
    lines = [f"profile {rules.profile}", f"target {rules.target}", f"players {record.players}"]
    lines += [
        f"option {name} {value}" for name, value in rules.options.items() if usual[name] != value
    ]
    lines += [f"name {seat} {_escaped(name)}" for seat, name in record.names.items()]
    for number, one in enumerate(record.rounds):
        lines += ["", f"round {number}", *_round_lines(one)]
    return "\n".join(lines) + "\n"


def _round_lines(one: Round) -> Iterable[str]:
    if one.opener is not None:
        yield f"opener {one.opener}"
    for seat, tiles in (one.hands or {}).items():
        yield " ".join(["hand", seat, *map(str, tiles)])
    if one.stock is not None:
        yield " ".join(["stock", *map(str, one.stock)])
    for event in one.events:
        yield format_line(event)
