"""The line of play on the table: it fits, nothing overlaps, matching halves touch."""

from __future__ import annotations

from itertools import combinations, pairwise

from hypothesis import given
from hypothesis import strategies as st

from engine.tiles import TILES
from tournaments.layout_of_line import Drawing, Halves, Place, lay_out

UNTURNED = {0: (1.0, 0.0), 90: (0.0, 1.0), 180: (-1.0, 0.0), 270: (0.0, -1.0)}


@st.composite
def lines(draw: st.DrawFn) -> list[Halves]:
    """A line as it grows at a table, each tile matching its neighbours."""
    pool = draw(st.permutations(TILES))
    line: list[Halves] = [(pool[0].high, pool[0].low)]
    for tile in pool[1:]:
        if tile.has(line[-1][1]):
            line.append((line[-1][1], tile.other_half(line[-1][1])))
        elif tile.has(line[0][0]):
            line.insert(0, (tile.other_half(line[0][0]), line[0][0]))
    return line


def box(place: Place) -> tuple[float, float, float, float]:
    across, down = place.reach
    return (place.x - across, place.y - down, place.x + across, place.y + down)


def half(place: Place, *, right: bool) -> tuple[float, float]:
    """The middle of one half."""
    x, y = UNTURNED[place.turn]
    side = 0.5 if right else -0.5
    return (place.x + x * side, place.y + y * side)


def touching(line: list[Halves], drawing: Drawing) -> bool:
    """Neighbours touch where their pips agree; a double takes part as a whole."""
    for (one, other), (before, after) in zip(pairwise(line), pairwise(drawing.places), strict=True):
        near = (before.x, before.y) if one[0] == one[1] else half(before, right=True)
        far = (after.x, after.y) if other[0] == other[1] else half(after, right=False)
        if abs(near[0] - far[0]) + abs(near[1] - far[1]) > 1.5 + 1e-9:
            return False
    return True


@given(lines(), st.data())
def test_a_line_fits_its_width_without_overlap_and_its_matching_halves_touch(
    line: list[Halves], data: st.DataObject
) -> None:
    first = data.draw(st.integers(0, len(line) - 1))
    width = data.draw(st.sampled_from([7.0, 9.0, 13.0, 18.5, 26.0]))
    drawing = lay_out(line, first=first, width=width)
    boxes = [box(place) for place in drawing.places]
    assert all(left >= -1e-9 and top >= -1e-9 for left, top, _, _ in boxes)
    assert all(
        right <= width + 1e-9 and bottom <= drawing.height + 1e-9 for _, _, right, bottom in boxes
    )
    for one, other in combinations(boxes, 2):
        across = min(one[2], other[2]) - max(one[0], other[0])
        down = min(one[3], other[3]) - max(one[1], other[1])
        assert across <= 1e-9 or down <= 1e-9
    assert touching(line, drawing)


def test_doubles_lie_crosswise() -> None:
    drawing = lay_out([(6, 6), (6, 3), (3, 3)], first=0, width=13)
    assert [place.turn % 180 for place in drawing.places] == [90, 0, 90]


def test_the_line_reads_from_left_to_right_until_it_bends() -> None:
    drawing = lay_out([(2, 6), (6, 6), (6, 3)], first=1, width=13)
    assert [place.x for place in drawing.places] == [5.0, 6.5, 8.0]
    assert [place.turn for place in drawing.places] == [0, 90, 0]


def test_tiles_that_lie_keep_their_place_when_the_line_grows_to_the_right() -> None:
    line = [(6, 6), (6, 3), (3, 1), (1, 5), (5, 4), (4, 0)]
    before = lay_out(line[:-1], first=0, width=9)
    assert lay_out(line, first=0, width=9).places[:-1] == before.places


def test_an_empty_line_draws_nothing() -> None:
    assert lay_out([], first=0, width=13).places == ()
