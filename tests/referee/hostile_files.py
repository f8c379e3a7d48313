"""Files of events with one value broken, and every address of an event to open after an import."""

from __future__ import annotations

import copy
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from random import Random
from typing import Any

from django.contrib.auth.models import User
from django.urls import URLPattern, URLResolver, get_resolver

from referee.models import RoundRecord
from tournaments.models import Match, PairingRound, Tournament
from tournaments.services import exports

Path = tuple[str | int, ...]

HOSTILE: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 7, 2**15, 2**31, 2**63, 10**30, 0.5, -1e300, "", " ", "x", "0",
    "-1", "1", "99", "A", "AC", "é" * 300, "x" * 5000, "a\0b", "\ud800", "%(who)s", "%d", "%",
    "2026-13-01", "0001-01-01T00:00:00+00:00", "9999-12-31T23:59:59-12:00", "2026-05-01",
    "2026-05-01T10:00:00", "<b>&", "\u202eabc", [], {}, [None], [1], ["x"], [[]], {"a": 1},
    {"1": {}}, {"": None}, [[1, 2], [3, 4]], {"rows": []}, {"tables": [], "byes": []},
)  # fmt: skip

PRINTS = ("pairings", "names", "scores", "cards", "standings", "badges", "certificates")


def reduced(document: dict[str, Any], *, rounds: int = 3, records: int = 2) -> dict[str, Any]:
    """Return an event with few rounds and records: every kind of value is still there."""
    kept = 0
    for stage in document["stages"]:
        stage["rounds"] = (
            stage["rounds"][:rounds] if stage["system"] != "knockout" else stage["rounds"]
        )
        for one in stage["rounds"]:
            for match in one["matches"]:
                if match["record"]:
                    kept += 1
                    match["record"] = match["record"][:1] if kept <= records else []
    return document


def mutated(document: dict[str, Any], chance: Random) -> tuple[dict[str, Any], Path, str]:
    """Return a copy with one nested value deleted, replaced, doubled or of another type."""
    changed = copy.deepcopy(document)
    path, parent, key = _somewhere(changed, chance)
    value = parent[key]
    act = chance.choice(("delete", "replace", "replace", "double", "retype", "nudge", "borrow"))
    if act == "delete":
        del parent[key]
    elif act == "double" and isinstance(parent, list):
        parent.insert(key, copy.deepcopy(value))
    elif act == "retype":
        parent[key] = _retyped(value, chance)
    elif act == "nudge" and isinstance(value, int):
        parent[key] = int(value) + chance.choice((-1, 1, 2, 100))
    elif act == "borrow":
        # A value of the same name from elsewhere in the file: right by type, wrong by place.
        parent[key] = copy.deepcopy(chance.choice(_of_name(document, path)))
    else:
        act = "replace"
        parent[key] = copy.deepcopy(chance.choice(HOSTILE))
    return changed, path, act


def _somewhere(document: Any, chance: Random) -> tuple[Path, Any, Any]:
    """Walk down by lot, so that a rare value is met as often as a common one."""
    path: Path = ()
    parent: Any = document
    while True:
        keys = list(parent) if isinstance(parent, dict) else list(range(len(parent)))
        weights = [
            8 if key in ("stages", "rounds", "draw", "log", "matches") else 2 for key in keys
        ]
        key = chance.choices(keys, weights)[0]
        path = (*path, key)
        below = parent[key]
        if not isinstance(below, dict | list) or not below or chance.random() < 0.12:
            return path, parent, key
        parent = below


def _of_name(document: Any, path: Path) -> list[Any]:
    name = next((one for one in reversed(path) if isinstance(one, str)), "")
    found = [value for key, value in _members(document) if key == name]
    return found or [None]


def _members(value: Any) -> Iterator[tuple[str, Any]]:
    if isinstance(value, dict):
        for key, one in value.items():
            yield key, one
            yield from _members(one)
    elif isinstance(value, list):
        for one in value:
            yield from _members(one)


