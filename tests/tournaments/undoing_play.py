"""Decisions about stages, rounds and tables, each with an event to make it in."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.events import Play
from engine.seats import Seat
from engine.tiles import Tile
from referee.services import links, replays
from referee.services import records as referee
from tests.factories import (
    OfficialFactory,
)
from tests.tournaments.undoing import Do, World
from tournaments.competition.changes import Act, Change
from tournaments.models import (
    Bye,
    Match,
    PairingRound,
)
from tournaments.policies_links import LinkRules
from tournaments.services import (
    adjusting,
    attendance,
    byes,
    clock,
    corrections,
    deciding,
    disqualification,
    draws,
    leaving,
    meetings,
    pairings,
    remaking,
    reports,
    result_rules,
    results,
    stages,
    table_rules,
    tie_breaks,
)

# --- stages and rounds ----------------------------------------------------------------------


def stage_made() -> tuple[World, Do]:
    world = World().running()
    return world, lambda: world.stage("knockout")


def stage_made_by_hand() -> tuple[World, Do]:
    world = World().running()
    return world, lambda: pairings.make_manual_stage(world.event, by=world.by)


def round_robin_made() -> tuple[World, Do]:
    world = World().running()
    return world, lambda: pairings.make_round_robin(world.event, by=world.by)


def stage_closed() -> tuple[World, Do]:
    world = World()
    stage = world.closed(rounds=3).pairing_round.stage
    draws.draw_round(stage, number=2, by=world.by)
    return world, lambda: stages.close_stage(stage, by=world.by)


def stage_reopened() -> tuple[World, Do]:
    world = World()
    stage = world.closed().pairing_round.stage
    stages.close_stage(stage, by=world.by)
    return world, lambda: stages.reopen_stage(stage, reason="a slip", by=world.by)


def stage_discarded() -> tuple[World, Do]:
    world = World(5)
    stage = world.drawn().stage
    return world, lambda: pairings.discard_stage(stage, by=world.by)


def tie_breaks_changed() -> tuple[World, Do]:
    world = World()
    stage = world.closed().pairing_round.stage
    return world, lambda: tie_breaks.change_tie_breaks(stage, ["points_for", "lot"], by=world.by)


def drawing(system: str, pairs: int = 5, **fields: Any) -> Callable[[], tuple[World, Do]]:
    def scene() -> tuple[World, Do]:
        single = system in ("rotating", "schedule")
        world = World(8 if single else pairs, entry_kind="single" if single else "pair")
        stage = world.stage(system, **fields)
        return world, lambda: draws.draw_round(stage, number=1, by=world.by)

    return scene


round_drawn = drawing("swiss")


def round_drawn_for_some() -> tuple[World, Do]:
    world = World(7)
    stage = world.stage()
    attendance.set_absence(stage, number=1, entry=world.entry(), kind="absent", by=world.by)
    deciding.decide(stage, number=1, entry=world.entry(2), decision="bye", by=world.by)
    return world, lambda: draws.draw_round(stage, number=1, by=world.by)


def draft_discarded() -> tuple[World, Do]:
    world = World(5)
    drawn = world.drawn()
    return world, lambda: draws.discard_draft(drawn, by=world.by)


def round_seated() -> tuple[World, Do]:
    world = World().running()
    stage = pairings.make_manual_stage(world.event, by=world.by)
    seat = [pairings.TableData(1, (1, 2)), pairings.TableData(2, (3, 4))]
    return world, lambda: pairings.save_manual_round(stage, number=1, tables=seat, by=world.by)


def round_seated_anew() -> tuple[World, Do]:
    world, seat = round_seated()
    seat()
    stage = world.event.stages.get()
    anew = [pairings.TableData(1, (1, 3))]
    return world, lambda: pairings.save_manual_round(
        stage, number=1, tables=anew, byes=[2, 4], by=world.by
    )


def round_published() -> tuple[World, Do]:
    world = World(5)
    drawn = world.drawn()
    resting = drawn.byes.get().entry
    leaving.withdraw(resting, by=world.by)
    sitting = drawn.matches.order_by("table")[0].seats.order_by("seat")[0].entry
    leaving.withdraw(sitting, by=world.by)
    return world, lambda: pairings.publish(drawn, by=world.by)


def _by_hand(change: Callable[[PairingRound], Change]) -> tuple[World, Do]:
    world = World(7)
    drawn = world.drawn()
    made = change(drawn)
    seen = adjusting.seating_of(drawn).fingerprint()
    return world, lambda: adjusting.change_seats(drawn, made, seen=seen, by=world.by)


def _at(drawn: PairingRound, table: int, seat: str) -> str:
    return str(drawn.matches.get(table=table).seats.get(seat=seat).entry.number)


def round_places_exchanged() -> tuple[World, Do]:
    return _by_hand(lambda r: Change(Act.SWAP, (_at(r, 1, "A"), _at(r, 2, "B"))))


def table_renumbered() -> tuple[World, Do]:
    return _by_hand(lambda r: Change(Act.RENUMBER, table=1, number=9))


def table_dissolved() -> tuple[World, Do]:
    return _by_hand(lambda r: Change(Act.REST, table=1))


def table_added() -> tuple[World, Do]:
    world, dissolve = table_dissolved()
    dissolve()
    drawn = PairingRound.objects.get(stage__tournament=world.event)
    rest = sorted(str(one.entry.number) for one in drawn.byes.all())[:2]
    seen = adjusting.seating_of(drawn).fingerprint()
    change = Change(Act.SEAT, tuple(rest), number=1)
    return world, lambda: adjusting.change_seats(drawn, change, seen=seen, by=world.by)


def round_restored() -> tuple[World, Do]:
    world, swap = round_places_exchanged()
    swap()
    drawn = PairingRound.objects.get(stage__tournament=world.event)
    return world, lambda: adjusting.restore_answer(drawn, by=world.by)


def _first_table(world: World) -> Match:
    return Match.objects.filter(pairing_round__stage__tournament=world.event).order_by("table")[0]


def table_locked() -> tuple[World, Do]:
    world = World()
    world.drawn()
    return world, lambda: adjusting.lock_table(_first_table(world), is_locked=True, by=world.by)


def table_unlocked() -> tuple[World, Do]:
    world, lock = table_locked()
    lock()
    return world, lambda: adjusting.lock_table(_first_table(world), is_locked=False, by=world.by)


def table_rules_set() -> tuple[World, Do]:
    world = World()
    world.drawn()
    return world, lambda: table_rules.set_table_rules(
        _first_table(world), profile="wdf", target=150, by=world.by
    )


def clock_set() -> tuple[World, Do]:
    world = World()
    out = world.published()
    return world, lambda: clock.set_clock(out, minutes=40, by=world.by)


def clock_stopped() -> tuple[World, Do]:
    world, start = clock_set()
    start()
    out = PairingRound.objects.get(stage__tournament=world.event)
    return world, lambda: clock.stop_clock(out, by=world.by)


def extra_time() -> tuple[World, Do]:
    world = World()
    match = world.table()
    return world, lambda: clock.set_extra_time(match, seconds=300, reason="a ruling", by=world.by)


# --- results --------------------------------------------------------------------------------


def result() -> tuple[World, Do]:
    world = World()
    match = world.table()
    return world, lambda: world.score(match)


def _reported() -> tuple[World, Match]:
    world = World(policies={"second_check": True})
    match = world.table()
    reports.submit_score(match, points={"AC": 100, "BD": 30}, by=world.by)
    return world, match


def result_after_a_report() -> tuple[World, Do]:
    world, match = _reported()
    second = OfficialFactory.create(tournament=world.event).user
    return world, lambda: reports.submit_score(match, points={"AC": 100, "BD": 30}, by=second)


def result_reported() -> tuple[World, Do]:
    world = World(policies={"second_check": True})
    match = world.table()
    return world, lambda: reports.submit_score(match, points={"AC": 100, "BD": 30}, by=world.by)


def result_reported_anew() -> tuple[World, Do]:
    world, match = _reported()
    return world, lambda: reports.submit_score(match, points={"AC": 100, "BD": 31}, by=world.by)


def report_rejected() -> tuple[World, Do]:
    world, match = _reported()
    return world, lambda: reports.reject_report(match, by=world.by)


def walkover() -> tuple[World, Do]:
    world = World()
    match = world.table()
    absent = [match.seats.get(seat="B").entry]
    return world, lambda: results.record_walkover(match, absent=absent, by=world.by)


def walkover_over_a_report() -> tuple[World, Do]:
    world, match = _reported()
    absent = [match.seats.get(seat="B").entry]
    return world, lambda: results.record_walkover(match, absent=absent, by=world.by)


def table_left() -> tuple[World, Do]:
    world = World()
    match = results.start_match(world.table(), by=world.by)
    left = [match.seats.get(seat="B").entry]
    return world, lambda: disqualification.abandon(match, left=left, reason="ill", by=world.by)


def result_corrected() -> tuple[World, Do]:
    world = World()
    match = world.closed()
    return world, lambda: corrections.correct_score(
        match, points={"AC": 20, "BD": 100}, reason="a slip", by=world.by
    )


def result_corrected_in_a_bracket() -> tuple[World, Do]:
    world = World()
    match = world.closed("knockout")
    draws.draw_round(match.pairing_round.stage, number=2, by=world.by)
    return world, lambda: corrections.correct_score(
        match, points={"AC": 20, "BD": 100}, reason="a slip", by=world.by
    )


def all_lose() -> tuple[World, Do]:
    world = World()
    match = world.closed()
    return world, lambda: corrections.lose_all(match, reason="wrong seats", by=world.by)


def seats_swapped() -> tuple[World, Do]:
    world = World()
    match = world.closed()
    other = match.pairing_round.matches.get(table=2)
    one, two = (each.seats.get(seat="A").entry for each in (match, other))
    return world, lambda: corrections.swap_seats(
        match, one=one, other=two, other_match=other, reason="wrong seats", by=world.by
    )


def match_reopened() -> tuple[World, Do]:
    world = World()
    match = world.closed()
    return world, lambda: results.reopen_match(match, by=world.by)


def match_reopened_by_a_referee_in_a_bracket() -> tuple[World, Do]:
    world = World()
    match = world.closed("knockout")
    draws.draw_round(match.pairing_round.stage, number=2, by=world.by)
    return world, lambda: referee.reopen_match(match, reason="a slip", by=world.by)


def match_replayed() -> tuple[World, Do]:
    world = World()
    match = world.table()
    clock.set_extra_time(match, seconds=60, reason="a ruling", by=world.by)
    referee.open_match(match, by=world.by)
    record = referee.open_round(match, number=0, opener="A", by=world.by)
    referee.append_event(record, number=0, event=Play(Seat.A, Tile(6, 6)), by=world.by)
    return world, lambda: replays.replay_match(match, reason="the lights", by=world.by)


def match_replayed_after_its_result() -> tuple[World, Do]:
    world, match = _reported()
    world.score(match)
    return world, lambda: replays.replay_match(match, reason="the lights", by=world.by)


def meeting_decided() -> tuple[World, Do]:
    world = World()
    match = world.table("knockout")
    for one in match.pairing_round.matches.order_by("table"):
        if one.pk == match.pk:
            corrections.lose_all(one, reason="both were late", by=world.by)
        else:
            world.score(one)
    winner = match.seats.get(seat="A").entry
    return world, lambda: meetings.decide_meeting(
        match, winner=winner, reason="by lot", by=world.by
    )


def result_rules_changed() -> tuple[World, Do]:
    world = World(policies={"second_check": True, "level_results": False})
    given = result_rules.ResultRules(level_results=True, after_fine="rivals")
    return world, lambda: result_rules.set_result_rules(world.event, given, by=world.by)


def link_rules_changed() -> tuple[World, Do]:
    world = World(policies={"second_check": True, "table_links": {"hours": 3}})
    given = LinkRules(players_record=True, hours=3)
    return world, lambda: links.set_link_rules(world.event, given, by=world.by)


def round_remade() -> tuple[World, Do]:
    world = World(pairs=5)
    drawn = world.published()
    entry = drawn.matches.order_by("table")[0].seats.get(seat="A").entry
    leaving.withdraw(entry, by=world.by)
    return world, lambda: remaking.remake_round(drawn, reason="four are left", by=world.by)


def bye_worth() -> tuple[World, Do]:
    world = World(5)
    drawn = world.drawn()
    entry = drawn.byes.get().entry
    return world, lambda: byes.give_bye(
        drawn.stage, number=1, entry=entry, worth=Bye.Worth.HALF, by=world.by
    )


def seats_emptied() -> tuple[World, Do]:
    world = World(4, entry_kind="single", profile="elimination")
    match = world.table("elimination")
    absent = [match.seats.get(seat="B").entry]
    return world, lambda: results.record_walkover(match, absent=absent, by=world.by)
