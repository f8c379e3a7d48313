"""Standings counted on from one table to the next are those counted from nothing."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from hashlib import blake2b
from itertools import groupby

import pytest
from django.db import connections, transaction
from django.utils import timezone

from engine.errors import DominoError
from tests.factories import EntryFactory, TournamentFactory
from tournaments.competition.standings import standings
from tournaments.competition.types import Outcome, TieBreak
from tournaments.models import Absence, Entry, Match, MatchSeat, PairingRound, Stage, StandingRow
from tournaments.models import Tournament as Event
from tournaments.rules import rules_of
from tournaments.services import (
    attendance,
    corrections,
    disqualification,
    draws,
    leaving,
    pairings,
    results,
    scores,
    stages,
    undoing,
)
from tournaments.services.counts import Count, Kept, Order, entry_id
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings, results_of
from tournaments.services.tie_breaks import change_tie_breaks

# The chains ask for everything a count keeps: opponents, direct meetings, lots, penalties.
CHAINS = (
    ["wins", "direct", "buchholz", "difference"],
    ["wins", "buchholz_cut1", "fewest_penalty_points", "lot"],
    ["wins", "difference", "points_for"],
)
SYSTEMS = {
    "swiss": (Entry.Kind.PAIR, {}, 4),
    "rotating": (Entry.Kind.SINGLE, {}, 4),
    "groups": (Entry.Kind.PAIR, {"groups": 2}, None),
    "knockout": (Entry.Kind.PAIR, {}, None),
}
STEPS = 40


def event(system: str, size: int = 12) -> Stage:
    kind, draw, rounds = SYSTEMS[system]
    tournament = TournamentFactory.create(state=Event.State.RUNNING, entry_kind=kind)
    EntryFactory.create_batch(size, tournament=tournament)
    plan = StagePlan(system, rounds=rounds, draw=draw)
    stage = stages.make_stage(tournament, plan, by=tournament.created_by)
    Stage.objects.filter(pk=stage.pk).update(tie_breaks=CHAINS[0])
    return Stage.objects.get(pk=stage.pk)


class Desk:
    """A director who does by chance what a director may do; what is refused changes nothing."""

    def __init__(self, stage: Stage, seed: int) -> None:
        self.stage = stage
        self.event = stage.tournament
        self.by = self.event.created_by
        self.chance = random.Random(seed)
        self.done: set[str] = set()

    def act(self) -> None:
        # Results most of the time, or no round would ever be over.
        names = ["enter"] * 12 + ["draw"] * 4 + [
            "correct", "correct", "reopen", "swap", "lose", "miss", "walk_over", "withdraw",
            "return_", "put_out", "undo", "undo", "order",
        ]  # fmt: skip
        name = self.chance.choice(names)
        try:
            with transaction.atomic():
                if getattr(self, name)():
                    self.done.add(name)
        except DominoError:
            pass

    def tables(self, **wanted: object) -> list[Match]:
        found = Match.objects.filter(pairing_round__stage=self.stage, **wanted)
        return list(found.exclude(pairing_round__state="draft").order_by("pk"))

    def one(self, some: list) -> list:
        return [self.chance.choice(some)] if some else []

    def entries(self, **wanted: object) -> list[Entry]:
        return list(self.event.entries.filter(**wanted).order_by("number"))

    def points(self) -> dict[str, int]:
        points = [100, self.chance.choice((0, 40, 40, 90))]
        self.chance.shuffle(points)
        return dict(zip(("AC", "BD"), points, strict=True))

    def draw(self) -> bool:
        last = self.stage.rounds.order_by("-number").filter(published_at__isnull=False).first()
        if last is not None and last.state != PairingRound.State.FINISHED:
            return False
        number = 1 if last is None else last.number + 1
        drawn = draws.draw_round(self.stage, number=number, by=self.by)
        pairings.publish(drawn, by=self.by)
        return True

    def enter(self) -> bool:
        waiting = self.tables(state__in=["waiting", "playing"])
        for match in self.chance.sample(waiting, min(len(waiting), self.chance.randrange(1, 4))):
            fines = {"A": self.chance.choice((0, 0, 20))}
            points = self.points()
            scores.record_score(match, points=points, deducted=fines, sure=True, by=self.by)
        return bool(waiting)

    def correct(self) -> bool:
        for match in self.one(self.tables(state="closed")):
            corrections.correct_score(
                match, points=self.points(), reason="misread", sure=True, by=self.by
            )
            return True
        return False

    def reopen(self) -> bool:
        for match in self.one(self.tables(state="closed")):
            results.reopen_match(match, by=self.by)
            return True
        return False

    def swap(self) -> bool:
        for match in self.one(self.tables(state="closed")):
            others = self.tables(state="closed", pairing_round=match.pairing_round)
            (there,) = self.one(others)
            one, other = (
                self.chance.choice(list(Entry.objects.filter(seats__match=at).distinct()))
                for at in (match, there)
            )
            corrections.swap_seats(
                match, one=one, other=other, other_match=there, reason="sat there", by=self.by,
                follow=self.chance.choice(("persons", "seats")),
            )  # fmt: skip
            return True
        return False

    def lose(self) -> bool:
        for match in self.one(self.tables(state="closed")):
            corrections.lose_all(match, reason="wrong seats", by=self.by)
            return True
        return False

    def miss(self) -> bool:
        (entry,) = self.one(self.entries())
        number = attendance.next_round(self.stage) - self.chance.randrange(2)
        kind = self.chance.choice((Absence.Kind.ABSENT, Absence.Kind.EXCUSED, None))
        attendance.set_absence(self.stage, number=number, entry=entry, kind=kind, by=self.by)
        return True

    def walk_over(self) -> bool:
        for match in self.one(self.tables(state="waiting")):
            absent = self.one(list(Entry.objects.filter(seats__match=match).distinct()))
            results.record_walkover(match, absent=absent, by=self.by)
            return True
        return False

    def withdraw(self) -> bool:
        leaving.withdraw(*self.one(self.entries(state="registered")), by=self.by)
        return True

    def return_(self) -> bool:
        for entry in self.one(self.entries(state="withdrawn")):
            leaving.reinstate(entry, by=self.by)
            return True
        return False

    def put_out(self) -> bool:
        if self.chance.random() < 0.7:
            return False
        (entry,) = self.one(self.entries(state="registered"))
        disqualification.disqualify(entry, reason="hid a tile", by=self.by)
        return True

    def undo(self) -> bool:
        line = self.event.log.filter(undone_by__isnull=True).latest("pk")
        undoing.undo(line, by=self.by)
        return True

    def order(self) -> bool:
        change_tie_breaks(self.stage, self.chance.choice(CHAINS), by=self.by)
        return True


def stored(stage: Stage) -> list[tuple]:
    rows = StandingRow.objects.filter(stage=stage).order_by("group", "order", "entry")
    return list(
        rows.values_list(
            "entry__number", "group", "order", "place", "played", "values", "decided_by"
        )
    )


def frozen(stage: Stage) -> list[object]:
    return list(stage.rounds.order_by("number").values_list("number", "standings"))


def from_nothing(stage: Stage) -> tuple[list[tuple], list[object]]:
    """Return the rows and the kept rounds as a process makes them that knows nothing yet."""
    with transaction.atomic():
        StandingRow.objects.filter(stage=stage).delete()
        rebuild_standings(stage, Kept())
        found = stored(stage), frozen(stage)
        transaction.set_rollback(True)
    return found


def plainly(stage: Stage) -> list[tuple]:
    """Return group, entry, place, values of a stage outside brackets, by the pure function."""
    stage = Stage.objects.get(pk=stage.pk)
    rules = rules_of(stage.tournament)
    members = stage.stage_entries.order_by("group").values_list("group", "entry__number")
    chain = [TieBreak(one) for one in stage.tie_breaks]
    found = results_of(stage, rules)
    rows: list[tuple] = []
    grouped = stage.system == Stage.System.GROUPS
    for group, some in groupby(members, key=lambda one: one[0] if grouped else ""):
        names = {entry_id(number) for _, number in some}
        own = [one for one in found if one.entry in names]
        for row in standings(own, chain, target=rules.target, seed=stage.seed, entries=names):
            values = {str(name): value for name, value in row.values.items()}
            rows.append((group, int(row.entry), row.place, values))
    return sorted(rows, key=str)


def play(system: str, seed: int, rebuild) -> Desk:
    """Do things by chance; `rebuild` brings the standings up to date after each."""
    desk = Desk(event(system), seed)
    desk.draw()
    for step in range(STEPS):
        desk.act()
        rebuild(desk.stage, step)
        assert (stored(desk.stage), frozen(desk.stage)) == from_nothing(desk.stage)
        if system != "knockout":
            rows = [(row[1], row[0], row[3], row[5]) for row in stored(desk.stage)]
            assert sorted(rows, key=str) == plainly(desk.stage)
    return desk


def in_turn(system: str, seed: int) -> Desk:
    """Play with three processes that take turns by chance: each misses what the others see."""
    processes = [Kept(), Kept(), Kept()]
    turn = random.Random(seed)
    return play(system, seed, lambda stage, _: rebuild_standings(stage, turn.choice(processes)))


@pytest.mark.django_db
@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_the_desk_does_the_rows_are_those_counted_from_nothing(system):
    assert in_turn(system, seed=1).done >= {"enter", "correct", "withdraw"}


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("system", SYSTEMS)
def test_whatever_many_desks_do_the_rows_are_those_counted_from_nothing(system):
    done = {name for seed in range(2, 8) for name in in_turn(system, seed).done}
    # In a bracket nobody changes places: who goes on has been drawn.
    swapped = set() if system == "knockout" else {"swap"}
    assert {"enter", "correct", "reopen", "lose", "miss", "withdraw", "undo"} | swapped <= done


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("system", ["swiss", "groups"])
def test_two_processes_with_connections_of_their_own_write_the_same_rows_in_turn(system):
    with ThreadPoolExecutor(1) as one, ThreadPoolExecutor(1) as other:
        kept = {one: Kept(), other: Kept()}

        def rebuild(stage: Stage, step: int) -> None:
            process = (one, other)[step % 2]
            process.submit(rebuild_standings, stage, kept[process]).result(timeout=60)

        play(system, 3, rebuild)
        for process in (one, other):
            process.submit(connections.close_all).result(timeout=60)


@pytest.fixture
def stage(db: None) -> Stage:
    """A Swiss of twelve pairs whose first round is over."""
    stage = event("swiss")
    by = stage.tournament.created_by
    pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
    for match in Match.objects.filter(pairing_round__stage=stage).order_by("table"):
        scores.record_score(match, points={"AC": 100, "BD": match.table}, sure=True, by=by)
    return stage


def test_only_rows_that_changed_are_written(stage, django_assert_num_queries):
    kept = Kept()
    rebuild_standings(stage, kept)
    before = dict(StandingRow.objects.values_list("entry__number", "pk"))
    last = StandingRow.objects.latest("order")
    StandingRow.objects.filter(pk=last.pk).update(place=1)
    rebuild_standings(stage, kept)
    # It was made anew, so that the newest key tells pages that the standings have changed.
    after = dict(StandingRow.objects.values_list("entry__number", "pk"))
    assert {one for one in before if before[one] != after[one]} == {last.entry.number}
    assert after[last.entry.number] == max(after.values())
    assert StandingRow.objects.get(entry=last.entry).place > 1
    # The stage, its members, its tables, byes, absences, its rows, the rounds: nothing written.
    with django_assert_num_queries(7 + 2):
        rebuild_standings(stage, kept)


def test_a_table_is_read_again_when_it_was_changed_and_not_before(stage):
    kept = Kept()
    rebuild_standings(stage, kept)
    count = kept.take(stage.pk)
    assert count is not None
    first, *others = sorted(count.tables)
    Match.objects.filter(pk=first).update(changed_at=timezone.now())
    versions = dict(Match.objects.values_list("pk", "changed_at"))
    assert count.stale(versions) == {first}
    del versions[others[0]]
    assert count.stale(versions) == {first, others[0]}


def test_a_change_that_is_not_kept_after_all_leaves_no_trace(stage):
    kept = Kept()
    rebuild_standings(stage, kept)
    before = stored(stage)
    match = Match.objects.earliest("table")
    with transaction.atomic():
        corrections.correct_score(
            match, points={"AC": 3, "BD": 100}, reason="misread", sure=True,
            by=stage.tournament.created_by,
        )  # fmt: skip
        rebuild_standings(stage, kept)
        assert stored(stage) != before
        transaction.set_rollback(True)
    rebuild_standings(stage, kept)
    assert stored(stage) == before


def test_seats_exchanged_late_change_the_version_of_both_tables(stage):
    one, other = Match.objects.order_by("table")[:2]
    before = dict(Match.objects.values_list("pk", "changed_at"))
    corrections.swap_seats(
        one, one=MatchSeat.objects.filter(match=one)[0].entry, other_match=other,
        other=MatchSeat.objects.filter(match=other)[0].entry, reason="sat there",
        by=stage.tournament.created_by,
    )  # fmt: skip
    after = dict(Match.objects.values_list("pk", "changed_at"))
    assert {pk for pk, when in after.items() if when != before[pk]} == {one.pk, other.pk}


def test_what_rounds_kept_before_still_tells_their_results(stage):
    # Events in play have digests of before in their rounds: another one would be a correction.
    rebuild_standings(stage, Kept())
    found = sorted(
        results_of(stage, rules_of(stage.tournament)), key=lambda one: (one.round, one.entry)
    )
    told = blake2b("".join(map(repr, found)).encode(), digest_size=12).hexdigest()
    assert stage.rounds.get(number=1).standings["digest"] == told
    assert repr(found[0]).startswith("EntryResult(round=1, entry='000001', outcome=<Outcome.")
    assert found[0].outcome in (Outcome.WIN, Outcome.LOSS)


def test_what_was_asked_for_longest_ago_is_forgotten():
    kept = Kept(most=2)
    one = Count(Order(("wins",), 100, 1, {}), {})
    for number in (1, 2, 3):
        kept.give(number, one)
    assert [kept.take(number) for number in (1, 2, 3)] == [None, one, one]
    assert kept.take(3) is None
