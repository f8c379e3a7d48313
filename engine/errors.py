"""DominoError and every refusal the engine can give.

The engine marks sentences for translation and never translates: whoever shows an error to a
person fills `text` in the reader's language with `params`.
"""

from __future__ import annotations

from collections.abc import Mapping


def marked(text: str) -> str:
    """Return `text` unchanged; the name tells the translation tools to collect it."""
    return text


def counted(one: str, many: str) -> tuple[str, str]:
    """Return both sentences unchanged: for exactly one of something, and for any other number.

    The name tells the translation tools to collect them as forms of one sentence.
    """
    return one, many


class Phrase:
    """Marked text with what fills it, to stand inside a sentence or by itself.

    `text` is translated, then filled with `params`; in English `str` gives the whole.
    """

    __slots__ = ("params", "text")

    def __init__(self, text: str, **params: object) -> None:
        self.text = text
        self.params: Mapping[str, object] = params

    def __str__(self) -> str:
        return self.text % self.params


class DominoError(Exception):
    """Something a person can understand and put right.

    `code` is for programs, `text` is for people, `params` fills `text`. Where the sentence
    depends on a number, `text` is for exactly one, `plural` for any other, and `counts` names the
    parameter with the number.
    """

    code: str = "error"
    text: str = marked("This cannot be done.")
    plural: str = ""
    counts: str = ""

    def __init__(self, **params: object) -> None:
        self.params: Mapping[str, object] = params
        super().__init__()

    def __str__(self) -> str:
        return (self.plural if self.plural and self.number != 1 else self.text) % self.params

    @property
    def number(self) -> int:
        """How many the sentence is about; 1 where it depends on no number."""
        found = self.params[self.counts] if self.counts else 1
        assert isinstance(found, int)
        return found


class Refusal(DominoError):
    """What the rules do not allow, or a record that cannot be read.

    `round` and `event` count from 0; `event` is None where the fault is the round's, both are
    None where it is the document's. `as_infraction` is the kind to record when the act did
    happen at the table, None when it can only be a slip of the pen.
    """

    as_infraction: str | None = None

    def __init__(self, **params: object) -> None:
        super().__init__(**params)
        self.round: int | None = None
        self.event: int | None = None

    def at(self, round_: int | None, event: int | None) -> Refusal:
        """Say where the record is refused and return the refusal."""
        self.round, self.event = round_, event
        return self


class Misplay(Refusal):
    code = "misplay"
    as_infraction = "misplay"
    text = marked(
        "%(tile)s does not fit: the ends are %(left)s and %(right)s. "
        "Lay a tile with one of these numbers, or record the misplay as an infraction."
    )


class MisplayAtEnd(Misplay):
    text = marked(
        "%(tile)s does not fit the end chosen: it shows %(number)s, the ends are %(left)s and "
        "%(right)s. Choose the other end or another tile, or record the misplay as an infraction."
    )


class OutOfTurn(Refusal):
    code = "out_of_turn"
    as_infraction = "out_of_turn"
    text = marked(
        "Seat %(seat)s acted, but it is the turn of seat %(turn)s. "
        "Correct the seat, or record the act as out of turn."
    )


class WrongOpeningTile(Refusal):
    code = "wrong_opening_tile"
    as_infraction = "wrong_opening_tile"
    text = marked(
        "%(tile)s cannot open this round: it must be opened with %(expected)s. "
        "Correct the tile, or record the wrong opening tile as an infraction."
    )


class FalsePass(Refusal):
    code = "false_pass"
    as_infraction = "false_pass"
    text = marked(
        "Seat %(seat)s cannot pass: %(tiles)s can be played, the ends are %(left)s and %(right)s. "
        "Play a tile, or record the false pass as an infraction."
    )


class PassBeforeFirstTile(FalsePass):
    text = marked(
        "Seat %(seat)s cannot pass before the first tile: any tile opens. "
        "Lay the opening tile, or record the false pass as an infraction."
    )


class ImproperDraw(Refusal):
    code = "improper_draw"
    as_infraction = "improper_draw"
    text = marked(
        "Seat %(seat)s cannot draw: %(tiles)s can be played, the ends are %(left)s and %(right)s. "
        "Play a tile, or record the improper draw as an infraction."
    )


class DrawBeforeFirstTile(ImproperDraw):
    text = marked(
        "Seat %(seat)s cannot draw before the first tile. "
        "Lay the opening tile, or record the improper draw as an infraction."
    )


