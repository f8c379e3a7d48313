"""Reads a request for a Swiss round and writes the answer."""

from __future__ import annotations

from collections.abc import Mapping

from engine.errors import shown
from tournaments.competition.reading import (
    LARGEST,
    Answer,
    choice_at,
    contenders_at,
    id_at,
    list_at,
    number_at,
    separation_at,
)
from tournaments.competition.swiss import draw
from tournaments.competition.swiss_field import Order, Rules
from tournaments.competition.types import BadRequest


def answer_swiss(asked: Mapping[str, object]) -> Answer:
    """Return the answer to a request for a Swiss round."""
    return draw(
        contenders_at(asked),
        met=pairs_at(asked, "met"),
        forbidden=pairs_at(asked, "forbidden"),
        rules=rules_at(asked),
    ).json()


def rules_at(asked: Mapping[str, object]) -> Rules:
    """Return what the organizer chose for a Swiss round."""
    return Rules(
        order=choice_at(Order, asked.get("order", "nearest"), "order"),
        separate_by=separation_at(asked),
        seed=number_at(asked, "seed", "seed", 0, lowest=-LARGEST),
        round=number_at(asked, "round", "round", 1, lowest=1),
    )


def pairs_at(asked: Mapping[str, object], name: str) -> list[tuple[str, str]]:
    """Return the pairs of entries of a list, nothing and null being none."""
    listed = asked.get(name)
    found = []
    for n, pair in enumerate(list_at([] if listed is None else listed, name)):
        path = f"{name}[{n}]"
        two = list_at(pair, path)
        if len(two) != 2:
            raise BadRequest(path=path, expected="two entries", found=f"{len(two)}")
        one, other = id_at(two[0], f"{path}[0]"), id_at(two[1], f"{path}[1]")
        if one == other:
            raise BadRequest(path=path, expected="two different entries", found=shown(one))
        found.append((one, other))
    return found
