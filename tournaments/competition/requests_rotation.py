"""Reads requests for tables of four with changing partners, and writes their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace

from engine.errors import shown
from tournaments.competition import movements
from tournaments.competition.reading import (
    LARGEST,
    Answer,
    choice_at,
    contenders_at,
    id_at,
    list_at,
    number_at,
    object_at,
    separation_at,
)
from tournaments.competition.rotation import Meeting, Past, Wishes, rotating
from tournaments.competition.rotation_patterns import Pattern
from tournaments.competition.types import BadRequest

LATEST_ROUND = 10_000
EVERY_OTHER = "*"
ROUND = re.compile("[1-9][0-9]{0,4}")


def answer_rotating(asked: Mapping[str, object]) -> Answer:
    """Return one round of individuals.

    `met` and `partnered` list two ids, and the round as a third item where it is known: a window
    (`partner_window`, `opponent_window`) of 3 makes a meeting count in the three rounds after
    it. One without a round counts always. Ids of players that are not there are passed over.
    `pattern` is a name, a list with one for each round (the last holds on), or an object such as
    `{"1": "spread", "2": "leaders_apart", "*": "nearest"}`; without it the first round is
    `spread` and the others are `nearest`.
    """
    return rotating(contenders_at(asked), _past(asked), _wishes(asked)).json()


def answer_teams_of_four(asked: Mapping[str, object]) -> Answer:
    """Return one round of teams of four: each entry names its `team`, the ranks order it."""
    contenders = contenders_at(asked)
    listed = list_at(asked.get("entries"), "entries")
    teams = {
        one.id: id_at(object_at(entry, f"entries[{n}]").get("team"), f"entries[{n}].team")
        for n, (one, entry) in enumerate(zip(contenders, listed, strict=True))
    }
    return rotating(contenders, _past(asked), replace(_wishes(asked), teams=teams)).json()


def answer_schedule(asked: Mapping[str, object]) -> Answer:
    """Return `rounds` rounds at once, drawn by lot from the `seed`."""
    rounds = number_at(asked, "rounds", "rounds", None, lowest=1, highest=movements.LARGEST_ROUNDS)
    return movements.schedule(contenders_at(asked), rounds=rounds, seed=_seed(asked)).json()


def _past(asked: Mapping[str, object]) -> Past:
    return Past(
        met=_meetings(asked, "met"),
        partnered=_meetings(asked, "partnered"),
        forbidden=[(one.one, one.other) for one in _meetings(asked, "forbidden", with_round=False)],
        opponent_window=_window(asked, "opponent_window"),
        partner_window=_window(asked, "partner_window"),
    )


def _wishes(asked: Mapping[str, object]) -> Wishes:
    number = number_at(asked, "round", "round", 1, lowest=1, highest=LATEST_ROUND)
    return Wishes(
        round=number,
        seed=_seed(asked),
        pattern=_pattern(asked, number),
        separate_by=separation_at(asked),
    )


def _seed(asked: Mapping[str, object]) -> int:
    return number_at(asked, "seed", "seed", 0, lowest=-LARGEST)


def _window(asked: Mapping[str, object], name: str) -> int | None:
    if asked.get(name) is None:
        return None
    return number_at(asked, name, name, None, lowest=0, highest=LATEST_ROUND)


def _meetings(asked: Mapping[str, object], name: str, *, with_round: bool = True) -> list[Meeting]:
    most = 3 if with_round else 2
    found = []
    for n, value in enumerate(list_at(asked.get(name, []), name)):
        # The longest lists of all: what is fine is not looked at twice.
        if type(value) is list and 2 <= len(value) <= most:
            one, other, *at = value
            if type(one) is str and type(other) is str and one != other:
                if not at:
                    found.append(Meeting(one, other))
                    continue
                if type(at[0]) is int and 1 <= at[0] <= LATEST_ROUND:
                    found.append(Meeting(one, other, at[0]))
                    continue
        expected = "the ids of two entries" + (", and the round" if with_round else "")
        raise BadRequest(path=f"{name}[{n}]", expected=expected, found=shown(value))
    return found


def _pattern(asked: Mapping[str, object], number: int) -> Pattern:
    """Return the pattern of the round; everything that is listed must be one, too."""
    usual = Pattern.SPREAD if number == 1 else Pattern.NEAREST
    match asked.get("pattern"):
        case None:
            return usual
        case list(names):
            listed = [choice_at(Pattern, name, f"pattern[{n}]") for n, name in enumerate(names)]
            return listed[min(number, len(listed)) - 1] if listed else usual
        case dict(names):
            by_round = {}
            for key, name in names.items():
                if key != EVERY_OTHER and not ROUND.fullmatch(key):
                    expected = "the number of a round, or *"
                    raise BadRequest(path="pattern", expected=expected, found=shown(key))
                by_round[key] = choice_at(Pattern, name, f"pattern.{key}")
            return by_round.get(str(number), by_round.get(EVERY_OTHER, usual))
        case name:
            return choice_at(Pattern, name, "pattern")
