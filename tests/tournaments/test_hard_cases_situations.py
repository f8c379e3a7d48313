"""Situations of shared/cases/situations.md from the desk to the next draw, through the services."""

from __future__ import annotations

import pytest

from referee.rows import read
from referee.services import records as referee
from referee.services import replays
from tests.factories import EntryFactory, MatchFactory, OfficialFactory, PairingRoundFactory
from tests.tournaments.hard_cases import (
    director,
    entry_at,
    event,
    opened,
    published,
    seats,
    seventeen,
    sheet,
    store,
    table,
    write,
)
from tournaments.models import (
    Entry,
    LogEntry,
    Match,
    MatchSeat,
    Official,
    ReportedResult,
    Stage,
    StandingRow,
    Tournament,
)
from tournaments.services import draws, reports, scores, stages
from tournaments.services.disqualification import disqualify
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db


def swiss(pairs: int = 8, **fields: object) -> Stage:
    tournament = event(Entry.Kind.PAIR, **fields)
    EntryFactory.create_batch(pairs, tournament=tournament)
    plan = StagePlan("swiss", rounds=5)
    return stages.make_stage(tournament, plan, by=tournament.created_by)


def ranks(stage: Stage, number: int) -> dict[int, tuple[int, int]]:
    """Return what the draw of a round was asked with: rank and wins by entry number."""
    written = stage.rounds.get(number=number).draw["request"]["entries"]
    return {int(one["id"]): (one["rank"], one["wins"]) for one in written}


def test_situation_3_the_draw_reads_confirmed_results_only():
    stage = swiss(policies={"second_check": True})
    by = stage.tournament.created_by
    scorer = OfficialFactory.create(tournament=stage.tournament, duty=Official.Duty.SCORER).user
    first = published(stage, 1)
    for match in first.matches.order_by("table"):
        points = {"AC": 200, "BD": 35 + match.table}
        reports.submit_score(match, points=points, by=scorer)
        if match.table != 4:
            reports.accept_report(match, by=by)
    fourth = first.matches.get(table=4)
    winner = entry_at(fourth, "A").number
    draws.draw_round(stage, number=2, reason="Table 4 is checked later.", by=by)
    assert ranks(stage, 2)[winner][1] == 0
    assert sum(wins for _, wins in ranks(stage, 2).values()) == 3
    rebuild_standings(stage)
    before = list(StandingRow.objects.order_by("order").values_list("entry", "values"))
    reports.reject_report(fourth, by=by)
    rebuild_standings(stage)
    assert list(StandingRow.objects.order_by("order").values_list("entry", "values")) == before


def test_situation_13_put_out_after_publication_the_partner_wins_and_the_next_draw_lacks_one():
    stage = seventeen(2)
    by = stage.tournament.created_by
    third = published(stage, 3)
    match = third.matches.order_by("table")[1]
    out, partner = entry_at(match, "A"), entry_at(match, "C")
    disqualify(out, reason="Hid a tile.", by=by)
    assert seats(match) == {
        "A": ("l", 0, 200), "B": ("w", 100, 0), "C": ("w", 100, 0), "D": ("w", 100, 0)
    }  # fmt: skip
    for other in third.matches.exclude(pk=match.pk):
        scores.record_score(other, points={"AC": 200, "BD": 40 + other.table}, sure=True, by=by)
    draws.draw_round(stage, number=4, by=by)
    assert out.number not in ranks(stage, 4)
    assert partner.number in ranks(stage, 4)
    assert len(ranks(stage, 4)) == 16


def test_situation_17_the_next_round_is_drawn_by_net_rank():
    """A wins 200-120 and loses 80: 120 all, so A is drawn among those without a win."""
    stage = swiss(4)
    by = stage.tournament.created_by
    first = published(stage, 1)
    one, other = first.matches.order_by("table")
    store(one, 200, 120, deducted={"A": 80, "C": 80})
    store(other, 200, 110)
    fined, winner = entry_at(one, "A").number, entry_at(other, "A").number
    draws.draw_round(stage, number=2, by=by)
    found = ranks(stage, 2)
    assert found[winner] == (1, 1)
    # Level at 120 all is lost; the difference of 0 is still the best of those without a win.
    assert found[fined] == (2, 0)


