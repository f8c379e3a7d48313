"""Where the tiles of a line of play lie on the table: it bends when it reaches the edge.

The first tile laid keeps its place in the middle, and each arm grows away from it: the right one
to the right edge, down and back; the left one is the same half a turn round. So a tile that lies
never moves. Doubles lie crosswise. The unit is half the length of a tile.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

Halves = tuple[int, int]

NARROWEST = 7.0


@dataclass(frozen=True, slots=True)
class Place:
    """The centre of a tile, and the way from its left half to its right half.

    `turn` is in degrees, clockwise on the page: 0 when the right half lies to the right, 90 when
    it lies below.
    """

    x: float
    y: float
    turn: int

    def half_a_turn_round(self) -> Place:
        """Return the same place on the other arm, where the left half is the outer one."""
        return Place(-self.x, -self.y, self.turn)

    def moved(self, x: float, y: float) -> Place:
        return Place(self.x + x, self.y + y, self.turn)

    @property
    def reach(self) -> tuple[float, float]:
        """How far the tile reaches from its centre, across and down."""
        return (1.0, 0.5) if self.turn % 180 == 0 else (0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Drawing:
    """The places in the order of the line, in a box that starts at 0, 0."""

    width: float
    height: float
    places: tuple[Place, ...]


def lay_out(line: Sequence[Halves], *, first: int, width: float) -> Drawing:
    """Place the tiles of `line`, left to right, around the tile at index `first`."""
    width = max(width, NARROWEST)
    if not line:
        return Drawing(width, 2.0, ())
    edge = (width - 1) / 2  # a double at a bend reaches half a unit further
    crosswise = line[first][0] == line[first][1]
    anchor = Place(0.0, 0.0, 90 if crosswise else 0)
    reach = 0.5 if crosswise else 1.0
    right = _arm([left == right for left, right in line[first + 1 :]], start=reach, edge=edge)
    left = _arm([left == right for left, right in line[:first][::-1]], start=reach, edge=edge)
    places = [*(place.half_a_turn_round() for place in reversed(left)), anchor, *right]
    top = min(place.y - place.reach[1] for place in places)
    bottom = max(place.y + place.reach[1] for place in places)
    moved = tuple(place.moved(width / 2, -top) for place in places)
    return Drawing(width, bottom - top, moved)


def _arm(doubles: Sequence[bool], *, start: float, edge: float) -> list[Place]:
    """Place an arm that starts at `start` to the right; `doubles` tells which tiles are."""
    places: list[Place] = []
    way = 1  # 1 to the right, -1 to the left
    x, y = start, 0.0  # middle of the open edge of the last tile
    below = 1.0 if start == 0.5 else 0.5  # from y down to the lower edge of the last tile
    column: float | None = None  # of a tile that hangs at a bend, until the next row starts
    for index, double in enumerate(doubles):
        next_is_double = index + 1 < len(doubles) and doubles[index + 1]
        if column is not None:  # first tile of a new row, under the bend
            way = -way
            y += 0.5
            inner = 1.0 if double else 0.5
            places.append(Place(column + way * (0 if double else 0.5), y, 0 if way == 1 else 180))
            x = column + way * (inner if double else 1.5)
            below = 0.5
            column = None
            continue
        length = 1.0 if double else 2.0
        left_over = edge - way * x - length
        if left_over >= (1.0 if next_is_double and not double else 0.0):
            upright = 90 if way == 1 else 270
            flat = 0 if way == 1 else 180
            places.append(Place(x + way * length / 2, y, upright if double else flat))
            x += way * length
            below = 1.0 if double else 0.5
        else:
            column = x - way * 0.5
            places.append(Place(column, y + below + 1, 90))
            y += below + 2
    return places
