"""Tables that send the best on: two at the limit at once, and somebody who is not there."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import User
from hypothesis import given
from hypothesis import strategies as st

from engine.events import Sheet, TimeOver
from engine.match import MatchState
from engine.profiles import Rules
from engine.record import Record, Round
from engine.seats import Seat
from referee.recorded import event_of
from referee.services import records as referee
from tests.factories import EntryFactory, TournamentFactory
from tournaments.competition.survival import staying
from tournaments.errors import scores as score_errors
from tournaments.errors import tables as table_errors
from tournaments.errors.base import explain
from tournaments.models import (
    Absence,
    Entry,
    LogEntry,
    Match,
    PairingRound,
    Stage,
    Tournament,
)
from tournaments.rules import rules_of
from tournaments.services import draws, leaving, pairings, results, scores, stages
from tournaments.services.disqualification import abandon, disqualify
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes
from tournaments.services.undoing import undo

PLAY_ON = "play_on"
database = pytest.mark.django_db


def drawn(entries: int = 4, **plan: object) -> PairingRound:
    """Return the published round of a stage to 100, two of each table going on."""
    tournament = TournamentFactory.create(
        slug="nile",
        profile="elimination",
        state=Tournament.State.RUNNING,
        entry_kind=Entry.Kind.SINGLE,
    )
    EntryFactory.create_batch(entries, tournament=tournament)
    by = tournament.created_by
    asked = StagePlan("elimination", target=100, **plan)  # type: ignore[arg-type]
    stage = stages.make_stage(tournament, asked, by=by)
    return pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)


def first_table(pairing_round: PairingRound) -> Match:
    return Match.objects.select_related("pairing_round__stage__tournament").get(
        pairing_round=pairing_round, table=1
    )


def director(pairing_round: PairingRound) -> User:
    return pairing_round.stage.tournament.created_by


def record(match: Match, *rounds: dict[Seat, int], by: User) -> None:
    referee.open_match(match, by=by)
    for number, points in enumerate(rounds):
        first = next(seat for seat in Seat if seat not in points)
        sheet = Sheet(first.value, points, "out")
        referee.record_sheet(match, number=number, sheet=sheet, by=by)
    referee.close_match(match, by=by)


def outcomes(match: Match) -> str:
    found = match.seats.order_by("seat").values_list("outcome", flat=True)
    return " ".join(found)


def ahead(pairing_round: PairingRound) -> list[Entry]:
    stage = stages.close_stage(pairing_round.stage, by=director(pairing_round))
    return [entry for entry, _, _ in stages.preview_qualifiers(stage, Takes(each=2))]


# --- two reach the limit in one round ---------------------------------------------------------

TWO_AT_ONCE = ({Seat.D: 100}, {Seat.B: 105, Seat.C: 110})


@database
@pytest.mark.parametrize("way", ["moves", "score"])
def test_hard_case_two_reach_the_limit_at_once_and_both_are_out(way):
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    if way == "moves":
        record(match, *TWO_AT_ONCE, by=by)
    else:
        scores.record_score(match, points={"A": 0, "B": 105, "C": 110, "D": 100}, by=by)
    assert outcomes(match) == "win loss loss loss"
    totals = dict(match.seats.values_list("seat", "points_against"))
    assert totals == {"A": 0, "B": 105, "C": 110, "D": 100}


@database
def test_those_out_stand_by_their_lower_total(django_capture_on_commit_callbacks):
    pairing_round = drawn(8)
    by = director(pairing_round)
    matches = list(pairing_round.matches.order_by("table"))
    with django_capture_on_commit_callbacks(execute=True):
        scores.record_score(matches[0], points={"A": 0, "B": 105, "C": 110, "D": 100}, by=by)
        scores.record_score(matches[1], points={"A": 9, "B": 8, "C": 101, "D": 120}, by=by)
    rows = pairing_round.stage.standing_rows.order_by("order").select_related("entry")
    against = {seat.entry_id: seat.points_against for one in matches for seat in one.seats.all()}
    assert [against[row.entry_id] for row in rows] == [0, 8, 9, 100, 101, 105, 110, 120]
    assert len(ahead(pairing_round)) == 3


@database
@pytest.mark.parametrize("way", ["moves", "score"])
def test_hard_case_two_reach_the_limit_at_once_and_play_one_more(way):
    pairing_round = drawn(3, limit_together=PLAY_ON)
    match, by = first_table(pairing_round), director(pairing_round)
    assert rules_of(match).limit_together == PLAY_ON
    points = {"A": 20, "B": 135, "C": 110}
    if way == "moves":
        record(match, {Seat.B: 105, Seat.C: 110}, {Seat.A: 20, Seat.B: 30}, by=by)
    else:
        with pytest.raises(score_errors.OneMoreRound) as doubt:
            scores.record_score(match, points=points, by=by)
        assert "only 1 stayed below 100" in explain(doubt.value)
        scores.record_score(match, points=points, sure=True, by=by)
    assert outcomes(match) == "win loss win"


@database
def test_where_the_totals_do_not_tell_who_played_one_more_the_rounds_are_asked_for():
    pairing_round = drawn(4, limit_together=PLAY_ON)
    match, by = first_table(pairing_round), director(pairing_round)
    points = {"A": 20, "B": 135, "C": 110, "D": 100}
    with pytest.raises(score_errors.RoundsNeeded, match="enter the result of each round"):
        scores.record_score(match, points=points, sure=True, by=by)
    record(match, *TWO_AT_ONCE, {Seat.A: 20, Seat.B: 30}, by=by)
    # D was out before: a lower total does not bring D back.
    assert outcomes(match) == "win loss win loss"


@pytest.mark.parametrize(
    ("rounds", "left"),
    [
        ([{"B": 105, "C": 110}], None),
        ([{"B": 105, "C": 110, "D": 120}], None),
        ([{"B": 105, "C": 110, "D": 120}, {"A": 5, "B": 9}], ("A", "C")),
        ([{"B": 105, "C": 110, "D": 120}, {"A": 5, "B": 5}], None),
        ([{"B": 105, "C": 110, "D": 120}, {"A": 5, "B": 5}, {"C": 9}], ("A", "B")),
        ([{"B": 105, "C": 110, "D": 120}, {"A": 200, "B": 1}], ("B", "C")),
    ],
)
def test_those_at_the_limit_at_once_play_until_the_last_place_is_clear(rounds, left):
    options: dict[str, str | int] = {"survivors": 2, "limit_together": PLAY_ON}
    state = recorded(rounds, Rules.of("elimination", 100, options))
    two_out = rounds == [{"B": 105, "C": 110}]
    assert state.over is (left is not None or two_out)
    if left is not None:
        assert tuple(seat.value for seat in state.in_match) == left


def recorded(rounds: list[dict[str, int]], rules: Rules) -> MatchState:
    listed = []
    for points in rounds:
        given_points = {Seat(seat): total for seat, total in points.items()}
        listed.append(Round((Sheet("A", given_points, "out"),), None, None, None))
    return MatchState(Record(rules, 4, rounds=tuple(listed)))


@given(
    totals=st.lists(st.integers(0, 140), min_size=4, max_size=4),
    survivors=st.integers(1, 3),
    together=st.sampled_from(["out", PLAY_ON]),
)
def test_a_typed_score_sends_on_whom_the_record_sends_on(totals, survivors, together):
    """One round that brings all points at once: where the record is over, both say the same."""
    options: dict[str, str | int] = {"survivors": survivors, "limit_together": together}
    rules = Rules.of("elimination", 100, options)
    points = dict(zip("ABCD", totals, strict=True))
    state = recorded([points], rules)
    typed = staying(points, limit=100, survivors=survivors, one_more=together == PLAY_ON)
    if state.over:
        assert typed == frozenset(seat.value for seat in state.in_match)
    else:
        # Somebody has to play on: more are left than go on, or the last place is not clear.
        below = sum(total < 100 for total in totals)
        assert below > survivors or typed is None or together == PLAY_ON


@database
def test_level_at_the_last_place_another_round_is_played():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    points = {"A": 120, "B": 105, "C": 105, "D": 105}
    with pytest.raises(score_errors.MustNotBeLevel, match="105 all"):
        scores.record_score(match, points=points, sure=True, by=by)
    scores.record_score(match, points=points | {"D": 106}, sure=True, by=by)
    assert outcomes(match) == "loss win win loss"


@database
def test_the_stage_says_what_two_at_the_limit_do_on_page_and_api(client, text):
    pairing_round = drawn()
    tournament = pairing_round.stage.tournament
    client.force_login(tournament.created_by)
    asked = {"system": "elimination", "survivors": 2, "name": "Second", "target": 100}
    client.post("/desk/nile/pairings/add/", asked | {"limit_together": PLAY_ON, "step": "make"})
    assert Stage.objects.get(name="Second").settings["limit_together"] == PLAY_ON
    answer = client.post(
        "/api/desk/nile/stages/",
        asked | {"name": "Third", "limit_together": PLAY_ON},
        content_type="application/json",
    )
    assert answer.status_code in (200, 201), answer.content
    assert Stage.objects.get(name="Third").settings["limit_together"] == PLAY_ON
    wrong = client.post(
        "/api/desk/nile/stages/",
        asked | {"name": "Fourth", "limit_together": "nobody"},
        content_type="application/json",
    )
    assert wrong.status_code == 400


# --- somebody is not there ---------------------------------------------------------------------


def entry_at(match: Match, seat: str) -> Entry:
    return match.seats.select_related("entry").get(seat=seat).entry


@database
def test_an_absent_player_leaves_the_table_to_those_who_are_there():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    absent, others = entry_at(match, "B"), [entry_at(match, seat) for seat in "ACD"]
    for _ in range(2):
        waits = results.record_walkover(match, absent=[absent], by=by)
    assert LogEntry.objects.filter(act="seats_emptied").count() == 1
    assert waits.state == Match.State.WAITING
    assert [entry_at(match, seat) for seat in "ABC"] == others
    assert match.seats.count() == 3
    scores.record_score(match, points={"A": 20, "B": 130, "C": 40}, by=by)
    assert outcomes(match) == "win loss win"
    assert ahead(pairing_round) == [others[0], others[2]]


@database
def test_the_absent_player_stands_with_the_limit_against_and_no_win(
    django_capture_on_commit_callbacks,
):
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    absent = entry_at(match, "B")
    with django_capture_on_commit_callbacks(execute=True):
        results.record_walkover(match, absent=[absent], by=by)
        scores.record_score(match, points={"A": 20, "B": 130, "C": 40}, by=by)
    row = pairing_round.stage.standing_rows.get(entry=absent)
    assert (row.values["wins"], row.values["difference"], row.played) == (0, -100, 0)


@database
def test_as_many_as_go_on_need_not_play():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    absent = [entry_at(match, "A"), entry_at(match, "C")]
    closed = results.record_walkover(match, absent=absent, by=by)
    assert closed.state == Match.State.CLOSED
    assert outcomes(match) == "walkover_loss walkover_win walkover_loss walkover_win"
    assert len(ahead(pairing_round)) == 2


@database
def test_who_withdraws_before_play_leaves_the_table_to_the_others_and_may_return():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    gone = entry_at(match, "A")
    leaving.withdraw(gone, by=by)
    assert match.seats.count() == 3
    undo(LogEntry.objects.get(act="entry_withdrawn"), by=by)
    assert match.seats.count() == 4
    assert entry_at(match, "D") == gone
    assert not Absence.objects.exists()


@database
def test_an_absence_is_taken_back_as_long_as_nobody_has_begun():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    results.record_walkover(match, absent=[entry_at(match, "A")], by=by)
    line = LogEntry.objects.get(act="seats_emptied")
    results.start_match(match, by=by)
    with pytest.raises(table_errors.TableHasBegun):
        undo(line, by=by)
    Match.objects.update(state=Match.State.WAITING, opened_at=None)
    undo(line, by=by)
    assert match.seats.count() == 4


@database
@pytest.mark.parametrize("when", ["before", "during"])
def test_who_is_put_out_is_not_among_those_who_go_on(when):
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    out = entry_at(match, "A")
    if when == "during":
        results.start_match(match, by=by)
    disqualify(out, reason="Signals", by=by)
    match.refresh_from_db()
    assert match.state != Match.State.CLOSED
    points = {"A": 20, "B": 130, "C": 40} if when == "before" else {
        "A": 5, "B": 20, "C": 130, "D": 40
    }  # fmt: skip
    scores.record_score(match, points=points, by=by)
    found = {seat.entry: seat.outcome for seat in match.seats.select_related("entry")}
    assert sorted(found.values()) == sorted(
        ["win", "win", "loss"] + (["walkover_loss"] if when == "during" else [])
    )
    assert found.get(out) == (None if when == "before" else "walkover_loss")
    assert out not in ahead(pairing_round)


@database
def test_where_one_leaves_in_the_middle_the_others_play_on():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    results.start_match(match, by=by)
    with pytest.raises(table_errors.OthersPlayOn, match="3 are still at table 1 and 2 go on"):
        abandon(match, left=[entry_at(match, "A")], reason="Left", by=by)
    left = [entry_at(match, "A"), entry_at(match, "B")]
    closed = abandon(match, left=left, reason="Left", by=by)
    assert outcomes(closed) == "walkover_loss walkover_loss walkover_win walkover_win"


@database
def test_the_page_of_an_absence_says_that_the_others_play(client, text):
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    client.force_login(by)
    address = f"/desk/nile/tables/{match.pk}/absent/"
    assert "the others play for it" in text(client.get(address))
    number = entry_at(match, "D").number
    answer = client.post(address, {"absent": [number]}, follow=True)
    assert "Table 1 is played by those who are there." in text(answer)
    assert match.seats.count() == 3


@database
def test_where_the_bell_leaves_more_than_go_on_the_lowest_totals_do():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    referee.open_match(match, by=by)
    sheet = Sheet("A", {Seat.B: 30, Seat.C: 10, Seat.D: 20}, "out")
    referee.record_sheet(match, number=0, sheet=sheet, by=by)
    referee.append_event(match.records.get(), number=1, event=TimeOver(), by=by)
    referee.close_match(match, by=by)
    assert outcomes(match) == "win loss win loss"


@database
def test_a_record_does_not_send_on_who_is_out_of_the_event():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    referee.open_match(match, by=by)
    disqualify(entry_at(match, "A"), reason="Signals", by=by)
    sheet = Sheet("A", {Seat.B: 30, Seat.C: 110, Seat.D: 120}, "out")
    referee.record_sheet(match, number=0, sheet=sheet, by=by)
    with pytest.raises(table_errors.GoneGoesOn, match="Rule in the record"):
        referee.close_match(match, by=by)


@database
def test_a_record_sends_the_last_two_on_when_one_has_lost_by_a_ruling():
    pairing_round = drawn()
    match, by = first_table(pairing_round), director(pairing_round)
    out = entry_at(match, "A")
    referee.open_match(match, by=by)
    first = referee.open_round(match, number=0, opener="B", by=by)
    ruling = event_of("A! disobedience -> disqualify")
    referee.append_event(first, number=0, event=ruling, by=by)
    disqualify(out, reason="Disobedience", by=by)
    sheet = Sheet("B", {Seat.C: 110, Seat.D: 30}, "out")
    referee.record_sheet(match, number=1, sheet=sheet, by=by)
    referee.close_match(match, by=by)
    assert outcomes(match) == "loss win loss win"
    assert out not in ahead(pairing_round)
