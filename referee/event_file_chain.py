"""The chain of a record in the file of its event: carried and checked, or made anew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.errors import shown
from referee.chain import Fault, LinkedEvent, LinkedRound, faults, relinked
from referee.models import RecordedEvent, RoundRecord
from referee.rows import origin_of
from tournaments.competition.reading import list_at, object_at
from tournaments.competition.types import BadRequest
from tournaments.models import Match
from tournaments.services import event_shapes
from tournaments.services.event_file import key_of

_OF_ROUND = ("origin", "follows", "former", "chain", "head", "length")
_LARGEST = 2**31 - 1
_LARGEST_ACCOUNT = 2**63 - 1


def written(record: RoundRecord) -> dict[str, object]:
    """Return what a file has of the chain of a round."""
    return {name: getattr(record, name) for name in _OF_ROUND}


def read(record: RoundRecord, given: Mapping[str, object], at: str) -> None:
    """Read the chain of a round where the file has one; files from before there was one do not."""
    record.origin = _text(given, "origin", at, most=100)
    record.chain = _text(given, "chain", at, most=64)
    record.head = _text(given, "head", at, most=64)
    record.follows = _number(given, "follows", at, most=_LARGEST) or 0
    record.length = _number(given, "length", at, most=_LARGEST) or 0
    record.former = []
    until = 0
    for place, one in enumerate(list_at(given.get("former", []), f"{at}.former")):
        path = f"{at}.former[{place}]"
        way = object_at(one, path)
        until, last = _number(way, "until", path, most=_LARGEST) or 0, until
        if until <= last:
            expected = f"more events than {last}"
            raise BadRequest(path=f"{path}.until", expected=expected, found=until)
        hands: Any = way.get("hands")
        event_shapes.hands(hands, f"{path}.hands")
        stock: Any = way.get("stock")
        event_shapes.stock(stock, f"{path}.stock")
        opener = _text(way, "opener", path, most=1)
        former = {"until": until, "opener": opener, "hands": hands, "stock": stock}
        if way.get("fell") is True:
            former["fell"] = True
        record.former.append(former)


def read_event(event: RecordedEvent, given: Mapping[str, object], at: str) -> None:
    """Read the chain of an event where the file has one."""
    # Less than zero it is the number of a table link.
    least = -_LARGEST_ACCOUNT
    event.recorder = _number(given, "recorder", at, most=_LARGEST_ACCOUNT, least=least)
    event.chain = _text(given, "chain", at, most=64)


def link(
    match: Match,
    rounds: Sequence[RoundRecord],
    events: Sequence[RecordedEvent],
    *,
    anew: bool,
    at: str,
) -> bool:
    """Check the chain a match has in the file, which it keeps; say whether it was kept.

    A record without one, one whose keys are others here (`anew`) and that of another event, of
    which this is a copy, are chained from the start. Raises BadRequest for a chain that does not
    fit its rows.
    """
    if not rounds:
        return True
    told = _linked(rounds, events)
    mine = rounds[0].origin.split("/")[0] == key_of(match.pairing_round.stage.tournament)
    whole = all(one.chain or one.is_fallen for one in told) and all(one.chain for one in events)
    if mine and not anew and whole:
        for fault in faults(told):
            raise _refusal(fault, at)
        return True
    made = relinked(told, origin_of(match))
    for record, one in zip(rounds, made, strict=True):
        for name in _OF_ROUND:
            setattr(record, name, getattr(one, name))
    links = [event.chain for one in made for event in one.events]
    for row, chain in zip(events, links, strict=True):
        row.chain = chain
    return False


def _linked(rounds: Sequence[RoundRecord], events: Sequence[RecordedEvent]) -> list[LinkedRound]:
    of_round: dict[int, list[LinkedEvent]] = {}
    for row in events:
        of_round.setdefault(row.round.number, []).append(
            LinkedEvent(
                row.number, row.notation, row.client_key, row.recorded_at, row.recorder, row.chain
            )
        )
    return [
        LinkedRound(
            one.number, one.opener, one.hands, one.stock, one.started_at, one.origin, one.follows,
            one.former, one.chain, one.head, one.length, of_round.get(one.number, []),
        )
        for one in rounds
    ]  # fmt: skip


def _refusal(fault: Fault, at: str) -> BadRequest:
    path = f"{at}[{fault.round}]"
    if fault.event is not None:
        path = f"{path}.events[{fault.event}]"
    return BadRequest(
        path=f"{path}.chain",
        expected="rows as they were recorded, or a record without its chain",
        found=fault.what.value,
    )


def _text(given: Mapping[str, object], name: str, at: str, *, most: int) -> str:
    value = given.get(name, "")
    if not isinstance(value, str) or len(value) > most or not value.isprintable():
        expected = f"at most {most} characters"
        raise BadRequest(path=f"{at}.{name}", expected=expected, found=shown(value))
    return value


def _number(
    given: Mapping[str, object], name: str, at: str, *, most: int, least: int = 0
) -> int | None:
    value = given.get(name)
    if value is None:
        return None
    if type(value) is not int or not least <= value <= most:
        expected = f"a whole number from {least}"
        raise BadRequest(path=f"{at}.{name}", expected=expected, found=shown(value))
    return value
