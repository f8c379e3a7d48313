"""Each row of the table of the federation's 2025 regulation, ruled on in the browser.

What is expected is written down from the regulation, article by article: 20 % are 40 of 200 points
and 40 % are 80. They come off the result: in a pairs event for both, otherwise for the offender.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.rulings import Act, Book, carried_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALL_PASS = ("C pass", "D pass", "A pass", "B pass")
COUNTS = ("A counts 10", "B counts 30", "C counts 10", "D counts 30")
# Blocked: the pips of all four hands to the lower side. Then two sheets: AC 200, BD 60.
ENDS: dict[str, Any] = {"left": (*ALL_PASS, *COUNTS), "rounds": (("BD", 60), ("AC", 120))}
# A round that was void counts nothing; the same seat opens the next one.
AFTER_VOID: dict[str, Any] = {"rounds": (("AC", 80), ("BD", 60), ("AC", 120)), "next_opener": "A"}
LOST = ("L", 0, 200)
WON = ("W", 200, 0)
WARNED = [("Lin", "warning", "play")]
YELLOW = [("Lin", "yellow", "play")]
BLACK = [("Lin", "black", "play")]


def after_fine(seat: str, points: int, *, of: str = "pair") -> dict[str, tuple[str, int, int]]:
    """Return AC's 200 to 60 with points taken off the result of a seat, in a pair of both."""
    hit = next(side for side in ("AC", "BD") if seat in side) if of == "pair" else seat
    found = {}
    for one in "ABCD":
        fine = points if one in hit else 0
        found[one] = ("W", 200 - fine, 60) if one in "AC" else ("L", 60 - fine, 200)
    return found


def fined(seat: str, points: int) -> dict[str, Any]:
    """Return the results and the penalty points of both kinds of event."""
    pair = next(side for side in ("AC", "BD") if seat in side)
    return {
        "pair": after_fine(seat, points),
        "single": after_fine(seat, points, of="single"),
        "fines": (dict.fromkeys(pair, points), {seat: points}) if points else ({}, {}),
    }


def lost(seat: str, *, partner_too: bool = False) -> dict[str, Any]:
    """Return a match that was lost by a ruling: alone it is lost by whoever did it (art. 28)."""
    pair = next(side for side in ("AC", "BD") if seat in side)
    alone = pair if partner_too else seat
    return {
        "pair": {one: LOST if one in pair else WON for one in "ABCD"},
        "single": {one: LOST if one in alone else WON for one in "ABCD"},
    }