def _retyped(value: Any, chance: Random) -> Any:
    match value:
        case bool():
            return int(value)
        case int():
            return chance.choice((str(value), float(value), [value], {"value": value}))
        case str():
            digits = [int(value)] if value.isascii() and value.isdecimal() else [len(value)]
            return chance.choice((*digits, [value], {value: value}))
        case list():
            return chance.choice(({str(n): one for n, one in enumerate(value)}, json.dumps(value)))
        case dict():
            return chance.choice((list(value.values()), list(value), json.dumps(value)))
        case _:
            return chance.choice((0, "", [], {}))


# --- addresses ---------------------------------------------------------------------------------

# Addresses that are no page of an event, by how their route begins.
_ELSEWHERE = (
    "admin/", "i18n/", "static/", "c/", "api/schema", "api/docs", "jsi18n/", "l/", "check/",
    "api/c/", "api/check/",
)  # fmt: skip


def routes() -> list[str]:
    """Return every route of the site that is about an event.

    Those written as an expression name an act in it: they only take what is sent.
    """
    found = {one for one in _routes(get_resolver()) if not one.startswith(_ELSEWHERE)}
    return sorted(one for one in found if "(?" not in one)


def _routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    for one in resolver.url_patterns:
        if isinstance(one, URLResolver):
            yield from _routes(one, before + str(one.pattern))
        elif isinstance(one, URLPattern):
            yield before + str(one.pattern)


def addresses(
    event: Tournament, path: Path, chance: Random, *, everything: bool, unread: set[str]
) -> Iterator[tuple[str, str]]:
    """Yield every address of an event with its route: for each kind of thing one, and `path`'s.

    With `everything`, every thing there is. Routes that are `unread` only take what is sent.
    """
    things = _Things(event, path, chance, everything=everything)
    for route in routes():
        if route in unread:
            continue
        if "<" in route:
            for one in things.filled(route):
                yield route, one
        else:
            yield route, f"/{route}"
    slug = event.slug
    for stage in event.stages.all():
        for by in ("player", "team", "club", "country", "category", "event"):
            yield "by", f"/t/{slug}/standings/?by={by}&stage={stage.number}"
        yield "by", f"/api/t/{slug}/standings/?stage={stage.number}"
    yield "by", f"/desk/{slug}/log/?about=tables"
    yield "by", f"/t/{slug}/entries/?q=a"


