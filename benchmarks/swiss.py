"""Seconds for a Swiss draw in blocks beside the whole graph in one piece, in one run.

    python benchmarks/swiss.py [--sizes 1000 10000] [--repeats 3] [--without-whole]

Round 5 of a simulated event, from the request as read from JSON to the answer: graph building,
draw, and the proof of how good it is. Both sides take turns; a ratio is the median of the ratios
of the repeats, so a slow moment of the machine hits both. The whole graph has the 24 neighbours
of everybody and is solved by rustworkx at once; where it costs less, line by line, it says so.
The gap in the report is proved against every draw there is, not only those of this graph.
"""

from __future__ import annotations

import argparse
import math
import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from tests.tournaments.swiss_check import Request, check, event
from tournaments.competition.matching import Edge, cheapest
from tournaments.competition.reading import contenders_at, separation_at
from tournaments.competition.requests import pair
from tournaments.competition.swiss_blocks import line
from tournaments.competition.swiss_field import Costs, Field, Order, Rules, priced

NEIGHBOURS = 24
ORDERS = ("nearest", "fold", "draw")


def measured(work: Callable[[], object]) -> tuple[float, Any]:
    begun = time.perf_counter()
    answer = work()
    return time.perf_counter() - begun, answer


def whole_graph(asked: Request) -> Costs:
    """Return what the draw of the whole graph in one piece costs."""
    rules = Rules(
        order=Order(asked["order"]),
        separate_by=separation_at(asked),
        seed=asked["seed"],
        round=asked["round"],
    )
    field = Field(contenders_at(asked), map(tuple, asked["met"]), [], rules)
    places = line(field)
    edges: list[Edge] = [
        (min(one, other), max(one, other))
        for n, one in enumerate(places)
        for other in places[n + 1 : n + 1 + NEIGHBOURS]
        if other not in field.met[one]
    ]
    tables = cheapest(len(places), priced(field, edges, size=len(places)).edges)
    assert 2 * len(tables) == len(places)
    return field.costs(tables)


def costs_of(answer: dict[str, Any]) -> Costs:
    report = answer["report"]
    return Costs(
        rematches=report["rematches"],
        win_gap=report["win_gap"],
        same_separated=report["same_separated"],
        order=report["order_cost"],
    )


def line_by_line(costs: Costs) -> tuple[int, ...]:
    return *costs.before_order, costs.order


def gap_to(whole: Costs, ours: Costs) -> str:
    """Return how far ours is above the whole graph on the first line that differs."""
    for theirs, mine in zip(line_by_line(whole), line_by_line(ours), strict=True):
        if mine != theirs:
            return f"{100 * (mine - theirs) / max(1, theirs):+.3f} %"
    return "0.0 %"


def side_by_side(asked: Request, title: str, repeats: int, *, whole: bool) -> float:
    """Print a row of figures and return the median time of our draw."""
    ours, ratios = [], []
    beside = ""
    for _ in range(repeats):
        taken, answer = measured(lambda: pair(asked))
        ours.append(taken)
        if whole:
            peer, costs = measured(lambda: whole_graph(asked))
            ratios.append(peer / taken)
            beside = (
                f", whole graph {peer:6.2f} s, ratio {statistics.median(ratios):5.2f}, "
                f"gap to it {gap_to(costs, costs_of(answer))}"
            )
    check(asked, answer)
    report = answer["report"]
    median = statistics.median(ours)
    print(
        f"{title}: {median:6.3f} s [{min(ours):.3f}..{max(ours):.3f}]{beside}; "
        f"rematches {report['rematches']}, win gap {report['win_gap']}, same club "
        f"{report['same_separated']}, proved gap {100 * report['gap']:.3f} %",
        flush=True,
    )
    return median


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[400, 1000, 10_000])
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--without-whole", action="store_true", help="only our own times")
    given = parser.parse_args()
    print(f"round 5, graph building included; Python {sys.version.split()[0]}")
    for three_clubs in (False, True):
        clubs = "three clubs hold 80 %" if three_clubs else "twenty clubs"
        asked = {size: event(size, three_clubs=three_clubs) for size in given.sizes}
        for order in ORDERS:
            times = {}
            for size in given.sizes:
                # By lot nothing is nearest: the graph of other neighbours has other lots.
                whole = not given.without_whole and order != "draw"
                title = f"{size:>6} entries, {order:<7}, {clubs}"
                request = asked[size] | {"order": order}
                times[size] = side_by_side(request, title, given.repeats, whole=whole)
            if {1000, 10_000} <= set(times):
                exponent = math.log10(times[10_000] / times[1000])
                print(f"  exponent from 1,000 to 10,000, {order}, {clubs}: {exponent:.2f}")


if __name__ == "__main__":
    main()
