"""What is built on a decision stands in the way of taking it back, and is named."""

from __future__ import annotations

import pytest
from django.urls import reverse
from django.utils.translation import override

from engine.errors import DominoError
from tests.factories import EntryFactory, OfficialFactory
from tests.tournaments.undoing import World, somebody
from tournaments.errors.base import explain
from tournaments.models import Entry, LogEntry, Match, MatchSeat, Official, PairingRound, Tournament
from tournaments.services import (
    adjusting,
    attendance,
    check_in,
    clock,
    draws,
    entries,
    leaving,
    lifecycle,
    merging,
    pairings,
    registration,
    results,
    stages,
    table_rules,
    undoing,
)
from tournaments.words.log import log_lines

pytestmark = pytest.mark.django_db


def last(act):
    return LogEntry.objects.filter(act=act).order_by("-pk")[0]


def refused(act, by):
    with pytest.raises(DominoError) as caught:
        undoing.undo(last(act), by=by)
    return explain(caught.value)


def test_a_later_line_about_the_same_is_named_and_goes_first():
    world = World()
    registration.set_paid(world.entry(), paid=True, by=world.by)
    registration.set_paid(world.entry(), paid=False, by=world.by)
    who = world.by.username
    assert refused("fee_paid", world.by) == (
        "Something later has changed the same. First take this back: "
        f"{who} noted that entry 1, Entry 1, has not paid."
    )
    undoing.undo(last("fee_not_paid"), by=world.by)
    undoing.undo(last("fee_paid"), by=world.by)
    assert world.entry().paid is False


def test_other_columns_of_the_same_row_do_not_stand_in_the_way():
    world = World()
    registration.set_paid(world.entry(), paid=True, by=world.by)
    check_in.check_in(world.entry(), by=world.by)
    undoing.undo(last("fee_paid"), by=world.by)
    entry = world.entry()
    assert (entry.paid, entry.checked_in_at is None) == (False, False)


def test_what_was_changed_without_the_log_is_not_overwritten():
    world = World()
    lifecycle.change_details(
        world.event, name="Other Cup", starts_on=world.event.starts_on, by=world.by
    )
    Tournament.objects.update(name="Third Cup")
    assert "it is not any more as this left it" in refused("details_changed", world.by)
    assert world.fresh().name == "Third Cup"


def test_an_entry_that_has_paid_is_not_unregistered_under_its_payment():
    world = World()
    made = entries.register(world.event, players=[somebody(), somebody()], by=world.by)
    registration.set_paid(made, paid=True, by=world.by)
    assert "has paid" in refused("entry_registered", world.by)
    assert Entry.objects.filter(pk=made.pk).exists()


def test_an_entry_that_is_seated_is_not_unregistered():
    world = World(5)
    entries.register(world.event, players=[somebody(), somebody()], by=world.by)
    world.published()
    assert "made the stage Swiss system" in refused("entry_registered", world.by)


def test_a_player_others_use_stays_when_the_entry_goes():
    world, other = World(), World()
    made = entries.register(world.event, players=[somebody("Ana Uno"), somebody()], by=world.by)
    ana = made.members.order_by("position")[0].player
    EntryFactory.create(tournament=other.event, players=[ana, somebody_known()])
    undoing.undo(last("entry_registered"), by=world.by)
    assert type(ana).objects.filter(pk=ana.pk).exists()
    assert not Entry.objects.filter(pk=made.pk).exists()


def somebody_known():
    return EntryFactory.create().members.order_by("position")[0].player


def test_the_start_stays_while_there_is_a_stage():
    world = World()
    world.stage()
    assert refused("started", world.by) == (
        "The stage “Swiss system” was made after play had started. Throw the stage away first, as "
        "long as none of its rounds is published."
    )
    pairings.discard_stage(world.event.stages.get(), by=world.by)
    undoing.undo(last("started"), by=world.by)
    assert world.fresh().state == Tournament.State.OPEN


