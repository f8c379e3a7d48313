"""What a record proves and nobody ruled on. A finding never changes a score by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from engine.bits import ALL, BIT, HIGH, LOW, OTHER, mask_of, named, pips_of, tiles_of
from engine.errors import marked
from engine.events import PENDING
from engine.masks import FREED
from engine.replay import Act, RoundReplay
from engine.seats import SEATS, Seat
from engine.tiles import HAND_SIZE, SET_SIZE, TILES

_PLAYED = marked(
    "%(tile)s was in hand: played at event %(event)s, the ends were %(left)s and %(right)s"
)
_SHOWN = marked(
    "%(tile)s was in hand: shown at event %(event)s, the ends were %(left)s and %(right)s"
)
_DRAWN = marked(
    "%(tile)s was in hand: drawn at event %(event)s, the ends were %(left)s and %(right)s"
)
_OPENED = marked("The rules give the first tile to seat %(decided)s, seat %(seat)s opened")
_HIGHER_ELSEWHERE = marked(
    "Seat %(other)s held %(tile)s; the best tile seat %(seat)s can have held is %(best)s"
)
_HIGHER_IN_HAND = marked("%(tile)s was in hand and had to open; %(opened)s was laid")
_DEALT = marked("The hand had %(tiles)s tiles instead of 7")
_SHOWN_SIZE = marked("%(tiles)s tiles were shown; 7 with draws, less plays, leave %(expected)s")
_OTHER_TILES = marked("%(shown)s were shown; the hand held %(held)s")
_OTHER_PIPS = marked("%(shown)s pips were counted; the hand held %(held)s")
# The proofs by short names, for other implementations of these rules.
PROOFS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "played": _PLAYED,
        "shown": _SHOWN,
        "drawn": _DRAWN,
        "opened": _OPENED,
        "higher_elsewhere": _HIGHER_ELSEWHERE,
        "higher_in_hand": _HIGHER_IN_HAND,
        "dealt": _DEALT,
        "shown_size": _SHOWN_SIZE,
        "other_tiles": _OTHER_TILES,
        "other_pips": _OTHER_PIPS,
    }
)


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault the record proves. `event` is None where it is the round's; both count from 0."""

    round: int
    event: int | None
    seat: Seat
    kind: str
    text: str
    params: Mapping[str, object] = field(default_factory=dict)

    @property
    def proof(self) -> str:
        return self.text % self.params

    def json(self) -> dict[str, object]:
        return {
            "round": self.round,
            "event": self.event,
            "seat": self.seat.value,
            "kind": self.kind,
            "proof": self.proof,
        }


@dataclass(frozen=True, slots=True)
class Opening:
    """How a round was opened: who did, who the rules say, and which rule said it.

    Seats are -1 where not known; `dealt` are the hands as dealt, None in a blind record.
    """

    opener: int
    decided: int
    by_highest_double: bool
    forced: bool
    dealt: tuple[int, ...] | None


def findings(replay: RoundReplay, opening: Opening) -> list[Finding]:
    """Return the findings of a round in order of event, those of the whole round first."""
    settled = {
        (one.act.seat, one.act.kind) for one in replay.offences if one.measures is not PENDING
    }
    found = [one for one in _all(replay, opening) if (one.seat, one.kind) not in settled]
    found.sort(key=lambda one: (-1 if one.event is None else one.event, one.seat.number))
    return found


def _all(replay: RoundReplay, opening: Opening) -> Iterator[Finding]:
    number = replay.number
    if opening.decided >= 0 and opening.opener not in (-1, opening.decided):
        yield Finding(
            number,
            None,
            SEATS[opening.opener],
            "wrong_opener",
            _OPENED,
            {"decided": SEATS[opening.decided].value, "seat": SEATS[opening.opener].value},
        )
    if opening.dealt is not None:
        for seat in range(4):
            size = opening.dealt[seat].bit_count()
            if replay.in_play >> seat & 1 and size != HAND_SIZE:
                yield Finding(number, None, SEATS[seat], "wrong_hand_size", _DEALT, {"tiles": size})
    yield from _wrong_counts(replay)
    if replay.table.blind or any(tile < 0 for _, _, tile, _, _ in replay.draws):
        evidence = _Evidence(replay)
        for act in replay.passes:
            yield from evidence.held_at(act, "false_pass")
        for act in replay.draws:
            yield from evidence.held_at(act, "improper_draw")
        if replay.table.blind and opening.by_highest_double:
            yield from _wrong_openings(replay, opening, evidence)


def _wrong_counts(replay: RoundReplay) -> Iterator[Finding]:
    for shown in replay.shown:
        seat = SEATS[shown.seat]
        if shown.hand is None:
            if shown.tiles is not None and shown.tiles.bit_count() != shown.held:
                yield Finding(
                    replay.number,
                    None,
                    seat,
                    "wrong_hand_size",
                    _SHOWN_SIZE,
                    {"tiles": shown.tiles.bit_count(), "expected": shown.held},
                )
        elif shown.tiles is not None and shown.tiles != shown.hand:
            yield Finding(
                replay.number,
                shown.event,
                seat,
                "count_mismatch",
                _OTHER_TILES,
                {"shown": named(shown.tiles), "held": named(shown.hand)},
            )
        elif shown.tiles is None and shown.pips != pips_of(shown.hand):
            yield Finding(
                replay.number,
                shown.event,
                seat,
                "count_mismatch",
                _OTHER_PIPS,
                {"shown": shown.pips, "held": pips_of(shown.hand)},
            )