class _Things:
    """What the parts of a route may stand for."""

    def __init__(self, event: Tournament, path: Path, chance: Random, *, everything: bool) -> None:
        self.event = event
        self.chance = chance
        self.everything = everything
        self.about = _about(path)

    def filled(self, route: str) -> Iterator[str]:
        parts = re.findall(r"<(?:\w+:)?(\w+)>", route)
        for values in self._values(route, parts):
            texts = re.split(r"<(?:\w+:)?\w+>", route)
            yield (
                "/"
                + texts[0]
                + "".join(f"{value}{text}" for value, text in zip(values, texts[1:], strict=True))
            )

    def _values(self, route: str, parts: Sequence[str]) -> list[tuple[object, ...]]:
        slug = (self.event.slug,) if parts[0] == "slug" else ()
        rest = tuple(parts[len(slug) :])
        return [(*slug, *one) for one in self._rest(route, rest)]

    def _rest(  # noqa: C901
        self, route: str, parts: tuple[str, ...]
    ) -> list[tuple[object, ...]]:
        match parts:  # one case for each shape of address
            case ():
                return [()]
            case ("stage",):
                return self._some([(one.number,) for one in self.event.stages.all()], "stages")
            case ("stage", "number"):
                return self._rounds(one_more=True)
            case ("stage", "number", "part"):
                return [(*one, name) for one in self._rounds() for name in ("request", "draw")]
            case ("stage", "number", "entry"):
                return [(*one, *two) for one in self._rounds() for two in self._entries()[:1]]
            case ("kind", "form") if "prints/" in route:
                # Set as PDF they are the same pages, and take longer.
                return [(kind, "html") for kind in PRINTS]
            case ("kind",) if "prints/" in route:
                return [(self.chance.choice(PRINTS),)]
            case ("form",):
                return [(form,) for form in ("csv", "json", "xlsx")]
            case ("pk", "form"):
                return [(*one, "html") for one in self._rows(route)]
            case ("key",):
                # Screens belong to the installation, not to the file.
                return []
            case ("kind", "form"):
                kinds = (*exports.KINDS, "all")
                forms = ("csv", "json", "xlsx")
                return [(kind, self.chance.choice(forms)) for kind in kinds]
            case ("number",):
                if "after/" in route:
                    return [(one[-1],) for one in self._rounds()]
                return self._entries()
            case ("number", "player"):
                return [(*one, *two) for one in self._entries() for two in self._players()[:1]]
            case ("number", "stage"):
                return [(*one, 1) for one in self._entries()]
            case ("kind",):
                return [("misplay",)]
            case ("keep", "gone"):
                return [(*one, *two) for one in self._players()[:1] for two in self._players()[-1:]]
            case ("pk",):
                return self._rows(route)
            case _:
                raise AssertionError(f"{route}: say in hostile_files.py what stands here")

    def _rounds(self, *, one_more: bool = False) -> list[tuple[object, ...]]:
        found: list[tuple[object, ...]] = []
        for stage in self.event.stages.all():
            numbers = [one.number for one in stage.rounds.all()]
            found += self._some([(stage.number, number) for number in numbers], "rounds")
            if one_more:
                found.append((stage.number, max(numbers, default=0) + 1))
        return found

    def _entries(self) -> list[tuple[object, ...]]:
        return self._some([(one.number,) for one in self.event.entries.all()], "entries")

    def _players(self) -> list[tuple[object, ...]]:
        pks = self.event.entries.values_list("members__player", flat=True)
        return self._some([(pk,) for pk in pks if pk], "players")

    def _rows(self, route: str) -> list[tuple[object, ...]]:
        of_event = {"pairing_round__stage__tournament": self.event}
        if "players/" in route:
            return self._players()
        if "clubs/" in route:
            clubs = self.event.entries.values_list("members__player__club", flat=True)
            return self._some([(pk,) for pk in dict.fromkeys(clubs) if pk], "clubs")
        if "log/" in route:
            # The newest first, as they are shown: the file has them the other way round.
            lines = self.event.log.order_by("pk")
            return self._some([(line.pk,) for line in lines], "log")
        if "links/" in route:
            drawn = PairingRound.objects.filter(stage__tournament=self.event)
            return self._some([(one.pk,) for one in drawn.order_by("pk")], "rounds")
        if route.startswith(("rounds/", "api/rounds/")):
            rounds = RoundRecord.objects.filter(match__pairing_round__stage__tournament=self.event)
            return self._some([(one.pk,) for one in rounds], "record")
        rows: Mapping[str, Any] = {
            "officials/": self.event.officials, "rooms/": self.event.rooms,
            "absences/": None, "byes/": None, "appeals/": getattr(self.event, "appeals", None),
            "kept/": getattr(self.event, "kept_files", None), "sanctions/": self.event.sanctions,
            "cards/": self.event.sanctions, "confirmations/": None, "calls/": None,
            "screens/": None, "documents/": getattr(self.event, "documents", None),
        }  # fmt: skip
        for name, manager in rows.items():
            if name in route:
                return [] if manager is None else [(one.pk,) for one in manager.all()[:1]]
        if "matches/" in route or "tables/" in route:
            matches = Match.objects.filter(**of_event).order_by(
                "pairing_round__stage__number", "pairing_round__number", "table"
            )
            pks = list(matches.values_list("pk", flat=True))
            recorded = matches.filter(records__isnull=False).values_list("pk", flat=True)
            return self._some([(pk,) for pk in pks], "matches") + [(pk,) for pk in recorded[:1]]
        raise AssertionError(f"{route}: say in hostile_files.py what stands here")

    def _some(self, found: list[tuple[object, ...]], kind: str) -> list[tuple[object, ...]]:
        """Return the one the broken value is about, and one by lot."""
        if self.everything or len(found) < 2:
            return found
        chosen = [self.chance.choice(found)]
        place = self.about.get(kind)
        if place is not None and place < len(found):
            chosen.append(found[place])
        return list(dict.fromkeys(chosen))


def _about(path: Path) -> dict[str, int]:
    """Return the places of the things a path goes through, by the list they are in."""
    return {
        name: place
        for name, place in pairwise(path)
        if isinstance(name, str) and isinstance(place, int)
    }


def people(event: Tournament, referee: User) -> None:
    """Give the event a referee, as its director would."""
    event.officials.create(user=referee, duty="referee")
