"""Decisions about the event, its entries and its players, each with an event to make it in."""

from __future__ import annotations

from datetime import date

from django.utils import timezone

from tests.factories import (
    EntryFactory,
    OfficialFactory,
    PlayerFactory,
    StageFactory,
    UserFactory,
)
from tests.tournaments.undoing import Do, World, somebody
from tournaments.models import (
    Entry,
    Player,
    Tournament,
)
from tournaments.policies import Policies
from tournaments.services import (
    adjusting,
    attendance,
    check_in,
    deciding,
    disqualification,
    draws,
    entries,
    leaving,
    lifecycle,
    merging,
    players,
    registration,
    reports,
    rooms,
    stages,
    substitutes,
    waiting_list,
)
from tournaments.services.entries import EntryRow, PlayerData
from tournaments.services.hidden_results import hide_results, show_results
from tournaments.services.registration import RegistrationRules
from tournaments.services.standings import rebuild_standings

# --- the event ------------------------------------------------------------------------------


def rules_changed() -> tuple[World, Do]:
    world = World(0)
    return world, lambda: lifecycle.change_rules(
        world.event, profile="femundo", target=150, by=world.by
    )


def rules_changed_with_drafts() -> tuple[World, Do]:
    world = World()
    world.drawn()
    return world, lambda: lifecycle.change_rules(
        world.event, profile="femundo", target=150, by=world.by
    )


def details_changed() -> tuple[World, Do]:
    world = World()
    return world, lambda: lifecycle.change_details(
        world.event, name="Other Cup", starts_on=date(2027, 1, 2), venue="Hall", by=world.by
    )


def registration_opened() -> tuple[World, Do]:
    world = World(state=Tournament.State.DRAFT)
    return world, lambda: lifecycle.open_registration(world.event, by=world.by)


def started() -> tuple[World, Do]:
    world = World()
    return world, lambda: lifecycle.start(world.event, by=world.by)


def finished() -> tuple[World, Do]:
    world = World()
    first = world.closed()
    stages.close_stage(first.pairing_round.stage, by=world.by)
    world.closed()
    return world, lambda: lifecycle.finish(world.event, by=world.by)


def official_added() -> tuple[World, Do]:
    world, user = World(), UserFactory.create()
    return world, lambda: lifecycle.add_official(
        world.event, username=user.username, duty="scorer", table=3, by=world.by
    )


def official_removed() -> tuple[World, Do]:
    world = World()
    official = OfficialFactory.create(tournament=world.event)
    return world, lambda: lifecycle.remove_official(official, by=world.by)


def registration_changed() -> tuple[World, Do]:
    world = World(most_entries=3, policies={"categories": ["open"]})
    Entry.objects.filter(tournament=world.event, number=4).update(state=Entry.State.WAITING)
    rules = RegistrationRules(
        closes_at=timezone.now(), most_entries=10, categories=("women", "youth"), is_private=True
    )
    return world, lambda: registration.set_registration(world.event, rules, by=world.by)


def policies_changed() -> tuple[World, Do]:
    world = World(policies={"second_check": True, "bye": [50, 0]})
    given = Policies(bye=(100, 0), most_excused=2, late_entry=3)
    return world, lambda: registration.set_policies(world.event, given, by=world.by)


def second_check_on() -> tuple[World, Do]:
    world = World()
    return world, lambda: reports.set_second_check(world.event, needed=True, by=world.by)


def second_check_off() -> tuple[World, Do]:
    world = World(policies={"second_check": True})
    return world, lambda: reports.set_second_check(world.event, needed=False, by=world.by)


def results_hidden() -> tuple[World, Do]:
    world = World(policies={"second_check": True})
    stage = StageFactory.create(tournament=world.event)
    return world, lambda: hide_results(world.event, stage=stage.number, round=2, by=world.by)


def results_shown() -> tuple[World, Do]:
    world = World(policies={"hidden_from": [1, 2]})
    StageFactory.create(tournament=world.event)
    return world, lambda: show_results(world.event, by=world.by)