def test_a_stage_with_rounds_stays():
    world = World()
    world.drawn()
    assert "drew round 1 of Swiss system" in refused("stage_made", world.by)


def test_a_published_round_stays_drawn():
    world = World()
    world.published()
    assert refused("round_drawn", world.by) == (
        "Round 1 of Swiss system is published, so its draw stays. Take its publication back first."
    )
    undoing.undo(last("round_published"), by=world.by)
    undoing.undo(last("round_drawn"), by=world.by)
    assert not PairingRound.objects.exists()


def test_a_draft_changed_by_hand_names_the_change():
    world = World()
    drawn = world.drawn()
    table = drawn.matches.order_by("table")[0]
    adjusting.lock_table(table, is_locked=True, by=world.by)
    assert "locked table 1" in refused("round_drawn", world.by)


def test_a_discarded_draft_does_not_come_over_a_new_one():
    world = World()
    drawn = world.drawn()
    draws.discard_draft(drawn, by=world.by)
    draws.draw_round(drawn.stage, number=1, by=world.by)
    assert "drew round 1" in refused("draft_discarded", world.by)
    undoing.undo(last("round_drawn"), by=world.by)
    undoing.undo(last("draft_discarded"), by=world.by)
    assert Match.objects.count() == 2


def test_whoever_was_drawn_since_does_not_go_out_by_undoing_the_return():
    world = World()
    stage = world.closed().pairing_round.stage
    leaving.withdraw(world.entry(), by=world.by)
    leaving.reinstate(world.entry(), by=world.by)
    draws.draw_round(stage, number=2, by=world.by)
    assert "has been drawn since, for round 2" in refused("entry_reinstated", world.by)


def test_a_late_entry_with_a_seat_stays():
    world = World()
    stage = world.closed(rounds=4).pairing_round.stage
    late = EntryFactory.create(tournament=world.event)
    attendance.join_stage(stage, entry=late, by=world.by)
    assert MatchSeat.objects.filter(entry=late).count() == 0
    EntryFactory.create(tournament=world.event)
    draws.draw_round(stage, number=2, by=world.by)
    seated = MatchSeat.objects.filter(entry=late).exists()
    if not seated:
        seat = MatchSeat.objects.filter(pairing_round__number=2).order_by("pk")[0]
        MatchSeat.objects.filter(entry=seat.entry, pairing_round__number=2).update(entry=late)
    assert "has been drawn since" in refused("entry_joined_late", world.by)


def test_a_stage_others_went_on_from_stays_closed():
    world = World()
    stage = world.closed().pairing_round.stage
    stages.close_stage(stage, by=world.by)
    plan = stages.StagePlan("knockout")
    stages.make_stage(world.event, plan, source=stage, by=world.by)
    assert "Knockout" in refused("stage_closed", world.by)


def test_rules_of_a_table_stay_once_it_has_begun():
    world = World()
    match = world.table()
    table_rules.set_table_rules(match, profile="wdf", target=150, by=world.by)
    results.start_match(match, by=world.by)
    assert "table 1" in refused("table_rules", world.by).lower()


def test_the_only_director_stays():
    world = World()
    other = OfficialFactory.create().user
    lifecycle.add_official(world.event, username=other.username, duty="director", by=world.by)
    line = last("official_added")
    Official.objects.filter(tournament=world.event, user=world.by).delete()
    with pytest.raises(DominoError, match="is the only director"):
        undoing.undo(line, by=other)


def test_after_the_end_only_the_end_is_taken_back():
    world = World()
    world.closed()
    registration.set_paid(world.entry(), paid=True, by=world.by)
    lifecycle.finish(world.event, by=world.by)
    assert "is over. First take this back" in refused("fee_paid", world.by)
    undoing.undo(last("finished"), by=world.by)
    undoing.undo(last("fee_paid"), by=world.by)
    assert world.fresh().state == Tournament.State.RUNNING


