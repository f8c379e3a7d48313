"""Who sits at which table and on which seat, once it is known who meets whom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count, groupby, islice

from tournaments.competition.reading import contenders_at, list_at, object_at
from tournaments.competition.types import Contender, Pairing

# The seat that opens the first round of a match.
OPENS = "A"
# Nobody should have one side so much oftener than the other, whatever else.
MOST_UNEVEN = 3
# A side had a third time running counts like so much unevenness, each further time twice that.
RUNNING = 16
# Of tables that are level, so many ways to share out their numbers are looked at.
SHIFTS_TRIED = 32


def by_table(meetings: Iterable[tuple[Contender, Contender]]) -> tuple[Pairing, ...]:
    """Number the tables from the best-placed entry down; each meeting is (AC, BD)."""
    ordered = sorted(meetings, key=lambda sides: sorted(one.rank for one in sides))
    return tuple(
        Pairing(table, {"AC": (one.id,), "BD": (other.id,)})
        for table, (one, other) in enumerate(ordered, start=1)
    )


@dataclass(frozen=True, slots=True)
class Past:
    """Where an entry sat before, round by round: the first letter of its seats, and the table."""

    seats: str = ""
    tables: tuple[int, ...] = ()


def seated(request: Mapping[str, object], answer: Mapping[str, object]) -> tuple[Pairing, ...]:
    """Return the tables of an answer with numbers and seats shared out fairly over the event.

    The request may say where everybody sat before (`seated`: id to a list of [seat, table]) and
    which numbers are `taken`. Who meets whom stays; sides, seats, and the numbers of tables that
    are level in wins go to those who had them least.
    """
    past = _past(request)
    tables = [_fair(_pairing(one), past) for one in list_at(answer.get("tables"), "tables")]
    wins = {one.id: one.wins for one in contenders_at(request)}
    free = _free_numbers(request, len(tables))
    seats: list[Pairing] = []
    for _, level in groupby(tables, key=lambda one: sorted(wins[entry] for entry in one.entries)):
        run = list(level)
        numbers = free[len(seats) : len(seats) + len(run)]
        seats += _numbered(run, numbers, past)
    return tuple(sorted(seats, key=lambda one: one.table))


def _past(request: Mapping[str, object]) -> Mapping[str, Past]:
    found = {}
    for entry, rows in object_at(request.get("seated") or {}, "seated").items():
        sat = [list_at(row, f"seated.{entry}") for row in list_at(rows, f"seated.{entry}")]
        found[entry] = Past("".join(str(row[0]) for row in sat), tuple(_whole(r[1]) for r in sat))
    return found


def _whole(value: object) -> int:
    return value if isinstance(value, int) else 0


def _pairing(written: object) -> Pairing:
    table = object_at(written, "tables")
    sides = {
        side: tuple(str(one) for one in list_at(table.get(side), side)) for side in ("AC", "BD")
    }
    return Pairing(_whole(table.get("table")), sides)


def _free_numbers(request: Mapping[str, object], needed: int) -> list[int]:
    taken = set(list_at(request.get("taken") or [], "taken"))
    return list(islice((n for n in count(1) if n not in taken), needed))


def _fair(table: Pairing, past: Mapping[str, Past]) -> Pairing:
    """Return the table turned so that nobody has the same side and seat again and again.

    Where it can be turned so that nobody has a side, or opens, a third time running, it is, unless
    somebody would then have one side more than MOST_UNEVEN times oftener than the other. Every
    way to turn it is looked at, and no other table is concerned, so that holds for whole rounds.

    Of several that are as fair the first counts, and the first is the draw's own answer.
    """
    turned = [
        Pairing(table.table, {"AC": one, "BD": other})
        for ac, bd in (("AC", "BD"), ("BD", "AC"))
        for one in _orders(table.sides[ac])
        for other in _orders(table.sides[bd])
    ]
    return min(turned, key=lambda one: _unfairness(one, past))


def _orders(side: tuple[str, ...]) -> Iterable[tuple[str, ...]]:
    return (side, side[::-1]) if len(side) > 1 else (side,)


def _unfairness(table: Pairing, past: Mapping[str, Past]) -> tuple[int, ...]:
    """Return by how much sides are too uneven, whether anybody has one, or opens, a third time.

    Then counts how uneven sides are, each further time running weighed with it; who opens a
    third time; who keeps the side of last time; who has a seat a third time; then all seats.
    """
    by_side = by_seat = again = running = opens = seat = uneven = 0
    for side, entries in table.sides.items():
        for letter, entry in zip(side, entries, strict=False):
            sat = past.get(entry, Past()).seats
            same = sum(one in side for one in sat)
            more = abs(2 * same + 1 - len(sat))
            uneven += max(0, more - MOST_UNEVEN)
            by_side += more**2
            by_seat += (sat.count(letter) + 1) ** 2
            kept = _running(sat, side)
            again += kept > 0
            running += max(0, 2 * kept - 3)
            third = _running(sat, letter) >= 2
            seat += third
            opens += third and letter == OPENS
    return (
        uneven,
        int(running > 0 or opens > 0),
        RUNNING * running + by_side,
        opens,
        again,
        seat,
        by_seat,
    )


def _running(sat: str, seats: str) -> int:
    """Return how many times running somebody has had one of these seats."""
    return len(sat) - len(sat.rstrip(seats))


def _numbered(
    run: Sequence[Pairing], numbers: Sequence[int], past: Mapping[str, Past]
) -> list[Pairing]:
    """Return tables of one level with numbers shifted so that the fewest sit where they sat."""
    visits = [
        Counter(n for one in table.entries for n in past.get(one, Past()).tables) for table in run
    ]

    def again(shift: int) -> int:
        return sum(seen[numbers[(place + shift) % len(run)]] for place, seen in enumerate(visits))

    shift = min(range(min(len(run), SHIFTS_TRIED)), key=again)
    return [
        replace(table, table=numbers[(place + shift) % len(run)]) for place, table in enumerate(run)
    ]
