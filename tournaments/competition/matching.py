"""Perfect matchings of least cost, by the library rustworkx, and why there may be none."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeAlias

import rustworkx

# Two vertices, numbered from 0.
Edge: TypeAlias = tuple[int, int]
# Two vertices and what it costs to match them, never below 0.
PricedEdge: TypeAlias = tuple[int, int, int]

# The library counts in 128 bits without noticing when they run over. It doubles every weight,
# adds two prices to compare them, and a price can grow to a few weights for every vertex.
BITS = 126
SPARE_BITS = 4


def bits_for(size: int) -> int:
    """Return how many bits a cost may have in a graph of `size` vertices."""
    return BITS - SPARE_BITS - size.bit_length()


def cheapest(size: int, edges: Sequence[PricedEdge]) -> list[Edge]:
    """Return, among the matchings with most edges, one of least cost, in order.

    Of several that cost the same any may be returned: make costs so that only one is cheapest.
    """
    if not edges:
        return []
    top = max(cost for _, _, cost in edges)
    if top.bit_length() > bits_for(size):
        raise ValueError(f"a cost of {top.bit_length()} bits is too long for {size} vertices")
    return _matched(size, [(one, other, top - cost) for one, other, cost in edges], most=True)


def dearest(size: int, edges: Sequence[PricedEdge]) -> list[Edge]:
    """Return the edges of a matching with the greatest sum, whether or not all are matched."""
    return _matched(size, edges, most=False)


def _matched(size: int, weighted: Sequence[PricedEdge], *, most: bool) -> list[Edge]:
    graph: rustworkx.PyGraph[None, int] = rustworkx.PyGraph(multigraph=False)
    graph.add_nodes_from([None] * size)
    graph.add_edges_from(weighted)
    found = rustworkx.max_weight_matching(graph, max_cardinality=most, weight_fn=int)
    return sorted((min(two), max(two)) for two in found)


def left_over(size: int, edges: Iterable[Edge], matched: Iterable[Edge]) -> tuple[list[int], int]:
    """Return the vertices that one largest matching or another leaves over, and how many each does.

    `matched` must be a matching with most edges. Of the vertices returned, however they are
    matched, that many find nobody (Gallai and Edmonds). They are reached from one that is left
    over in an even number of steps, by turns along an edge and along the matching.
    """
    neighbours: list[list[int]] = [[] for _ in range(size)]
    for one, other in edges:
        neighbours[one].append(other)
        neighbours[other].append(one)
    mate = [-1] * size
    for one, other in matched:
        mate[one], mate[other] = other, one
    roots = [vertex for vertex in range(size) if mate[vertex] < 0]
    return _Forest(neighbours, mate, roots).reached(), len(roots)


class _Forest:
    """Alternating trees grown from what is left over; odd rings are drawn together."""

    def __init__(self, neighbours: list[list[int]], mate: list[int], roots: list[int]) -> None:
        self.neighbours = neighbours
        self.mate = mate
        self.base = list(range(len(mate)))
        self.parent = [-1] * len(mate)
        self.even = set(roots)
        self.waiting = deque(roots)

    def reached(self) -> list[int]:
        while self.waiting:
            one = self.waiting.popleft()
            for other in self.neighbours[one]:
                if self.base[one] == self.base[other] or self.mate[one] == other:
                    continue
                if other in self.even:
                    self._draw_together(one, other)
                elif self.parent[other] < 0:
                    self.parent[other] = one
                    self._add(self.mate[other])
        return sorted(self.even)

    def _add(self, vertex: int) -> None:
        if vertex not in self.even:
            self.even.add(vertex)
            self.waiting.append(vertex)

    def _draw_together(self, one: int, other: int) -> None:
        meeting = self._meeting(one, other)
        ring: set[int] = set()
        self._mark(one, other, meeting, ring)
        self._mark(other, one, meeting, ring)
        for vertex, base in enumerate(self.base):
            if base in ring:
                self.base[vertex] = meeting
                self._add(vertex)

    def _meeting(self, one: int, other: int) -> int:
        """Return where the ways from both to their root meet; they have one root."""
        seen = set()
        vertex = self.base[one]
        while True:
            seen.add(vertex)
            if self.mate[vertex] < 0:
                break
            vertex = self.base[self.parent[self.mate[vertex]]]
        vertex = self.base[other]
        while vertex not in seen:
            vertex = self.base[self.parent[self.mate[vertex]]]
        return vertex

    def _mark(self, vertex: int, child: int, meeting: int, ring: set[int]) -> None:
        """Note what lies on the ring, and the way back along it."""
        while self.base[vertex] != meeting:
            across = self.mate[vertex]
            ring.update((self.base[vertex], self.base[across]))
            self.parent[vertex] = child
            child = across
            vertex = self.parent[across]