def test_a_merge_is_taken_back_at_the_desk_where_it_was_made():
    world, other = World(), World()
    keep = world.entry().members.order_by("position")[0].player
    gone = other.entry().members.order_by("position")[0].player
    both = type(gone).objects.filter(pk__in=[keep.pk, gone.pk])
    both.update(country="", name="Rosa Haddad")
    merging.merge_players(
        world.event, keep=both.get(pk=keep.pk), gone=both.get(pk=gone.pk), by=world.by
    )
    line = LogEntry.objects.get(tournament=other.event, act="players_merged")
    with pytest.raises(DominoError, match="Take it back in the log of"):
        undoing.undo(line, by=other.by)
    undoing.undo(LogEntry.objects.get(tournament=world.event, act="players_merged"), by=world.by)
    assert other.entry().members.filter(player=gone.pk).exists()


def test_a_line_written_with_another_one_is_taken_back_with_that():
    world = World(most_entries=3)
    Entry.objects.filter(tournament=world.event, number=4).update(state=Entry.State.WAITING)
    leaving.withdraw(world.entry(1), by=world.by)
    assert "withdrew entry 1, Entry 1" in refused("entry_moved_up", world.by)
    (line,) = log_lines([last("entry_moved_up")])
    assert line.part_of == last("entry_withdrawn").pk


def test_more_rows_than_the_log_keeps_are_not_kept(monkeypatch):
    monkeypatch.setattr("tournaments.services.traces.MOST_ROWS", 3)
    world = World(5)
    stage = world.drawn().stage
    pairings.discard_stage(stage, by=world.by)
    assert "more than the log keeps" in refused("stage_discarded", world.by)


def test_only_directors_take_anything_back():
    world = World()
    referee = OfficialFactory.create(tournament=world.event).user
    registration.set_paid(world.entry(), paid=True, by=world.by)
    with pytest.raises(Exception, match="Only a director"):
        undoing.undo(last("fee_paid"), by=referee)


def test_the_log_names_a_stage_in_the_language_of_its_reader():
    world = World()
    with override("fa"):
        world.published()
    line = last("round_published")
    assert line.details["stage"] == "Swiss system"
    with override("es"):
        (said,) = log_lines([line])
    assert "Sistema suizo" in said.text
    with override("fa"):
        (said,) = log_lines([line])
    assert "Swiss" not in said.text


def test_an_old_line_reads_as_it_was_written():
    world = World()
    line = LogEntry.objects.create(
        tournament=world.event,
        act="round_published",
        by=world.by,
        details={"stage": "Sistema suizo", "round": 3},
    )
    (said,) = log_lines([line])
    assert said.text == f"{world.by.username} published round 3 of Sistema suizo"


def test_the_page_says_what_is_there_now_and_what_will_be(client, text):
    world = World()
    out = world.published()
    clock.set_clock(out, minutes=40, by=world.by)
    client.force_login(world.by)
    slug = world.event.slug
    page = text(client.get(reverse("tournaments:director_undo", args=[slug, last("clock_set").pk])))
    assert "minutes: there is now 40; afterwards there will be nothing." in page
    assert "Nobody’s place changes." not in page
    result = world.score(out.matches.get(table=1))
    assert result.state == Match.State.CLOSED
    page = text(client.get(reverse("tournaments:director_undo", args=[slug, last("result").pk])))
    assert "Place it has now" in page
    assert "Place it will have" in page


def test_the_log_offers_a_way_back_or_says_why_a_line_stays(client, text):
    world = World()
    registration.set_paid(world.entry(), paid=True, by=world.by)
    LogEntry.objects.create(tournament=world.event, act="created", by=world.by)
    client.force_login(world.by)
    page = text(client.get(reverse("tournaments:director_log", args=[world.event.slug])))
    assert (page.count(">Undo<"), page.count("Why it stays")) == (1, 1)
