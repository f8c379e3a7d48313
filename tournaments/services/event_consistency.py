"""Whether the rows of an event file fit together: seats and entries, rounds and stages, draws.

Works on the document after every value has been held to its shape, so that each refusal names the
path in the file.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from itertools import combinations
from typing import Any, Final

from engine.errors import DominoError, Phrase, shown
from engine.profiles import Rules
from tournaments.competition import requests
from tournaments.competition.reading import object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Entry, Match, PairingRound, Stage
from tournaments.rules import has_partners, players_allowed, sides_of
from tournaments.services import standings
from tournaments.services.brackets import BRACKETS

Json = Mapping[str, Any]
_LETTERS: Final = "ABCD"
# Systems whose draws are asked for: tables seated by hand have nothing to replay.
_DRAWN: Final = tuple(requests.SYSTEMS)


def require_consistent(document: Json) -> None:
    """Refuse a document whose parts contradict each other; raises BadRequest with the path."""
    _Event(document).check()


def _refuse(path: str, expected: object, found: object) -> BadRequest:
    return BadRequest(path=path, expected=expected, found=shown(found))


class _Event:
    """One document that is looked through."""

    def __init__(self, document: Json) -> None:
        self.document = document
        self.event = object_at(document.get("event"), "event")
        self.rules = Rules.read(self.event["rules"])
        self.kind = str(self.event["entry_kind"])
        self.size = int(str(self.event["players_per_table"]))
        self.numbers = {int(one["number"]) for one in document["entries"]}

    def check(self) -> None:
        self._require_playable()
        for place, entry in enumerate(self.document["entries"]):
            if entry["kind"] != self.kind:
                raise _refuse(f"entries[{place}].kind", self.kind, entry["kind"])
        before: set[int] = set()
        for place, stage in enumerate(self.document["stages"]):
            at = f"stages[{place}]"
            if before and stage["number"] <= max(before):
                expected = Phrase("a number after that of the stage before")
                raise _refuse(f"{at}.number", expected, stage["number"])
            before.add(stage["number"])
            self._check_stage(stage, at)

    def _require_playable(self) -> None:
        if self.size not in players_allowed(self.rules):
            allowed = ", ".join(map(str, players_allowed(self.rules)))
            raise _refuse("event.players_per_table", allowed, self.size)
        pairs = self.kind != Entry.Kind.SINGLE
        if pairs and not has_partners(self.rules, self.size):
            expected = Phrase("who may enter under these rules")
            raise _refuse("event.entry_kind", expected, self.kind)

    def _check_stage(self, stage: Json, at: str) -> None:
        # A stage made by hand may list nobody: whoever is seated plays in it.
        listed = {int(one["entry"]) for one in stage["entries"]}
        members = self.numbers if stage["system"] == Stage.System.MANUAL else listed or self.numbers
        settings: Json = stage["settings"]
        self._check_settings(stage, settings, members, at)
        meetings = {str(one["match"]) for one in settings.get("bracket", ())}
        for place, row in enumerate(stage["standings"]):
            path = f"{at}.standings[{place}]"
            self._require_in(members, row["entry"], f"{path}.entry")
            if stage["state"] == Stage.State.CLOSED:
                # Those of an open stage are counted anew.
                _require_values(row["values"], stage["tie_breaks"], f"{path}.values")
                _require_decided(row["decided_by"], stage["tie_breaks"], f"{path}.decided_by")
        first: Json = {}
        for place, one in enumerate(stage["rounds"]):
            path = f"{at}.rounds[{place}]"
            first = first or one
            self._check_draw(stage, one, first, meetings, path)
            self._check_frozen(one, f"{path}.standings")
            self._check_round(one, members, meetings, path)

    def _check_settings(
        self, stage: Json, settings: Json, members: Collection[int], at: str
    ) -> None:
        survivors = settings.get("draw", {}).get("survivors")
        is_elimination = stage["system"] == Stage.System.ELIMINATION
        if is_elimination and type(survivors) is not int:
            expected = Phrase("how many go on from each table")
            raise _refuse(f"{at}.settings.draw.survivors", expected, survivors)
        if self.rules.elimination and survivors is not None and survivors >= self.size:
            expected = Phrase("fewer than sit at a table")
            raise _refuse(f"{at}.settings.draw.survivors", expected, survivors)
        if "bracket" in settings and stage["system"] not in BRACKETS:
            raise _refuse(f"{at}.settings.bracket", Phrase("no bracket"), stage["system"])
        for place, one in enumerate(settings.get("bracket", ())):
            for side in ("AC", "BD"):
                entry = one[side].get("entry")
                if entry is not None:
                    path = f"{at}.settings.bracket[{place}].{side}.entry"
                    self._require_id(entry, path, members)

    # --- rounds ------------------------------------------------------------------------------

    def _check_round(
        self, one: Json, members: Collection[int], meetings: Collection[str], at: str
    ) -> None:
        resting = [row["entry"] for row in one["byes"]]
        away = [row["entry"] for row in one["absences"]]
        for name, numbers in (("byes", resting), ("absences", away)):
            for place, number in enumerate(numbers):
                self._require_in(members, number, f"{at}.{name}[{place}].entry")
        seated: dict[int, str] = {}
        for place, match in enumerate(one["matches"]):
            path = f"{at}.matches[{place}]"
            self._check_match(one, match, meetings, path)
            for number in {row["entry"] for row in match["seats"]}:
                self._require_in(members, number, f"{path}.seats")
                if number in seated or number in resting:
                    expected = Phrase("entries that sit nowhere else in this round")
                    raise _refuse(f"{path}.seats", expected, number)
                seated[number] = path
        is_open = any(one["state"] != Match.State.CLOSED for one in one["matches"])
        if one["state"] == PairingRound.State.FINISHED and is_open:
            expected = Phrase("closed tables only, in a round that is finished")
            raise _refuse(f"{at}.state", expected, one["state"])
        if one["state"] == PairingRound.State.DRAFT and any(
            match["state"] == Match.State.PLAYING for match in one["matches"]
        ):
            expected = Phrase("no table in play, in a round that is a draft")
            raise _refuse(f"{at}.state", expected, one["state"])

    def _check_match(self, one: Json, match: Json, meetings: Collection[str], at: str) -> None:
        rules = self.rules if match["rules"] is None else Rules.read(match["rules"])
        seats = {str(row["seat"]): row for row in match["seats"]}
        players = len(match["seats"])
        letters = _LETTERS[:players]
        if not 2 <= players <= self.size or "".join(sorted(seats)) != letters:
            expected = Phrase("the seats of a table of at most %(size)s, from A on", size=self.size)
            raise _refuse(f"{at}.seats", expected, ", ".join(sorted(seats)))
        if has_partners(rules, players) != has_partners(self.rules, players):
            raise _refuse(f"{at}.rules", Phrase("rules that seat people as the event does"),
                          rules.profile)  # fmt: skip
        self._check_sides(match, seats, players, at)
        closed = match["state"] == Match.State.CLOSED
        for place, row in enumerate(match["seats"]):
            if bool(row["outcome"]) != closed:
                expected = Phrase("a result at closed tables, and at no other")
                raise _refuse(f"{at}.seats[{place}].outcome", expected, row["outcome"])
        if closed != (match["closed_at"] is not None):
            expected = Phrase("a moment for a closed table, and for no other")
            raise _refuse(f"{at}.closed_at", expected, match["closed_at"])
        if match["meeting"] and match["meeting"] not in meetings:
            expected = Phrase("a meeting of the bracket")
            raise _refuse(f"{at}.meeting", expected, match["meeting"])
        if meetings and not match["meeting"]:
            raise _refuse(f"{at}.meeting", Phrase("a meeting of the bracket"), None)
        for place, report in enumerate(match["reported"]):
            if report["seats"].keys() != seats.keys():
                found = ", ".join(report["seats"])
                raise _refuse(f"{at}.reported[{place}].seats", ", ".join(letters), found)

    def _check_sides(self, match: Json, seats: Json, players: int, at: str) -> None:
        """Entries that are pairs or teams have a whole side; single players a seat each."""
        sides = [[seats[letter]["entry"] for letter in side]
                 for side in sides_of(self.rules, players)]  # fmt: skip
        if self.kind == Entry.Kind.SINGLE:
            mixed = len({row["entry"] for row in seats.values()}) != players
        else:
            mixed = any(len(set(side)) != 1 for side in sides) or any(
                set(one) & set(other) for one, other in combinations(sides, 2)
            )
        if mixed:
            expected = Phrase("each entry on a side of its own")
            found = ", ".join(str(row["entry"]) for row in seats.values())
            raise _refuse(f"{at}.seats", expected, found)

    # --- draws and frozen standings --------------------------------------------------------------

    def _check_draw(
        self, stage: Json, one: Json, first: Json, meetings: Collection[str], at: str
    ) -> None:
        drawn = one["draw"]
        request = drawn.get("request")
        path = f"{at}.draw"
        # Whoever has a part of a draw for the whole stage finds its request with the first round.
        asked = request if request is not None else first["draw"].get("request")
        if drawn and asked is None and not drawn.get("meetings"):
            raise _refuse(f"{path}.request", Phrase("what the draw was asked"), None)
        for place, name in enumerate(drawn.get("meetings", ())):
            if name not in meetings:
                expected = Phrase("a meeting of the bracket")
                raise _refuse(f"{path}.meetings[{place}]", expected, name)
        self._require_known(drawn.get("answer", {}), f"{path}.answer")
        if request is None:
            return
        if "answer" not in drawn:
            raise _refuse(f"{path}.answer", Phrase("what the draw answered"), None)
        if request["system"] != stage["system"]:
            raise _refuse(f"{path}.request.system", stage["system"], request["system"])
        for place, entry in enumerate(request.get("entries", ())):
            self._require_id(entry["id"], f"{path}.request.entries[{place}].id", self.numbers)
        if request["system"] in _DRAWN:
            _require_replayable(request, f"{path}.request")

    def _require_known(self, answer: Json, at: str) -> None:
        """Refuse an answer that names entries the event has not."""
        parts = [answer, *answer.get("rounds", ())]
        parts += [one for group in answer.get("groups", ()) for one in group["rounds"]]
        for part in parts:
            for table in part.get("tables", ()):
                for name in ("AC", "BD", *_LETTERS, "seats", "entries"):
                    for one in table.get(name, ()):
                        self._require_id(one, f"{at}.tables", self.numbers)
            for one in part.get("byes", ()):
                self._require_id(one, f"{at}.byes", self.numbers)

    def _check_frozen(self, one: Json, at: str) -> None:
        kept = one["standings"]
        if not kept:
            return
        seen: set[int] = set()
        for place, row in enumerate(kept["rows"]):
            path = f"{at}.rows[{place}]"
            if row["entry"] in seen:
                raise _refuse(f"{path}.entry", Phrase("an entry that stands once"), row["entry"])
            seen.add(row["entry"])
            _require_values(row["values"], kept["tie_breaks"], f"{path}.values")
            _require_decided(row["decided_by"], kept["tie_breaks"], f"{path}.decided_by")

    def _require_in(self, members: Collection[int], number: object, path: str) -> None:
        if number not in members:
            raise _refuse(path, Phrase("an entry of the stage"), number)

    def _require_id(self, given: object, path: str, numbers: Collection[int]) -> None:
        if int(str(given)) not in numbers:
            raise _refuse(path, Phrase("the number of an entry"), given)


def _require_values(values: Json, chain: Collection[str], path: str) -> None:
    missing = [name for name in chain if name not in values]
    if missing:
        raise _refuse(f"{path}.{missing[0]}", Phrase("a whole number"), None)


def _require_decided(name: str, chain: Collection[str], path: str) -> None:
    if name and name not in (*chain, standings.BRACKET, standings.BRACKET_LEVEL):
        raise _refuse(path, Phrase("one of %(names)s", names=", ".join(chain)), name)


def _require_replayable(request: Json, path: str) -> None:
    """Refuse a request that the system it names cannot draw again."""
    try:
        requests.pair(dict(request))
    except BadRequest as error:
        inner = {**error.params, "path": f"{path}.{error.params['path']}"}
        raise BadRequest(**inner) from None
    except DominoError as error:
        expected = Phrase("a draw that can be replayed")
        raise BadRequest(path=path, expected=expected, found=error) from None
