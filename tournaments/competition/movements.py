"""Whole schedules of tables of four: every partner at most once while that is possible."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, partial
from pathlib import Path
from typing import TypeAlias

from engine.errors import DominoError, counted
from tournaments.competition.lots import ticket
from tournaments.competition.rings import ring_steps
from tournaments.competition.rotation import Meeting, Past, Wishes, numbered, rotating
from tournaments.competition.rotation_patterns import Pattern
from tournaments.competition.round_robin import by_rank
from tournaments.competition.types import Contender, ScheduledRound, TooFewContenders

LARGEST_ROUNDS = 100
# Seats times rounds; a longer schedule takes longer than anybody waits.
LARGEST_SCHEDULE = 100_000

# Computed by scripts/movements.py: a line with players and rounds, then a line a round, four
# players a table (the first two partners against the other two), then who rests.
COMPUTED = Path(__file__).with_name("movements.txt")
DIGITS = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
# Rings of fewer places than this hold too few rounds; those fields are computed.
SMALLEST_RING = 10

# A round is a list of players, four a table, then who rests.
Movement: TypeAlias = list[list[int]]


class ScheduleTooLong(DominoError):
    code = "schedule_too_long"
    text, plural = counted(
        "%(rounds)s round of %(found)s players is too much at once: players times rounds may be"
        " %(limit)s. Draw round by round instead.",
        "%(rounds)s rounds of %(found)s players are too many at once: players times rounds may "
        "be %(limit)s. Draw round by round instead.",
    )
    counts = "rounds"


@dataclass(frozen=True, slots=True)
class Schedule:
    """All rounds of an event. A pair that met c times counts as c(c - 1)/2 repeats.

    The bounds follow from counting: no schedule of this size has fewer repeats.
    """

    rounds: tuple[ScheduledRound, ...]
    repeats: tuple[int, int]
    bounds: tuple[int, int]

    def json(self) -> dict[str, object]:
        partners, opponents = self.repeats
        return {
            "rounds": [one.json() for one in self.rounds],
            "report": {
                "repeat_partners": partners,
                "repeat_opponents": opponents,
                "bound": {
                    "repeat_partners": self.bounds[0],
                    "repeat_opponents": self.bounds[1],
                },
                "optimal": self.repeats == self.bounds,
            },
        }


def schedule(contenders: Iterable[Contender], *, rounds: int, seed: int = 0) -> Schedule:
    """Return all rounds; which place of the movement a player takes is drawn by lot.

    Nobody rests twice before everybody has rested once. Raises TooFewContenders,
    ScheduleTooLong, ContenderTwice or RankTwice.
    """
    ranked = by_rank(contenders)
    if len(ranked) < 4:
        raise TooFewContenders(needed=4, found=len(ranked))
    if len(ranked) * rounds > LARGEST_SCHEDULE:
        raise ScheduleTooLong(rounds=rounds, found=len(ranked), limit=LARGEST_SCHEDULE)
    drawn = sorted(ranked, key=lambda one: ticket(one.id, seed))
    played = movement(len(ranked), rounds)
    return Schedule(
        rounds=tuple(
            ScheduledRound(
                number=number,
                tables=numbered([drawn[place] for place in four] for four in fours(seats)),
                byes=tuple(
                    one.id
                    for one in sorted(
                        (drawn[place] for place in resting(seats)), key=lambda one: one.rank
                    )
                ),
            )
            for number, seats in enumerate(played, start=1)
        ),
        repeats=repeats(played),
        bounds=bounds(len(ranked), rounds),
    )


def fours(seats: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the tables of a round."""
    return (seats[at : at + 4] for at in range(0, len(seats) - len(seats) % 4, 4))


def resting(seats: Sequence[int]) -> Sequence[int]:
    """Return who rests in a round."""
    return seats[len(seats) - len(seats) % 4 :]


