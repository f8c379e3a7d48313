"""The recording page drawn by the server, and what its script needs besides the state."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import uuid4

from django import template

from referee.words.record import page_words
from tournaments.drawing import tile_of

register = template.Library()

# Where the seats lie around the table, from the one nearest to the referee in order of turn.
_PLACES = {
    ("counter_clockwise", 2): ("below", "above"),
    ("counter_clockwise", 3): ("below", "right", "left"),
    ("counter_clockwise", 4): ("below", "right", "above", "left"),
    ("clockwise", 2): ("below", "above"),
    ("clockwise", 3): ("below", "left", "right"),
    ("clockwise", 4): ("below", "left", "above", "right"),
}


@dataclass(frozen=True, slots=True)
class Laid:
    """A tile of the line of play, as the drawing wants it."""

    left: int
    right: int
    event: int
    standing: bool


@dataclass(frozen=True, slots=True)
class OfferedPlay:
    """A play the page offers as one button, and the line of notation it stands for."""

    tile: str
    end: str
    line: str


@register.simple_tag
def recording_words() -> dict[str, str]:
    """The sentences of the page's script, for `json_script`."""
    return page_words()


@register.simple_tag
def new_key() -> str:
    """A client key for one form: sent twice, it is stored once."""
    return str(uuid4())


@register.simple_tag
def places(table: Mapping[str, Any]) -> str:
    """Where the seats lie, in order of turn from the one below."""
    rules = table["rules"]
    return " ".join(_PLACES[rules["direction"], len(table["seats"])])


@register.simple_tag
def stage(live: Mapping[str, Any]) -> str:
    """Say where the match stands: what the page asks for next."""
    if live["state"] != "playing":
        return str(live["state"])
    current = live["round"]
    if live["over"]:
        return "over"
    if current is None or live["next_round"]:
        return "between"
    if not current["play_over"]:
        return "recording"
    return "hands" if current["needs_hands"] else "ended"


@register.simple_tag
def seats_around(table: Mapping[str, Any], live: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The seats with their places, and what the open round says of each."""
    current = live["round"] or {}
    around = []
    for seat, place in zip(table["seats"], places(table).split(), strict=True):
        letter = seat["seat"]
        around.append(
            seat
            | {
                "place": place,
                "side_number": table["sides"].index(seat["side"]) + 1,
                "on_turn": current.get("turn") == letter,
                "in_hand": current.get("in_hand", {}).get(letter),
                "must": current.get("must", {}).get(letter, ()),
                "skips": letter in current.get("lose_turn", ()),
                "substitute": live["substitutes"].get(letter, ""),
                "out": letter in live["out"],
            }
        )
    return around


@register.simple_tag
def sides_of(table: Mapping[str, Any], live: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Both sides (or all players) with names, points and the points of every finished round."""
    sides = []
    for number, key in enumerate(table["sides"], start=1):
        seats = [seat for seat in table["seats"] if seat["side"] == key]
        sides.append(
            {
                "key": key,
                "seats": seats,
                "number": number,
                "name": table["side_names"][key],
                "total": live["totals"].get(key, 0),
                "deducted": sum(live["deductions"].get(seat["seat"], 0) for seat in seats),
                "winner": live["winner"] == key,
                "out": key in live["out"],
            }
        )
    return sides


@register.simple_tag
def laid(line: Sequence[Mapping[str, Any]]) -> list[Laid]:
    """The line of play as the drawing wants it."""
    return [Laid(one["left"], one["right"], one["event"], one["standing"]) for one in line]


@register.simple_tag
def offered_plays(current: Mapping[str, Any]) -> list[OfferedPlay]:
    """Every play that can be offered now, one for each end a tile fits."""
    turn, first = current["turn"], current["first_tile"]
    offers = []
    for one in current["tiles"]:
        if not current["line"]:
            if first in (None, one["tile"]):
                offers.append(OfferedPlay(one["tile"], "", f"{turn} {one['tile']}"))
            continue
        offers += [
            OfferedPlay(one["tile"], end, f"{turn} {one['tile']} {end}") for end in one["ends"]
        ]
    return offers


@register.simple_tag
def points_in(one_round: Mapping[str, Any], side: str) -> int:
    """What a side scored in a round."""
    return int((one_round["points"] or {}).get(side, 0))


@register.simple_tag
def seat_name(table: Mapping[str, Any], letter: str) -> str:
    """The name of the player at a seat."""
    return next(
        (str(one["player"]["name"]) for one in table["seats"] if one["seat"] == letter), letter
    )


@register.filter
def pips_of(tile: str) -> int:
    """The pips of a tile."""
    return sum(tile_of(tile))
