"""Documents of matches with everything that happens at a table thrown in at random.

Both sets of rules, the engine's and the page's, are held to the same answers on them.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from random import Random
from typing import Any

from engine.errors import Refusal
from engine.match import MatchState, replay
from engine.penalties import CARDS, NEEDS_TILE, PLAIN_MEASURES
from engine.profiles import PROFILES, Rules
from engine.reading import read_record
from engine.record import Record
from engine.written import record_json
from tests.engine.playing import blind, played_round

Json = dict[str, Any]

KINDS = ("misplay", "touch", "delay", "false_pass", "procedure", "signaling", "of our own")
CHOICES: dict[str, tuple[str | int, ...]] = {
    "first_opener": ("highest_double", "lot"),
    "next_opener": ("winner", "highest_double", "rotates"),
    "opening_tile": ("forced", "free"),
    "stock_reserve": (0, 0, 2),
    "block_winner": ("lowest_hand", "lowest_side"),
    "points_out": ("opponents", "all"),
    "points_block": ("opponents", "difference", "all"),
    "round_to": (1, 5),
    "bonus_both_ends": (0, 15),
    "points_to": ("deduct", "award"),
    "deduct_from": ("total", "result"),
}


def documents(seed: int, rounds: int) -> Iterator[Json]:
    """Yield documents with at least `rounds` rounds among them, the same for the same seed."""
    rng = Random(seed)
    made = 0
    while made < rounds:
        record = _match(rng)
        whole = record_json(record)
        if rng.random() < 0.5:
            whole = record_json(blind(record))
        made += len(record.rounds)
        if rng.random() < 0.9:
            _disturb(rng, whole)
        if rng.random() < 0.1:
            _break(rng, whole)
        yield json.loads(json.dumps(whole))


def _match(rng: Random) -> Record:
    profile = rng.choice(list(PROFILES.values()))
    options = {name: rng.choice(some) for name, some in CHOICES.items() if rng.random() < 0.3}
    players = rng.choice(profile.players)
    if profile.elimination and players > 2 and rng.random() < 0.4:
        options["survivors"] = rng.randint(1, players - 1)
    target = rng.choice((20, 50, 100, 150))
    record = Record(Rules.of(profile.key, target, options), players)
    for _ in range(rng.randint(1, 4)):
        state: MatchState = replay(record)
        if state.over:
            break
        record = replace(record, rounds=(*record.rounds, played_round(rng, record, state)))
    return record


def _disturb(rng: Random, whole: Json) -> None:
    """Put infractions, rulings, undos and slips of the pen among the events."""
    seats = "ABCD"[: whole["players"]]
    for number in range(len(whole["rounds"])):
        if number >= len(whole["rounds"]) or rng.random() < 0.4:
            continue
        one = whole["rounds"][number]
        events: list[Json] = one["events"]
        for _ in range(rng.randint(1, 4)):
            place = rng.randint(0, len(events))
            events.insert(place, _something(rng, seats, events, place))
            if rng.random() < 0.9:
                _cut_what_is_refused(whole, number, place)
        if rng.random() < 0.2 and "hands" not in one and len(events) > 1:
            _hide_a_tile(rng, one)
            del whole["rounds"][number + 1 :]
        if rng.random() < 0.2 and one.get("hands"):
            one["opener"] = rng.choice(seats)


def _cut_what_is_refused(whole: Json, number: int, place: int) -> None:
    """Take the event at `place` out again if it is refused, or all that cannot follow it."""
    events: list[Json] = whole["rounds"][number]["events"]
    try:
        replay(read_record(whole))
    except Refusal as refusal:
        if refusal.round == number and refusal.event == place:
            del events[place]
        elif refusal.round == number and refusal.event is not None:
            del events[refusal.event :]
            del whole["rounds"][number + 1 :]
        elif refusal.round is not None and refusal.round > number:
            del whole["rounds"][refusal.round :]


def _something(rng: Random, seats: str, events: list[Json], place: int) -> Json:
    seat = rng.choice(seats)
    pending = [n for n, event in enumerate(events) if event.get("measures") == "pending"]
    if rng.random() < 0.5:
        return _slip(rng, seat)
    if pending and rng.random() < 0.7:
        ruling: Json = {"ruling": rng.choice(pending)}
        return ruling | ({"measures": _measures(rng, place)} if rng.random() < 0.7 else {})
    return _infraction(rng, seat, place)


def _slip(rng: Random, seat: str) -> Json:
    tile = _tile(rng)
    return rng.choice(
        [
            {"undo": rng.randint(1, 3)},
            {"seat": seat, "play": tile, "end": rng.choice(["left", "right"])},
            {"seat": seat, "pass": True},
            {"seat": seat, "draw": rng.choice([None, tile])},
            {"seat": seat, "show": list({_tile(rng) for _ in range(rng.randint(0, 7))})},
            {"seat": seat, "count": rng.randint(0, 60)},
            {"time": "over"},
            {"seat": seat, "leaves": "robot"},
        ]
    )


def _infraction(rng: Random, seat: str, place: int) -> Json:
    act: Json = {"seat": seat, "infraction": rng.choice(KINDS)}
    tile = _tile(rng)
    if rng.random() < 0.7:
        act["tile"] = tile
    if rng.random() < 0.3:
        act |= {"end": rng.choice(["left", "right"]), "open": int(rng.choice(tile.split("-")))}
    if rng.random() < 0.2:
        act["deliberate"] = True
    if rng.random() < 0.7:
        act["measures"] = "pending" if rng.random() < 0.2 else _measures(rng, place)
    return act


def _hide_a_tile(rng: Random, one: Json) -> None:
    """Let a seat pass with a tile it could play, and show it at the end."""
    events: list[Json] = one["events"]
    place = rng.randrange(len(events))
    laid = events[place]
    if "play" in laid:
        events[place] = {"seat": laid["seat"], "pass": True}
        del events[place + 1 :]
        events.append({"seat": laid["seat"], "show": [laid["play"]]})


def _measures(rng: Random, place: int) -> list[str | Json]:
    def one() -> str | Json:
        return rng.choice(
            [
                rng.choice(PLAIN_MEASURES[:7]),
                rng.choice(("void_round", "lose_round", "lose_match", "disqualify")),
                rng.choice(NEEDS_TILE),
                {"points": rng.randint(0, 30)},
                {"percent": rng.choice([5, 10, 33])},
                {"card": rng.choice(CARDS)},
                {"rewind": max(0, place - rng.randint(1, 3))},
            ]
        )

    return [one() for _ in range(rng.randint(0, 3))]


def _tile(rng: Random) -> str:
    one, other = rng.randint(0, 6), rng.randint(0, 6)
    return f"{max(one, other)}-{min(one, other)}"


def _break(rng: Random, whole: Json) -> None:
    """Spoil one value somewhere in the document."""
    nests: list[Any] = [whole]
    found: list[tuple[Any, Any]] = []
    while nests:
        nest = nests.pop()
        inside = list(nest.items() if isinstance(nest, dict) else enumerate(nest))
        for key, value in inside:
            found.append((nest, key))
            if isinstance(value, dict | list):
                nests.append(value)
    nest, key = rng.choice(found)
    spoiled: Any = rng.choice(["x", None, -1, 3, 10**10, True, [], {}, "7-7", "6-6", "A", ["6-6"]])
    if isinstance(nest, dict) and rng.random() < 0.3:
        nest[rng.choice(["odd", "seat", "play"])] = spoiled
    elif rng.random() < 0.3:
        del nest[key]
    else:
        nest[key] = spoiled