def bounds(players: int, rounds: int) -> tuple[int, int]:
    """Return the fewest repeated partners and opponents that counting alone allows."""
    pairs = players * (players - 1) // 2
    found = []
    for meetings in (players // 4 * 2 * rounds, players // 4 * 4 * rounds):
        each, more = divmod(meetings, pairs)
        found.append((pairs - more) * each * (each - 1) // 2 + more * each * (each + 1) // 2)
    return found[0], found[1]


def repeats(played: Movement) -> tuple[int, int]:
    """Return the repeated partners and opponents."""
    met = _Met()
    for seats in played:
        met.add(seats)
    return met.repeats()


def movement(players: int, rounds: int) -> Movement:
    """Return the best movement known for so many players and rounds.

    Small fields play what was computed, large ones a ring; of several ways the one that repeats
    the least is taken.
    """
    best: Movement = []
    for way in _ways(players, rounds):
        found = _extended(way(), rounds)
        if not best or repeats(found) < repeats(best):
            best = found
        if repeats(best) == bounds(players, rounds):
            break
    return best


def _ways(players: int, rounds: int) -> Iterator[Callable[[], Movement]]:
    """Yield ways to begin a schedule: those that need nothing added come first."""
    lengths = sorted(length for size, length in computed() if size == players)
    yield from (
        lambda length=length: computed()[players, length][:rounds]
        for length in lengths
        if length >= rounds
    )
    if players // 4 >= SMALLEST_RING:
        yield lambda: _ring(players, rounds)
    if lengths and lengths[-1] < rounds:
        # A whole cycle gives everybody every partner, and as many rounds to rest.
        cycle = players if players % 4 else players - 1
        if cycle in lengths:
            yield lambda: computed()[players, cycle] + movement(players, rounds - cycle)
        else:
            yield lambda: computed()[players, lengths[-1]]


@cache
def computed() -> dict[tuple[int, int], Movement]:
    """Return the computed movements by players and rounds."""
    found: dict[tuple[int, int], Movement] = {}
    for block in COMPUTED.read_text(encoding="ascii").split("\n\n"):
        head, *lines = block.split("\n")
        players, rounds = map(int, head.split())
        found[players, rounds] = [
            [DIGITS.index(digit) for digit in line.replace(" ", "")] for line in lines if line
        ]
    return found


def _extended(begun: Movement, rounds: int) -> Movement:
    """Add rounds drawn one by one, each repeating as little as can be."""
    players = len(begun[0])
    met: list[Meeting] = []
    partnered: list[Meeting] = []
    byes: Counter[int] = Counter()
    found = list(begun)
    for number in range(rounds):
        if number == len(found):
            drawn = rotating(
                [Contender(str(one), one + 1, byes=byes[one]) for one in range(players)],
                Past(met=met, partnered=partnered),
                Wishes(round=number + 1, pattern=Pattern.SPREAD),
            )
            found.append(
                [int(one) for table in drawn.tables for one in table.entries]
                + [int(one) for one in drawn.byes]
            )
        seats = found[number]
        byes.update(resting(seats))
        for one, two, three, four in fours(seats):
            partnered += [Meeting(str(one), str(two)), Meeting(str(three), str(four))]
            met += [Meeting(str(a), str(b)) for a in (one, two) for b in (three, four)]
    return found


def _ring(players: int, rounds: int) -> Movement:
    """Return rounds of four rings that turn against each other, as many as they hold.

    Those who are over take the places of others, who rest.
    """
    size = players // 4
    rings: Movement = [
        [
            ring * size + (place + step) % size
            for place in range(size)
            for ring, step in enumerate((0, *steps))
        ]
        for steps in ring_steps(size, rounds)
    ]
    return _with_spare(rings, players)


def _with_spare(played: Movement, players: int) -> Movement:
    """Seat up to three more players, each in turn in the place of one who rests."""
    seated = len(played[0])
    byes: Counter[int] = Counter()
    met = _Met()
    found: Movement = []
    for seats in played:
        now = list(seats)
        rests: list[int] = []
        for one in range(seated, players):
            fewest = min(byes[other] for other in range(players) if other not in rests)
            if byes[one] == fewest:
                rests.append(one)
                continue
            waiting = [seat for seat in range(seated) if byes[now[seat]] == fewest]
            seat = min(waiting, key=partial(met.cost, now, one))
            rests.append(now[seat])
            now[seat] = one
        byes.update(rests)
        found.append(now + rests)
        met.add(now)
    return found


class _Met:
    """Who has met whom, and what a seat would repeat."""

    def __init__(self) -> None:
        self.partners: Counter[tuple[int, int]] = Counter()
        self.opponents: Counter[tuple[int, int]] = Counter()

    def add(self, seats: Sequence[int]) -> None:
        for one, two, three, four in fours(seats):
            self.partners.update([_two(one, two), _two(three, four)])
            self.opponents.update(_two(a, b) for a in (one, two) for b in (three, four))

    def repeats(self) -> tuple[int, int]:
        first, second = (
            sum(times * (times - 1) // 2 for times in one.values())
            for one in (self.partners, self.opponents)
        )
        return first, second

    def cost(self, seats: Sequence[int], player: int, seat: int) -> tuple[int, int]:
        """Return how many partners and opponents it repeats to seat the player there."""
        partner, *others = (seats[seat ^ across] for across in (1, 2, 3))
        return (
            self.partners[_two(player, partner)],
            sum(self.opponents[_two(player, other)] for other in others),
        )


def _two(one: int, other: int) -> tuple[int, int]:
    return (one, other) if one < other else (other, one)
