"""The hands of a round step by step: what is known of each, and what its passes tell."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field, replace

from engine.bits import OTHER, tiles_of
from engine.replay import Act, RoundReplay
from engine.state import RoundState
from engine.tiles import HAND_SIZE, TILES, Tile
from referee.recorded import StoredRound, tile_of


@dataclass(frozen=True, slots=True)
class Slot:
    """A tile in a hand from step `since` until it is laid at step `until`; None: not known."""

    tile: Tile | None
    since: int = 0
    until: int | None = None

    def is_held(self, step: int) -> bool:
        return self.since <= step and (self.until is None or step < self.until)


@dataclass(frozen=True, slots=True)
class Lack:
    """A pass at step `since` tells that a hand has no `number`: who passes has nothing to draw."""

    number: int
    since: int


@dataclass(frozen=True, slots=True)
class SeatHand:
    """What is known of one hand through a round."""

    slots: tuple[Slot, ...]
    lacks: tuple[Lack, ...]
    """Each number once."""
    told: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    """By the step of a pass: the numbers that it tells to be missing."""

    def sizes(self, last: int) -> tuple[tuple[int, int, int | None], ...]:
        """Return how many tiles are held: (count, since, until), for steps 0 to `last`."""
        counts = [sum(one.is_held(step) for one in self.slots) for step in range(last + 1)]
        starts = [step for step in range(last + 1) if not step or counts[step] != counts[step - 1]]
        ends: list[int | None] = [*starts[1:], None]
        return tuple((counts[start], start, end) for start, end in zip(starts, ends, strict=True))


def hands_by_step(
    stored: StoredRound,
    one: RoundState,
    step_of: Mapping[int, int],
    false: Container[int | None],
    *,
    open_to_reader: bool,
) -> dict[str, SeatHand]:
    """Return every hand; `step_of` has the step of each event in effect.

    `false` are the events of passes that the record proves to be false.

    Hands that were recorded or shown are there once they are `open_to_reader`; until then a
    hand is as many tiles as it has, and nobody sees which.
    """
    replay = one.replayed
    return {
        seat.value: _hand(
            stored, replay, seat.number, step_of, false, open_to_reader=open_to_reader
        )
        for seat in one.seats
    }


def _hand(
    stored: StoredRound,
    replay: RoundReplay,
    seat: int,
    step_of: Mapping[int, int],
    false: Container[int | None],
    *,
    open_to_reader: bool,
) -> SeatHand:
    plays = {
        tile: step_of[event]
        for event, (tile, who, *_) in zip(replay.plays, replay.table.line, strict=True)
        if who == seat
    }
    draws = [(step_of[event], tile) for event, who, tile, _, _ in replay.draws if who == seat]
    unseen = any(tile < 0 for _, tile in draws)
    slots: list[Slot] = []
    if open_to_reader and not (unseen and stored.hands is None):
        dealt = _dealt(stored, replay, seat, plays, {tile for _, tile in draws})
        slots += [Slot(TILES[tile], 0, plays.get(tile)) for tile in sorted(dealt, reverse=True)]
        slots += [Slot(None)] * (HAND_SIZE - len(slots))
        drawn = [Slot(None if tile < 0 else TILES[tile], step) for step, tile in draws]
        known = {one.tile.index for one in (*slots, *drawn) if one.tile is not None}
        later = [tile for tile in plays if tile not in known]
        slots += _settled(drawn, plays, later)
    else:
        slots += [Slot(None)] * HAND_SIZE + [Slot(None, step) for step, _ in draws]
        for step in sorted(plays.values()):
            place = next(n for n, slot in enumerate(slots) if slot.until is None)
            slots[place] = replace(slots[place], until=step)
    honest = _honest_passes(replay, seat, false)
    lacks, told = _lacks(honest, step_of, slots)
    return SeatHand(tuple(slots), lacks, told)


def _dealt(
    stored: StoredRound, replay: RoundReplay, seat: int, plays: Iterable[int], drawn: set[int]
) -> set[int]:
    """Return the tiles a seat is known to have been dealt."""
    if stored.hands is not None:
        return {tile_of(tile).index for tile in stored.hands.get("ABCD"[seat], ())}
    seen = set(plays)
    for shown in replay.shown:
        if shown.seat == seat and shown.tiles is not None:
            seen |= set(tiles_of(shown.tiles))
    return seen - drawn


def _settled(drawn: list[Slot], plays: Mapping[int, int], later: list[int]) -> list[Slot]:
    """Return the tiles drawn; one that nobody saw is known once it is laid."""
    slots = []
    for slot in drawn:
        tile = slot.tile.index if slot.tile is not None else None
        if tile is None:
            tile = next((one for one in later if plays[one] > slot.since), None)
            if tile is not None:
                later.remove(tile)
        if tile is None:
            slots.append(slot)
        else:
            slots.append(Slot(TILES[tile], slot.since, plays.get(tile)))
    return slots


def _honest_passes(replay: RoundReplay, seat: int, false: Container[int | None]) -> list[Act]:
    """Return the passes of a seat that were not found to be false, nor ruled to be.

    A ruling does not name the pass it is about: it may be any that came before.
    """
    ruled = max(
        (
            one.event
            for one in replay.offences
            if (one.act.kind, one.act.seat.number) == ("false_pass", seat)
        ),
        default=-1,
    )
    return [
        act for act in replay.passes if act[1] == seat and act[0] not in false and act[0] > ruled
    ]


def _lacks(
    passes: Iterable[Act], step_of: Mapping[int, int], slots: list[Slot]
) -> tuple[tuple[Lack, ...], dict[int, tuple[int, ...]]]:
    """Return what passes tell; one with a tile in hand that fitted tells nothing."""
    found: dict[int, Lack] = {}
    told: dict[int, tuple[int, ...]] = {}
    for event, _, _, left, right in passes:
        step = step_of[event]
        if any(_fits(slot, step, left, right) for slot in slots):
            continue
        told[step] = tuple(dict.fromkeys((left, right)))
        for number in told[step]:
            found.setdefault(number, Lack(number, step))
    return tuple(found.values()), told


def _fits(slot: Slot, step: int, left: int, right: int) -> bool:
    if slot.tile is None or not slot.is_held(step):
        return False
    halves = OTHER[slot.tile.index]
    return halves[left] >= 0 or halves[right] >= 0
