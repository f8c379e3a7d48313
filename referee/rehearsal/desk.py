"""The desk of a stage: it draws, publishes and enters results."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Barrier
from time import perf_counter

from django.db import connection

from referee.demo_play import DemoTable
from referee.rehearsal import laws, standings_law
from referee.rehearsal.event import (
    Counted,
    Rehearsal,
    SeatRow,
    require,
    seats_of,
    sides_at,
)
from tournaments.models import Match, PairingRound, Stage
from tournaments.rules import rules_of
from tournaments.services import draws, pairings, results, scores, stages
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes

# In percent of the target, as femundo takes them off.
PENALTY = 20
ONE_PENALTY_IN = 9
BY_MOVES = 1
LARGEST_SEED = 1_000_000


@dataclass(slots=True)
class Desk:
    """One stage in play. `members` are the entries that have come to it, by number.

    `keeps_winners`: a correction changes points but never who won, because others have gone on
    from there.
    """

    play: Rehearsal
    stage: Stage
    members: set[int]
    keeps_winners: bool = False
    by_moves: set[int] = field(default_factory=set)
    out: list[int] = field(default_factory=list)

    @classmethod
    def of(
        cls,
        play: Rehearsal,
        plan: StagePlan,
        *,
        source: Stage | None = None,
        keeps_winners: bool = False,
    ) -> Desk:
        """Make a stage, asked twice, and sit down at its desk."""
        stage = stages.make_stage(play.event, plan, source=source, by=play.director)
        again = stages.make_stage(play.event, plan, source=source, by=play.director)
        require(stage.pk == again.pk, "a stage asked for twice is made once", found=again.pk)
        # Lots are drawn from chance of the site's own; here the whole event repeats from one seed.
        Stage.objects.filter(pk=stage.pk).update(seed=play.chance.randrange(1, LARGEST_SEED))
        stage.refresh_from_db()
        members = set(stage.stage_entries.values_list("entry__number", flat=True))
        return cls(play, stage, members, keeps_winners)

    def draw(self, number: int) -> PairingRound:
        """Draw from two desks at one moment, and once more: there is one draw."""
        due = self.members - set(self.out)
        before = self.stage.rounds.filter(number=number, matches__isnull=False).exists()
        drawn, statements, seconds = zip(*at_once(self._drawn, number, times=2), strict=True)
        self.play.statements.append(max(statements))
        self.play.seconds.append(max(seconds))
        again, _, _ = self._drawn(number)
        require(len({*drawn, again}) == 1, "one draw a round", at=number, found=drawn)
        self.play.acts["round_drawn"] += not before
        self.stage.refresh_from_db()
        laws.check_draw(self.stage, number, due)
        return self.round(number)

    def _drawn(self, number: int) -> tuple[int, int, float]:
        counted, began = Counted(), perf_counter()
        with connection.execute_wrapper(counted):
            drawn = draws.draw_round(self.stage, number=number, by=self.play.director)
        return drawn.pk, counted.statements, perf_counter() - began

    def publish(self, number: int) -> None:
        """Publish from two desks at one moment: shown once, logged once."""
        pairing_round = self.round(number)
        before = seats_of(self.stage, round_number=number)
        with self.play.measured():
            pairings.publish(pairing_round, by=self.play.director)
        pairings.publish(pairing_round, by=self.play.director)
        after = seats_of(self.stage, round_number=number)
        moved = laws.places(before) != laws.places(after)
        require(not moved, "publishing moves nobody", at=number, found="other seats")
        self.play.acts["round_published"] += 1

    def enter_results(self, number: int) -> None:
        """Enter what happened at the tables: by moves, by walkover, by score."""
        waiting = list(
            Match.objects.filter(pairing_round__stage=self.stage, pairing_round__number=number)
            .exclude(state=Match.State.CLOSED)
            .order_by("table")
        )
        self.play.chance.shuffle(waiting)
        for place, match in enumerate(waiting):
            if place < BY_MOVES and number <= 2:
                DemoTable(match, self.play.chance, self.play.director).finish()
                self.by_moves.add(match.pk)
                self.play.seen["matches by moves"] += 1
            elif place == BY_MOVES and number % 3 == 1 and not self.keeps_winners:
                self.walk_over(match)
            else:
                self.score(match)
        self.play.seen["tables"] += len(waiting)

    def check(self, number: int) -> None:
        """Check what holds once a round is over."""
        laws.check_results(self.stage, number)
        standings_law.check(self.stage)
        laws.check_log(self.play)

    def close(self) -> Stage:
        """Close the stage, asked twice; from here on its standings stay what they are."""
        stages.close_stage(self.stage, by=self.play.director)
        self.stage = stages.close_stage(self.stage, by=self.play.director)
        standings_law.check(self.stage)
        self.play.frozen[self.stage.pk] = standings_law.written(self.stage)
        self.play.acts["stage_closed"] += 1
        return self.stage

    def round(self, number: int) -> PairingRound:
        return PairingRound.objects.select_related("stage__tournament").get(
            stage=self.stage, number=number
        )

    # --- at the tables -----------------------------------------------------------------------

    def score(self, match: Match, *, winner: int | None = None) -> None:
        """Enter a score, sent twice; `winner` says which side is to have more, else the better."""
        points, deducted = self.score_of(match, winner)
        for _ in range(2):
            scores.record_score(
                match, points=points, deducted=deducted, sure=True, by=self.play.director
            )
        self.play.acts["result"] += 1

    def score_of(self, match: Match, winner: int | None) -> tuple[dict[str, int], dict[str, int]]:
        """Return points by side, and what is taken off by seat, from both partners of a pair."""
        rules, chance = rules_of(match), self.play.chance
        rows = [row for row in seats_of(self.stage) if row.match == match.pk]
        if rules.elimination:
            return self._left_at(rows, rules.target, rules.survivors), {}
        sides = sides_at(rows)
        if winner is None:
            winner = 0 if self.play.wins(*sides) else 1
        points = [
            rules.target + chance.randrange(rules.target // 4),
            chance.randrange(rules.target),
        ]
        if winner:
            points.reverse()
        deducted: dict[str, int] = {}
        if not self.keeps_winners and chance.randrange(ONE_PENALTY_IN) == 0:
            fined = chance.choice(rows).entry
            fine = rules.target * PENALTY // 100
            deducted = {row.seat: fine for row in rows if row.entry == fined}
            self.play.seen["penalties"] += 1
        return dict(zip(("AC", "BD"), points, strict=True)), deducted

    def _left_at(self, rows: Sequence[SeatRow], limit: int, survivors: int) -> dict[str, int]:
        """Return what everybody has against them where those who reach the limit are out."""
        chance = self.play.chance
        ranked = sorted(rows, key=lambda row: chance.gauss(0, 1) - self.play.strength(row.entry))
        return {
            row.seat: chance.randrange(limit) if order < survivors else limit + order
            for order, row in enumerate(ranked)
        }

    def walk_over(self, match: Match) -> None:
        """Let somebody be missing at a table."""
        absent = self.play.chance.choice([row.entry for row in match.seats.all()])
        for _ in range(2):
            match = results.record_walkover(match, absent=[absent], by=self.play.director)
        self.play.seen["walkovers"] += 1
        if match.state == Match.State.CLOSED:
            self.play.acts["walkover"] += 1
            return
        # More are there than go on: they play for it.
        self.play.acts["seats_emptied"] += 1
        self.score(match)

    def there(self) -> list[int]:
        """Return the members who have not left."""
        return sorted(self.members - set(self.out))


def at_once(
    change: Callable[[int], tuple[int, int, float]], number: int, *, times: int
) -> list[tuple[int, int, float]]:
    """Make a change from several desks at one moment, each on a connection of its own."""
    ready = Barrier(times)

    def make(_: int) -> tuple[int, int, float]:
        ready.wait()
        try:
            return change(number)
        finally:
            connection.close()

    with ThreadPoolExecutor(times) as desks:
        return list(desks.map(make, range(times)))


def qualifiers(desk: Desk, takes: Takes) -> list[int]:
    """Return who goes on from a closed stage, as the desk is shown them."""
    ahead = stages.preview_qualifiers(desk.stage, takes)
    return [entry.number for entry, _, _ in ahead]
