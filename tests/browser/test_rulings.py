"""Each of the eight infractions of `wdf`, ruled on in the browser.

What is expected is written down from the Persian source, "infractions and penalties", nos. 1 to 8:
its measures, with 10 % of the target for a repeat and 20 % for a severe act, which is to 100 here.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.browser.rulings import Act, Book, carried_out

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

ALL_PASS = ("C pass", "D pass", "A pass", "B pass")
COUNTS = ("A counts 10", "B counts 30", "C counts 10", "D counts 30")
# Blocked, 20 against 60: the difference. Then a sheet: AC comes to 100.
ENDS: dict[str, Any] = {"left": (*ALL_PASS, *COUNTS), "rounds": (("AC", 60),)}


def won(by: str, loser: int = 0) -> dict[str, tuple[str, int, int]]:
    """Return a match won by a side with 100: points taken off count for the whole side."""
    return {
        one: ("W", 100, loser) if one in by else ("L", loser, 100) for one in "ABCD"
    }  # fmt: skip


BOOK = [
    # 1: void and corrected; in some events the turn is lost, or points.
    Book(
        "misplay",
        "wdf 1",
        [
            Act("B", "misplay", "retract, warning", "54", turn="B"),
            Act("B", "misplay", "retract, lose_turn", turn="C"),
            "65", "p", "p",
            Act("B", "misplay", "retract, lose_turn, percent 10", "button", turn="C",
                totals=(0, -10), fined=(0, 10)),
        ],
        won("AC", -10), won("AC", -10), **ENDS,
        fines=({"B": 10, "D": 10}, {"B": 10}),
        cards=[("Lin", "warning", "play")],
    ),
    # 2: if it can be played it must be.
    Book(
        "touch",
        "wdf 2",
        [
            Act("B", "touch", "must_play", tile="6-1", turn="B", face_up=("6-1",)),
            "61", "p", "p", "p",
            Act("B", "touch", "must_play, warning", "button", tile="6-2", turn="B",
                face_up=("6-2",)),
            "62", "p", "p", "p",
            Act("B", "touch", "must_play, percent 10", tile="4-2", turn="B", face_up=("4-2",),
                totals=(0, -10), fined=(0, 10)),
            "42",
        ],
        won("AC", -10), won("AC", -10), **ENDS,
        fines=({"B": 10, "D": 10}, {"B": 10}),
        cards=[("Lin", "warning", "play")],
    ),
    # 3: warning; repeated: the turn, or points.
    Book(
        "delay",
        "wdf 3",
        [
            Act("B", "delay", "warning", "button", turn="B"),
            Act("B", "delay", "lose_turn", turn="C"),
            "p", "p", "p",
            Act("B", "delay", "lose_turn, percent 10", turn="C", totals=(0, -10), fined=(0, 10)),
        ],
        won("AC", -10), won("AC", -10), **ENDS,
        fines=({"B": 10, "D": 10}, {"B": 10}),
        cards=[("Lin", "warning", "play")],
    ),
    # 4: the tile is taken back, the turn is lost, possibly points.
    Book(
        "out_of_turn",
        "wdf 4",
        [
            Act("D", "out_of_turn", "retract, lose_turn", "d 64", turn="B", skips="D"),
            "p", "p",
            Act("D", "out_of_turn", "retract, lose_turn, percent 10", "button", turn="A",
                skips="D", totals=(0, -10), fined=(0, 10)),
        ],
        won("AC", -10), won("AC", -10),
        left=("A pass", "B pass", "C pass", "A pass", "B pass", "C pass", "D pass", *COUNTS),
        rounds=ENDS["rounds"],
        fines=({"B": 10, "D": 10}, {"D": 10}),
    ),
    # 5: severe warning and points; serious cases: disqualified.
    Book(
        "signaling",
        "wdf 5",
        [
            Act("C", "signaling", "formal_warning, percent 20", "button", turn="B",
                totals=(-20, 0), fined=(20, 0)),
            Act("C", "signaling", "disqualify", ended="over"),
        ],
        # The match is lost with 0, whatever was taken off before.
        won("BD"), won("BD"),
        fines=({"A": 20, "C": 20}, {"C": 20}),
        # One act of both partners of a pair; who plays alone answers alone.
        cards=[(name, card, "discipline") for name in ("Omar", "Rosa")
               for card in ("black", "warning")],
        cards_single=[("Omar", "black", "discipline"), ("Omar", "warning", "discipline")],
    ),
    Book(
        "signaling",
        "wdf 5",
        [Act("A", "signaling", "disqualify", deliberate=True, ended="over")],
        won("BD"), won("BD"),
        cards=[("Omar", "black", "discipline"), ("Rosa", "black", "discipline")],
        cards_single=[("Rosa", "black", "discipline")],
        name="signaling on purpose",
    ),
    # 6: warning; repeated: a penalty or even the round.
    Book(
        "table_talk",
        "wdf 6",
        [
            Act("B", "table_talk", "warning", turn="B"),
            Act("B", "table_talk", "percent 10", "button", turn="B", totals=(0, -10),
                fined=(0, 10)),
            Act("B", "table_talk", "lose_round", ended="lost"),
        ],
        won("AC", -10), won("AC", -10),
        left=("B counts 30", "D counts 30"), rounds=(("AC", 40),),
        fines=({"B": 10, "D": 10}, {"B": 10}),
        cards=[("Lin", "warning", "discipline")],
    ),
    # 7: put right; on purpose: a penalty or the round.
    Book(
        "disturbed_layout",
        "wdf 7",
        [
            Act("B", "disturbed_layout", "warning", turn="B"),
            Act("B", "disturbed_layout", "percent 10", "button", turn="B", totals=(0, -10),
                fined=(0, 10)),
            # Again by mistake, and put right: the referee's other case.
            Act("B", "disturbed_layout", "percent 10", case=1, takes="warning", turn="B",
                fined=(0, 10)),
        ],
        won("AC", -10), won("AC", -10),
        left=("B pass", *ALL_PASS[:3], *COUNTS), rounds=ENDS["rounds"],
        fines=({"B": 10, "D": 10}, {"B": 10}),
        # Two warnings propose a yellow card.
        cards=[("Lin", "warning", "play"), ("Lin", "warning", "play"), ("Lin", "yellow", "play")],
    ),
    Book(
        "disturbed_layout",
        "wdf 7",
        [
            Act("B", "disturbed_layout", "percent 20", deliberate=True, turn="B",
                totals=(0, -20), fined=(0, 20)),
            Act("B", "disturbed_layout", "lose_round", "button", deliberate=True, ended="lost"),
        ],
        won("AC", -20), won("AC", -20),
        left=("B counts 30", "D counts 30"), rounds=(("AC", 40),),
        fines=({"B": 20, "D": 20}, {"B": 20}),
        name="disturbed_layout on purpose",
    ),
    # 8: formal warning, points, or disqualified.
    Book(
        "disobedience",
        "wdf 8",
        [
            Act("B", "disobedience", "formal_warning", "button", turn="B"),
            Act("B", "disobedience", "formal_warning, percent 20", turn="B", totals=(0, -20),
                fined=(0, 20)),
            Act("B", "disobedience", "disqualify", ended="over"),
        ],
        won("AC"), won("AC"),
        fines=({"B": 20, "D": 20}, {"B": 20}),
        cards=[("Lin", card, "discipline") for card in ("black", "warning", "warning", "yellow")],
    ),
]  # fmt: skip


@pytest.mark.parametrize("book", BOOK, ids=str)
def test_wdf_infraction_is_ruled_on_and_all_that_comes_of_it_is_there(new_page, complaints, book):
    carried_out(new_page, "wdf", book)
    # The browser notes each act that was refused before it was ruled on.
    assert all("409" in one for one in complaints)
    complaints.clear()