class NothingToDraw(ImproperDraw):
    text = marked(
        "Seat %(seat)s cannot draw: no tile of the stock may be drawn (left: %(stock)s, reserve: "
        "%(reserve)s). Record a pass, or record the improper draw as an infraction."
    )


class NotInHand(Refusal):
    code = "not_in_hand"
    text = marked(
        "%(tile)s is not in the hand of seat %(seat)s, which holds %(tiles)s. "
        "Check the tile and the seat you entered."
    )


class TileAlreadyPlayed(Refusal):
    code = "tile_already_played"
    text = marked("%(tile)s already lies on the table. Check the tile you entered.")


class NotInStock(Refusal):
    code = "not_in_stock"
    text = marked(
        "%(tile)s cannot come from the stock: it has been dealt, drawn or played. "
        "Check the tile you entered."
    )


class EndRequired(Refusal):
    code = "end_required"
    text = marked(
        "%(tile)s fits both ends, %(left)s and %(right)s. Say whether it was laid left or right."
    )


class MustDraw(Refusal):
    code = "must_draw"
    as_infraction = "must_draw"
    text, plural = counted(
        "Seat %(seat)s cannot pass yet: %(stock)s tile of the stock may still be drawn. Record "
        "a draw, or record the pass as an infraction.",
        "Seat %(seat)s cannot pass yet: %(stock)s tiles of the stock may still be drawn. Record"
        " a draw, or record the pass as an infraction.",
    )
    counts = "stock"


class MustPlay(Refusal):
    code = "must_play"
    as_infraction = "must_play"
    text = marked(
        "Seat %(seat)s must play %(expected)s, which lies open or was touched and fits; %(tile)s "
        "was laid. Play the obliged tile, or record the act as an infraction."
    )


class RulingPending(Refusal):
    code = "ruling_pending"
    text = marked(
        "The table is stopped: the infraction at event %(pending)s awaits its ruling. "
        "Rule on it before play goes on."
    )


class RoundOver(Refusal):
    code = "round_over"
    text = marked("This round is over (%(ended)s). Start the next round, or undo the last event.")


class MatchOver(Refusal):
    code = "match_over"
    text = marked("The match is over. Nothing more is played; close the match.")


class BadRecord(Refusal):
    """A record that is malformed: `path` is the JSON path, `expected` says what belongs there.

    `expected` is a Phrase, or what every language writes alike. `found` is the value itself, or
    a Phrase about it.
    """

    code = "bad_record"
    text = marked("The record cannot be read at %(path)s: expected %(expected)s, found %(found)s.")

    def __init__(
        self, path: str, expected: Phrase | str, found: object = None, **more: object
    ) -> None:
        super().__init__(path=path, expected=expected, found=shown(found), **more)
        self.path = path
        self.expected = str(expected)


class UndoTooFar(BadRecord):
    text, plural = counted(
        "%(asked)s event cannot be undone: in effect in this round are %(possible)s. Undo fewer.",
        "%(asked)s events cannot be undone: in effect in this round are %(possible)s. Undo fewer.",
    )
    counts = "asked"


class NothingPending(BadRecord):
    text = marked("Event %(asked)s awaits no ruling. Choose an infraction whose ruling is pending.")


class BesideSheet(BadRecord):
    text = marked(
        "A round has either a score-sheet result or moves and shown hands, not both. "
        "Undo one of them first."
    )


class AfterUnfinished(BadRecord):
    text = marked(
        "The round before is not finished. Finish it, or show the hands it needs, before the next."
    )


class BadNotation(DominoError):
    code = "bad_notation"
    text = marked(
        "“%(line)s” cannot be read at “%(found)s”: expected %(expected)s. "
        "Write for example “B 6-3 right”, “C pass” or “undo 1”."
    )


def shown(found: object) -> Phrase | str:
    """Return a short text of what was found, safe to print whatever it is."""
    match found:
        case Phrase():
            return found
        case None:
            return Phrase("nothing")
        case bool():
            return "true" if found else "false"
        case int():
            return str(found) if abs(found) < 10**9 else Phrase("a huge number")
        case str():
            text = found if len(found) <= 40 else found[:39] + "…"
            return "“" + "".join(one if one.isprintable() else "�" for one in text) + "”"
        case list() | tuple():
            return Phrase("a list")
        case dict():
            return Phrase("an object")
        case float():
            return Phrase("a decimal number")
        case _:
            return type(found).__name__
