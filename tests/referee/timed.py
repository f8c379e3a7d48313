"""Records with the time of every line, for the tests of what is counted in them."""

from __future__ import annotations

from collections.abc import Sequence

from engine.profiles import Rules
from referee.recorded import Facts, Recorded, Rows, Sitting, StoredRound

# Four hands, and a round played with them: the second of each line, then the line. What fitted
# is said behind it, counted by hand; C goes out.
HANDS = {
    "A": ["6-6", "6-5", "5-4", "4-3", "3-2", "2-1", "1-0"],
    "B": ["6-4", "5-5", "4-4", "3-3", "2-2", "1-1", "0-0"],
    "C": ["6-3", "5-3", "6-2", "4-2", "5-2", "3-1", "2-0"],
    "D": ["6-1", "6-0", "5-1", "5-0", "4-1", "4-0", "3-0"],
}
PLAYED = """
0     A 6-6
4     B 6-4        # 6-4
10    C 4-2        # 6-3 6-2 4-2
13    D 6-1        # 6-1 6-0
20    A 1-0        # 3-2 2-1 1-0
22    B 2-2        # 2-2 0-0
30    C 6-2        # 6-2 5-2 2-0
40    D! delay
50    D 5-0        # after a ruling: no pause
55    A 5-4        # 6-5 5-4
56    B 4-4        # 4-4
60    C 6-3        # 6-3
63    D 4-1
64    undo 1
66    D 4-0        # after a slip of the pen: no pause
400   A 4-3        # longer than five minutes: no pause
403   B 0-0        # 0-0
405   C 2-0        # 2-0
406.5 D 4-1        # 4-1
410   A 3-2        # 3-2 2-1
412   B 3-3        # 3-3 1-1
415   C 5-3        # 5-3 3-1
420   D 5-1 left   # 5-1
421   A 2-1        # 2-1
422   B 1-1        # 1-1
425   C 3-1        # 5-2 3-1
427   D 3-0        # 3-0
428   A pass
429   B pass
432   C 5-2        # 5-2
"""

Timed = tuple[str, Sequence[float]]


def timed(text: str) -> tuple[list[str], list[float]]:
    """Read lines that begin with their second; what stands behind `#` is for people."""
    lines, at = [], []
    for line in text.strip().splitlines():
        second, event = line.partition("#")[0].split(maxsplit=1)
        lines.append(event.strip())
        at.append(float(second))
    return lines, at


def recorded(
    *rounds: tuple[str, dict[str, list[str]] | None], profile: str = "wdf", opener: str = "A"
) -> tuple[Recorded, dict[int, list[float]]]:
    """Return a match of players 1 to 4 and when its lines were recorded, by round."""
    stored, times = [], {}
    for number, (text, hands) in enumerate(rounds):
        lines, at = timed(text)
        stored.append(StoredRound(number + 70, number, opener, hands, None, tuple(lines)))
        times[number + 70] = at
    sittings = tuple(
        Sitting(seat, name, number, number % 2, "", "")
        for number, (seat, name) in enumerate(
            zip("ABCD", ("Rosa", "Lin", "Omar", "Sara"), strict=True), start=1
        )
    )
    facts = Facts(9, 1, "playing", "pair", Rules.of(profile), {})
    return Rows(facts, sittings, tuple(stored)).replayed(), times
