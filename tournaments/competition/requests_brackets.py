"""Reads requests for groups and brackets, and stored brackets; writes their answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from engine.errors import shown
from tournaments.competition.bracket_matches import (
    MEETINGS,
    SIDES,
    BracketMatch,
    By,
    Part,
    Source,
)
from tournaments.competition.double_elimination import double_elimination
from tournaments.competition.groups import draw
from tournaments.competition.knockout import knockout
from tournaments.competition.reading import (
    Answer,
    choice_at,
    contenders_at,
    id_at,
    list_at,
    number_at,
    object_at,
    separation_at,
    text_at,
)
from tournaments.competition.requests_swiss import pairs_at
from tournaments.competition.round_robin import LARGEST_LEGS
from tournaments.competition.seeding import Qualifier, Seed, seeds
from tournaments.competition.types import BadRequest


def answer_groups(asked: Mapping[str, object]) -> Answer:
    """Return groups with their rounds; `groups` says how many, `legs` how often they meet.

    With `rounds` only the first of them are played.
    """
    drawn = draw(
        contenders_at(asked),
        groups=number_at(asked, "groups", "groups", None, lowest=1),
        legs=number_at(asked, "legs", "legs", 1, lowest=1, highest=LARGEST_LEGS),
        rounds=number_at(asked, "rounds", "rounds", None, lowest=1) if "rounds" in asked else None,
        separate_by=separation_at(asked),
        forbidden=pairs_at(asked, "forbidden"),
    )
    return {"groups": [group.json() for group in drawn]}


def answer_knockout(asked: Mapping[str, object]) -> Answer:
    """Return a knockout; `third_place` asks for a match of those who lost the semifinals."""
    third_place = _yes_or_no(asked, "third_place", "third_place")
    best_of = _best_of(asked)
    return _bracket(knockout(_seeds(asked), third_place=third_place, best_of=best_of))


def answer_double_elimination(asked: Mapping[str, object]) -> Answer:
    """Return a winners' and a losers' bracket with the finals."""
    best_of = _best_of(asked)
    return _bracket(double_elimination(_seeds(asked), best_of=best_of))


def matches_at(value: object, path: str) -> tuple[BracketMatch, ...]:
    """Return the matches of a bracket that was answered before, each after those it needs."""
    found: dict[str, BracketMatch] = {}
    for n, one in enumerate(list_at(value, path)):
        match = _match_at(one, f"{path}[{n}]", found)
        if match.name in found:
            raise BadRequest(path=f"{path}[{n}].match", expected="a new name", found=match.name)
        found[match.name] = match
    return tuple(found.values())


def _match_at(value: object, path: str, earlier: Mapping[str, BracketMatch]) -> BracketMatch:
    written = object_at(value, path)
    sides = {side: _source_at(written.get(side), f"{path}.{side}", earlier) for side in SIDES}
    conditional = _yes_or_no(written, "conditional", f"{path}.conditional")
    if conditional and any(source.by is By.ENTRY for source in sides.values()):
        raise BadRequest(path=path, expected="sides of the first final", found="an entry")
    return BracketMatch(
        name=id_at(written.get("match"), f"{path}.match"),
        part=choice_at(Part, written.get("bracket"), f"{path}.bracket"),
        round=number_at(written, "round", f"{path}.round", None, lowest=0),
        sides=sides,
        best_of=_meeting(written.get("best_of", 1), f"{path}.best_of"),
        conditional=conditional,
    )


def _source_at(value: object, path: str, earlier: Mapping[str, BracketMatch]) -> Source:
    written = object_at(value, path)
    if len(written) != 1:
        expected = "one of " + ", ".join(By)
        raise BadRequest(path=path, expected=expected, found=f"{len(written)} of them")
    (kind, name), *_ = written.items()
    source = Source(choice_at(By, kind, path), id_at(name, f"{path}.{kind}"))
    if source.by is not By.ENTRY and source.name not in earlier:
        raise BadRequest(path=path, expected="an earlier match", found=shown(name))
    return source


def _bracket(matches: Iterable[BracketMatch]) -> Answer:
    return {"matches": [match.json() for match in matches]}


def _seeds(asked: Mapping[str, object]) -> list[Seed]:
    """Return the entries in order; `group` and `place` say whence they qualified."""
    qualifiers = []
    for n, contender in enumerate(contenders_at(asked)):
        path = f"entries[{n}]"
        entry = object_at(list_at(asked["entries"], "entries")[n], path)
        qualifiers.append(
            Qualifier(
                contender,
                group=text_at(entry, "group", f"{path}.group"),
                place=number_at(entry, "place", f"{path}.place", 0, lowest=0),
            )
        )
    return seeds(qualifiers, separation_at(asked), forbidden=pairs_at(asked, "forbidden"))


def _best_of(asked: Mapping[str, object]) -> int | list[int]:
    """Return what meetings are best of: one number, or one for each round."""
    value = asked.get("best_of", 1)
    if isinstance(value, list):
        return [_meeting(one, f"best_of[{n}]") for n, one in enumerate(value)]
    return _meeting(value, "best_of")


def _meeting(value: object, path: str) -> int:
    if type(value) is not int or value not in MEETINGS:
        expected = "one of " + ", ".join(map(str, MEETINGS))
        raise BadRequest(path=path, expected=expected, found=shown(value))
    return value


def _yes_or_no(values: Mapping[str, object], name: str, path: str) -> bool:
    value = values.get(name, False)
    if not isinstance(value, bool):
        raise BadRequest(path=path, expected="true or false", found=shown(value))
    return value
