"""The hard situations of shared/domino-practice.md, section 6, as a referee at the table has them.

FMD is the FEMUNDO regulation of 2025 with its articles: 40 and 80 of 200 points.
"""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.urls import reverse
from django.utils import timezone
from playwright.sync_api import expect

from referee.models import Sanction
from tests import factories
from tests.browser.conftest import PHONE
from tests.browser.rulings import (
    Act,
    Ruling,
    begin,
    director_of,
    fines_of,
    ledger,
    lines_of,
    seated,
    sheets,
    state_of,
    write,
)
from tests.tournaments.hard_cases import seats
from tournaments.models import Entry, Match

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

FALSE_PASS = ("femundo 5, 14, 16", "percent 40, card yellow")
MISPLAY = ("femundo 5, 14", "percent 40, card yellow, expose")
LOST = ("L", 0, 200)
WON = ("W", 200, 0)


@pytest.fixture
def sit(new_page, complaints):
    """Sit a referee down at a table; what the server refused before a ruling is no complaint."""

    def seated_at(match: Match, **settings) -> Ruling:
        tournament = match.pairing_round.stage.tournament
        referee = factories.OfficialFactory.create(tournament=tournament, duty="referee").user
        return Ruling(new_page(user=referee, viewport=PHONE, **settings), match)

    yield seated_at
    assert all("409" in one for one in complaints)
    complaints.clear()


def single() -> Match:
    return seated("femundo", "single")


def closed(ruling: Ruling) -> Match:
    """Close the match on the page."""
    ruling.click("close-match", "confirm-close")
    ruling.page.wait_for_selector('#recorder[data-stage="closed"]')
    return ruling.match


def sheet(ruling: Ruling, side: str, points: int) -> None:
    """Record a whole round from its score sheet on the page."""
    page = ruling.page
    ruling.click("sheet")
    form = page.locator(".sheet-form")
    form.locator(f'input[value="{side}"]').check()
    form.locator('[name="points"]').fill(str(points))
    form.locator("button").click()
    ruling.settled()


def counted(match: Match, *pips: int) -> None:
    """Count the hands of a round that was blocked."""
    write(match, *(f"{seat} counts {one}" for seat, one in zip("ABCD", pips, strict=True)))


# --- 1: the sanction hits one partner only ---------------------------------------------------


def test_hard_case_01_who_is_sanctioned_loses_and_the_partner_wins(sit):
    """FMD 5: A and C win 200-150; 80 are taken off A alone, who has 120 then and loses."""
    match = single()
    begin(match, "A 6-6", "B pass", "C pass", "D pass")
    ruling = sit(match)
    ruling.type("p")
    act = Act("A", "false_pass", FALSE_PASS[1], "button", fined=(80, 0))
    ruling.rule(act, FALSE_PASS[0])
    counted(match, 10, 30, 10, 30)
    sheets(match, [("BD", 150)])
    ruling.page.reload()
    sheet(ruling, "AC", 120)
    closed(ruling)
    assert seats(match) == {
        "A": ("L", 120, 150), "B": ("L", 150, 200), "C": ("W", 200, 150), "D": ("L", 150, 200)
    }  # fmt: skip
    assert fines_of(match) == {"A": 80}


# --- 2: a false pass found at the end ---------------------------------------------------------


def end_with_a_false_pass(match: Match) -> None:
    """Block a round in which B has passed with 6-1, which only the hand shown proves."""
    begin(match, "A 6-6", "B pass", "C 6-5", "D pass", "A pass", "B pass", "C pass")


def test_hard_case_02_found_when_hands_are_shown_the_score_stands(sit):
    """FMD 16: claimable to the end; no tile came out by it: 80, yellow, the round counts."""
    match = single()
    end_with_a_false_pass(match)
    write(match, "A counts 10", "C counts 10", "D counts 30", "B shows 6-1 5-4 4-4 3-3 2-1 1-1 0-0")
    ruling = sit(match)
    before = state_of(match).totals
    act = Act("B", "false_pass", FALSE_PASS[1], "finding", fined=(0, 80))
    ruling.rule(act, FALSE_PASS[0])
    state = state_of(match)
    assert state.totals == before
    assert (state.rounds[0].ended, state.rounds[0].winner) == ("blocked", "AC")
    assert state.findings == []


