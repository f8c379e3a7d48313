"""A larger field costs no more queries where a round is drawn, published and counted."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from itertools import groupby

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.factories import EntryFactory, TournamentFactory
from tournaments.models import Entry, Match, PairingRound, Stage, Tournament
from tournaments.services import draws, pairings, scores, stages
from tournaments.services.stages import StagePlan
from tournaments.services.standings import rebuild_standings

pytestmark = pytest.mark.django_db

SIZES = (16, 64)
# What differs from one statement of a kind to the next.
VALUES = r" VALUES | WHERE | = \(?CASE | \"s\d"
SYSTEMS = {
    "swiss": (Entry.Kind.PAIR, {}),
    "rotating": (Entry.Kind.SINGLE, {}),
    "knockout": (Entry.Kind.PAIR, {}),
    "double_elimination": (Entry.Kind.PAIR, {}),
    "groups": (Entry.Kind.PAIR, {"groups": 4}),
    "round_robin": (Entry.Kind.PAIR, {}),
    "schedule": (Entry.Kind.SINGLE, {}),
}
SECOND_BY_RESULTS = ("swiss", "rotating", "knockout", "double_elimination")


def event(size: int, system: str) -> Stage:
    kind, draw = SYSTEMS[system]
    tournament = TournamentFactory.create(state=Tournament.State.RUNNING, entry_kind=kind)
    EntryFactory.create_batch(size, tournament=tournament)
    rounds = 6 if system in {"swiss", "rotating", "schedule"} else None
    plan = StagePlan(system, rounds=rounds, draw=draw)
    return stages.make_stage(tournament, plan, by=tournament.created_by)


def play(pairing_round: PairingRound) -> None:
    by = pairing_round.stage.tournament.created_by
    chance = random.Random(pairing_round.number)
    for match in Match.objects.filter(pairing_round=pairing_round).order_by("table"):
        lost = chance.randrange(90)
        points = {"AC": 100, "BD": lost} if chance.random() < 0.5 else {"AC": lost, "BD": 100}
        scores.record_score(match, points=points, sure=True, by=by)


def queries(act: Callable[[], object]) -> list[str]:
    """Return the statements that are sent, without their values.

    Rows are written in bulk, in as many statements as the database takes them in: one here.
    """
    with CaptureQueriesContext(connection) as captured:
        act()
    sent = [re.split(VALUES, one["sql"])[0] for one in captured.captured_queries]
    return [sql for sql, _ in groupby(sent)]


def costs(size: int, system: str) -> dict[str, list[str]]:
    """Return what was sent for the second round, or the first where all are drawn at once."""
    stage = event(size, system)
    by = stage.tournament.created_by
    number = 1
    if system in SECOND_BY_RESULTS:
        first = pairings.publish(draws.draw_round(stage, number=1, by=by), by=by)
        play(first)
        rebuild_standings(stage)
        number = 2
    found = {"draw": queries(lambda: draws.draw_round(stage, number=number, by=by))}
    drawn = stage.rounds.get(number=number)
    found["publish"] = queries(lambda: pairings.publish(drawn, by=by))
    play(drawn)
    found["standings"] = queries(lambda: rebuild_standings(stage))
    return found


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_larger_field_costs_no_more_queries(system):
    small, large = (costs(size, system) for size in SIZES)
    for act, sent in small.items():
        assert len(sent) == len(large[act]), f"{act}: {set(large[act]) ^ set(sent)}"