def _room(world: World, last: int) -> object:
    return rooms.save_room(world.event, name="Hall", first_table=1, last_table=last, by=world.by)


def rooms_named() -> tuple[World, Do]:
    world = World()
    return world, lambda: _room(world, 10)


def rooms_named_anew() -> tuple[World, Do]:
    world = World()
    _room(world, 10)
    return world, lambda: _room(world, 20)


def rooms_removed() -> tuple[World, Do]:
    world = World()
    _room(world, 10)
    return world, lambda: rooms.remove_room(world.event.rooms.get(), by=world.by)


# --- entries and players --------------------------------------------------------------------


def entry_registered() -> tuple[World, Do]:
    world = World()
    new = [somebody(), somebody()]
    return world, lambda: entries.register(world.event, players=new, by=world.by)


def entry_registered_itself() -> tuple[World, Do]:
    world = World()
    stranger, new = UserFactory.create(), [somebody(), somebody()]
    world.by.refresh_from_db()
    assert stranger.pk
    return world, lambda: entries.enter(world.event, EntryRow(1, tuple(new)), by=None)


def entries_imported() -> tuple[World, Do]:
    world = World()
    known = PlayerFactory.create(number="")
    assert known.club is not None
    rows = [
        EntryRow(1, (somebody(), PlayerData(known.name, club=known.club.name, country="EG"))),
        EntryRow(2, (somebody(), somebody())),
    ]
    return world, lambda: entries.import_entries(world.event, rows=rows, by=world.by)


def entry_changed() -> tuple[World, Do]:
    world = World(policies={"categories": ["open"]})
    return world, lambda: entries.change_entry(
        world.entry(), name="The Others", club="Some New Club", seed=9, category="open", by=world.by
    )


def entry_removed() -> tuple[World, Do]:
    world = World(most_entries=3)
    Entry.objects.filter(tournament=world.event, number=4).update(state=Entry.State.WAITING)
    adjusting.forbid(world.entry(1), world.entry(2), by=world.by)
    return world, lambda: entries.remove_entry(world.entry(1), by=world.by)


def entry_withdrawn() -> tuple[World, Do]:
    world = World()
    match = world.table()
    entry = match.seats.order_by("seat")[0].entry
    return world, lambda: leaving.withdraw(entry, by=world.by)


def entry_withdrawn_from_the_waiting_list() -> tuple[World, Do]:
    world = World()
    Entry.objects.filter(tournament=world.event, number=4).update(state=Entry.State.WAITING)
    return world, lambda: leaving.withdraw(world.entry(4), by=world.by)


def entries_withdrawn() -> tuple[World, Do]:
    world = World(most_entries=3)
    Entry.objects.filter(tournament=world.event, number=4).update(state=Entry.State.WAITING)
    check_in.check_in(world.entry(1), by=world.by)
    return world, lambda: check_in.withdraw_absent(world.event, typed=2, by=world.by)


def entry_reinstated() -> tuple[World, Do]:
    world = World()
    match = world.closed()
    leaving.withdraw(world.entry(), by=world.by)
    draws.draw_round(match.pairing_round.stage, number=2, by=world.by)
    return world, lambda: leaving.reinstate(world.entry(), by=world.by)


def entry_moved_up() -> tuple[World, Do]:
    world = World()
    Entry.objects.filter(tournament=world.event, number=4).update(state=Entry.State.WAITING)
    return world, lambda: waiting_list.admit(world.entry(4), by=world.by)


def entry_joined_late() -> tuple[World, Do]:
    world = World()
    stage = world.closed(rounds=4).pairing_round.stage
    late = EntryFactory.create(tournament=world.event)
    return world, lambda: attendance.join_stage(stage, entry=late, by=world.by)


def entry_disqualified() -> tuple[World, Do]:
    world = World()
    match = world.table()
    entry = match.seats.order_by("seat")[0].entry
    return world, lambda: disqualification.disqualify(entry, reason="a fight", by=world.by)


