"""Checks a stored draw without trusting it: replays it, and counts again what it claims."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import combinations

from tournaments.competition import requests, seating
from tournaments.competition.changes import Facts, Kind, Seating
from tournaments.competition.matching import cheapest
from tournaments.competition.optimum import Optimum, of_rotating, of_swiss
from tournaments.competition.reading import Answer, contenders_at, list_at, number_at, object_at
from tournaments.competition.types import BadRequest, Contender, Pairing

# Up to so many entries it is tried whether a draw without any rematch exists.
LARGEST_TRIED = 400
# Systems whose rounds are drawn one by one, so that laws of a round can be checked.
BY_ROUND = ("swiss", "rotating", "teams_of_four")
# Faults of a draw that seats nobody, somebody twice or where it must not.
UNSEATED = ("seated_twice", "left_out", "unknown_entry", "wrong_byes", "forbidden")
PLAYERS = {"swiss": 2, "rotating": 4, "teams_of_four": 4}


@dataclass(frozen=True, slots=True)
class Fault:
    """Something that is not as it should be: a stable `code` and who is concerned."""

    code: str
    entries: tuple[str, ...] = ()
    found: object = None
    expected: object = None

    def json(self) -> dict[str, object]:
        said: dict[str, object] = {"code": self.code}
        if self.entries:
            said["entries"] = list(self.entries)
        if self.found is not None or self.expected is not None:
            said |= {"found": self.found, "expected": self.expected}
        return said


def verify(stored: object) -> Answer:
    """Check a stored draw: `{"request", "answer"}`, and how it was `seated` in the end, if given.

    `faults` are laws broken by the draw; `changed` are the tables and byes of the seating that
    the draw did not answer, which somebody changed by hand. A draw without faults is `valid`.
    `optimum` says of a Swiss or rotating round what is proved again, by other means than those of
    the draw: on which lines of the law none is better, and by how much at most one could be.
    """
    draw = object_at(stored, "$")
    request = object_at(draw.get("request"), "request")
    answer = object_at(draw.get("answer"), "answer")
    faults = _replay(request, answer)
    optimum = None
    if request.get("system") in BY_ROUND:
        broken = _laws(request, answer)
        faults += broken
        if not any(one.code in UNSEATED for one in broken):
            optimum = _optimum(request, seating_at(answer))
    if optimum is not None and optimum.better is not None:
        faults.append(Fault("better_draw", (), list(optimum.costs), list(optimum.better)))
    checked: Answer = {"valid": not faults, "faults": [one.json() for one in faults]}
    if optimum is not None:
        checked["optimum"] = optimum.json()
    final = draw.get("seated")
    if final is not None:
        checked["changed"] = _changed(request, answer, object_at(final, "seated"))
    return checked


def _optimum(request: Mapping[str, object], drawn: Seating) -> Optimum | None:
    """Return what is proved of a round in which everybody sits or rests, and nobody forbidden."""
    contenders = contenders_at(request)
    players = PLAYERS[str(request["system"])]
    if any(len(one.entries) != players for one in drawn.tables):
        return None
    if request["system"] == "swiss":
        return of_swiss(request, contenders, drawn)
    if request["system"] == "rotating":
        return of_rotating(request, drawn, Facts.of(request, contenders))
    return None


def _replay(request: Mapping[str, object], answer: Mapping[str, object]) -> list[Fault]:
    again = requests.pair(dict(request))
    return [
        Fault("replay_differs", found=answer.get(name), expected=again.get(name))
        for name in sorted(again.keys() | answer.keys())
        if again.get(name) != answer.get(name)
    ]


def _laws(request: Mapping[str, object], answer: Mapping[str, object]) -> list[Fault]:
    contenders = contenders_at(request)
    facts = Facts.of(request, contenders)
    drawn = seating_at(answer)
    found = _everybody_once(contenders, drawn)
    found += _byes(contenders, drawn, facts, PLAYERS[str(request["system"])])
    blemishes = facts.blemishes(drawn)
    found += [Fault("forbidden", one.entries) for one in blemishes if one.kind is Kind.FORBIDDEN]
    if request["system"] == "swiss":
        found += _rematches(contenders, drawn, facts)
    for name, counted in _counts(drawn, facts):
        found += _claim(request, answer, name, counted)
    return found


def _everybody_once(contenders: Iterable[Contender], drawn: Seating) -> list[Fault]:
    seen = Counter(drawn.entries)
    known = {one.id for one in contenders}
    found = [Fault("seated_twice", (one,)) for one in sorted(seen) if seen[one] > 1]
    found += [Fault("left_out", (one,)) for one in sorted(known - seen.keys())]
    return found + [Fault("unknown_entry", (one,)) for one in sorted(seen.keys() - known)]


def _byes(contenders: list[Contender], drawn: Seating, facts: Facts, players: int) -> list[Fault]:
    """Check how many rest, and that nobody else has rested less (unless who may not meet)."""
    expected = len(contenders) % players
    found = []
    if len(drawn.byes) != expected:
        found.append(Fault("wrong_byes", drawn.byes, len(drawn.byes), expected))
    tied = {entry for two in facts.forbidden for entry in two}
    resting = [facts.known[one] for one in drawn.byes if one in facts.known]
    least = sorted(one.byes for one in contenders)[: len(resting)]
    if not tied and sorted(one.byes for one in resting) != least:
        found.append(Fault("bye_too_often", drawn.byes, [one.byes for one in resting], least))
    return found


def _rematches(contenders: list[Contender], drawn: Seating, facts: Facts) -> list[Fault]:
    """Check that no rematch is drawn where a draw without any exists."""
    repeated = [one.entries for one in facts.blemishes(drawn) if one.kind is Kind.REMATCH]
    if not repeated or len(contenders) > LARGEST_TRIED:
        return []
    seated = [one.id for one in contenders if one.id not in drawn.byes]
    new = [
        (one, other, 0)
        for one, other in combinations(range(len(seated)), 2)
        for two in [(min(seated[one], seated[other]), max(seated[one], seated[other]))]
        if not facts.met[two] and two not in facts.forbidden
    ]
    if 2 * len(cheapest(len(seated), new)) < len(seated):
        return []
    return [Fault("needless_rematch", two) for two in repeated]


def _counts(drawn: Seating, facts: Facts) -> Iterable[tuple[str, int]]:
    """Yield what the report of a draw says, counted again from its tables."""
    blemishes = facts.blemishes(drawn)
    times = Counter(one.kind for one in blemishes)
    yield "rematches", times[Kind.REMATCH]
    yield "repeat_partners", times[Kind.REPEATED_PARTNER]
    yield "win_gap", sum(one.amount**2 for one in blemishes if one.kind is Kind.WIN_GAP)


def _claim(
    request: Mapping[str, object], answer: Mapping[str, object], name: str, counted: int
) -> list[Fault]:
    report = object_at(answer.get("report") or {}, "report")
    windowed = name == "repeat_partners" and request.get("partner_window") is not None
    if name not in report or windowed or report[name] == counted:
        return []
    return [Fault("wrong_report", (name,), report[name], counted)]


def seating_at(written: Mapping[str, object]) -> Seating:
    """Return the tables and byes of an answer, or of a seating written like one."""
    tables = []
    for n, one in enumerate(list_at(written.get("tables"), "tables")):
        table = object_at(one, f"tables[{n}]")
        number = number_at(table, "table", f"tables[{n}].table", None, lowest=1)
        if "seats" in table:
            # Everybody plays alone: each seat is a side.
            at = zip("ABCD", list_at(table["seats"], f"tables[{n}].seats"), strict=False)
            table = {"table": number} | {letter: [entry] for letter, entry in at}
        sides = {
            side: tuple(str(entry) for entry in list_at(ids, f"tables[{n}].{side}"))
            for side, ids in table.items()
            if side != "table"
        }
        tables.append(Pairing(number, sides))
    byes = tuple(str(one) for one in list_at(written.get("byes"), "byes"))
    return Seating(tuple(tables), byes)


def _changed(
    request: Mapping[str, object], answer: Mapping[str, object], final: Mapping[str, object]
) -> list[dict[str, object]]:
    """Return the tables and byes of a seating that are not those of the answer."""
    if "tables" not in answer:
        raise BadRequest(path="answer.tables", expected="a list", found="nothing")
    drawn, now = seating_at(answer), seating_at(final)
    answered = {_meeting(one) for one in drawn.tables}
    found: list[dict[str, object]] = [
        {"table": one.json()} for one in now.tables if _meeting(one) not in answered
    ]
    found += [{"bye": one} for one in now.byes if one not in drawn.byes]
    by_lot = any("AC" not in one.sides for one in drawn.tables)
    seated = drawn.tables if by_lot else seating.seated(request, answer)
    placed = {_meeting(one): list(one.sides.values()) for one in seated}
    return found + [
        {"sides": one.json()}
        for one in now.tables
        if placed.get(_meeting(one), list(one.sides.values())) != list(one.sides.values())
    ]


def _meeting(table: Pairing) -> frozenset[frozenset[str]]:
    """Return who meets whom at a table, whatever its number and the seats."""
    return frozenset(frozenset(ids) for ids in table.sides.values())
