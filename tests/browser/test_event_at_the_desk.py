"""A whole event at the director's desk in a real browser: from a list of pairs to the champion."""

from __future__ import annotations

import json
from collections import defaultdict

import pytest
from playwright.sync_api import expect

from referee.models import RoundRecord
from tests.browser.conftest import DESK
from tests.browser.director import Director, list_of_pairs
from tests.factories import EntryFactory, TournamentFactory
from tournaments.competition.requests import pair
from tournaments.models import (
    Bye,
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    PairingRound,
    Stage,
    StandingRow,
)
from tournaments.services.draws import draw_round
from tournaments.services.lifecycle import start
from tournaments.services.stages import StagePlan, make_stage

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]
PAIRS, SWISS_ROUNDS, LEFT, CORRECTED = 32, 5, 7, 3
# How many tables of a round are recorded move by move, or round by round; the rest are typed.
MOVES_RECORDED, SHEETS_RECORDED = {2: 1, 4: 1}, {2: 10, 3: 12, 4: 12}


@pytest.fixture
def director(new_page) -> Director:
    event = TournamentFactory.create(slug="cup", name="Olive Cup")
    return Director(new_page(user=event.created_by, viewport=DESK), event)


def test_an_event_from_a_list_of_pairs_to_its_champion_by_keyboard_alone(director):
    director.import_pairs(list_of_pairs(PAIRS), PAIRS)
    director.start()
    add_swiss(director)
    for number in range(1, SWISS_ROUNDS + 1):
        drawn = director.draw(number)
        if number == 2:
            swap_two(director, drawn)
        director.publish()
        # The three levels, mixed freely: recorded moves, score sheets, final scores typed.
        director.record_moves(MOVES_RECORDED.get(number, 0))
        director.record_sheets(SHEETS_RECORDED.get(number, 0))
        director.type_results()
        if number == 2:
            withdraw(director, LEFT)
        if number == 3:
            correct_round_one(director)
    assert Bye.objects.filter(pairing_round__stage__number=1).count() == 3
    go_on_to_knockout(director)
    for number in (1, 2, 3):
        director.draw(number)
        director.publish()
        director.type_results()

    require_three_levels()
    champion = winner_of_final()
    page = director.page
    page.goto("/t/cup/bracket/2/")
    expect(page.locator(".champion")).to_contain_text(champion.name)
    require_standings_add_up(Stage.objects.get(number=1))
    page.goto("/t/cup/standings/")
    expect(page.locator("main")).to_contain_text(champion.name)
    for number in (2, SWISS_ROUNDS):
        require_draw_replays(director, number)


def test_two_change_places_when_one_is_dragged_onto_the_other(director):
    event, by = director.tournament, director.tournament.created_by
    EntryFactory.create_batch(8, tournament=event)
    start(event, by=by)
    stage = make_stage(event, StagePlan(system=Stage.System.SWISS, rounds=3), by=by)
    drawn = draw_round(stage, number=1, by=by)
    one, other = entries_at(drawn, 1)[0], entries_at(drawn, 2)[0]
    page = director.page
    page.goto(f"/desk/cup/pairings/1/{drawn.number}/adjust/")
    with page.expect_navigation():
        page.drag_and_drop(f'[data-entry="{one.number}"]', f'[data-entry="{other.number}"]')
    expect(page.locator("#cost")).to_have_text(f"{one.name} ⇄ {other.name}")
    assert entries_at(drawn, 1)[0] == one
    page.get_by_role("button", name="Change it").click()
    expect(page.locator("main")).to_contain_text("Changed. You can take it back below.")
    assert entries_at(drawn, 1)[0] == other
    assert entries_at(drawn, 2)[0] == one


def add_swiss(director: Director) -> None:
    director.come_to_desk()
    director.press("Make the pairings")
    director.press("Add a stage")
    director.choose("system", "swiss")
    director.write("[name=rounds]", str(SWISS_ROUNDS))
    director.press("Make the stage")
    director.says("Its first round can be drawn.")


def swap_two(director: Director, drawn: PairingRound) -> None:
    """Exchange two of neighbouring tables in the draft; see before what it costs."""
    one, other = entries_at(drawn, 3)[0], entries_at(drawn, 4)[0]
    director.choose("one", str(one.number))
    director.choose("other", str(other.number))
    with director.page.expect_navigation():
        director.page.keyboard.press("Enter")
    expect(director.page.locator("#cost")).to_have_text(f"{one.name} ⇄ {other.name}")
    assert entries_at(drawn, 3)[0] == one
    director.press("Change it")
    director.says("Changed. You can take it back below.")
    assert entries_at(drawn, 3)[0] == other
    assert entries_at(drawn, 4)[0] == one


def withdraw(director: Director, number: int) -> None:
    entry = Entry.objects.get(number=number)
    director.come_to_desk()
    director.press("Entries")
    director.press(f"Withdraw {entry.name}")
    director.press("Withdraw this entry")
    entry.refresh_from_db()
    assert entry.state == Entry.State.WITHDRAWN


