"""The chain that ties the record of a match together, so that no row of it changes unseen.

Every link is the SHA-256 of a JSON list that begins with the link before it:

- a round: ["round", before, number, opener, hands, stock, started_at]. Before the first round
  stands the match, by its `origin`; before a later one stands event `follows` - 1 of the round
  before it as it was then, or that round's opening. Later events of an earlier round, such as a
  ruling, go on in their own round.
- an event: ["event", before, round, number, notation, client_key, recorded_at, recorder].
  `recorder` is the number of an account, less than zero that of a table link, null where none
  was kept.

A round opened again after it had events keeps in `former` how it was opened before, and from
which event on that no longer held. Where the record went back to an earlier round, the later ones
fall away: what follows then is linked to ["fell", before], and `former` says that it `fell`; until
it is opened again, such a round has no link of its opening.

Each round also keeps its last link and how many events it has, so that rows cut off at the end
are missed. The head of a match is the SHA-256 of the list of its rounds' last links.

Whoever can write to the database can write a whole new chain as well; what they cannot change is
the control code on a sheet that was signed and printed.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from typing import Any, NamedTuple
from uuid import UUID

Hands = Mapping[str, Sequence[str]] | None
Stock = Sequence[str] | None


def _link(*parts: object) -> str:
    told = json.dumps(parts, ensure_ascii=False, separators=(",", ":"), sort_keys=True)
    # Half a character, as a broken file may have it, is refused later on, by its own sentence.
    return sha256(told.encode(errors="surrogatepass")).hexdigest()


def moment(at: datetime) -> str:
    """Return a moment as links have it: in UTC, to the microsecond."""
    return at.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def origin_link(origin: str) -> str:
    """Return what the first round of a match follows on."""
    return _link("match", origin)


def round_link(
    before: str, number: int, opener: str, hands: Hands, stock: Stock, started_at: datetime
) -> str:
    """Return the link of a round's opening."""
    return _link("round", before, number, opener, hands, stock, moment(started_at))


def fell_link(before: str) -> str:
    """Return the link of a round's falling away, after its last event."""
    return _link("fell", before)


def event_link(
    before: str,
    round_number: int,
    number: int,
    notation: str,
    client_key: UUID,
    recorded_at: datetime,
    recorder: int | None,
) -> str:
    """Return the link of an event."""
    return _link(
        "event", before, round_number, number, notation, str(client_key), moment(recorded_at),
        recorder,
    )  # fmt: skip


def match_head(heads: Iterable[str]) -> str:
    """Return what the record of a match comes to, from the last links of its rounds in order."""
    return _link("head", list(heads))


class LinkedEvent(NamedTuple):
    """An event as its row has it."""

    number: int
    notation: str
    client_key: UUID
    recorded_at: datetime
    recorder: int | None
    chain: str


@dataclass(frozen=True, slots=True)
class LinkedRound:
    """A round as its rows have it."""

    number: int
    opener: str
    hands: Hands
    stock: Stock
    started_at: datetime
    origin: str
    follows: int
    former: Sequence[Mapping[str, Any]]
    chain: str
    head: str
    length: int
    events: Sequence[LinkedEvent]

    @property
    def is_fallen(self) -> bool:
        """Whether it fell away and was not opened again."""
        return not self.chain and bool(self.former) and bool(self.former[-1].get("fell"))


class What(StrEnum):
    """What is wrong with a row."""

    CHANGED = "changed"
    LINK_CHANGED = "link_changed"
    MISSING = "missing"
    INSERTED = "inserted"
    ROUND_CHANGED = "round_changed"
    ROUND_MISSING = "round_missing"
    LAST_CHANGED = "last_changed"


@dataclass(frozen=True, slots=True)
class Fault:
    """A row that is not as it was stored. `event` is None where it is the round's own row."""

    round: int
    event: int | None
    what: What


def relinked(rounds: Sequence[LinkedRound], origin: str) -> list[LinkedRound]:
    """Return a match's rounds with a chain of their own, as if they had been recorded in order."""
    linked: list[LinkedRound] = []
    for given in rounds:
        # What fell away stays so; a score sheet that was undone needs no way of its own.
        former = [way for way in given.former if way.get("fell")]
        one = replace(given, former=former)
        openings, fallen = _openings(one), _fallen_at(one)
        link = _last_of(linked[-1]) if linked else origin_link(origin)
        opening = ""
        events = []
        for number in range(len(one.events) + 1):
            if number in openings:
                way = openings[number]
                link = _opened(link, one, way, fell=number in fallen)
                opening = "" if way is None else link
            if number < len(one.events):
                link = _of_event(link, one.number, one.events[number])
                events.append(one.events[number]._replace(chain=link))
        linked.append(
            replace(
                one, origin="" if linked else origin, chain=opening, head=link,
                follows=linked[-1].length if linked else 0, length=len(events), events=events,
            )
        )  # fmt: skip
    return linked