BOOK = [
    # Not seated two minutes after the start: 0-200 and yellow; those present win 100-0.
    Book(
        "late", "femundo 7",
        [Act("C", "late", "lose_match, card yellow", "button", ended="over")],
        pair={"A": LOST, "B": ("W", 100, 0), "C": LOST, "D": ("W", 100, 0)},
        single={"A": ("W", 100, 0), "B": ("W", 100, 0), "C": LOST, "D": ("W", 100, 0)},
        before=(), cards=[("Omar", "yellow", "play")],
    ),
    # Shuffling against the order, a gesture instead of pass, the phone: warning, then 20 %.
    Book(
        "procedure", "femundo 8–10, 15, 19, 23",
        [
            Act("B", "procedure", "warning", turn="B", totals=(0, 0)),
            Act("B", "procedure", "percent 20", "button", turn="B", totals=(0, 0), fined=(0, 40)),
        ],
        **fined("B", 40), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)}, cards=WARNED,
    ),
    # Talk during a round: the same, and a fault of conduct.
    Book(
        "table_talk", "femundo 25",
        [
            Act("C", "table_talk", "warning", "button", turn="B"),
            Act("C", "table_talk", "percent 20", turn="B", fined=(40, 0)),
        ],
        **fined("C", 40), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)},
        cards=[("Omar", "warning", "discipline")],
    ),
    # Too slow: warning, then 20 %; as bad conduct the match.
    Book(
        "delay", "femundo 11",
        [
            Act("B", "delay", "warning", turn="B"),
            Act("B", "delay", "percent 20", turn="B", fined=(0, 40)),
        ],
        **fined("B", 40), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)}, cards=WARNED,
    ),
    Book(
        "delay", "femundo 11",
        [Act("B", "delay", "lose_match", deliberate=True, ended="over")],
        **lost("B"), name="delay on purpose",
    ),
    # Wrong opener, another has played: it stands, 20 %; the next round opens at the right.
    Book(
        "wrong_opener", "femundo 12",
        [Act("C", "wrong_opener", "percent 20", "finding", turn="A", fined=(40, 0))],
        pair={"A": ("W", 160, 80), "B": ("L", 80, 200), "C": ("W", 160, 80), "D": ("L", 80, 200)},
        single={"A": ("W", 200, 80), "B": ("L", 80, 200), "C": ("W", 160, 80),
                "D": ("L", 80, 200)},
        fines=({"A": 40, "C": 40}, {"C": 40}),
        before=("A 6-6", "B pass", "C pass", "D pass", "A pass", *COUNTS),
        opened=("C", "C 6-6", "D 6-5"),
        left=("A pass", "B pass", "C pass", "D pass", "A counts 30", "B counts 10",
              "C counts 30", "D counts 10"),
        next_opener="D",
        rounds=(("AC", 120),),
    ),
    # Ahead of turn: 20 %, and the tile is exposed.
    Book(
        "out_of_turn", "femundo 13",
        [
            Act("D", "out_of_turn", "percent 20, expose", "d 64", tile="6-4", turn="B",
                face_up=("6-4",), fined=(0, 40)),
            "p", "p", "64",
        ],
        **fined("D", 40), **ENDS | {"left": ("A pass", "B pass", "C pass", "D pass", *COUNTS)},
    ),
    # Misplay put right before anyone has played: a warning.
    Book(
        "misplay", "femundo 5, 14",
        [Act("B", "misplay", "percent 40, card yellow, expose", "54", case=1,
             takes="retract, warning", turn="B", fined=(0, 0))],
        **fined("B", 0), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)}, cards=WARNED,
        name="misplay put right",
    ),
    # Found later, fewer than four plays followed: 40 %, yellow, exposed; play goes on.
    Book(
        "misplay", "femundo 5, 14",
        [Act("B", "misplay", "percent 40, card yellow, expose", tile="5-4", turn="B",
             face_up=("5-4",), fined=(0, 80)), "p"],
        **fined("B", 80), **ENDS, cards=YELLOW, name="misplay, three plays",
    ),
    # Four plays or more: the round is void, the same opener again.
    Book(
        "misplay", "femundo 5, 14",
        [Act("B", "misplay", "percent 40, card yellow, expose", "button", case=2,
             takes="percent 40, card yellow, void_round", fined=(0, 80), ended="void")],
        **fined("B", 80), **AFTER_VOID, cards=YELLOW, name="misplay, four plays",
    ),
    # On purpose: match lost and black card.
    Book(
        "misplay", "femundo 5, 14",
        [Act("B", "misplay", "lose_match, card black", "54", deliberate=True, ended="over")],
        **lost("B"), cards=BLACK, name="misplay on purpose",
    ),
    # Pass with a playable tile: 40 % and yellow, claimable until the end of the round.
    Book(
        "false_pass", "femundo 5, 14, 16",
        [Act("B", "false_pass", "percent 40, card yellow", "finding", turn="C", fined=(0, 80))],
        **fined("B", 80), **ENDS, cards=YELLOW,
        before=("A 6-6", "B pass", "C 6-5", "D pass", "A pass", "B 6-1"),
    ),
    # It exposed further tiles: void as well.
    Book(
        "false_pass", "femundo 5, 14, 16",
        [Act("B", "false_pass", "percent 40, card yellow", "finding", case=1,
             takes="percent 40, card yellow, void_round", fined=(0, 80), ended="void")],
        **fined("B", 80), **AFTER_VOID, cards=YELLOW,
        before=("A 6-6", "B pass", "C 6-5", "D pass", "A pass", "B 6-1"),
        name="false_pass, further tiles",
    ),
    Book(
        "false_pass", "femundo 5, 14, 16",
        [Act("B", "false_pass", "lose_match, card black", "button", deliberate=True,
             ended="over")],
        **lost("B"), cards=BLACK, name="false_pass on purpose",
    ),
    # Tile dropped and identified: warning and exposed, then 20 %.
    Book(
        "exposed_tile", "femundo 17",
        [
            Act("B", "exposed_tile", "warning, expose", tile="6-1", turn="B", face_up=("6-1",),
                fined=(0, 0)),
            "61", "p", "p", "p",
            Act("B", "exposed_tile", "percent 20, expose", "button", tile="2-1", turn="B",
                face_up=("2-1",), fined=(0, 40)),
            "21",
        ],
        **fined("B", 40), **ENDS, cards=WARNED,
    ),
    # Touched tile that does not fit: 20 %, exposed, and played as soon as it fits.
    Book(
        "touch", "femundo 18",
        [
            Act("B", "touch", "percent 20, expose", tile="5-4", turn="B", face_up=("5-4",),
                fined=(0, 40)),
            "p", "65", "p", "p", "54",
        ],
        **fined("B", 40), **ENDS,
    ),
    # Block announced that is none: 20 %; all hands shown, void.
    Book(
        "false_block", "femundo 5, 6",
        [Act("C", "false_block", "percent 20", "button", turn="B", fined=(40, 0))],
        **fined("C", 40), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)},
    ),
    Book(
        "false_block", "femundo 5, 6",
        [Act("C", "false_block", "percent 20", case=1, takes="percent 20, void_round",
             fined=(40, 0), ended="void")],
        **fined("C", 40), **AFTER_VOID, name="false_block, all hands",
    ),
    # Too many tiles drawn: 20 %, redeal.
    Book(
        "overdraw", "femundo 6",
        [Act("D", "overdraw", "percent 20, void_round", "button", fined=(0, 40), ended="void")],
        **fined("D", 40), **AFTER_VOID, before=(),
    ),
    # Layout destroyed: 20 % when it cannot be rebuilt.
    Book(
        "disturbed_layout", "femundo 20",
        [
            Act("B", "disturbed_layout", "percent 20", turn="B", fined=(0, 40)),
            Act("B", "disturbed_layout", "percent 20", "button", case=1, takes="warning",
                turn="B", fined=(0, 40)),
        ],
        **fined("B", 40), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)}, cards=WARNED,
    ),
    # Gestures or remarks to show a play: 40 % and yellow; again: suspension.
    Book(
        "coaching", "femundo 24",
        [
            Act("A", "coaching", "percent 40, card yellow", turn="B", fined=(80, 0)),
            Act("A", "coaching", "disqualify", "button", ended="over"),
        ],
        # What was taken off the result stays off: nobody gains by losing.
        pair={"A": ("L", -80, 200), "B": WON, "C": ("L", -80, 200), "D": WON},
        single={"A": ("L", -80, 200), "B": WON, "C": WON, "D": WON},
        fines=({"A": 80, "C": 80}, {"A": 80}),
        # Shown by one and read by the other: in a pair it falls on both.
        cards=[(name, card, "discipline") for name in ("Omar", "Rosa")
               for card in ("black", "yellow")],
        cards_single=[("Rosa", "black", "discipline"), ("Rosa", "yellow", "discipline")],
    ),
    # Signals presumed: black card, the partner too, also where each plays alone.
    Book(
        "signaling", "femundo 24",
        [Act("A", "signaling", "disqualify, card black", ended="over")],
        **lost("A", partner_too=True),
        cards=[("Omar", "black", "discipline"), ("Rosa", "black", "discipline")],
    ),
    # Disobeying sanctions: black card, the offender alone where each plays alone.
    Book(
        "disobedience", "femundo 29",
        [Act("D", "disobedience", "disqualify, card black", "button", ended="over")],
        **lost("D"),
        cards=[("Sara", "black", "discipline")],
    ),
    # Two punished infractions of one player in one match: to be lost, proposed to the referee.
    Book(
        "false_block", "femundo 5, 6",
        [
            Act("B", "false_block", "percent 20", turn="B", fined=(0, 40)),
            Act("B", "false_block", "percent 20", "button", turn="B", fined=(0, 80)),
        ],
        **fined("B", 80), **ENDS | {"left": ("B pass", *ALL_PASS[:3], *COUNTS)},
        cards=[("Lin", "match", "play")], name="two infractions",
    ),
]  # fmt: skip


@pytest.mark.parametrize("book", BOOK, ids=str)
def test_femundo_row_is_ruled_on_and_all_that_comes_of_it_is_there(new_page, complaints, book):
    carried_out(new_page, "femundo", book)
    # The browser notes each act that was refused before it was ruled on.
    assert all("409" in one for one in complaints)
    complaints.clear()