def player_corrected() -> tuple[World, Do]:
    world = World()
    written = [somebody(), somebody()]
    entry = entries.register(world.event, players=written, by=world.by)
    player = entry.members.order_by("position")[0].player
    given = PlayerData("Written Anew", latin_name="Anew", club="Another New Club", number="77")
    return world, lambda: players.correct_player(world.event, player, written=given, by=world.by)


def players_merged() -> tuple[World, Do]:
    world = World()
    match = world.closed()
    gone = match.seats.order_by("seat")[0].player
    rebuild_standings(match.pairing_round.stage)
    Player.objects.filter(pk=gone.pk).update(number="4711", latin_name="Gone")
    keep = PlayerFactory.create(club=None, country="")
    return world, lambda: merging.merge_players(
        world.event, keep=keep, gone=Player.objects.get(pk=gone.pk), by=world.by
    )


def substitute_added() -> tuple[World, Do]:
    world = World()
    new = somebody()
    return world, lambda: substitutes.add_substitute(world.entry(), written=new, by=world.by)


def substitute_removed() -> tuple[World, Do]:
    world = World()
    player = substitutes.add_substitute(world.entry(), written=somebody(), by=world.by).player
    return world, lambda: substitutes.remove_substitute(world.entry(), player=player, by=world.by)


def substituted() -> tuple[World, Do]:
    world = World()
    world.published()
    into = substitutes.add_substitute(world.entry(), written=somebody(), by=world.by).player
    out = world.entry().members.order_by("position")[0].player
    return world, lambda: substitutes.substitute(world.entry(), out=out, into=into, by=world.by)


def fee_paid() -> tuple[World, Do]:
    world = World()
    return world, lambda: registration.set_paid(world.entry(), paid=True, by=world.by)


def fee_not_paid() -> tuple[World, Do]:
    world, _ = fee_paid()
    registration.set_paid(world.entry(), paid=True, by=world.by)
    return world, lambda: registration.set_paid(world.entry(), paid=False, by=world.by)


def checked_in() -> tuple[World, Do]:
    world = World()
    return world, lambda: check_in.check_in(world.entry(), by=world.by)


def check_in_undone() -> tuple[World, Do]:
    world = World()
    check_in.check_in(world.entry(), by=world.by)
    return world, lambda: check_in.undo_check_in(world.entry(), by=world.by)


def absence_noted() -> tuple[World, Do]:
    world = World()
    stage = world.stage()
    return world, lambda: attendance.set_absence(
        stage, number=1, entry=world.entry(), kind="absent", by=world.by
    )


def absence_taken_back() -> tuple[World, Do]:
    world, note = absence_noted()
    note()
    stage = world.event.stages.get()
    return world, lambda: attendance.set_absence(
        stage, number=1, entry=world.entry(), kind=None, by=world.by
    )


def _decided(first: str, then: str) -> tuple[World, Do]:
    world = World()
    stage = world.stage()
    deciding.decide(stage, number=1, entry=world.entry(), decision=first, by=world.by)
    return world, lambda: deciding.decide(
        stage, number=1, entry=world.entry(), decision=then, by=world.by
    )


def bye_asked() -> tuple[World, Do]:
    return _decided("absent", "bye")


def entry_plays() -> tuple[World, Do]:
    return _decided("bye", "plays")


def entry_withdrawn_before_a_draw() -> tuple[World, Do]:
    return _decided("bye", "withdraw")


def absence_noted_instead_of_a_bye() -> tuple[World, Do]:
    return _decided("bye", "excused")


def meeting_forbidden() -> tuple[World, Do]:
    world = World()
    return world, lambda: adjusting.forbid(world.entry(1), world.entry(2), by=world.by)


def meeting_allowed() -> tuple[World, Do]:
    world, forbid = meeting_forbidden()
    forbid()
    return world, lambda: adjusting.allow(world.entry(1), world.entry(2), by=world.by)


def entry_withdrawn_itself() -> tuple[World, Do]:
    world = World()
    Entry.objects.filter(pk=world.entry().pk).update(check_in_code="abcdefghjkmn")
    entry = world.entry()
    return world, lambda: leaving.withdraw_oneself(entry, code=entry.check_in_code)