def _last_of(one: LinkedRound) -> str:
    """Return what the next round follows on: the last event, or the opening of a round without."""
    return one.events[-1].chain if one.events else one.chain


def faults(rounds: Sequence[LinkedRound]) -> list[Fault]:
    """Return every row of a match, its rounds in order, that does not follow on the one before."""
    found: list[Fault] = []
    before: LinkedRound | None = None
    expected = 0
    for one in rounds:
        found += [Fault(gap, None, What.ROUND_MISSING) for gap in range(expected, one.number)]
        found += _of_round(one, _link_before(one, before, whole=one.number == expected))
        before, expected = one, one.number + 1
    return found


def _link_before(one: LinkedRound, before: LinkedRound | None, *, whole: bool) -> str | None:
    """Return the link a round follows on; None where a row that is missing had it."""
    if before is None:
        return origin_link(one.origin) if whole else None
    if not whole:
        return None
    if not one.follows:
        return before.chain
    links = {event.number: event.chain for event in before.events}
    return links.get(one.follows - 1)


def _of_event(before: str, number: int, event: LinkedEvent) -> str:
    return event_link(
        before, number, event.number, event.notation, event.client_key, event.recorded_at,
        event.recorder,
    )  # fmt: skip


def _openings(one: LinkedRound) -> dict[int, Mapping[str, Any] | None]:
    """Return how the round was opened, by the number of the first event that follows on it.

    A round that fell away was opened by nothing since.
    """
    now = {"opener": one.opener, "hands": one.hands, "stock": one.stock}
    ways = [*one.former, None if one.is_fallen else now]
    starts = [0, *(former["until"] for former in one.former)]
    return dict(zip(starts, ways, strict=True))


def _fallen_at(one: LinkedRound) -> set[int]:
    """Return before which events the round fell away."""
    return {former["until"] for former in one.former if former.get("fell")}


def _opened(before: str, one: LinkedRound, way: Mapping[str, Any] | None, *, fell: bool) -> str:
    """Return the link of an opening of a round, which may have fallen away before."""
    link = fell_link(before) if fell else before
    if way is None:
        return link
    return round_link(link, one.number, way["opener"], way["hands"], way["stock"], one.started_at)


def _of_round(one: LinkedRound, before: str | None) -> list[Fault]:
    """Return the faults of a round whose opening follows on `before`, None if that is lost.

    Each row is held against the link that the row before it has stored, so that one that was
    changed does not throw doubt on those after it.
    """
    openings = _openings(one)
    fallen = _fallen_at(one)
    opened: list[Fault] = []
    found: list[Fault] = []
    link = before
    expected = 0
    # What the link of a row that was found changed would be if only its link were.
    mended: str | None = None

    def open_until(number: int) -> None:
        nonlocal link, mended
        for start in sorted(start for start in openings if start <= number):
            way = openings.pop(start)
            if link is not None:
                link = _opened(link, one, way, fell=start in fallen)
            if not openings and way is not None:
                if link is not None and link != one.chain:
                    opened.append(Fault(one.number, None, What.ROUND_CHANGED))
                link = one.chain
            mended = None

    for event in one.events:
        if event.number > expected:
            found += [Fault(one.number, gap, What.MISSING) for gap in range(expected, event.number)]
            open_until(event.number - 1)
            link = mended = None
        expected = event.number + 1
        open_until(event.number)
        if event.number >= one.length:
            found.append(Fault(one.number, event.number, What.INSERTED))
            continue
        if link is None or _of_event(link, one.number, event) == event.chain:
            mended = None
        elif mended is not None and _of_event(mended, one.number, event) == event.chain:
            found[-1] = Fault(one.number, event.number - 1, What.LINK_CHANGED)
            mended = None
        else:
            found.append(Fault(one.number, event.number, What.CHANGED))
            mended = _of_event(link, one.number, event)
        link = event.chain
    found += [Fault(one.number, gap, What.MISSING) for gap in range(expected, one.length)]
    open_until(one.length)
    if not found and link != one.head:
        found.append(Fault(one.number, None, What.LAST_CHANGED))
    return [*opened, *found]