def test_hard_case_02_other_tiles_came_out_wrongly_after_the_bell_the_hand_is_played_again(sit):
    """FMD 5, 6: it exposed tiles: void, same leader; no match ends by a broken hand."""
    match = single()
    begin(match)
    write(match, "result AC 60 out")
    begin(match, "B 6-6", "C pass", "D 6-5", "time over", "A pass", "B pass", "C 6-1", number=1,
          opener="B")  # fmt: skip
    ruling = sit(match)
    act = Act("C", "false_pass", FALSE_PASS[1], "finding", case=1, ended="void",
              takes="percent 40, card yellow, void_round", fined=(80, 0))  # fmt: skip
    ruling.rule(act, FALSE_PASS[0])
    assert state_of(match).next_opener().seat == "B"
    assert lines_of(match)[-1].endswith("# It exposed further tiles")
    sheet(ruling, "BD", 10)
    ruling.page.wait_for_selector('#recorder[data-stage="over"]')
    closed(ruling)
    # 60 less 80 for C; A has its 60.
    assert seats(match) == {
        "A": ("W", 60, 10), "B": ("L", 10, 60), "C": ("L", -20, 10), "D": ("L", 10, 60)
    }  # fmt: skip


# --- 3: how many plays followed? ---------------------------------------------------------------


def test_hard_case_03_three_plays_followed_the_tiles_are_exposed_and_play_goes_on(sit):
    """FMD 14: the misplayed tile and those laid after it lie face up, by no fault of the others."""
    match = single()
    begin(match, "A 6-6")
    ruling = sit(match)
    ruling.open(Act("B", "misplay", MISPLAY[1], "54"), MISPLAY[0])
    cases = ruling.page.locator("dialog .cases")
    expect(cases.locator("legend")).to_have_text("Which of these was it?")
    expect(cases.locator("label")).to_have_text(
        [
            "Found after one to three further plays",
            "Corrected before anyone else has played",
            "Found after four or more further plays",
        ]
    )
    ruling.click("record-infraction")
    ruling.settled()
    for seat, tile in (("C", "4-2"), ("D", "6-2"), ("A", "2-2")):
        act = Act(seat, "exposed_by_ruling", "expose", tile=tile, turn="B", face_up=(tile,))
        ruling.rule(act, "femundo 6, 14")
    state = state_of(match)
    assert (state.rounds[0].turn, dict(state.deductions)["B"]) == ("B", 80)  # type: ignore[index]
    ruling.type("p")
    ruling.type("p")
    # D must lay what lies face up as soon as it fits.
    expect(ruling.page.locator(".tile-pad.fitting [data-tile]")).to_have_count(1)
    ruling.type("62")
    assert lines_of(match)[-1] == "D 6-2 right"
    # Nobody but B has done anything: the next tile C drops is C's first.
    ruling.rule(Act("C", "exposed_tile", "warning, expose", tile="3-2"), "femundo 17")


def test_hard_case_03_four_plays_followed_the_hand_is_broken(sit):
    """FMD 5: void, the same leader, 80 and yellow."""
    match = single()
    begin(match, "A 6-6")
    ruling = sit(match)
    act = Act("B", "misplay", MISPLAY[1], "54", case=2, ended="void", fined=(0, 80),
              takes="percent 40, card yellow, void_round")  # fmt: skip
    ruling.rule(act, MISPLAY[0])
    assert state_of(match).next_opener().seat == "A"
    chosen = ruling.page.locator('[data-key="opener-A"]')
    expect(chosen).to_have_attribute("aria-pressed", "true")


# --- 4: a block that is none -------------------------------------------------------------------


@pytest.mark.parametrize("turned", ["the caller", "the caller and one more", "all four"])
def test_hard_case_04_somebody_calls_a_block_that_is_none(sit, turned):
    """FMD 6, 5: 40; the caller's tiles exposed from the left, others' put back; all four: void."""
    match = single()
    begin(match, "A 6-6", "B 6-5")
    ruling = sit(match)
    if turned == "all four":
        act = Act("C", "false_block", "percent 20", case=1, takes="percent 20, void_round",
                  fined=(40, 0), ended="void")  # fmt: skip
        ruling.rule(act, "femundo 5, 6")
        assert state_of(match).next_opener().seat == "A"
        return
    ruling.rule(Act("C", "false_block", "percent 20", "button", turn="C"), "femundo 5, 6")
    tiles = ("4-3", "6-4", "5-1")
    for count, tile in enumerate(tiles, 1):
        act = Act("C", "exposed_by_ruling", "expose", tile=tile, turn="C", face_up=tiles[:count])
        ruling.rule(act, "femundo 6, 14")
    # 4-3 does not fit; of the two that do 6-4 lies further left.
    expect(ruling.page.locator(".tile-pad.fitting [data-tile]")).to_have_count(1)
    ruling.type("64")
    face_up = state_of(match).rounds[0].must
    assert {str(seat): [str(tile) for tile in held] for seat, held in face_up.items()} == {
        "C": ["4-3", "5-1"]
    }
    assert state_of(match).deductions["C"] == 40  # type: ignore[index]


