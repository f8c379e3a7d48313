"""Every event of a record as a whole sentence, for lists and for those who hear the page."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, singledispatch

from django.utils.translation import gettext, ngettext

from engine.events import (
    Count,
    Draw,
    End,
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
    Undo,
)
from engine.notation import parse_line
from engine.own_penalties import Own
from engine.penalties import CARD_LABELS, MEASURE_LABELS, Measure
from engine.seats import Seat
from engine.tiles import Tile
from tournaments.direction import isolated
from tournaments.errors.base import listed
from tournaments.words.rules import kind_name
from tournaments.words.tiles import tile_name

ROBOT = "robot"


@dataclass(frozen=True, slots=True)
class Names:
    """Who sits where: pairs of a seat and a name, in order of play."""

    seats: tuple[tuple[str, str], ...]
    own: Own = ()
    """What the event gives for infractions, with the names of its own kinds."""

    def name(self, seat: str) -> str:
        """Return the player of a seat."""
        return next((name for one, name in self.seats if one == seat), str(seat))

    def side_name(self, side: str) -> str:
        """Return the players of a side."""
        return " / ".join(self.name(seat) for seat in side)


def kind_label(kind: str, own: Own = ()) -> str:
    """Return a kind of infraction in the reader's language; an event's own as it names it."""
    return kind_name(kind, own)


def measure_label(measure: Measure) -> str:
    """Return one measure in the reader's language."""
    if measure.name == "card":
        return gettext(CARD_LABELS[str(measure.value)])
    return gettext(MEASURE_LABELS[measure.name]) % {"value": measure.value}


def measures_label(measures: Iterable[Measure] | Pending | None) -> str:
    """Return measures as one list in the reader's language."""
    if measures is None:
        return gettext("as the schedule of penalties says")
    if isinstance(measures, Pending):
        return gettext("the ruling is pending")
    return listed([measure_label(one) for one in measures]) or gettext("no measure")


def substitute_label(substitute: str) -> str:
    """Return who holds a seat that was left."""
    return gettext("a robot") if substitute == ROBOT else isolated(substitute)


@lru_cache(maxsize=16384)
def told(line: str, names: Names, *, opens: bool, language: str) -> str:
    """Return what the event written as `line` was, in `language`, which is the reader's.

    A line never means anything else, and lists of events are shown after every event.
    """
    return sentence(parse_line(line), names, opens=opens)


@singledispatch
def sentence(event: Event, names: Names, *, opens: bool = False) -> str:
    """Return what happened in the reader's language. `opens`: the first tile of the round."""
    raise TypeError(f"no sentence for {event!r}")


def _who(seat: Seat, names: Names) -> str:
    return isolated(names.name(seat))


@sentence.register
def _play(event: Play, names: Names, *, opens: bool = False) -> str:
    filling = {"player": _who(event.seat, names), "tile": tile_name(event.tile)}
    if opens:
        return gettext("%(player)s opens with %(tile)s.") % filling
    if event.end is End.LEFT:
        return gettext("%(player)s plays %(tile)s on the left.") % filling
    if event.end is End.RIGHT:
        return gettext("%(player)s plays %(tile)s on the right.") % filling
    return gettext("%(player)s plays %(tile)s.") % filling


@sentence.register
def _draw(event: Draw, names: Names, *, opens: bool = False) -> str:
    if event.tile is None:
        return gettext("%(player)s draws a tile.") % {"player": _who(event.seat, names)}
    return gettext("%(player)s draws %(tile)s.") % {
        "player": _who(event.seat, names),
        "tile": tile_name(event.tile),
    }


@sentence.register
def _pass(event: Pass, names: Names, *, opens: bool = False) -> str:
    return gettext("%(player)s passes.") % {"player": _who(event.seat, names)}


@sentence.register
def _infraction(event: Infraction, names: Names, *, opens: bool = False) -> str:
    filling = {
        "player": _who(event.seat, names),
        "kind": kind_label(event.kind, names.own),
        "measures": measures_label(event.measures),
        "tile": "" if event.tile is None else tile_name(event.tile),
    }
    if event.tile is not None:
        return gettext("Infraction by %(player)s: %(kind)s, %(tile)s (%(measures)s).") % filling
    return gettext("Infraction by %(player)s: %(kind)s (%(measures)s).") % filling


@sentence.register
def _ruling(event: Ruling, names: Names, *, opens: bool = False) -> str:
    return gettext("Ruling on event %(event)s: %(measures)s.") % {
        "event": event.event,
        "measures": measures_label(event.measures),
    }


@sentence.register
def _show(event: Show, names: Names, *, opens: bool = False) -> str:
    filling = {
        "player": _who(event.seat, names),
        "tiles": listed([tile_name(one) for one in event.tiles]),
    }
    if not event.tiles:
        return gettext("%(player)s has no tiles left.") % filling
    return gettext("%(player)s shows %(tiles)s.") % filling


@sentence.register
def _count(event: Count, names: Names, *, opens: bool = False) -> str:
    return ngettext(
        "%(player)s counts %(pips)s pip.", "%(player)s counts %(pips)s pips.", event.pips
    ) % {"player": _who(event.seat, names), "pips": event.pips}


@sentence.register
def _sheet(event: Sheet, names: Names, *, opens: bool = False) -> str:
    if not isinstance(event.points, int):
        counted = [
            gettext("%(player)s %(points)s") % {"player": _who(seat, names), "points": points}
            for seat, points in event.points.items()
        ]
        return gettext("From the score sheet: %(points)s.") % {"points": listed(counted)}
    if event.winner is None:
        return gettext("From the score sheet: blocked, nobody wins.")
    filling = {"side": isolated(names.side_name(event.winner)), "points": event.points}
    if event.ended == "blocked":
        return gettext("From the score sheet: blocked, %(side)s win %(points)s points.") % filling
    return gettext("From the score sheet: out, %(side)s win %(points)s points.") % filling


@sentence.register
def _time_over(event: TimeOver, names: Names, *, opens: bool = False) -> str:
    return gettext("Time is over; the round in play is finished first.")


@sentence.register
def _leaves(event: Leaves, names: Names, *, opens: bool = False) -> str:
    return gettext("%(player)s leaves; the seat is held by %(substitute)s.") % {
        "player": _who(event.seat, names),
        "substitute": substitute_label(event.substitute),
    }


@sentence.register
def _undo(event: Undo, names: Names, *, opens: bool = False) -> str:
    return ngettext(
        "A slip of the pen: the last event is taken back.",
        "A slip of the pen: the last %(count)s events are taken back.",
        event.count,
    ) % {"count": event.count}


def tiles_label(tiles: Iterable[Tile]) -> str:
    """Return tiles as one list of names in the reader's language."""
    return listed([tile_name(one) for one in tiles])
