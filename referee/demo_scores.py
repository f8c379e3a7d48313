"""Robots of the demo whose tables hand in only their scores."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from django.contrib.auth.models import User

from tournaments.errors.draws import BracketIsOver
from tournaments.models import Match, Stage
from tournaments.rules import rules_of
from tournaments.services import draws, pairings, scores


@dataclass(slots=True)
class DemoScores:
    """Plays the rounds of a stage; how well somebody plays is settled when first asked."""

    stage: Stage
    rng: Random
    by: User
    skill: dict[int, float] = field(default_factory=dict)

    def play_rounds(self, count: int) -> None:
        """Play as many rounds, one after the other."""
        for number in range(1, count + 1):
            self.hand_in(self.published(number))

    def play_whole(self) -> None:
        """Play all rounds of a stage that is drawn at once."""
        self.hand_in(self.published(1))
        for number in range(2, self.stage.rounds.count() + 1):
            self.hand_in(self.published(number))

    def play_bracket(self) -> None:
        """Play a bracket to its champion."""
        number = 1
        while True:
            try:
                matches = self.published(number)
            except BracketIsOver:
                return
            self.hand_in(matches)
            number += 1

    def published(self, number: int) -> list[Match]:
        """Draw and publish a round; return its tables."""
        drawn = draws.draw_round(self.stage, number=number, by=self.by)
        pairings.publish(drawn, by=self.by)
        tables = Match.objects.select_related("pairing_round__stage__tournament")
        return list(tables.filter(pairing_round=drawn).order_by("table"))

    def hand_in(self, matches: Iterable[Match]) -> None:
        """Hand in the score of each table."""
        for match in matches:
            target = rules_of(match).target
            better = {"AC": 0.0, "BD": 0.0}
            for seat, entry in match.seats.values_list("seat", "entry"):
                skill = self.skill.setdefault(entry, self.rng.gauss(0, 1))
                better["AC" if seat in "AC" else "BD"] += skill + self.rng.gauss(0, 1)
            won = max(better, key=lambda side: better[side])
            points = {
                side: target + self.rng.randrange(30) if side == won else self.rng.randrange(target)
                for side in better
            }
            scores.record_score(match, points=points, sure=True, by=self.by)