# --- 7: the bell -------------------------------------------------------------------------------


def ring(match: Match) -> None:
    """Let the forty minutes of a table be over."""
    one = match.pairing_round
    one.minutes, one.starts_at = 40, timezone.now() - timedelta(minutes=41)
    one.save()


def test_hard_case_07_the_bell_in_a_hand_that_comes_to_188_all_one_more_hand(sit):
    """FMD 6: the hand is finished; level, one extra hand."""
    match = single()
    begin(match)
    write(match, "result AC 188 out")
    sheets(match, [("BD", 108)])
    begin(match, "C 6-6", number=2, opener="C")
    ring(match)
    ruling = sit(match)
    ruling.click("bell")
    ruling.settled()
    for act in ("p", "p", "p", "p"):
        ruling.type(act)
    counted(match, 30, 10, 30, 10)
    ruling.page.reload()
    ruling.page.wait_for_selector('#recorder[data-stage="between"]')
    assert state_of(match).totals == {"AC": 188, "BD": 188}
    sheet(ruling, "BD", 3)
    closed(ruling)
    assert seats(match)["B"] == ("W", 191, 188)


def test_hard_case_07_the_bell_just_after_the_last_tile_another_hand_is_played(sit):
    """FMD 6: nobody is at 200, so the next hand is begun, and the bell is noted in it."""
    match = single()
    begin(match)
    write(match, "result AC 60 out")
    ring(match)
    ruling = sit(match)
    expect(ruling.page.locator(".bell")).to_contain_text("start it first")
    # After a round from a sheet somebody says who opens.
    ruling.click("opener-B", "start-round")
    ruling.page.wait_for_selector('#recorder[data-stage="recording"]')
    ruling.settled()
    ruling.click("bell")
    ruling.settled()
    assert not state_of(match).over
    write(match, "result BD 70 out")
    ruling.page.reload()
    closed(ruling)
    assert seats(match)["B"] == ("W", 70, 60)


# --- 9: an exposed tile closes the hand -------------------------------------------------------


def nearly_out() -> Match:
    """Return a table at which A has one tile left, 1-0, which lies face up."""
    match = single()
    passes = ("B pass", "C pass", "D pass")
    lines = ["A 6-6", "A! exposed_tile 1-0", *passes]
    for tile in ("6-5", "5-4", "4-3", "3-2", "2-1"):
        lines += [f"A {tile} right", *passes]
    begin(match, *lines)
    return match


def test_hard_case_09_out_with_an_exposed_tile_is_won_and_0_are_written(sit):
    match = nearly_out()
    ruling = sit(match)
    expect(ruling.page.locator('.table-view [data-seat="A"] .must')).to_contain_text("one-blank")
    ruling.type("10")
    ruling.page.wait_for_selector('#recorder[data-stage="between"]')
    result = ruling.page.locator(".result")
    expect(result.locator(".winner .result-number")).to_contain_text("+0")
    state = state_of(match)
    assert (state.rounds[0].ended, state.rounds[0].winner) == ("out", "AC")
    assert state.totals == {"AC": 0, "BD": 0}
    assert state.rounds[0].needs_hands == ()
    # Copied from paper, such a round can be written too.
    sheet(ruling, "AC", 0)
    assert state_of(match).rounds[1].winner == "AC"


@pytest.mark.parametrize(("pips", "points"), [((5, 40, 5, 40), 0), ((40, 5, 40, 5), 90)])
def test_hard_case_09_a_block_with_an_exposed_tile_counts_for_the_rivals_alone(sit, pips, points):
    match = single()
    begin(match, "A 6-6", "B pass", "C pass", "D pass", "A! exposed_tile 6-1")
    ruling = sit(match)
    ruling.type("61")
    for act in ("p", "p", "p", "p"):
        ruling.type(act)
    counted(match, *pips)
    state = state_of(match)
    assert state.rounds[0].ended == "blocked"
    assert max(state.totals.values()) == points
    assert state.rounds[0].winner == ("AC" if points == 0 else "BD")


# --- 10, and also ------------------------------------------------------------------------------


