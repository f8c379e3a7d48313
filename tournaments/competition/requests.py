"""Reads requests for a draw or for standings, and says where one is malformed."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from engine.errors import shown
from tournaments.competition import round_robin, survival
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
from tournaments.competition.requests_brackets import (
    answer_double_elimination,
    answer_groups,
    answer_knockout,
)
from tournaments.competition.requests_rotation import (
    answer_rotating,
    answer_schedule,
    answer_teams_of_four,
)
from tournaments.competition.requests_swiss import answer_swiss, pairs_at
from tournaments.competition.standings import standings
from tournaments.competition.types import (
    BadRequest,
    EntryResult,
    Outcome,
    ResultTwice,
    TieBreak,
    UnknownSystem,
)


def pair(request: object) -> Answer:
    """Return the answer to a request for a draw."""
    asked = object_at(request, "$")
    system = asked.get("system")
    if not isinstance(system, str) or system not in SYSTEMS:
        raise UnknownSystem(found=shown(system), known=", ".join(SYSTEMS))
    return SYSTEMS[system](asked)


def order(request: object) -> Answer:
    """Return the answer to a request for standings."""
    asked = object_at(request, "$")
    names = [
        choice_at(TieBreak, name, f"tie_breaks[{n}]")
        for n, name in enumerate(list_at(asked.get("tie_breaks"), "tie_breaks"))
    ]
    if len(set(names)) < len(names):
        raise BadRequest(path="tie_breaks", expected="each tie-break once", found="one twice")
    needs_target = TieBreak.DIFFERENCE_CAPPED in names
    rows = standings(
        _results(asked),
        names,
        target=number_at(asked, "target", "target", None if needs_target else 0, lowest=0),
        seed=number_at(asked, "seed", "seed", 0, lowest=-LARGEST),
    )
    return {"rows": [row.json() for row in rows]}


def _round_robin(asked: Mapping[str, object]) -> Answer:
    """Return all rounds; with `rounds` only the first of them are played."""
    rounds = round_robin.schedule(
        contenders_at(asked),
        legs=number_at(asked, "legs", "legs", 1, lowest=1, highest=round_robin.LARGEST_LEGS),
        rounds=number_at(asked, "rounds", "rounds", None, lowest=1) if "rounds" in asked else None,
        forbidden=pairs_at(asked, "forbidden"),
    )
    return {"rounds": [one.json() for one in rounds]}


def _elimination(asked: Mapping[str, object]) -> Answer:
    """Return tables of players for themselves; `survivors` says how many of each go on."""
    drawn = survival.draw(
        contenders_at(asked),
        survivors=number_at(
            asked, "survivors", "survivors", 2, lowest=1, highest=survival.MOST_SURVIVORS
        ),
        seed=number_at(asked, "seed", "seed", 0, lowest=-LARGEST),
        separate_by=separation_at(asked),
        forbidden=pairs_at(asked, "forbidden"),
    )
    return drawn.json()


SYSTEMS: Mapping[str, Callable[[Mapping[str, object]], Answer]] = {
    "round_robin": _round_robin,
    "groups": answer_groups,
    "knockout": answer_knockout,
    "double_elimination": answer_double_elimination,
    "rotating": answer_rotating,
    "schedule": answer_schedule,
    "teams_of_four": answer_teams_of_four,
    "swiss": answer_swiss,
    # Ours, beyond spec/pairing.md.
    "elimination": _elimination,
}


def _results(asked: Mapping[str, object]) -> list[EntryResult]:
    found = []
    seen: set[tuple[str, int]] = set()
    for n, one in enumerate(list_at(asked.get("results"), "results")):
        path = f"results[{n}]"
        result = object_at(one, path)
        read_result = EntryResult(
            round=number_at(result, "round", f"{path}.round", None, lowest=1),
            entry=id_at(result.get("entry"), f"{path}.entry"),
            outcome=choice_at(Outcome, result.get("outcome"), f"{path}.outcome"),
            opponents=tuple(
                id_at(opponent, f"{path}.opponents[{m}]")
                for m, opponent in enumerate(
                    list_at(result.get("opponents", []), f"{path}.opponents")
                )
            ),
            points_for=number_at(result, "for", f"{path}.for", 0, lowest=-LARGEST),
            points_against=number_at(result, "against", f"{path}.against", 0, lowest=-LARGEST),
            rounds_won=number_at(result, "rounds_won", f"{path}.rounds_won", 0, lowest=0),
            penalty=number_at(result, "penalty", f"{path}.penalty", 0, lowest=0),
        )
        key = (read_result.entry, read_result.round)
        if key in seen:
            raise ResultTwice(entry=read_result.entry, round=read_result.round)
        seen.add(key)
        found.append(read_result)
    return found