def correct_round_one(director: Director) -> None:
    """The winner of a table of the first round turns out to have lost."""
    rounds = director.rounds()
    first = rounds.get(stage__number=1, number=1)
    later = {one.pk: entries_of(one) for one in rounds.exclude(pk=first.pk)}
    match = first.matches.get(table=CORRECTED)
    seats = {seat.seat: seat for seat in match.seats.all()}
    points = [int(seats[seat].points_for or 0) for seat in "AB"]
    director.come_to_desk()
    director.press("Pairing round 1")
    director.press(f"Correct {CORRECTED}")
    director.write("[name=points_AC]", str(points[1]))
    director.write("[name=points_BD]", str(points[0]))
    director.write("[name=reason]", "The sheet was read the wrong way round.")
    director.press("Correct the result")
    director.says(f"Table {CORRECTED} is corrected.")
    winner = "A" if points[1] > points[0] else "B"
    assert match.seats.get(seat=winner).outcome == MatchSeat.Outcome.WIN
    assert {pk: entries_of(rounds.get(pk=pk)) for pk in later} == later


def go_on_to_knockout(director: Director) -> None:
    """Close the Swiss rounds, look at the best eight, let them play the final rounds."""
    stage = Stage.objects.get()
    best = list(
        StandingRow.objects.filter(stage=stage)
        .order_by("order")
        .values_list("entry__name", flat=True)[:8]
    )
    director.come_to_desk()
    director.press("Close the stage")
    director.press("Close the stage")
    director.press("Add a stage")
    director.choose("system", "knockout")
    director.write("[name=each]", "8")
    director.press("Go on")
    director.says("8 entries go on.")
    shown = director.page.locator("tbody th bdi:first-child").all_inner_texts()
    assert [name for name in shown if name in best] == best
    director.press("Make the stage")
    director.says("Its first round can be drawn.")


def require_three_levels() -> None:
    """Every result of the event came in at one of the three levels, most of them typed."""
    typed = LogEntry.objects.filter(act="result", details__source="score").count()
    moves = RoundRecord.objects.filter(events__notation__contains="-").values("match").distinct()
    sheets = RoundRecord.objects.filter(events__notation__startswith="result").values("match")
    tables = Match.objects.filter(state=Match.State.CLOSED)
    assert moves.count() == sum(MOVES_RECORDED.values())
    assert sheets.distinct().count() == sum(SHEETS_RECORDED.values())
    recorded = sum(MOVES_RECORDED.values()) + sum(SHEETS_RECORDED.values())
    assert typed == tables.count() - recorded


def winner_of_final() -> Entry:
    final = Match.objects.get(pairing_round__stage__number=2, pairing_round__number=3)
    return final.seats.get(outcome=MatchSeat.Outcome.WIN, seat__in="AB").entry


def require_standings_add_up(stage: Stage) -> None:
    """Count the wins of everybody from the seats: the stored standings say the same, in order."""
    wins: dict[int, int] = defaultdict(int)
    for match in Match.objects.filter(pairing_round__stage=stage):
        for seat in match.seats.filter(seat__in="AB", outcome=MatchSeat.Outcome.WIN):
            wins[seat.entry_id] += 1
    for bye in Bye.objects.filter(pairing_round__stage=stage):
        wins[bye.entry_id] += 1
    for entry in stage.stage_entries.values_list("entry", flat=True):
        wins[entry] += 0
    rows = list(StandingRow.objects.filter(stage=stage).order_by("order"))
    assert len(rows) == PAIRS
    assert [row.values["wins"] for row in rows] == [wins[row.entry_id] for row in rows]
    assert [wins[row.entry_id] for row in rows] == sorted(wins.values(), reverse=True)


def require_draw_replays(director: Director, number: int) -> None:
    """Download the request of a round from its proof: the draw answers the same tables."""
    page = director.page
    page.goto(f"/t/cup/rounds/1/{number}/proof/")
    files = {}
    for part in ("The request", "The answer"):
        with page.expect_download() as download:
            director.reach_words(part)
            page.keyboard.press("Enter")
        files[part] = json.loads(download.value.path().read_text(encoding="utf-8"))
    answer = json.loads(json.dumps(pair(files["The request"])))
    assert answer["tables"] == files["The answer"]["tables"]


def entries_at(drawn: PairingRound, table: int) -> list[Entry]:
    seats = drawn.matches.get(table=table).seats.filter(seat__in="AB").order_by("seat")
    return [seat.entry for seat in seats.select_related("entry")]


def entries_of(drawn: PairingRound) -> list[tuple[int, str, int]]:
    seats = drawn.matches.order_by("table", "seats__seat")
    return list(seats.values_list("table", "seats__seat", "seats__entry"))
