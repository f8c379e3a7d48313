"""Partners first, then tables of two pairs: the seating with the fewest repeated partners."""

from __future__ import annotations

from itertools import combinations

from tournaments.competition.matching import cheapest
from tournaments.competition.rotation_costs import FORBIDDEN, OPPONENT, PARTNER, Field

# Above the greatest sum of squares of distances, and of opponents met.
REPEATED = 1 << 60
MET = 1 << 40


def in_pairs(field: Field) -> tuple[list[list[int]], int] | None:
    """Return such tables and how many partners are repeated at them: no draw repeats fewer.

    Returns nothing where those who must not meet leave some without a partner or opponents.
    """
    size = field.size
    partners = cheapest(
        size,
        [
            (one, other, REPEATED * (cost // PARTNER) + (other - one) ** 2)
            for one, other in combinations(range(size), 2)
            if (cost := field.as_partners[one].get(other, 0)) < FORBIDDEN
        ],
    )
    meetings = []
    for table, other_table in combinations(range(len(partners)), 2):
        one, two = partners[table]
        three, four = partners[other_table]
        cost = sum(field.as_opponents[a].get(b, 0) for a in (one, two) for b in (three, four))
        if cost < FORBIDDEN:
            apart = (one + two - three - four) ** 2
            meetings.append((table, other_table, MET * (cost // OPPONENT) + apart))
    tables = cheapest(len(partners), meetings)
    if len(tables) * 4 < size:
        return None
    repeated = sum(field.as_partners[one].get(other, 0) >= PARTNER for one, other in partners)
    return [[*partners[table], *partners[other]] for table, other in tables], repeated
