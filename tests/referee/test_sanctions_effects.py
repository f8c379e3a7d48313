"""What a card does to results: to the offender, the partner and the others, each their own."""

from __future__ import annotations

import pytest
from django.core.exceptions import PermissionDenied

from referee.errors import sanctions as errors
from referee.models import Sanction
from referee.services import records as services
from referee.services import sanction_effects, sanctions
from tests.referee.conftest import director_of, referee_of, tournament_of
from tests.referee.test_sanctions import again, in_step, played, rows, the
from tournaments.models import Entry, LogEntry, Match
from tournaments.services import undoing

pytestmark = pytest.mark.django_db


def left_with(match):
    seats = match.seats.select_related("player").order_by("seat")
    return {one.player.name: (one.outcome, one.points_for, one.points_against) for one in seats}


def confirmed(match, **wanted):
    return sanctions.confirm(the(match, **wanted), by=referee_of(match))


def red_for(match, name="Rosa"):
    """Give a red card to a player of the table, by hand."""
    player = match.seats.select_related("player").get(player__name=name).player
    return sanctions.give(
        tournament_of(match),
        severity="red",
        note="Abuse",
        player=player,
        match=match,
        by=referee_of(match),
    )


def test_a_red_card_loses_the_match_for_the_pair(make_match):
    match = make_match("femundo")
    played(match)
    sanction_effects.carry_out(red_for(match), by=director_of(match))
    assert left_with(match) == {
        "Rosa": ("loss", 0, 200),
        "Omar": ("loss", 0, 200),
        "Lin": ("win", 200, 0),
        "Sara": ("win", 200, 0),
    }


def test_in_an_individual_event_the_offender_alone_loses_under_the_federations_book(make_match):
    match = make_match("femundo", entry_kind="single")
    played(match)
    sanction_effects.carry_out(red_for(match), by=director_of(match))
    assert left_with(match)["Rosa"] == ("loss", 0, 200)
    assert {left_with(match)[name] for name in ("Omar", "Lin", "Sara")} == {("win", 200, 0)}


def test_elsewhere_the_partner_loses_what_both_played(make_match):
    match = make_match("wdf", entry_kind="single")
    played(match)
    sanction_effects.carry_out(red_for(match), by=director_of(match))
    assert left_with(match)["Omar"] == ("loss", 0, 100)
    assert left_with(match)["Lin"] == ("win", 100, 0)


def test_the_preview_is_what_happens_and_changes_nothing(make_match):
    match = make_match("femundo")
    played(match)
    card, before = red_for(match), left_with(match)
    shown = sanction_effects.preview(card, by=director_of(match))
    assert left_with(match) == before
    done = sanction_effects.carry_out(card, by=director_of(match))
    assert (shown.seats, shown.tables) == (done.seats, done.tables)
    assert [one.name for one in shown.seats if one.is_offender] == ["Rosa"]


def test_a_black_card_puts_the_entry_out_and_loses_its_open_tables(make_match):
    match = make_match("femundo")
    played(match, "A! disobedience")
    following = again(match)
    card = confirmed(match)
    assert sanction_effects.preview(card, by=director_of(match)).tables == (following.table,)
    sanction_effects.carry_out(card, by=director_of(match))
    entry = Entry.objects.get(members__player__name="Rosa")
    assert entry.state == Entry.State.DISQUALIFIED
    assert Match.objects.get(pk=following.pk).state == Match.State.CLOSED


def test_nothing_happens_by_confirming_alone(make_match):
    match = make_match("femundo")
    played(match, "A! disobedience")
    before = left_with(match)
    confirmed(match)
    assert left_with(match) == before
    assert not Entry.objects.filter(state=Entry.State.DISQUALIFIED).exists()


def test_carried_out_twice_is_carried_out_once(make_match):
    match = make_match("femundo")
    played(match)
    card = red_for(match)
    sanction_effects.carry_out(card, by=director_of(match))
    count = LogEntry.objects.count()
    sanction_effects.carry_out(card, by=director_of(match))
    assert LogEntry.objects.count() == count