def test_situation_31_an_aborted_and_replayed_match_counts_once_with_both_in_history():
    stage = swiss(4, policies={"second_check": True})
    by = stage.tournament.created_by
    first = published(stage, 1)
    match = opened(first.matches.select_related("pairing_round__stage__tournament").get(table=1))
    scorer = OfficialFactory.create(tournament=stage.tournament, duty=Official.Duty.SCORER).user
    sheet(match, 0, "AC", 90)
    sheet(match, 1, "BD", 40)
    write(match, "A! table_talk")
    reports.submit_score(match, points={"AC": 90, "BD": 40}, sure=True, by=scorer)
    replays.replay_match(match, reason="The lights went out.", by=by)
    match.refresh_from_db()
    assert not ReportedResult.objects.filter(accepted__isnull=True).exists()
    assert (match.state, match.score, match.records.count()) == (Match.State.WAITING, {}, 0)
    reports.submit_score(match, points={"AC": 200, "BD": 10}, by=scorer)
    reports.accept_report(match, by=by)
    line = LogEntry.objects.get(act="match_replayed")
    assert [len(one["events"]) for one in line.details["attempt"]["rounds"]] == [1, 2]
    assert LogEntry.objects.filter(act="result", details__match=match.pk).count() == 1
    rebuild_standings(stage)
    row = StandingRow.objects.get(stage=stage, entry=entry_at(match, "A"))
    assert (row.played, row.values["points_for"]) == (1, 200)
    assert seats(match)["A"] == ("W", 200, 10)


@pytest.mark.parametrize(("rounds", "warned"), [((100, 100), True), ((60, 140), False)])
def test_situation_39_two_sheets_with_the_same_hands_are_warned_about(client, text, rounds, warned):
    tournament = event(Entry.Kind.PAIR)
    pairing_round = PairingRoundFactory.create(stage__tournament=tournament)
    for number, first in ((3, 100), (8, rounds[0])):
        match = opened(table_of(pairing_round, number))
        sheet(match, 0, "AC", first)
        sheet(match, 1, "BD", 137)
        sheet(match, 2, "AC", 200 - first)
        referee.close_match(match, by=director(match))
    client.force_login(tournament.created_by)
    page = text(client.get("/desk/nile/results/1/1/"))
    assert ("The same sheet twice?" in page) is warned


def table_of(pairing_round: object, number: int) -> Match:
    match = MatchFactory.create(pairing_round=pairing_round, table=number)
    return Match.objects.select_related("pairing_round__stage__tournament").get(pk=match.pk)


@pytest.mark.parametrize("kind", [Entry.Kind.PAIR, Entry.Kind.SINGLE])
def test_situation_41_a_ruling_falls_on_both_of_a_pair_and_on_one_who_plays_alone(kind):
    match = opened(table(event(kind)))
    sheet(match, 0, "BD", 120)
    write(match, "C! coaching")
    sheet(match, 1, "AC", 220)
    referee.close_match(match, by=director(match))
    deducted = dict(match.seats.values_list("seat", "deducted"))
    both = kind == Entry.Kind.PAIR
    assert deducted == {"A": 80 if both else 0, "B": 0, "C": 80, "D": 0}
    assert seats(match)["C"] == ("W", 140, 120)
    assert seats(match)["A"] == ("W", 140 if both else 220, 120)


def test_situation_41_signals_in_a_pairs_event_cost_both_partners_the_match():
    match = opened(table(event(Entry.Kind.PAIR)))
    sheet(match, 0, "AC", 120)
    write(match, "A! signaling")
    assert read(match).state.over
    referee.close_match(match, by=director(match))
    outcomes = dict(match.seats.values_list("seat", "outcome"))
    lost = {seat for seat, one in outcomes.items() if one == MatchSeat.Outcome.LOSS}
    assert lost == {"A", "C"}
    disqualify(entry_at(match, "A"), reason="Signals.", by=director(match))
    assert Entry.objects.filter(state=Entry.State.DISQUALIFIED).count() == 1
    assert Tournament.objects.get().entries.filter(state=Entry.State.REGISTERED).count() == 1
