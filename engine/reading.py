"""The JSON document of a match read into values, every fault with its path."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final

from engine import expected
from engine.errors import BadRecord, Phrase
from engine.events import (
    PENDING,
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
from engine.penalties import CARDS, NEEDS_TILE, PLAIN_MEASURES, WHOLE_NUMBER_MEASURES, Measure
from engine.profiles import Rules
from engine.record import (
    FORMAT,
    LARGEST_NUMBER,
    LONGEST_KIND,
    LONGEST_NAME,
    LONGEST_NOTE,
    MOST_BYTES,
    MOST_EVENTS,
    MOST_EVENTS_IN_ALL,
    MOST_ROUNDS,
    VERSION,
    Record,
    Round,
)
from engine.seats import SEATS, Seat, Side
from engine.tiles import SET_PIPS, SET_SIZE, BadTile, Tile


def read_text(text: str | bytes) -> Record:
    """Read a document as JSON text; raises BadRecord, also for text that is no JSON."""
    return read_record(parse_json(text))


def parse_json(text: str | bytes) -> object:
    """Return the JSON value of `text`; raises BadRecord where it is none or too large."""
    if len(text) > MOST_BYTES:
        raise BadRecord("$", Phrase("at most %(most)s bytes", most=MOST_BYTES), len(text))
    try:
        value: object = json.loads(text)
    except RecursionError:
        wanted = Phrase("a document nested less deeply")
        raise BadRecord("$", wanted, Phrase("deep nesting")) from None
    except json.JSONDecodeError as error:
        found = Phrase(
            "other text at line %(line)s, character %(character)s",
            line=error.lineno,
            character=error.colno,
        )
        raise BadRecord("$", Phrase("a JSON document"), found) from None
    except ValueError:
        raise BadRecord("$", Phrase("a JSON document"), Phrase("other text")) from None
    return value


def read_record(written: object) -> Record:
    """Read a document already parsed; raises BadRecord with the JSON path and what belongs there.

    What cannot be known without replaying (a ruling on an event that is not pending, an undo of
    more than there is) is refused by `engine.match`.
    """
    document = _object(
        written, "$", ("format", "version", "rules", "players", "partnership", "names", "rounds")
    )
    if document.get("format") != FORMAT:
        raise BadRecord("format", f"“{FORMAT}”", document.get("format"))
    if type(document.get("version")) is not int or document["version"] != VERSION:
        raise BadRecord("version", str(VERSION), document.get("version"))
    rules = Rules.read(document.get("rules"))
    profile = rules.of_profile
    players = document.get("players")
    if type(players) is not int or players not in profile.players:
        raise BadRecord("players", expected.table_of(profile.players, profile.key), players)
    if rules.elimination and rules.survivors >= players:
        wanted = Phrase("fewer than the players")
        raise BadRecord("rules.options.survivors", wanted, rules.survivors)
    empty = Record(rules, players)
    partnership = document.get("partnership")
    if partnership is not None and partnership is not empty.partnership:
        wanted = Phrase(
            "%(value)s for %(players)s under %(profile)s",
            value="true" if empty.partnership else "false",
            players=players,
            profile=profile.key,
        )
        raise BadRecord("partnership", wanted, partnership)
    names = _names(document.get("names"), empty)
    written_rounds = document.get("rounds")
    if not isinstance(written_rounds, list) or len(written_rounds) > MOST_ROUNDS:
        wanted = Phrase("a list of at most %(most)s rounds", most=MOST_ROUNDS)
        raise BadRecord("rounds", wanted, written_rounds)
    reader = _Reader(rules, empty.seats, empty.sides)
    rounds = tuple(reader.round(number, one) for number, one in enumerate(written_rounds))
    return Record(rules, players, rounds, names)


def read_event(written: object, record: Record | None = None) -> Event:
    """Read one event as JSON; `record` says whose seats and schedule bind it. Raises BadRecord."""
    if record is None:
        return _Reader(None, SEATS, None).event(written, "event")
    return _Reader(record.rules, record.seats, record.sides).event(written, "event")


def _object(written: object, path: str, keys: tuple[str, ...]) -> dict[str, object]:
    if not isinstance(written, dict):
        raise BadRecord(path, expected.an_object(), written)
    for key in written:
        if key not in keys:
            raise BadRecord(path, expected.only_keys(keys), key)
    return written


def _whole(written: object, path: str, lowest: int, highest: int) -> int:
    if type(written) is not int or not lowest <= written <= highest:
        raise BadRecord(path, expected.whole_number(lowest, highest), written)
    return written


def _text(written: object, path: str, longest: int) -> str:
    if not isinstance(written, str) or len(written) > longest:
        raise BadRecord(path, expected.text_of(longest), written)
    if any("\ud800" <= one <= "\udfff" for one in written):
        wanted = Phrase("text without broken characters")
        raise BadRecord(path, wanted, Phrase("half a character"))
    return written


def _tile(written: object, path: str) -> Tile:
    try:
        if isinstance(written, str) and len(written) == 3:
            return Tile.parse(written)
    except BadTile:
        pass
    raise BadRecord(path, expected.tile(), written)


def _tiles(written: object, path: str, most: int) -> tuple[Tile, ...]:
    if not isinstance(written, list) or len(written) > most:
        raise BadRecord(path, Phrase("a list of at most %(most)s tiles", most=most), written)
    tiles = tuple(_tile(one, f"{path}[{place}]") for place, one in enumerate(written))
    if len(set(tiles)) < len(tiles):
        raise BadRecord(path, Phrase("every tile once"), Phrase("a tile twice"))
    return tiles


def _names(written: object, record: Record) -> dict[Seat, str]:
    if written is None:
        return {}
    named = _object(written, "names", tuple(record.seats))
    return {Seat(seat): _text(name, f"names.{seat}", LONGEST_NAME) for seat, name in named.items()}


class _Reader:
    """Reads rounds and events for one table."""

    def __init__(
        self, rules: Rules | None, seats: tuple[Seat, ...], sides: tuple[Side, ...] | None
    ) -> None:
        self.rules = rules
        self.seats = seats
        self.sides = sides
        self.events_read = 0

    def round(self, number: int, written: object) -> Round:
        path = f"rounds[{number}]"
        try:
            one = _object(written, path, ("hands", "stock", "opener", "events"))
            hands = self._hands(one.get("hands"), f"{path}.hands")
            stock = self._stock(one.get("stock"), hands, f"{path}.stock")
            opener = one.get("opener")
            if opener is not None:
                opener = self._seat(opener, f"{path}.opener")
            events = self._listed(one.get("events"), f"{path}.events")
        except BadRecord as refusal:
            raise refusal.at(number, None) from None
        read: list[Event] = []
        for place, event in enumerate(events):
            try:
                read.append(self.event(event, f"{path}.events[{place}]"))
            except BadRecord as refusal:
                raise refusal.at(number, place) from None
        return Round(tuple(read), hands, stock, opener)

    def _listed(self, written: object, path: str) -> list[object]:
        if not isinstance(written, list) or len(written) > MOST_EVENTS:
            wanted = Phrase("a list of at most %(most)s events", most=MOST_EVENTS)
            raise BadRecord(path, wanted, written)
        self.events_read += len(written)
        if self.events_read > MOST_EVENTS_IN_ALL:
            wanted = Phrase("at most %(most)s events in all", most=MOST_EVENTS_IN_ALL)
            raise BadRecord(path, wanted, Phrase("more"))
        return written

    def _hands(self, written: object, path: str) -> dict[Seat, tuple[Tile, ...]] | None:
        if written is None:
            return None
        hands = _object(written, path, tuple(self.seats))
        read: dict[Seat, tuple[Tile, ...]] = {}
        seen: set[Tile] = set()
        for seat in self.seats:
            tiles = _tiles(hands.get(seat), f"{path}.{seat}", SET_SIZE)
            if seen.intersection(tiles):
                wanted = Phrase("tiles that no other hand has")
                raise BadRecord(f"{path}.{seat}", wanted, Phrase("a tile twice"))
            seen.update(tiles)
            read[seat] = tiles
        return read

    def _stock(
        self, written: object, hands: Mapping[Seat, tuple[Tile, ...]] | None, path: str
    ) -> tuple[Tile, ...] | None:
        if written is None:
            return None
        if hands is None:
            raise BadRecord(path, Phrase("hands beside a stock"))
        stock = _tiles(written, path, SET_SIZE)
        dealt = {tile for tiles in hands.values() for tile in tiles}
        if dealt.intersection(stock) or len(dealt) + len(stock) != SET_SIZE:
            wanted = Phrase("all the tiles that no hand has")
            raise BadRecord(path, wanted, Phrase("another set of tiles"))
        return stock

    def event(self, written: object, path: str) -> Event:
        if not isinstance(written, dict):
            raise BadRecord(path, Phrase("an event, which is an object"), written)
        acts = [key for key in EVENT_KEYS if key in written]
        if len(acts) != 1:
            raise BadRecord(path, expected.one_of(EVENT_KEYS), ", ".join(acts) or None)
        keys, read = EVENT_KEYS[acts[0]]
        return read(self, _object(written, path, keys), path)

    def _seat(self, written: object, path: str) -> Seat:
        if isinstance(written, str) and written in self.seats:
            return Seat(written)
        raise BadRecord(path, expected.seat_of(self.seats), written)

    def _end(self, written: object, path: str) -> End | None:
        if written is None:
            return None
        if isinstance(written, str) and written in ("left", "right"):
            return End(written)
        raise BadRecord(path, expected.either("left", "right"), written)

    def play(self, one: dict[str, object], path: str) -> Event:
        return Play(
            self._seat(one.get("seat"), f"{path}.seat"),
            _tile(one["play"], f"{path}.play"),
            self._end(one.get("end"), f"{path}.end"),
        )

    def draw(self, one: dict[str, object], path: str) -> Event:
        tile = one["draw"]
        return Draw(
            self._seat(one.get("seat"), f"{path}.seat"),
            None if tile is None else _tile(tile, f"{path}.draw"),
        )

    def say_pass(self, one: dict[str, object], path: str) -> Event:
        if one["pass"] is not True:
            raise BadRecord(f"{path}.pass", "true", one["pass"])
        return Pass(self._seat(one.get("seat"), f"{path}.seat"))

    def infraction(self, one: dict[str, object], path: str) -> Event:
        seat = self._seat(one.get("seat"), f"{path}.seat")
        kind = one["infraction"]
        if not isinstance(kind, str) or not is_kind(kind):
            wanted = Phrase("the name of a kind, such as “%(example)s”", example="touch")
            raise BadRecord(f"{path}.infraction", wanted, kind)
        tile = one.get("tile")
        if tile is not None:
            tile = _tile(tile, f"{path}.tile")
        opened = one.get("open")
        if opened is not None:
            opened = _whole(opened, f"{path}.open", 0, 6)
        deliberate = one.get("deliberate", False)
        if type(deliberate) is not bool:
            raise BadRecord(f"{path}.deliberate", expected.either("true", "false"), deliberate)
        measures: tuple[Measure, ...] | Pending | None
        if one.get("measures") == PENDING.value:
            measures = PENDING
        else:
            measures = self._measures(one.get("measures"), f"{path}.measures")
        act = Infraction(
            seat,
            kind,
            tile,
            self._end(one.get("end"), f"{path}.end"),
            opened,
            measures,
            deliberate,
            _text(one.get("note", ""), f"{path}.note", LONGEST_NOTE),
        )
        self._require_whole(act, path)
        return act

    def _require_whole(self, act: Infraction, path: str) -> None:
        """Refuse measures that lack what they are about."""
        schedule = None if self.rules is None else self.rules.schedule
        if act.measures is None and schedule and act.kind not in schedule.penalties:
            raise BadRecord(f"{path}.measures", expected.measures_beyond(act.kind))
        if not isinstance(act.measures, tuple):
            return
        for measure in act.measures:
            if measure.name in NEEDS_TILE and act.tile is None:
                raise BadRecord(f"{path}.tile", expected.tile_about(measure.name))
            if measure.name == "stand" and act.tile is not None:
                if act.end is None:
                    wanted = Phrase("the end at which the tile stays")
                    raise BadRecord(f"{path}.end", wanted)
                if act.open is None or not act.tile.has(act.open):
                    wanted = Phrase("the half of the tile now open")
                    raise BadRecord(f"{path}.open", wanted, act.open)

    def _measures(self, written: object, path: str) -> tuple[Measure, ...] | None:
        if written is None:
            return None
        if not isinstance(written, list) or len(written) > 20:
            wanted = Phrase("a list of measures, or “%(pending)s”", pending=PENDING.value)
            raise BadRecord(path, wanted, written)
        return tuple(self._measure(one, f"{path}[{place}]") for place, one in enumerate(written))

    def _measure(self, written: object, path: str) -> Measure:
        if isinstance(written, str) and written in PLAIN_MEASURES:
            return Measure(written)
        if isinstance(written, dict) and len(written) == 1:
            ((name, value),) = written.items()
            if name == "card" and isinstance(value, str) and value in CARDS:
                return Measure("card", value)
            if name in WHOLE_NUMBER_MEASURES:
                most = {"percent": 1000, "rewind": MOST_EVENTS}.get(name, LARGEST_NUMBER)
                return Measure(name, _whole(value, f"{path}.{name}", 0, most))
        known = ", ".join((*PLAIN_MEASURES, *WHOLE_NUMBER_MEASURES, "card"))
        raise BadRecord(path, Phrase("a measure: %(known)s", known=known), written)

    def ruling(self, one: dict[str, object], path: str) -> Event:
        return Ruling(
            _whole(one["ruling"], f"{path}.ruling", 0, MOST_EVENTS),
            self._measures(one.get("measures"), f"{path}.measures"),
            _text(one.get("note", ""), f"{path}.note", LONGEST_NOTE),
        )

    def show(self, one: dict[str, object], path: str) -> Event:
        return Show(
            self._seat(one.get("seat"), f"{path}.seat"),
            _tiles(one["show"], f"{path}.show", SET_SIZE),
        )

    def count(self, one: dict[str, object], path: str) -> Event:
        return Count(
            self._seat(one.get("seat"), f"{path}.seat"),
            _whole(one["count"], f"{path}.count", 0, SET_PIPS),
        )

    def sheet(self, one: dict[str, object], path: str) -> Event:
        path = f"{path}.result"
        result = _object(one["result"], path, ("winner", "points", "ended"))
        ended = result.get("ended")
        if not isinstance(ended, str) or ended not in ("out", "blocked"):
            raise BadRecord(f"{path}.ended", expected.either("out", "blocked"), ended)
        if "winner" not in result:
            raise BadRecord(f"{path}.winner", Phrase("a side, or null for a drawn round"))
        winner = result["winner"]
        if winner is not None:
            known = self.sides if self.sides is not None else ("AC", "BD", *SEATS)
            if not isinstance(winner, str) or winner not in known:
                raise BadRecord(
                    f"{path}.winner",
                    Phrase("null or one of %(choices)s", choices=", ".join(known)),
                    winner,
                )
            winner = str(winner)
        points = self._sheet_points(result.get("points"), f"{path}.points")
        if winner is None and isinstance(points, int) and points:
            raise BadRecord(f"{path}.points", Phrase("0 for a drawn round"), points)
        return Sheet(winner, points, ended)

    def _sheet_points(self, written: object, path: str) -> int | dict[Seat, int]:
        alone = self.rules is not None and self.rules.elimination
        by_seat = isinstance(written, dict)
        if self.rules is not None and alone is not by_seat:
            by_side = Phrase("a whole number of points")
            wanted = Phrase("an object, seat to points") if alone else by_side
            raise BadRecord(path, wanted, written)
        if not by_seat:
            return _whole(written, path, 0, LARGEST_NUMBER)
        read = _object(written, path, tuple(self.seats))
        return {
            Seat(seat): _whole(points, f"{path}.{seat}", 0, LARGEST_NUMBER)
            for seat, points in read.items()
        }

    def time(self, one: dict[str, object], path: str) -> Event:
        if one["time"] != "over":
            raise BadRecord(f"{path}.time", "“over”", one["time"])
        return TimeOver()

    def leaves(self, one: dict[str, object], path: str) -> Event:
        substitute = _text(one["leaves"], f"{path}.leaves", LONGEST_NAME)
        if not substitute.strip():
            wanted = Phrase("“%(robot)s” or a name", robot="robot")
            raise BadRecord(f"{path}.leaves", wanted, substitute)
        return Leaves(self._seat(one.get("seat"), f"{path}.seat"), substitute)

    def undo(self, one: dict[str, object], path: str) -> Event:
        return Undo(_whole(one["undo"], f"{path}.undo", 1, MOST_EVENTS))


def is_kind(text: str) -> bool:
    """Can `text` name a kind of infraction: printable, not empty, no space at its edges?"""
    return text.isprintable() and text == text.strip() and 0 < len(text) <= LONGEST_KIND


_ReadEvent = Callable[[_Reader, dict[str, object], str], Event]
EVENT_KEYS: Final[Mapping[str, tuple[tuple[str, ...], _ReadEvent]]] = {
    "play": (("seat", "play", "end"), _Reader.play),
    "draw": (("seat", "draw"), _Reader.draw),
    "pass": (("seat", "pass"), _Reader.say_pass),
    "infraction": (
        ("seat", "infraction", "tile", "end", "open", "measures", "deliberate", "note"),
        _Reader.infraction,
    ),
    "ruling": (("ruling", "measures", "note"), _Reader.ruling),
    "show": (("seat", "show"), _Reader.show),
    "count": (("seat", "count"), _Reader.count),
    "result": (("result",), _Reader.sheet),
    "time": (("time",), _Reader.time),
    "leaves": (("seat", "leaves"), _Reader.leaves),
    "undo": (("undo",), _Reader.undo),
}