def test_hard_case_10_play_is_resumed_at_11_to_9(sit):
    """St Kitts 2021: the players had left; the table goes on from where it stood."""
    match = single()
    begin(match)
    write(match, "result AC 11 out")
    sheets(match, [("BD", 9)])
    ruling = sit(match)
    for side, points in (("AC", "11"), ("BD", "9")):
        score = ruling.page.locator(f'[data-side="{side}"] .score-points')
        expect(score).to_contain_text(points)
    sheet(ruling, "BD", 200)
    closed(ruling)
    assert seats(match)["B"] == ("W", 209, 11)


def test_also_a_red_card_in_the_middle_of_play_and_the_partner_still_wins(sit):
    """FVD-sw: the offender 0-200, all others 200-0; measures of the referee's own, with why."""
    match = single()
    begin(match, "A 6-6", "B 6-5")
    ruling = sit(match)
    page = ruling.page
    ruling.open(Act("A", "procedure", "warning"), "femundo 8–10, 15, 19, 23")
    page.locator('dialog [data-key="measure-warning"]').uncheck()
    ruling.click("other-measures")
    for measure in ("lose_match", "card red"):
        page.select_option('dialog [data-key="add-measure"]', measure)
    ruling.click("record-infraction")
    expect(page.locator("dialog #reason-missing")).to_contain_text("Write in a few words why")
    assert lines_of(match) == ["A 6-6", "B 6-5"]
    page.fill('dialog [data-key="note"]', "Threw the tiles")
    ruling.click("record-infraction")
    ruling.settled()
    assert lines_of(match)[-1] == "A! procedure -> lose_match, card red # Threw the tiles"
    closed(ruling)
    assert seats(match) == {"A": LOST, "B": WON, "C": WON, "D": WON}
    assert ledger(match) == [("Rosa", "red", "play")]


def test_also_two_infractions_by_one_player_lose_the_match(sit, new_page):
    """FMD 28: proposed by itself, confirmed by the referee, carried out by the director."""
    match = single()
    begin(match, "A 6-6")
    ruling = sit(match)
    ruling.rule(Act("B", "disturbed_layout", "percent 20", turn="B"), "femundo 20")
    ruling.rule(Act("B", "false_block", "percent 20", turn="B"), "femundo 5, 6")
    write(match, "B pass", "C pass", "D pass", "A pass")
    counted(match, 10, 30, 10, 30)
    sheets(match, [("BD", 90)])
    ruling.page.reload()
    sheet(ruling, "AC", 120)
    closed(ruling)
    assert seats(match)["B"] == ("L", 10, 200)

    page = ruling.page
    page.goto(reverse("referee:sanctions", args=[slug(match)]))
    line = page.locator(".sanctions li", has_text="Match lost")
    expect(line).to_contain_text("Lin")
    expect(line.locator(".article")).to_have_text("femundo 28")
    line.get_by_role("button").click()
    carry_out(new_page, match, "Match lost")
    assert seats(match) == {"A": ("W", 200, 0), "B": LOST, "C": WON, "D": WON}


def test_also_signals_put_both_partners_out(sit, new_page):
    """FMD 24: black for both, though one gave them; both are out of the event."""
    match = single()
    begin(match, "A 6-6")
    ruling = sit(match)
    ruling.rule(Act("A", "signaling", "disqualify, card black", ended="over"), "femundo 24")
    closed(ruling)
    assert seats(match) == {"A": LOST, "B": WON, "C": LOST, "D": WON}
    page = ruling.page
    page.goto(reverse("referee:sanctions", args=[slug(match)]))
    for name in ("Rosa", "Omar"):
        line = page.locator(".sanctions li", has_text=name)
        line.get_by_role("button").click()
        carry_out(new_page, match, name)
    out = Entry.objects.filter(state=Entry.State.DISQUALIFIED).order_by("name")
    assert sorted(out.values_list("members__player__name", flat=True)) == ["Omar", "Rosa"]
    assert not Sanction.objects.exclude(state="confirmed").exists()


def slug(match: Match) -> str:
    return match.pairing_round.stage.tournament.slug


def carry_out(new_page, match: Match, words: str) -> None:
    """Let the director look at what a card changes, and carry it out."""
    page = new_page(user=director_of(match))
    page.goto(reverse("referee:sanctions", args=[slug(match)]))
    page.locator(".sanctions li", has_text=words).get_by_role("link", name="See its effect").click()
    expect(page.locator("#preview")).to_contain_text("What this card changes")
    page.get_by_role("button", name="Carry this out").click()
    expect(page.locator("main, body").first).to_contain_text("carried out")
