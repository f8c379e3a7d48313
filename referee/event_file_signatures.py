"""Signatures in the file of an event: they go with a record whose chain goes with it."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from engine.errors import DominoError, shown
from referee.control_codes import read_code
from referee.models import Signature
from referee.models.signing import LONGEST_REASON
from referee.services.signing import read_strokes
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Match, MatchSeat, Tournament
from tournaments.services import event_readers

SIDES = ("AC", "BD", "A", "B", "C", "D")
_OUTCOMES = ("", *MatchSeat.Outcome.values)


def written(tournament: Tournament) -> dict[int, list[dict[str, object]]]:
    """Return the signatures of each match as the file has them, without who held the device."""
    found: defaultdict[int, list[dict[str, object]]] = defaultdict(list)
    signatures = Signature.objects.filter(match__pairing_round__stage__tournament=tournament)
    for one in signatures:
        ended = one.superseded_at
        found[one.match_id].append(
            {
                **{name: getattr(one, name) for name in ("side", "how", "strokes", "reason")},
                **{name: getattr(one, name) for name in ("head", "result", "code")},
                "signed_at": one.signed_at.isoformat(),
                "superseded_at": None if ended is None else ended.isoformat(),
            }
        )
    return dict(found)


def read(match: Match, value: object, at: str) -> list[Signature]:
    """Read the signatures of a match, not stored yet; raises BadRequest with the path."""
    found = [
        _signature(match, object_at(one, f"{at}[{place}]"), f"{at}[{place}]")
        for place, one in enumerate(list_at(value, at))
    ]
    standing = [one.side for one in found if one.superseded_at is None]
    if len(standing) != len(set(standing)):
        raise BadRequest(path=at, expected="one signature of a side that stands", found="more")
    return found


def _signature(match: Match, given: Mapping[str, object], at: str) -> Signature:
    how = one_of(given, "how", Signature.How.values, at)
    strokes = given.get("strokes")
    if (how == Signature.How.DRAWN) != (strokes is not None):
        expected = "lines of points where the name was drawn, else null"
        raise BadRequest(path=f"{at}.strokes", expected=expected, found=shown(strokes))
    if strokes is not None:
        try:
            strokes = read_strokes(strokes)
        except DominoError as error:
            expected = "a drawn name"
            raise BadRequest(path=f"{at}.strokes", expected=expected, found=error) from None
    head = text_in(given, "head", at, most=64)
    reason = text_in(given, "reason", at, most=LONGEST_REASON)
    try:
        code = read_code(text_in(given, "code", at, most=40))
    except DominoError as error:
        raise BadRequest(path=f"{at}.code", expected="a control code", found=error) from None
    ended = given.get("superseded_at")
    return Signature(
        match=match,
        side=one_of(given, "side", SIDES, at),
        how=how,
        strokes=strokes,
        reason=reason,
        head=head,
        result=_result(given.get("result"), f"{at}.result"),
        code=code,
        signed_at=moment_in(given.get("signed_at"), f"{at}.signed_at"),
        superseded_at=None if ended is None else moment_in(ended, f"{at}.superseded_at"),
    )


def _result(value: object, at: str) -> dict[str, list[Any]]:
    given: Mapping[str, Any] = object_at(value, at)
    for seat, one in given.items():
        fine = seat in ("A", "B", "C", "D") and isinstance(one, list) and len(one) == 4
        if not fine or one[0] not in _OUTCOMES or not all(map(_is_number, one[1:])):
            expected = "what each seat leaves with"
            raise BadRequest(path=at, expected=expected, found=shown(json.dumps(one)[:40]))
    return dict(given)


def _is_number(value: object) -> bool:
    return value is None or (type(value) is int and abs(value) < 2**31)


def one_of(given: Mapping[str, object], name: str, known: Any, at: str) -> str:
    value = given.get(name)
    if not isinstance(value, str) or value not in known:
        raise BadRequest(path=f"{at}.{name}", expected=", ".join(known), found=shown(value))
    return value


def text_in(given: Mapping[str, object], name: str, at: str, *, most: int) -> str:
    value = given.get(name, "")
    event_readers.text(most)(value, f"{at}.{name}")
    if not isinstance(value, str):
        raise BadRequest(path=f"{at}.{name}", expected="a text", found=shown(value))
    return value


def moment_in(value: object, at: str) -> datetime:
    event_readers.moment(value, at)
    return datetime.fromisoformat(str(value))