def test_taken_back_in_the_log_the_effect_is_due_again(make_match):
    match = make_match("femundo")
    played(match)
    before, card = left_with(match), red_for(match)
    sanction_effects.carry_out(card, by=director_of(match))
    with pytest.raises(errors.EffectStands):
        sanctions.drop(the(match), reason="wrong", by=referee_of(match))
    undoing.undo(LogEntry.objects.get(act="result_corrected"), by=director_of(match))
    assert left_with(match) == before
    assert sanction_effects.is_due(the(match))


def test_a_match_lost_in_the_record_is_not_lost_twice(make_match):
    match = make_match("femundo")
    played(match, "A! misplay deliberate", winner="BD")
    card = the(match)
    assert (card.severity, card.in_record) == ("black", True)
    card = confirmed(match)
    before = left_with(match)
    sanction_effects.carry_out(card, by=director_of(match))
    assert left_with(match) == before
    assert Entry.objects.get(members__player__name="Rosa").state == Entry.State.DISQUALIFIED


def test_only_a_director_carries_it_out(make_match):
    match = make_match("femundo")
    played(match)
    with pytest.raises(PermissionDenied):
        sanction_effects.carry_out(red_for(match), by=referee_of(match))


def test_a_proposed_card_has_no_effect_yet(make_match):
    match = make_match("femundo")
    played(match, "A! disobedience")
    with pytest.raises(errors.SanctionNotConfirmed):
        sanction_effects.carry_out(the(match), by=director_of(match))


def test_a_yellow_card_changes_no_result(make_match):
    match = make_match("femundo")
    played(match, "A! late -> card yellow")
    with pytest.raises(errors.SanctionHasNoEffect):
        sanction_effects.carry_out(confirmed(match), by=director_of(match))


def test_a_spectator_has_no_result_to_lose(match):
    given = sanctions.give(
        tournament_of(match),
        severity="black",
        note="Threats",
        name="Nadia",
        function="spectator",
        by=director_of(match),
    )
    assert not sanction_effects.is_due(given)


def test_at_a_table_that_still_plays_the_record_is_the_place(make_match):
    match = make_match("femundo")
    services.open_match(match, by=referee_of(match))
    with pytest.raises(errors.TableStillPlays) as refused:
        sanction_effects.carry_out(red_for(match), by=director_of(match))
    assert refused.value.code == "table_still_plays"


def test_who_goes_on_from_an_elimination_is_corrected_by_hand(make_match):
    match = make_match("elimination", entry_kind="single", players=2)
    Match.objects.filter(pk=match.pk).update(state=Match.State.CLOSED)
    with pytest.raises(errors.EliminationByHand):
        sanction_effects.carry_out(red_for(match), by=director_of(match))


def test_the_rung_of_two_yellow_cards_loses_the_match_of_the_second(make_match):
    first = make_match("femundo")
    played(first, "A! false_pass")
    second = again(first)
    played(second, "A! false_pass")
    red = confirmed(first, source="ladder")
    assert (red.severity, red.match_id) == ("red", second.pk)
    sanction_effects.carry_out(red, by=director_of(first))
    assert left_with(second)["Rosa"] == ("loss", 0, 200)
    in_step(first)
    assert Sanction.Severity.BLACK not in {severity for _, severity, _ in rows(first)}


def test_a_match_lost_by_play_is_lost_without_its_points(make_match):
    match = make_match("femundo")
    played(match)
    match.seats.filter(seat__in="BD").update(points_for=150)
    sanction_effects.carry_out(red_for(match, "Lin"), by=director_of(match))
    assert left_with(match)["Lin"] == ("loss", 0, 200)


def test_who_is_below_nought_by_deductions_does_not_gain_by_losing(make_match):
    match = make_match("femundo")
    played(match)
    match.seats.filter(seat="A").update(points_for=-80)
    sanction_effects.carry_out(red_for(match), by=director_of(match))
    assert left_with(match)["Rosa"] == ("loss", -80, 200)
    assert left_with(match)["Omar"] == ("loss", 0, 200)