class _Evidence:
    """What each seat is known to have held: tiles it played, showed or was seen drawing."""

    def __init__(self, replay: RoundReplay) -> None:
        self.round = replay.number
        self.drawn: list[list[tuple[int, int]]] = [[], [], [], []]
        for event, seat, tile, _, _ in replay.draws:
            self.drawn[seat].append((event, tile))
        # (event, tile, how) in order of event.
        self.seen: list[list[tuple[int, int, str]]] = [[], [], [], []]
        for event, (tile, seat, *_) in zip(replay.plays, replay.table.line, strict=True):
            self.seen[seat].append((event, tile, _PLAYED))
        for shown in replay.shown:
            if shown.tiles is not None and shown.hand is None:
                for tile in tiles_of(shown.tiles):
                    self.seen[shown.seat].append((shown.event, tile, _SHOWN))

    def held_at(self, act: Act, kind: str) -> Iterator[Finding]:
        """Yield the finding that `act`, a pass or a draw, was made with a playable tile."""
        event, seat, _, left, right = act
        for when, tile, how in self._proofs(seat, event):
            if OTHER[tile][left] >= 0 or OTHER[tile][right] >= 0:
                yield Finding(
                    self.round,
                    event,
                    SEATS[seat],
                    kind,
                    how,
                    {"tile": TILES[tile], "event": when, "left": left, "right": right},
                )
                return

    def dealt_to(self, seat: int) -> int:
        """Return the tiles that `seat` is proved to have been dealt."""
        return mask_of(tile for _, tile, _ in self._proofs(seat, -1))

    def _proofs(self, seat: int, event: int) -> Iterator[tuple[int, int, str]]:
        """Yield (event, tile, how) of what proves a tile in hand just before `event`."""
        drawn_later = {tile for when, tile in self.drawn[seat] if when >= event >= 0 or event < 0}
        unseen = min(
            (when for when, tile in self.drawn[seat] if tile < 0 and when >= event), default=None
        )
        played_before = {tile for when, tile, how in self.seen[seat] if when < event}
        for when, tile in self.drawn[seat]:
            if when < event and tile >= 0 and tile not in played_before:
                yield when, tile, _DRAWN
        for when, tile, how in self.seen[seat]:
            if when < event or tile in drawn_later:
                continue
            if unseen is not None and when > unseen:
                continue
            yield when, tile, how


def _better(one: int, other: int) -> bool:
    """Does tile `one` open before `other`: doubles first, then the heavier, then the larger?"""
    return other < 0 or _rank(one) > _rank(other)


def _rank(tile: int) -> tuple[bool, int, int]:
    return (LOW[tile] == HIGH[tile], LOW[tile] + HIGH[tile], HIGH[tile])


OPENING_ORDER: Final = tuple(sorted(range(SET_SIZE), key=_rank, reverse=True))


def best_opening_tile(mask: int) -> int:
    """Return the tile of `mask` that has the lead where the highest double opens, -1 for none.

    Without a double it is the heaviest tile, of equal weight the one with the larger number
    (domna 3; wdf, start).
    """
    for tile in OPENING_ORDER:
        if mask & BIT[tile]:
            return tile
    return -1


def _wrong_openings(
    replay: RoundReplay, opening: Opening, evidence: _Evidence
) -> Iterator[Finding]:
    """What later tiles prove about the opening of a blind round by the highest double."""
    opener = opening.opener
    dealt = [evidence.dealt_to(seat) for seat in range(4)]
    own = dealt[opener]
    others = mask_of(tile for seat in range(4) if seat != opener for tile in tiles_of(dealt[seat]))
    drawn = mask_of(tile for _, _, tile, _, _ in replay.draws if tile >= 0)
    possible = own if own.bit_count() >= HAND_SIZE else ALL & ~others & ~drawn
    best, higher = best_opening_tile(possible), best_opening_tile(others)
    if higher >= 0 and _better(higher, best):
        holder = next(seat for seat in range(4) if dealt[seat] >> higher & 1 and seat != opener)
        yield Finding(
            replay.number,
            None,
            SEATS[opener],
            "wrong_opener",
            _HIGHER_ELSEWHERE,
            {
                "other": SEATS[holder].value,
                "tile": TILES[higher],
                "seat": SEATS[opener].value,
                "best": TILES[best],
            },
        )
        return
    line = replay.table.line
    if not line or not opening.forced or replay.table.first_tile == FREED:
        return
    first_tile, first_seat = line[0][:2]
    better = best_opening_tile(own)
    if first_seat == opener and _better(better, first_tile):
        yield Finding(
            replay.number,
            replay.plays[0],
            SEATS[opener],
            "wrong_opening_tile",
            _HIGHER_IN_HAND,
            {"tile": TILES[better], "opened": TILES[first_tile]},
        )
