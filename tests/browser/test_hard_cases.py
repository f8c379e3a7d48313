"""The hard situations of shared/domino-practice.md, section 6, as a director meets them."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.conftest import DESK, PHONE
from tests.browser.director import Director
from tests.factories import EntryFactory, MatchFactory, PairingRoundFactory, TournamentFactory
from tests.tournaments.hard_cases import opened, seats, sheet, write
from tournaments.models import Entry, Match, PairingRound, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.stages import StagePlan

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]


def event(kind: str = Entry.Kind.SINGLE, profile: str = "femundo", **fields) -> Tournament:
    return TournamentFactory.create(
        slug="nile",
        profile=profile,
        entry_kind=kind,
        state=Tournament.State.RUNNING,
        **fields,
    )


@pytest.fixture
def sit(new_page):
    """Seat a director at the desk of an event."""

    def seated(tournament: Tournament, *, viewport=DESK) -> Director:
        page = new_page(user=tournament.created_by, viewport=viewport)
        return Director(page, tournament)

    return seated


def tables(tournament: Tournament, count: int = 1) -> list[Match]:
    pairing_round = PairingRoundFactory.create(stage__tournament=tournament)
    return [MatchFactory.create(pairing_round=pairing_round) for _ in range(count)]


def again(match: Match) -> Match:
    return Match.objects.select_related("pairing_round__stage__tournament").get(pk=match.pk)


def entry_at(match: Match, seat: str) -> Entry:
    return match.seats.select_related("entry").get(seat=seat).entry


def test_hard_case_01_penalty_points_are_typed_beside_the_score(sit):
    (match,) = tables(event())
    director = sit(match.pairing_round.stage.tournament)
    director.page.goto("/desk/nile/results/1/1/?table=1")
    director.press("Penalty points", key="Space", leads_on=False)
    director.write("[name=fine_A]", "80")
    director.write("[name=points_AC]", "200")
    director.write("[name=points_BD]", "150")
    director.enter()
    director.says("Table 1: 200–150 is stored.")
    assert [seats(match)[one][0] for one in "ABCD"] == ["L", "L", "W", "L"]
    assert seats(match)["A"] == ("L", 120, 150)


def test_hard_case_01_the_event_says_who_wins_after_penalty_points(sit):
    (match,) = tables(event(Entry.Kind.PAIR))
    director = sit(match.pairing_round.stage.tournament)
    director.page.goto("/desk/nile/results/")
    director.press("How results count")
    director.reach("[name=after_fine]")
    director.page.keyboard.press("ArrowDown")
    director.press("Let results count like this")
    director.says("From now on results count like this.")
    director.page.goto("/desk/nile/results/1/1/?table=1")
    director.press("Penalty points", key="Space", leads_on=False)
    director.write("[name=fine_AC]", "80")
    director.write("[name=points_AC]", "200 150")
    director.enter()
    director.says("Table 1: 200–150 is stored.")
    assert seats(match)["B"] == ("W", 150, 120)


@pytest.mark.parametrize("viewport", [DESK, PHONE])
def test_hard_case_05_one_is_missing_and_the_second_yellow_card_is_seen_at_once(sit, viewport):
    tournament = event()
    first = opened(again(tables(tournament)[0]))
    sheet(first, 0, "AC", 10)
    write(first, "B! false_pass")
    second = MatchFactory.create(
        pairing_round=PairingRoundFactory.create(stage=first.pairing_round.stage),
        entries=[entry_at(first, seat) for seat in "ABCD"],
    )
    director = sit(tournament, viewport=viewport)
    director.page.goto(f"/desk/nile/tables/{second.pk}/absent/")
    director.says("With one more it comes to: Red card.")
    director.reach(f'input[name="absent"][value="{entry_at(second, "B").number}"]')
    director.page.keyboard.press("Space")
    director.press("Close the table without play")
    director.says("Table 1 is closed: won by those who were present.")
    assert list(seats(second).values()) == [
        ("w", 100, 0), ("l", 0, 200), ("w", 100, 0), ("w", 100, 0)
    ]  # fmt: skip


def test_hard_case_06_one_of_seventeen_withdraws_and_the_round_is_drawn_anew(sit):
    tournament = event()
    by = tournament.created_by
    EntryFactory.create_batch(17, tournament=tournament)
    stage = stages.make_stage(tournament, StagePlan("rotating", rounds=5), by=by)
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    gone = entry_at(drawn.matches.get(table=1), "A")
    director = sit(tournament)
    director.page.goto(f"/desk/nile/entries/{gone.number}/withdraw/")
    director.press("Withdraw this entry")
    director.page.goto("/desk/nile/tables/")
    director.press("Draw this round anew")
    director.says(gone.name)
    director.write("[name=reason]", "Sixteen are left.")
    director.press("Draw it anew")
    director.says("Round 1 is drawn anew. Look at it, then publish it.")
    director.publish()
    drawn.refresh_from_db()
    assert drawn.state == PairingRound.State.PUBLISHED
    assert drawn.byes.count() == 0
    assert drawn.matches.filter(state=Match.State.WAITING).count() == 4


def test_hard_case_07_a_level_sheet_asks_for_one_more_hand(sit, complaints):
    (match,) = tables(event())
    director = sit(match.pairing_round.stage.tournament)
    director.page.goto("/desk/nile/results/1/1/?table=1")
    director.page.keyboard.type("188 188")
    director.enter()
    director.says("Table 1 cannot end level, 188 all. Have one more round played")
    expect(director.page.locator("[name=points_AC]")).to_have_value("188 188")
    complaints.clear()


def test_hard_case_08_wrong_seats_found_when_the_sheet_is_at_the_desk(sit):
    (match,) = tables(event())
    tournament = match.pairing_round.stage.tournament
    scores.record_score(match, points={"AC": 200, "BD": 150}, by=tournament.created_by)
    director = sit(tournament)
    director.page.goto(f"/desk/nile/tables/{match.pk}/swap/")
    director.write("[name=reason]", "B sat on D.")
    director.press("All lose 0 to the target (article 21)")
    director.says("Everybody at table 1 has lost.")
    assert set(seats(match).values()) == {("L", 0, 200)}


def test_hard_case_08_wrong_seats_found_at_the_table_are_put_right(sit):
    match = opened(again(tables(event())[0]))
    tournament = match.pairing_round.stage.tournament
    one, other = entry_at(match, "A"), entry_at(match, "B")
    director = sit(tournament)
    director.page.goto(f"/desk/nile/tables/{match.pk}/swap/")
    director.write("[name=reason]", "They sat wrongly.")
    director.press("Exchange the seats")
    director.says(f"“{one.name}” and “{other.name}” have changed seats.")
    assert (entry_at(match, "A"), entry_at(match, "B")) == (other, one)
    assert again(match).state == Match.State.PLAYING


def test_hard_case_10_who_rises_in_anger_loses_and_the_others_get_the_target(sit):
    match = opened(again(tables(event())[0]))
    sheet(match, 0, "AC", 11)
    sheet(match, 1, "BD", 9)
    director = sit(match.pairing_round.stage.tournament)
    director.page.goto("/desk/nile/tables/")
    director.press("Left 1")
    director.reach(f'input[name="absent"][value="{entry_at(match, "A").number}"]')
    director.page.keyboard.press("Space")
    director.write("[name=reason]", "Rose in anger.")
    director.press("Close the table")
    director.says("Table 1 is closed: won by those who stayed.")
    assert list(seats(match).values()) == [
        ("l", 0, 200), ("w", 200, 0), ("w", 200, 0), ("w", 200, 0)
    ]  # fmt: skip


def test_also_signals_put_the_partner_out_as_well(sit):
    match = opened(again(tables(event())[0]))
    tournament = match.pairing_round.stage.tournament
    offender = entry_at(match, "A")
    director = sit(tournament)
    director.page.goto(f"/desk/nile/entries/{offender.number}/disqualify/")
    director.reach("[name=with_partner]")
    director.page.keyboard.press("Space")
    director.write("[name=reason]", "Signals.")
    director.press("Disqualify")
    director.says(f"“{offender.name}” is disqualified.")
    assert [seats(match)[one][0] for one in "ABCD"] == ["l", "w", "l", "w"]
    assert entry_at(match, "C").state == Entry.State.DISQUALIFIED


def test_also_rain_after_round_one_the_event_is_finished_early(sit):
    tournament = event(Entry.Kind.PAIR)
    by = tournament.created_by
    EntryFactory.create_batch(4, tournament=tournament)
    stage = stages.make_stage(tournament, StagePlan("swiss", rounds=9), by=by)
    director = sit(tournament)
    pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    director.store_results()
    director.come_to_desk()
    director.press("End the event here")
    director.press("Finish the event")
    tournament.refresh_from_db()
    assert tournament.state == Tournament.State.FINISHED
    director.page.goto("/t/nile/standings/")
    assert director.page.locator("tbody tr").count() == 4


def test_a_meeting_that_both_sides_lost_is_decided_at_the_desk(sit):
    tournament = event(Entry.Kind.PAIR)
    by = tournament.created_by
    EntryFactory.create_batch(2, tournament=tournament)
    stage = stages.make_stage(tournament, StagePlan("knockout"), by=by)
    pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    director = sit(tournament)
    director.page.goto("/desk/nile/results/1/1/?table=1")
    director.press("Penalty points", key="Space", leads_on=False)
    director.write("[name=fine_AC]", "80")
    director.write("[name=points_AC]", "200 150")
    director.enter()
    director.says("Both sides of table 1 have lost, so nobody goes on from there by itself.")
    director.press("Say who goes on 1")
    match = Match.objects.get(meeting="F1")
    director.choose("winner", str(entry_at(match, "B").number))
    director.write("[name=reason]", "The technical commission.")
    director.press("Let it be so")
    director.says(f"“{entry_at(match, 'B').name}” goes on from table 1.")
    director.page.goto("/t/nile/bracket/1/")
    expect(director.page.locator(".champion")).to_contain_text(entry_at(match, "B").name)


def test_elimination_the_three_who_are_there_play_for_the_two_places(sit):
    tournament = event(profile="elimination")
    by = tournament.created_by
    EntryFactory.create_batch(4, tournament=tournament)
    stage = stages.make_stage(tournament, StagePlan("elimination", target=100), by=by)
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    match = drawn.matches.get()
    director = sit(tournament)
    director.page.goto(f"/desk/nile/tables/{match.pk}/absent/")
    director.reach(f'input[name="absent"][value="{entry_at(match, "D").number}"]')
    director.page.keyboard.press("Space")
    director.press("Note who is absent")
    director.says("Table 1 is played by those who are there.")
    director.page.goto("/desk/nile/results/1/1/?table=1")
    director.page.keyboard.type("20 105 40")
    director.enter()
    director.says("Table 1: 20–105–40 is stored.")
    assert [seats(match)[one][0] for one in "ABC"] == ["W", "L", "W"]


@pytest.mark.parametrize("language", ["en", "fa"])
@pytest.mark.parametrize("viewport", [PHONE, DESK])
def test_pages_of_hard_cases_are_for_everybody(new_page, language, viewport):
    tournament = event(Entry.Kind.PAIR)
    by = tournament.created_by
    EntryFactory.create_batch(2, tournament=tournament)
    stage = stages.make_stage(tournament, StagePlan("knockout"), by=by)
    drawn = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    match = drawn.matches.get()
    fines = {"A": 80, "C": 80}
    scores.record_score(match, points={"AC": 200, "BD": 150}, deducted=fines, by=by)
    page = new_page(user=by, viewport=viewport, language=language)
    for address in (
        "/desk/nile/results/1/1/",
        "/desk/nile/results/rules/",
        "/desk/nile/results/hidden/",
        f"/desk/nile/tables/{match.pk}/meeting/",
        "/desk/nile/pairings/1/1/remake/",
    ):
        page.goto(address)
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width <= viewport["width"], address
        found = Axe().run(page).response["violations"]
        assert [(one["id"], address) for one in found] == []
