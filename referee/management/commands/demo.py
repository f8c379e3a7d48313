"""`manage.py demo`: seven living events to look at, played by robots through the services."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from random import Random
from typing import Any

from django.contrib.auth.models import Permission, User
from django.core.management.base import BaseCommand, CommandError
from django.utils import timezone

from engine.seats import Seat
from referee.demo_cast import CLUBS, PAIRS
from referee.demo_play import DemoTable
from referee.demo_scores import DemoScores
from tournaments.models import Club, Match, PairingRound, Stage, Tournament
from tournaments.services import entries, lifecycle, pairings, stages
from tournaments.services.accounts import one_time_password
from tournaments.services.pairings import TableData
from tournaments.services.people import PlayerData
from tournaments.services.stages import StagePlan
from tournaments.services.takes import Takes

SEED = 2026


class Command(BaseCommand):
    """Loads the demo once; run again, it only makes new passwords and prints them."""

    help = "Load seven events played by robots, and print the logins."

    def handle(self, *args: Any, **options: Any) -> None:
        users = {name: _account(name) for name in ("director", "referee", "scorer", "admin")}
        director = users["director"][0]
        if not Tournament.objects.filter(slug="nile-open").exists():
            if Tournament.objects.exists():
                raise CommandError(
                    "This database holds events already. Load the demo into an empty one: "
                    "set DATABASE_URL to another database, or run “make clean” first."
                )
            for club in CLUBS:
                Club.objects.get_or_create(
                    name=club.name,
                    country=club.country,
                    defaults={"latin_name": club.latin_name, "city": club.city},
                )
            demo = Demo(director, users["referee"][0], self.stdout.write)
            demo.running()
            demo.finished()
            demo.federation()
            demo.elimination()
            demo.changing_partners()
            demo.groups_and_knockout()
            demo.next_week()
            self.stdout.write("")
        self.stdout.write("Sign in at /login/ as")
        for name, (_, password) in users.items():
            self.stdout.write(f"  {name:<9} {password}")


def _account(name: str) -> tuple[User, str]:
    """Return an account of the demo with a password made for this run."""
    user, _ = User.objects.get_or_create(username=name)
    password = one_time_password()
    user.set_password(password)
    if name == "admin":
        user.is_staff = user.is_superuser = True
    user.save()
    if name == "director":
        user.user_permissions.add(Permission.objects.get(codename="add_tournament"))
    return user, password


class Demo:
    """Makes the events, each in another moment of its life."""

    def __init__(self, director: User, referee: User, say: Any) -> None:
        self.director = director
        self.referee = referee
        self.say = say
        self.rng = Random(SEED)

    def running(self) -> None:
        """16 pairs in mid-play under `wdf` to 100: one round over, the second at the tables."""
        event = self._event(
            "Nile Open",
            "nile-open",
            "wdf",
            PAIRS,
            city="Cairo",
            country="EG",
            venue="Nile Banks Club",
            time_zone="Africa/Cairo",
            days=0,
        )
        lifecycle.add_official(event, username="referee", duty="referee", by=self.director)
        lifecycle.add_official(event, username="scorer", duty="scorer", table=7, by=self.director)
        stage = pairings.make_round_robin(event, by=self.director)
        for match in self._published(stage, 1):
            self._table(match).finish()
        second = self._published(stage, 2)
        for match in second[:2]:
            self._table(match).finish()
        for rounds, match in enumerate(second[2:6], start=1):
            table = self._table(match)
            table.play_match(most_rounds=rounds)
            if not table.read().state.over:
                table.play_round(most_acts=6 + 3 * rounds)
        # One table stands still until the referee has ruled; the last two have not begun.
        open_tables = [match for match in second[2:6] if not self._table(match).read().state.over]
        self._table(open_tables[0]).stop(Seat.B, "signaling", "touched the ear twice")

    def finished(self) -> None:
        """4 pairs, all against all, finished under `domna`."""
        event = self._event(
            "كأس المقهى",
            "cafe-cup",
            "domna",
            PAIRS[:4],
            city="Alexandria",
            country="EG",
            venue="مقهى الميناء",
            time_zone="Africa/Cairo",
            days=-7,
        )
        stage = pairings.make_round_robin(event, by=self.director)
        for number in (1, 2, 3):
            for match in self._published(stage, number):
                self._table(match, open_hands=True).finish()
        lifecycle.finish(event, by=self.director)

    def federation(self) -> None:
        """6 pairs under `femundo`: a bell at one table, a seat left at another."""
        event = self._event(
            "Copa La Ceiba",
            "copa-la-ceiba",
            "femundo",
            PAIRS[2:8],
            city="Santo Domingo",
            country="DO",
            venue="Club La Ceiba",
            time_zone="America/Santo_Domingo",
            days=0,
        )
        lifecycle.add_official(event, username="referee", duty="referee", by=self.director)
        stage = pairings.make_manual_stage(event, by=self.director)
        pairings.save_manual_round(
            stage,
            number=1,
            tables=[TableData(1, (1, 2)), TableData(2, (3, 4)), TableData(3, (5, 6))],
            byes=[],
            by=self.director,
        )
        first, second, third = self._published(stage, 1)
        self._table(first).finish()
        bell = self._table(second)
        bell.play_match(most_rounds=3)
        bell.play_round(time_over=True)
        left = self._table(third)
        left.play_match(most_rounds=1)
        left.play_round(most_acts=9)
        left.leave(Seat.C)

    def elimination(self) -> None:
        """One table of four, everybody for themselves."""
        event = self._event(
            "شب دومینو",
            "domino-night",
            "elimination",
            (),
            city="Tehran",
            country="IR",
            venue="باشگاه کوه سپید",
            time_zone="Asia/Tehran",
            days=0,
            kind="single",
        )
        lifecycle.add_official(event, username="referee", duty="referee", by=self.director)
        for club in CLUBS:
            entries.register(event, players=[club.pairs[3][0]], by=self.director)
        lifecycle.start(event, by=self.director)
        stage = pairings.make_manual_stage(event, by=self.director)
        pairings.save_manual_round(
            stage, number=1, tables=[TableData(1, (1, 2, 3, 4))], byes=[], by=self.director
        )
        (match,) = self._published(stage, 1)
        table = self._table(match, open_hands=True)
        table.play_match(most_rounds=6)
        if not table.read().state.over:
            table.play_round(most_acts=11)

    def changing_partners(self) -> None:
        """32 individuals with a new partner every round, in the third round of five."""
        event = self._event(
            "جام یاران تازه",
            "new-partners",
            "femundo",
            [[player] for pair in PAIRS for player in pair],
            city="Tehran",
            country="IR",
            venue="باشگاه کوه سپید",
            time_zone="Asia/Tehran",
            days=0,
            kind="single",
        )
        lifecycle.add_official(event, username="referee", duty="referee", by=self.director)
        stage = stages.make_stage(event, StagePlan("rotating", rounds=5), by=self.director)
        robots = DemoScores(stage, self.rng, self.director)
        robots.play_rounds(2)
        robots.hand_in(robots.published(3)[2:6])

    def groups_and_knockout(self) -> None:
        """16 pairs in four groups, the best two of each in a knockout, won by a champion."""
        event = self._event(
            "Copa de los Cuatro Clubes",
            "cuatro-clubes",
            "femundo",
            PAIRS,
            city="Santo Domingo",
            country="DO",
            venue="Club La Ceiba",
            time_zone="America/Santo_Domingo",
            days=-3,
        )
        plan = StagePlan("groups", draw={"groups": 4, "separate_by": "club"})
        groups = stages.make_stage(event, plan, by=self.director)
        DemoScores(groups, self.rng, self.director).play_whole()
        groups = stages.close_stage(groups, by=self.director)
        plan = StagePlan("knockout", takes=Takes(each=2), draw={"third_place": True})
        final = stages.make_stage(event, plan, source=groups, by=self.director)
        DemoScores(final, self.rng, self.director).play_bracket()
        stages.close_stage(final, by=self.director)
        lifecycle.finish(event, by=self.director)

    def next_week(self) -> None:
        """An event that still takes entries."""
        self._event(
            "Kingston Pairs Night",
            "kingston-pairs",
            "wdf",
            PAIRS[12:],
            city="Kingston",
            country="JM",
            venue="Harbour View",
            time_zone="America/Jamaica",
            days=7,
            start=False,
            target=150,
        )

    def _event(
        self,
        name: str,
        slug: str,
        profile: str,
        pairs: Sequence[Sequence[PlayerData]],
        *,
        city: str,
        country: str,
        venue: str,
        time_zone: str,
        days: int,
        kind: str = "pair",
        start: bool = True,
        target: int | None = None,
    ) -> Tournament:
        self.say(f"{name} …")
        event = lifecycle.create_tournament(
            name=name,
            slug=slug,
            profile=profile,
            target=target,
            venue=venue,
            city=city,
            country=country,
            time_zone=time_zone,
            starts_on=timezone.localdate() + timedelta(days=days),
            entry_kind=kind,
            by=self.director,
        )
        lifecycle.open_registration(event, by=self.director)
        for pair in pairs:
            entries.register(event, players=pair, by=self.director)
        if pairs and start:
            lifecycle.start(event, by=self.director)
        return event

    def _published(self, stage: Stage, number: int) -> list[Match]:
        pairing_round = PairingRound.objects.get(stage=stage, number=number)
        pairings.publish(pairing_round, by=self.director)
        return list(pairing_round.matches.order_by("table"))

    def _table(self, match: Match, *, open_hands: bool = False) -> DemoTable:
        seed = self.rng.getrandbits(32)
        return DemoTable(match, Random(seed), self.director, open_hands=open_hands)
