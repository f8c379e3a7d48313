"""The ledger follows the desk by itself: whatever is corrected there, it is in step afterwards."""

from __future__ import annotations

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from referee.queries.sanctions import behind
from referee.services import records as services
from referee.services import sanction_following, sanctions
from tests import factories
from tests.referee.conftest import director_of, referee_of, sheet, tournament_of, write
from tests.referee.test_sanctions import again, played, rows, the
from tournaments.models import Entry, LogEntry, MatchSeat
from tournaments.services import corrections, disqualification, merging, results, scores, undoing
from tournaments.services.expulsions import expel_both

pytestmark = pytest.mark.django_db


def entry_at(match, seat):
    return MatchSeat.objects.get(match=match, seat=seat).entry


def in_play(match, *lines):
    """Let a table be in play with these infractions, which no ledger has yet."""
    by = referee_of(match)
    services.open_match(match, by=by)
    sheet(match, 0, "AC", 10, by)
    write(match.records.get(), lines, by)
    return match


def in_step(match):
    assert behind(tournament_of(match)) == 0
    return rows(match)


def test_exchanged_seats_take_their_cards_along(make_match):
    match = make_match("femundo", entry_kind="single")
    played(match, "B! delay -> card yellow")
    assert rows(match) == [("Lin", "yellow", "proposed")]
    one, other = entry_at(match, "B"), entry_at(match, "D")
    corrections.swap_seats(match, one=one, other=other, reason="x", by=director_of(match))
    assert in_step(match) == [("Lin", "yellow", "dropped"), ("Sara", "yellow", "proposed")]
    undoing.undo(LogEntry.objects.get(act="seats_swapped"), by=director_of(match))
    assert in_step(match) == [("Lin", "yellow", "proposed"), ("Sara", "yellow", "dropped")]


def test_a_confirmed_card_of_an_exchanged_seat_asks(make_match):
    match = make_match("femundo", entry_kind="single")
    played(match, "B! delay -> card yellow")
    sanctions.confirm(the(match), by=referee_of(match))
    one, other = entry_at(match, "B"), entry_at(match, "D")
    corrections.swap_seats(match, one=one, other=other, reason="x", by=director_of(match))
    assert the(match, state="confirmed").asks
    assert behind(tournament_of(match)) == 0


def test_who_came_after_all_has_no_card_any_more(make_match, django_capture_on_commit_callbacks):
    match = make_match("femundo", entry_kind="single")
    with django_capture_on_commit_callbacks(execute=True):
        results.record_walkover(match, absent=[entry_at(match, "C")], by=referee_of(match))
    assert in_step(match) == [("Omar", "yellow", "proposed")]
    points = {"AC": 200, "BD": 120}
    corrections.correct_score(match, points=points, reason="x", by=director_of(match))
    assert in_step(match) == [("Omar", "yellow", "dropped")]
    undoing.undo(LogEntry.objects.get(act="result_corrected"), by=director_of(match))
    assert in_step(match) == [("Omar", "yellow", "proposed")]


def test_a_table_closed_from_the_desk_brings_its_infractions(make_match):
    match = in_play(make_match("femundo"), "B! delay -> card yellow")
    corrections.lose_all(match, reason="Wrong seats", by=director_of(match))
    assert in_step(match) == [("Lin", "yellow", "proposed")]


def test_a_typed_score_and_a_table_somebody_left_do_too(
    make_match, django_capture_on_commit_callbacks
):
    typed = in_play(make_match("femundo"), "B! delay -> card yellow")
    left = in_play(make_match("femundo", entry_kind="single"), "B! delay -> card yellow")
    with django_capture_on_commit_callbacks(execute=True):
        scores.record_score(typed, points={"AC": 200, "BD": 100}, by=director_of(typed))
        gone = [entry_at(left, "A")]
        disqualification.abandon(left, left=gone, reason="x", by=director_of(left))
    assert in_step(typed) == in_step(left) == [("Lin", "yellow", "proposed")]


def test_who_is_put_out_closes_the_table_and_comes_back_by_undo(make_match):
    match = in_play(make_match("femundo"), "B! delay -> card yellow")
    disqualification.disqualify(entry_at(match, "A"), reason="x", by=director_of(match))
    assert in_step(match) == [("Lin", "yellow", "proposed")]
    undoing.undo(LogEntry.objects.get(act="entry_disqualified"), by=director_of(match))
    assert in_step(match) == [("Lin", "yellow", "proposed")]


def test_both_sides_put_out_bring_their_infractions(make_match):
    match = in_play(make_match("femundo"), "B! delay -> card yellow")
    expel_both(match, reason="x", by=director_of(match))
    assert in_step(match)[0] == ("Lin", "yellow", "proposed")


def test_what_two_spellings_had_is_counted_together(make_match):
    match = make_match("wdf", entry_kind="single")
    played(match, "B! delay")
    twin = factories.PlayerFactory.create(name="Linn")
    other = make_match("wdf", entry_kind="single")
    MatchSeat.objects.filter(match=other, seat="B").update(player=twin)
    Entry.objects.filter(seats__match=other, seats__seat="B").get().members.update(player=twin)
    played(other, "B! delay", "B! misplay -> warning")
    assert behind(tournament_of(other)) == 0
    lin = MatchSeat.objects.get(match=match, seat="B").player
    director = director_of(match)
    director.is_superuser = True
    director.save()
    merging.merge_players(tournament_of(match), keep=lin, gone=twin, by=director)
    for one in (match, other):
        assert behind(tournament_of(one)) == 0
    assert ("Lin", "yellow", "proposed") in rows(other)


def test_a_correction_that_is_thrown_away_leaves_the_ledger_alone(make_match):
    match = make_match("femundo", entry_kind="single")
    played(match, "B! delay -> card yellow")
    one, other = entry_at(match, "B"), entry_at(match, "D")
    with transaction.atomic():
        corrections.swap_seats(match, one=one, other=other, reason="x", by=director_of(match))
        transaction.set_rollback(True)
    assert in_step(match) == [("Lin", "yellow", "proposed")]


def test_a_sheet_edited_again_and_again_counts_once(make_match):
    match = make_match("femundo")
    played(match, "B! false_pass")
    for points in (150, 140, 130):
        corrections.correct_score(
            match, points={"AC": 200, "BD": points}, reason="x", by=director_of(match)
        )
        services.reopen_match(match, reason="look", by=director_of(match))
        services.close_match(match, by=referee_of(match))
    assert in_step(match) == [("Lin", "yellow", "proposed")]


@pytest.mark.parametrize(("lines", "most"), [((), 2), (("B! delay",), 10)])
def test_what_following_costs_does_not_grow_with_the_event(make_match, lines, most):
    match = make_match("femundo")
    played(match, *lines)
    asked = []
    for number in range(2, 5):
        asked.append(_asked_by_following(match))
        played(again(match, number), "A! delay")
    assert max(asked) <= most
    assert asked[0] == asked[-1]


def _asked_by_following(match):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        sanction_following.follow_tables(tournament_of(match), [match.pk], None)
    return len(asked)


def test_a_record_opened_again_is_followed_ruling_by_ruling(
    match, django_capture_on_commit_callbacks
):
    played(match, "B! delay", "A! delay")
    services.reopen_match(match, reason="wrong", by=director_of(match))
    with django_capture_on_commit_callbacks(execute=True):
        write(match.records.get(), ["undo 1", "C! delay"], referee_of(match))
    assert in_step(match) == [
        ("Lin", "warning", "proposed"),
        ("Rosa", "warning", "dropped"),
        ("Omar", "warning", "proposed"),
    ]
