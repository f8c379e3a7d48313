"""Every decision the log can tell of: an event in which it can be made, and how it is made."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from itertools import count
from typing import Any

from django.apps import apps
from django.contrib.auth.models import User
from django.db.models import Model
from django.utils import timezone

from engine.events import Play
from engine.seats import Seat
from engine.tiles import Tile
from referee import replays
from referee import services as referee
from tests.factories import (
    EntryFactory,
    OfficialFactory,
    PlayerFactory,
    TournamentFactory,
    UserFactory,
)
from tournaments.competition.changes import Act, Change
from tournaments.models import (
    Entry,
    LogEntry,
    Match,
    PairingRound,
    Player,
    Rating,
    Stage,
    Tournament,
)
from tournaments.policies import Policies
from tournaments.services import (
    adjusting,
    attendance,
    check_in,
    clock,
    corrections,
    deciding,
    disqualification,
    draws,
    entries,
    leaving,
    lifecycle,
    meetings,
    merging,
    pairings,
    players,
    registration,
    remaking,
    reports,
    result_rules,
    results,
    rooms,
    scores,
    stages,
    substitutes,
    table_rules,
    tie_breaks,
    waiting_list,
)
from tournaments.services.entries import EntryRow, PlayerData
from tournaments.services.registration import RegistrationRules
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

Do = Callable[[], object]
_numbers = count(1)


class World:
    """An event of pairs with its director, taken as far as a decision needs it."""

    def __init__(self, pairs: int = 4, **fields: Any) -> None:
        self.event = TournamentFactory.create(**fields)
        self.by: User = self.event.created_by
        EntryFactory.create_batch(pairs, tournament=self.event)

    def fresh(self) -> Tournament:
        return Tournament.objects.get(pk=self.event.pk)

    def entry(self, number: int = 1) -> Entry:
        return Entry.objects.get(tournament=self.event, number=number)

    def running(self) -> World:
        lifecycle.start(self.event, by=self.by)
        self.event.refresh_from_db()
        return self

    def stage(self, system: str = "swiss", **fields: Any) -> Stage:
        if self.event.state == Tournament.State.OPEN:
            self.running()
        return stages.make_stage(self.event, StagePlan(system, **fields), by=self.by)

    def drawn(self, system: str = "swiss", **fields: Any) -> PairingRound:
        return draws.draw_round(self.stage(system, **fields), number=1, by=self.by)

    def published(self, system: str = "swiss", **fields: Any) -> PairingRound:
        return pairings.publish(self.drawn(system, **fields), by=self.by)

    def table(self, system: str = "swiss", **fields: Any) -> Match:
        found = self.published(system, **fields).matches.order_by("table").first()
        assert found is not None
        return found

    def closed(self, system: str = "swiss", **fields: Any) -> Match:
        """Return table 1 of a first round in which every table has its result."""
        first = self.table(system, **fields)
        for match in first.pairing_round.matches.order_by("table"):
            self.score(match)
        return Match.objects.get(pk=first.pk)

    def score(self, match: Match, **points: int) -> Match:
        given = points or {"AC": 100, "BD": 40 + match.table}
        return scores.record_score(match, points=given, sure=True, by=self.by)


def somebody(name: str = "") -> PlayerData:
    return PlayerData(name or f"Somebody New {next(_numbers)}", club="A Club That Is New")


def state() -> dict[str, list[str]]:
    """Return every row there is but the log and accounts, without keys and stamps of change."""
    for stage in Stage.objects.filter(state=Stage.State.OPEN):
        rebuild_standings(stage)
    tables = {one.pk: (one.pairing_round_id, one.table) for one in Match.objects.all()}
    found = {}
    for model in [*apps.get_app_config("tournaments").get_models(), Rating]:
        if model is not LogEntry:
            found[model.__name__] = sorted(_row(one, tables) for one in model.objects.all())
    for model in apps.get_app_config("referee").get_models():
        found[model.__name__] = sorted(_row(one, tables) for one in model._base_manager.all())
    return found


def _row(one: Model, tables: dict[int, tuple[int, int]]) -> str:
    row: dict[str, Any] = {}
    for field in one._meta.concrete_fields:
        value = getattr(one, field.attname)
        if field.primary_key or getattr(field, "auto_now", False):
            continue
        if isinstance(one, PairingRound) and field.attname == "standings":
            # The rows: that they were corrected, and corrected back, stays written down.
            value = value["rows"] if value and one.state == PairingRound.State.FINISHED else []
        row[field.attname] = tables[value] if field.related_model is Match and value else value
    return repr(sorted(row.items(), key=lambda item: item[0]))


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


def _draw(system: str, pairs: int = 5, **fields: Any) -> Callable[[], tuple[World, Do]]:
    def scene() -> tuple[World, Do]:
        single = system in ("rotating", "schedule")
        world = World(8 if single else pairs, entry_kind="single" if single else "pair")
        stage = world.stage(system, **fields)
        return world, lambda: draws.draw_round(stage, number=1, by=world.by)

    return scene


round_drawn = _draw("swiss")


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


def round_remade() -> tuple[World, Do]:
    world = World(pairs=5)
    drawn = world.published()
    entry = drawn.matches.order_by("table")[0].seats.get(seat="A").entry
    leaving.withdraw(entry, by=world.by)
    return world, lambda: remaking.remake_round(drawn, reason="four are left", by=world.by)


SCENES: dict[str, tuple[Callable[[], tuple[World, Do]], ...]] = {
    "rules_changed": (rules_changed, rules_changed_with_drafts),
    "details_changed": (details_changed,),
    "registration_opened": (registration_opened,),
    "started": (started,),
    "finished": (finished,),
    "official_added": (official_added,),
    "official_removed": (official_removed,),
    "registration_changed": (registration_changed,),
    "policies_changed": (policies_changed,),
    "result_rules_changed": (result_rules_changed,),
    "round_remade": (round_remade,),
    "second_check_on": (second_check_on,),
    "second_check_off": (second_check_off,),
    "rooms_named": (rooms_named, rooms_named_anew),
    "rooms_removed": (rooms_removed,),
    "entry_registered": (entry_registered,),
    "entry_registered_itself": (entry_registered_itself,),
    "entries_imported": (entries_imported,),
    "entry_changed": (entry_changed,),
    "entry_removed": (entry_removed,),
    "entry_withdrawn": (
        entry_withdrawn,
        entry_withdrawn_from_the_waiting_list,
        entry_withdrawn_before_a_draw,
    ),
    "entries_withdrawn": (entries_withdrawn,),
    "entry_reinstated": (entry_reinstated,),
    "entry_moved_up": (entry_moved_up,),
    "entry_joined_late": (entry_joined_late,),
    "entry_disqualified": (entry_disqualified,),
    "player_corrected": (player_corrected,),
    "players_merged": (players_merged,),
    "substitute_added": (substitute_added,),
    "substitute_removed": (substitute_removed,),
    "substituted": (substituted,),
    "fee_paid": (fee_paid,),
    "fee_not_paid": (fee_not_paid,),
    "checked_in": (checked_in,),
    "check_in_undone": (check_in_undone,),
    "absence_noted": (absence_noted, absence_noted_instead_of_a_bye),
    "absence_taken_back": (absence_taken_back,),
    "bye_asked": (bye_asked,),
    "entry_plays": (entry_plays,),
    "meeting_forbidden": (meeting_forbidden,),
    "meeting_allowed": (meeting_allowed,),
    "stage_made": (stage_made, stage_made_by_hand),
    "round_robin_made": (round_robin_made,),
    "stage_closed": (stage_closed,),
    "stage_reopened": (stage_reopened,),
    "stage_discarded": (stage_discarded,),
    "tie_breaks_changed": (tie_breaks_changed,),
    "round_drawn": (
        round_drawn,
        round_drawn_for_some,
        *(_draw(one) for one in ("knockout", "double_elimination", "round_robin")),
        _draw("groups", draw={"groups": 1}),
        *(_draw(one) for one in ("rotating", "schedule")),
    ),
    "draft_discarded": (draft_discarded,),
    "round_seated": (round_seated, round_seated_anew),
    "round_published": (round_published,),
    "round_places_exchanged": (round_places_exchanged,),
    "table_renumbered": (table_renumbered,),
    "table_dissolved": (table_dissolved,),
    "table_added": (table_added,),
    "round_restored": (round_restored,),
    "table_locked": (table_locked,),
    "table_unlocked": (table_unlocked,),
    "table_rules": (table_rules_set,),
    "clock_set": (clock_set,),
    "clock_stopped": (clock_stopped,),
    "extra_time": (extra_time,),
    "result": (result, result_after_a_report),
    "result_reported": (result_reported, result_reported_anew),
    "report_rejected": (report_rejected,),
    "walkover": (walkover, walkover_over_a_report),
    "table_left": (table_left,),
    "result_corrected": (result_corrected, result_corrected_in_a_bracket),
    "all_lose": (all_lose,),
    "seats_swapped": (seats_swapped,),
    "match_reopened": (match_reopened, match_reopened_by_a_referee_in_a_bracket),
    "match_replayed": (match_replayed, match_replayed_after_its_result),
    "meeting_decided": (meeting_decided,),
}
