"""What sides said of rounds, and calls of referees, in the file of an event.

Table links and the devices that hold tables stay behind: a file carries no secret. Who took a
table over is in the log.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Any
from uuid import uuid4

from engine.errors import DominoError, shown
from engine.notation import parse_line
from referee.event_file_signatures import SIDES, moment_in, one_of, text_in
from referee.models import RoundConfirmation, TableCall
from referee.models.links import LONGEST_WORD
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Match, Tournament

_MOST_MOVES = 50
_LATER = ("claimed_at", "escalated_at", "closed_at")

Rows = list[dict[str, object]]


def written(tournament: Tournament) -> dict[int, dict[str, Rows]]:
    """Return, by match, its `confirmations` and `calls` as the file has them."""
    found: defaultdict[int, dict[str, Rows]] = defaultdict(
        lambda: {"confirmations": [], "calls": []}
    )
    of_event = {"match__pairing_round__stage__tournament": tournament}
    for said in RoundConfirmation.objects.filter(**of_event).order_by("pk"):
        found[said.match_id]["confirmations"].append(
            {
                **{name: getattr(said, name) for name in ("round", "side", "head", "agrees")},
                "word": said.word,
                "said_at": _iso(said.said_at),
                "settled_at": _iso(said.settled_at),
                "settlement": said.settlement,
            }
        )
    for call in TableCall.objects.filter(**of_event).order_by("pk"):
        found[call.match_id]["calls"].append(
            {
                **{name: getattr(call, name) for name in ("kind", "language", "note", "moves")},
                "called_at": _iso(call.called_at),
                **{name: _iso(getattr(call, name)) for name in _LATER},
                "outcome": call.outcome,
            }
        )
    return dict(found)


def _iso(moment: Any) -> str | None:
    return None if moment is None else str(moment.isoformat())


def confirmations(match: Match, value: object, at: str) -> list[RoundConfirmation]:
    """Read what sides said of the rounds of a match, not stored yet."""
    return [
        _confirmation(match, object_at(one, f"{at}[{place}]"), f"{at}[{place}]")
        for place, one in enumerate(list_at(value, at))
    ]


def _confirmation(match: Match, given: Mapping[str, object], at: str) -> RoundConfirmation:
    number, agrees = given.get("round"), given.get("agrees")
    if type(number) is not int or not 0 <= number <= 32_767:
        expected = "the number of a round, from 0"
        raise BadRequest(path=f"{at}.round", expected=expected, found=shown(number))
    if not isinstance(agrees, bool):
        raise BadRequest(path=f"{at}.agrees", expected="true or false", found=shown(agrees))
    return RoundConfirmation(
        match=match,
        round=number,
        side=one_of(given, "side", SIDES, at),
        head=text_in(given, "head", at, most=64),
        agrees=agrees,
        word=text_in(given, "word", at, most=LONGEST_WORD),
        said_at=moment_in(given.get("said_at"), f"{at}.said_at"),
        settled_at=_later(given, "settled_at", at),
        settlement=text_in(given, "settlement", at, most=LONGEST_WORD),
    )


def calls(match: Match, value: object, at: str) -> list[TableCall]:
    """Read the calls of a table, not stored yet; one of them at most is open."""
    found = [
        _call(match, object_at(one, f"{at}[{place}]"), f"{at}[{place}]")
        for place, one in enumerate(list_at(value, at))
    ]
    if sum(one.closed_at is None for one in found) > 1:
        raise BadRequest(path=at, expected="one open call of a table", found="more")
    return found


def _call(match: Match, given: Mapping[str, object], at: str) -> TableCall:
    moves = list_at(given.get("moves"), f"{at}.moves")
    if len(moves) > _MOST_MOVES:
        found = str(len(moves))
        raise BadRequest(path=f"{at}.moves", expected=f"{_MOST_MOVES} lines at most", found=found)
    for place, line in enumerate(moves):
        try:
            parse_line(str(line))
        except DominoError as error:
            raise BadRequest(
                path=f"{at}.moves[{place}]", expected="a line of notation", found=error
            ) from None
    return TableCall(
        match=match,
        kind=one_of(given, "kind", TableCall.Kind.values, at),
        language=text_in(given, "language", at, most=10),
        note=text_in(given, "note", at, most=LONGEST_WORD),
        moves=[str(line) for line in moves],
        # The key stood for one tap on one device; here nobody sends it again.
        client_key=uuid4(),
        called_at=moment_in(given.get("called_at"), f"{at}.called_at"),
        **{name: _later(given, name, at) for name in _LATER},
        outcome=text_in(given, "outcome", at, most=LONGEST_WORD),
    )


def _later(given: Mapping[str, object], name: str, at: str) -> Any:
    value = given.get(name)
    return None if value is None else moment_in(value, f"{at}.{name}")
